//! What is known of the words that pairs are made of, row by row.

/// What a part of a command is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Is {
    /// Known to only read.
    Reads,
    /// Runs where a rule lets it.
    Runs,
    /// Understood, but no rule lifts its question.
    Never,
    /// Read by the reader for sandboxes alone.
    Beyond,
    /// Not understood.
    Dark,
    /// Refused in every mode.
    Floor,
}

/// A part of a command.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) text: &'static str,
    pub(super) is: Is,
    /// A sandbox may run it without a question.
    pub(super) stays: bool,
    /// Scopes that may fit it, divided by `|`: enough to ask or deny.
    pub(super) may: &'static str,
    /// Scopes that surely fit it: enough to allow.
    pub(super) surely: &'static str,
    /// A scope without which it leads outside.
    pub(super) needs: &'static str,
}

const fn part(
    text: &'static str,
    is: Is,
    stays: bool,
    may: &'static str,
    surely: &'static str,
    needs: &'static str,
) -> Part {
    Part { text, is, stays, may, surely, needs }
}

use Is::{Beyond, Dark, Floor, Never, Reads, Runs};

#[rustfmt::skip]
pub(super) const PARTS: &[Part] = &[
    part("ls src", Reads, true, "command ls", "command ls", ""),
    part("cat docs/a.md", Reads, true, "command cat|folder docs", "command cat", ""),
    part("cat DOCS/a.md", Reads, true, "command cat|folder docs", "command cat", ""),
    part("ls /srv/data", Reads, true, "command ls|folder /srv/data", "command ls", "folder /srv/data"),
    part("cat .env", Never, false, "command cat", "", ""),
    part("cat /etc/hosts", Never, false, "command cat", "", ""),
    part("cargo test -q", Runs, true, "command cargo|command cargo test", "command cargo test", ""),
    part("cargo +nightly test", Runs, true, "command cargo|command cargo test", "", ""),
    part("/usr/bin/cargo build", Runs, true, "command cargo", "", ""),
    part("timeout 5 cargo test", Runs, true, "command cargo|command cargo test", "command cargo test", ""),
    part("touch x", Runs, true, "command touch", "command touch", ""),
    part("touch docs/x", Runs, true, "command touch|folder docs", "command touch", ""),
    part("touch ../y", Runs, false, "command touch", "", ""),
    part("touch .bashrc", Runs, false, "command touch", "", ""),
    part("env touch x", Runs, true, "command touch|command env", "command touch", ""),
    part("sudo touch x", Runs, false, "command touch|command sudo", "", ""),
    part("cp /srv/data/c .", Runs, true, "command cp|folder /srv/data", "command cp", "folder /srv/data"),
    part("rm -f x", Runs, true, "command rm|command rm -f", "command rm|command rm -f", ""),
    part("rm -rf x", Runs, true, "command rm|command rm -f", "command rm", ""),
    part("rm --for x", Runs, true, "command rm|command rm --force", "command rm", ""),
    part("git push origin main", Runs, false, "command git|command git push", "command git push", ""),
    part("git -C sub push", Runs, false, "command git|command git push", "", ""),
    part("curl https://a.example.org/x", Runs, false,
        "command curl|host a.example.org|host *.example.org", "command curl", ""),
    part("curl http://a.example.org.evil.net", Runs, false, "command curl", "command curl", ""),
    part("ls *.rs", Beyond, true, "command ls", "", ""),
    part("X=1 cargo test", Beyond, true, "command cargo|command cargo test", "", ""),
    part("LD_PRELOAD=./x cargo test", Beyond, false, "command cargo|command cargo test", "", ""),
    part("echo x > docs/x", Beyond, true, "command echo|folder docs", "", ""),
    part("echo x > .bashrc", Beyond, false, "command echo", "", ""),
    part("ls $(touch x)", Dark, false, "command ls|command touch", "", ""),
    part("ls & touch x", Dark, false, "command ls|command touch", "", ""),
    part("rm -rf /", Floor, false, "command rm|command rm -f", "", ""),
    part("sudo reboot", Floor, false, "command sudo", "", ""),
];

/// A path that a tool names.
#[derive(Debug)]
pub(super) struct Path {
    pub(super) asked: &'static str,
    /// Where it leads; empty: nowhere known.
    pub(super) resolved: &'static str,
    pub(super) is_inside: bool,
    pub(super) is_secret: bool,
    pub(super) is_protected: bool,
    pub(super) is_own: bool,
    /// Nothing may remove it.
    pub(super) is_doom: bool,
    /// Scopes that may fit, beside that of its folder.
    pub(super) may: &'static str,
    /// The scope of an argument that surely fits.
    pub(super) argument: &'static str,
    /// The scope of its folder, as an allow rule needs it.
    pub(super) folder: &'static str,
}

const PLAIN: Path = Path {
    asked: "",
    resolved: "",
    is_inside: true,
    is_secret: false,
    is_protected: false,
    is_own: false,
    is_doom: false,
    may: "",
    argument: "",
    folder: "",
};

const ARGUMENT: &str = "tool edit path=docs/**";

pub(super) const PATHS: &[Path] = &[
    Path {
        asked: "docs/a.md",
        resolved: "/home/u/work/docs/a.md",
        may: ARGUMENT,
        argument: ARGUMENT,
        folder: "folder docs",
        ..PLAIN
    },
    Path {
        asked: "src/../docs/a.md",
        resolved: "/home/u/work/docs/a.md",
        may: ARGUMENT,
        folder: "folder docs",
        ..PLAIN
    },
    Path {
        asked: "Docs/a.md",
        resolved: "/home/u/work/Docs/a.md",
        may: "tool edit path=docs/**|folder docs",
        ..PLAIN
    },
    Path {
        asked: "link.md",
        resolved: "/home/u/work/docs/b.md",
        may: ARGUMENT,
        folder: "folder docs",
        ..PLAIN
    },
    Path { asked: "src/b.rs", resolved: "/home/u/work/src/b.rs", ..PLAIN },
    Path { asked: ".env", resolved: "/home/u/work/.env", is_secret: true, ..PLAIN },
    Path {
        asked: ".git/hooks/pre-push",
        resolved: "/home/u/work/.git/hooks/pre-push",
        is_protected: true,
        ..PLAIN
    },
    Path {
        asked: "/srv/data/c",
        resolved: "/srv/data/c",
        is_inside: false,
        folder: "folder /srv/data",
        ..PLAIN
    },
    Path { asked: "/etc/hosts", resolved: "/etc/hosts", is_inside: false, ..PLAIN },
    Path { asked: "gone", is_inside: false, ..PLAIN },
    Path { asked: ".", resolved: "/home/u/work", is_doom: true, ..PLAIN },
    Path {
        asked: "t",
        resolved: "/home/u/.local/share/tagline/t",
        is_inside: false,
        is_own: true,
        ..PLAIN
    },
];

/// A host that gets a request.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) name: &'static str,
    pub(super) may: &'static str,
    pub(super) surely: &'static str,
}

const EXAMPLE: &str = "host a.example.org|host *.example.org";

pub(super) const HOSTS: &[Host] = &[
    Host { name: "a.example.org", may: EXAMPLE, surely: EXAMPLE },
    Host { name: "A.Example.ORG.", may: EXAMPLE, surely: EXAMPLE },
    Host { name: "b.example.org", may: "host *.example.org", surely: "host *.example.org" },
    Host { name: "xa.example.org.net", may: "", surely: "" },
    Host { name: "example.org", may: "", surely: "" },
    Host { name: "*", may: EXAMPLE, surely: "" },
];

/// Every scope that rules are made of. Those at the end cannot be allowed.
pub(super) const SCOPES: &[&str] = &[
    "command ls",
    "command cat",
    "command cargo test",
    "command touch",
    "command cp",
    "command rm",
    "command rm -f",
    "command rm --force",
    "command git push",
    "command curl",
    "command echo",
    "tool edit",
    "tool edit path=docs/**",
    "tool get",
    "tool shell",
    "tool poke",
    "tool set",
    "host a.example.org",
    "host *.example.org",
    "folder docs",
    "folder /srv/data",
    "command cargo",
    "command git",
    "command sudo",
    "command env",
];

/// How many of [`SCOPES`] may stand in an allow rule.
pub(super) const N_ALLOWABLE: usize = SCOPES.len() - 4;
