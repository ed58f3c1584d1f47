//! How a secret may be written.

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD},
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What addresses leave as it is.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The secret as it is, as JSON writes it, also within another JSON text, as addresses and forms
/// write it, in hexadecimal digits, and in base64, wherever it stands in what was encoded. Each
/// once.
pub(crate) fn forms(secret: &str) -> Vec<String> {
    let json = in_json(secret);
    let percent = utf8_percent_encode(secret, UNRESERVED).to_string();
    let mut forms = vec![
        secret.to_owned(),
        in_json(&json),
        json,
        lower_digits(&percent),
        percent.replace("%20", "+"),
        percent,
        utf8_percent_encode(secret, NON_ALPHANUMERIC).to_string(),
        hex(secret),
        hex(secret).to_uppercase(),
    ];
    for skipped in 0..3 {
        forms.extend(in_base64(secret, skipped));
    }
    forms.sort();
    forms.dedup();
    forms
}

fn in_json(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap_or_default();
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.unwrap_or_default().to_owned()
}

/// The same with small letters in `%2F`.
fn lower_digits(percent: &str) -> String {
    let mut parts = percent.split('%');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let (digits, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        text + "%" + &digits.to_lowercase() + rest
    })
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

/// The digits of base64 that depend on the secret alone, where so many bytes stand before it in
/// its group of three.
fn in_base64(secret: &str, skipped: usize) -> Vec<String> {
    let mut bytes = vec![0; skipped];
    bytes.extend_from_slice(secret.as_bytes());
    let first = (skipped * 8).div_ceil(6);
    let last = bytes.len() * 8 / 6;
    let digits = [STANDARD_NO_PAD.encode(&bytes), URL_SAFE_NO_PAD.encode(&bytes)];
    digits.iter().filter_map(|text| text.get(first..last)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    #[track_caller]
    fn check(secret: &str, expected: Expect) {
        expected.assert_eq(&(forms(secret).join("\n") + "\n"));
    }

    #[test]
    fn a_plain_key_has_few_forms() {
        check(
            "sk-01234",
            expect![[r#"
            736B2D3031323334
            736b2d3031323334
            NrLTAxMjM0
            c2stMDEyMz
            sk%2D01234
            sk-01234
            zay0wMTIzN
        "#]],
        );
    }

    #[test]
    fn a_password_has_many() {
        check(
            "p\"s/ w+ü?>",
            expect![[r#"
            7022732F20772BC3BC3F3E
            7022732f20772bc3bc3f3e
            Aicy8gdyvDvD8+
            Aicy8gdyvDvD8-
            cCJzLyB3K8O8Pz
            p"s/ w+ü?>
            p%22s%2F%20w%2B%C3%BC%3F%3E
            p%22s%2F+w%2B%C3%BC%3F%3E
            p%22s%2f%20w%2b%c3%bc%3f%3e
            p\"s/ w+ü?>
            p\\\"s/ w+ü?>
            wInMvIHcrw7w/P
            wInMvIHcrw7w_P
        "#]],
        );
    }
}
