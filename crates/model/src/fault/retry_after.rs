//! When a provider wants to be asked again.

use std::time::Duration;

use super::ProviderError;
use crate::transport::Headers;

/// The wait that the headers or the body name: `retry-after-ms`, `retry-after` in seconds or as a
/// date (RFC 9110, 10.2.3), or Google's `retryDelay`.
///
/// A date is compared with the answer's own `date`, so no clock is needed and a wrong one does no
/// harm. Nothing, 0 and what cannot be read give `None`: the caller's own backoff holds.
pub(crate) fn retry_after(headers: &Headers, error: &ProviderError) -> Option<Duration> {
    let milliseconds = headers.get("retry-after-ms").and_then(|text| seconds(text, 0.001));
    let named = || {
        let text = headers.get("retry-after")?;
        seconds(text, 1.0).or_else(|| until(text, headers.get("date")?))
    };
    let in_body = || seconds(error.retry_delay.as_deref()?.strip_suffix('s')?, 1.0);
    milliseconds.or_else(named).or_else(in_body).filter(|wait| !wait.is_zero())
}

fn seconds(text: &str, unit: f64) -> Option<Duration> {
    let number: f64 = text.trim().parse().ok()?;
    Duration::try_from_secs_f64(number * unit).ok()
}

fn until(date: &str, now: &str) -> Option<Duration> {
    let date = httpdate::parse_http_date(date.trim()).ok()?;
    let now = httpdate::parse_http_date(now.trim()).ok()?;
    date.duration_since(now).ok()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::retry_after;
    use crate::{fault::ProviderError, transport::Headers};

    #[track_caller]
    fn check(headers: &[(&str, &str)], delay: Option<&str>, expected: Expect) {
        let headers =
            headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let error =
            ProviderError { retry_delay: delay.map(str::to_owned), ..ProviderError::default() };
        expected.assert_eq(&format!("{:?}", retry_after(&Headers(headers), &error)));
    }

    #[test]
    fn every_form_of_retry_after_is_read() {
        check(&[("retry-after", "7")], None, expect!["Some(7s)"]);
        check(&[("retry-after", "1.5")], None, expect!["Some(1.5s)"]);
        check(&[("retry-after-ms", "250"), ("retry-after", "9")], None, expect!["Some(250ms)"]);
        check(
            &[
                ("retry-after", "Fri, 27 Nov 2026 23:00:30 GMT"),
                ("date", "Fri, 27 Nov 2026 23:00:00 GMT"),
            ],
            None,
            expect!["Some(30s)"],
        );
        check(&[], Some("34.5s"), expect!["Some(34.5s)"]);
        check(&[("retry-after", "100000")], None, expect!["Some(100000s)"]);
    }

    #[test]
    fn what_names_no_wait_gives_none() {
        check(&[], None, expect!["None"]);
        check(&[("retry-after", "0")], None, expect!["None"]);
        check(&[("retry-after", "-3")], None, expect!["None"]);
        check(&[("retry-after", "NaN")], None, expect!["None"]);
        check(&[("retry-after", "1e300")], None, expect!["None"]);
        check(&[("retry-after", "soon")], Some("soon"), expect!["None"]);
        check(&[("retry-after", "Fri, 27 Nov 2026 23:00:30 GMT")], None, expect!["None"]);
        check(
            &[
                ("retry-after", "Fri, 27 Nov 2026 22:00:00 GMT"),
                ("date", "Fri, 27 Nov 2026 23:00:00 GMT"),
            ],
            None,
            expect!["None"],
        );
    }
}
