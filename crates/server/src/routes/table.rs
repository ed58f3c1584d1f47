//! Every route, one row each.

use std::sync::LazyLock;

use axum::{http::Method, routing::on};

use super::{Door, Reads, Route, access, health, page};

static TABLE: LazyLock<Vec<Route>> =
    LazyLock::new(|| [open(), access()].into_iter().flatten().collect());

/// Every route of the server.
#[must_use]
pub fn route_table() -> &'static [Route] {
    &TABLE
}

fn open() -> Vec<Route> {
    vec![
        Route {
            method: Method::GET,
            path: "/",
            door: Door::Page,
            reads: Reads::Nothing,
            about: "The page.",
            handle: |method| on(method, page::index),
        },
        Route {
            method: Method::GET,
            path: "/page/{file}",
            door: Door::Page,
            reads: Reads::Nothing,
            about: "A file of the page.",
            handle: |method| on(method, page::file),
        },
        Route {
            method: Method::GET,
            path: "/healthz",
            door: Door::Page,
            reads: Reads::Nothing,
            about: "Whether the server answers.",
            handle: |method| on(method, health::alive),
        },
    ]
}

fn access() -> Vec<Route> {
    vec![
        Route {
            method: Method::POST,
            path: "/api/token",
            door: Door::Code,
            reads: Reads::Json,
            about: "Trades a start code for the token.",
            handle: |method| on(method, access::trade),
        },
        Route {
            method: Method::POST,
            path: "/api/token/rotate",
            door: Door::Token,
            reads: Reads::Json,
            about: "Replaces the token; every stream ends.",
            handle: |method| on(method, access::rotate),
        },
    ]
}
