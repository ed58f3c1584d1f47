//! Sessions: listed, found, named by what was said.

use expect_test::{Expect, expect};
use tagline_protocol::Event;
use tagline_store::{Durability, Journal as _};

use crate::support::{Bench, at, message, session};

#[track_caller]
fn check_title(events: Vec<Event>, expected: &str) {
    let bench = Bench::new();
    let journal = bench.open();
    bench.create(&journal, "a");
    let events = events.into_iter().map(|event| at("2026-11-27T10:00:00Z", event)).collect();
    bench.runtime.block_on(journal.append("a", events, Durability::Streamed)).unwrap();
    assert_eq!(bench.runtime.block_on(journal.find("a")).unwrap().title, expected);
}

fn user(text: &str) -> Event {
    Event::UserMessage { text: text.to_owned(), media: Vec::new() }
}

#[test]
fn a_title_is_the_first_line_of_the_first_message() {
    check_title(
        vec![user("\n  make a site \nwith three pages"), user("now in red")],
        "make a site",
    );
}

#[test]
fn a_given_title_replaces_it() {
    let given = Event::SessionTitle { title: "The site".to_owned() };
    check_title(vec![user("make a site"), given, user("more")], "The site");
}

#[test]
fn a_long_title_ends_in_dots() {
    let expected = format!("{}…", "ä".repeat(79));
    check_title(vec![user(&"ä".repeat(81))], &expected);
}

#[test]
fn the_list_is_newest_first_and_says_what_the_log_says() {
    let bench = Bench::new();
    let journal = bench.open();
    for id in ["old", "new"] {
        bench.create(&journal, id);
    }
    let later = vec![message("x"), at("2026-11-27T11:30:00.5Z", user("y"))];
    bench.runtime.block_on(journal.append("old", later, Durability::Full)).unwrap();
    let list: String = bench.runtime.block_on(journal.sessions()).unwrap().iter().fold(
        String::new(),
        |list, info| {
            let (workspace, profile) = (info.workspace.display(), &info.profile);
            let (id, created, updated) = (&info.id, &info.created, &info.updated);
            let (title, last) = (&info.title, info.last_seq);
            list + &format!("{id} {created} {updated} `{title}` {workspace} {profile} {last}\n")
        },
    );
    expect![[r"
        old 2026-11-27T10:00:00.000Z 2026-11-27T11:30:00.500Z `x` /srv/site default 2
        new 2026-11-27T10:00:00.000Z 2026-11-27T10:00:00.000Z `` /srv/site default 0
    "]]
    .assert_eq(&list);
}

#[track_caller]
fn check_find(prefix: &str, expected: Expect) {
    let bench = Bench::new();
    let journal = bench.open();
    for id in ["7f3c", "7f3cab", "81_0", "81x0"] {
        bench.create(&journal, id);
    }
    let found = bench.runtime.block_on(journal.find(prefix));
    expected.assert_eq(&found.map_or_else(|error| error.to_string(), |info| info.id));
}

#[test]
fn a_whole_id_is_found_though_others_begin_with_it() {
    check_find("7f3c", expect!["7f3c"]);
}

#[test]
fn a_beginning_that_is_enough_is_found() {
    check_find("7f3ca", expect!["7f3cab"]);
    check_find("81_", expect!["81_0"]);
}

#[test]
fn a_beginning_of_several_asks_for_more() {
    check_find(
        "7f",
        expect!["`7f` begins the id of several sessions: 7f3c, 7f3cab; write more of it"],
    );
}

#[test]
fn nothing_is_found_by_nothing() {
    check_find("", expect!["there is no session ``; list them with `tagline sessions list`"]);
    check_find("9", expect!["there is no session `9`; list them with `tagline sessions list`"]);
}

#[test]
fn an_id_is_taken_once() {
    let bench = Bench::new();
    let journal = bench.open();
    bench.create(&journal, "a");
    let error = bench.runtime.block_on(journal.create(session("a"))).unwrap_err();
    expect!["session `a` exists already; resume it with `-r a`"].assert_eq(&error.to_string());
}
