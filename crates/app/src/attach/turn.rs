//! Turns at a server, shown here.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use tagline_protocol::{Event, Frame, Mode};
use tagline_session::{Task, TurnEnd, Watcher};
use tokio::time::Instant;

use super::{
    Door,
    asks::Asks,
    door::Failed,
    ends::Ends,
    events::{Events, Next},
    patience::{Contact, Patience, Reached},
};
use crate::{
    app::App,
    cli::TurnArgs,
    config::Settings,
    exit::Exit,
    output::note,
    run::{Live, new_id},
    signals::{Stop, Stops},
    trouble::Trouble,
    verbs::rules::grants::{self, Granted},
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
    patience: Patience,
}

/// How soon a second Ctrl-C counts as the second one.
const AGAIN: Duration = Duration::from_secs(2);

/// One turn while it runs.
struct Turn {
    message: Option<String>,
    run: Option<String>,
    /// The frames with which the turn that may be ours began.
    begun: Vec<Frame>,
    ends: Ends,
    asks: Asks,
    show: Watcher,
    /// The signal that came first, and when the last one came.
    stopped: Option<(Stop, Instant)>,
    /// The server has to be told yet that the turn is to end.
    is_stop_due: bool,
}

/// A turn and its events, or the signal by which the user left before there were any.
enum Begun {
    Turn(Box<(Turn, Events)>),
    Left(Stop),
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
            door,
            session: text("id"),
            seen: row.get("last_seq").and_then(Value::as_u64).unwrap_or(0),
            live: Arc::clone(live),
            settings: settings.clone(),
            patience: Patience {
                app: app.clone(),
                live: Arc::clone(live),
                server: args.server.server.clone(),
                limit: Duration::from_secs(args.reconnect_timeout),
            },
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

    /// How much runs here without a question; `None`: what the server's settings say.
    pub(crate) async fn mode(&self) -> Result<Option<Mode>, Trouble> {
        let row = self.door.get(&format!("/api/sessions/{}", self.session)).await?;
        Ok(row.get("mode").and_then(Value::as_str).and_then(|mode| mode.parse().ok()))
    }

    /// What the answers in this session let run.
    pub(crate) async fn grants(&self) -> Result<Vec<Granted>, Trouble> {
        let all = grants::at(&self.door).await?;
        Ok(all.into_iter().filter(|it| it.is_of(&self.session)).collect())
    }

    /// Takes back what one of them lets run.
    pub(crate) async fn forget(&self, scope: &str) -> Result<(), Trouble> {
        grants::take_back(&self.door, &self.session, scope).await
    }

    /// Sets it, for this session alone.
    pub(crate) async fn set_mode(&self, mode: Mode) -> Result<(), Trouble> {
        let path = format!("/api/sessions/{}/mode", self.session);
        self.door.post(&path, &json!({ "mode": mode })).await.map(|_| ())
    }

    /// Runs a turn to its end, also where the server is away meanwhile. Ctrl-C stops it; a terminal
    /// that goes away does not. Returns how it ended, if that was seen, and the signal that came
    /// first, if one came.
    pub(crate) async fn run(
        &mut self,
        task: Task,
        stops: &mut Stops,
    ) -> Result<(Option<TurnEnd>, Option<Stop>), Trouble> {
        let (mut turn, mut events) = match self.begin(task, stops).await? {
            Begun::Turn(begun) => *begun,
            Begun::Left(stop) => return Ok(self.leave_away(stop)),
        };
        loop {
            let next = tokio::select! {
                biased;
                stop = stops.next() => {
                    if let Some(stop) = self.signalled(&mut turn, stop).await? {
                        return Ok(self.leave(stop));
                    }
                    continue;
                }
                next = events.next() => next,
            };
            match next {
                // What was seen already is not shown again.
                Next::Frame(frame) if frame.seq <= self.seen => {}
                Next::Frame(frame) => {
                    self.seen = frame.seq;
                    if let Some(end) = self.take(&mut turn, *frame) {
                        return Ok((Some(end), turn.stopped.map(|(stop, _)| stop)));
                    }
                }
                Next::Other(seq) => self.seen = seq.unwrap_or(self.seen),
                Next::Over => match self.events(stops, Contact::Lost).await? {
                    Reached::Answer(more) => {
                        events = more;
                        self.stop_if_due(&mut turn).await?;
                    }
                    Reached::Left(stop) => return Ok(self.leave_away(stop)),
                },
            }
        }
    }

    /// Listens, then sends, so that nothing is missed.
    async fn begin(&mut self, task: Task, stops: &mut Stops) -> Result<Begun, Trouble> {
        let events = match self.events(stops, Contact::Sound).await? {
            Reached::Answer(events) => events,
            Reached::Left(stop) => return Ok(Begun::Left(stop)),
        };
        Ok(match self.send(task, stops).await? {
            Reached::Answer(turn) => Begun::Turn(Box::new((turn, events))),
            Reached::Left(stop) => Begun::Left(stop),
        })
    }

    /// The events behind the last one that was seen.
    async fn events(
        &mut self,
        stops: &mut Stops,
        contact: Contact,
    ) -> Result<Reached<Events>, Trouble> {
        let (session, seen) = (&self.session, self.seen);
        let listen = async |door: &Door| door.events(session, seen).await;
        self.patience.ask(&mut self.door, stops, contact, session, listen).await
    }

    /// Says where the turn goes on that is left.
    fn leave(&self, stop: Stop) -> (Option<TurnEnd>, Option<Stop>) {
        if stop == Stop::Terminate && !self.app.is_quiet {
            note(format_args!("the turn goes on at {}", self.door.url()));
        }
        (None, Some(stop))
    }

    /// Says how to go on who did not want to wait for the server.
    fn leave_away(&self, stop: Stop) -> (Option<TurnEnd>, Option<Stop>) {
        if !self.app.is_quiet {
            self.live.clear();
            note(format_args!("left; {}", self.patience.how_to_go_on(&self.session)));
        }
        (None, Some(stop))
    }

    /// Stops the turn, the first time; a signal by which it is left is given back.
    async fn signalled(&self, turn: &mut Turn, stop: Stop) -> Result<Option<Stop>, Trouble> {
        let is_second = turn.stopped.is_some_and(|(_, at)| at.elapsed() < AGAIN);
        let first = turn.stopped.map_or(stop, |(first, _)| first);
        turn.stopped = Some((first, Instant::now()));
        if is_second || first == Stop::Terminate {
            return Ok(Some(first));
        }
        turn.is_stop_due = true;
        self.stop_if_due(turn).await?;
        Ok(None)
    }

    async fn send(&mut self, task: Task, stops: &mut Stops) -> Result<Reached<Turn>, Trouble> {
        let session = &self.session;
        let (path, body) = match task {
            Task::GoOn => (format!("/api/sessions/{session}/continue"), json!({})),
            Task::Say(input) => (
                format!("/api/sessions/{session}/messages"),
                json!({ "text": input.text, "media": input.media }),
            ),
        };
        // Where the answer is lost, the same is sent again and nothing is done twice.
        let key = new_id();
        let tell = async |door: &Door| door.tell_once(&path, &body, &key).await;
        let asked = self.patience.ask(&mut self.door, stops, Contact::Sound, session, tell);
        let answer = match asked.await? {
            Reached::Answer(answer) => answer,
            Reached::Left(stop) => return Ok(Reached::Left(stop)),
        };
        let text = |name| answer.get(name).and_then(Value::as_str).map(str::to_owned);
        if let Some(place) = answer.get("place").and_then(Value::as_u64)
            && !self.app.is_quiet
        {
            note(format_args!("waiting for the turn that runs, at place {place}"));
        }
        Ok(Reached::Answer(Turn {
            message: text("message"),
            run: text("run"),
            begun: Vec::new(),
            ends: Ends::default(),
            asks: Asks::new(self.session.clone(), Attendance::of(&self.app)),
            show: self.live.watcher(),
            stopped: None,
            is_stop_due: false,
        }))
    }

    /// Stops the turn that is to be stopped, or takes the message back that waits for it. Where
    /// the server is away it is told once it is back.
    async fn stop_if_due(&self, turn: &mut Turn) -> Result<(), Trouble> {
        if !turn.is_stop_due {
            return Ok(());
        }
        let stopped = tokio::time::timeout(AGAIN, self.stop(turn)).await;
        match stopped {
            Ok(Ok(())) => turn.is_stop_due = false,
            Ok(Err(Failed::Refused(trouble))) => return Err(trouble),
            Ok(Err(Failed::Away(_))) | Err(_) => {}
        }
        Ok(())
    }

    async fn stop(&self, turn: &Turn) -> Result<(), Failed> {
        let session = &self.session;
        match (&turn.run, &turn.message) {
            (Some(run), _) => {
                let path = format!("/api/runs/{session}:{run}/stop");
                self.door.tell(&path, &json!({ "scope": "turn" })).await?;
            }
            (None, Some(message)) => {
                let path = format!("/api/sessions/{session}/queue/{message}");
                self.door.take_back(&path).await?;
                let words = "the message was taken back";
                return Err(Failed::Refused(Trouble::new(Exit::Interrupted, words)));
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
        turn.asks.take(&self.door, &frame);
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
