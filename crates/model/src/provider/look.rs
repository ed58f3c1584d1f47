//! What a provider would be sent, without sending it.

use serde_json::Value;

use super::known::provider;
use crate::{ModelFault, Request, wire::Target};

/// The body of the request as the provider of that name would be sent it, for a look at it; `None`
/// if there is no such provider. It holds no key.
///
/// # Errors
///
/// `bad_request` if the transcript cannot be sent: it is empty, or the model speaks first.
///
/// # Examples
///
/// ```
/// use tagline_model::{Request, request_body};
/// use tagline_protocol::{Message, Role};
///
/// let request =
///     Request { messages: vec![Message::new(Role::User, "hello")], ..Request::default() };
/// let body = request_body("anthropic", "a-model", true, &request).unwrap().unwrap();
/// assert_eq!(body["messages"][0]["role"], "user");
/// ```
#[must_use]
pub fn request_body(
    provider_name: &str,
    model: &str,
    takes_images: bool,
    request: &Request,
) -> Option<Result<Value, ModelFault>> {
    let wire = provider(provider_name)?.wire;
    Some(wire.call(Target { model, takes_images }, request).map(|call| call.body))
}
