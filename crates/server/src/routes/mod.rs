//! The table of routes: the only list, from which router, access and documentation are made.

mod access;
mod describe;
mod files;
mod health;
mod media;
mod messages;
mod page;
mod runs;
mod sessions;
mod setup;
mod table;
mod undo;

use std::sync::Arc;

use axum::{
    Router,
    http::Method,
    middleware::from_fn_with_state,
    routing::{MethodFilter, MethodRouter},
};
use schemars::{JsonSchema, Schema, SchemaGenerator};

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
    /// The bytes of a file.
    Bytes,
}

impl Reads {
    pub(crate) const fn content_type(self) -> Option<&'static str> {
        match self {
            Self::Nothing => None,
            Self::Json => Some("application/json"),
            Self::Bytes => Some("application/octet-stream"),
        }
    }
}

/// What the same request under the same `Idempotency-Key` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// It is done again; or the route looks at the key itself.
    Free,
    /// It gets the first answer.
    Once,
}

/// Writes the schema of a type.
pub(crate) type Shape = fn(&mut SchemaGenerator) -> Schema;

/// What a success gives.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Gives {
    /// Nothing.
    Nothing,
    /// JSON of this shape.
    Json(Shape),
    /// JSON that describes something.
    Document,
    /// Events.
    Stream,
    /// JSON, one value a line.
    Lines,
    /// Bytes of any kind.
    Bytes,
    /// Plain text.
    Text,
    /// A file of the page.
    Page,
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
    /// What a second request with the same key does.
    pub repeats: Repeats,
    /// What it does, in a sentence.
    pub about: &'static str,
    pub(crate) handle: fn(MethodFilter) -> MethodRouter<Arc<App>>,
    pub(crate) takes: Option<Shape>,
    pub(crate) asks: Option<Shape>,
    pub(crate) gives: Gives,
}

impl Route {
    const fn at(mut self, door: Door) -> Self {
        self.door = door;
        self
    }

    const fn once(mut self) -> Self {
        self.repeats = Repeats::Once;
        self
    }

    const fn reading(mut self, reads: Reads) -> Self {
        self.reads = reads;
        self
    }

    const fn giving(mut self, gives: Gives) -> Self {
        self.gives = gives;
        self
    }

    fn takes<T: JsonSchema>(mut self) -> Self {
        self.reads = Reads::Json;
        self.takes = Some(shape::<T>);
        self
    }

    fn asks<T: JsonSchema>(mut self) -> Self {
        self.asks = Some(shape::<T>);
        self
    }

    fn gives<T: JsonSchema>(self) -> Self {
        self.giving(Gives::Json(shape::<T>))
    }
}

fn shape<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
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
