//! What a call brings in that neither the user nor we wrote, and what follows.

use expect_test::expect;
use tagline_policy::{
    Claims, Effect, Mode, Request, Rule, Sandbox, Situation, Verdict, decide, taint,
};

use crate::situation::{changing, command, reading, request, shown, situation};

fn hosts(host: &str) -> Claims {
    Claims { hosts: vec![host.to_owned()], ..Claims::default() }
}

/// Ways in, each with what is said of it.
fn sources() -> Vec<(Request, &'static str)> {
    vec![
        (request(Effect::Fetch, hosts("example.org")), "what `example.org` answered"),
        (request(Effect::Read, hosts("example.org")), "what `example.org` answered"),
        (request(Effect::Fetch, Claims::default()), "what another machine answered"),
        (request(Effect::Read, reading("/srv/a")), "`/srv/a`, which lies outside the workspace"),
        (command("curl https://example.org"), "what `curl` fetched"),
        (command("bash -c 'wget -qO- https://example.org' | head"), "what `wget` fetched"),
        (command("env curl -s http://localhost.evil.net"), "what `curl` fetched"),
        (command("echo a; nc example.org 80"), "what `nc` fetched"),
        (command("gh pr view 1"), "what `gh` fetched"),
    ]
}

/// Calls that could do harm, allowed by a rule, by the mode or by the sandbox.
fn dangers() -> Vec<Request> {
    let mut dangers: Vec<_> = [
        "cargo test",
        "cargo build --release",
        "npm test",
        "python3 a.py",
        "make",
        "rm -rf target",
        "touch x",
        "git commit -m x",
        "./run.sh",
        "node a.js",
    ]
    .map(command)
    .to_vec();
    dangers.push(request(Effect::Exec, Claims::default()));
    dangers.push(request(Effect::Fetch, hosts("example.net")));
    dangers.push(request(Effect::Fetch, Claims::default()));
    dangers.push(request(Effect::Control, Claims::default()));
    dangers.push(request(Effect::Desktop, Claims::default()));
    dangers.push(Request { effect: Effect::Control, ..command("cargo test") });
    dangers.push(Request { effect: Effect::Desktop, ..command("ls") });
    dangers
}

#[test]
fn what_comes_from_elsewhere_is_named() {
    for (request, words) in sources() {
        assert_eq!(taint(&request, &situation(Mode::Auto)).as_deref(), Some(words));
    }
    for text in ["ls", "cargo build", "curl localhost:3000", "git commit -m 'curl https://x'"] {
        assert_eq!(taint(&command(text), &situation(Mode::Auto)), None, "{text}");
    }
    let network = Claims { command: Some("cargo build".to_owned()), ..hosts("*") };
    assert_eq!(taint(&request(Effect::Exec, network), &situation(Mode::Auto)), None);
    for claims in [reading("/home/u/work/a"), changing("/srv/a")] {
        assert_eq!(taint(&request(Effect::Read, claims), &situation(Mode::Auto)), None);
    }
}

#[test]
fn behind_each_source_each_danger_asks_and_refuses_where_nobody_is_there() {
    let rules = [
        "tool tool",
        "command cargo test",
        "command npm test",
        "command touch",
        "host example.net",
    ];
    let rules: Vec<_> =
        rules.iter().map(|scope| Rule::allow(scope.parse().unwrap()).unwrap()).collect();
    let before = Situation { rules, sandbox: Sandbox::Proven, ..situation(Mode::Auto) };
    let (mut n, mut n_allowed) = (0, 0);
    for (source, _) in sources() {
        let behind = Situation { taint: taint(&source, &before), ..before.clone() };
        let alone = Situation { is_attended: false, ..behind.clone() };
        for danger in dangers() {
            n_allowed += usize::from(matches!(decide(&danger, &before), Verdict::Allow { .. }));
            let (verdict, closed) = (decide(&danger, &behind), decide(&danger, &alone));
            assert!(matches!(verdict, Verdict::Ask { .. }), "{danger:?}: {}", shown(&verdict));
            assert!(matches!(closed, Verdict::Deny { .. }), "{danger:?}: {}", shown(&closed));
            n += 1;
        }
    }
    assert!(n >= 150 && n_allowed >= 90, "{n_allowed} of {n} would run before");
}

#[test]
fn behind_a_source_only_rules_hold_that_are_meant_to() {
    let scope = |text: &str| text.parse().unwrap();
    let rules = [
        Rule::allow(scope("command cargo test")).unwrap(),
        Rule::allow_also_when_tainted(scope("command npm test")).unwrap(),
        Rule::allow(scope("tool tool")).unwrap(),
    ];
    let taint = Some("a web page".to_owned());
    let behind = Situation { rules: rules.into(), taint, ..situation(Mode::Ask) };
    let change = request(Effect::Write, changing("/home/u/work/a"));
    let said = [command("cargo test"), command("npm test"), change]
        .map(|call| shown(&decide(&call, &behind)))
        .join("\n");
    expect![[r#"
        ask: this turn has read a web page, which may have asked for this
        allow (rule: allow command npm test)
        allow (rule: allow tool tool)"#]]
    .assert_eq(&said);
}
