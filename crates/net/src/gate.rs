//! The one way from an address as it was read to a connection.

use std::{
    collections::BTreeSet,
    fmt, io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use tokio::time::{Duration, Instant, timeout};

use crate::{
    address::{BenchmarkRange, judge},
    connect::{Connect, Stream, SystemConnector},
    embedded::{self, Inner},
    error::{Problem, said},
    host::Host,
    hosts::Hosts,
    resolve::{Resolve, SystemResolver},
    target::Target,
};

/// What a guard is made of. All of it is said by whoever makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Hosts that may be asked for.
    pub hosts: Hosts,
    /// Ports at which this program listens. They are closed at every address: behind a router the
    /// machine has addresses that it does not know of.
    pub own_ports: BTreeSet<u16>,
    /// Whether the user opened 198.18.0.0/15.
    pub benchmark: BenchmarkRange,
}

/// An address that was judged and may be connected to. Only the gate makes one:
///
/// ```compile_fail
/// let to: std::net::SocketAddr = "127.0.0.1:80".parse().unwrap();
/// tagline_net::Checked(to);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Checked(SocketAddr);

impl Checked {
    /// The address.
    #[must_use]
    pub const fn address(self) -> SocketAddr {
        self.0
    }
}

/// A connection, and where it goes.
pub struct Opened {
    /// The connection, without TLS.
    pub stream: Box<dyn Stream>,
    /// Its other end.
    pub to: Checked,
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opened").field("to", &self.to).finish_non_exhaustive()
    }
}

/// Judges targets and connects to those that pass.
#[derive(Debug)]
pub struct Gate {
    rules: Rules,
    resolver: Arc<dyn Resolve>,
    connector: Arc<dyn Connect>,
}

impl Gate {
    /// A gate with the system's resolver and connections.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self::with(rules, Arc::new(SystemResolver), Arc::new(SystemConnector))
    }

    /// A gate that looks up and connects as told.
    #[must_use]
    pub fn with(rules: Rules, resolver: Arc<dyn Resolve>, connector: Arc<dyn Connect>) -> Self {
        Self { rules, resolver, connector }
    }

    /// What can be said of a target before its name is looked up.
    ///
    /// # Errors
    ///
    /// A [`Problem`] of the class `Refused`.
    pub fn admit(&self, target: &Target) -> Result<(), Problem> {
        self.admit_host(target.host(), target.port())?;
        let Hosts::Listed(list) = &self.rules.hosts else { return Ok(()) };
        for inner in embedded::targets(target.url()) {
            match inner {
                Inner::Host(host) if list.allows(&host) => {}
                Inner::Host(host) => return Err(Problem::Embedded(host.to_string())),
                Inner::Unreadable(text) => return Err(Problem::Unreadable(text)),
            }
        }
        Ok(())
    }

    fn admit_host(&self, host: &Host, port: u16) -> Result<(), Problem> {
        if self.rules.own_ports.contains(&port) {
            return Err(Problem::OwnPort(port));
        }
        if let Host::Address(address) = host {
            self.judge(*address)?;
        }
        match &self.rules.hosts {
            Hosts::Public => Ok(()),
            Hosts::Listed(list) => list.check(host),
        }
    }

    /// Connects to a host within this time: one look-up, a verdict on all that it answers, then a
    /// connection to one of them. The addresses share the time that is left.
    ///
    /// # Errors
    ///
    /// A [`Problem`]; where it is of the class `Refused`, nothing was connected to.
    pub async fn open(&self, host: &Host, port: u16, limit: Duration) -> Result<Opened, Problem> {
        self.admit_host(host, port)?;
        let began = Instant::now();
        let found = timeout(limit, self.addresses(host)).await;
        let addresses = found.map_err(|_| Problem::ConnectTime(limit))??;
        let mut last = Problem::ConnectTime(limit);
        for (nth, address) in addresses.iter().enumerate() {
            let n_left = u32::try_from(addresses.len() - nth).unwrap_or(u32::MAX);
            let share = limit.saturating_sub(began.elapsed()) / n_left;
            let to = Checked(SocketAddr::new(*address, port));
            match timeout(share, self.connector.connect(to)).await {
                Ok(Ok(stream)) => return Ok(Opened { stream, to }),
                Ok(Err(error)) => last = refused_by(to, &error),
                Err(_) => {}
            }
        }
        Err(last)
    }

    /// Every address of a host, none twice, all of them judged.
    async fn addresses(&self, host: &Host) -> Result<Vec<IpAddr>, Problem> {
        let found = match host {
            Host::Address(address) => vec![*address],
            Host::Name(name) => {
                let found = self.resolver.look_up(name).await;
                found.map_err(|error| Problem::LookUp(said(&error)))?
            }
        };
        let mut addresses = Vec::new();
        for address in found {
            let address = self.judge(address)?;
            if !addresses.contains(&address) {
                addresses.push(address);
            }
        }
        if addresses.is_empty() {
            return Err(Problem::LookUp("the name has no address".to_owned()));
        }
        Ok(addresses)
    }

    fn judge(&self, address: IpAddr) -> Result<IpAddr, Problem> {
        judge(address, self.rules.benchmark).map_err(Problem::Address)
    }
}

fn refused_by(to: Checked, error: &io::Error) -> Problem {
    Problem::Connect { address: to.address().to_string(), said: said(error) }
}
