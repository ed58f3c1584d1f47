//! Rows on the leaf pages of tables: <https://www.sqlite.org/fileformat2.html#b_tree_pages>.

use super::pages::{Pages, number};

/// A leaf page of a table begins with this byte.
const LEAF: u8 = 0x0d;
/// Longest row that is believed.
const LONGEST: usize = 256 << 20;

/// A value of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Null,
    Int(i64),
    Text(Vec<u8>),
    Blob(Vec<u8>),
}

/// A row as its page has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) rowid: i64,
    pub(super) values: Vec<Value>,
}

/// The rows of a page that is a leaf of a table; those whose bytes make no sense are left out.
pub(super) fn rows(pages: &Pages, n: u32) -> Vec<Row> {
    pages.copies(n).iter().flat_map(|page| rows_of(pages, page, n)).collect()
}

fn rows_of(pages: &Pages, page: &[u8], n: u32) -> Vec<Row> {
    let header = if n == 1 { 100 } else { 0 };
    if page.get(header) != Some(&LEAF) {
        return Vec::new();
    }
    let n_cells = short(page, header + 3);
    let cells = (0..n_cells).map(|cell| short(page, header + 8 + 2 * cell));
    cells.filter_map(|at| row(pages, page, at)).collect()
}

fn short(page: &[u8], at: usize) -> usize {
    let two = page.get(at..at + 2).and_then(|two| two.try_into().ok());
    usize::from(u16::from_be_bytes(two.unwrap_or_default()))
}

fn row(pages: &Pages, page: &[u8], at: usize) -> Option<Row> {
    let mut cell = page.get(at..)?;
    let size = usize::try_from(varint(&mut cell)?).ok().filter(|size| *size <= LONGEST)?;
    let rowid = varint(&mut cell)?;
    let payload = payload(pages, cell, size)?;
    Some(Row { rowid, values: values(&payload)? })
}

/// The bytes of a row, with those that did not fit on its page. Where their chain breaks they end.
fn payload(pages: &Pages, cell: &[u8], size: usize) -> Option<Vec<u8>> {
    let most = Pages::SIZE - 35;
    if size <= most {
        return cell.get(..size).map(<[u8]>::to_vec);
    }
    let least = (Pages::SIZE - 12) * 32 / 255 - 23;
    let here = least + (size - least) % (Pages::SIZE - 4);
    let here = if here <= most { here } else { least };
    let mut all = cell.get(..here)?.to_vec();
    let mut next = number(cell, here);
    // A chain that leads in a circle ends by the row's size.
    while all.len() < size && next != 0 {
        let Some(page) = pages.read(next) else { break };
        next = number(&page, 0);
        let n = (size - all.len()).min(Pages::SIZE - 4);
        all.extend_from_slice(page.get(4..4 + n).unwrap_or_default());
    }
    Some(all)
}

fn values(payload: &[u8]) -> Option<Vec<Value>> {
    let mut rest = payload;
    let header = usize::try_from(varint(&mut rest)?).ok()?;
    let mut kinds = payload.get(payload.len() - rest.len()..header)?;
    let mut at = header;
    let mut values = Vec::new();
    while !kinds.is_empty() {
        let (value, n) = value(varint(&mut kinds)?, payload.get(at..).unwrap_or_default())?;
        values.push(value);
        at += n;
    }
    Some(values)
}

/// A value of that serial type, and how long it is. Text and blobs may be cut short.
fn value(kind: i64, bytes: &[u8]) -> Option<(Value, usize)> {
    let int = |n: usize| Some((Value::Int(integer(bytes.get(..n)?)), n));
    match kind {
        0 => Some((Value::Null, 0)),
        1..=4 => int(usize::try_from(kind).ok()?),
        5 => int(6),
        6 => int(8),
        8 => Some((Value::Int(0), 0)),
        9 => Some((Value::Int(1), 0)),
        12.. => {
            let n = usize::try_from(kind).ok()?.saturating_sub(12) / 2;
            let own = bytes.get(..n).unwrap_or(bytes).to_vec();
            let value = if kind % 2 == 1 { Value::Text(own) } else { Value::Blob(own) };
            Some((value, n))
        }
        // No table of ours has a number with a fraction, and 10 and 11 mean nothing.
        _ => None,
    }
}

/// Of any length up to eight, the sign in the first bit.
fn integer(bytes: &[u8]) -> i64 {
    let negative = bytes.first().is_some_and(|first| first & 0x80 != 0);
    let start = if negative { -1 } else { 0 };
    bytes.iter().fold(start, |all, byte| (all << 8) | i64::from(*byte))
}

/// Seven bits a byte, the greatest first; the ninth byte has eight.
fn varint(bytes: &mut &[u8]) -> Option<i64> {
    let mut all = 0_i64;
    for n in 0..9 {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        if n == 8 {
            return Some((all << 8) | i64::from(*first));
        }
        all = (all << 7) | i64::from(first & 0x7f);
        if first & 0x80 == 0 {
            return Some(all);
        }
    }
    None
}
