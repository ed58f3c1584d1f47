//! Questions of an attached turn, asked on this terminal.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::json;
use tagline_executor::{Approver as _, Choice, Question};
use tagline_protocol::{BudgetAnswer, CallId, Event, Frame};
use tokio_util::task::AbortOnDropHandle;

use super::Door;
use crate::{approver::Terminal, output::note, wiring::Attendance};

/// What the model reads where nobody can be asked.
const NOBODY: &str = "nobody is there to be asked";

/// The questions that stand.
pub(super) struct Asks {
    door: Door,
    session: String,
    attendance: Attendance,
    terminal: Arc<Terminal>,
    tools: BTreeMap<CallId, String>,
    open: BTreeMap<CallId, AbortOnDropHandle<()>>,
    /// The question how to go on at a bound.
    bound: Option<AbortOnDropHandle<()>>,
}

/// What came of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Nothing, or somebody is asked.
    Fine,
    /// Nobody can be, so the answer is no.
    Nobody,
}

impl Asks {
    pub(super) fn new(door: Door, session: String, attendance: Attendance) -> Self {
        let terminal = Arc::default();
        let (tools, open) = (BTreeMap::new(), BTreeMap::new());
        Self { door, session, attendance, terminal, tools, open, bound: None }
    }

    /// Asks what the frame asks. A question that was answered elsewhere is taken away.
    #[expect(clippy::wildcard_enum_match_arm, reason = "few of the events ask")]
    pub(super) fn take(&mut self, frame: &Frame) -> Asked {
        if let Event::BudgetAsked { adds, .. } = &frame.event {
            self.decide(adds.clone());
        }
        if let Event::BudgetAnswered { .. } = &frame.event {
            self.bound = None;
        }
        let Some(call) = &frame.call else { return Asked::Fine };
        match &frame.event {
            Event::ToolReady { tool, .. } => {
                self.tools.insert(call.clone(), tool.clone());
            }
            Event::ApprovalAsked { hash, why, shown, scopes } => {
                let question = Question {
                    call: call.clone(),
                    tool: self.tools.get(call).cloned().unwrap_or_default(),
                    hash: hash.clone(),
                    why: why.clone(),
                    shown: shown.clone(),
                    scopes: scopes.iter().filter_map(|scope| scope.parse().ok()).collect(),
                };
                return self.ask(call, question);
            }
            Event::ApprovalAnswered { .. }
            | Event::ToolFailed { .. }
            | Event::ToolCancelled { .. } => {
                self.open.remove(call);
            }
            _ => {}
        }
        Asked::Fine
    }

    /// Where nobody can be asked, a turn ends at its bound.
    fn decide(&mut self, adds: String) {
        let (door, session) = (self.door.clone(), self.session.clone());
        let (attendance, terminal) = (self.attendance, Arc::clone(&self.terminal));
        let task = tokio::spawn(async move {
            let answer = match attendance {
                Attendance::Attended => terminal.decide(&adds).await,
                Attendance::Unattended => BudgetAnswer::Stop,
            };
            let path = format!("/api/sessions/{session}/budget");
            if let Err(trouble) = door.post(&path, &json!({ "answer": answer })).await {
                note(format_args!("warning: {}", trouble.message));
            }
        });
        self.bound = Some(AbortOnDropHandle::new(task));
    }

    fn ask(&mut self, call: &CallId, question: Question) -> Asked {
        let (door, session) = (self.door.clone(), self.session.clone());
        let (asked, terminal) = match self.attendance {
            Attendance::Attended => (Asked::Fine, Some(Arc::clone(&self.terminal))),
            Attendance::Unattended => (Asked::Nobody, None),
        };
        let task = tokio::spawn(async move {
            let choice = match terminal {
                Some(terminal) => terminal.ask(&question).await.choice,
                None => Choice::No { words: Some(NOBODY.to_owned()) },
            };
            answer(&door, &session, &question.hash, choice).await;
        });
        self.open.insert(call.clone(), AbortOnDropHandle::new(task));
        asked
    }
}

async fn answer(door: &Door, session: &str, hash: &str, choice: Choice) {
    let (allow, words, scope) = match choice {
        Choice::Once => (true, None, None),
        Choice::Always(scope) => (true, None, Some(scope.to_string())),
        Choice::No { words } => (false, words, None),
    };
    let mut body = json!({ "session": session, "allow": allow });
    if let Some(fields) = body.as_object_mut() {
        fields.extend(words.map(|words| ("words".to_owned(), words.into())));
        fields.extend(scope.map(|scope| ("scope".to_owned(), scope.into())));
    }
    // Somebody else may have answered first; the event says so.
    if let Err(trouble) = door.post(&format!("/api/approvals/{hash}"), &body).await {
        note(format_args!("warning: {}", trouble.message));
    }
}
