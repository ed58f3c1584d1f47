//! What fuzzing found stays found: every seed of every target is played.

use std::{fs, path::Path};

use tagline_testkit::targets::TARGETS;

#[test]
fn every_seed_holds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    let mut n_seeds = 0;
    for (name, target) in TARGETS {
        let Ok(seeds) = fs::read_dir(root.join(name)) else { continue };
        for seed in seeds {
            let path = seed.unwrap().path();
            let held = target(&fs::read(&path).unwrap());
            assert_eq!(held, Ok(()), "{}", path.display());
            n_seeds += 1;
        }
    }
    assert!(n_seeds > 0, "no seed was found");
}
