//! Paths that attack: each of these got out of some other tool once.

use std::{
    fs,
    os::unix::fs::symlink,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use tagline_workspace::{Before, ContentHash, Found, Kind, Problem};

use crate::fixture::Fixture;

const MIB: u64 = 1024 * 1024;

#[test]
fn a_sibling_named_like_the_workspace_is_outside() {
    let fixture = Fixture::new();
    for sibling in ["wsws", "ws-evil"] {
        fs::create_dir(fixture.path(sibling)).unwrap();
        fs::write(fixture.path(sibling).join("secret.txt"), "secret").unwrap();
        let workspace = fixture.open();
        let absolute = fixture.path(sibling).join("secret.txt").display().to_string();
        for path in [format!("../{sibling}/secret.txt"), absolute] {
            let problem = workspace.read(&path, MIB).unwrap_err().problem;
            assert!(matches!(problem, Problem::Outside { .. }), "{path}: {problem}");
        }
    }
}

#[test]
fn a_new_file_below_a_linked_folder_does_not_escape() {
    let fixture = Fixture::new();
    symlink(fixture.out(""), fixture.ws("dir")).unwrap();
    symlink("../out", fixture.ws("relative")).unwrap();
    let workspace = fixture.open();
    for path in ["dir/new.txt", "relative/new.txt", "dir/deep/new.txt", "relative/a/b/new.txt"] {
        let problem = workspace.write(path, b"x", Before::Anything).unwrap_err().problem;
        assert_eq!(problem, Problem::LinkLeaves("the workspace".to_owned()), "{path}");
        workspace.create_folder(path).unwrap_err();
        workspace.relocate(path, "here").unwrap_err();
    }
    assert_eq!(fixture.tree("out"), Vec::<String>::new());
}

#[test]
fn a_link_as_the_last_name_does_not_escape() {
    let fixture = Fixture::new();
    fs::write(fixture.out("a.txt"), "old").unwrap();
    symlink(fixture.out("a.txt"), fixture.ws("a.txt")).unwrap();
    symlink("../out/missing.txt", fixture.ws("dangling.txt")).unwrap();
    let workspace = fixture.open();
    for path in ["a.txt", "dangling.txt"] {
        let problem = workspace.write(path, b"x", Before::Anything).unwrap_err().problem;
        assert_eq!(problem, Problem::LinkLeaves("the workspace".to_owned()), "{path}");
        workspace.read(path, MIB).unwrap_err();
    }
    assert_eq!(fs::read_to_string(fixture.out("a.txt")).unwrap(), "old");
    assert_eq!(fixture.tree("out"), ["a.txt"]);
}

#[test]
fn links_that_stay_inside_are_followed() {
    let fixture = Fixture::new();
    fs::create_dir(fixture.ws("real")).unwrap();
    fs::write(fixture.ws("real/a.txt"), "old").unwrap();
    symlink("real", fixture.ws("relative")).unwrap();
    symlink(fixture.ws("real"), fixture.ws("absolute")).unwrap();
    symlink("real/a.txt", fixture.ws("to-a")).unwrap();
    symlink(fixture.ws("real/a.txt"), fixture.ws("to-a-absolute")).unwrap();
    let workspace = fixture.open();
    for path in ["relative/a.txt", "absolute/a.txt", "to-a", "to-a-absolute"] {
        workspace.write(path, path.as_bytes(), Before::Anything).unwrap();
        assert_eq!(workspace.read(path, MIB).unwrap().bytes, path.as_bytes(), "{path}");
        assert_eq!(fs::read_to_string(fixture.ws("real/a.txt")).unwrap(), path);
    }
    for path in ["relative/b/new.txt", "absolute/c/new.txt"] {
        workspace.write(path, b"x", Before::Absent).unwrap();
    }
    assert!(fixture.ws("to-a").is_symlink(), "the link itself stays");
    assert!(fixture.ws("real/b/new.txt").exists() && fixture.ws("real/c/new.txt").exists());
}

#[test]
fn both_readings_of_dots_behind_a_link_are_safe() {
    let fixture = Fixture::new();
    fs::create_dir(fixture.out("deep")).unwrap();
    fs::write(fixture.out("secret.txt"), "secret").unwrap();
    fs::write(fixture.ws("secret.txt"), "mine").unwrap();
    symlink(fixture.out("deep"), fixture.ws("link")).unwrap();
    let problem = fixture.open().read("link/../secret.txt", MIB).unwrap_err().problem;
    assert_eq!(problem, Problem::LinkLeaves("the workspace".to_owned()));
}

#[test]
fn a_swapped_folder_never_lets_a_write_out() {
    let fixture = Fixture::new();
    let workspace = fixture.open();
    let (folder, aside, link) = (fixture.ws("d"), fixture.ws("aside"), fixture.ws("link"));
    fs::create_dir(&folder).unwrap();
    symlink(fixture.out(""), &link).unwrap();
    let is_over = AtomicBool::new(false);
    let (mut n_written, mut n_refused) = (0, 0);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                let _ = fs::rename(&folder, &aside).and_then(|()| fs::rename(&link, &folder));
                let _ = fs::rename(&folder, &link).and_then(|()| fs::rename(&aside, &folder));
            }
        });
        for _ in 0..500 {
            match workspace.write("d/f.txt", b"x", Before::Anything) {
                Ok(_) => n_written += 1,
                Err(_) => n_refused += 1,
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert_eq!(n_written + n_refused, 500);
    assert_eq!(fixture.tree("out"), Vec::<String>::new());
}

#[test]
fn a_write_to_a_hard_link_leaves_the_other_name_alone() {
    let fixture = Fixture::new();
    fs::write(fixture.out("a.txt"), "old").unwrap();
    fs::hard_link(fixture.out("a.txt"), fixture.ws("a.txt")).unwrap();
    let before = Before::Is(ContentHash::of(b"old"));
    fixture.open().write("a.txt", b"new", before).unwrap();
    assert_eq!(fs::read_to_string(fixture.out("a.txt")).unwrap(), "old");
    assert_eq!(fs::read_to_string(fixture.ws("a.txt")).unwrap(), "new");
}

#[test]
fn a_rule_can_see_where_a_link_leads() {
    let fixture = Fixture::new();
    fs::create_dir(fixture.ws("private")).unwrap();
    symlink("private", fixture.ws("alias")).unwrap();
    symlink(fixture.out("x"), fixture.ws("dangling")).unwrap();
    let workspace = fixture.open();
    let resolved = |path| workspace.resolve(path).unwrap();
    assert_eq!(resolved("alias/key.txt"), fixture.ws("private/key.txt"));
    assert_eq!(resolved("dangling"), fixture.out("x"));
    assert_eq!(resolved("dangling/y"), fixture.out("x/y"));
}

#[test]
fn special_files_are_refused_at_once() {
    let fixture = Fixture::new();
    let mode = rustix::fs::Mode::RWXU;
    let fifo = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, fixture.ws("pipe"), fifo, mode, 0).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(fixture.ws("socket")).unwrap();
    let workspace = fixture.builder().extra("/dev").open().unwrap();
    let what = |path| workspace.read(path, MIB).unwrap_err().problem;
    assert_eq!(what("pipe"), Problem::NotAFile("a pipe"));
    assert_eq!(what("socket"), Problem::NotAFile("a socket"));
    assert_eq!(what("/dev/null"), Problem::NotAFile("a device"));
    assert_eq!(what("."), Problem::NotAFile("a folder"));
    let write = |path| workspace.write(path, b"x", Before::Anything).unwrap_err().problem;
    assert_eq!(write("pipe"), Problem::NotAFile("a pipe"));
    assert_eq!(write("/dev/null"), Problem::NotAFile("a device"));
}

#[test]
fn a_file_over_the_bound_is_not_read() {
    let fixture = Fixture::new();
    let sparse = fs::File::create(fixture.ws("sparse")).unwrap();
    sparse.set_len(8 * 1024 * MIB).unwrap();
    let problem = fixture.open().read("sparse", MIB).unwrap_err().problem;
    assert_eq!(problem, Problem::TooLarge { limit: MIB, found: 8 * 1024 * MIB });
}

#[test]
fn a_file_at_the_bound_is_read_and_one_that_grows_over_it_is_not() {
    use std::{io::Write as _, os::unix::fs::PermissionsExt as _};

    let fixture = Fixture::new();
    fs::write(fixture.ws("f"), "four").unwrap();
    fs::set_permissions(fixture.ws("f"), fs::Permissions::from_mode(0o640)).unwrap();
    let workspace = fixture.open();
    let read = |limit| workspace.read("f", limit).map(|it| it.mode).map_err(|it| it.problem);
    assert_eq!(read(4), Ok(0o640));
    assert_eq!(read(3), Err(Problem::TooLarge { limit: 3, found: 4 }));
    let (at, over) = (workspace.open("f").unwrap(), workspace.open("f").unwrap());
    fs::OpenOptions::new().append(true).open(fixture.ws("f")).unwrap().write_all(b"!").unwrap();
    assert_eq!(over.read(4).unwrap_err(), Problem::TooLarge { limit: 4, found: 5 });
    assert_eq!(at.read(5).unwrap().bytes, b"four!");
}

#[test]
fn a_folder_that_cannot_be_made_is_not_called_missing() {
    let fixture = Fixture::new();
    let workspace = fixture.builder().extra("/sys").open().unwrap();
    let problem = workspace.create_folder("/sys/new/folder").unwrap_err().problem;
    assert!(!matches!(problem, Problem::Missing(_)), "{problem}");
}

#[test]
fn a_device_path_that_passes_through_the_data_folder_is_refused() {
    let fixture = Fixture::new();
    fs::write(fixture.path("data/token"), "secret").unwrap();
    fs::write(fixture.path("data/home/files/a.txt"), "mine").unwrap_or_default();
    let workspace = fixture.builder().device(fixture.path("")).open().unwrap();
    workspace.write("home:/files/a.txt", b"mine", Before::Anything).unwrap();
    assert_eq!(workspace.read("device:/data/token", MIB).unwrap_err().problem, Problem::Own);
    let write = workspace.write("device:/data/new", b"x", Before::Anything);
    assert_eq!(write.unwrap_err().problem, Problem::Own);
    workspace.read("device:/data/home/files/a.txt", MIB).unwrap();
    workspace.read("home:/files/a.txt", MIB).unwrap();
    assert!(workspace.is_own(&fixture.path("data/trash/x")));
    assert!(!workspace.is_own(&fixture.path("out")));
}

#[test]
fn absolute_paths_lead_to_the_innermost_root() {
    let fixture = Fixture::new();
    fs::write(fixture.ws("a.txt"), "a").unwrap();
    fs::write(fixture.out("b.txt"), "b").unwrap();
    let workspace = fixture.builder().device(fixture.path("")).open().unwrap();
    let shown = |path: PathBuf| workspace.show(&path);
    assert_eq!(shown(fixture.ws("a.txt")), "a.txt");
    assert_eq!(shown(fixture.out("b.txt")), "device:/out/b.txt");
    assert_eq!(shown(fixture.ws("")), ".");
    assert_eq!(shown(fixture.ws("home:x")), "./home:x");
    for path in [fixture.ws("a.txt"), fixture.out("b.txt")] {
        let by_shown = workspace.read(&workspace.show(&path), MIB).unwrap();
        assert_eq!(workspace.read(&path.display().to_string(), MIB).unwrap(), by_shown);
    }
}

#[test]
fn what_moving_and_deleting_touch_is_the_link_and_not_where_it_leads() {
    let fixture = Fixture::new();
    fs::create_dir(fixture.ws("real")).unwrap();
    symlink("real", fixture.ws("folder")).unwrap();
    symlink("x", fixture.ws("real/link")).unwrap();
    let workspace = fixture.open();
    let touched = |path| workspace.resolve_unfollowed(path).unwrap();
    assert_eq!(touched("folder"), fixture.ws("folder"));
    assert_eq!(touched("folder/link"), fixture.ws("real/link"));
    assert_eq!(touched("folder/.."), fixture.ws(""));
    assert_eq!(touched("."), fixture.ws(""));
    let problem = workspace.resolve_unfollowed("../x").unwrap_err().problem;
    assert!(matches!(problem, Problem::Outside { .. }), "{problem}");
}

#[test]
fn the_roots_are_told_apart() {
    let fixture = Fixture::new();
    let workspace = fixture.builder().device(fixture.path("")).extra(fixture.out("")).open();
    let workspace = workspace.unwrap();
    let home = fixture.path("data/home");
    assert_eq!(
        workspace.writable_roots().iter().map(PathBuf::as_path).collect::<Vec<_>>(),
        [&*fixture.path("ws"), &*home, &*fixture.path("out")]
    );
    let root = |path: PathBuf| workspace.root_path(&path).map(PathBuf::from);
    assert_eq!(root(fixture.ws("a")), Some(fixture.path("ws")));
    assert_eq!(root(fixture.path("elsewhere")), Some(fixture.path("")));
    assert_eq!(root("/elsewhere".into()), None);
}

#[test]
fn our_own_temporary_files_are_known_by_name() {
    let names = [".tagline-1.tmp", ".tagline-1", "a.tmp", "tagline-1.tmp"];
    let known = names.map(|name| tagline_workspace::Workspace::is_temporary(name.as_ref()));
    assert_eq!(known, [true, false, false, false]);
}

#[test]
fn our_own_process_tables_are_not_read() {
    let workspace = tagline_workspace::Workspace::builder("/").open().unwrap();
    let own = std::process::id();
    for path in ["proc/self/environ".to_owned(), format!("/proc/{own}/status")] {
        assert_eq!(workspace.read(&path, MIB).unwrap_err().problem, Problem::Own, "{path}");
    }
    workspace.read("/proc/sys/kernel/ostype", MIB).unwrap();
}

#[test]
fn what_a_walk_found_is_looked_at_by_handle() {
    let fixture = Fixture::new();
    fs::create_dir(fixture.ws("d")).unwrap();
    fs::write(fixture.ws("d/f"), "four").unwrap();
    symlink("f", fixture.ws("d/link")).unwrap();
    symlink(fixture.out(""), fixture.ws("swapped")).unwrap();
    fs::write(fixture.out("secret"), "secret").unwrap();
    let workspace = fixture.open();
    let look = |path: &str| workspace.look(&fixture.ws(path));
    assert_eq!(look("d/f").unwrap(), Found { kind: Kind::File(4), target: None });
    assert_eq!(look("d").unwrap().kind, Kind::Folder);
    let link = look("d/link").unwrap();
    assert_eq!(link, Found { kind: Kind::Special("a link"), target: Some("f".into()) });
    // A walk that came through a link that was a folder before sees names from outside.
    let problem = look("swapped/secret").unwrap_err().problem;
    assert_eq!(problem, Problem::LinkLeaves("the workspace".to_owned()));
    assert!(matches!(look("d/secret").unwrap_err().problem, Problem::Missing(_)));
}

#[test]
fn names_that_are_others_elsewhere_are_refused() {
    let fixture = Fixture::new();
    let workspace = fixture.open();
    let problem =
        |path: &str| workspace.write(path, b"x", Before::Anything).map(|_| path.to_owned());
    for path in [
        ".git /config",
        ".git./config",
        ".env::$DATA",
        ".env.",
        "a::b",
        "a:$x",
        "git~1/config",
        "GIT~12",
        "taglin~1",
        ".g\u{200c}it/config",
        "\u{feff}.env",
        "CON",
        "com¹",
        "CONOUT$",
        "a:",
        "x/aux",
    ] {
        let refused = problem(path).unwrap_err().problem;
        assert!(matches!(refused, Problem::Alias(_)), "{path}: {refused}");
    }
    for path in [".github/a", "git~/a", "a~1", "foo.~1~", "com10", "👨\u{200d}👩", ".gitignore"]
    {
        problem(path).unwrap();
    }
}

#[test]
fn what_only_its_owner_may_read_is_never_readable_for_others_meanwhile() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    /// Looks at every file of a folder before each step.
    #[derive(Debug)]
    struct Watch(PathBuf);
    impl tagline_workspace::Steps for Watch {
        fn before(&self, step: tagline_workspace::Step) -> std::io::Result<()> {
            for entry in fs::read_dir(&self.0)? {
                let mode = entry?.metadata()?.mode() & 0o777;
                assert_eq!(mode, 0o600, "before {step:?}");
            }
            Ok(())
        }
    }
    let fixture = Fixture::new();
    fs::write(fixture.ws("key"), "old").unwrap();
    fs::set_permissions(fixture.ws("key"), fs::Permissions::from_mode(0o600)).unwrap();
    let steps = std::sync::Arc::new(Watch(fixture.ws("")));
    let workspace = fixture.builder().steps(steps).open().unwrap();
    workspace.write("key", b"new", Before::Anything).unwrap();
    workspace.write_with_mode("other", b"new", Before::Absent, 0o600).unwrap();
    let written = fixture.open().write_with_mode("run", b"x", Before::Absent, 0o755).unwrap();
    assert_eq!(fs::metadata(written.path).unwrap().mode() & 0o777, 0o755);
}
