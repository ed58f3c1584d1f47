//! A large file: `cargo xtask undo` has it at full size.

use std::{fs, io::Write as _};

use tagline_snapshot::Which;

use crate::fixture::Fixture;

/// So many millions of bytes: 200 where the full number of sequences is played.
fn megabytes() -> usize {
    if super::is_full() { 200 } else { 3 }
}

#[test]
fn a_large_file_is_back() {
    let mut fixture = Fixture::new();
    let n = megabytes();
    let mut file = fs::File::create(fixture.ws("large")).unwrap();
    let mut piece = vec![0; 1_000_000];
    for _ in 0..n {
        fastrand::fill(&mut piece);
        file.write_all(&piece).unwrap();
    }
    drop(file);
    let before = fixture.picture();
    fixture.command(1, |it| {
        let file = fs::File::options().write(true).open(it.ws("large")).unwrap();
        file.set_len(1_000_000 * n as u64 - 1).unwrap();
    });
    let after = fixture.picture();
    let redo = fixture.undone(&Which::Last);
    assert!(fixture.picture() == before, "{n} MB are not back");
    fixture.undone(&redo);
    assert!(fixture.picture() == after);
    println!("a file of {n} MB came back and went again");
}
