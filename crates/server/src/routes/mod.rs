//! The table of routes: the only list, from which router, access and documentation are made.

mod access;
mod health;
mod page;
mod table;

use std::sync::Arc;

use axum::{
    Router,
    http::Method,
    middleware::from_fn_with_state,
    routing::{MethodFilter, MethodRouter},
};

use crate::{ApiError, gate::admit, state::App};

pub use table::route_table;

/// Who may use a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// Everyone on a host of ours: files of the page, health without details. They hold no data.
    Page,
    /// Whoever has a start code, which the handler checks.
    Code,
    /// Whoever has the token.
    Token,
}

/// What a route reads as its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Nothing.
    Nothing,
    /// JSON.
    Json,
}

impl Reads {
    pub(crate) const fn content_type(self) -> Option<&'static str> {
        match self {
            Self::Nothing => None,
            Self::Json => Some("application/json"),
        }
    }
}

/// A row of the table.
#[derive(Debug)]
pub struct Route {
    /// `GET`, `POST`, `PUT` or `DELETE`.
    pub method: Method,
    /// The path, with `{name}` for what varies.
    pub path: &'static str,
    /// Who may use it.
    pub door: Door,
    /// Its body.
    pub reads: Reads,
    /// What it does, in a sentence.
    pub about: &'static str,
    pub(crate) handle: fn(MethodFilter) -> MethodRouter<Arc<App>>,
}

/// The row for a request. `HEAD` is a `GET` of which only the head is sent.
pub(crate) fn find(method: &Method, path: &str) -> Option<(usize, &'static Route)> {
    let method = if method == Method::HEAD { &Method::GET } else { method };
    let is_it = |route: &Route| route.path == path && route.method == *method;
    route_table().iter().enumerate().find(|(_, route)| is_it(route))
}

/// The router of the whole table.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let mut router = Router::new();
    for route in route_table() {
        // The table is tested to hold no other methods.
        let Ok(method) = MethodFilter::try_from(route.method.clone()) else { continue };
        let method =
            if route.method == Method::GET { method.or(MethodFilter::HEAD) } else { method };
        router = router.route(route.path, (route.handle)(method));
    }
    router
        .fallback(async || ApiError::NoRoute)
        .method_not_allowed_fallback(async || ApiError::Method)
        .layer(from_fn_with_state(Arc::clone(app), admit))
        .with_state(Arc::clone(app))
}
