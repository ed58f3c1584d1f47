//! Keeps the leases of this server, and gives them back.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::mpsc,
    time::{MissedTickBehavior, interval},
};

use super::{
    failure::Failure,
    leases::{self, Owner},
    server::Server,
};

/// A lease that nobody holds any more.
#[derive(Debug)]
pub(super) struct Release {
    pub(super) session: String,
    pub(super) epoch: u64,
}

/// Says that the server lives, three times a lease, until the journal closes.
pub(super) async fn run(
    server: Arc<Server>,
    owner: Owner,
    lease: Duration,
    mut releases: mpsc::UnboundedReceiver<Release>,
) {
    let mut beats = interval(lease / 3);
    beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        // A beat or a release that fails is made up for by the next beat, or by the lease's end.
        tokio::select! {
            _ = beats.tick() => { let _ = beat(&server, &owner, lease).await; }
            release = releases.recv() => match release {
                Some(release) => { let _ = give_back(&server, &owner, release).await; }
                None => break,
            },
        }
    }
    let _ = sign_off(&server, &owner).await;
}

async fn beat(server: &Server, owner: &Owner, lease: Duration) -> Result<(), Failure> {
    leases::beat(&server.client().await?, owner, lease).await
}

async fn give_back(server: &Server, owner: &Owner, release: Release) -> Result<(), Failure> {
    let Release { session, epoch } = release;
    leases::release(&server.client().await?, &session, epoch, owner).await
}

async fn sign_off(server: &Server, owner: &Owner) -> Result<(), Failure> {
    leases::sign_off(&server.first_client().await?, owner).await
}
