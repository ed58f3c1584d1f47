//! The model that plays a script.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tagline_protocol::{Message, Role, system_words};

use super::{
    line::ScriptError,
    parse::parse,
    types::{Ending, Expect, Pace, Place, Reply, Script, Step, Test, Times},
};
use crate::{FaultClass, Model, ModelEvent, ModelFault, ModelInfo, ModelStream, Request};

/// Bytes of a message that are shown when an expectation fails.
const SHOWN: usize = 400;

/// A model that plays a script and records what it is asked.
///
/// Clones share their place in the script and their record. Waits go through tokio's clock, so a
/// test with a paused clock does not wait.
///
/// # Examples
///
/// ```
/// use tagline_model::ScriptedModel;
///
/// let model = ScriptedModel::from_text("=== reply\n<say>Hello</say>\n")?;
/// assert_eq!(model.requests().len(), 0);
/// # Ok::<(), tagline_model::ScriptError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ScriptedModel {
    info: ModelInfo,
    script: Arc<Script>,
    state: Arc<Mutex<State>>,
    waits: bool,
    keeps_requests: bool,
}

#[derive(Debug, Default)]
struct State {
    reply: usize,
    played: usize,
    asked: usize,
    requests: Vec<Request>,
}

impl ScriptedModel {
    /// Reads a script.
    ///
    /// # Errors
    ///
    /// [`ScriptError`], which names the line.
    pub fn from_text(text: &str) -> Result<Self, ScriptError> {
        Ok(Self {
            info: ModelInfo {
                name: "script".to_owned(),
                is_local: true,
                takes_images: true,
                ..ModelInfo::default()
            },
            script: Arc::new(parse(text)?),
            state: Arc::default(),
            waits: true,
            keeps_requests: true,
        })
    }

    /// Reads a script from a file; the model's name becomes `script/FILE NAME`.
    ///
    /// # Errors
    ///
    /// [`ScriptError::Unreadable`], and what [`ScriptedModel::from_text`] says.
    pub fn from_path(path: impl AsRef<Path>) -> Result<Self, ScriptError> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path).map_err(|error| ScriptError::Unreadable {
            path: path.display().to_string(),
            why: system_words(&error),
        })?;
        let mut model = Self::from_text(&text)?;
        if let Some(name) = path.file_name() {
            model.info.name = format!("script/{}", name.to_string_lossy());
        }
        Ok(model)
    }

    /// The same script with another face: a name, a grammar, a context size.
    #[must_use]
    pub fn with_info(mut self, info: ModelInfo) -> Self {
        self.info = info;
        self
    }

    /// The same script without its delays and pauses.
    #[must_use]
    pub fn without_delays(mut self) -> Self {
        self.waits = false;
        self
    }

    /// The same script without a record of what it is asked: a long session of it takes no more
    /// memory than one with another model.
    #[must_use]
    pub fn without_record(mut self) -> Self {
        self.keeps_requests = false;
        self
    }

    /// Everything it was asked, in order; nothing [without a record](Self::without_record).
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.state().requests.clone()
    }

    /// Replies of the script that were not begun; a reply that repeats forever counts until it was
    /// played once.
    #[must_use]
    pub fn replies_left(&self) -> usize {
        let state = self.state();
        let begun = state.reply + usize::from(0 < state.played);
        self.script.replies.len().saturating_sub(begun)
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the request and moves on; a fault where the script has nothing for it.
    fn next_reply(&self, request: Request) -> Result<Reply, ModelFault> {
        let mut state = self.state();
        state.asked += 1;
        let reply = self.script.replies.get(state.reply).cloned();
        let reply = reply.ok_or_else(|| used_up(&self.info.name, state.asked));
        if let Ok(reply) = &reply {
            state.played += 1;
            if reply.times == Times::Count(state.played) {
                state.reply += 1;
                state.played = 0;
            }
        }
        let expected = reply.and_then(|reply| {
            let mut expects = reply.expects.iter();
            let check = |expect| check(&self.info.name, reply.line, expect, &request.messages);
            expects.try_for_each(check).map(|()| reply)
        });
        if self.keeps_requests {
            state.requests.push(request);
        }
        expected
    }
}

impl Model for ScriptedModel {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn ask(&self, request: Request) -> ModelStream {
        match self.next_reply(request) {
            Ok(reply) => play(reply, self.waits),
            Err(fault) => Box::pin(futures_util::stream::iter([Err(fault)])),
        }
    }
}

fn play(reply: Reply, waits: bool) -> ModelStream {
    Box::pin(async_stream::stream! {
        for step in reply.steps {
            for (delay, event) in events(step) {
                if waits && !delay.is_zero() {
                    tokio::time::sleep(delay).await;
                }
                if let Some(event) = event {
                    yield Ok(event);
                }
            }
        }
        match reply.ending {
            Ending::Finish(reason) => yield Ok(ModelEvent::Finish(reason)),
            Ending::Fault(fault) => yield Err(fault),
            Ending::Hang => std::future::pending::<()>().await,
        }
    })
}

fn events(step: Step) -> Vec<(Duration, Option<ModelEvent>)> {
    match step {
        Step::Text(text, pace) => cut(&text, pace, ModelEvent::Text),
        Step::Reasoning(text, pace) => cut(&text, pace, ModelEvent::Reasoning),
        Step::Pause(delay) => vec![(delay, None)],
        Step::State { state, detail } => {
            vec![(Duration::ZERO, Some(ModelEvent::State { state, detail }))]
        }
        Step::Usage(usage) => vec![(Duration::ZERO, Some(ModelEvent::Usage(usage)))],
    }
}

fn cut(
    text: &str,
    pace: Pace,
    event: fn(String) -> ModelEvent,
) -> Vec<(Duration, Option<ModelEvent>)> {
    let characters: Vec<char> = text.chars().collect();
    let size = pace.chunk.unwrap_or(characters.len()).max(1);
    characters.chunks(size).map(|chunk| (pace.delay, Some(event(chunk.iter().collect())))).collect()
}

fn check(name: &str, line: usize, expect: &Expect, messages: &[Message]) -> Result<(), ModelFault> {
    let (role, place) = match expect.place {
        Place::LastUser => (Role::User, "last user message"),
        Place::System => (Role::System, "system message"),
    };
    let message = messages.iter().rev().find(|message| message.role == role);
    let text = message.map_or("", |message| &message.text);
    let n_images = message.map_or(0, |message| message.media.len());
    let (holds, wanted) = match &expect.test {
        Test::Images(n) => (n_images == *n, format!("with {n} images, not {n_images}")),
        Test::Contains(part) => (text.contains(part), format!("with `{part}`")),
        Test::Lacks(part) => (!text.contains(part), format!("without `{part}`")),
        Test::Matches(regex) => (regex.is_match(text), format!("that matches `{regex}`")),
    };
    if holds {
        return Ok(());
    }
    let shown: String = text.chars().take(SHOWN).collect();
    Err(fault(
        "script_expect",
        format!(
            "`{name}`, reply at line {line}: expected a {place} {wanted}, but found `{shown}`; correct the \
             script or what asks"
        ),
    ))
}

fn used_up(name: &str, asked: usize) -> ModelFault {
    fault(
        "script_end",
        format!(
            "`{name}`: expected no request after the last reply, but found request {asked}; add a reply or \
             `=== repeat forever`"
        ),
    )
}

fn fault(code: &str, message: String) -> ModelFault {
    ModelFault { class: FaultClass::Fail, code: code.to_owned(), status: None, message }
}
