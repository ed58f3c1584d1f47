//! Shows frames as they are written, and keeps count.

use std::{
    fmt,
    io::{self, IsTerminal as _, Write as _},
    sync::{Arc, Mutex, PoisonError},
};

use tagline_protocol::{Frame, Price};
use tagline_session::Watcher;

use super::tally::Tally;
use crate::{
    app::App,
    cli::Format,
    exit::Exit,
    journal::Keeping,
    output::{note, print_json},
    screen::{Cards, Printer, head},
    terminal::Style,
};

/// The screen of a running turn.
pub(crate) struct Live {
    format: Format,
    is_quiet: bool,
    style: Style,
    state: Mutex<State>,
}

struct State {
    printer: Printer,
    tally: Tally,
    /// Whether a status line stands below the last line.
    has_status: bool,
    /// The reader of standard output went away.
    is_cut: Option<Exit>,
    /// The session stays.
    is_kept: bool,
}

impl Live {
    /// For this command line.
    pub(crate) fn new(app: &App, format: Format) -> Arc<Self> {
        let style = app.stderr();
        let printer = Printer::new(style, app.verbosity);
        let state = State {
            printer,
            tally: Tally::default(),
            has_status: false,
            is_cut: None,
            is_kept: true,
        };
        Arc::new(Self { format, is_quiet: app.is_quiet, style, state: Mutex::new(state) })
    }

    /// Labels calls as the tools' cards are labelled.
    pub(crate) fn label(&self, cards: Cards) {
        self.change(|printer| printer.with_cards(cards));
    }

    /// Shows a conversation whose words the user types on the same screen.
    pub(crate) fn converse(&self) {
        self.change(Printer::with_conversation);
    }

    /// Counts what the tokens cost, where that is known.
    pub(crate) fn price(&self, price: Option<Price>) {
        self.change(|printer| printer.with_price(price));
        self.state().tally = Tally::priced(price);
    }

    fn change(&self, change: impl FnOnce(Printer) -> Printer) {
        let mut state = self.state();
        let blank = Printer::new(self.style, 0);
        let printer = std::mem::replace(&mut state.printer, blank);
        state.printer = change(printer);
    }

    /// Whether the user can go on in another run: not in a session that is not kept, nor in one
    /// that goes on right here.
    pub(crate) fn is_resumable(&self) -> bool {
        let state = self.state();
        state.is_kept && !state.printer.is_conversation()
    }

    /// Whether the user types the words on this screen.
    pub(crate) fn is_conversation(&self) -> bool {
        self.state().printer.is_conversation()
    }

    /// Shows a session that is not kept.
    pub(crate) fn keep(&self, keeping: Keeping) {
        self.state().is_kept = keeping == Keeping::Kept;
    }

    /// Whether the screen, which is where standard output goes too, ends with this text already.
    pub(crate) fn has_said(&self, text: &str) -> bool {
        let is_one_screen = io::stdout().is_terminal() && io::stderr().is_terminal();
        is_one_screen && !self.is_quiet && self.state().printer.has_said(text)
    }

    /// What to hand to a session.
    pub(crate) fn watcher(self: &Arc<Self>) -> Watcher {
        let live = Arc::clone(self);
        Arc::new(move |frame| live.show(frame))
    }

    /// What was counted so far.
    pub(crate) fn tally(&self) -> Tally {
        self.state().tally.clone()
    }

    /// Counts from zero again: another turn begins.
    pub(crate) fn forget(&self) {
        let mut state = self.state();
        state.tally = Tally::priced(state.tally.price);
    }

    /// How the program ends because its reader is gone, if it is.
    pub(crate) fn cut(&self) -> Option<Exit> {
        self.state().is_cut
    }

    /// Takes the status line away, so that something else can be written.
    pub(crate) fn clear(&self) {
        clear(&mut self.state());
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, frame: &Frame) {
        let mut state = self.state();
        state.tally.count(frame);
        match self.format {
            Format::Jsonl if state.is_cut.is_none() => state.is_cut = print_json(frame).err(),
            Format::Jsonl => {}
            Format::Text | Format::Json if self.is_quiet => {}
            Format::Text | Format::Json => self.draw(&mut state, frame),
        }
    }

    fn draw(&self, state: &mut State, frame: &Frame) {
        let lines = state.printer.frame(frame);
        if !lines.is_empty() {
            clear(state);
            lines.iter().for_each(note);
        }
        if self.style.redraws {
            let status = state.printer.status().map(str::to_owned);
            clear(state);
            if let Some(status) = status {
                let fitting = head(&status, self.style.width.saturating_sub(1));
                // Nobody can be told where that fails, so nobody is.
                let _ = write!(io::stderr().lock(), "{fitting}");
                state.has_status = true;
            }
        }
    }
}

/// Carriage return, then erase to the end of the line: ECMA-48 8.3.41.
fn clear(state: &mut State) {
    if std::mem::take(&mut state.has_status) {
        let _ = write!(io::stderr().lock(), "\r\x1b[K");
    }
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("format", &self.format).finish_non_exhaustive()
    }
}
