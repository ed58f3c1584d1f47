//! One try: a call out, events back, with watchdogs.

use std::time::Duration;

use futures_util::{Stream, StreamExt as _};
use serde_json::Value;
use tokio::time::{Instant, timeout, timeout_at};

use crate::{
    ModelEvent,
    fault::{ProviderError, Signal, retry_after},
    frames::{FrameFault, frames},
    transport::{Address, Answer, ByteStream, Call, Headers, SharedTransport},
    wire::Wire,
};

/// Bytes of an error's body that are read.
const ERROR_BODY: usize = 64 << 10;

/// How long an error's body is waited for.
const ERROR_WAIT: Duration = Duration::from_secs(5);

/// After the finish reason only counts may follow.
const AFTER_FINISH: Duration = Duration::from_secs(5);

/// What a try needs.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    pub(crate) transport: SharedTransport,
    pub(crate) wire: Wire,
    pub(crate) first_byte: Duration,
    pub(crate) idle: Duration,
}

impl Attempt {
    /// Plays one try. The last item is [`ModelEvent::Finish`] or an error.
    pub(crate) fn events(
        self,
        call: Call,
    ) -> impl Stream<Item = Result<ModelEvent, Signal>> + Send {
        async_stream::try_stream! {
            let mut watch = Watch::new(self.first_byte);
            let mut sent = self.transport.send(call);
            let answer = loop {
                match timeout_at(watch.wake(), &mut sent).await {
                    Ok(answer) => break answer.map_err(Signal::Transport)?,
                    Err(_) => yield watch.expired().ok_or(Signal::FirstByteTimeout(self.first_byte))?,
                }
            };
            let mut frames = Box::pin(frames(event_stream(answer).await?));
            let mut decoder = self.wire.decoder();
            // A local server may read a long prompt before its first word.
            watch.restart(self.first_byte.max(self.idle));
            let mut events = Vec::new();
            while !decoder.is_over() {
                let next = match timeout_at(watch.wake(), frames.next()).await {
                    Ok(next) => frame(next),
                    Err(_) => match watch.expired() {
                        Some(stalled) => {
                            yield stalled;
                            continue;
                        }
                        None => Err(Signal::IdleTimeout(watch.patience)),
                    },
                };
                let frame = match next {
                    Ok(Some(frame)) => frame,
                    Ok(None) => break,
                    Err(_) if decoder.has_finish() => break,
                    Err(signal) => Err(signal)?,
                };
                let taken = decoder.take(&frame, &mut events);
                // Behind the finish reason nothing is missed.
                let is_whole = decoder.has_finish();
                watch.saw(&events, is_whole, self.idle);
                if let Some(who) = decoder.responder() {
                    yield ModelEvent::Response(who);
                }
                for event in events.drain(..) {
                    yield event;
                }
                match taken {
                    Err(_) if is_whole => break,
                    taken => taken?,
                }
            }
            yield decoder.finish().map(ModelEvent::Finish).ok_or(Signal::NoFinish)?;
        }
    }
}

/// Decides until when the next piece of content must be there, and when its absence is shown.
#[derive(Debug)]
struct Watch {
    deadline: Instant,
    /// Until it is shown.
    notice: Option<Instant>,
    patience: Duration,
}

impl Watch {
    fn new(patience: Duration) -> Self {
        let now = Instant::now();
        Self { deadline: now + patience, notice: Some(now + patience / 4), patience }
    }

    fn restart(&mut self, patience: Duration) {
        *self = Self::new(patience);
    }

    fn wake(&self) -> Instant {
        self.notice.map_or(self.deadline, |notice| notice.min(self.deadline))
    }

    /// What to show when the time to wake has come; `None` if it is over.
    fn expired(&mut self) -> Option<ModelEvent> {
        if self.deadline <= Instant::now() {
            return None;
        }
        self.notice.take().map(|_| ModelEvent::State {
            state: "stalled".to_owned(),
            detail: Some(format!(
                "nothing came for {:.0} s, and after {:.0} s it is given up",
                (self.patience / 4).as_secs_f64(),
                self.patience.as_secs_f64()
            )),
        })
    }

    fn saw(&mut self, events: &[ModelEvent], is_whole: bool, idle: Duration) {
        if is_whole {
            self.notice = None;
            self.deadline = self.deadline.min(Instant::now() + AFTER_FINISH.min(idle));
        } else if events.iter().any(ModelEvent::is_output) {
            self.restart(idle);
        } else if !events.is_empty() {
            self.restart(self.patience);
        }
    }
}

fn frame<T>(next: Option<Result<T, FrameFault>>) -> Result<Option<T>, Signal> {
    next.transpose().map_err(|fault| match fault {
        FrameFault::Transport(fault) => Signal::Transport(fault),
        FrameFault::TooLong | FrameFault::NotUtf8 => Signal::BadStream(fault.to_string()),
    })
}

/// The body of an answer that is an event stream; anything else is an error.
async fn event_stream(answer: Answer) -> Result<ByteStream, Signal> {
    let content_type = answer.headers.get("content-type").map(str::to_owned);
    let is_stream = content_type
        .as_deref()
        .is_some_and(|kind| kind.trim_start().to_lowercase().starts_with("text/event-stream"));
    match answer.status {
        200..=299 if is_stream => Ok(answer.body),
        300..=399 => Err(Signal::Redirect {
            status: answer.status,
            location: answer.headers.get("location").map_or_else(String::new, origin),
        }),
        status => {
            let body = beginning(answer.body).await;
            Err(refusal(status, &answer.headers, content_type, &body))
        }
    }
}

/// Where a redirect leads; its query may hold what is nobody's business.
fn origin(location: &str) -> String {
    Address::parse(location).map_or_else(|_| "another path".to_owned(), |to| to.origin())
}

fn refusal(status: u16, headers: &Headers, content_type: Option<String>, body: &str) -> Signal {
    let json = serde_json::from_str::<Value>(body).ok();
    let error = json.as_ref().and_then(ProviderError::from_json);
    let is_success = status < 300;
    match error {
        Some(error) if is_success => Signal::in_stream(None, error),
        None if is_success => {
            Signal::BadAnswer { content_type, begins: body.chars().take(80).collect() }
        }
        error => {
            let error = error.unwrap_or_else(|| {
                // A page for people says nothing that the status does not.
                let is_page = body.trim_start().starts_with('<');
                if is_page { ProviderError::default() } else { ProviderError::from_text(body) }
            });
            let wait = retry_after(headers, &error);
            Signal::Provider { status: Some(status), error, wait }
        }
    }
}

/// The first bytes of a body, as far as they come in time.
async fn beginning(mut body: ByteStream) -> String {
    let mut bytes: Vec<u8> = Vec::new();
    let read = async {
        while let Some(Ok(chunk)) = body.next().await {
            bytes.extend(chunk.iter().take(ERROR_BODY - bytes.len()));
            if ERROR_BODY <= bytes.len() {
                break;
            }
        }
    };
    // What has come when the time is over is enough.
    let _ = timeout(ERROR_WAIT, read).await;
    String::from_utf8_lossy(&bytes).into_owned()
}
