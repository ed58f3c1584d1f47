//! Keeping what calls may change, so that it can be undone.

use std::{fmt, path::PathBuf, sync::Arc};

use futures_util::future::BoxFuture;
use tagline_policy::Claims;
use tagline_protocol::{Call, CallId};

use crate::ToolContext;

/// Looks at what a call may change, before it begins and after it ended.
pub trait Keep: Send + Sync {
    /// Before a call of this effect that may change something begins; it was allowed already. What
    /// is given back is asked once the call is over. A call whose future is dropped is never over.
    fn before<'a>(
        &'a self,
        call: &'a Call,
        claims: &'a Claims,
        cx: &'a ToolContext,
    ) -> BoxFuture<'a, Option<Box<dyn After>>>;

    /// Keeps what stands at these absolute paths, has `take` put it aside, and gives the id by which it
    /// is brought back; `None` where that was not kept. `take` is called once in any case. At any time,
    /// also while calls run; `call` is the one that started what made it. Blocks on the disk.
    fn aside(&self, call: &CallId, paths: &[PathBuf], take: &mut dyn FnMut()) -> Option<String>;
}

/// Looks at what a call left.
pub trait After: Send {
    /// After the call is over, however it ended. What there is to say of it goes to `cx`.
    fn after<'a>(self: Box<Self>, cx: &'a ToolContext) -> BoxFuture<'a, ()>;
}

/// A capability: who keeps what the calls of the session change.
#[derive(Clone)]
pub struct Keeping(pub Arc<dyn Keep>);

impl fmt::Debug for Keeping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keeping")
    }
}

/// What a call may change is kept before it begins, if somebody keeps it.
pub(crate) async fn before(
    call: &Call,
    claims: &Claims,
    cx: &ToolContext,
) -> Option<Box<dyn After>> {
    let keeping = cx.capabilities.get::<Keeping>()?;
    keeping.0.before(call, claims, cx).await
}

/// What the call left is kept.
pub(crate) async fn after(kept: Option<Box<dyn After>>, cx: &ToolContext) {
    if let Some(kept) = kept {
        kept.after(cx).await;
    }
}
