//! What people are asked, and what they say.

use std::sync::Arc;

use tagline_executor::{Executor, Grant, Question};
use tagline_protocol::{BudgetAnswer, Event, Mode};
use tagline_store::Journal;

use super::Desk;
use crate::{
    hub::{
        asks::Given,
        budget::BudgetQuestion,
        error::HubError,
        past::Standing,
        types::{Answer, Asked, Granted},
    },
    meanwhile::Meanwhile,
};

impl<J: Journal + 'static> Desk<J> {
    /// Answers a question, and waits until the journal has the answer.
    pub(crate) async fn answer(&self, hash: &str, answer: &Answer) -> Result<(), HubError> {
        self.check_edit(hash, answer).await?;
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

    /// An edit that cannot be made is no answer: the question stays open.
    async fn check_edit(&self, hash: &str, answer: &Answer) -> Result<(), HubError> {
        let Some((edit, question)) = answer.edit.as_ref().zip(self.asks.find(hash)) else {
            return Ok(());
        };
        let session = self.work.lock().await.kit.as_ref().map(|kit| Arc::clone(&kit.session));
        let Some(session) = session else { return Ok(()) };
        let Question { call, tool, arguments, .. } = question;
        session.executor().check_edit(&tool, &arguments, edit).map_err(|why| HubError::BadEdit {
            session: self.id.clone(),
            call: call.to_string(),
            why,
        })
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

    /// What the answers of the session let run in this process.
    pub(crate) async fn grants(&self) -> Vec<Granted> {
        let work = self.work.lock().await;
        let grants = work.kit.as_ref().map(|kit| kit.session.executor().grants());
        let granted = |grant: Grant| Granted {
            session: self.id.clone(),
            scope: grant.rule.scope().to_string(),
            call: grant.call,
            age: grant.age,
        };
        grants.into_iter().flatten().map(granted).collect()
    }

    /// Takes back what an answer lets run, from the next call on; then it is in the journal.
    pub(crate) async fn revoke(self: &Arc<Self>, scope: &str) -> Result<(), HubError> {
        let mut work = self.work.lock().await;
        self.own(&mut work).await?;
        self.core.open()?;
        let executor = work.kit.as_ref().map(|kit| kit.session.executor());
        let grants = executor.map(Executor::grants).unwrap_or_default();
        let scopes: Vec<_> = grants.iter().map(|grant| grant.rule.scope()).collect();
        let found = scopes.iter().find(|known| known.to_string() == scope);
        let is_taken = found.zip(executor).is_some_and(|(found, it)| it.revoke(found));
        let known = scopes.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
        if is_taken {
            let scope = scope.to_owned();
            self.append(vec![self.event(Event::GrantRevoked { scope })]).await?;
        }
        self.let_go(&mut work);
        let known = if known.is_empty() { "none".to_owned() } else { known };
        let (session, scope) = (self.id.clone(), scope.to_owned());
        if is_taken { Ok(()) } else { Err(HubError::NoGrant { session, scope, known }) }
    }

    pub(crate) fn budget(&self) -> Option<BudgetQuestion> {
        self.past().budget.question().cloned()
    }
}
