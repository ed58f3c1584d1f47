//! What scopes cover, table by table: surely, which an allow rule needs, and maybe, which is enough to
//! refuse.

use tagline_policy::{Claims, Effect, Mode, Rule, Scope, Situation, Verdict, decide};

use crate::situation::{changing, command, request, situation};

fn scope(text: &str) -> Scope {
    text.parse().unwrap()
}

/// Whether an allow rule of this scope lets the request run, and whether a deny rule stops it.
fn covers(text: &str, request: &tagline_policy::Request) -> (bool, bool) {
    let allow = vec![Rule::allow(scope(text)).unwrap()];
    let allow = decide(request, &Situation { rules: allow, ..situation(Mode::Ask) });
    let deny = vec![Rule::deny(scope(text))];
    let deny = decide(request, &Situation { rules: deny, ..situation(Mode::Full) });
    (matches!(allow, Verdict::Allow { .. }), matches!(deny, Verdict::Deny { .. }))
}

const NO: (bool, bool) = (false, false);
const MAYBE: (bool, bool) = (false, true);
const SURELY: (bool, bool) = (true, true);

#[test]
fn hosts_are_compared_by_whole_labels() {
    let cases = [
        ("host example.org", "example.org", SURELY),
        ("host example.org", "EXAMPLE.org.", SURELY),
        ("host example.org", "a.example.org", NO),
        ("host example.org", "example.org.evil.net", NO),
        ("host example.org", "notexample.org", NO),
        ("host Example.Org.", "example.org", SURELY),
        ("host *.example.org", "a.example.org", SURELY),
        ("host *.example.org", "a.b.example.org", SURELY),
        ("host *.example.org", "example.org", NO),
        ("host *.example.org", "aexample.org", NO),
        ("host ::1", "[::1]", SURELY),
        ("host 127.0.0.1", "127.0.0.2", NO),
    ];
    for (rule, host, expected) in cases {
        let claims = Claims { hosts: vec![host.to_owned()], ..Claims::default() };
        assert_eq!(covers(rule, &request(Effect::Fetch, claims)), expected, "{rule}: {host}");
    }
    // One host of two is half of what is needed, and enough to refuse.
    let hosts = vec!["example.org".to_owned(), "other.net".to_owned()];
    let claims = Claims { hosts, ..Claims::default() };
    assert_eq!(covers("host example.org", &request(Effect::Fetch, claims)), MAYBE);
}

#[test]
fn a_denied_host_is_found_in_the_words_of_a_command() {
    for text in [
        "curl https://example.org/x",
        "curl EXAMPLE.ORG:443",
        "git clone git@example.org:a/b",
        "ssh u@example.org",
        "bash -c 'wget http://example.org'",
        "python3 -c \"get('http://example.org')\"",
    ] {
        assert_eq!(covers("host example.org", &command(text)), MAYBE, "{text}");
    }
    assert_eq!(covers("host example.org", &command("curl https://example.org.evil.net")), NO);
}

#[test]
fn arguments_fit_whole_and_climb_nowhere() {
    let cases = [
        ("docs/a.md", SURELY),
        ("./docs/a.md", SURELY),
        ("docs/b/c.md", SURELY),
        ("DOCS/a.md", MAYBE),
        ("src/../docs/a.md", MAYBE),
        ("docs/../src/a.rs", MAYBE),
        ("src/docs/a.md", NO),
        ("docs", NO),
    ];
    for (path, expected) in cases {
        let mut call = request(Effect::Write, changing(&format!("/home/u/work/{path}")));
        call.arguments = vec![("path".to_owned(), path.to_owned())];
        assert_eq!(covers("tool tool path=docs/**", &call), expected, "{path}");
    }
    let call = request(Effect::Write, changing("/home/u/work/docs/a"));
    assert_eq!(covers("tool tool path=docs/**", &call), NO, "an argument that is not there");
}

#[test]
fn an_argument_is_refused_for_where_it_leads_too() {
    let mut call = request(Effect::Write, changing("/home/u/work/docs/a.md"));
    call.claims.paths[0].asked = "link".to_owned();
    call.arguments = vec![("path".to_owned(), "link".to_owned())];
    for (rule, expected) in [
        ("tool tool path=docs/**", MAYBE),
        ("tool tool path=/home/u/work/docs/*", MAYBE),
        ("tool tool path=src/**", NO),
    ] {
        assert_eq!(covers(rule, &call), expected, "{rule}");
    }
    call.claims.paths[0].asked = "other".to_owned();
    assert_eq!(covers("tool tool path=docs/**", &call), NO, "another argument leads there");
}

#[test]
fn a_scope_is_shown_as_it_is_written() {
    for text in [
        "command cargo test",
        "tool write_file",
        "tool write_file path=docs/** mode=?",
        "host a-b.example_1.org",
        "host *.example.org",
        "folder ~/notes",
    ] {
        assert_eq!(scope(text).to_string(), text);
    }
}

#[test]
fn folders_cover_what_lies_in_them() {
    let cases = [
        ("folder docs", "/home/u/work/docs/a", SURELY),
        ("folder docs", "/home/u/work/docs", SURELY),
        ("folder docs", "/home/u/work/docs2/a", NO),
        ("folder docs", "/home/u/work/Docs/a", MAYBE),
        ("folder ~/work/docs", "/home/u/work/docs/a", SURELY),
        ("folder .", "/home/u/work/a", SURELY),
        ("folder /home/u/work/docs", "/home/u/work/docs/../docs/a", SURELY),
    ];
    for (rule, path, expected) in cases {
        assert_eq!(
            covers(rule, &request(Effect::Write, changing(path))),
            expected,
            "{rule}: {path}"
        );
    }
    for text in
        ["cat docs/a", "cat < docs/a", "echo x > docs/a", "cd docs && ls", "bash -c 'rm docs/a'"]
    {
        assert_eq!(covers("folder docs", &command(text)), MAYBE, "{text}");
    }
    assert_eq!(covers("folder docs", &command("cat src/a")), NO);
}

#[test]
fn words_of_a_denied_command_may_stand_apart() {
    let cases = [
        ("command git push", "git -C sub push", MAYBE),
        ("command git push", "git --no-pager push origin", MAYBE),
        ("command git push", "git commit -m push", NO),
        ("command git push", "git push", SURELY),
        ("command rm -f", "rm -rf x", MAYBE),
        ("command rm -f", "rm x -f", MAYBE),
        ("command rm -f", "rm x", NO),
        ("command rm --force", "rm --for x", MAYBE),
        ("command rm --force", "rm -r x", NO),
        ("command rm --force", "rm -- x", NO),
        ("command rm -f", "rm -r x", NO),
        ("command rm -f", "rm f", NO),
        ("command rm -f", "rm --force x", NO),
        ("command git push", "git - push", NO),
        ("command touch", "bash --norc 'touch x'", NO),
        ("command touch", "bash -x 'touch x'", NO),
        ("command touch", "bash 'c; touch x'", NO),
        ("command touch", "su u --command 'touch x'", MAYBE),
        ("command touch", "su --command='touch x'", MAYBE),
        ("command touch", "su u 'touch x'", NO),
        ("command git push", "git --git-dir=a b push", NO),
        ("command cargo test", "cargo +nightly a test", NO),
        ("command cargo test", "cargo +nightly test", MAYBE),
        ("command touch", "/USR/bin/TOUCH x", MAYBE),
    ];
    for (rule, text, expected) in cases {
        assert_eq!(covers(rule, &command(text)), expected, "{rule}: {text}");
    }
}

#[test]
fn a_rule_for_a_program_covers_neither_other_places_nor_keys_nor_other_programs() {
    let texts = [
        "cp a ../b",
        "cp a /etc/b",
        "cp --target-directory=/etc a",
        "cp -t/etc a",
        "cp .env b",
        "cp a .git/hooks/pre-commit",
        "cp --exec=x a b",
        "cd .. && cp a b",
    ];
    for text in texts {
        let (is_allowed, _) = covers("command cp", &command(text));
        assert!(!is_allowed, "{text}");
    }
    assert_eq!(covers("command cp", &command("cp a b && ls | head -3")), SURELY);
}
