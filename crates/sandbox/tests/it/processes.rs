//! How a confined command ends, and what ends with it.

use std::{
    fs,
    os::unix::{ffi::OsStrExt as _, process::ExitStatusExt as _},
    thread,
    time::Duration,
};

use tagline_sandbox::{Starter, confine::Leash};

use crate::bed::{Bed, HELPER};

/// Waits until something is so. The test's own time limit is the only one.
fn wait(mut is_so: impl FnMut() -> bool) {
    while !is_so() {
        thread::sleep(Duration::from_millis(5));
    }
}

/// Living processes with this command line.
fn n_alive(text: &str) -> usize {
    let lines = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| fs::read(entry.ok()?.path().join("cmdline")).ok());
    let wanted = text.replace(' ', "\0") + "\0";
    lines.filter(|line| line == wanted.as_bytes()).count()
}

fn sleep(n: u32) -> String {
    format!("sleep 86400.{n}{}", std::process::id())
}

#[test]
fn a_command_ends_as_if_it_ran_alone() {
    let Some(bed) = Bed::new() else { return };
    assert_eq!(bed.run("exit 7").status.code(), Some(7));
    assert_eq!(bed.run("kill -SEGV $$").status.signal(), Some(libc_segv()));
    assert_eq!(bed.text("echo out; echo err >&2"), "out\nerr\n");
}

const fn libc_segv() -> i32 {
    11
}

#[test]
fn it_sees_its_own_processes_alone() {
    let Some(bed) = Bed::new() else { return };
    // The first process is of ours, and nobody may look into it.
    let said = bed.text("[ $$ -lt 10 ] && echo one of few; cat /proc/1/environ; kill -0 $PPID");
    assert_eq!(said, "one of few\ncat: /proc/1/environ: Permission denied\n");
}

#[test]
fn what_it_leaves_behind_lives_until_the_leash_is_let_go() {
    let Some(bed) = Bed::new() else { return };
    let sleep = sleep(1);
    let script = format!("setsid env -i {sleep} >/dev/null 2>&1 & exit 3");
    let (mut child, leash) = bed.start(&script).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    wait(|| n_alive(&sleep) == 1);
    assert!(!leash.as_ref().is_some_and(Leash::is_loose));
    drop(leash);
    wait(|| n_alive(&sleep) == 0);
}

#[test]
fn nothing_survives_the_leash() {
    let Some(bed) = Bed::new() else { return };
    let sleep = sleep(2);
    let script = format!("trap '' TERM HUP INT; (setsid {sleep} &) ; {sleep} & wait");
    let (mut child, leash) = bed.start(&script).unwrap();
    wait(|| n_alive(&sleep) == 2);
    drop(leash);
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    wait(|| n_alive(&sleep) == 0);
}

#[test]
fn a_command_that_cannot_be_confined_is_not_started() {
    let Some(mut bed) = Bed::new() else { return };
    bed.plan.temp = Some(bed.path("nowhere"));
    for starter in [bed.starter.clone(), Starter::Fork] {
        bed.starter = starter;
        let error = bed.start("touch started").unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
        assert!(!bed.path("ws/started").exists());
    }
}

#[test]
fn a_copy_of_us_becomes_the_same_as_a_helper() {
    let Some(mut bed) = Bed::new() else { return };
    let script = "id -u; pwd; ls -A; ulimit -n; ls /proc/self/fd; cat; touch $OTHER/x; exit 5";
    let by_helper = bed.text(script);
    for starter in [Starter::Fork, Starter::Helper(HELPER.into())] {
        bed.starter = starter;
        assert_eq!(bed.text(script), by_helper);
    }
    assert!(by_helper.contains("Read-only file system"), "{by_helper}");
}

#[test]
fn a_path_need_not_be_utf_8() {
    let Some(mut bed) = Bed::new() else { return };
    let name = std::ffi::OsStr::from_bytes(b"ws/f\xff");
    let folder = bed.path("").join(name);
    fs::create_dir(&folder).unwrap();
    bed.plan.protected = vec![folder];
    let said = bed.text("cd f*; touch x");
    assert!(said.contains("Read-only file system"), "{said}");
}

#[test]
fn a_helper_that_is_none_is_noticed() {
    let Some(mut bed) = Bed::new() else { return };
    bed.starter = Starter::Helper("/bin/true".into());
    assert!(bed.start("touch started").is_err());
    bed.starter = Starter::Helper("/nowhere".into());
    assert_eq!(bed.start("true").unwrap_err().kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn a_leash_is_loose_when_nobody_is_left() {
    let Some(mut bed) = Bed::new() else { return };
    for starter in [bed.starter.clone(), Starter::Fork] {
        bed.starter = starter;
        let (mut child, leash) = bed.start("sleep 0.1 & exec 1>&- 2>&-; exit 4").unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(4));
        wait(|| leash.as_ref().is_some_and(Leash::is_loose));
    }
}
