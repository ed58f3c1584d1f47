//! What was changed from outside.

use tagline_store::{Durability, Journal};

use super::{
    Shared,
    audit::{looked, turn},
};
use crate::support::session;

/// The first place that is broken.
async fn first(journal: &impl Journal) -> Option<(Option<u64>, Option<u64>)> {
    looked(journal).await.broken.first().map(|broken| (broken.n, broken.seq))
}

/// The next of a row of numbers that look like none.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*state >> 33).unwrap()
}

pub(crate) async fn any_byte_that_changes_is_found_at_its_place<K: Shared>(kind: &K) {
    let journal = kind.open().await.of("default");
    journal.create(session("a")).await.unwrap();
    journal.append("a", turn(4), Durability::Full).await.unwrap();
    let entries = journal.audit(0, 999).await.unwrap();
    let mut seed = 7;
    for _ in 0..60 {
        let entry = &entries[next(&mut seed) % entries.len()];
        let record = journal.records("a", entry.seq - 1, 1).await.unwrap().remove(0);
        let mut bytes = record.json.clone().into_bytes();
        let at = next(&mut seed) % bytes.len();
        bytes[at] = if bytes[at] == b'x' { b'y' } else { b'x' };
        let changed = String::from_utf8(bytes).unwrap();
        // Whose session it is, is no part of what is hashed: a copy has another one.
        let is_name = changed.contains(r#""session":"x""#);
        kind.overwrite("a", entry.seq, &changed).await;
        let expected = (!is_name).then_some((Some(entry.n), Some(entry.seq)));
        assert_eq!(first(&journal).await, expected, "{changed}");
        kind.overwrite("a", entry.seq, &record.json).await;
        assert_eq!(first(&journal).await, None);
    }
    // Two records that change places.
    let (one, two) = (&entries[2], &entries[5]);
    let text = async |seq: u64| journal.records("a", seq - 1, 1).await.unwrap().remove(0).json;
    let (first_text, second_text) = (text(one.seq).await, text(two.seq).await);
    kind.overwrite("a", one.seq, &second_text).await;
    kind.overwrite("a", two.seq, &first_text).await;
    assert_eq!(first(&journal).await, Some((Some(one.n), Some(one.seq))));
    kind.overwrite("a", one.seq, &first_text).await;
    kind.overwrite("a", two.seq, &second_text).await;
    kind.remove("a", two.seq).await;
    assert_eq!(first(&journal).await, Some((Some(two.n), Some(two.seq))));
}
