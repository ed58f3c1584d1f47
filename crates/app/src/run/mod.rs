//! `tagline run`: one task, done to its end.

mod attach;
mod bounds;
mod end;
mod images;
mod live;
mod schema;
mod tally;
mod task;
mod wire;

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

pub(crate) use self::{
    attach::which,
    end::{broken, report},
    live::Live,
    schema::AnswerSchema,
    tally::sum,
    task::Attached,
    wire::{Order, Which, Wired, new_id, open},
};
use tagline_protocol::system_words;
use tagline_session::Task;

use crate::{
    app::App,
    attach::{Door, Seat, Way, way},
    cli::RunArgs,
    config::Settings,
    exit::Exit,
    output::{fail, note},
    signals::Stops,
    wiring::{self, Attendance},
};

/// Runs the verb.
pub(crate) fn run(app: &App, args: RunArgs) -> Exit {
    go(app, &args).unwrap_or_else(|exit| exit)
}

fn go(app: &App, args: &RunArgs) -> Result<Exit, Exit> {
    let config = app.config()?;
    let settings = config.settings();
    let task = task::read(app, args)?;
    let schema = args.output_schema.as_ref().map(|file| AnswerSchema::read(app, file));
    let schema = schema.transpose()?.map(Arc::new);
    let format = args.output.format();
    let own = schema.as_ref().map(|_| "--output-schema");
    let way = way(app, &config, &args.turn, own)?;
    App::runtime()?.block_on(async {
        let mut stops = Stops::listen().map_err(|error| {
            fail(Exit::Failed, format_args!("signals: {}", system_words(&error)))
        })?;
        if let Way::Attached(door) = way {
            return attached(app, args, &settings, door, task, &mut stops).await;
        }
        let which = which(app, &args.turn).await?;
        let model = wiring::choose(app, &settings).await?;
        task::check(&task, model.info())?;
        let live = Live::new(app, format);
        let order = Order {
            settings: &settings,
            profile: &config.profile,
            which,
            keeping: args.turn.keeping(),
            schema,
            model,
            attendance: Attendance::of(app),
            live: Arc::clone(&live),
        };
        let wired = open(app, order).await?;
        let cancel = CancellationToken::new();
        let turn = wired.run(task, cancel.clone());
        let (ended, stop) = stops.guard(&cancel, turn).await;
        wired.close().await;
        let exit = report(&live, format, app.is_quiet, ended, stop);
        say_recorded(app, &settings);
        exit
    })
}

/// The turn at a server.
async fn attached(
    app: &App,
    args: &RunArgs,
    settings: &Settings,
    door: Door,
    task: Task,
    stops: &mut Stops,
) -> Result<Exit, Exit> {
    let format = args.output.format();
    let live = Live::new(app, format);
    let registry = wiring::registry(settings)?;
    live.label(wiring::cards(&registry));
    let mut seat = Seat::open(app, door, &args.turn, &live, settings).await?;
    match seat.run(task, stops).await {
        Ok((ended, stop)) => report(&live, format, app.is_quiet, ended.map(Ok), stop),
        Err(trouble) => Err(end::broke_off(&live, format, trouble)),
    }
}

/// Says how to play again what was recorded.
pub(crate) fn say_recorded(app: &App, settings: &Settings) {
    if let Some(file) = settings.record.as_ref().filter(|_| !app.is_quiet) {
        note(format_args!("recorded; play it again with `--model cassette/{}`", file.display()));
    }
}
