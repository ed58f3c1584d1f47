//! From a process's bytes to the plain text that a model reads, and the styles that it has beside it.
//!
//! Bytes come in cut anywhere. What goes out is UTF-8 without escape sequences and without any
//! control character but newline and tab: damage becomes U+FFFD, a carriage return becomes a line
//! break, so that each state of a progress line stands on its own line. Where the input was cut
//! never changes the text. Memory is bounded: `vte` without its `std` feature keeps at most 1 KiB
//! of a sequence, and a sequence that does not end within [`STRING_LIMIT`] is given up.

use anstyle::Style;
use vte::{Params, Parser, Perform};

use super::color::restyled;

/// Text, and from which byte of the whole stream on it has which style: in order, at most one for each
/// byte.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Styled {
    pub(super) text: String,
    pub(super) styles: Vec<(usize, Style)>,
}

/// After this many bytes without any text an open sequence is taken to be over, so that an
/// unterminated one cannot swallow the rest of the output. Counted in blocks from the start of
/// the stream, which keeps the result independent of the cuts.
const STRING_LIMIT: usize = 4 * 1024;

/// Cleans one stream.
#[derive(Default)]
pub(super) struct Plain {
    parser: Parser,
    text: Text,
    /// Bytes taken of the current block of [`STRING_LIMIT`].
    n_in_block: usize,
    /// The last byte was [`LEAD`]; what follows decides what it means.
    is_lead_held: bool,
}

/// The first byte in UTF-8 of the eight-bit controls, U+0080 to U+009F, and of some letters.
const LEAD: u8 = 0xC2;

impl Plain {
    /// Takes the next bytes; hands out the text that became certain.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Styled {
        if self.is_lead_held || bytes.contains(&LEAD) {
            let bytes = self.in_seven_bits(bytes);
            self.advance(&bytes);
        } else {
            self.advance(bytes);
        }
        self.text.take()
    }

    /// Eight-bit controls as the two bytes that mean the same: U+009B is `ESC [`.
    fn in_seven_bits(&mut self, bytes: &[u8]) -> Vec<u8> {
        const ESCAPE: u8 = 0x1b;
        let mut out = Vec::with_capacity(bytes.len() + 1);
        for &byte in bytes {
            match (std::mem::take(&mut self.is_lead_held), byte) {
                (true, 0x80..=0x9f) => out.extend([ESCAPE, byte - 0x40]),
                (true, LEAD) => {
                    out.push(LEAD);
                    self.is_lead_held = true;
                }
                (true, _) => out.extend([LEAD, byte]),
                (false, LEAD) => self.is_lead_held = true,
                (false, _) => out.push(byte),
            }
        }
        out
    }

    fn advance(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let n = bytes.len().min(STRING_LIMIT - self.n_in_block);
            let (now, later) = bytes.split_at(n);
            self.parser.advance(&mut self.text, now);
            self.n_in_block += n;
            if self.n_in_block == STRING_LIMIT {
                self.end_block();
            }
            bytes = later;
        }
    }

    /// Says that the stream is over; hands out the rest.
    pub(super) fn finish(&mut self) -> Styled {
        if std::mem::take(&mut self.is_lead_held) {
            self.advance(&[LEAD]);
        }
        // An escape makes the parser give up a character of which only some bytes came.
        self.parser.advance(&mut self.text, b"\x1b");
        self.parser = Parser::new();
        self.text.end_line();
        self.text.take()
    }

    fn end_block(&mut self) {
        if self.text.is_silent {
            self.parser = Parser::new();
        }
        self.text.is_silent = true;
        self.n_in_block = 0;
    }
}

/// The text so far.
#[derive(Default)]
struct Text {
    out: Styled,
    /// Bytes that were handed out.
    n_taken: usize,
    style: Style,
    /// A carriage return came; what follows decides whether it was half a line break.
    is_returned: bool,
    /// No text came since the block began.
    is_silent: bool,
}

impl Text {
    fn take(&mut self) -> Styled {
        self.n_taken += self.out.text.len();
        std::mem::take(&mut self.out)
    }

    /// The text from here on has this style.
    fn restyle(&mut self, style: Style) {
        if self.style == style {
            return;
        }
        self.style = style;
        let at = self.n_taken + self.out.text.len();
        self.out.styles.pop_if(|(last, _)| *last == at);
        self.out.styles.push((at, style));
    }

    fn end_line(&mut self) {
        if std::mem::take(&mut self.is_returned) {
            self.out.text.push('\n');
        }
    }

    fn push(&mut self, c: char) {
        self.end_line();
        self.out.text.push(c);
        self.is_silent = false;
    }
}

impl Perform for Text {
    fn print(&mut self, c: char) {
        if !c.is_control() {
            self.push(c);
        }
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\n' => {
                self.is_returned = false;
                self.push('\n');
            }
            b'\t' => self.push('\t'),
            b'\r' => self.is_returned = true,
            _ => (),
        }
    }

    fn csi_dispatch(&mut self, params: &Params, between: &[u8], is_cut: bool, action: char) {
        self.is_silent = false;
        if action == 'm' && between.is_empty() && !is_cut {
            self.restyle(restyled(self.style, params));
        }
    }
}

/// The bytes in chunks of these sizes, and the rest.
#[cfg(test)]
pub(super) fn cut<'a>(mut bytes: &'a [u8], sizes: &[usize]) -> Vec<&'a [u8]> {
    let mut chunks = Vec::new();
    for size in sizes {
        let (now, later) = bytes.split_at((*size).min(bytes.len()));
        chunks.push(now);
        bytes = later;
    }
    chunks.push(bytes);
    chunks
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::{collection::vec, prelude::*};

    use super::*;

    fn plain<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> String {
        styled(chunks).text
    }

    fn styled<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Styled {
        let mut plain = Plain::default();
        let mut all = Styled::default();
        let mut add = |more: Styled| {
            all.text += &more.text;
            for it in more.styles {
                all.styles.pop_if(|(last, _)| *last == it.0);
                all.styles.push(it);
            }
        };
        chunks.into_iter().for_each(|chunk| add(plain.feed(chunk)));
        add(plain.finish());
        all
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: Expect) {
        expected.assert_debug_eq(&plain([bytes]));
    }

    #[test]
    fn colors_titles_links_and_the_clipboard_leave_nothing() {
        check(
            b"\x1b[31mred\x1b[0m \x1b[38:2::1:2:3mrgb \x1b]0;title\x07\x1b]52;c;cHduZWQ=\x07\
              \x1b]8;;http://127.0.0.1:9/x\x1b\\link\x1b]8;;\x1b\\ \x1b[?1049h\x1b[?2004h\x1bc end",
            expect![[r#"
                "red rgb link  end"
            "#]],
        );
    }

    #[test]
    fn device_strings_are_dropped_and_the_text_after_them_is_kept() {
        check(
            b"a\x1bP1;2qdata\x1b\\b\x1b_apc\x1b\\c\x1b^pm\x1b\\d\x1bXsos\x1b\\e",
            expect![[r#"
            "abcde"
        "#]],
        );
    }

    #[test]
    fn a_carriage_return_starts_a_line_and_with_a_newline_makes_one_break() {
        check(
            b"10%\r20%\r\r\n done\r\nlast\r",
            expect![[r#"
            "10%\n20%\n done\nlast\n"
        "#]],
        );
    }

    #[test]
    fn bell_backspace_null_and_eight_bit_controls_are_dropped() {
        check(
            b"a\x07b\x08c\0d\x7f\xc2\x9b31me\xc2\x85f",
            expect![[r#"
            "abcdef"
        "#]],
        );
    }

    #[test]
    fn invalid_bytes_become_replacement_characters() {
        check(
            b"caf\xc3\xa9 \xff\xfe ok \xe2\x82",
            expect![[r#"
            "café �� ok �"
        "#]],
        );
    }

    #[test]
    fn an_unterminated_string_ends_at_a_limit() {
        let mut bytes = b"before \x1b]0;".to_vec();
        bytes.extend(std::iter::repeat_n(b'x', 1 << 20));
        bytes.extend(b" after");
        let text = plain([bytes.as_slice()]);
        assert!(text.starts_with("before x"), "{:.20}", text);
        assert!(text.ends_with(" after"));
        assert!((1 << 20) - text.len() < 2 * STRING_LIMIT, "{}", text.len());
    }

    /// Bytes made of what programs really write: text, sequences, pieces of both.
    fn output() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(&b"text"[..]),
            Just(&b"\x1b[31m"[..]),
            Just(&b"\x1b[0m"[..]),
            Just(&b"\x1b[38:2::1:2:3;1m"[..]),
            Just(&b"\x1b]0;t\x07"[..]),
            Just(&b"\x1bP q\x1b\\"[..]),
            Just(&b"\x1b["[..]),
            Just(&b"\x1b]"[..]),
            Just(&b"\r"[..]),
            Just(&b"\n"[..]),
            Just("é→😀".as_bytes()),
            Just(&b"\xe2\x82"[..]),
            Just(&b"\xff"[..]),
            Just(&b"\x9b"[..]),
            Just(&b"\xc2"[..]),
            Just(&b"\xc2\x9b32m"[..]),
            Just(&b"\0\x07\x08"[..]),
        ];
        vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn where_the_output_is_cut_never_changes_the_text(
            bytes in output(), sizes in vec(1_usize..9, 1..60),
        ) {
            prop_assert_eq!(styled(cut(&bytes, &sizes)), styled([bytes.as_slice()]));
        }

        #[test]
        fn no_control_character_but_newline_and_tab_gets_through(bytes in vec(any::<u8>(), 0..400)) {
            let text = plain([bytes.as_slice()]);
            prop_assert!(text.chars().all(|c| !c.is_control() || c == '\n' || c == '\t'), "{:?}", text);
        }
    }
}
