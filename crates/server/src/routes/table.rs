//! Every route, one row each.

use std::sync::LazyLock;

use axum::{
    http::Method,
    routing::{MethodFilter, MethodRouter, on},
};

use super::{
    Door, Gives, Reads, Repeats, Route, access, describe, files, health, media, messages, page,
    runs, sessions, setup, undo,
};
use crate::{Changes, KeyKept, SettingKept, Undone, state::App};

static TABLE: LazyLock<Vec<Route>> = LazyLock::new(|| {
    [
        open(),
        access(),
        session_rows(),
        live(),
        answers(),
        undo_rows(),
        file_rows(),
        setup_rows(),
        operations(),
    ]
    .into_iter()
    .flatten()
    .collect()
});

/// Every route of the server.
#[must_use]
pub fn route_table() -> &'static [Route] {
    &TABLE
}

type Handle = fn(MethodFilter) -> MethodRouter<std::sync::Arc<App>>;

/// A row for whoever has the token, which reads nothing and gives nothing.
fn row(method: Method, path: &'static str, about: &'static str, handle: Handle) -> Route {
    Route {
        method,
        path,
        door: Door::Token,
        reads: Reads::Nothing,
        repeats: Repeats::Free,
        about,
        handle,
        takes: None,
        asks: None,
        gives: Gives::Nothing,
    }
}

fn get(path: &'static str, about: &'static str, handle: Handle) -> Route {
    row(Method::GET, path, about, handle)
}

fn delete(path: &'static str, about: &'static str, handle: Handle) -> Route {
    row(Method::DELETE, path, about, handle)
}

fn post(path: &'static str, about: &'static str, handle: Handle) -> Route {
    row(Method::POST, path, about, handle)
}

fn open() -> Vec<Route> {
    vec![
        get("/", "The page.", |m| on(m, page::index)).at(Door::Page).giving(Gives::Page),
        get("/page/{file}", "A file of the page.", |m| on(m, page::file))
            .at(Door::Page)
            .giving(Gives::Page),
        get("/healthz", "Whether the server answers.", |m| on(m, health::alive))
            .at(Door::Page)
            .gives::<health::Alive>(),
        get("/readyz", "Whether work can be taken in.", |m| on(m, health::ready))
            .at(Door::Page)
            .gives::<health::Alive>(),
    ]
}

fn access() -> Vec<Route> {
    vec![
        post("/api/token", "Trades a start code for the token.", |m| on(m, access::trade))
            .at(Door::Code)
            .takes::<access::Trade>()
            .gives::<access::Token>(),
        post("/api/token/rotate", "Replaces the token; every stream ends.", |m| {
            on(m, access::rotate)
        })
        .takes::<access::Nothing>()
        .gives::<access::Token>(),
    ]
}

fn session_rows() -> Vec<Route> {
    vec![
        get("/api/sessions", "All sessions, newest first.", |m| on(m, sessions::list))
            .asks::<sessions::Page>()
            .gives::<sessions::SessionList>(),
        post("/api/sessions", "Begins a session.", |m| on(m, sessions::create))
            .takes::<sessions::Begin>()
            .once()
            .gives::<sessions::SessionRow>(),
        get("/api/sessions/search", "Places where words stand, newest first.", |m| {
            on(m, sessions::search)
        })
        .asks::<sessions::Search>()
        .gives::<sessions::HitList>(),
        get("/api/sessions/{id}", "A session, with what waits in it.", |m| on(m, sessions::show))
            .gives::<sessions::SessionDetail>(),
        delete("/api/sessions/{id}", "Removes a session and all that is kept of it.", |m| {
            on(m, sessions::delete)
        }),
        post("/api/sessions/{id}/fork", "A copy that goes on by itself.", |m| {
            on(m, sessions::fork)
        })
        .takes::<sessions::Copy>()
        .once()
        .gives::<sessions::SessionRow>(),
        get("/api/sessions/{id}/export", "The journal of a session, a record a line.", |m| {
            on(m, sessions::export)
        })
        .giving(Gives::Lines),
    ]
}

fn live() -> Vec<Route> {
    vec![
        post("/api/chat", "A message in, the events of its turn out.", |m| on(m, messages::chat))
            .takes::<messages::Chat>()
            .giving(Gives::Stream),
        get("/api/sessions/{id}/events", "What happened, then what happens.", |m| {
            on(m, messages::events)
        })
        .asks::<messages::After>()
        .giving(Gives::Stream),
        post("/api/sessions/{id}/messages", "Sends a message.", |m| on(m, messages::send))
            .takes::<messages::Say>()
            .gives::<messages::Received>(),
        post(
            "/api/sessions/{id}/continue",
            "Goes on with a turn that was interrupted or stopped; nothing is sent again.",
            |m| on(m, messages::go_on),
        )
        .takes::<messages::Continue>()
        .once()
        .gives::<messages::Continued>(),
        get("/api/sessions/{id}/queue", "The messages that wait.", |m| on(m, messages::queue))
            .gives::<messages::QueueList>(),
        delete("/api/sessions/{id}/queue/{message}", "Takes a message back that waits.", |m| {
            on(m, messages::unqueue)
        })
        .gives::<sessions::QueuedRow>(),
        post("/api/runs/{id}/stop", "Stops a call, a turn, or all.", |m| on(m, runs::stop))
            .takes::<runs::Stop>()
            .gives::<runs::Stopped>(),
        post("/api/sessions/{id}/budget", "Says how a turn goes on at a bound.", |m| {
            on(m, runs::decide)
        })
        .takes::<runs::Decision>()
        .once(),
        post("/api/sessions/{id}/mode", "Sets how much runs without a question.", |m| {
            on(m, sessions::set_mode)
        })
        .takes::<sessions::SetMode>()
        .once(),
    ]
}

fn answers() -> Vec<Route> {
    vec![
        post("/api/approvals/{hash}", "Answers a question.", |m| on(m, runs::answer))
            .takes::<runs::Reply>()
            .once(),
        get("/api/grants", "What answers let run for the rest of their sessions.", |m| {
            on(m, runs::grants)
        })
        .gives::<runs::GrantList>(),
        post("/api/sessions/{id}/grants/revoke", "Takes such an answer back.", |m| {
            on(m, runs::revoke)
        })
        .takes::<runs::Revoke>()
        .once(),
    ]
}

fn undo_rows() -> Vec<Route> {
    vec![
        get("/api/sessions/{id}/changes", "What calls changed.", |m| on(m, undo::changes))
            .asks::<undo::Whose>()
            .gives::<Changes>(),
        post("/api/sessions/{id}/undo", "Brings back what calls changed.", |m| on(m, undo::undo))
            .takes::<undo::BringBack>()
            .once()
            .gives::<Undone>(),
    ]
}

fn file_rows() -> Vec<Route> {
    vec![
        get("/api/files", "What a folder holds.", |m| on(m, files::list))
            .asks::<files::At>()
            .gives::<files::Listing>(),
        get("/api/files/raw", "A file, as it is.", |m| on(m, files::raw))
            .asks::<files::At>()
            .giving(Gives::Bytes),
        post("/api/files/upload", "Writes a file, whole.", |m| on(m, files::upload))
            .asks::<files::Upload>()
            .reading(Reads::Bytes)
            .gives::<files::Written>(),
        post("/api/files/folder", "Makes a folder.", |m| on(m, files::folder))
            .takes::<files::MakeFolder>()
            .once()
            .gives::<files::Written>(),
        post("/api/files/move", "Moves a file or folder.", |m| on(m, files::relocate))
            .takes::<files::Relocate>()
            .once()
            .gives::<files::Written>(),
        post("/api/files/rename", "Gives a file or folder another name.", |m| on(m, files::rename))
            .takes::<files::Rename>()
            .once()
            .gives::<files::Written>(),
        get("/api/media/{hash}", "An image that an event names by its hash.", |m| {
            on(m, media::media)
        })
        .asks::<media::Whose>()
        .giving(Gives::Bytes),
    ]
}

/// A `PUT` does the same however often it is done, so that no key is needed and nothing of it is kept.
fn put(path: &'static str, about: &'static str, handle: Handle) -> Route {
    row(Method::PUT, path, about, handle)
}

fn setup_rows() -> Vec<Route> {
    vec![
        get("/api/providers", "Every provider, and what it says for itself.", |m| {
            on(m, setup::providers)
        })
        .gives::<setup::ProviderList>(),
        put("/api/keys/{provider}", "Keeps a key, once its provider takes it.", |m| {
            on(m, setup::keep_key)
        })
        .takes::<setup::KeepKey>()
        .gives::<KeyKept>(),
        delete("/api/keys/{provider}", "Forgets a key that is kept.", |m| on(m, setup::forget_key)),
        put("/api/settings/{name}", "Sets a setting in the user's file.", |m| on(m, setup::set))
            .takes::<setup::SetSetting>()
            .gives::<SettingKept>(),
        delete("/api/settings/{name}", "Takes a setting out of the user's file.", |m| {
            on(m, setup::unset)
        })
        .gives::<SettingKept>(),
    ]
}

fn operations() -> Vec<Route> {
    vec![
        get("/api/config", "What is set.", |m| on(m, health::config)).gives::<health::Settings>(),
        get("/api/models", "The models that were found.", |m| on(m, health::models))
            .gives::<health::ModelList>(),
        get("/api/health", "Whether each part is well.", |m| on(m, health::report))
            .gives::<health::HealthReport>(),
        get("/metrics", "Numbers, in the form that Prometheus reads.", |m| on(m, health::metrics))
            .giving(Gives::Text),
        get("/openapi.json", "This interface, in the form of OpenAPI.", |m| on(m, describe::api))
            .giving(Gives::Document),
        get("/schema/events.json", "The events, as a JSON Schema.", |m| on(m, describe::events))
            .giving(Gives::Document),
    ]
}
