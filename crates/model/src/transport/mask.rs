//! Stars over keys.

use tagline_secret::Secret;

/// Writes stars over the secret, as it is and as JSON writes it. The length stays.
pub(crate) fn mask(secret: &Secret, bytes: &mut [u8]) {
    let secret = secret.expose();
    if secret.len() < Secret::SHORTEST {
        return;
    }
    cover(secret.as_bytes(), bytes);
    let quoted = serde_json::to_string(secret).unwrap_or_default();
    let escaped = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    if let Some(escaped) = escaped.filter(|escaped| *escaped != secret) {
        cover(escaped.as_bytes(), bytes);
    }
}

fn cover(secret: &[u8], bytes: &mut [u8]) {
    let mut from = 0;
    while let Some(rest) = bytes.get_mut(from..) {
        let Some(at) = rest.windows(secret.len()).position(|window| window == secret) else {
            return;
        };
        rest.iter_mut().skip(at).take(secret.len()).for_each(|byte| *byte = b'*');
        from += at + secret.len();
    }
}

#[cfg(test)]
mod tests {
    use tagline_secret::Secret;

    use super::mask;

    #[track_caller]
    fn check(secret: &str, text: &str, expected: &str) {
        let mut bytes = text.as_bytes().to_vec();
        mask(&Secret::from(secret), &mut bytes);
        assert_eq!(String::from_utf8(bytes).unwrap(), expected);
    }

    #[test]
    fn a_key_is_covered_wherever_it_stands() {
        check("sk-01234", "sk-01234, sk-0123 and sk-01234", "********, sk-0123 and ********");
    }

    #[test]
    fn a_key_is_covered_as_json_writes_it() {
        let text = r#"{"a":"sk-\"01\\2"} sk-"01\2"#;
        check(r#"sk-"01\2"#, text, r#"{"a":"**********"} ********"#);
    }

    #[test]
    fn a_word_is_no_key() {
        check("local", "a local server", "a local server");
    }
}
