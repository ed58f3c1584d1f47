//! Times as the stores keep them: microseconds since 1970.

use jiff::Timestamp;

use crate::StoreError;

/// The time of an event of `session`.
pub(crate) fn micros(session: &str, ts: &str) -> Result<i64, StoreError> {
    let bad = |_| StoreError::BadTime { session: session.to_owned(), found: ts.to_owned() };
    ts.parse::<Timestamp>().map(Timestamp::as_microsecond).map_err(bad)
}

/// RFC 3339 with milliseconds.
pub(crate) fn rfc3339(micros: i64) -> String {
    let time = Timestamp::from_microsecond(micros).unwrap_or_default();
    format!("{time:.3}")
}
