//! What every journal promises, asked of each of them.

mod audit;
mod chain;
mod events;
mod keys;
mod leases;
mod letters;
mod memory;
mod postgres;
mod profiles;
mod search;
mod sessions;
mod shared;
mod sqlite;
mod transfer;

use tagline_protocol::{Event, Frame};
use tagline_store::{Durability, Journal, NewEvent};
use tokio::runtime::{Builder, Runtime};

use crate::support::{at, message, session};

/// A kind of journal.
pub(crate) trait Kind: Sized {
    /// The journal.
    type Journal: Journal + Clone + 'static;

    /// An empty one.
    fn start() -> Self;

    /// A journal on it, as another server would have it where that is possible.
    async fn open(&self) -> Self::Journal;
}

/// A kind that can be reached beside its journal.
pub(crate) trait Shared: Kind {
    /// The lease of the session becomes that of an owner who is gone.
    async fn orphan(&self, session: &str);

    /// The claim of a key becomes that of a process that is gone.
    async fn orphan_key(&self, key: &str);

    /// The text of a record becomes another.
    async fn overwrite(&self, session: &str, seq: u64, json: &str);

    /// A record is gone.
    async fn remove(&self, session: &str, seq: u64);

    /// All that follows from the log is gone.
    async fn drop_derived(&self);
}

pub(crate) fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// One test per check.
macro_rules! checks {
    ($kind:ident, $room:ident: $($check:ident)+) => {
        mod $room {
            $(
                #[test]
                fn $check() {
                    let runtime = $crate::conformance::runtime();
                    runtime.block_on(async {
                        let kind = <super::$kind as $crate::conformance::Kind>::start();
                        $crate::conformance::$room::$check(&kind).await;
                    });
                }
            )+
        }
    };
}

/// Every check that a journal must pass.
macro_rules! conformance {
    ($kind:ident) => {
        checks! { $kind, events:
            numbers_are_dense_whoever_appends
            a_page_holds_the_frames_behind_a_number
            an_append_that_fails_keeps_nothing_and_takes_no_number
            a_watch_that_was_taken_first_misses_nothing
            a_watch_ends_with_its_session
        }
        checks! { $kind, sessions:
            the_list_is_newest_first_and_says_what_the_log_says
            a_whole_id_is_found_though_others_begin_with_it
            a_fork_goes_on_alone
            a_fork_may_end_early
            a_name_replaces_the_title
            what_is_deleted_is_gone
            a_turn_without_an_end_is_open
        }
        checks! { $kind, audit:
            each_decision_and_effect_has_its_entry
            copies_come_with_an_entry_and_removed_sessions_leave_theirs
            an_end_that_is_remembered_must_be_in_the_chain
        }
        checks! { $kind, leases:
            a_session_has_one_owner_and_is_given_back
            each_lease_has_a_higher_epoch
            a_session_in_use_is_not_deleted_by_others
        }
        checks! { $kind, letters:
            letters_are_handed_out_once_in_order
            who_watches_for_letters_is_woken
        }
        checks! { $kind, keys:
            a_key_is_worked_on_once
            a_key_with_another_body_is_refused
            a_key_is_settled_with_its_events_or_not_at_all
            a_key_that_was_given_back_is_free
            a_key_is_forgotten_after_a_day
        }
        checks! { $kind, search:
            all_words_are_found_newest_first
            what_was_written_since_the_last_search_is_found
            what_is_deleted_is_not_found
        }
        checks! { $kind, transfer:
            an_export_comes_back_with_an_equal_hash
            unknown_types_and_fields_come_back_as_they_were
            what_is_no_export_is_refused_and_leaves_nothing
            records_with_a_gap_are_refused
        }
        checks! { $kind, profiles:
            none_sees_anything_of_another
            a_session_is_made_in_the_own_profile_alone
        }
    };
}

/// Every check of journals that live outside of the process.
macro_rules! conformance_of_shared {
    ($kind:ident) => {
        checks! { $kind, chain:
            any_byte_that_changes_is_found_at_its_place
        }
        checks! { $kind, shared:
            the_session_of_a_dead_owner_is_taken_over_and_its_appends_are_refused
            a_lease_that_was_lost_says_so
            a_key_whose_owner_died_is_worked_on_again
            a_damaged_record_costs_itself
            a_missing_record_leaves_a_notice
            damage_survives_export_and_fork
            what_follows_from_the_log_can_be_made_anew
        }
    };
}

use checks;
use conformance;
use conformance_of_shared;

/// A journal on which `a` exists.
pub(crate) async fn with_session<K: Kind>(kind: &K) -> K::Journal {
    let journal = kind.open().await;
    journal.create(session("a")).await.unwrap();
    journal
}

/// Appends one user message per word; the numbers they got.
pub(crate) async fn append(journal: &impl Journal, session: &str, words: &str) -> Vec<u64> {
    let events = words.split_whitespace().map(message).collect();
    let frames = journal.append(session, events, Durability::Full).await.unwrap();
    frames.iter().map(|frame| frame.seq).collect()
}

/// Every frame of the session: its number and text.
pub(crate) async fn show(journal: &impl Journal, session: &str) -> String {
    let frames = journal.read(session, 0, usize::MAX).await.unwrap();
    frames.iter().map(crate::support::line).collect()
}

/// The words of what must have failed.
pub(crate) fn words<T, E: std::fmt::Display>(outcome: Result<T, E>) -> String {
    let words = outcome.err().expect("it must fail").to_string();
    words.replace(&std::process::id().to_string(), "[pid]")
}

pub(crate) fn numbers(frames: &[Frame]) -> Vec<u64> {
    frames.iter().map(|frame| frame.seq).collect()
}

/// An event of a turn.
pub(crate) fn of_run(run: &str, event: Event) -> NewEvent {
    NewEvent { run: Some(run.to_owned()), ..at(crate::support::START, event) }
}
