//! A disk that is really full.

use std::{fs, path::PathBuf};

use tagline_store::{Durability, Journal, SqliteJournal, StoreError};
use tokio::runtime::Builder;

use crate::support::{message, session};

/// A small disk to fill; `cargo xtask full-disk` makes one. Without it there is room for all.
const SMALL: &str = "TAGLINE_TEST_SMALL_DISK";
/// What is freed in the end, in bytes: room for what is set aside and for some records.
const BALLAST: usize = 1_600_000;

#[expect(clippy::disallowed_methods, reason = "a chore says where")]
fn small_disk() -> Option<PathBuf> {
    std::env::var_os(SMALL).map(Into::into)
}

async fn append(
    journal: &impl Journal,
    size: usize,
    durability: Durability,
) -> Result<u64, StoreError> {
    let frames = journal.append("a", vec![message(&"x".repeat(size))], durability).await?;
    Ok(frames[0].seq)
}

/// Appends until the disk is full, at most so often; how many records there are.
async fn fill(journal: &impl Journal, at_most: u64) -> u64 {
    let mut n = 0;
    while n < at_most {
        match append(journal, 8_000, Durability::Full).await {
            Ok(seq) => n = seq,
            Err(StoreError::Full { .. }) => break,
            Err(error) => panic!("{error}"),
        }
    }
    n
}

#[test]
fn a_full_disk_keeps_what_it_has_takes_what_closes_a_turn_and_goes_on_once_there_is_room() {
    let small = small_disk();
    let folder = small.clone().map_or_else(tempfile::tempdir, tempfile::tempdir_in).unwrap();
    let ballast = folder.path().join("ballast");
    fs::write(&ballast, vec![0; BALLAST]).unwrap();
    let journal = SqliteJournal::open(&folder.path().join("j.db")).unwrap();
    let reserve = folder.path().join("j.db-reserve");
    Builder::new_current_thread().build().unwrap().block_on(async {
        journal.create(session("a")).await.unwrap();
        let at_most = if small.is_some() { 5_000 } else { 50 };
        let n = fill(&journal, at_most).await;
        assert_eq!(n == at_most, small.is_none(), "only a small disk is full after {n} records");
        if small.is_some() {
            let late = append(&journal, 8_000, Durability::Full).await;
            assert!(matches!(late, Err(StoreError::Full { .. })));
        }
        assert_eq!(append(&journal, 8_000, Durability::Closing).await, Ok(n + 1));
        assert_eq!(reserve.exists(), small.is_none());
        if small.is_some() {
            let late = append(&journal, 10, Durability::Full).await;
            assert!(matches!(late, Err(StoreError::Full { .. })), "something began: {late:?}");
        }
        fs::remove_file(&ballast).unwrap();
        assert_eq!(append(&journal, 10, Durability::Full).await, Ok(n + 2));
        assert!(reserve.exists());
        let read = journal.read("a", 0, usize::MAX).await.unwrap();
        let numbers: Vec<_> = read.iter().map(|frame| frame.seq).collect();
        assert_eq!(numbers, (1..=n + 2).collect::<Vec<_>>());
        println!("{n} records until the disk was full; closed, and went on: nothing lost");
    });
}
