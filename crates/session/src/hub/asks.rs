//! Questions that wait for a person.

use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
};

use futures_util::future::BoxFuture;
use tagline_executor::{Approval, Approver, Choice, Question};
use tagline_policy::Scope;
use tokio::sync::{oneshot, watch};

use super::types::{Answer, Asked};

/// The questions of one session that wait in this process.
pub(crate) struct Asks {
    open: Mutex<Vec<Open>>,
    /// Rings where a question comes, goes, or is settled in the journal.
    bell: watch::Sender<()>,
}

struct Open {
    question: Question,
    /// Gone once it was answered.
    answer: Option<oneshot::Sender<Choice>>,
}

/// What became of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Given {
    /// It is on its way to the call; the journal will say so.
    Taken,
    /// Another one was first.
    Second,
    /// No such question waits here.
    Unknown,
    /// It covers what was not offered.
    NotOffered { scope: String, offered: String },
}

impl Asks {
    pub(crate) fn new() -> Self {
        Self { open: Mutex::default(), bell: watch::Sender::new(()) }
    }

    pub(crate) fn open(&self) -> Vec<Asked> {
        let open = self.lock();
        open.iter().filter(|it| it.answer.is_some()).map(|it| asked(&it.question)).collect()
    }

    /// The question with this hash that waits here.
    pub(crate) fn find(&self, hash: &str) -> Option<Question> {
        self.lock().iter().find(|it| it.question.hash == hash).map(|it| it.question.clone())
    }

    pub(crate) fn listen(&self) -> watch::Receiver<()> {
        self.bell.subscribe()
    }

    /// Tells those who listen to look again.
    pub(crate) fn ring(&self) {
        self.bell.send_replace(());
    }

    /// Answers the question with this hash.
    pub(crate) fn give(&self, hash: &str, answer: &Answer) -> Given {
        let mut open = self.lock();
        let Some(found) = open.iter_mut().find(|it| it.question.hash == hash) else {
            return Given::Unknown;
        };
        let choice = match choice(&found.question, answer) {
            Ok(choice) => choice,
            Err(refused) => return refused,
        };
        let Some(sender) = found.answer.take() else { return Given::Second };
        // Where nobody waits any more, the journal says what became of the call.
        let _ = sender.send(choice);
        Given::Taken
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Asks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asks").field("open", &self.lock().len()).finish()
    }
}

impl Approver for Asks {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Approval> {
        Box::pin(async move {
            let (answer, given) = oneshot::channel();
            self.lock().push(Open { question: question.clone(), answer: Some(answer) });
            let _taken_back = TakeBack { asks: self, hash: &question.hash };
            self.ring();
            // The sender lives in `open` until it is used, and that outlives this.
            let choice = given.await.unwrap_or(Choice::No { words: None });
            Approval { hash: question.hash.clone(), choice }
        })
    }
}

/// Takes a question back once nobody waits for its answer.
struct TakeBack<'a> {
    asks: &'a Asks,
    hash: &'a str,
}

impl Drop for TakeBack<'_> {
    fn drop(&mut self) {
        self.asks.lock().retain(|it| it.question.hash != self.hash);
        self.asks.ring();
    }
}

fn choice(question: &Question, answer: &Answer) -> Result<Choice, Given> {
    if answer.absent {
        return Ok(Choice::Absent);
    }
    if let Some(edit) = &answer.edit {
        return Ok(Choice::Edit(edit.clone()));
    }
    let Some(scope) = &answer.scope else {
        return Ok(match answer.allow {
            true => Choice::Once,
            false => Choice::No { words: answer.words.clone() },
        });
    };
    let offered = || question.scopes.iter().map(Scope::to_string).collect::<Vec<_>>().join(", ");
    match question.scopes.iter().find(|it| it.to_string() == *scope) {
        Some(found) if answer.allow => Ok(Choice::Always(found.clone())),
        Some(_) => Ok(Choice::No { words: answer.words.clone() }),
        None => Err(Given::NotOffered { scope: scope.clone(), offered: offered() }),
    }
}

fn asked(question: &Question) -> Asked {
    Asked {
        call: question.call.clone(),
        tool: question.tool.clone(),
        hash: question.hash.clone(),
        why: question.why.clone(),
        shown: question.shown.clone(),
        facts: question.facts.clone(),
        scopes: question.scopes.iter().map(Scope::to_string).collect(),
    }
}
