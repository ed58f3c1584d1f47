//! Numbers are dense, in order, and the same for everybody.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use expect_test::expect;
use proptest::prelude::*;
use tagline_protocol::{Event, Frame};
use tagline_store::{Durability, Journal as _, StoreError};

use crate::support::{Bench, at, message};

#[test]
fn numbers_start_at_one_and_go_on_after_reopening() {
    let bench = Bench::new();
    let journal = bench.open();
    bench.create(&journal, "a");
    assert_eq!(bench.append(&journal, "a", "one two"), [1, 2]);
    drop(journal);
    let journal = bench.open();
    assert_eq!(bench.append(&journal, "a", "three"), [3]);
    expect![[r"
        1 one
        2 two
        3 three
    "]]
    .assert_eq(&bench.show(&journal, "a"));
}

#[test]
fn two_journals_on_one_file_share_the_numbers() {
    let bench = Bench::new();
    let (left, right) = (bench.open(), bench.open());
    bench.create(&left, "a");
    assert_eq!(bench.append(&left, "a", "one"), [1]);
    assert_eq!(bench.append(&right, "a", "two"), [2]);
    assert_eq!(bench.append(&left, "a", "three"), [3]);
}

#[test]
fn a_page_holds_the_frames_behind_a_number() {
    let bench = Bench::new();
    let journal = bench.open();
    bench.create(&journal, "a");
    bench.append(&journal, "a", "one two three four");
    let page = bench.runtime.block_on(journal.read("a", 1, 2)).unwrap();
    let numbers: Vec<_> = page.iter().map(|frame| frame.seq).collect();
    assert_eq!(numbers, [2, 3]);
}

#[test]
fn an_append_that_fails_keeps_nothing_and_takes_no_number() {
    let bench = Bench::new();
    let journal = bench.open();
    bench.create(&journal, "a");
    let event = Event::UserMessage { text: "late".to_owned(), media: Vec::new() };
    let events = vec![message("good"), at("yesterday", event)];
    let error = bench.runtime.block_on(journal.append("a", events, Durability::Full)).unwrap_err();
    expect!["event for session `a`: expected an RFC 3339 time, but found `yesterday`"]
        .assert_eq(&error.to_string());
    assert_eq!(bench.append(&journal, "a", "one"), [1]);
}

#[test]
fn an_unknown_session_takes_no_events() {
    let bench = Bench::new();
    let journal = bench.open();
    let events = vec![message("hello")];
    let error = bench.runtime.block_on(journal.append("x", events, Durability::Full)).unwrap_err();
    assert_eq!(error, StoreError::NoSession("x".to_owned()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Invariant 1, whatever waits beside it: sessions, sizes and durabilities mixed.
    #[test]
    fn numbers_are_dense(appends in prop::collection::vec((0..3_usize, 0..4_usize, any::<bool>()), 1..40)) {
        let bench = Bench::new();
        let journal = bench.open();
        let ids = ["a", "b", "c"];
        for id in ids {
            bench.create(&journal, id);
        }
        let waiting = appends.iter().map(|&(which, n, is_full)| {
            let durability = if is_full { Durability::Full } else { Durability::Streamed };
            journal.append(ids[which], vec![message("x"); n], durability)
        });
        let frames = bench.runtime.block_on(all(waiting));
        for (which, id) in ids.iter().enumerate() {
            let n: usize = appends.iter().filter(|append| append.0 == which).map(|a| a.1).sum();
            let read = bench.runtime.block_on(journal.read(id, 0, usize::MAX)).unwrap();
            let expected: Vec<_> = (1..=n as u64).collect();
            prop_assert_eq!(read.iter().map(|f| f.seq).collect::<Vec<_>>(), expected);
            let told: Vec<_> = frames.iter().flatten().filter(|f| f.session == *id).collect();
            prop_assert_eq!(told, read.iter().collect::<Vec<_>>());
        }
    }
}

/// Starts all of them before it awaits the first, in order.
async fn all<F>(waiting: impl Iterator<Item = F>) -> Vec<Vec<Frame>>
where
    F: Future<Output = Result<Vec<Frame>, StoreError>>,
{
    let mut started: Vec<_> = waiting.map(MaybeDone::new).collect();
    std::future::poll_fn(|cx| {
        let is_waiting = started.iter_mut().fold(false, |is, one| one.poll(cx).is_pending() | is);
        if is_waiting { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
    started.into_iter().filter_map(|one| one.done).map(Result::unwrap).collect()
}

struct MaybeDone<F: Future> {
    future: Pin<Box<F>>,
    done: Option<F::Output>,
}

impl<F: Future> MaybeDone<F> {
    fn new(future: F) -> Self {
        Self { future: Box::pin(future), done: None }
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.done.is_none() {
            let Poll::Ready(output) = self.future.as_mut().poll(cx) else {
                return Poll::Pending;
            };
            self.done = Some(output);
        }
        Poll::Ready(())
    }
}
