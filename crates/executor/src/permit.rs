//! From a call to the right to run it, once.

use std::time::Duration;

use serde_json::Value;
use tagline_policy::{
    Claims, Explanation, Fact, NOBODY, Request, Rule, Scope, Situation, Verdict, decide, unattended,
};
use tagline_protocol::{Call, Event, ShownFact, ToolFailure};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{
    Approval, Approver, Choice, Edit, Entry, Question, RecordError, Recorder, ToolContext,
    attempt::who_stopped,
    binding::Binding,
    edit::{self, Edited},
    executor::claims,
    shown, visible,
};

/// What is said of a call that was changed.
const AS_IT_STOOD: &str = "not as it stood: the user changed it, and it is judged anew";

/// How long a yes is good for.
const EXPIRY: Duration = Duration::from_secs(600);

/// How a call would be judged in this situation. Nothing is run, asked or written down.
///
/// # Errors
///
/// [`ToolFailure`] where the tool cannot say what the call touches.
pub fn explain(
    entry: &Entry,
    call: &Call,
    cx: &ToolContext,
    situation: &Situation,
) -> Result<Explanation, ToolFailure> {
    let claims = claims(call, entry, cx).map_err(|refused| refused.failure)?;
    Ok(tagline_policy::explain(&request(call, &claims), situation))
}

/// What the policy is told of a call.
pub(crate) fn request(call: &Call, claims: &Claims) -> Request {
    Request {
        tool: call.tool.clone(),
        effect: call.effect,
        is_recovered: call.is_recovered,
        is_from_unclosed_cdata: call.is_from_unclosed_cdata,
        arguments: arguments(&call.arguments),
        claims: claims.clone(),
    }
}

/// Why a call may not run, beside the words that the model reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A rule.
    Rule(String),
    /// The user.
    User,
    /// A person had to be asked, and nobody can be.
    NeedsHuman,
}

/// A refusal on its way to the model.
pub(crate) struct Refused {
    pub(crate) failure: ToolFailure,
    pub(crate) refusal: Option<Refusal>,
    pub(crate) decision: String,
}

/// The right to run one call, once: there is no way to run a call without it.
pub(crate) struct Permit {
    binding: Binding,
    given: Instant,
    /// Which rule or answer gave it.
    pub(crate) decision: String,
    /// Whether a person gave it.
    is_approved: bool,
    /// A rule for the rest of the session that came with it.
    pub(crate) rule: Option<Rule>,
}

/// What came of judging a call.
pub(crate) enum Judged {
    /// It may run.
    Permit(Permit),
    /// The person changed it.
    Edited(Box<Edited>, Question),
}

/// The parts that judging needs.
pub(crate) struct Judge<'a> {
    pub(crate) entry: &'a Entry,
    /// The question that was answered by leaving parts of the call out.
    pub(crate) answered: Option<&'a Question>,
    pub(crate) call: &'a Call,
    pub(crate) cx: &'a ToolContext,
    pub(crate) turn: &'a CancellationToken,
    pub(crate) situation: &'a Situation,
    pub(crate) approver: &'a dyn Approver,
    pub(crate) recorder: &'a dyn Recorder,
}

impl Judge<'_> {
    /// Decides, asks where a person must say yes, and binds the answer to the call.
    pub(crate) async fn permit(
        &self,
        claims: &Claims,
        binding: Binding,
    ) -> Result<Judged, Refused> {
        match decide(&request(self.call, claims), self.situation) {
            Verdict::Allow { rule } => Ok(permit(binding, rule, false)),
            Verdict::Ask { why, scopes } => {
                let question = Question {
                    call: self.call.id.clone(),
                    tool: self.call.tool.clone(),
                    arguments: self.call.arguments.clone(),
                    hash: binding.hash(),
                    why,
                    shown: shown(self.call, claims.command.as_deref()),
                    facts: claims.facts.iter().map(shown_fact).collect(),
                    scopes,
                };
                if self.is_answered(&question) {
                    return Ok(permit(binding, "user".to_owned(), true));
                }
                self.ask(question, binding).await
            }
            Verdict::Deny { rule, why, is_for_want_of_a_human } => Err(Refused {
                failure: ToolFailure::Denied(why),
                refusal: Some(match is_for_want_of_a_human {
                    true => Refusal::NeedsHuman,
                    false => Refusal::Rule(rule.clone()),
                }),
                decision: rule,
            }),
        }
    }

    async fn ask(&self, question: Question, binding: Binding) -> Result<Judged, Refused> {
        let asked = Event::ApprovalAsked {
            hash: question.hash.clone(),
            why: question.why.clone(),
            shown: question.shown.clone(),
            facts: question.facts.clone(),
            scopes: question.scopes.iter().map(Scope::to_string).collect(),
        };
        self.record(asked).await?;
        let approval = tokio::select! {
            biased;
            () = self.cx.cancel.cancelled() => return Err(Refused::cancelled(self.turn)),
            approval = self.approver.ask(&question) => approval,
        };
        let given = Instant::now();
        let edit = match &approval.choice {
            Choice::Edit(edit) if approval.hash == question.hash => Some(edit.clone()),
            Choice::Edit(_)
            | Choice::Once
            | Choice::Always(_)
            | Choice::No { .. }
            | Choice::Absent => None,
        };
        if let Some(edit) = edit {
            return Ok(Judged::Edited(Box::new(self.edited(&edit).await?), question));
        }
        let answered = answered(&question, approval);
        self.record(event(&answered)).await?;
        let Yes { by, rule } = answered?;
        Ok(Judged::Permit(Permit { binding, given, decision: by, is_approved: true, rule }))
    }

    /// Whether the person has said yes to this already: what is left of a call after parts of it
    /// were left out is bound to nothing that was not shown.
    fn is_answered(&self, question: &Question) -> bool {
        self.answered.is_some_and(|it| it.why == question.why && it.facts == question.facts)
    }

    /// The call as the person changed it. It was not let run as it stood.
    async fn edited(&self, edit: &Edit) -> Result<Edited, Refused> {
        let changed = edit::apply(self.entry, self.call, edit)
            .map_err(|why| Refused::void(format!("{why}; the call was not run")));
        let answered = Event::ApprovalAnswered {
            is_allowed: false,
            by: "user".to_owned(),
            words: Some(match &changed {
                Ok(_) => AS_IT_STOOD.to_owned(),
                Err(refused) => refused.failure.reason(),
            }),
        };
        let mut events = vec![answered];
        events.extend(changed.as_ref().ok().map(|edited| Event::ToolEdited {
            arguments: edited.call.arguments.clone(),
            note: edited.note.clone(),
        }));
        self.recorder.record(&self.call.id, events).await.map_err(Refused::unsaved)?;
        changed
    }

    async fn record(&self, event: Event) -> Result<(), Refused> {
        self.recorder.record(&self.call.id, vec![event]).await.map_err(Refused::unsaved)
    }
}

fn permit(binding: Binding, decision: String, is_approved: bool) -> Judged {
    let given = Instant::now();
    Judged::Permit(Permit { binding, given, decision, is_approved, rule: None })
}

fn shown_fact(fact: &Fact) -> ShownFact {
    ShownFact { name: fact.kind.as_str().to_owned(), text: visible(&fact.shown) }
}

/// The arguments as text, which patterns of rules are held against.
fn arguments(arguments: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let pairs = arguments.as_object().into_iter().flatten();
    pairs.map(|(name, value)| (name.clone(), text(value))).collect()
}

impl Permit {
    /// Uses the right up, if the call is still the one that was judged.
    pub(crate) fn redeem(self, now: &Binding) -> Result<Redeemed, Refused> {
        if let Some(field) = self.binding.difference(now) {
            return Err(Refused::void(format!(
                "the {field} changed after the call was allowed, so it was not run; call again"
            )));
        }
        if self.given.elapsed() > EXPIRY {
            let minutes = EXPIRY.as_secs() / 60;
            return Err(Refused::void(format!(
                "the yes is older than {minutes} min, so the call was not run; call again"
            )));
        }
        let (hash, is_approved) = (self.binding.hash(), self.is_approved);
        Ok(Redeemed { hash, decision: self.decision, is_approved })
    }
}

/// A permit that was used.
pub(crate) struct Redeemed {
    pub(crate) hash: String,
    pub(crate) decision: String,
    pub(crate) is_approved: bool,
}

/// A yes that fits its question.
struct Yes {
    by: String,
    rule: Option<Rule>,
}

fn answered(question: &Question, approval: Approval) -> Result<Yes, Refused> {
    if approval.hash != question.hash {
        let why = "the answer belongs to another call, so this one was not run; call again";
        return Err(Refused::void(why.to_owned()));
    }
    match approval.choice {
        Choice::Once => Ok(Yes { by: "user".to_owned(), rule: None }),
        Choice::Always(scope) if !question.scopes.contains(&scope) => Err(Refused::void(format!(
            "the answer covers `{scope}`, which was not offered, so the call was not run; call again"
        ))),
        Choice::Always(scope) => match Rule::allow(scope.clone()) {
            Ok(rule) => Ok(Yes { by: format!("user: {scope}"), rule: Some(rule) }),
            Err(error) => Err(Refused::void(error.to_string())),
        },
        // Changed calls are judged before they come here.
        Choice::Edit(_) => Err(Refused::void("the call was changed, so it was not run".to_owned())),
        Choice::No { words } => Err(Refused::by_user(words.as_deref())),
        Choice::Absent => Err(Refused::by_nobody(&question.why)),
    }
}

fn event(answered: &Result<Yes, Refused>) -> Event {
    match answered {
        Ok(yes) => Event::ApprovalAnswered { is_allowed: true, by: yes.by.clone(), words: None },
        Err(refused) => Event::ApprovalAnswered {
            is_allowed: false,
            by: refused.decision.clone(),
            words: Some(refused.failure.reason()),
        },
    }
}

impl Refused {
    /// With what the person had changed.
    pub(crate) fn with_note(self, note: Option<&str>) -> Self {
        match note {
            Some(note) => Self { failure: edit::failed(self.failure, note), ..self },
            None => self,
        }
    }

    pub(crate) fn bad(failure: ToolFailure) -> Self {
        Self { failure, refusal: None, decision: "not decided".to_owned() }
    }

    fn void(why: String) -> Self {
        let refusal = Some(Refusal::Rule("binding".to_owned()));
        Self { failure: ToolFailure::Denied(why), refusal, decision: "binding".to_owned() }
    }

    fn by_user(words: Option<&str>) -> Self {
        let said = words.map_or_else(String::new, |words| format!(": {words}"));
        let why = format!("the user refused this call{said}; do not repeat it, go on another way");
        Self {
            failure: ToolFailure::Denied(why),
            refusal: Some(Refusal::User),
            decision: "user".to_owned(),
        }
    }

    fn by_nobody(why: &str) -> Self {
        Self {
            failure: ToolFailure::Denied(unattended(why)),
            refusal: Some(Refusal::NeedsHuman),
            decision: NOBODY.to_owned(),
        }
    }

    pub(crate) fn cancelled(turn: &CancellationToken) -> Self {
        Self::bad(ToolFailure::Cancelled(format!("{} before it began", who_stopped(turn))))
    }

    fn unsaved(error: RecordError) -> Self {
        Self::bad(ToolFailure::Failed(format!("{error}; the call was not started")))
    }
}
