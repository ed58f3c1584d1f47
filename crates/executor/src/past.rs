//! What earlier calls of the session gave.

use std::fmt;

use futures_util::future::BoxFuture;
use tagline_protocol::CallId;

/// Finds results of earlier calls, whole: of long ones the model was sent head and tail alone.
/// A capability of the session.
pub struct PastResults(Box<Find>);

type Find = dyn Fn(CallId) -> BoxFuture<'static, Result<Option<String>, String>> + Send + Sync;

impl PastResults {
    /// `find` gives the result of a call; `None` where there is none; or says why it cannot look.
    pub fn new(
        find: impl Fn(CallId) -> BoxFuture<'static, Result<Option<String>, String>>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self(Box::new(find))
    }

    /// The result of a call.
    ///
    /// # Errors
    ///
    /// Why it cannot be looked up, in words.
    pub async fn whole(&self, call: CallId) -> Result<Option<String>, String> {
        (self.0)(call).await
    }
}

impl fmt::Debug for PastResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PastResults")
    }
}
