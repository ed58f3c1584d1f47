//! Spans to a collector, over OTLP with HTTP.

use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::{Resource, trace::SdkTracerProvider};
use tracing_subscriber::{Layer as _, filter::filter_fn};

use super::{COLLECTOR, Sink, collector, is_ours};
use crate::{
    env::Env,
    exit::Exit,
    output::{fail, note},
};

/// Sends spans until it is finished.
#[derive(Debug)]
pub(super) struct Exporter(SdkTracerProvider);

/// Starts to send, if the environment says where; the rest of its variables are the library's.
pub(super) fn start(env: &Env) -> Result<Option<(Exporter, Sink)>, Exit> {
    let Some(endpoint) = collector(env) else { return Ok(None) };
    let traces = format!("{}/v1/traces", endpoint.trim_end_matches('/'));
    let exporter = SpanExporter::builder().with_http().with_endpoint(traces).build();
    let exporter = exporter.map_err(|error| {
        let words = format!("environment {COLLECTOR}: {error}; mend or unset it");
        fail(Exit::Setup, words)
    })?;
    let name = env.get("OTEL_SERVICE_NAME").unwrap_or("tagline").to_owned();
    let resource = Resource::builder().with_service_name(name).build();
    let provider =
        SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("tagline"));
    let sink = layer.with_filter(filter_fn(|it| is_ours(it.target()))).boxed();
    Ok(Some((Exporter(provider), sink)))
}

impl Exporter {
    /// Sends what is left.
    pub(super) fn finish(self) {
        if let Err(error) = self.0.shutdown() {
            note(format_args!("warning: traces: {error}"));
        }
    }
}
