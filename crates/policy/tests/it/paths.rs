//! Paths that ask, and paths that nobody gets.

use expect_test::{Expect, expect};
use tagline_policy::{Claims, Effect, Mode, PathClaim, Situation, decide};

use crate::situation::{changing, reading, removing, request, shown, situation};

fn check(effect: Effect, claims: Claims, expected: Expect) {
    let verdict = decide(&request(effect, claims), &situation(Mode::Auto));
    expected.assert_eq(&shown(&verdict));
}

#[test]
fn places_of_keys_ask_in_any_letter_case() {
    let places = [
        "/home/u/work/.env",
        "/home/u/work/.ENV",
        "/home/u/work/.env.local",
        "/home/u/work/a.pem",
        "/home/u/work/.ssh/config",
        "/home/u/work/id_rsa",
        "/home/u/work/.aws/credentials",
        "/home/u/work/.netrc",
        "/home/u/work/tls.KEY",
        "/home/u/work/.npmrc",
        "/home/u/work/.docker/config.json",
        "/proc/self/environ",
        "/etc/shadow",
    ];
    for place in places {
        let verdict = decide(&request(Effect::Read, reading(place)), &situation(Mode::Auto));
        assert_eq!(shown(&verdict), format!("ask: `{place}` may hold keys or passwords"));
    }
}

#[test]
fn what_only_looks_like_a_key_passes() {
    for name in
        [".env.example", "environment.rs", "id_rsa.rs", "keys.txt", "pem.md", "a.key.md", "maps"]
    {
        let path = format!("/home/u/work/{name}");
        let verdict = decide(&request(Effect::Read, reading(&path)), &situation(Mode::Auto));
        assert_eq!(shown(&verdict), "allow (reads only)", "{name}");
    }
}

#[test]
fn a_harmless_name_of_a_place_of_keys_asks() {
    let claim = PathClaim {
        asked: "notes.txt".to_owned(),
        resolved: Some("/home/u/work/.env".into()),
        is_write: false,
        is_removal: false,
    };
    let claims = Claims { paths: vec![claim], ..Claims::default() };
    check(Effect::Read, claims, expect!["ask: `notes.txt` may hold keys or passwords"]);
}

#[test]
fn files_that_other_programs_obey_ask_before_they_change() {
    let names = [
        ".git/hooks/pre-commit",
        ".git/config",
        ".GIT/config",
        ".bashrc",
        ".mcp.json",
        ".vscode/tasks.json",
        ".tagline/config.toml",
    ];
    for name in names {
        let path = format!("/home/u/work/{name}");
        let verdict = decide(&request(Effect::Write, changing(&path)), &situation(Mode::Auto));
        let expected = format!("ask: other programs obey `{path}` without asking");
        assert_eq!(shown(&verdict), expected);
        let verdict = decide(&request(Effect::Read, reading(&path)), &situation(Mode::Auto));
        assert_eq!(shown(&verdict), "allow (reads only)", "{name}");
    }
    check(Effect::Write, changing("/home/u/work/.gitignore"), expect!["allow (mode auto)"]);
}

#[test]
fn our_own_data_is_nobodys_business() {
    check(
        Effect::Read,
        reading("/home/u/.local/share/tagline/token"),
        expect![
            "deny (floor: touches the data of tagline itself): this touches the data of tagline itself, which is refused in every mode; do not try it another way"
        ],
    );
    check(
        Effect::Write,
        changing("/home/u/.local/share/tagline/x"),
        expect![
            "deny (floor: touches the data of tagline itself): this touches the data of tagline itself, which is refused in every mode; do not try it another way"
        ],
    );
    check(
        Effect::Read,
        reading("/home/u/work/../.local/share/tagline/x"),
        expect![
            "deny (floor: touches the data of tagline itself): this touches the data of tagline itself, which is refused in every mode; do not try it another way"
        ],
    );
}

#[test]
fn a_workspace_inside_our_own_data_may_be_used() {
    let root = "/home/u/.local/share/tagline/home/workspaces/x";
    let inside = Situation { roots: vec![root.into()], ..situation(Mode::Edit) };
    let verdict = |path: &str| {
        let claims = changing(&format!("/home/u/.local/share/tagline/{path}"));
        shown(&decide(&request(Effect::Write, claims), &inside))
    };
    expect!["allow (mode edit)"].assert_eq(&verdict("home/workspaces/x/a.txt"));
    expect!["deny (floor: touches the data of tagline itself): this touches the data of tagline itself, which is refused in every mode; do not try it another way"].assert_eq(&verdict("journal.db"));
}

#[test]
fn removing_what_everything_hangs_on_is_refused() {
    for path in
        ["/", "/home/u", "/home/u/work", "/home", "/etc", "/home/u/.local", "/home/u/work/.."]
    {
        let verdict = decide(&request(Effect::Write, removing(path)), &situation(Mode::Full));
        assert!(shown(&verdict).starts_with("deny (floor: removes"), "{path}: {}", shown(&verdict));
    }
    check(Effect::Write, removing("/home/u/work/src"), expect!["allow (mode auto)"]);
}

#[test]
fn a_path_that_leads_nowhere_known_is_outside() {
    let mut claims = changing("x");
    claims.paths.iter_mut().for_each(|claim| claim.resolved = None);
    check(
        Effect::Write,
        claims.clone(),
        expect![
            "deny (border: outside the workspace): path `x`: expected a path in `/home/u/work`, where files may be changed, but it leads elsewhere; choose a path inside"
        ],
    );
    claims.paths.iter_mut().for_each(|claim| claim.is_write = false);
    check(Effect::Read, claims, expect!["ask: `x` is outside the workspace"]);
}
