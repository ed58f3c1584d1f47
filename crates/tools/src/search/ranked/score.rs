//! Blocks scored by their words: BM25, with more for names of definitions and of files.

use std::collections::HashMap;

use crate::search::ranked::{
    blocks::{cut, without_tests},
    words::Query,
};

/// How fast further occurrences of a word stop to count.
const K1: f64 = 1.2;
/// How much long blocks are held back.
const B: f64 = 0.75;
/// Most blocks that are remembered.
const BLOCKS: usize = 50_000;
/// Most blocks of one file that are shown.
const PER_FILE: usize = 3;
/// Most lines of one block that are shown.
const LINES: usize = 6;
/// Longest line that is shown, in characters.
const WIDTH: usize = 200;

/// The blocks that hold a word of the query.
#[derive(Debug)]
pub(crate) struct Index {
    query: Query,
    blocks: Vec<Block>,
    paths: Vec<String>,
    n_files: u64,
    n_blocks: u64,
    n_words: u64,
    /// In how many blocks each word of the query stands.
    n_holding: Vec<u64>,
}

#[derive(Debug)]
struct Block {
    path: usize,
    first: usize,
    last: usize,
    n_words: u64,
    /// By word of the query: how often, and whether in the name of a definition or of the file.
    words: Vec<Word>,
    lines: Vec<(usize, String)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Word {
    n: u32,
    is_defined: bool,
    is_in_path: bool,
}

/// A place that was found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hit {
    pub(crate) path: String,
    /// Line numbers, from 1.
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// The lines with words of the query.
    pub(crate) lines: Vec<(usize, String)>,
}

impl Index {
    pub(crate) fn new(query: Query) -> Self {
        let n_holding = vec![0; query.words().len()];
        let (blocks, paths) = (Vec::new(), Vec::new());
        Self { query, blocks, paths, n_files: 0, n_blocks: 0, n_words: 0, n_holding }
    }

    pub(crate) fn query(&self) -> &Query {
        &self.query
    }

    pub(crate) fn n_files(&self) -> u64 {
        self.n_files
    }

    /// Takes a file.
    pub(crate) fn add(&mut self, path: &str, text: &str, with_tests: bool) {
        self.n_files += 1;
        let text = if with_tests { text } else { without_tests(text) };
        let lines: Vec<&str> = text.lines().collect();
        let mut in_path = vec![false; self.query.words().len()];
        self.query.each_hit(path, |number| {
            in_path.get_mut(number).into_iter().for_each(|is_in| *is_in = true);
        });
        let number = self.paths.len();
        self.paths.push(path.to_owned());
        for range in cut(&lines) {
            let Some(inside) = lines.get(range.clone()) else { continue };
            let (block, n_words) = self.block(number, range.start, inside, &in_path);
            self.n_blocks += 1;
            self.n_words += n_words;
            let Some(block) = block else { continue };
            for (n, word) in self.n_holding.iter_mut().zip(&block.words) {
                *n += u64::from(word.n > 0);
            }
            if self.blocks.len() < BLOCKS {
                self.blocks.push(block);
            }
        }
    }

    /// The block, if it holds a word of the query, and the count of its words.
    fn block(
        &self,
        path: usize,
        start: usize,
        lines: &[&str],
        in_path: &[bool],
    ) -> (Option<Block>, u64) {
        let mut words: Vec<Word> = in_path
            .iter()
            .map(|is_in_path| Word { is_in_path: *is_in_path, ..Word::default() })
            .collect();
        let (mut n_words, mut hits) = (0, Vec::new());
        for (i, line) in lines.iter().enumerate() {
            let (is_definition, mut n_hits) = (is_definition(line), 0_usize);
            n_words += self.query.each_hit(line, |number| {
                n_hits += 1;
                if let Some(word) = words.get_mut(number) {
                    word.n += 1;
                    word.is_defined |= is_definition;
                }
            });
            if n_hits > 0 {
                hits.push((n_hits + usize::from(is_definition), start + i + 1, *line));
            }
        }
        if hits.is_empty() {
            return (None, n_words);
        }
        let (first, last) = (start + 1, start + lines.len());
        (Some(Block { path, first, last, n_words, words, lines: best_lines(hits) }), n_words)
    }

    /// The best blocks, best first; equal ones in the order they came in.
    pub(crate) fn best(&self, n: usize) -> Vec<Hit> {
        let mut scored: Vec<_> =
            self.blocks.iter().map(|block| (self.score(block), block)).collect();
        scored.sort_by(|left, right| right.0.total_cmp(&left.0));
        let mut per_file = HashMap::<usize, usize>::new();
        let is_wanted = |block: &&Block| {
            let n = per_file.entry(block.path).or_default();
            *n += 1;
            *n <= PER_FILE
        };
        let found = scored.into_iter().map(|(_, block)| block).filter(is_wanted).take(n);
        found.filter_map(|block| self.hit(block)).collect()
    }

    fn hit(&self, block: &Block) -> Option<Hit> {
        let path = self.paths.get(block.path)?.clone();
        Some(Hit { path, first: block.first, last: block.last, lines: block.lines.clone() })
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of blocks and words, for a ranking")]
    fn score(&self, block: &Block) -> f64 {
        let n_blocks = self.n_blocks as f64;
        let average = (self.n_words as f64 / n_blocks).max(1.0);
        let long = 1.0 - B + B * block.n_words as f64 / average;
        let (mut sum, mut n_found) = (0.0, 0.0);
        for (word, n_holding) in block.words.iter().zip(&self.n_holding) {
            let n_holding = *n_holding as f64;
            let rarity = (1.0 + (n_blocks - n_holding + 0.5) / (n_holding + 0.5)).ln();
            let n = f64::from(word.n);
            let extra = f64::from(u8::from(word.is_defined)) + f64::from(u8::from(word.is_in_path));
            sum += rarity * (n * (K1 + 1.0) / (n + K1 * long) + extra / 2.0);
            n_found += f64::from(u8::from(word.n > 0));
        }
        // A block that holds all words beats one that holds one of them often.
        sum * n_found / self.query.words().len() as f64
    }
}

/// The lines with most words, in their order.
fn best_lines(mut hits: Vec<(usize, usize, &str)>) -> Vec<(usize, String)> {
    hits.sort_by_key(|(n_hits, number, _)| (usize::MAX - n_hits, *number));
    hits.truncate(LINES);
    hits.sort_by_key(|(_, number, _)| *number);
    let short = |line: &str| line.trim_end().chars().take(WIDTH).collect();
    hits.into_iter().map(|(_, number, line)| (number, short(line))).collect()
}

/// Whether a line looks like the start of a definition.
fn is_definition(line: &str) -> bool {
    const MARKS: [&str; 14] = [
        "fn",
        "def",
        "class",
        "struct",
        "enum",
        "trait",
        "interface",
        "impl",
        "type",
        "function",
        "func",
        "mod",
        "module",
        "macro_rules!",
    ];
    line.split_whitespace().take(4).any(|word| MARKS.contains(&word))
}
