//! From a process's bytes to the text that is kept of them and shown: plain, with markers over secrets,
//! and once more with its colors.
//!
//! Every byte that a command writes comes by here before the log, the record and the live events have
//! it, so cursors count what is kept, and a secret is in none of them. Secrets are looked for in the plain
//! text, so that no color can stand between two halves of one; colors come back behind that.

use std::collections::VecDeque;

use anstyle::Style;
use tagline_secret::{Part, Redactor, Stream};

use super::plain::{Plain, Styled};

/// One stream of a command.
pub(super) struct Output {
    plain: Plain,
    cover: Stream,
    colors: Colors,
}

/// What became certain of a stream.
#[derive(Debug, Default)]
pub(super) struct Piece {
    /// Without any control character but newline and tab.
    pub(super) plain: String,
    /// The same with its colors: each is an SGR sequence, of the whole style from there on.
    pub(super) colored: String,
}

/// The styles of a stream, and how far it was given.
#[derive(Default)]
struct Colors {
    /// Bytes of the stream that were given, or stood below a marker.
    n_given: usize,
    /// From which byte on which style counts; what was given already may lie before it.
    coming: VecDeque<(usize, Style)>,
    /// The last that was given.
    shown: Style,
}

impl Output {
    pub(super) fn new(secrets: &Redactor) -> Self {
        let (plain, colors) = (Plain::default(), Colors::default());
        Self { plain, cover: secrets.stream(), colors }
    }

    /// Takes the next bytes; the text of which it is certain that it may be kept.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Piece {
        let Styled { text, styles } = self.plain.feed(bytes);
        self.colors.coming.extend(styles);
        let mut piece = Piece::default();
        self.cover.feed_to(&text, |part| self.colors.give(&mut piece, part));
        piece
    }

    /// Whether [`Output::pause`] would give something.
    pub(super) const fn can_pause(&self) -> bool {
        self.cover.can_pause()
    }

    /// Nothing more came for a while: the last letters of a prompt, where they are few.
    pub(super) fn pause(&mut self) -> Piece {
        let mut piece = Piece::default();
        let text = self.cover.pause();
        self.colors.give(&mut piece, Part::Text(&text));
        piece
    }

    /// The stream is over; the rest.
    pub(super) fn finish(&mut self) -> Piece {
        let Styled { text, styles } = self.plain.finish();
        self.colors.coming.extend(styles);
        let mut piece = Piece::default();
        let mut give = |part: Part<'_>| self.colors.give(&mut piece, part);
        self.cover.feed_to(&text, &mut give);
        self.cover.finish_to(give);
        self.colors.show(&mut piece.colored, Style::new());
        piece
    }
}

impl Colors {
    fn give(&mut self, piece: &mut Piece, part: Part<'_>) {
        piece.plain += part.text();
        match part {
            Part::Text(text) => self.give_text(&mut piece.colored, text),
            Part::Marker { text, n_covered } => {
                let style = self.here();
                self.show(&mut piece.colored, style);
                piece.colored += text;
                self.n_given += n_covered;
            }
        }
    }

    fn give_text(&mut self, colored: &mut String, mut text: &str) {
        while !text.is_empty() {
            let style = self.here();
            self.show(colored, style);
            let n = self.coming.front().map_or(text.len(), |(at, _)| at - self.n_given);
            let (now, later) = text.split_at_checked(n).unwrap_or((text, ""));
            *colored += now;
            self.n_given += now.len();
            text = later;
        }
    }

    /// The style at this byte.
    fn here(&mut self) -> Style {
        let mut style = self.shown;
        while let Some((_, next)) = self.coming.pop_front_if(|(at, _)| *at <= self.n_given) {
            style = next;
        }
        style
    }

    fn show(&mut self, text: &mut String, style: Style) {
        if style != self.shown {
            self.shown = style;
            *text += &format!("{}{}", anstyle::Reset.render(), style.render());
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::{collection::vec, prelude::*};
    use tagline_secret::Secret;

    use super::{super::plain::cut, *};

    /// What comes of these pieces, one by one, and of the end; `None` is a pause.
    #[track_caller]
    fn check(pieces: &[Option<&[u8]>], expected: Expect) {
        let secrets = Redactor::default();
        secrets.learn("KEY", &Secret::from("sk-0123456789"));
        let mut output = Output::new(&secrets);
        let mut texts: Vec<String> = pieces
            .iter()
            .map(|piece| match piece {
                Some(bytes) => output.feed(bytes).plain,
                None => output.pause().plain,
            })
            .collect();
        texts.push(output.finish().plain);
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

    /// What is shown with colors of these pieces.
    fn colored<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> String {
        let secrets = Redactor::default();
        secrets.learn("KEY", &Secret::from("sk-0123456789"));
        let mut output = Output::new(&secrets);
        let text: String = pieces.into_iter().map(|piece| output.feed(piece).colored).collect();
        text + &output.finish().colored
    }

    #[track_caller]
    fn check_colors(bytes: &[u8], expected: Expect) {
        expected.assert_eq(&format!("{:?}", colored([bytes])));
    }

    #[test]
    fn colors_stand_where_they_stood_and_end_with_the_stream() {
        check_colors(
            b"a \x1b[31mred\x1b[0m \x1b[1;42mboth\x1b[22m one",
            expect![[
                r#""a \u{1b}[0m\u{1b}[31mred\u{1b}[0m \u{1b}[0m\u{1b}[1m\u{1b}[42mboth\u{1b}[0m\u{1b}[42m one\u{1b}[0m""#
            ]],
        );
        check_colors(b"plain \x1b[2J\x1b]0;t\x07\x1b[0mtext", expect![[r#""plain text""#]]);
        check_colors(b"\x1b[31m\x1b[32m\x1b[0mnone\x1b[33m", expect![[r#""none""#]]);
    }

    #[test]
    fn a_marker_has_the_color_in_which_its_secret_began() {
        check_colors(
            b"\x1b[31m<sk-0\x1b[32m1234\x1b[33m56789>",
            expect![[r#""\u{1b}[0m\u{1b}[31m<[secret KEY]\u{1b}[0m\u{1b}[33m>\u{1b}[0m""#]],
        );
    }

    proptest! {
        #[test]
        fn cuts_change_no_color_and_colors_no_text(
            parts in vec("\x1b\\[(3[1-3]|0)?m|sk-0123456789|sk-01|\r|[a-z\n]{1,4}", 0..30),
            sizes in vec(1_usize..9, 1..60),
        ) {
            let bytes = parts.concat().into_bytes();
            let all = colored([bytes.as_slice()]);
            prop_assert_eq!(&colored(cut(&bytes, &sizes)), &all);

            let secrets = Redactor::default();
            secrets.learn("KEY", &Secret::from("sk-0123456789"));
            let mut output = Output::new(&secrets);
            let plain = output.feed(&bytes).plain + &output.finish().plain;
            let Styled { text, styles: _ } = Plain::default().feed(all.as_bytes());
            prop_assert_eq!(text, plain);
        }
    }
}
