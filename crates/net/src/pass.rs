//! Who may use the proxy, and where they went.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use tokio::sync::{Semaphore, watch};

/// The user of a pass, beside its token.
const USER: &str = "tagline";
/// Connections of one pass at a time.
const CONNECTIONS: usize = 64;
/// Different visits that are remembered of one pass.
const VISITS: usize = 200;

/// Where a program went by the proxy, or was kept from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The host, in its one spelling; as it was written where it has none.
    pub host: String,
    /// The port.
    pub port: u16,
    /// Why it was not reached, if so.
    pub refusal: Option<String>,
    /// How many times.
    pub times: u64,
}

/// The right to use a proxy, for as long as it is held. Dropping it ends its connections.
#[derive(Debug)]
pub struct Pass {
    token: String,
    book: Arc<Book>,
    passes: Passes,
}

/// The passes of a proxy, by what a program shows to use one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passes(Arc<Mutex<BTreeMap<String, Arc<Book>>>>);

/// What is written of a pass.
#[derive(Debug)]
pub(crate) struct Book {
    visits: Mutex<Vec<Visit>>,
    pub(crate) room: Arc<Semaphore>,
    is_over: watch::Sender<bool>,
}

impl Pass {
    /// The address of the proxy on this port of the loopback interface, as programs are told it.
    #[must_use]
    pub fn url(&self, port: u16) -> String {
        format!("http://{USER}:{}@127.0.0.1:{port}", self.token)
    }

    /// Where its holder went so far, in order, each place once.
    #[must_use]
    pub fn visits(&self) -> Vec<Visit> {
        self.book.lock().clone()
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        self.passes.lock().remove(&shown(&self.token));
        self.book.is_over.send_replace(true);
    }
}

impl Passes {
    pub(crate) fn issue(&self, token: String) -> Pass {
        let book = Arc::new(Book {
            visits: Mutex::default(),
            room: Arc::new(Semaphore::new(CONNECTIONS)),
            is_over: watch::Sender::new(false),
        });
        self.lock().insert(shown(&token), Arc::clone(&book));
        Pass { token, book, passes: self.clone() }
    }

    /// The pass that is shown by this value of `proxy-authorization`.
    pub(crate) fn find(&self, shown: &str) -> Option<Arc<Book>> {
        self.lock().get(shown).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Book>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a program sends for it (RFC 7617).
fn shown(token: &str) -> String {
    format!("Basic {}", STANDARD.encode(format!("{USER}:{token}")))
}

impl Book {
    pub(crate) fn write(&self, host: &str, port: u16, refusal: Option<String>) {
        let mut visits = self.lock();
        let is_same = |it: &&mut Visit| it.host == host && it.port == port && it.refusal == refusal;
        if let Some(known) = visits.iter_mut().find(is_same) {
            known.times += 1;
        } else if visits.len() < VISITS {
            visits.push(Visit { host: host.to_owned(), port, refusal, times: 1 });
        }
    }

    /// Waits for the end of the pass.
    pub(crate) async fn over(&self) {
        // The sender lives as long as this borrow.
        let _ = self.is_over.subscribe().wait_for(|is_over| *is_over).await;
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Visit>> {
        self.visits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
