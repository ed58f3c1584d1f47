//! What other servers append.

use std::{future::poll_fn, sync::Arc, time::Duration};

use tokio::sync::mpsc;
use tokio_postgres::{AsyncMessage, NoTls};

use super::{CHANNEL, events, failure::Failure, server::Server, sessions};
use crate::{StoreError, scope::Scope, wake::Wakeups};

/// How long is waited before a lost connection is made again.
const AGAIN: Duration = Duration::from_millis(200);

/// Wakes who watches, until it is aborted.
pub(super) async fn run(server: Arc<Server>, wakeups: Arc<Wakeups>) {
    loop {
        // Whatever is wrong with the server is told to who reads or appends next.
        let _ = listen(&server, &wakeups).await;
        tokio::time::sleep(AGAIN).await;
    }
}

async fn listen(server: &Server, wakeups: &Wakeups) -> Result<(), Failure> {
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
    catch_up(server, wakeups).await?;
    while let Some(payload) = told.recv().await {
        tell(wakeups, &payload);
    }
    Ok(())
}

fn tell(wakeups: &Wakeups, payload: &str) {
    let Some((seq, session)) = payload.split_once(' ') else { return };
    match seq.parse() {
        Ok(0) => wakeups.end(session),
        Ok(seq) => wakeups.tell(session, seq),
        Err(_) => {}
    }
}

/// Tells what was appended while nobody listened.
async fn catch_up(server: &Server, wakeups: &Wakeups) -> Result<(), Failure> {
    let db = server.client().await?;
    for session in wakeups.sessions() {
        match sessions::key(&db, &Scope::default(), &session).await {
            Ok(key) => wakeups.tell(&session, events::last_seq(&db, key).await?),
            Err(Failure::Store(StoreError::NoSession(_))) => wakeups.end(&session),
            Err(failure) => return Err(failure),
        }
    }
    Ok(())
}
