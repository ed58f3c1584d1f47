//! Numbers of the server, in the form that Prometheus reads.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fmt::Write as _,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use tagline_session::Health;

use crate::{Check, ProviderState};

/// What is counted since the start.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Answers, by status and code.
    answers: Mutex<BTreeMap<(u16, Cow<'static, str>), u64>>,
    pub(crate) frames: AtomicU64,
    pub(crate) stream_bytes: AtomicU64,
    pub(crate) streams_opened: AtomicU64,
    pub(crate) streams_cut: AtomicU64,
}

/// How it is at present.
pub(crate) struct Now {
    pub(crate) health: Health,
    /// Streams that are open.
    pub(crate) streams: usize,
    pub(crate) checks: Vec<Check>,
    pub(crate) providers: Vec<ProviderState>,
}

impl Metrics {
    pub(crate) fn count(&self, status: u16, code: Cow<'static, str>) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        *answers.entry((status, code)).or_default() += 1;
    }

    /// The whole text.
    pub(crate) fn text(&self, now: &Now) -> String {
        let mut text = String::new();
        head(&mut text, "tagline_http_answers_total", "counter", "Answers, by status and code.");
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for ((status, code), n) in answers {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "tagline_http_answers_total{{status=\"{status}\",code=\"{code}\"}} {n}"
            );
        }
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let counters = [
            ("tagline_stream_frames_total", "Frames sent on streams.", load(&self.frames)),
            ("tagline_stream_bytes_total", "Bytes sent on streams.", load(&self.stream_bytes)),
            (
                "tagline_streams_opened_total",
                "Streams that were opened.",
                load(&self.streams_opened),
            ),
            (
                "tagline_streams_cut_total",
                "Streams that this side ended: slow, shut down, token replaced.",
                load(&self.streams_cut),
            ),
        ];
        for (name, about, n) in counters {
            head(&mut text, name, "counter", about);
            let _ = writeln!(text, "{name} {n}");
        }
        gauges(&mut text, &now.health, now.streams);
        parts(&mut text, now);
        text
    }
}

fn gauges(text: &mut String, health: &Health, streams: usize) {
    let gauges = [
        ("tagline_streams", "Streams that are open.", streams),
        ("tagline_sessions", "Sessions that were used since the start.", health.sessions),
        ("tagline_turns", "Turns that run.", health.turns),
        ("tagline_messages_waiting", "Messages that wait for their turn.", health.queued),
        ("tagline_approvals_waiting", "Questions that wait for a person.", health.approvals),
        ("tagline_queues_full", "Sessions that take no more messages for now.", health.full_queues),
        ("tagline_readers", "Readers of sessions.", health.watchers),
        ("tagline_tasks", "Tasks that have not ended.", health.tasks),
        (
            "tagline_safe_mode",
            "1 after too many starts in a short time.",
            health.is_safe_mode.into(),
        ),
    ];
    for (name, about, n) in gauges {
        head(text, name, "gauge", about);
        let _ = writeln!(text, "{name} {n}");
    }
}

/// What has a name of its own.
fn parts(text: &mut String, now: &Now) {
    head(text, "tagline_part_well", "gauge", "1 where a part is well, as `/api/health` says.");
    for Check { name, is_well, .. } in &now.checks {
        let n = u8::from(*is_well);
        let _ = writeln!(text, "tagline_part_well{{part=\"{}\"}} {n}", label(name));
    }
    let about = "1 where a provider that failed is not asked for now, 0 where it is asked again.";
    head(text, "tagline_provider_circuit_open", "gauge", about);
    for ProviderState { name, is_asked, code } in &now.providers {
        let (name, code, n) = (label(name), label(code), u8::from(!is_asked));
        let _ = writeln!(
            text,
            "tagline_provider_circuit_open{{provider=\"{name}\",code=\"{code}\"}} {n}"
        );
    }
}

/// A text as the value of a label.
fn label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn head(text: &mut String, name: &str, kind: &str, about: &str) {
    let _ = writeln!(text, "# HELP {name} {about}\n# TYPE {name} {kind}");
}
