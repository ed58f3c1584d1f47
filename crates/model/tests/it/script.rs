//! Scripts: what is played, what is noticed, what is refused.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use futures_util::StreamExt as _;
use tagline_model::{Model as _, ModelEvent, ModelInfo, Request, ScriptedModel};
use tagline_protocol::{Message, Role};

fn request(text: &str) -> Request {
    Request {
        messages: vec![
            Message::new(Role::System, "You write tags."),
            Message::new(Role::User, text),
        ],
        ..Request::default()
    }
}

/// Plays the script against the user messages and writes down every event.
async fn play(script: &str, asked: &[&str]) -> String {
    let model = match ScriptedModel::from_text(script) {
        Ok(model) => model,
        Err(error) => return format!("{error}\n"),
    };
    let mut out = String::new();
    for text in asked {
        writeln!(out, "ask {text}").unwrap();
        let mut events = model.ask(request(text));
        while let Some(event) = events.next().await {
            match event {
                Ok(event) => writeln!(out, "  {event:?}").unwrap(),
                Err(fault) => {
                    writeln!(out, "  fault {} {:?}: {fault}", fault.code, fault.class).unwrap();
                }
            }
        }
    }
    writeln!(out, "{} left", model.replies_left()).unwrap();
    out
}

#[track_caller]
fn check(script: &str, asked: &[&str], expected: Expect) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    expected.assert_eq(&runtime.block_on(play(script, asked)));
}

#[test]
fn replies_come_in_order_and_keep_their_line_ends() {
    check(
        "# a comment\n=== reply\none\n\ntwo\n\n=== reply\n=== reasoning\nhm\n=== text\n\\=== three\n",
        &["a", "b"],
        expect![[r#"
            ask a
              Text("one\n\ntwo\n")
              Finish(Stop)
            ask b
              Reasoning("hm")
              Text("=== three")
              Finish(Stop)
            0 left
        "#]],
    );
}

#[test]
fn text_is_cut_into_characters_not_bytes() {
    check(
        "=== chunk 2\n=== reply\naé😀z\n=== reply\n=== chunk whole\naé😀z",
        &["a", "b"],
        expect![[r#"
            ask a
              Text("aé")
              Text("😀z")
              Finish(Stop)
            ask b
              Text("aé😀z")
              Finish(Stop)
            0 left
        "#]],
    );
}

#[test]
fn endings_states_and_usage_are_played() {
    check(
        "=== reply\n=== state prefill 10 of 20\nx\n=== usage in=5 out=1\n=== finish length\n\
         === reply\ny\n=== finish cut\n\
         === reply\n=== fault overloaded retry_after=7s the server is busy\n\
         === reply\n=== finish refused safety\n",
        &["a", "b", "c", "d"],
        expect![[r#"
            ask a
              State { state: "prefill", detail: Some("10 of 20") }
              Text("x")
              Usage(Usage { input_tokens: Some(5), cached_tokens: None, output_tokens: Some(1) })
              Finish(Length)
            ask b
              Text("y")
              fault cut Retry: reply of the script: expected an end, but the stream was cut; ask again
            ask c
              fault overloaded RetryAfter(7s): the server is busy
            ask d
              Finish(Refused("safety"))
            0 left
        "#]],
    );
}

#[test]
fn a_request_that_was_not_expected_is_a_fault() {
    check(
        "=== reply\n=== expect contains site\n=== expect lacks error\n=== expect system matches ^You\nok\n\
         === reply\n=== expect lacks error\nok\n\
         === reply\n=== expect system contains JSON\nok\n\
         === reply\n=== expect matches ^\\d+$\nok\n",
        &["make a site", "an error", "c", "4x", "e"],
        expect![[r#"
            ask make a site
              Text("ok")
              Finish(Stop)
            ask an error
              fault script_expect Fail: `script`, reply at line 6: expected a last user message without `error`, but found `an error`; correct the script or what asks
            ask c
              fault script_expect Fail: `script`, reply at line 9: expected a system message with `JSON`, but found `You write tags.`; correct the script or what asks
            ask 4x
              fault script_expect Fail: `script`, reply at line 12: expected a last user message that matches `^\d+$`, but found `4x`; correct the script or what asks
            ask e
              fault script_end Fail: `script`: expected no request after the last reply, but found request 5; add a reply or `=== repeat forever`
            0 left
        "#]],
    );
}

#[test]
fn a_reply_repeats() {
    check(
        "=== reply\n=== repeat 2\na\n=== reply\n=== repeat forever\nb\n",
        &["1", "2", "3", "4"],
        expect![[r#"
            ask 1
              Text("a")
              Finish(Stop)
            ask 2
              Text("a")
              Finish(Stop)
            ask 3
              Text("b")
              Finish(Stop)
            ask 4
              Text("b")
              Finish(Stop)
            0 left
        "#]],
    );
}

#[test]
fn faulty_scripts_name_the_line() {
    let scripts = [
        "",
        "hello\n=== reply\n",
        "=== text\n=== reply\n",
        "=== reply now\n",
        "=== reply\n=== teh\n",
        "=== chunk 0\n=== reply\n",
        "=== reply\n=== delay 20\n",
        "=== reply\n=== pause -1s\n",
        "=== reply\n=== state\n",
        "=== reply\n=== usage in=-1\n",
        "=== reply\n=== repeat never\n",
        "=== reply\n=== finish refused\n",
        "=== reply\n=== fault x maybe no\n",
        "=== reply\n=== expect contains\n",
        "=== reply\n=== expect matches (\n",
    ];
    let mut out = String::new();
    for script in scripts {
        writeln!(out, "{}", ScriptedModel::from_text(script).unwrap_err()).unwrap();
    }
    writeln!(out, "{}", ScriptedModel::from_path("no/such").unwrap_err()).unwrap();
    expect![[r#"
        script: expected a line `=== reply`, but found none; begin each reply with that line
        script line 1: expected `=== reply` first, but found text or `hello`; before the first reply only `=== chunk`, `=== delay`, empty lines and lines with `#` may stand
        script line 1: expected `=== reply` first, but found text or `text`; before the first reply only `=== chunk`, `=== delay`, empty lines and lines with `#` may stand
        script line 1: `reply` expected nothing after it, but found `now`; correct the line
        script line 2: expected `reply`, `text`, `reasoning`, `expect`, `chunk`, `delay`, `pause`, `state`, `usage`, `repeat`, `finish`, `fault` or `hang` after `===`, but found `teh`; write text that begins with `===` as `\===`
        script line 1: `chunk` expected a number of characters above 0, or `whole`, but found `0`; correct the line
        script line 2: `delay` expected a time such as `20ms` or `1.5s`, but found `20`; correct the line
        script line 2: `pause` expected a time such as `20ms` or `1.5s`, but found `-1s`; correct the line
        script line 2: `state` expected a word, then a detail or nothing, but found ``; correct the line
        script line 2: `usage` expected `in=N`, `cached=N` or `out=N`, but found `in=-1`; correct the line
        script line 2: `repeat` expected a number above 0, or `forever`, but found `never`; correct the line
        script line 2: `finish` expected `stop`, `length`, `refused WORD` or `cut`, but found `refused`; correct the line
        script line 2: `fault` expected a code, a class (`retry`, `retry_after=7s`, `compact`, `ask_user`, `fail`) and a message, but found `x maybe no`; correct the line
        script line 2: `expect` expected `contains TEXT`, `lacks TEXT`, `matches REGEX` or `images N`, after `system` or alone, but found `contains`; correct the line
        script line 2: `expect` expected `contains TEXT`, `lacks TEXT`, `matches REGEX` or `images N`, after `system` or alone, but found `matches (`; correct the line
        script `no/such`: no such file or directory; name a readable file
    "#]].assert_eq(&out);
}

#[tokio::test(start_paused = true)]
async fn delays_pass_on_the_runtimes_clock_and_can_be_left_out() {
    let model = ScriptedModel::from_text(
        "=== reply\n=== repeat 2\n=== chunk 1\n=== delay 20ms\nabc\n=== pause 1s\n",
    )
    .unwrap();
    let start = tokio::time::Instant::now();
    let events: Vec<_> = model.clone().without_delays().ask(Request::default()).collect().await;
    assert_eq!(start.elapsed().as_millis(), 0);
    assert_eq!(events.len(), 4);
    let again: Vec<_> = model.ask(Request::default()).collect().await;
    assert_eq!(start.elapsed().as_millis(), 1060);
    assert_eq!(again, events);
}

#[tokio::test(start_paused = true)]
async fn a_hanging_reply_stays_open() {
    let model = ScriptedModel::from_text("=== reply\nx\n=== hang\n").unwrap();
    let mut events = model.ask(Request::default());
    assert_eq!(events.next().await, Some(Ok(ModelEvent::Text("x".to_owned()))));
    let next = tokio::time::timeout(std::time::Duration::from_secs(3600), events.next()).await;
    assert!(next.is_err());
}

#[test]
fn requests_are_recorded_also_by_clones_and_files_give_their_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hello.script");
    std::fs::write(&path, "=== reply\nhi\n").unwrap();
    let model = ScriptedModel::from_path(&path).unwrap();
    let clone = model.clone();
    drop(clone.ask(request("one")));
    assert_eq!(model.requests(), vec![request("one")]);
    assert_eq!(model.info().name, "script/hello.script");
    let renamed = model.with_info(ModelInfo { name: "x/y".to_owned(), ..ModelInfo::default() });
    assert_eq!(renamed.info().name, "x/y");
}
