//! Live output of a call: what the card shows while a command runs.

use tagline_protocol::{Event, Stream};

/// Longest piece of one stream in one event, in bytes; with its note it stays under 64 KiB.
const MAX_DELTA: usize = 63 * 1024;

/// Bytes that one call shows live. A journal keeps them, so a command that writes without end
/// must not fill it; the log file has the rest.
const MAX_TOTAL: usize = 1024 * 1024;

/// What waits to be shown.
#[derive(Debug, Default)]
pub(crate) struct Live {
    stdout: Pending,
    stderr: Pending,
    /// Bytes shown so far.
    n_shown: usize,
}

#[derive(Debug, Default)]
struct Pending {
    text: String,
    n_skipped: usize,
}

impl Live {
    /// Takes more text; what does not fit is counted.
    pub(crate) fn push(&mut self, stream: Stream, text: &str) {
        let room = MAX_TOTAL.saturating_sub(self.n_shown);
        let pending = match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        };
        let fits = room.min(MAX_DELTA - pending.text.len());
        let is_gap = 0 < pending.n_skipped;
        let kept = if is_gap { 0 } else { whole(text, fits) };
        let (kept, skipped) = text.split_at(kept);
        pending.text.push_str(kept);
        pending.n_skipped += skipped.len();
        self.n_shown += kept.len();
    }

    /// Hands out one event for each stream that has something new.
    pub(crate) fn take(&mut self) -> Vec<Event> {
        [(Stream::Stdout, &mut self.stdout), (Stream::Stderr, &mut self.stderr)]
            .into_iter()
            .filter_map(|(stream, pending)| {
                Some(Event::ToolOutput { stream, delta: pending.take()? })
            })
            .collect()
    }
}

/// The most of the text that fits, without a part of a character or of a color's sequence.
fn whole(text: &str, fits: usize) -> usize {
    let kept = text.floor_char_boundary(fits);
    let (now, later) = text.split_at(kept);
    match now.rfind('\x1b') {
        Some(at) if !later.is_empty() && now.get(at..).is_some_and(|it| !it.contains('m')) => at,
        Some(_) | None => kept,
    }
}

impl Pending {
    /// What is new. Bytes that were skipped are told once, behind the text before them; when the
    /// total is used up there is no text any more, and nothing is told.
    fn take(&mut self) -> Option<String> {
        if self.text.is_empty() {
            return None;
        }
        let mut delta = std::mem::take(&mut self.text);
        match std::mem::take(&mut self.n_skipped) {
            0 => (),
            n => delta.push_str(&format!("\n[… {n} bytes are not shown live …]\n")),
        }
        Some(delta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deltas(events: Vec<Event>) -> Vec<String> {
        let delta = |event| {
            let Event::ToolOutput { stream, delta } = event else { panic!("{event:?}") };
            format!("{stream:?} {delta}")
        };
        events.into_iter().map(delta).collect()
    }

    #[test]
    fn pieces_of_a_stream_are_joined() {
        let mut live = Live::default();
        live.push(Stream::Stdout, "a");
        live.push(Stream::Stderr, "x");
        live.push(Stream::Stdout, "b");
        assert_eq!(deltas(live.take()), ["Stdout ab", "Stderr x"]);
        assert!(live.take().is_empty());
    }

    #[test]
    fn an_event_is_bounded_and_says_what_it_leaves_out() {
        let mut live = Live::default();
        live.push(Stream::Stdout, &"a".repeat(MAX_DELTA + 5));
        live.push(Stream::Stdout, "more");
        let deltas = deltas(live.take());
        assert!(deltas[0].ends_with("a\n[… 9 bytes are not shown live …]\n"));
        assert!(deltas[0].len() <= 64 * 1024);
    }

    #[test]
    fn a_sequence_of_a_color_is_kept_whole_or_not_at_all() {
        for n in 0..9 {
            let text = "a".repeat(MAX_DELTA - n) + "\x1b[0m\x1b[31mb";
            let mut live = Live::default();
            live.push(Stream::Stdout, &text);
            let delta = deltas(live.take()).concat();
            let end = delta.trim_start_matches(|it| it != '\x1b' && it != '\n');
            assert!(
                ["\n", "\x1b[0m\n", "\x1b[0m\x1b[31m\n"]
                    .contains(&&end[..=end.find('\n').unwrap()]),
                "{end:?}"
            );
        }
    }

    #[test]
    fn a_call_shows_a_bounded_amount() {
        let mut live = Live::default();
        let n: usize = (0..100)
            .map(|_| {
                live.push(Stream::Stdout, &"a".repeat(MAX_DELTA));
                deltas(live.take()).concat().len()
            })
            .sum();
        assert!(n <= MAX_TOTAL + 1024, "{n}");
    }
}
