//! What the terminal takes: color, glyphs, width, redrawing.
//!
//! Sources: no-color.org, force-color.org, bixense.com/clicolors. The flag wins, then what says
//! no, then what forces; without any of them color needs a terminal that is not `dumb`.

use std::io::IsTerminal as _;

use clap::ValueEnum;

use crate::env::Env;

/// When to color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal that has it.
    #[default]
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

/// How text is dressed for one stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    /// Whether to color.
    pub(crate) color: bool,
    /// Whether only ASCII is written.
    pub(crate) ascii: bool,
    /// Whether lines may be redrawn in place. Never for a screen reader.
    pub(crate) redraws: bool,
    /// Columns.
    pub(crate) width: usize,
}

/// Widest line of prose, in columns.
const WIDEST: usize = 100;

#[cfg(test)]
impl Style {
    /// Neither color nor redrawing, in 80 columns.
    pub(crate) const PLAIN: Self = Self { color: false, ascii: false, redraws: false, width: 80 };
}

/// What the user asked for, by flag or variable.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wish {
    /// `--color`.
    pub(crate) color: Color,
    /// `--ascii`.
    pub(crate) ascii: bool,
    /// `--screen-reader`.
    pub(crate) screen_reader: bool,
}

impl Wish {
    /// The style of standard error.
    pub(crate) fn stderr(self, env: &Env) -> Style {
        self.style(env, std::io::stderr().is_terminal(), columns(env))
    }

    /// The style of standard output.
    pub(crate) fn stdout(self, env: &Env) -> Style {
        self.style(env, std::io::stdout().is_terminal(), columns(env))
    }

    fn style(self, env: &Env, is_terminal: bool, width: usize) -> Style {
        let is_dumb = env.get("TERM") == Some("dumb");
        Style {
            color: self.colors(env, is_terminal && !is_dumb),
            ascii: self.ascii || self.screen_reader,
            redraws: is_terminal && !is_dumb && !self.screen_reader,
            width,
        }
    }

    /// Whether to color, where `by_default` says whether a capable terminal is there.
    pub(crate) fn colors(self, env: &Env, by_default: bool) -> bool {
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto if env.get("NO_COLOR").is_some() => false,
            Color::Auto if is_on(env, "FORCE_COLOR") || is_on(env, "CLICOLOR_FORCE") => true,
            Color::Auto => by_default && env.get("CLICOLOR") != Some("0"),
        }
    }
}

fn is_on(env: &Env, name: &str) -> bool {
    env.get(name).is_some_and(|value| value != "0")
}

fn columns(env: &Env) -> usize {
    let asked = || rustix::termios::tcgetwinsize(std::io::stderr()).ok().map(|size| size.ws_col);
    let given = env.get("COLUMNS").and_then(|columns| columns.parse().ok()).or_else(asked);
    usize::from(given.filter(|&columns| columns >= 20).unwrap_or(80)).min(WIDEST)
}

/// Rows of the screen.
pub(crate) fn rows(env: &Env) -> usize {
    let asked = || rustix::termios::tcgetwinsize(std::io::stderr()).ok().map(|size| size.ws_row);
    let given = env.get("LINES").and_then(|lines| lines.parse().ok()).or_else(asked);
    usize::from(given.filter(|&rows| rows > 0).unwrap_or(24))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(vars: &[(&str, &str)], color: Color, is_terminal: bool, expected: bool) {
        let wish = Wish { color, ..Wish::default() };
        let style = wish.style(&Env::of(vars), is_terminal, 80);
        assert_eq!(style.color, expected, "{vars:?} {color:?} {is_terminal}");
    }

    #[test]
    fn color_needs_a_terminal_unless_forced() {
        check(&[], Color::Auto, true, true);
        check(&[], Color::Auto, false, false);
        check(&[("FORCE_COLOR", "1")], Color::Auto, false, true);
        check(&[("CLICOLOR_FORCE", "1")], Color::Auto, false, true);
        check(&[("FORCE_COLOR", "0")], Color::Auto, false, false);
        check(&[], Color::Always, false, true);
    }

    #[test]
    fn what_says_no_wins_over_what_forces_but_not_over_the_flag() {
        check(&[("NO_COLOR", "1"), ("FORCE_COLOR", "1")], Color::Auto, true, false);
        check(&[("TERM", "dumb")], Color::Auto, true, false);
        check(&[("CLICOLOR", "0")], Color::Auto, true, false);
        check(&[("NO_COLOR", "1")], Color::Always, false, true);
        check(&[], Color::Never, true, false);
    }

    #[test]
    fn a_screen_reader_gets_no_redrawing_and_no_glyphs() {
        let wish = Wish { screen_reader: true, ..Wish::default() };
        let style = wish.style(&Env::of(&[]), true, 80);
        assert!(style.ascii && !style.redraws);
    }
}
