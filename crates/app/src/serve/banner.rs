//! What `serve` says once it answers: the doors that there are.

use tagline_server::{Server, TokenError, TokenFile};
use tagline_session::{Recovered, Start};
use tokio::time::Instant;

use crate::screen::{count, time};

/// A server that is about to answer.
pub(super) struct Ready<'a> {
    pub(super) server: &'a Server,
    pub(super) tokens: &'a TokenFile,
    pub(super) recovered: &'a Recovered,
    pub(super) start: Start,
    pub(super) began: Instant,
}

impl Ready<'_> {
    /// The block, line by line. The code of the link is used up by the first who trades it.
    pub(super) fn lines(&self) -> Result<Vec<String>, TokenError> {
        let (url, version) = (self.server.url(), env!("CARGO_PKG_VERSION"));
        let code = self.tokens.code()?;
        let took = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let mut lines = vec![
            format!("tagline {version} ready in {}", time(took)),
            format!("  page       {url}/#t={code}      (valid once, 60 s)"),
            format!("  HTTP       {url}/openapi.json      token: tagline token show"),
            "  attached   tagline run, chat and sessions in this folder".to_owned(),
        ];
        lines.extend(self.sessions().map(|text| format!("  sessions   {text}")));
        lines.extend(self.server.warnings().iter().map(|text| format!("warning: {text}")));
        if self.start == Start::Safe {
            lines.push(SAFE.to_owned());
        }
        lines.push("press Ctrl-C to stop; what was done is kept".to_owned());
        Ok(lines)
    }

    /// What a killed process left, if anything.
    fn sessions(&self) -> Option<String> {
        let (cut, failed) = (self.recovered.interrupted.len(), self.recovered.failed.len());
        let cut = (cut > 0).then(|| format!("{cut} interrupted: `tagline run -r ID` goes on"));
        let failed = (failed > 0).then(|| {
            let failed = u64::try_from(failed).unwrap_or(u64::MAX);
            count(failed, "cannot be read", "cannot be read")
        });
        let parts: Vec<String> = cut.into_iter().chain(failed).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

const SAFE: &str = "warning: it was started three times within a minute without ending in order, so \
                    nothing begins by itself now; send a message to go on in a session";
