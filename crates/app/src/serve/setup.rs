//! What the server asks of the program about models, keys and settings.

use futures_util::future::FutureExt as _;
use tagline_secret::Secret;
use tagline_server::{
    IfUnreachable, KeyKept, ProviderRow, SettingKept, Settled, Setup, SetupProblem,
};
use tokio::sync::Mutex;

use crate::{app::App, setup};

/// The user's keys and settings. Only one request at a time writes, so that none is lost.
#[derive(Debug)]
pub(super) struct Belongings {
    app: App,
    writing: Mutex<()>,
}

impl Belongings {
    pub(super) fn new(app: App) -> Self {
        Self { app, writing: Mutex::new(()) }
    }
}

impl Setup for Belongings {
    fn providers(&self) -> Settled<'_, Vec<ProviderRow>> {
        setup::providers(&self.app).boxed()
    }

    fn keep_key<'a>(
        &'a self,
        provider: &'a str,
        key: Secret,
        unreachable: IfUnreachable,
    ) -> Settled<'a, KeyKept> {
        Box::pin(async move {
            let _alone = self.writing.lock().await;
            setup::keep_key(&self.app, provider, &key, unreachable).await
        })
    }

    fn forget_key<'a>(&'a self, provider: &'a str) -> Settled<'a, ()> {
        Box::pin(async move {
            let _alone = self.writing.lock().await;
            setup::forget_key(&self.app, provider).map(|_| ())
        })
    }

    fn set<'a>(&'a self, name: &'a str, value: Option<&'a str>) -> Settled<'a, SettingKept> {
        Box::pin(async move {
            let _alone = self.writing.lock().await;
            let kept: Result<_, SetupProblem> = setup::set(&self.app, name, value);
            kept
        })
    }
}
