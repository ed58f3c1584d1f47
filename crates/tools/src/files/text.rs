//! Bytes of a file as text, and back without a loss.

use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};

/// How a file's bytes become text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
    /// What is left when nothing else fits: every byte means something in it.
    Windows1252,
}

impl Encoding {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16Le => "UTF-16LE",
            Self::Utf16Be => "UTF-16BE",
            Self::Windows1252 => "windows-1252",
        }
    }
}

/// A text file, decoded. [`Text::encode`] of its text gives its bytes again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) encoding: Encoding,
    pub(crate) has_bom: bool,
}

const UTF8_BOM: &[u8] = &[0xEF, 0xBB, 0xBF];
const LE_BOM: &[u8] = &[0xFF, 0xFE];
const BE_BOM: &[u8] = &[0xFE, 0xFF];

impl Text {
    /// Decodes text; `None` for binary content.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        if let Some(rest) = bytes.strip_prefix(UTF8_BOM) {
            let text = std::str::from_utf8(rest).ok()?.to_owned();
            return Some(Self { text, encoding: Encoding::Utf8, has_bom: true });
        }
        if let Some(rest) = bytes.strip_prefix(LE_BOM) {
            return Self::utf16(rest, Encoding::Utf16Le);
        }
        if let Some(rest) = bytes.strip_prefix(BE_BOM) {
            return Self::utf16(rest, Encoding::Utf16Be);
        }
        if bytes.contains(&0) {
            return None;
        }
        if let Ok(text) = std::str::from_utf8(bytes) {
            return Some(Self { text: text.to_owned(), encoding: Encoding::Utf8, has_bom: false });
        }
        if !is_like_text(bytes) {
            return None;
        }
        let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
        let text = text.into_owned();
        Some(Self { text, encoding: Encoding::Windows1252, has_bom: false })
    }

    fn utf16(bytes: &[u8], encoding: Encoding) -> Option<Self> {
        let decoder = if encoding == Encoding::Utf16Le { UTF_16LE } else { UTF_16BE };
        let text = decoder.decode_without_bom_handling_and_without_replacement(bytes)?;
        let text = text.into_owned();
        Some(Self { text, encoding, has_bom: true })
    }

    /// The bytes of a new text in the same encoding, or the first character that it cannot write.
    pub(crate) fn encode(&self, text: &str) -> Result<Vec<u8>, char> {
        match self.encoding {
            Encoding::Utf8 => {
                let bom = if self.has_bom { UTF8_BOM } else { &[] };
                Ok([bom, text.as_bytes()].concat())
            }
            Encoding::Utf16Le => {
                let units = text.encode_utf16().flat_map(u16::to_le_bytes);
                Ok(LE_BOM.iter().copied().chain(units).collect())
            }
            Encoding::Utf16Be => {
                let units = text.encode_utf16().flat_map(u16::to_be_bytes);
                Ok(BE_BOM.iter().copied().chain(units).collect())
            }
            Encoding::Windows1252 => encode_1252(text),
        }
    }

    /// What is odd about the file's form, for the heading.
    pub(crate) fn oddities(&self) -> Vec<String> {
        let mut odd = Vec::new();
        match (self.encoding, self.has_bom) {
            (Encoding::Utf8, false) => {}
            (Encoding::Utf8, true) => odd.push("UTF-8 with a byte order mark".to_owned()),
            (Encoding::Windows1252, _) => odd.push("not UTF-8, read as windows-1252".to_owned()),
            (encoding, _) => odd.push(encoding.name().to_owned()),
        }
        let n_crlf = self.text.matches("\r\n").count();
        match self.text.matches('\n').count() {
            0 => {}
            n if n == n_crlf => odd.push("CRLF line ends".to_owned()),
            _ if n_crlf > 0 => odd.push("mixed line ends".to_owned()),
            _ => {}
        }
        odd
    }
}

fn encode_1252(text: &str) -> Result<Vec<u8>, char> {
    let (bytes, _, is_lossy) = WINDOWS_1252.encode(text);
    if !is_lossy {
        return Ok(bytes.into_owned());
    }
    let is_foreign = |c: &char| WINDOWS_1252.encode(c.encode_utf8(&mut [0; 4])).2;
    Err(text.chars().find(is_foreign).unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// Whether bytes that are not UTF-8 look like text all the same: no known magic number, and few
/// control characters.
fn is_like_text(bytes: &[u8]) -> bool {
    if infer::get(bytes).is_some() {
        return false;
    }
    let is_control = |byte: &&u8| byte.is_ascii_control() && !b"\t\n\r\x0c\x1b".contains(byte);
    bytes.iter().filter(is_control).count() * 50 <= bytes.len()
}

/// The number of lines; a last one without a line break counts.
pub(crate) fn n_lines(text: &str) -> usize {
    text.lines().count()
}

/// A size for people: exact below 1 KiB, else with one decimal.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match UNITS.iter().find(|(_, unit)| bytes >= *unit) {
        Some((name, unit)) => format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit),
        None => format!("{bytes} bytes"),
    }
}

/// A count with its noun: `1 line`, `2 lines`.
pub(crate) fn count(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_decoded_is_encoded_back(
            bytes in proptest::collection::vec(any::<u8>(), 0..60),
            bom in prop_oneof![Just(&[][..]), Just(UTF8_BOM), Just(LE_BOM), Just(BE_BOM)],
        ) {
            let bytes = [bom, &bytes].concat();
            if let Some(text) = Text::decode(&bytes) {
                prop_assert_eq!(text.encode(&text.text), Ok(bytes));
            }
        }
    }

    #[test]
    fn old_text_is_read_and_a_new_character_is_named() {
        let text = Text::decode(b"caf\xE9\n").unwrap();
        assert_eq!((text.text.as_str(), text.encoding), ("café\n", Encoding::Windows1252));
        assert_eq!(text.encode("→"), Err('→'));
        assert_eq!(Text::decode(b"\x7fELF\x02\x01\x01\x00"), None);
        assert_eq!(Text::decode(&[0x89, b'P', b'N', b'G', 13, 10, 26, 10]), None);
    }

    #[test]
    fn sizes_are_short() {
        let sizes = [0, 1023, 1024, 1536, 5 << 20, 8 << 30].map(size);
        let expected = ["0 bytes", "1023 bytes", "1.0 KiB", "1.5 KiB", "5.0 MiB", "8.0 GiB"];
        assert_eq!(sizes, expected);
    }
}
