//! What a command can change and reach where Landlock alone holds it.

use std::{fs, net::TcpListener};

use expect_test::{Expect, expect};
use tagline_sandbox::{Means, confine::Proof};
use tempfile::TempDir;

use crate::bed::{Bed, starter};

/// `None` where this kernel has no Landlock.
fn bed() -> Option<Bed> {
    let scratch = TempDir::new().unwrap();
    let outside = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    if let Err(error) = Proof::make(Means::Landlock, &starter(), scratch.path(), outside) {
        eprintln!("NOT TRIED: {error}");
        return None;
    }
    let mut bed = Bed::new()?;
    bed.means = Means::Landlock;
    Some(bed)
}

#[track_caller]
fn check(script: &str, expected: Expect) {
    let Some(bed) = bed() else { return };
    expected.assert_eq(&bed.text(script));
}

#[test]
fn only_the_workspace_can_be_changed() {
    check(
        "echo x > file; mkdir -p a/b; mv file a/b/moved; ln a/b/moved linked; rm -r a
        echo x > $OTHER/third; rm $OTHER/file; mv linked $OTHER/; : > $OTHER/file; cat $OTHER/file; ls
        echo x > /dev/null; echo x > /tmp/tagline-landlock",
        expect![[r#"
            bash: line 3: other/third: Permission denied
            rm: cannot remove 'other/file': Permission denied
            mv: cannot move 'linked' to 'other/linked': Permission denied
            bash: line 3: other/file: Permission denied
            there
            linked
            bash: line 4: /tmp/tagline-landlock: Permission denied
        "#]],
    );
}

#[test]
fn our_own_folders_cannot_be_read() {
    let Some(bed) = bed() else { return };
    std::os::unix::fs::symlink(bed.path("own"), bed.path("ws/way")).unwrap();
    expect![[r#"
        cat: own/key: Permission denied
        cat: way/key: Permission denied
        bash: line 2: own/key: Permission denied
    "#]]
    .assert_eq(&bed.text("cat $OWN/key; cat way/key; echo x > $OWN/key"));
    assert_eq!(fs::read_to_string(bed.path("own/key")).unwrap(), "canary");
}

#[test]
fn connections_are_refused_and_servers_are_not() {
    let Some(bed) = bed() else { return };
    let port = TcpListener::bind("127.0.0.1:0").unwrap();
    let n = port.local_addr().unwrap().port();
    let script = format!(
        "exec 3<>/dev/tcp/127.0.0.1/{n}; echo x > /dev/udp/127.0.0.1/{n}
        python3 -c 'import socket; s = socket.socket(); s.bind((\"127.0.0.1\", 0)); s.listen(); print(\"listens\")'"
    );
    expect![[r#"
        bash: connect: Permission denied
        bash: line 2: /dev/tcp/127.0.0.1/PORT: Permission denied
        bash: socket: Operation not permitted
        bash: line 2: /dev/udp/127.0.0.1/PORT: Operation not permitted
        listens
    "#]]
    .assert_eq(&bed.text(&script).replace(&n.to_string(), "PORT"));
    port.set_nonblocking(true).unwrap();
    assert!(port.accept().is_err());
}
