//! What a command that starts now is held by, for as long as something of it lives.

use std::{io, path::Path, process::Command, sync::Arc};

use tagline_net::{Pass, Visit};
use tagline_sandbox::{Means, Order, confine::Leash};

use super::{Fence, Reach, Runs, Sandbox, StartError, Ways};

/// What holds a command. Dropping it ends what is left of a confined one.
#[derive(Debug, Default)]
pub(super) struct Hold {
    leash: Option<Leash>,
    /// The network that it is in.
    ways: Option<Arc<Ways>>,
    /// Its right to go out.
    pass: Option<Pass>,
}

impl Hold {
    /// With what its processes live by.
    pub(super) fn on(mut self, leash: Option<Leash>) -> Self {
        self.leash = leash;
        self
    }

    pub(super) const fn has_leash(&self) -> bool {
        self.leash.is_some()
    }

    pub(super) fn ways(&self) -> Option<&Arc<Ways>> {
        self.ways.as_ref()
    }

    /// Whether it has no network but that of its session.
    pub(super) const fn is_alone(&self) -> bool {
        self.ways.is_some() && self.pass.is_none()
    }

    /// Where it went by the proxy.
    pub(super) fn visits(&self) -> Vec<Visit> {
        self.pass.as_ref().map(Pass::visits).unwrap_or_default()
    }

    /// Whether nothing of a confined command is left.
    pub(super) fn is_loose(&self) -> bool {
        self.leash.as_ref().is_some_and(Leash::is_loose)
    }
}

impl Runs {
    /// How a command that starts now is held, and by what.
    pub(super) async fn order(
        &self,
        cwd: &Path,
        wants_network: bool,
    ) -> Result<(Order, Hold), StartError> {
        let limits = self.config.limits;
        let fence = match &self.config.sandbox {
            Sandbox::Off(_) => return Ok((Order::bounded(limits), Hold::default())),
            Sandbox::On(fence) => fence,
            Sandbox::Refuses(why) => return Err(StartError::NoSandbox(why.clone())),
        };
        let ways = self.ways(fence).await?;
        let hold = Hold {
            leash: None,
            pass: ways.as_ref().filter(|_| wants_network).map(|ways| ways.pass()),
            ways,
        };
        let plan = fence.plan(&self.roots, &self.temp);
        let mut order = Order::confined(limits, plan, cwd).by(fence.means);
        if let Some(ways) = &hold.ways {
            order = order.within(ways.membership());
        } else if fence.reach != Reach::Open && !wants_network {
            order = order.offline();
        }
        Ok((order, hold))
    }

    /// The network of the session, made when the first command needs it.
    async fn ways(&self, fence: &Fence) -> io::Result<Option<Arc<Ways>>> {
        let (Reach::Own(rules), Some(program), Means::Namespaces) =
            (&fence.reach, self.config.starter.program(), fence.means)
        else {
            return Ok(None);
        };
        let mut ways = self.ways.lock().await;
        if !ways.as_ref().is_some_and(|ways| ways.is_there()) {
            *ways = Some(Arc::new(Ways::open(&program, rules.clone()).await?));
        }
        Ok(ways.clone())
    }
}

/// Tells a command of its way out.
pub(super) fn tell(command: &mut Command, hold: &Hold) {
    if let (Some(ways), Some(pass)) = (&hold.ways, &hold.pass) {
        command.envs(ways.variables(pass));
    }
}
