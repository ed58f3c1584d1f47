//! What other servers append.

use std::{future::poll_fn, sync::Arc, time::Duration};

use tokio::sync::mpsc;
use tokio_postgres::{AsyncMessage, NoTls};

use super::{CHANNEL, events, failure::Failure, server::Server, sessions};
use crate::{StoreError, scope::Scope, wake::Wakeups};

/// How long is waited before a lost connection is made again.
const AGAIN: Duration = Duration::from_millis(200);

/// Who is told.
#[derive(Debug)]
pub(super) struct Ears {
    pub(super) wakeups: Arc<Wakeups>,
    pub(super) letters: Arc<Wakeups>,
}

/// Wakes who watches, until it is aborted.
pub(super) async fn run(server: Arc<Server>, ears: Ears) {
    loop {
        // Whatever is wrong with the server is told to who reads or appends next.
        let _ = listen(&server, &ears).await;
        tokio::time::sleep(AGAIN).await;
    }
}

async fn listen(server: &Server, ears: &Ears) -> Result<(), Failure> {
    let (client, mut connection) = server.config.connect(NoTls).await?;
    let (sender, mut told) = mpsc::unbounded_channel();
    // Ends with the client.
    tokio::spawn(async move {
        while let Some(Ok(message)) = poll_fn(|cx| connection.poll_message(cx)).await {
            if let AsyncMessage::Notification(note) = message {
                // Nobody listens any more where this fails.
                let _ = sender.send(note.payload().to_owned());
            }
        }
    });
    client.batch_execute(&format!("LISTEN {CHANNEL}")).await?;
    catch_up(server, ears).await?;
    while let Some(payload) = told.recv().await {
        tell(ears, &payload);
    }
    Ok(())
}

fn tell(ears: &Ears, payload: &str) {
    let letter = payload.strip_prefix("letter ");
    let Some((n, session)) = letter.unwrap_or(payload).split_once(' ') else { return };
    let Ok(n) = n.parse() else { return };
    if letter.is_some() {
        ears.letters.tell(session, n);
    } else if n == 0 {
        ears.wakeups.end(session);
        ears.letters.end(session);
    } else {
        ears.wakeups.tell(session, n);
    }
}

/// Tells what was appended while nobody listened.
async fn catch_up(server: &Server, ears: &Ears) -> Result<(), Failure> {
    let db = server.client().await?;
    let last = db.query_one("SELECT coalesce(max(n), 0) FROM tagline.letters", &[]).await?;
    let last = u64::try_from(last.try_get::<_, i64>(0)?).unwrap_or(0);
    for session in ears.letters.sessions() {
        ears.letters.tell(&session, last);
    }
    let wakeups = &ears.wakeups;
    for session in wakeups.sessions() {
        match sessions::key(&db, &Scope::default(), &session).await {
            Ok(key) => wakeups.tell(&session, events::last_seq(&db, key).await?),
            Err(Failure::Store(StoreError::NoSession(_))) => wakeups.end(&session),
            Err(failure) => return Err(failure),
        }
    }
    Ok(())
}
