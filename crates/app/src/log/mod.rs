//! Diagnostics: on standard error where `TAGLINE_LOG` asks for them, spans in the file of
//! `--trace-file`, and to a collector where `OTEL_EXPORTER_OTLP_ENDPOINT` names one.
//!
//! Nothing is sent anywhere unless that variable says where.

#[cfg(feature = "otlp")]
mod otlp;
mod trace;

use std::{
    io::{self, IsTerminal as _},
    path::Path,
};

use tracing_subscriber::{
    EnvFilter, Layer, Registry, filter::filter_fn, layer::SubscriberExt as _,
    util::SubscriberInitExt as _,
};

#[cfg(not(feature = "otlp"))]
use crate::output::note;
use crate::{
    env::Env,
    exit::Exit,
    output::{covered, fail},
};

/// A place that diagnostics go to.
type Sink = Box<dyn Layer<Registry> + Send + Sync>;

/// What must be finished before the process ends.
#[derive(Debug, Default)]
pub(crate) struct Logging {
    #[cfg(feature = "otlp")]
    exporter: Option<otlp::Exporter>,
}

/// Starts what is asked for; without a wish nothing is.
pub(crate) fn start(env: &Env, trace_file: Option<&Path>) -> Result<Logging, Exit> {
    let mut sinks: Vec<Sink> = Vec::new();
    if let Some(wanted) = env.get("TAGLINE_LOG") {
        let filter = EnvFilter::try_new(wanted).map_err(|error| {
            fail(Exit::Setup, format_args!("environment TAGLINE_LOG: {error}; mend or unset it"))
        })?;
        // Colors in a file would be noise.
        let is_colored = io::stderr().is_terminal() && env.get("NO_COLOR").is_none();
        let lines = tracing_subscriber::fmt::layer().with_ansi(is_colored).with_writer(|| Lines);
        sinks.push(lines.with_filter(filter).boxed());
    }
    if let Some(file) = trace_file {
        let spans = trace::Spans::open(&env.cwd().join(file))?;
        sinks.push(spans.with_filter(filter_fn(|it| is_ours(it.target()))).boxed());
    }
    #[cfg(feature = "otlp")]
    let logging = {
        let found = otlp::start(env)?;
        let (exporter, sink) = found.map_or((None, None), |(a, b)| (Some(a), Some(b)));
        sinks.extend(sink);
        Logging { exporter }
    };
    #[cfg(not(feature = "otlp"))]
    let logging = {
        if collector(env).is_some() {
            let words = "is set, but this build sends no traces; use a release, or build it with \
                         `--features otlp`";
            note(format_args!("warning: environment {COLLECTOR} {words}"));
        }
        Logging::default()
    };
    if !sinks.is_empty() {
        tracing_subscriber::registry().with(sinks).init();
    }
    Ok(logging)
}

/// Standard error, without secrets. Each event comes in one piece.
struct Lines;

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        io::stderr().lock().write_all(covered(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().lock().flush()
    }
}

/// Names the collector.
const COLLECTOR: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";

/// Where spans are to be sent, if anywhere.
fn collector(env: &Env) -> Option<&str> {
    let is_off = env.get("OTEL_SDK_DISABLED").is_some_and(|text| text.eq_ignore_ascii_case("true"));
    env.get(COLLECTOR).filter(|_| !is_off)
}

/// Spans of a turn; those of libraries are left out.
fn is_ours(target: &str) -> bool {
    target.starts_with("tagline_session")
}

impl Logging {
    /// Sends what was not sent yet; takes some seconds at most.
    pub(crate) fn finish(self) {
        #[cfg(feature = "otlp")]
        if let Some(exporter) = self.exporter {
            exporter.finish();
        }
    }
}
