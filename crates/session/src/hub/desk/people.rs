//! What people are asked, and what they say.

use std::sync::Arc;

use tagline_protocol::{BudgetAnswer, Event, Mode};
use tagline_store::Journal;

use super::Desk;
use crate::{
    hub::{
        asks::Given,
        budget::BudgetQuestion,
        error::HubError,
        past::Standing,
        types::{Answer, Asked},
    },
    meanwhile::Meanwhile,
};

impl<J: Journal + 'static> Desk<J> {
    /// Answers a question, and waits until the journal has the answer.
    pub(crate) async fn answer(&self, hash: &str, answer: &Answer) -> Result<(), HubError> {
        let mut bell = self.asks.listen();
        let mut is_ours = false;
        loop {
            bell.mark_unchanged();
            let found = self.past().approval(hash).cloned();
            let (session, hash) = (self.id.clone(), hash.to_owned());
            let Some((call, standing)) = found else {
                return Err(HubError::NoApproval { session, hash });
            };
            let call = call.to_string();
            match standing {
                Standing::Answered { .. } if is_ours => return Ok(()),
                Standing::Answered { .. } => {
                    return Err(HubError::AlreadyAnswered { session, call });
                }
                Standing::Expired(reason) => {
                    return Err(HubError::ApprovalExpired { session, call, reason });
                }
                Standing::Open => {}
            }
            if !is_ours {
                match self.asks.give(&hash, answer) {
                    Given::Taken => is_ours = true,
                    Given::Second => return Err(HubError::AlreadyAnswered { session, call }),
                    Given::NotOffered { scope, offered } => {
                        return Err(HubError::ScopeNotOffered { session, scope, offered });
                    }
                    // It was asked, and whoever asks is about to wait.
                    Given::Unknown => {}
                }
            }
            if bell.changed().await.is_err() {
                return Err(HubError::NoApproval { session, hash });
            }
        }
    }

    pub(crate) fn approvals(&self) -> Vec<Asked> {
        self.asks.open()
    }

    /// Answers the question how to go on at a bound, and waits until the journal has the answer.
    pub(crate) async fn decide(&self, answer: BudgetAnswer) -> Result<(), HubError> {
        let mut bell = self.asks.listen();
        let no_budget = || HubError::NoBudget { session: self.id.clone() };
        let n_before = self.past().budget.take().ok_or_else(no_budget)?;
        self.say(Meanwhile::Budget(answer));
        loop {
            bell.mark_unchanged();
            let (is_open, n_answered) = {
                let past = self.past();
                (past.open().is_some(), past.budget.n_answered())
            };
            if n_answered > n_before {
                return Ok(());
            }
            if !is_open || bell.changed().await.is_err() {
                return Err(no_budget());
            }
        }
    }

    /// Sets how much runs without a question, from the next call on. It is in the journal before
    /// it counts.
    pub(crate) async fn set_mode(self: &Arc<Self>, mode: Mode) -> Result<(), HubError> {
        let mut work = self.work.lock().await;
        self.own(&mut work).await?;
        self.core.open()?;
        self.append(vec![self.event(Event::SessionMode { mode })]).await?;
        if let Some(kit) = &work.kit {
            kit.session.executor().set_mode(mode);
        }
        self.let_go(&mut work);
        Ok(())
    }

    /// The mode that is in force; of a session without parts, the one that the user set.
    pub(crate) async fn mode(&self) -> Result<Option<Mode>, HubError> {
        let work = self.work.lock().await;
        if let Some(kit) = &work.kit {
            return Ok(Some(kit.session.executor().situation().mode));
        }
        Ok(self.read_past().await?.past.mode)
    }

    pub(crate) fn budget(&self) -> Option<BudgetQuestion> {
        self.past().budget.question().cloned()
    }
}
