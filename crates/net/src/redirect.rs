//! What follows from a redirect: where it leads, and what goes along.

use bytes::Bytes;
use hyper::{
    HeaderMap, Method, StatusCode,
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, LOCATION},
};

use crate::{
    error::{NetError, Problem},
    request::Request,
    target::Target,
};

/// One request of a chain.
#[derive(Clone, Debug)]
pub(crate) struct Hop {
    pub(crate) target: Target,
    pub(crate) method: Method,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// What redirected here.
    pub(crate) from: Option<String>,
}

impl Hop {
    /// What a request begins with.
    pub(crate) fn first(request: Request) -> Result<Self, NetError> {
        let Request { url, method, mut headers, body } = request;
        let read = Target::with_credentials(&url);
        let (target, credentials) = read.map_err(|problem| problem.at(&url, None))?;
        if let Some(credentials) = credentials.filter(|_| !headers.contains_key(AUTHORIZATION)) {
            let value = HeaderValue::from_str(&credentials.0);
            let mut value = value.map_err(|_| {
                Problem::HeaderText(AUTHORIZATION.to_string()).at(target.as_str(), None)
            })?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        Ok(Self { target, method, headers, body, from: None })
    }

    /// Where an answer sends the request, if it does.
    pub(crate) fn next(
        &self,
        status: StatusCode,
        headers: &HeaderMap,
    ) -> Result<Option<Self>, NetError> {
        let is_redirect = matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308);
        let Some(location) = headers.get(LOCATION).filter(|_| is_redirect) else { return Ok(None) };
        let location = String::from_utf8_lossy(location.as_bytes());
        let from = self.target.as_str();
        let target =
            self.target.join(&location).map_err(|problem| problem.at(&location, Some(from)))?;
        let at = |problem: Problem| problem.at(target.as_str(), Some(from));
        if self.target.is_secure() && !target.is_secure() {
            return Err(at(Problem::Downgrade));
        }
        let mut next = self.clone().answered(status);
        if target.origin() != self.target.origin() {
            if !next.body.is_empty() {
                return Err(at(Problem::BodyElsewhere));
            }
            next.headers.clear();
        }
        Ok(Some(Self { from: Some(from.to_owned()), target, ..next }))
    }

    /// The request as it goes on: after these, a body is asked for and none is sent.
    fn answered(mut self, status: StatusCode) -> Self {
        let is_sent_again = matches!(status.as_u16(), 307 | 308);
        if is_sent_again || self.method == Method::HEAD {
            return self;
        }
        self.method = Method::GET;
        self.body = Bytes::new();
        self.headers.remove(CONTENT_TYPE);
        self
    }

    /// An error of this hop.
    pub(crate) fn failed(&self, problem: Problem) -> NetError {
        problem.at(self.target.as_str(), self.from.as_deref())
    }
}
