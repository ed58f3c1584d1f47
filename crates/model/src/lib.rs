//! A model as a stream of text: providers behind one trait, fault classes, a scripted model, a
//! cassette.
//!
//! The crate knows wire formats and nothing of tags, tools or turns. A [`Connector`] turns a
//! [`ModelRef`] into a [`Model`]; [`detect`] finds out which there are. The environment comes in
//! as data ([`Env`]), time through tokio.
//!
//! # Invariants
//!
//! 1. However the network cuts a body, the events are the same.
//! 2. A stream ends with exactly one [`ModelEvent::Finish`] or one [`ModelFault`], and nothing
//!    follows.
//! 3. A body cut anywhere gives a prefix of the text and the fault `cut`, or is tried again before
//!    any of it was given; it never looks finished.
//! 4. Nothing is asked again after a part of the reply was given.
//! 5. A key goes to its provider's own address alone, and into no event, fault, `Debug` form or
//!    cassette.
//! 6. At most 6 tries, and none begins after 120 s; what is held of a stream is at most one event
//!    of 4 MiB.
//! 7. However many sessions share a [`Connector`], a host in trouble is sent at most two requests
//!    a second, and one that keeps failing a single one every now and then.

mod attempt;
mod cassette;
mod env;
mod fallback;
mod fault;
mod frames;
mod host;
mod limits;
mod provider;
mod remote;
mod retry;
mod script;
mod stream;
mod transport;
mod wire;

pub use cassette::{CassetteError, CassetteModel};
pub use env::Env;
pub use fallback::FallbackModel;
pub use fault::{FaultClass, FaultSide, ModelFault};
pub use host::HostState;
pub use limits::ModelLimits;
pub use provider::{
    ConnectError, Connector, DETECT_PATIENCE, Found, FoundBy, Listing, ModelRef, ProviderConfig,
    ProviderFacts, ServerModel, detect, key_variables, list_models, provider_facts, provider_names,
    request_body,
};
pub use script::{ScriptError, ScriptedModel};
pub use stream::{
    FinishReason, Model, ModelEvent, ModelInfo, ModelStream, Request, Responder, server_of,
};
