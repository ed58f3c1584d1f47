//! A write is old or new, wherever it breaks.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use proptest::prelude::*;
use tagline_workspace::{Before, ContentHash, Made, Problem, Step, Steps};

use crate::fixture::Fixture;

/// Counts the points where a write can break, and breaks it at one of them: before a step, or
/// after some byte of the content.
#[derive(Debug)]
struct BreakAt {
    point: usize,
    n_seen: AtomicUsize,
    kind: io::ErrorKind,
}

impl BreakAt {
    fn new(point: usize, kind: io::ErrorKind) -> Arc<Self> {
        Arc::new(Self { point, n_seen: AtomicUsize::new(0), kind })
    }

    fn pass(&self) -> io::Result<()> {
        let n = self.n_seen.fetch_add(1, Ordering::Relaxed);
        if n == self.point { Err(self.kind.into()) } else { Ok(()) }
    }
}

impl Steps for BreakAt {
    fn before(&self, _step: Step) -> io::Result<()> {
        self.pass()
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        self.pass()?;
        file.write(bytes.chunks(7).next().unwrap_or_default())
    }
}

#[test]
fn a_break_at_every_point_leaves_the_old_or_the_new_content() {
    let new = "new content, longer than the old one, ".repeat(30);
    for old in [None, Some("old content")] {
        let (mut n_broken, mut point) = (0, 0);
        loop {
            let fixture = Fixture::new();
            if let Some(old) = old {
                fs::write(fixture.ws("f"), old).unwrap();
            }
            let steps = BreakAt::new(point, io::ErrorKind::StorageFull);
            let workspace = fixture.builder().steps(steps.clone()).open().unwrap();
            let written = workspace.write("f", new.as_bytes(), Before::Anything);
            let found = fs::read_to_string(fixture.ws("f")).ok();
            match &written {
                Ok(_) => assert_eq!(found.as_deref(), Some(&*new), "point {point}"),
                Err(error) => {
                    assert_eq!(error.problem, Problem::DiskFull);
                    assert_eq!(found.as_deref(), old, "point {point}");
                    n_broken += 1;
                }
            }
            let expected: &[&str] = if found.is_some() { &["f"] } else { &[] };
            assert_eq!(fixture.tree("ws"), expected, "no temporary file stays, point {point}");
            if steps.n_seen.load(Ordering::Relaxed) <= point {
                break;
            }
            point += 1;
        }
        assert!(200 < n_broken, "{n_broken} points");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_sequence_of_broken_writes_never_mixes(
        writes in proptest::collection::vec((".{0,60}", 0_usize..40), 1..8),
    ) {
        let fixture = Fixture::new();
        let mut current: Option<String> = None;
        for (text, point) in writes {
            let steps = BreakAt::new(point, io::ErrorKind::Other);
            let workspace = fixture.builder().steps(steps).open().unwrap();
            let before = match &current {
                Some(current) => Before::Is(ContentHash::of(current.as_bytes())),
                None => Before::Absent,
            };
            if let Ok(written) = workspace.write("deep/f", text.as_bytes(), before) {
                prop_assert_eq!(written.hash, ContentHash::of(text.as_bytes()));
                prop_assert_eq!(written.is_new, current.is_none());
                current = Some(text);
            }
            prop_assert_eq!(&fs::read_to_string(fixture.ws("deep/f")).ok(), &current);
            prop_assert!(fixture.tree("ws").len() <= 2);
        }
    }
}

#[test]
fn an_unsynced_folder_is_told() {
    let fixture = Fixture::new();
    #[derive(Debug)]
    struct Unsynced;
    impl Steps for Unsynced {
        fn before(&self, step: Step) -> io::Result<()> {
            if step == Step::SyncFolder { Err(io::ErrorKind::Other.into()) } else { Ok(()) }
        }
    }
    let workspace = fixture.builder().steps(Arc::new(Unsynced)).open().unwrap();
    assert!(!workspace.write("f", b"x", Before::Absent).unwrap().is_durable);
    assert!(fixture.open().write("f", b"y", Before::Anything).unwrap().is_durable);
}

#[test]
fn a_file_changed_meanwhile_stays() {
    let fixture = Fixture::new();
    let workspace = fixture.open();
    fs::write(fixture.ws("f"), "by the user").unwrap();
    let write = |before| workspace.write("f", b"by the model", before).unwrap_err().problem;
    assert_eq!(write(Before::Absent), Problem::Exists);
    assert_eq!(write(Before::Is(ContentHash::of(b"as read"))), Problem::Changed);
    assert_eq!(fs::read_to_string(fixture.ws("f")).unwrap(), "by the user");
    let gone = workspace.write("g", b"x", Before::Is(ContentHash::of(b"")));
    assert_eq!(gone.unwrap_err().problem, Problem::Changed);
    assert_eq!(fixture.tree("ws"), ["f"]);
}

#[test]
fn the_mode_stays_and_parents_are_made() {
    let fixture = Fixture::new();
    let workspace = fixture.open();
    let written = workspace.write("a/b/run.sh", b"one", Before::Absent).unwrap();
    assert!(written.is_new);
    assert_eq!(written.path, fixture.ws("a/b/run.sh"));
    let mode = || fs::metadata(fixture.ws("a/b/run.sh")).unwrap().mode() & 0o777;
    for wanted in [0o755, 0o600, 0o664] {
        fs::set_permissions(fixture.ws("a/b/run.sh"), fs::Permissions::from_mode(wanted)).unwrap();
        let written = workspace.write("a/b/run.sh", b"two", Before::Anything).unwrap();
        assert!(!written.is_new);
        assert_eq!(mode(), wanted);
    }
    fs::set_permissions(fixture.ws("a/b/run.sh"), fs::Permissions::from_mode(0o444)).unwrap();
    let refused = workspace.write("a/b/run.sh", b"three", Before::Anything);
    assert_eq!(refused.unwrap_err().problem, Problem::ReadOnly);
}

#[test]
fn folders_are_made_once() {
    let fixture = Fixture::new();
    let workspace = fixture.open();
    assert_eq!(workspace.create_folder("a/b").unwrap(), Made::New);
    assert_eq!(workspace.create_folder("a/b/").unwrap(), Made::Already);
    fs::write(fixture.ws("f"), "").unwrap();
    assert_eq!(workspace.create_folder("f").unwrap_err().problem, Problem::NotAFolder);
    assert_eq!(workspace.create_folder("f/g").unwrap_err().problem, Problem::NotAFolder);
}

#[test]
fn moving_never_replaces() {
    let fixture = Fixture::new();
    let workspace = fixture.open();
    workspace.write("a", b"a", Before::Absent).unwrap();
    workspace.write("d/b", b"b", Before::Absent).unwrap();
    let refused = |from, to| workspace.relocate(from, to).unwrap_err().problem;
    assert_eq!(refused("a", "d/b"), Problem::Exists);
    assert_eq!(refused("a", "a"), Problem::Exists);
    assert_eq!(refused("a", "d"), Problem::Exists);
    assert_eq!(refused("d", "d/e"), Problem::IntoItself);
    assert_eq!(refused("nothing", "x"), Problem::Missing("the workspace".to_owned()));
    workspace.relocate("a", "new/a").unwrap();
    workspace.relocate("d", "new/d").unwrap();
    assert_eq!(fixture.tree("ws"), ["new", "new/a", "new/d", "new/d/b"]);
}
