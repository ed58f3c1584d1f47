//! Turns at a server, shown here.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use tagline_protocol::{Event, Frame};
use tagline_session::{Task, TurnEnd, Watcher};
use tokio::time::Instant;

use super::{
    Door,
    asks::Asks,
    ends::Ends,
    events::{Events, Next},
    served,
};
use crate::{
    app::App,
    cli::TurnArgs,
    config::Settings,
    exit::Exit,
    output::note,
    run::Live,
    signals::{Stop, Stops},
    trouble::Trouble,
    wiring::{Attendance, price_of},
};

/// A session at a server.
pub(crate) struct Seat {
    app: App,
    door: Door,
    session: String,
    /// The number of the last frame that was seen.
    seen: u64,
    live: Arc<Live>,
    settings: Settings,
    /// Whether another server may have taken the folder over when this one is gone.
    is_local: bool,
}

/// How soon a second Ctrl-C counts as the second one.
const AGAIN: Duration = Duration::from_secs(2);
/// Waits between tries to come back to a server, in milliseconds.
const BACK: [u64; 5] = [100, 250, 500, 1_000, 2_000];

/// One turn while it runs.
struct Turn {
    message: Option<String>,
    run: Option<String>,
    /// The frames with which the turn that may be ours began.
    begun: Vec<Frame>,
    ends: Ends,
    asks: Asks,
    show: Watcher,
}

impl Seat {
    /// Takes a place in the session that the command line asks for.
    pub(crate) async fn open(
        app: &App,
        door: Door,
        args: &TurnArgs,
        live: &Arc<Live>,
        settings: &Settings,
    ) -> Result<Self, Trouble> {
        let row = find(app, &door, args).await?;
        let text = |name| row.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        if args.fork.is_some() && !app.is_quiet {
            let source = args.fork.clone().unwrap_or_default();
            note(format_args!("session {} begins with the history of {source}", text("id")));
        }
        Ok(Self {
            app: app.clone(),
            is_local: args.server.server.is_none(),
            door,
            session: text("id"),
            seen: row.get("last_seq").and_then(Value::as_u64).unwrap_or(0),
            live: Arc::clone(live),
            settings: settings.clone(),
        })
    }

    /// Its id.
    pub(crate) fn session(&self) -> &str {
        &self.session
    }

    /// Every frame so far.
    pub(crate) async fn frames(&self) -> Result<Vec<Frame>, Trouble> {
        let text = self.door.text(&format!("/api/sessions/{}/export", self.session)).await?;
        let frames = text.lines().filter_map(|line| serde_json::from_str(line).ok());
        Ok(frames.collect())
    }

    /// Runs a turn to its end. Ctrl-C stops it; a terminal that goes away does not. Returns how it
    /// ended, if that was seen, and the signal that came first, if one came.
    pub(crate) async fn run(
        &mut self,
        task: Task,
        stops: &mut Stops,
    ) -> Result<(Option<TurnEnd>, Option<Stop>), Trouble> {
        let mut events = self.door.events(&self.session, self.seen).await?;
        let mut turn = self.send(task).await?;
        let mut first: Option<(Stop, Instant)> = None;
        loop {
            let next = tokio::select! {
                biased;
                stop = stops.next() => {
                    let is_second = first.is_some_and(|(_, at)| at.elapsed() < AGAIN);
                    let stop = first.map_or(stop, |(stop, _)| stop);
                    first = Some((stop, Instant::now()));
                    if is_second || stop == Stop::Terminate {
                        self.leave(stop);
                        return Ok((None, Some(stop)));
                    }
                    self.stop(&turn).await?;
                    continue;
                }
                next = events.next() => next,
            };
            match next {
                Next::Frame(frame) => {
                    self.seen = frame.seq;
                    if let Some(end) = self.take(&mut turn, *frame) {
                        return Ok((Some(end), first.map(|(stop, _)| stop)));
                    }
                }
                Next::Other(seq) => self.seen = seq.unwrap_or(self.seen),
                Next::Over => events = self.come_back().await?,
            }
        }
    }

    /// Says where the turn goes on that is left.
    fn leave(&self, stop: Stop) {
        if stop == Stop::Terminate && !self.app.is_quiet {
            note(format_args!("the turn goes on at {}", self.door.url()));
        }
    }

    async fn send(&self, task: Task) -> Result<Turn, Trouble> {
        let session = &self.session;
        let answer = match task {
            Task::GoOn => {
                self.door.post(&format!("/api/sessions/{session}/continue"), &json!({})).await?
            }
            Task::Say(input) => {
                let body = json!({ "text": input.text, "media": input.media });
                self.door.post(&format!("/api/sessions/{session}/messages"), &body).await?
            }
        };
        let text = |name| answer.get(name).and_then(Value::as_str).map(str::to_owned);
        if let Some(place) = answer.get("place").and_then(Value::as_u64)
            && !self.app.is_quiet
        {
            note(format_args!("waiting for the turn that runs, at place {place}"));
        }
        let attendance = Attendance::of(&self.app);
        Ok(Turn {
            message: text("message"),
            run: text("run"),
            begun: Vec::new(),
            ends: Ends::default(),
            asks: Asks::new(self.door.clone(), session.clone(), attendance),
            show: self.live.watcher(),
        })
    }

    /// Stops the turn, or takes the message back that waits for it.
    async fn stop(&self, turn: &Turn) -> Result<(), Trouble> {
        let session = &self.session;
        match (&turn.run, &turn.message) {
            (Some(run), _) => {
                let path = format!("/api/runs/{session}:{run}/stop");
                self.door.post(&path, &json!({ "scope": "turn" })).await?;
            }
            (None, Some(message)) => {
                self.door.delete(&format!("/api/sessions/{session}/queue/{message}")).await?;
                return Err(Trouble::new(Exit::Interrupted, "the message was taken back"));
            }
            (None, None) => {}
        }
        Ok(())
    }

    /// Shows a frame of our turn; the last one says how it ended.
    fn take(&self, turn: &mut Turn, frame: Frame) -> Option<TurnEnd> {
        if turn.run.is_none() {
            return self.wait(turn, frame);
        }
        if frame.run != turn.run {
            return None;
        }
        if let Event::RunStarted { model, .. } = &frame.event {
            // What cannot be read was told when the settings were.
            self.live.price(price_of(&self.settings, model).unwrap_or_default());
        }
        (turn.show)(&frame);
        turn.asks.take(&frame);
        turn.ends.take(&frame)
    }

    /// The message waits: which turn takes it is known once it says so.
    fn wait(&self, turn: &mut Turn, frame: Frame) -> Option<TurnEnd> {
        if matches!(frame.event, Event::RunStarted { .. }) {
            turn.begun.clear();
        }
        let is_ours = matches!(&frame.event, Event::MessageUnqueued { message, .. }
            if Some(message) == turn.message.as_ref());
        let run = frame.run.clone();
        if turn.begun.len() < FEW {
            turn.begun.push(frame);
        }
        if !is_ours {
            return None;
        }
        turn.run = run;
        let begun = std::mem::take(&mut turn.begun);
        begun.into_iter().find_map(|frame| self.take(turn, frame))
    }

    /// The stream ended before the turn did: another one goes on where it ended.
    async fn come_back(&mut self) -> Result<Events, Trouble> {
        let mut last = None;
        for pause in BACK {
            tokio::time::sleep(Duration::from_millis(pause)).await;
            if self.is_local
                && let Ok(Some(notice)) = served(&self.app)
            {
                self.door = Door::local(&notice)?;
            }
            match self.door.events(&self.session, self.seen).await {
                Ok(events) => return Ok(events),
                Err(trouble) => last = Some(trouble),
            }
        }
        let said = last.map(|trouble| trouble.message).unwrap_or_default();
        let words = format!(
            "{said} What was done is kept; once it is back, go on with: tagline run -r {}",
            self.session
        );
        Err(Trouble::new(Exit::Unreachable, words))
    }
}

/// Frames of a turn before the one that says whose message began it.
const FEW: usize = 8;

/// The session, as the server tells it.
async fn find(app: &App, door: &Door, args: &TurnArgs) -> Result<Value, Trouble> {
    if let Some(source) = &args.fork {
        return door.post(&format!("/api/sessions/{}/fork", part(source)), &json!({})).await;
    }
    if let Some(id) = &args.resume {
        return door.get(&format!("/api/sessions/{}", part(id))).await;
    }
    if args.continues {
        let list = door.get("/api/sessions").await?;
        return list.pointer("/sessions/0").cloned().ok_or_else(|| {
            let words =
                "there is no session to go on with; begin one with `tagline run \"what to do\"`";
            Trouble::new(Exit::Usage, words)
        });
    }
    // Another machine has folders of its own.
    let is_here = args.server.server.is_none() || app.is_folder_named;
    let body = if is_here { json!({ "workspace": app.env.cwd() }) } else { json!({}) };
    door.post("/api/sessions", &body).await
}

/// A word as a part of a path.
pub(crate) fn part(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let shown = |byte: u8| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(shown).collect()
}
