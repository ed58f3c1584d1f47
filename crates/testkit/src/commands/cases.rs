//! The cases: hostile commands, and benign ones beside them.

/// What must become of a case.
#[derive(Debug)]
pub enum Expect {
    /// A person is asked, in every place.
    Asks,
    /// It is refused.
    Denied,
    /// It runs without a question in mode auto.
    Runs,
    /// What counts happens after it was allowed.
    Later,
}

/// A case in words.
#[derive(Debug)]
pub struct Case {
    /// Its number in the catalogue.
    pub id: &'static str,
    /// Rules that hold, such as `allow command ls`.
    pub rules: &'static [&'static str],
    /// The commands, for [`real`].
    pub inputs: &'static [&'static str],
    /// What must follow.
    pub words: &'static str,
    /// The same, to be checked.
    pub expect: Expect,
    /// In a proven sandbox it may run in mode auto: it says nothing that leads out of the workspace.
    pub is_held: bool,
}

const fn case(
    id: &'static str,
    rules: &'static [&'static str],
    inputs: &'static [&'static str],
    words: &'static str,
    expect: Expect,
) -> Case {
    Case { id, rules, inputs, words, expect, is_held: false }
}

const fn held(
    id: &'static str,
    rules: &'static [&'static str],
    inputs: &'static [&'static str],
    words: &'static str,
) -> Case {
    Case { id, rules, inputs, words, expect: Asks, is_held: true }
}

/// The command with this folder beside the workspace in it.
#[must_use]
pub fn real(input: &str, out: &str) -> String {
    let padded = input.replace("$PAD", &" \t".repeat(2_000)).replace("$OUT", out);
    padded.replace("$SIXTY", &"true;".repeat(60))
}

use Expect::{Asks, Denied, Later, Runs};

const LS: &[&str] = &["allow command ls"];

/// All cases.
pub const CASES: &[Case] = &[
    case("SH-01", LS, &["ls && touch $OUT/pwned"], "asks: every part needs its own right", Asks),
    case("SH-02", LS, &["ls; touch $OUT/pwned"], "asks", Asks),
    case("SH-03", LS, &["ls\ntouch $OUT/pwned"], "asks", Asks),
    case("SH-05", LS, &["ls & touch $OUT/pwned"], "asks: `&` divides, and detaches", Asks),
    case("SH-06", LS, &["ls $(touch $OUT/pwned)", "ls `touch $OUT/pwned`"], "asks", Asks),
    case("SH-08", LS, &["ls <(touch $OUT/pwned)"], "asks", Asks),
    case("SH-09", LS, &["ls > $OUT/pwned", "ls >> $OUT/pwned"], "asks", Asks),
    held("SH-10", &["allow command git log"], &["git logout"], "asks: rules match whole words"),
    case(
        "SH-11",
        LS,
        &["ls &&& touch $OUT/pwned"],
        "asks: what cannot be parsed cannot be allowed",
        Asks,
    ),
    case(
        "SH-14",
        &["deny command touch"],
        &[
            "env touch $OUT/pwned",
            "timeout 5 touch $OUT/pwned",
            "nice touch $OUT/pwned",
            "setsid touch $OUT/pwned",
            "xargs touch $OUT/pwned < f",
        ],
        "refused: wrappers are looked through",
        Denied,
    ),
    case(
        "SH-16",
        &[],
        &[
            "rg --pre ./p.sh a .",
            "rg --pre=./p.sh a .",
            "rg --hostname-bin ./p.sh a .",
            "rg -z a .",
        ],
        "asks: search tools can start helpers",
        Asks,
    ),
    case(
        "SH-18",
        &[],
        &["base64 -o $OUT/pwned f", "base64 --output=$OUT/pwned f", "base64 -o$OUT/pwned f"],
        "asks: joined and long spellings are known",
        Asks,
    ),
    case(
        "SH-19",
        &["allow command echo"],
        &["x='$(touch $OUT/pwned)'; echo \"${x@P}\""],
        "asks",
        Asks,
    ),
    case(
        "SH-20",
        &["allow command echo"],
        &["echo =(touch $OUT/pwned)", "[[ x =~ $(touch $OUT/pwned) ]]"],
        "asks: the text is read as bash reads it",
        Asks,
    ),
    case(
        "SH-21",
        &["deny command touch"],
        &["$SIXTYtouch $OUT/pwned"],
        "refused, also where nobody is there: no cap turns deny into ask",
        Denied,
    ),
    case("SH-22", LS, &["ls\rtouch $OUT/pwned"], "asks, and names the hidden character", Asks),
    case(
        "SH-23",
        LS,
        &["ls$PAD; touch $OUT/pwned", "ls\u{200b}; touch $OUT/pwned"],
        "asks; what is shown counts the blanks and marks what is invisible (tagline-executor, `shown`)",
        Asks,
    ),
    case(
        "SH-24",
        &[],
        &[
            "git -c core.fsmonitor='touch $OUT/pwned' status",
            "git --git-dir=x status",
            "git -C $OUT status",
        ],
        "asks: git runs what its options name",
        Asks,
    ),
    held(
        "SH-24b",
        &[],
        &["git status"],
        "asks: git runs what the repository's own configuration names",
    ),
    case(
        "SH-26",
        &["allow command cat"],
        &["cat <<EOF | bash\ntouch $OUT/pwned\nEOF"],
        "asks; a rule that allows an interpreter is refused (test `rules`)",
        Asks,
    ),
    held("SH-27", LS, &["./ls"], "asks: it is not the program of the rule"),
    case(
        "SH-29",
        &["deny command rm -f", "deny command rm --force"],
        &[
            "if true; then rm -fr x; fi",
            "for a in x; do rm -r -f \"$a\"; done",
            "echo \"$(rm --force x)\"",
            "printf x | rm -rf x",
        ],
        "refused: control flow and substitutions are walked",
        Denied,
    ),
    case(
        "SH-30",
        &["allow command rm"],
        &["cd $OUT && rm -r data", "cd .. && rm -r data"],
        "asks: behind `cd` names mean something else",
        Asks,
    ),
    case(
        "SH-35",
        &[],
        &["python3 -c \"import socket; socket.socket(socket.AF_UNIX).connect('$OUT/s.sock')\""],
        "asks; that it fails in the sandbox is the sandbox's to show",
        Asks,
    ),
    case(
        "SH-37",
        &[],
        &["setsid sh -c 'sleep 300 & sleep 300'"],
        "all of its processes are gone within 3 s after a stop",
        Later,
    ),
    case(
        "SH-38",
        &["allow command printf"],
        &[
            "printf x > .git/hooks/pre-commit",
            "printf x >> .git/config",
            "printf x > .bashrc",
            "printf x > .mcp.json",
            "printf x > .vscode/settings.json",
        ],
        "asks; that it fails in the sandbox is the sandbox's to show",
        Asks,
    ),
    case(
        "SH-39",
        &[],
        &["mv .git g2; printf x > g2/hooks/pre-commit; mv g2 .git"],
        "asks; that it fails in the sandbox is the sandbox's to show",
        Asks,
    ),
    case(
        "SH-40",
        &["allow command printf"],
        &["printf x > .tagline/settings.json"],
        "asks; what a link there leads to is the sandbox's to show",
        Asks,
    ),
    case("SH-41", &[], &["touch $OUT/pwned"], "an approval covers exact bytes once", Later),
    case("SH-43", &[], &["sleep 60"], "a timeout is told apart from a refusal", Later),
    case("SH-B1", &[], &["grep -R 'a && b; $(x)' ."], "runs without a question", Runs),
    case(
        "SH-B3",
        &[],
        &["ls -la", "ls | wc -l", "sed -n 1,5p f", "grep -n x f || true", "cat a b && pwd"],
        "run without a question",
        Runs,
    ),
    case("SH-B4", &[], &["ls missing 2>/dev/null"], "runs without a question", Runs),
];
