//! What a server says about itself: its models, and whether it is llama.cpp.

use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::Value;
use tokio::time::timeout;

use crate::{
    fault::{ProviderError, Signal},
    transport::{Answer, Call, Method, Transport},
    wire::Wire,
};

/// Bytes of a list of models that are read.
const MAX_LIST: usize = 8 << 20;

/// A model that a server lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerModel {
    /// The server's own name of it.
    pub name: String,
    /// Tokens of context, where the server says so.
    pub context_tokens: Option<u64>,
    /// How many parameters it has, where the server says so.
    pub parameters: Option<u64>,
    /// Whether it takes images, where the server says so.
    pub takes_images: Option<bool>,
}

/// What a server says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Probe {
    pub(crate) is_llama_cpp: bool,
    pub(crate) models: Vec<ServerModel>,
}

/// Asks for the list of models.
pub(crate) async fn probe(
    transport: &dyn Transport,
    wire: Wire,
    patience: Duration,
) -> Result<Probe, Signal> {
    let headers = match wire {
        Wire::Anthropic => vec![("anthropic-version", "2023-06-01".to_owned())],
        Wire::OpenAi(_) | Wire::Gemini => Vec::new(),
    };
    let path = wire.models_path().to_owned();
    let call = Call { method: Method::Get, path, headers, body: Value::Null };
    read(get(transport, call, patience).await?)
}

/// Asks for what only a good key opens.
pub(crate) async fn knock(
    transport: &dyn Transport,
    path: &str,
    patience: Duration,
) -> Result<(), Signal> {
    let path = path.to_owned();
    let call = Call { method: Method::Get, path, headers: Vec::new(), body: Value::Null };
    get(transport, call, patience).await.map(|_| ())
}

/// A success, whole.
struct Got {
    is_llama_cpp: bool,
    content_type: Option<String>,
    bytes: Vec<u8>,
}

async fn get(transport: &dyn Transport, call: Call, patience: Duration) -> Result<Got, Signal> {
    let asked = async {
        let answer = transport.send(call).await.map_err(Signal::Transport)?;
        whole(answer).await
    };
    timeout(patience, asked).await.map_err(|_| Signal::FirstByteTimeout(patience))?
}

async fn whole(answer: Answer) -> Result<Got, Signal> {
    let Answer { status, headers, mut body } = answer;
    let mut bytes = Vec::new();
    while let Some(chunk) = body.next().await {
        bytes.extend_from_slice(&chunk.map_err(Signal::Transport)?);
        if MAX_LIST < bytes.len() {
            return Err(Signal::BadStream(format!("the list of models is over {MAX_LIST} bytes")));
        }
    }
    if !(200..300).contains(&status) {
        let json = serde_json::from_slice::<Value>(&bytes).ok();
        let error = json.as_ref().and_then(ProviderError::from_json).unwrap_or_default();
        return Err(Signal::Provider { status: Some(status), error, wait: None });
    }
    let is_llama_cpp = headers.get("server").is_some_and(|server| server.contains("llama.cpp"));
    Ok(Got { is_llama_cpp, content_type: headers.get("content-type").map(str::to_owned), bytes })
}

fn read(Got { is_llama_cpp: is_named, content_type, bytes }: Got) -> Result<Probe, Signal> {
    let json = serde_json::from_slice::<Value>(&bytes).ok();
    let list = json.as_ref().and_then(list);
    let Some(list) = list else {
        let begins = String::from_utf8_lossy(&bytes).chars().take(80).collect();
        return Err(Signal::BadAnswer { content_type, begins });
    };
    let is_owned =
        list.iter().any(|model| model.get("owned_by").and_then(Value::as_str) == Some("llamacpp"));
    Ok(Probe {
        is_llama_cpp: is_named || is_owned,
        models: list.iter().filter_map(model).collect(),
    })
}

/// `{"data": […]}`, or `{"models": […]}` of Google.
fn list(json: &Value) -> Option<&Vec<Value>> {
    json.get("data").or_else(|| json.get("models"))?.as_array()
}

fn model(model: &Value) -> Option<ServerModel> {
    let name = model.get("id").or_else(|| model.get("name"))?.as_str()?;
    let context = [
        "/meta/n_ctx",
        "/max_model_len",
        "/context_length",
        "/context_window",
        "/max_context_length",
        "/inputTokenLimit",
    ];
    let inputs = model.pointer("/architecture/input_modalities").and_then(Value::as_array);
    Some(ServerModel {
        name: name.strip_prefix("models/").unwrap_or(name).to_owned(),
        context_tokens: context.iter().find_map(|at| model.pointer(at)?.as_u64()),
        parameters: model.pointer("/meta/n_params").and_then(Value::as_u64),
        takes_images: inputs.map(|inputs| inputs.iter().any(|kind| kind == "image")),
    })
}
