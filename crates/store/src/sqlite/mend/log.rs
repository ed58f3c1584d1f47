//! The write-ahead log: <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>.
//!
//! SQLite reads it up to the first frame that does not add up, and forgets all that lies behind.
//! Where there is more of the same round behind, that was no write that was cut short but damage.

use std::{
    collections::{HashMap, HashSet},
    fs, io,
    path::Path,
};

use super::pages::{Pages, number};

/// The log's header, and that of each of its frames.
const HEADER: usize = 32;
const FRAME: usize = 24 + Pages::SIZE;
/// The lowest bit says which way round the sums are made.
const MAGIC: u32 = 0x377f_0682;

/// A log as it was found.
#[derive(Debug, Default)]
pub(super) struct Log {
    bytes: Vec<u8>,
    /// Where the newest copy of a page is that adds up, and behind it newer ones that do not.
    pages: HashMap<u32, Vec<usize>>,
    /// Pages with a copy that adds up.
    sure: HashSet<u32>,
    /// Whether a frame lies behind one that does not add up.
    pub(super) is_broken: bool,
}

/// Two sums over all that came before.
type Sums = (u32, u32);

impl Log {
    /// Reads the log at `path`, if there is one.
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read?,
        };
        let mut log = Self { bytes, ..Self::default() };
        log.look();
        Ok(log)
    }

    /// The copies of a page that may hold something, the newest last.
    pub(super) fn copies(&self, number: u32) -> impl Iterator<Item = Vec<u8>> {
        let places = self.pages.get(&number).into_iter().flatten();
        places.filter_map(|at| self.bytes.get(at + 24..at + FRAME).map(<[u8]>::to_vec))
    }

    /// Whether the copy in the file is of no use any more.
    pub(super) fn is_sure_of(&self, number: u32) -> bool {
        self.sure.contains(&number)
    }

    pub(super) fn last_page(&self) -> u32 {
        self.pages.keys().copied().max().unwrap_or(0)
    }

    /// Follows the sums from frame to frame; behind one that is wrong, from what it says itself.
    fn look(&mut self) {
        let bytes = std::mem::take(&mut self.bytes);
        let header = bytes.get(..HEADER).unwrap_or_default();
        let swap = number(header, 0) == MAGIC;
        let mut before = (number(header, 24), number(header, 28));
        let is_header_good =
            sums((0, 0), header.get(..24).unwrap_or_default(), swap) == before && before != (0, 0);
        // A header that says nonsense leaves its salt in the frames.
        let salt_at = if is_header_good { 16 } else { HEADER + 8 };
        let salt = bytes.get(salt_at..salt_at + 8).unwrap_or_default();
        let mut is_good_so_far = is_header_good;
        for at in (HEADER..bytes.len().saturating_sub(FRAME - 1)).step_by(FRAME) {
            let frame = bytes.get(at..at + FRAME).unwrap_or_default();
            let told = (number(frame, 16), number(frame, 20));
            if frame.get(8..16) == Some(salt) {
                self.is_broken |= !is_good_so_far;
                let copies = self.pages.entry(number(frame, 0)).or_default();
                if is_good(before, frame, told, swap) {
                    copies.clear();
                    self.sure.insert(number(frame, 0));
                } else {
                    is_good_so_far = false;
                }
                // One whose sums are lost with the frame before it may still be whole.
                copies.push(at);
            } else {
                is_good_so_far = false;
            }
            before = told;
        }
        self.bytes = bytes;
    }
}

fn is_good(before: Sums, frame: &[u8], told: Sums, swap: bool) -> bool {
    let head = sums(before, frame.get(..8).unwrap_or_default(), swap);
    number(frame, 0) > 0 && sums(head, frame.get(24..).unwrap_or_default(), swap) == told
}

/// Goes on with the sums over these bytes.
fn sums(before: Sums, bytes: &[u8], swap: bool) -> Sums {
    let word = |four: &[u8]| {
        let all = number(four, 0);
        if swap { all.swap_bytes() } else { all }
    };
    bytes.chunks_exact(8).fold(before, |(first, second), eight| {
        let (left, right) = eight.split_at(4);
        let first = first.wrapping_add(word(left)).wrapping_add(second);
        (first, second.wrapping_add(word(right)).wrapping_add(first))
    })
}
