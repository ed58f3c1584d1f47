//! The colors and weights that a command gives its output: SGR sequences (ECMA-48, 8.3.117), of which
//! the usual ones are read. What is unknown changes nothing.

use anstyle::{Ansi256Color, AnsiColor, Color, Effects, RgbColor, Style};
use vte::Params;

const COLORS: [AnsiColor; 8] = [
    AnsiColor::Black,
    AnsiColor::Red,
    AnsiColor::Green,
    AnsiColor::Yellow,
    AnsiColor::Blue,
    AnsiColor::Magenta,
    AnsiColor::Cyan,
    AnsiColor::White,
];

/// The style after a sequence with these parameters.
pub(super) fn restyled(mut style: Style, params: &Params) -> Style {
    let mut params = params.iter();
    while let Some(param) = params.next() {
        style = match *param {
            [layer @ (38 | 48)] => {
                // The old spelling: `38;5;N`, `38;2;R;G;B`, each part a parameter of its own.
                let mut more = || params.next().and_then(|it| it.first().copied());
                match more() {
                    Some(5) => colored(style, layer, &[5, more().unwrap_or(0)]),
                    Some(2) => {
                        let parts =
                            [2, more().unwrap_or(0), more().unwrap_or(0), more().unwrap_or(0)];
                        colored(style, layer, &parts)
                    }
                    Some(_) | None => style,
                }
            }
            [layer @ (38 | 48), ref parts @ ..] => colored(style, layer, parts),
            [code, ..] => plainly(style, code),
            [] => style,
        };
    }
    style
}

/// A color that is told by number or by its parts. With a space of colors, which is not looked at,
/// there is one part more.
fn colored(style: Style, layer: u16, parts: &[u16]) -> Style {
    let color = match *parts {
        [5, n] => u8::try_from(n).ok().map(|n| Color::Ansi256(Ansi256Color(n))),
        [2, r, g, b] | [2, _, r, g, b, ..] => rgb([r, g, b]),
        _ => None,
    };
    match (color, layer) {
        (None, _) => style,
        (Some(color), 38) => style.fg_color(Some(color)),
        (Some(color), _) => style.bg_color(Some(color)),
    }
}

fn rgb(parts: [u16; 3]) -> Option<Color> {
    let [r, g, b] = parts.map(u8::try_from);
    Some(Color::Rgb(RgbColor(r.ok()?, g.ok()?, b.ok()?)))
}

fn plainly(style: Style, code: u16) -> Style {
    let effects = style.get_effects();
    match code {
        0 => Style::new(),
        1 => style.effects(effects | Effects::BOLD),
        2 => style.effects(effects | Effects::DIMMED),
        3 => style.effects(effects | Effects::ITALIC),
        4 => style.effects(effects | Effects::UNDERLINE),
        7 => style.effects(effects | Effects::INVERT),
        9 => style.effects(effects | Effects::STRIKETHROUGH),
        22 => style.effects(effects - Effects::BOLD - Effects::DIMMED),
        23 => style.effects(effects - Effects::ITALIC),
        24 => style.effects(effects - Effects::UNDERLINE),
        27 => style.effects(effects - Effects::INVERT),
        29 => style.effects(effects - Effects::STRIKETHROUGH),
        39 => style.fg_color(None),
        49 => style.bg_color(None),
        _ => sixteen(style, code),
    }
}

/// One of the sixteen that every terminal has.
fn sixteen(style: Style, code: u16) -> Style {
    let color = |bright: bool| {
        let color = COLORS.get(usize::from(code % 10))?;
        Some(Color::Ansi(color.bright(bright)))
    };
    match code {
        30..=37 => style.fg_color(color(false)),
        40..=47 => style.bg_color(color(false)),
        90..=97 => style.fg_color(color(true)),
        100..=107 => style.bg_color(color(true)),
        _ => style,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use vte::{Parser, Perform};

    use super::*;

    #[derive(Default)]
    struct Styles(Style);

    impl Perform for Styles {
        fn csi_dispatch(&mut self, params: &Params, _: &[u8], _: bool, _: char) {
            self.0 = restyled(self.0, params);
        }
    }

    /// What is sent for the style that these sequences lead to.
    #[track_caller]
    fn check(sequences: &str, expected: Expect) {
        let mut styles = Styles::default();
        Parser::<1024>::new().advance(&mut styles, sequences.as_bytes());
        expected.assert_eq(&format!("{:?}", styles.0.render().to_string()));
    }

    #[test]
    fn colors_are_read_in_every_spelling() {
        check("\x1b[31;42m", expect![[r#""\u{1b}[31m\u{1b}[42m""#]]);
        check("\x1b[97;100m", expect![[r#""\u{1b}[97m\u{1b}[100m""#]]);
        check("\x1b[38;5;208m", expect![[r#""\u{1b}[38;5;208m""#]]);
        check("\x1b[48;2;1;2;3m", expect![[r#""\u{1b}[48;2;1;2;3m""#]]);
        check("\x1b[38:2::1:2:3m", expect![[r#""\u{1b}[38;2;1;2;3m""#]]);
        check("\x1b[38:2:1:2:3m", expect![[r#""\u{1b}[38;2;1;2;3m""#]]);
        check("\x1b[38:5:9;1m", expect![[r#""\u{1b}[1m\u{1b}[38;5;9m""#]]);
    }

    #[test]
    fn what_begins_ends() {
        check(
            "\x1b[1;2;3;4;7;9m",
            expect![[r#""\u{1b}[1m\u{1b}[2m\u{1b}[3m\u{1b}[4m\u{1b}[7m\u{1b}[9m""#]],
        );
        check("\x1b[1;2;3;4;7;9m\x1b[22;23;24;27;29m", expect![[r#""""#]]);
        check("\x1b[31;42m\x1b[39;49m", expect![[r#""""#]]);
        check("\x1b[31;1m\x1b[m", expect![[r#""""#]]);
    }

    #[test]
    fn what_is_unknown_or_out_of_range_changes_nothing() {
        check("\x1b[31m\x1b[5;8;53;999m", expect![[r#""\u{1b}[31m""#]]);
        check("\x1b[31m\x1b[38;5;300m", expect![[r#""\u{1b}[31m""#]]);
        check("\x1b[31m\x1b[38:2:1m\x1b[38;9m", expect![[r#""\u{1b}[31m""#]]);
    }
}
