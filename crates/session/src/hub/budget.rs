//! The question how to go on where a bound of a turn is reached.

use tagline_protocol::Event;

/// A bound is reached, and nothing goes on until the user says how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BudgetQuestion {
    /// The stable word with which the turn would end, such as `max_passes`.
    pub reason: String,
    /// What was reached, in a sentence.
    pub message: String,
    /// What adding would add, such as `25 passes`.
    pub adds: String,
}

/// Whether such a question is open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Budget {
    open: Option<BudgetQuestion>,
    /// An answer is on its way.
    is_taken: bool,
    n_answered: usize,
}

impl Budget {
    pub(crate) fn apply(&mut self, event: &Event) {
        if let Event::BudgetAsked { reason, message, adds } = event {
            let (reason, message, adds) = (reason.clone(), message.clone(), adds.clone());
            self.open = Some(BudgetQuestion { reason, message, adds });
            self.is_taken = false;
        }
        if let Event::BudgetAnswered { .. } = event {
            self.n_answered += 1;
            self.open = None;
        }
        if let Event::RunFinished { .. } | Event::RunFailed { .. } = event {
            self.open = None;
        }
    }

    /// Takes the right to answer, which one may have. Returns how many were answered before.
    pub(crate) fn take(&mut self) -> Option<usize> {
        self.question()?;
        self.is_taken = true;
        Some(self.n_answered)
    }

    pub(crate) fn question(&self) -> Option<&BudgetQuestion> {
        self.open.as_ref().filter(|_| !self.is_taken)
    }

    pub(crate) const fn n_answered(&self) -> usize {
        self.n_answered
    }
}
