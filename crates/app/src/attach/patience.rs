//! The way back to a server that cannot be reached.
//!
//! A server that is away may come back: it is started again, the network was lost for a while, the
//! lid was closed. So what is asked of it is asked again, and the user is told, once, where that
//! takes longer than a moment.

use std::{sync::Arc, time::Duration};

use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::door::{Door, Failed};
use crate::{
    app::App,
    exit::Exit,
    output::note,
    run::Live,
    serve::{Standing, standing},
    signals::{Stop, Stops},
    trouble::Trouble,
};

/// A server that is back before this was hardly away: nobody is told.
const MOMENT: Duration = Duration::from_secs(2);
/// Waits before a try, in milliseconds.
const WAITS: [u64; 6] = [100, 250, 500, 1_000, 2_000, 4_000];
/// The wait before each further try.
const LAST_WAIT: Duration = Duration::from_secs(5);
/// A try without an answer is given up: what it was sent on may be gone without a word.
const TRY: Duration = Duration::from_secs(30);

/// How a server is waited for.
#[derive(Clone, Debug)]
pub(super) struct Patience {
    pub(super) app: App,
    pub(super) live: Arc<Live>,
    /// The address that the command line names; none: the server of this folder, which another
    /// process may have when this one is gone.
    pub(super) server: Option<String>,
    /// How long a server may be away.
    pub(super) limit: Duration,
}

/// How it came out.
#[derive(Debug)]
pub(super) enum Reached<T> {
    /// The server answered.
    Answer(T),
    /// The user does not want to wait any longer.
    Left(Stop),
}

/// How it stands with the server before it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contact {
    /// Nothing is wrong.
    Sound,
    /// It broke off.
    Lost,
}

/// How the waiting stands.
struct Wait {
    since: Instant,
    contact: Contact,
    is_told: bool,
    n_tries: usize,
}

/// What a try came to; the door is another one where another process answers since.
enum Tried<T> {
    Answer(Result<T, Trouble>, Option<Door>),
    Nothing(Option<Door>),
    Left(Stop),
}

impl Wait {
    fn new(contact: Contact) -> Self {
        Self { since: Instant::now(), contact, is_told: false, n_tries: 0 }
    }

    /// How long the next try is put off.
    fn pause(&mut self) -> Duration {
        if self.contact == Contact::Sound {
            return Duration::ZERO;
        }
        let pause = WAITS.get(self.n_tries).copied().map(Duration::from_millis);
        self.n_tries += 1;
        pause.unwrap_or(LAST_WAIT)
    }
}

impl Patience {
    /// Asks at `door` until there is an answer. What is asked must do the same however often it
    /// is asked. `session` is what the user goes on with.
    ///
    /// # Errors
    ///
    /// What the server says no to, and [`Exit::Unreachable`] where it was away for too long.
    pub(super) async fn ask<T>(
        &self,
        door: &mut Door,
        stops: &mut Stops,
        contact: Contact,
        session: &str,
        ask: impl AsyncFn(&Door) -> Result<T, Failed>,
    ) -> Result<Reached<T>, Trouble> {
        let mut wait = Wait::new(contact);
        loop {
            let new = match self.try_once(door, stops, &mut wait, session, &ask).await? {
                Tried::Left(stop) => return Ok(Reached::Left(stop)),
                Tried::Nothing(new) => new,
                Tried::Answer(answer, new) => {
                    if wait.is_told && answer.is_ok() {
                        self.tell("the server is back, and nothing was lost");
                    }
                    *door = new.unwrap_or_else(|| door.clone());
                    return answer.map(Reached::Answer);
                }
            };
            *door = new.unwrap_or_else(|| door.clone());
            wait.contact = Contact::Lost;
        }
    }

    async fn try_once<T>(
        &self,
        door: &Door,
        stops: &mut Stops,
        wait: &mut Wait,
        session: &str,
        ask: &impl AsyncFn(&Door) -> Result<T, Failed>,
    ) -> Result<Tried<T>, Trouble> {
        let (pause, is_away) = (wait.pause(), wait.contact == Contact::Lost);
        let mut trying = std::pin::pin!(async {
            sleep(pause).await;
            let new = if is_away { self.successor() } else { None };
            match timeout(TRY, ask(new.as_ref().unwrap_or(door))).await {
                Ok(Ok(answer)) => Tried::Answer(Ok(answer), new),
                Ok(Err(Failed::Refused(trouble))) => Tried::Answer(Err(trouble), new),
                Ok(Err(Failed::Away(_))) | Err(_) => Tried::Nothing(new),
            }
        });
        loop {
            tokio::select! {
                biased;
                tried = &mut trying => return Ok(tried),
                () = sleep_until(wait.since + MOMENT), if is_away && !wait.is_told => {
                    wait.is_told = true;
                    self.tell(&self.away(door));
                }
                () = sleep_until(wait.since + self.limit), if is_away => {
                    return Err(self.gave_up(door, session));
                }
                stop = stops.next(), if wait.is_told => return Ok(Tried::Left(stop)),
            }
        }
    }

    /// The server that has the folder now, if one answers.
    fn successor(&self) -> Option<Door> {
        if self.server.is_some() {
            return None;
        }
        match standing(&self.app.paths().ok()?) {
            Standing::Owned(Some(notice)) if notice.url.is_some() => {
                Door::local(&self.app, &notice).ok()
            }
            Standing::Owned(_) | Standing::Free => None,
        }
    }

    fn tell(&self, words: &str) {
        if !self.app.is_quiet {
            self.live.clear();
            note(words);
        }
    }

    fn away(&self, door: &Door) -> String {
        let (url, seconds) = (door.url(), self.limit.as_secs());
        format!(
            "the server at {url} is away; trying again for {seconds} s in all, Ctrl-C leaves; \
             what was done is kept"
        )
    }

    fn gave_up(&self, door: &Door, session: &str) -> Trouble {
        let (url, seconds) = (door.url(), self.limit.as_secs());
        let words = format!(
            "the server at {url} was away for {seconds} s; what was done is kept; {}",
            self.how_to_go_on(session)
        );
        Trouble::new(Exit::Unreachable, words)
    }

    /// What the user does who was left without a server, or left it.
    pub(super) fn how_to_go_on(&self, session: &str) -> String {
        let server = self.server.as_ref().map(|url| format!("--server {url} "));
        let server = server.unwrap_or_default();
        let verb = if self.live.is_conversation() { "chat" } else { "run" };
        format!("once it is back, go on with: tagline {verb} {server}-r {session}")
    }
}
