//! What holds for each tool of the registry.

use std::collections::BTreeSet;

#[test]
fn every_type_is_a_tool() {
    assert_eq!(tagline_tools::all().faults(), []);
}

#[test]
fn no_two_tools_share_a_name() {
    let registry = tagline_tools::all();
    let mut names = BTreeSet::new();
    for entry in registry.entries() {
        for name in std::iter::once(&entry.spec.name).chain(&entry.spec.aliases) {
            assert!(names.insert(name.clone()), "`{name}` stands for two tools");
        }
    }
}
