//! Questions of an attached turn, asked on this terminal.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use serde_json::{Value, json};
use tagline_executor::{Approver as _, Choice, Question};
use tagline_protocol::{BudgetAnswer, CallId, Event, Frame};
use tokio_util::task::AbortOnDropHandle;

use super::{Door, door::Failed};
use crate::{approver::Terminal, output::note, run::new_id, trouble::Trouble, wiring::Attendance};

/// How long an answer is put off where the server is away. The turn's own reader gives up.
const AGAIN: Duration = Duration::from_secs(1);

/// The questions that stand.
pub(super) struct Asks {
    session: String,
    attendance: Attendance,
    terminal: Arc<Terminal>,
    /// What each call is: its tool and its arguments.
    calls: BTreeMap<CallId, (String, Value)>,
    open: BTreeMap<CallId, AbortOnDropHandle<()>>,
    /// The question how to go on at a bound.
    bound: Option<AbortOnDropHandle<()>>,
}

impl Asks {
    pub(super) fn new(session: String, attendance: Attendance) -> Self {
        let terminal = Arc::default();
        let (calls, open) = (BTreeMap::new(), BTreeMap::new());
        Self { session, attendance, terminal, calls, open, bound: None }
    }

    /// Asks what the frame asks; the answer goes to this door. A question that was answered
    /// elsewhere is taken away.
    #[expect(clippy::wildcard_enum_match_arm, reason = "few of the events ask")]
    pub(super) fn take(&mut self, door: &Door, frame: &Frame) {
        if let Event::BudgetAsked { adds, .. } = &frame.event {
            self.decide(door, adds.clone());
        }
        if let Event::BudgetAnswered { .. } = &frame.event {
            self.bound = None;
        }
        let Some(call) = &frame.call else { return };
        match &frame.event {
            Event::ToolReady { tool, arguments, .. } => {
                self.calls.insert(call.clone(), (tool.clone(), arguments.clone()));
            }
            Event::ToolEdited { arguments, .. } => {
                if let Some((_, known)) = self.calls.get_mut(call) {
                    known.clone_from(arguments);
                }
            }
            Event::ApprovalAsked { hash, why, shown, facts, scopes } => {
                let (tool, arguments) = self.calls.get(call).cloned().unwrap_or_default();
                let question = Question {
                    call: call.clone(),
                    tool,
                    arguments,
                    hash: hash.clone(),
                    why: why.clone(),
                    shown: shown.clone(),
                    facts: facts.clone(),
                    scopes: scopes.iter().filter_map(|scope| scope.parse().ok()).collect(),
                };
                self.ask(door, call, question);
            }
            Event::ApprovalAnswered { .. }
            | Event::ToolFailed { .. }
            | Event::ToolCancelled { .. } => {
                self.open.remove(call);
            }
            _ => {}
        }
    }

    /// Where nobody can be asked, a turn ends at its bound.
    fn decide(&mut self, door: &Door, adds: String) {
        let (door, session) = (door.clone(), self.session.clone());
        let (attendance, terminal) = (self.attendance, Arc::clone(&self.terminal));
        let task = tokio::spawn(async move {
            let answer = match attendance {
                Attendance::Attended => terminal.decide(&adds).await,
                Attendance::Unattended => BudgetAnswer::Stop,
            };
            let path = format!("/api/sessions/{session}/budget");
            tell(&door, &path, &json!({ "answer": answer })).await;
        });
        self.bound = Some(AbortOnDropHandle::new(task));
    }

    fn ask(&mut self, door: &Door, call: &CallId, question: Question) {
        let (door, session) = (door.clone(), self.session.clone());
        let terminal = match self.attendance {
            Attendance::Attended => Some(Arc::clone(&self.terminal)),
            Attendance::Unattended => None,
        };
        let task = tokio::spawn(async move {
            let choice = match terminal {
                Some(terminal) => terminal.ask(&question).await.choice,
                None => Choice::Absent,
            };
            answer(&door, &session, &question.hash, choice).await;
        });
        self.open.insert(call.clone(), AbortOnDropHandle::new(task));
    }
}

async fn answer(door: &Door, session: &str, hash: &str, choice: Choice) {
    let absent = choice == Choice::Absent;
    let (allow, words, scope) = match choice {
        // The terminal offers no change of a call.
        Choice::Edit(_) => (false, None, None),
        Choice::Once => (true, None, None),
        Choice::Always(scope) => (true, None, Some(scope.to_string())),
        Choice::No { words } => (false, words, None),
        Choice::Absent => (false, None, None),
    };
    let mut body = json!({ "session": session, "allow": allow, "absent": absent });
    if let Some(fields) = body.as_object_mut() {
        fields.extend(words.map(|words| ("words".to_owned(), words.into())));
        fields.extend(scope.map(|scope| ("scope".to_owned(), scope.into())));
    }
    tell(door, &format!("/api/approvals/{hash}"), &body).await;
}

/// Tells an answer, again and again while the server is away: it was given once.
async fn tell(door: &Door, path: &str, body: &Value) {
    let key = new_id();
    loop {
        match door.tell_once(path, body, &key).await {
            Ok(_) => return,
            Err(Failed::Away(_)) => tokio::time::sleep(AGAIN).await,
            // Somebody else may have answered first; the event says so.
            Err(Failed::Refused(Trouble { message, .. })) => {
                return note(format_args!("warning: {message}"));
            }
        }
    }
}
