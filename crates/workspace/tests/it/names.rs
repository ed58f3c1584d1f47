//! Any path at all: it stays inside or is refused, and names come back as they went out.

use std::{
    ffi::{OsStr, OsString},
    fs,
    os::unix::{
        ffi::{OsStrExt as _, OsStringExt as _},
        fs::symlink,
    },
    path::Path,
    sync::LazyLock,
};

use proptest::prelude::*;
use tagline_workspace::{Before, Depth, Workspace, show_name};

use crate::fixture::Fixture;

const MIB: u64 = 1024 * 1024;

/// A tree with links of every kind, made once.
static MAZE: LazyLock<(Fixture, Workspace)> = LazyLock::new(|| {
    let fixture = Fixture::new();
    for folder in ["a/b/c", "d"] {
        fs::create_dir_all(fixture.ws(folder)).unwrap();
    }
    for file in ["f", "a/f", "a/b/f", "d/f"] {
        fs::write(fixture.ws(file), "inside").unwrap();
    }
    fs::write(fixture.out("f"), "outside").unwrap();
    let links = [
        ("up", ".."),
        ("a/up", "../.."),
        ("a/in", "b"),
        ("a/b/side", "../../d"),
        ("d/out", "../../out"),
        ("d/self", "self"),
        ("d/f2", "../f"),
        ("d/far", "../../out/f"),
    ];
    for (link, target) in links {
        symlink(target, fixture.ws(link)).unwrap();
    }
    symlink(fixture.out(""), fixture.ws("abs-out")).unwrap();
    symlink(fixture.ws("a"), fixture.ws("abs-in")).unwrap();
    let workspace = fixture.open();
    (fixture, workspace)
});

fn path() -> impl Strategy<Value = String> {
    let name = prop_oneof![
        8 => proptest::sample::select(vec![
            "a", "b", "c", "d", "f", "up", "in", "side", "out", "self", "f2", "far", "abs-out",
            "abs-in", "new",
        ])
        .prop_map(str::to_owned),
        4 => proptest::sample::select(vec!["..", ".", ""]).prop_map(str::to_owned),
        1 => "[ -~]{1,6}",
        1 => any::<String>(),
    ];
    (any::<bool>(), proptest::collection::vec(name, 0..7)).prop_map(|(is_absolute, names)| {
        let start = if is_absolute { MAZE.0.ws("").display().to_string() } else { String::new() };
        start + &names.join("/")
    })
}

/// Names and links that never leave on the way.
fn inner_path() -> impl Strategy<Value = String> {
    let names = vec!["a", "b", "d", "in", "side", "f2", "abs-in", ".", "f"];
    let names = proptest::collection::vec(proptest::sample::select(names), 0..4);
    names.prop_map(|names| {
        names.into_iter().map(|name| format!("{name}/")).collect::<String>() + "f"
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn what_is_read_lies_inside(path in path()) {
        let (fixture, workspace) = &*MAZE;
        let Ok(contents) = workspace.read(&path, MIB) else { return Ok(()) };
        prop_assert_eq!(&contents.bytes, b"inside");
        let reference = fixture.ws("").join(&path).canonicalize().unwrap();
        prop_assert!(reference.starts_with(fixture.ws("")), "{}", reference.display());
        prop_assert_eq!(reference, contents.path);
    }

    #[test]
    fn what_the_system_finds_inside_is_read(path in inner_path()) {
        let (fixture, workspace) = &*MAZE;
        let Ok(reference) = fixture.ws("").join(&path).canonicalize() else { return Ok(()) };
        if reference.starts_with(fixture.ws("")) && reference.is_file() {
            prop_assert!(workspace.read(&path, MIB).is_ok(), "{}", path);
        }
    }

    #[test]
    fn any_name_comes_back(bytes in proptest::collection::vec(1_u8.., 1..40)) {
        let name = OsString::from_vec(bytes);
        let is_one = Path::new(&name).components().count() == 1 && !name.as_bytes().contains(&b'/');
        prop_assume!(is_one && name != ".." && name != ".");
        let (fixture, workspace) = &*MAZE;
        if let Ok(path) = workspace.resolve(&format!("d/{}", show_name(&name))) {
            prop_assert_eq!(path, fixture.ws("d").join(&name));
        } else {
            let name = name.to_string_lossy().to_lowercase();
            let is_alias = name.ends_with(['.', ' ']) || name.contains(':') || name.len() <= 4;
            prop_assert!(is_alias, "{:?}", name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn no_operation_changes_anything_outside(paths in proptest::collection::vec(path(), 1..5)) {
        let fixture = Fixture::new();
        fs::create_dir_all(fixture.ws("a/b")).unwrap();
        fs::write(fixture.out("f"), "outside").unwrap();
        symlink("..", fixture.ws("up")).unwrap();
        symlink("../../out", fixture.ws("a/out")).unwrap();
        symlink("../../out/f", fixture.ws("a/far")).unwrap();
        symlink(fixture.out(""), fixture.ws("abs-out")).unwrap();
        let workspace = fixture.open();
        for (n, path) in paths.iter().enumerate() {
            let path = path.replace(&MAZE.0.ws("").display().to_string(), "");
            let _ = workspace.write(&path, b"x", Before::Anything);
            let _ = workspace.create_folder(&path);
            let _ = workspace.relocate(&path, &format!("moved/{n}"));
            let _ = workspace.relocate(&format!("moved/{n}"), &path);
            let _ = workspace.delete(&path, Depth::Whole, "call");
        }
        prop_assert_eq!(fixture.tree("out"), ["f"]);
        prop_assert_eq!(fs::read_to_string(fixture.out("f")).unwrap(), "outside");
        let is_known = |path: &String| ["ws", "data", "out"].iter().any(|top| path.starts_with(top));
        let is_clean = fixture.tree("").iter().all(is_known);
        prop_assert!(is_clean);
    }
}

#[test]
fn a_name_that_is_not_text_reaches_the_very_file() {
    let fixture = Fixture::new();
    let name = OsStr::from_bytes(&[0x66, 0xFF, 0x6F]);
    fs::write(fixture.ws("").join(name), "odd").unwrap();
    fs::write(fixture.ws(r"f\xffo"), "literal").unwrap();
    let workspace = fixture.open();
    assert_eq!(workspace.show(&fixture.ws("").join(name)), r"f\xffo");
    assert_eq!(workspace.show(&fixture.ws(r"f\xffo")), r"f\x5cxffo");
    assert_eq!(workspace.read(r"f\xffo", MIB).unwrap().bytes, b"odd");
    assert_eq!(workspace.read(r"f\x5cxffo", MIB).unwrap().bytes, b"literal");
    workspace.delete(r"f\xffo", Depth::Empty, "call").unwrap();
    assert_eq!(fixture.tree("ws"), [r"f\xffo"]);
}
