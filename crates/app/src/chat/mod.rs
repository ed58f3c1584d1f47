//! `tagline chat`: a conversation, line by line.

mod command;
mod past;

use std::sync::Arc;

use tagline_session::{SessionError, Task, TurnEnd};
use tokio_util::sync::CancellationToken;

use self::command::{Command, Line};
use tagline_protocol::{Mode, system_words};

use crate::{
    app::App,
    attach::{Seat, Way, way},
    cli::{Format, TurnArgs},
    exit::Exit,
    output::{fail, note},
    run::{self, Attached, Live, Order, Wired},
    signals::{Stop, Stops},
    terminal,
    trouble::Trouble,
    verbs::rules::grants::Granted,
    wiring::{self, Attendance},
};

/// Runs the verb.
pub(crate) fn run(app: &App, args: TurnArgs) -> Exit {
    go(app, &args).unwrap_or_else(|exit| exit)
}

fn go(app: &App, args: &TurnArgs) -> Result<Exit, Exit> {
    let config = app.config()?;
    let settings = config.settings();
    let attached = Attached::read(app, args)?;
    let way = way(app, &config, args, None)?;
    App::runtime()?.block_on(async {
        let mut stops = Stops::listen().map_err(|error| {
            fail(Exit::Failed, format_args!("signals: {}", system_words(&error)))
        })?;
        if let Way::Attached(door) = way {
            let live = Live::new(app, Format::Text);
            live.converse();
            let registry = wiring::registry(&settings)?;
            live.label(wiring::cards(&registry));
            let seat = Seat::open(app, door, args, &live, &settings).await?;
            let mut talk = Talk { app, live, at: At::There(Box::new(seat)) };
            return talk.all(&mut stops, attached).await;
        }
        let which = run::which(app, args).await?;
        let model = wiring::choose(app, &settings).await?;
        attached.check(model.info())?;
        let live = Live::new(app, Format::Text);
        live.converse();
        let order = Order {
            settings: &settings,
            profile: &config.profile,
            which,
            keeping: args.keeping(),
            schema: None,
            model,
            attendance: Attendance::of(app),
            live: Arc::clone(&live),
        };
        let wired = run::open(app, order).await?;
        let mut talk = Talk { app, live, at: At::Here(Box::new(wired)) };
        let exit = talk.all(&mut stops, attached).await;
        if let At::Here(wired) = &talk.at {
            wired.close().await;
        }
        run::say_recorded(app, &settings);
        exit
    })
}

/// Where the turns run.
enum At {
    Here(Box<Wired>),
    There(Box<Seat>),
}

/// A conversation.
struct Talk<'a> {
    app: &'a App,
    live: Arc<Live>,
    at: At,
}

impl Talk<'_> {
    /// Takes what is typed until it ends; `attached` goes with the first message.
    async fn all(&mut self, stops: &mut Stops, mut attached: Attached) -> Result<Exit, Exit> {
        if !self.app.is_quiet {
            self.greet().await?;
        }
        let mut lines = command::Lines::open(self.app)?;
        loop {
            let task = match lines.next().await {
                Line::Said(text) => Task::Say(std::mem::take(&mut attached).to(text)),
                Line::Command(command) => match self.obey(command).await? {
                    Obeyed::Done => continue,
                    Obeyed::GoOn => Task::GoOn,
                    Obeyed::Quit => return Ok(Exit::Done),
                },
                Line::End => return Ok(Exit::Done),
            };
            self.live.forget();
            let (ended, stop) = self.turn(task, stops).await?;
            if ended.is_none() || stop == Some(Stop::Terminate) {
                return run::report(&self.live, Format::Text, self.app.is_quiet, ended, stop);
            }
            // A turn that failed has said so; the conversation goes on.
            run::report(&self.live, Format::Text, self.app.is_quiet, ended, None)?;
        }
    }

    async fn turn(
        &mut self,
        task: Task,
        stops: &mut Stops,
    ) -> Result<(Option<Result<TurnEnd, SessionError>>, Option<Stop>), Exit> {
        match &mut self.at {
            At::Here(wired) => {
                let cancel = CancellationToken::new();
                Ok(stops.guard(&cancel, wired.run(task, cancel.clone())).await)
            }
            At::There(seat) => match seat.run(task, stops).await {
                Ok((ended, stop)) => Ok((ended.map(Ok), stop)),
                Err(trouble) => Err(trouble.into()),
            },
        }
    }

    /// Shows the end of the past, if there is one, and how to go on.
    async fn greet(&self) -> Result<(), Exit> {
        let (frames, id) = match &self.at {
            At::Here(wired) => {
                let frames = wired.session.frames().await;
                (frames.map_err(|error| run::broken(&error))?, wired.session.id())
            }
            At::There(seat) => (seat.frames().await?, seat.session()),
        };
        let cards = match &self.at {
            At::Here(wired) => wiring::cards(wired.session.executor().registry()),
            At::There(_) => wiring::cards(&tagline_tools::all()),
        };
        let rows = terminal::rows(&self.app.env);
        past::lines(&frames, &cards, self.app.stderr(), rows).iter().for_each(note);
        note(format_args!("session {id}; /help lists commands, Ctrl-D ends"));
        Ok(())
    }

    async fn obey(&self, command: Command) -> Result<Obeyed, Exit> {
        match command {
            Command::Help => note(command::HELP),
            Command::Mode(None) => self.tell_mode().await?,
            Command::Mode(Some(mode)) => self.set_mode(mode).await?,
            Command::NoMode(word) => note(format_args!(
                "mode `{word}`: expected `plan`, `ask`, `edit`, `auto` or `full`; the mode stays"
            )),
            Command::Rules => self.tell_grants().await?,
            Command::Forget(scope) => self.forget(&scope).await,
            Command::Tools => self.tell_tools()?,
            Command::GoOn => return Ok(Obeyed::GoOn),
            Command::Quit => return Ok(Obeyed::Quit),
            Command::Unknown(word) => {
                note(format_args!("unknown command `/{word}`; /help lists them"));
            }
        }
        Ok(Obeyed::Done)
    }

    async fn tell_mode(&self) -> Result<(), Exit> {
        let mode = match &self.at {
            At::Here(wired) => Some(wired.session.executor().situation().mode),
            At::There(seat) => seat.mode().await?,
        };
        match mode {
            Some(mode) => note(format_args!("mode {mode}")),
            None => note("the mode of the server's settings; /mode plan sets another one here"),
        }
        Ok(())
    }

    /// At a server it is set for this session alone, and stays.
    async fn set_mode(&self, mode: Mode) -> Result<(), Exit> {
        match &self.at {
            At::Here(wired) => wired.session.executor().set_mode(mode),
            At::There(seat) => seat.set_mode(mode).await?,
        }
        note(format_args!("mode {mode}"));
        Ok(())
    }

    fn tell_tools(&self) -> Result<(), Exit> {
        match &self.at {
            At::Here(wired) => note(names(wired.session.executor().registry())),
            At::There(_) => note(names(&*wiring::registry(&self.app.config()?.settings())?)),
        }
        Ok(())
    }

    async fn tell_grants(&self) -> Result<(), Exit> {
        let lines = match &self.at {
            At::Here(wired) => granted(wired),
            At::There(seat) => seat.grants().await?.iter().map(Granted::told).collect(),
        };
        if lines.is_empty() {
            note(NO_GRANTS);
        }
        lines.iter().for_each(note);
        Ok(())
    }

    async fn forget(&self, scope: &str) {
        match &self.at {
            At::Here(wired) => note(forget(wired, scope)),
            At::There(seat) => match seat.forget(scope).await {
                Ok(()) => note(format_args!("`{scope}` asks again, from the next call on")),
                Err(Trouble { message, .. }) => note(message),
            },
        }
    }
}

fn names(registry: &tagline_executor::Registry) -> String {
    let entries = registry.entries().iter();
    entries.map(|entry| entry.spec.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// What a command came to.
enum Obeyed {
    Done,
    GoOn,
    Quit,
}

/// What is said where no answer covers more than its call.
const NO_GRANTS: &str = "your answers let nothing run; `tagline rules list` shows the settings";

/// A line for each grant.
fn granted(wired: &Wired) -> Vec<String> {
    let line = |grant: &tagline_executor::Grant| {
        let minutes = grant.age.as_secs() / 60;
        format!("{}  # your answer to call {}, {minutes} min ago", grant.rule, grant.call)
    };
    wired.session.executor().grants().iter().map(line).collect()
}

fn forget(wired: &Wired, scope: &str) -> String {
    match scope.parse() {
        Ok(scope) if wired.session.executor().revoke(&scope) => {
            format!("`{scope}` asks again, from the next call on")
        }
        Ok(scope) => format!("no answer allows `{scope}`; `/rules` lists what yours allow"),
        Err(error) => tagline_policy::BadScope::to_string(&error),
    }
}
