//! What is asked of a session that another process has.
//!
//! The one who is asked leaves a letter, and waits until the journal shows what came of it; the one
//! who has the session opens its letters and does what they say, as if it had been asked itself.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use tagline_executor::Edit;
use tagline_protocol::{BudgetAnswer, CallId, Delivery, Media, Mode, UserInput};
use tagline_store::{Journal, Watch};
use tokio::time::{Instant, timeout_at};

use super::{
    Hub, HubError,
    past::{Past, Reading, Standing},
    types::{Answer, IdempotencyKey, Message, Place, Scope, Sent},
};
use crate::queue::{Queued, fingerprint};

/// A letter, and until when it means something: whoever wrote it waits no longer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Letter {
    until: String,
    what: What,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum What {
    Send {
        text: String,
        media: Vec<Media>,
        delivery: Delivery,
        key: String,
    },
    Unqueue {
        message: String,
    },
    StopCall {
        call: CallId,
    },
    StopTurn,
    StopAll,
    Answer {
        hash: String,
        allow: bool,
        words: Option<String>,
        scope: Option<String>,
        #[serde(default)]
        absent: bool,
        #[serde(default)]
        edit: Option<Edit>,
    },
    Decide {
        answer: BudgetAnswer,
    },
    GoOn,
    Mode {
        mode: Mode,
    },
    Revoke {
        scope: String,
    },
}

/// How long a letter means something, and how long its writer waits: a little longer, so that what
/// was done at the last moment is seen.
const GOOD_FOR: SignedDuration = SignedDuration::from_secs(4);
const WAIT: Duration = Duration::from_secs(6);

impl Letter {
    fn new(what: What, now: &str) -> Self {
        let until = now.parse::<Timestamp>().ok();
        let until = until.and_then(|now| now.checked_add(GOOD_FOR).ok());
        Self { until: until.map(|time| time.to_string()).unwrap_or_default(), what }
    }

    /// What is to be done now; nothing where the letter is none, or is too old.
    pub(crate) fn open(text: &str, now: &str) -> Option<What> {
        let letter: Self = serde_json::from_str(text).ok()?;
        let time = |text: &str| text.parse::<Timestamp>().ok();
        (time(now)? <= time(&letter.until)?).then_some(letter.what)
    }
}

impl What {
    pub(crate) fn stop(scope: &Scope) -> Self {
        match scope {
            Scope::Call(call) => Self::StopCall { call: call.clone() },
            Scope::Turn => Self::StopTurn,
            Scope::All => Self::StopAll,
        }
    }
}

/// Whether something was seen before the letter was left, or after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Before,
    After,
}

impl<J: Journal + 'static> Hub<J> {
    /// Leaves a letter, and waits for nothing.
    pub(super) async fn post(&self, session: &str, what: What) -> Result<(), HubError> {
        let letter = Letter::new(what, &self.core.clock.now());
        // Texts and words alone: there is nothing that cannot be written.
        let text = serde_json::to_string(&letter).unwrap_or_default();
        Ok(self.core.journal.post(session, text).await?)
    }

    /// Leaves a letter, unless `look` sees in the session's past that there is no need, and waits
    /// until it sees what came of it. `busy` is the error where nobody opens it in time.
    async fn by_letter<T>(
        &self,
        session: &str,
        what: What,
        busy: HubError,
        mut look: impl FnMut(&Past, Seen) -> Option<Result<T, HubError>>,
    ) -> Result<T, HubError> {
        let mut growth: Watch = self.core.journal.watch(session).await?;
        let mut reading = Reading::default();
        reading.read_on(&*self.core.journal, session).await?;
        if let Some(done) = look(&reading.past, Seen::Before) {
            return done;
        }
        self.post(session, what).await?;
        let until = Instant::now() + WAIT;
        while matches!(timeout_at(until, growth.changed()).await, Ok(Ok(_))) {
            reading.read_on(&*self.core.journal, session).await?;
            if let Some(done) = look(&reading.past, Seen::After) {
                return done;
            }
        }
        Err(busy)
    }

    pub(super) async fn send_by_letter(
        &self,
        session: &str,
        message: Message,
        busy: HubError,
    ) -> Result<Sent, HubError> {
        let Message { input, delivery, key } = message;
        let key = key.unwrap_or_else(|| IdempotencyKey(self.core.workshop.new_id())).0;
        let ours = fingerprint(&input, delivery);
        let UserInput { text, media } = input;
        let what = What::Send { text, media, delivery, key: key.clone() };
        self.by_letter(session, what, busy, |past, _| {
            let known = past.queue.known(&key)?;
            if known.fingerprint != ours {
                let (session, key) = (session.to_owned(), key.clone());
                return Some(Err(HubError::KeyReused { session, key }));
            }
            let message = known.message.clone();
            let place = match (past.queue.run_of(&message), past.queue.place(&message)) {
                (Some(run), _) => Place::Run(run.to_owned()),
                (None, Some(place)) => Place::Queue(place),
                (None, None) => Place::Gone,
            };
            Some(Ok(Sent { message, place }))
        })
        .await
    }

    pub(super) async fn unqueue_by_letter(
        &self,
        session: &str,
        message: &str,
        busy: HubError,
    ) -> Result<Queued, HubError> {
        let mut found = None;
        let what = What::Unqueue { message: message.to_owned() };
        self.by_letter(session, what, busy, |past, seen| {
            let waiting = past.queue.waiting().iter().find(|it| it.message == message);
            if seen == Seen::Before {
                found = waiting.cloned();
            }
            let is_sent = past.queue.run_of(message).is_some();
            let (session, message) = (session.to_owned(), message.to_owned());
            let no_message = || HubError::NoMessage { session, message };
            match (&found, waiting) {
                (Some(_), Some(_)) => None,
                (Some(queued), None) if !is_sent => Some(Ok(queued.clone())),
                (Some(_) | None, _) => Some(Err(no_message())),
            }
        })
        .await
    }

    pub(super) async fn answer_by_letter(
        &self,
        session: &str,
        hash: &str,
        answer: Answer,
        busy: HubError,
    ) -> Result<(), HubError> {
        let Answer { allow, words, scope, absent, edit } = answer;
        // A changed call is not let run as it stood.
        let is_yes = allow && edit.is_none();
        let what = What::Answer { hash: hash.to_owned(), allow, words, scope, absent, edit };
        self.by_letter(session, what, busy, |past, seen| {
            let session = session.to_owned();
            let Some((call, standing)) = past.approval(hash) else {
                return Some(Err(HubError::NoApproval { session, hash: hash.to_owned() }));
            };
            let call = call.to_string();
            match standing {
                Standing::Open => None,
                // The other one's answer, if it says something else.
                Standing::Answered { is_allowed }
                    if seen == Seen::After && *is_allowed == is_yes =>
                {
                    Some(Ok(()))
                }
                Standing::Answered { .. } => Some(Err(HubError::AlreadyAnswered { session, call })),
                Standing::Expired(reason) => {
                    let reason = reason.clone();
                    Some(Err(HubError::ApprovalExpired { session, call, reason }))
                }
            }
        })
        .await
    }

    pub(super) async fn decide_by_letter(
        &self,
        session: &str,
        answer: BudgetAnswer,
        busy: HubError,
    ) -> Result<(), HubError> {
        let mut before = 0;
        self.by_letter(session, What::Decide { answer }, busy, |past, seen| {
            let is_open = past.budget.question().is_some();
            if seen == Seen::Before {
                before = past.budget.n_answered();
            }
            let no_budget = HubError::NoBudget { session: session.to_owned() };
            match (past.budget.n_answered() > before, is_open) {
                (true, _) => Some(Ok(())),
                (false, true) => None,
                (false, false) => Some(Err(no_budget)),
            }
        })
        .await
    }

    pub(super) async fn set_mode_by_letter(
        &self,
        session: &str,
        mode: Mode,
        busy: HubError,
    ) -> Result<(), HubError> {
        self.by_letter(session, What::Mode { mode }, busy, |past, _| {
            (past.mode == Some(mode)).then_some(Ok(()))
        })
        .await
    }

    pub(super) async fn revoke_by_letter(
        &self,
        session: &str,
        scope: &str,
        busy: HubError,
    ) -> Result<(), HubError> {
        let mut before = 0;
        let what = What::Revoke { scope: scope.to_owned() };
        self.by_letter(session, what, busy, |past, seen| {
            if seen == Seen::Before {
                before = past.revoked.len();
            }
            let new = past.revoked.get(before..).unwrap_or_default();
            new.iter().any(|it| it == scope).then_some(Ok(()))
        })
        .await
    }

    pub(super) async fn go_on_by_letter(
        &self,
        session: &str,
        busy: HubError,
    ) -> Result<String, HubError> {
        let mut next = String::new();
        self.by_letter(session, What::GoOn, busy, |past, seen| {
            let session = session.to_owned();
            if seen == Seen::After {
                return (past.next_run() != next).then(|| Ok(next.clone()));
            }
            next = past.next_run();
            if let Some(open) = past.open() {
                return Some(Err(HubError::Running { session, run: open.run.clone() }));
            }
            (!past.is_unfinished()).then_some(Err(HubError::NothingToGoOn { session }))
        })
        .await
    }
}

/// Whether another process has the session.
pub(super) fn is_elsewhere(error: &HubError) -> bool {
    matches!(error, HubError::Store(tagline_store::StoreError::Busy { .. }))
}
