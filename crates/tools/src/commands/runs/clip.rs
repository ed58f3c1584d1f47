//! The head and the tail of a text that may be endless.

/// What is kept of one stream: its first and its last bytes, cut at character borders.
#[derive(Debug)]
pub(crate) struct Clip {
    head: String,
    tail: String,
    /// Bytes kept at each end.
    half: usize,
    n_total: u64,
    /// Something did not fit the head any more, so that everything later belongs to the tail.
    is_head_full: bool,
}

impl Clip {
    /// An empty one that keeps `max` bytes, half of them at each end. It holds at most half as
    /// much again in memory.
    pub(crate) const fn new(max: usize) -> Self {
        let half = max / 2;
        Self { head: String::new(), tail: String::new(), half, n_total: 0, is_head_full: false }
    }

    /// Appends.
    pub(crate) fn push(&mut self, text: &str) {
        self.n_total += text.len() as u64;
        let n_head = if self.is_head_full { 0 } else { self.half - self.head.len() };
        let (head, tail) = text.split_at(text.floor_char_boundary(n_head));
        self.head.push_str(head);
        if tail.is_empty() {
            return;
        }
        self.is_head_full = true;
        if self.half < tail.len() {
            self.tail.clear();
        }
        self.tail.push_str(last(tail, self.half));
        if 2 * self.half < self.tail.len() {
            self.tail = last(&self.tail, self.half).to_owned();
        }
    }

    /// Bytes that came, kept or not.
    pub(crate) const fn n_total(&self) -> u64 {
        self.n_total
    }

    /// Bytes that [`Clip::text`] with this limit leaves out.
    pub(crate) fn n_cut(&self, max: usize) -> u64 {
        let (head, tail) = self.ends(max);
        self.n_total - (head.len() + tail.len()) as u64
    }

    /// Head and tail within `max` bytes; between them a line that counts what is left out.
    /// That line comes on top of `max`.
    pub(crate) fn text(&self, max: usize) -> String {
        let (head, tail) = self.ends(max);
        match self.n_cut(max) {
            0 => format!("{head}{tail}"),
            n => format!("{head}\n[… {n} of {} bytes are left out here …]\n{tail}", self.n_total),
        }
    }

    /// All that is kept.
    pub(crate) fn kept(&self) -> String {
        self.text(2 * self.half)
    }

    fn ends(&self, max: usize) -> (&str, &str) {
        if self.n_total <= max as u64 && self.n_total == (self.head.len() + self.tail.len()) as u64
        {
            return (&self.head, &self.tail);
        }
        let half = max / 2;
        let head = self.head.get(..self.head.floor_char_boundary(half)).unwrap_or_default();
        // A text that only just passed the limit may stand in the head alone.
        let tail = if self.tail.is_empty() {
            last(self.head.get(head.len()..).unwrap_or_default(), half)
        } else {
            last(&self.tail, half)
        };
        (head, tail)
    }
}

/// The last `max` bytes at most, from a character border.
fn last(text: &str, max: usize) -> &str {
    let from = text.ceil_char_boundary(text.len().saturating_sub(max));
    text.get(from..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    proptest! {
        #[test]
        fn head_and_tail_are_those_of_the_whole_text_and_the_cut_is_counted(
            pieces in vec("[a-zé→]{0,30}", 0..30), kept in 8_usize..64, shown in 8_usize..80,
        ) {
            let whole = pieces.concat();
            let mut clip = Clip::new(kept);
            for piece in &pieces {
                clip.push(piece);
            }
            let text = clip.text(shown);
            let n_cut = clip.n_cut(shown);
            prop_assert_eq!(clip.n_total(), whole.len() as u64);
            match text.split_once("\n[… ") {
                None => prop_assert_eq!(&text, &whole),
                Some((head, rest)) => {
                    let (note, tail) = rest.split_once("…]\n").unwrap();
                    prop_assert!(whole.starts_with(head) && whole.ends_with(tail));
                    prop_assert!(head.len() + tail.len() <= shown);
                    prop_assert_eq!(n_cut, (whole.len() - head.len() - tail.len()) as u64);
                    let counted = format!("{n_cut} of {} bytes are left out here ", whole.len());
                    prop_assert_eq!(note, counted);
                }
            }
        }

        #[test]
        fn memory_stays_within_twice_what_is_kept(n in 0_usize..2000, kept in 8_usize..64) {
            let mut clip = Clip::new(kept);
            for _ in 0..n {
                clip.push("é12");
            }
            prop_assert!(clip.head.len() + clip.tail.len() <= 2 * kept);
        }
    }
}
