//! Providers: what is known of each, how one is named, found and connected.

mod connect;
mod detect;
mod error;
mod known;
mod listing;
mod look;
mod probe;
mod reference;

pub(crate) use connect::shown;
pub use connect::{Connector, ProviderConfig};
pub use detect::{DETECT_PATIENCE, Found, FoundBy, detect};
pub use error::ConnectError;
pub use known::{key_variables, provider_names};
pub use listing::{Listing, ProviderFacts, list_models, provider_facts};
pub use look::request_body;
pub use probe::ServerModel;
pub use reference::ModelRef;
