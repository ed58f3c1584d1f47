//! Which records are brought back.

use std::collections::BTreeSet;

use crate::{Plan, Record, Store, What};

/// What is to be brought back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// The call, or the undo, of this id.
    Call(String),
    /// The calls of this turn, from 1.
    Turn(u32),
    /// Everything.
    Session,
    /// The newest turn of which something is still as it left it.
    Last,
}

/// There is nothing of that kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSuch {
    /// No record has the id.
    #[error("call `{asked}` changed nothing that is kept; {}", known(.calls))]
    Call {
        /// As it was asked for.
        asked: String,
        /// What there is.
        calls: Vec<String>,
    },
    /// No record is of the turn.
    #[error("turn {asked} changed nothing that is kept; {}", known(.calls))]
    Turn {
        /// As it was asked for.
        asked: u32,
        /// What there is.
        calls: Vec<String>,
    },
    /// There are no records.
    #[error("the session changed nothing that is kept")]
    Nothing,
    /// All of it is undone.
    #[error("everything that the session changed is undone; {}", known(.calls))]
    Undone {
        /// What there is.
        calls: Vec<String>,
    },
}

fn known(calls: &[String]) -> String {
    match calls {
        [] => "nothing of this session is kept".to_owned(),
        calls => format!("what is kept: {}", calls.join(", ")),
    }
}

/// The records that are meant, in order, with everything that was undone of them alone.
///
/// # Errors
///
/// [`NoSuch`] where there is none.
pub fn select<'r>(
    store: &Store,
    records: &'r [Record],
    which: &Which,
) -> Result<Vec<&'r Record>, NoSuch> {
    let calls = || records.iter().map(|record| record.what.id().to_owned()).collect();
    let found = match which {
        Which::Call(id) => with_undos(records, |record| record.what.id() == id),
        Which::Turn(turn) => with_undos(records, |record| record.what.turn() == Some(*turn)),
        // What was put aside was there for a moment: without the session it would not be.
        Which::Session => {
            let is_aside = |record: &&Record| matches!(record.what, What::Aside { .. });
            records.iter().filter(|record| !is_aside(record)).collect()
        }
        Which::Last => last(store, records).ok_or_else(|| NoSuch::Undone { calls: calls() })?,
    };
    if !found.is_empty() {
        return Ok(found);
    }
    Err(match which {
        Which::Call(id) => NoSuch::Call { asked: id.clone(), calls: calls() },
        Which::Turn(turn) => NoSuch::Turn { asked: *turn, calls: calls() },
        Which::Session | Which::Last => NoSuch::Nothing,
    })
}

/// What fits, and each undo of nothing else.
fn with_undos(records: &[Record], fits: impl Fn(&Record) -> bool) -> Vec<&Record> {
    let mut numbers = BTreeSet::new();
    let mut found = Vec::new();
    for record in records {
        let undoes = match &record.what {
            What::Undo { of, .. } => of.iter().all(|number| numbers.contains(number)),
            What::Call { .. } | What::Aside { .. } => false,
        };
        if fits(record) || undoes {
            numbers.insert(record.number);
            found.push(record);
        }
    }
    found
}

/// The newest turn that is not undone; nothing where there are no turns at all.
fn last<'r>(store: &Store, records: &'r [Record]) -> Option<Vec<&'r Record>> {
    let turns: BTreeSet<_> = records.iter().filter_map(|record| record.what.turn()).collect();
    if turns.is_empty() {
        return Some(Vec::new());
    }
    let of_turn = |turn: &u32| with_undos(records, |record| record.what.turn() == Some(*turn));
    let is_left = |found: &Vec<&Record>| Plan::make(store, records, found).is_something();
    turns.iter().rev().map(of_turn).find(is_left)
}
