//! `tagline chat`: a conversation, line by line.

mod command;
mod past;

use std::sync::Arc;

use tagline_session::Task;
use tokio_util::sync::CancellationToken;

use self::command::{Command, Line};
use tagline_protocol::system_words;

use crate::{
    app::App,
    cli::{Format, TurnArgs},
    exit::Exit,
    output::{fail, note},
    run::{self, Attached, Live, Order, Wired},
    signals::Stops,
    terminal,
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
    App::runtime()?.block_on(async {
        let mut stops = Stops::listen().map_err(|error| {
            fail(Exit::Failed, format_args!("signals: {}", system_words(&error)))
        })?;
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
        if !app.is_quiet {
            greet(app, &wired).await?;
        }
        let exit = talk(app, &wired, &live, &mut stops, attached).await;
        wired.close().await;
        run::say_recorded(app, &settings);
        exit
    })
}

/// Shows the end of the past, if there is one, and how to go on.
async fn greet(app: &App, wired: &Wired) -> Result<(), Exit> {
    let session = &wired.session;
    let frames = session.frames().await.map_err(|error| run::broken(&error))?;
    let cards = wiring::cards(session.executor().registry());
    past::lines(&frames, &cards, app.stderr(), terminal::rows(&app.env)).iter().for_each(note);
    note(format_args!("session {}; /help lists commands, Ctrl-D ends", session.id()));
    Ok(())
}

/// Takes what is typed until it ends; `attached` goes with the first message.
async fn talk(
    app: &App,
    wired: &Wired,
    live: &Live,
    stops: &mut Stops,
    mut attached: Attached,
) -> Result<Exit, Exit> {
    let mut lines = command::Lines::open(app)?;
    loop {
        let task = match lines.next().await {
            Line::Said(text) => Task::Say(std::mem::take(&mut attached).to(text)),
            Line::Command(command) => match obey(wired, command) {
                Obeyed::Done => continue,
                Obeyed::GoOn => Task::GoOn,
                Obeyed::Quit => return Ok(Exit::Done),
            },
            Line::End => return Ok(Exit::Done),
        };
        live.forget();
        let cancel = CancellationToken::new();
        let (ended, stop) = stops.guard(&cancel, wired.session.run(task, cancel.clone())).await;
        if ended.is_none() || stop == Some(crate::signals::Stop::Terminate) {
            return run::report(live, Format::Text, app.is_quiet, ended, stop);
        }
        // A turn that failed has said so; the conversation goes on.
        run::report(live, Format::Text, app.is_quiet, ended, None)?;
    }
}

/// What a command came to.
enum Obeyed {
    Done,
    GoOn,
    Quit,
}

fn obey(wired: &Wired, command: Command) -> Obeyed {
    match command {
        Command::Help => note(command::HELP),
        Command::Mode(None) => {
            note(format_args!("mode {}", wired.session.executor().situation().mode))
        }
        Command::Mode(Some(mode)) => {
            wired.session.executor().set_mode(mode);
            note(format_args!("mode {mode}"));
        }
        Command::NoMode(word) => note(format_args!(
            "mode `{word}`: expected `plan`, `ask`, `edit`, `auto` or `full`; mode {} stays",
            wired.session.executor().situation().mode
        )),
        Command::Tools => {
            let entries = wired.session.executor().registry().entries();
            let names: Vec<_> = entries.iter().map(|entry| entry.spec.name.as_str()).collect();
            note(names.join(", "));
        }
        Command::GoOn => return Obeyed::GoOn,
        Command::Quit => return Obeyed::Quit,
        Command::Unknown(word) => note(format_args!("unknown command `/{word}`; /help lists them")),
    }
    Obeyed::Done
}
