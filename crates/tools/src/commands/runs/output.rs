//! From a process's bytes to the text that is kept of them and shown: plain, and with markers over
//! secrets.
//!
//! Every byte that a command writes comes by here before the log, the record and the live events have
//! it, so cursors count what is kept, and a secret is in none of them.

use tagline_secret::{Redactor, Stream};

use super::plain::Plain;

/// One stream of a command.
pub(super) struct Output {
    plain: Plain,
    cover: Stream,
}

impl Output {
    pub(super) fn new(secrets: &Redactor) -> Self {
        Self { plain: Plain::default(), cover: secrets.stream() }
    }

    /// Takes the next bytes; the text of which it is certain that it may be kept.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> String {
        self.cover.feed(&self.plain.feed(bytes))
    }

    /// Whether [`Output::pause`] would give something.
    pub(super) const fn can_pause(&self) -> bool {
        self.cover.can_pause()
    }

    /// Nothing more came for a while: the last letters of a prompt, where they are few.
    pub(super) fn pause(&mut self) -> String {
        self.cover.pause()
    }

    /// The stream is over; the rest.
    pub(super) fn finish(&mut self) -> String {
        self.cover.feed(&self.plain.finish()) + &self.cover.finish()
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use tagline_secret::Secret;

    use super::*;

    /// What comes of these pieces, one by one, and of the end; `None` is a pause.
    #[track_caller]
    fn check(pieces: &[Option<&[u8]>], expected: Expect) {
        let secrets = Redactor::default();
        secrets.learn("KEY", &Secret::from("sk-0123456789"));
        let mut output = Output::new(&secrets);
        let mut texts: Vec<String> = pieces
            .iter()
            .map(|piece| match piece {
                Some(bytes) => output.feed(bytes),
                None => output.pause(),
            })
            .collect();
        texts.push(output.finish());
        expected.assert_eq(&format!("{texts:?}"));
    }

    #[test]
    fn a_secret_is_found_beneath_colors_and_over_cuts() {
        check(
            &[Some(b"<sk-\x1b[3"), Some(b"1m01234\x1b["), Some(b"0m56789>")],
            expect![[r#"["<", "", "[secret KEY]>", ""]"#]],
        );
    }

    #[test]
    fn a_prompt_is_whole_after_a_pause_and_a_secret_is_not() {
        check(
            &[Some(b"pass? s"), None, Some(b"k-0123456789"), None],
            expect![[r#"["pass? ", "s", "[secret KEY]", "", ""]"#]],
        );
        check(
            &[Some(b"sk-0123"), None, Some(b"456789")],
            expect![[r#"["", "", "[secret KEY]", ""]"#]],
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_told_as_before() {
        check(
            &[Some(b"\xff\xfe s"), Some(b"\xc3"), Some(b"\xa9\xe2\x82")],
            expect![[r#"["�� ", "", "sé", "�"]"#]],
        );
    }
}
