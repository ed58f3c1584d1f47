//! `-i`: images on their way to the model.

use std::fs;

use expect_test::expect;
use serde_json::{Value, json};

use crate::{
    provider::{Provider, WIRES, Wire},
    support::Bench,
};

/// The smallest PNG: one pixel.
pub(crate) const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\
                     \0\0\0\rIDATx\x9cc\xf8\xff\xff?\0\x05\xfe\x02\xfe\xa75\x81\x84\0\0\0\0IEND\xaeB`\x82";
const BASE64: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4//8/AAX+Av6nNYGEAAAAAElFTkSuQmCC";

fn bench() -> Bench {
    let bench = Bench::new().write("work/m.txt", "=== reply\n=== expect images 2\nTwo dots.\n");
    fs::write(bench.path("work/dot.png"), PNG).unwrap();
    fs::write(bench.path("work/no name"), PNG).unwrap();
    bench
}

#[test]
fn images_go_with_the_task_and_are_shown() {
    let bench = bench();
    let mut command = bench.command("run --model script/m.txt -i dot.png what -i");
    let output = command.arg("no name").output().unwrap();
    expect![[r#"
        --- stdout
        Two dots.
        --- stderr
        tagline 0.1.0  script/m.txt  mode ask  session [id]
          you       what
          image     dot.png                                      image/png
          image     no name                                      image/png
          say       Two dots.
        done  1 pass [time]
        exit 0
    "#]]
    .assert_eq(&bench.show(&output));
}

#[test]
fn each_provider_gets_the_image_in_its_own_form() {
    for wire in WIRES {
        let provider = Provider::start(wire, &["A dot."]);
        let bench = provider.known_to(bench(), "canary-0123456789");
        let shown = bench.run(&format!("run -q --model {} -i dot.png task", wire.model()));
        assert_eq!(shown, "--- stdout\nA dot.\nexit 0\n", "{wire:?}");
        let body = provider.body();
        let (place, expected) = match wire {
            Wire::OpenAi => (
                "/messages/1/content/1",
                json!({"type": "image_url", "image_url": {"url": format!("data:image/png;base64,{BASE64}")}}),
            ),
            Wire::Anthropic => (
                "/messages/0/content/0",
                json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": BASE64}}),
            ),
            Wire::Gemini => (
                "/contents/0/parts/1",
                json!({"inlineData": {"mimeType": "image/png", "data": BASE64}}),
            ),
        };
        assert_eq!(body.pointer(place), Some(&expected), "{wire:?}: {body}");
    }
}

#[test]
fn the_image_stays_in_the_conversation() {
    let bench = bench();
    assert!(bench.run("run -q --model script/m.txt -i dot.png -i dot.png what").contains("exit 0"));
    let provider = Provider::start(Wire::OpenAi, &["Still two."]);
    let bench = provider.known_to(bench, "canary-0123456789");
    assert!(bench.run("run -q --model openai/m -c again").contains("Still two."));
    let parts = provider.body().pointer("/messages/1/content").and_then(Value::as_array).cloned();
    let kinds: Vec<_> =
        parts.unwrap().iter().map(|part| part.get("type").cloned().unwrap()).collect();
    assert_eq!(kinds, ["text", "image_url", "image_url"]);
}

#[test]
fn a_model_that_takes_no_images_is_not_asked() {
    let bench = bench().var("OPENAI_API_KEY", "canary-0123456789");
    expect![[r#"
        --- stderr
        error: -i: `script/m.txt` takes no images, as far as is known; choose another model, or, if it does, say so with `--takes-images on`
        exit 2
    "#]]
        .assert_eq(&bench.run("run --model script/m.txt --takes-images off -i dot.png what"));
    expect![[r#"
        --- stderr
        error: -i: `script/m.txt` takes no images, as far as is known; choose another model, or, if it does, say so with `--takes-images on`
        exit 2
    "#]].assert_eq(&bench.run("chat --model script/m.txt --takes-images off -i dot.png"));
    assert!(!bench.path("home/data/journal.db").exists(), "no session was begun");
}

#[test]
fn what_is_no_image_is_refused() {
    let bench = bench().write("work/a.txt", "text").write("work/a.pdf", "%PDF-1.7\n");
    let bench = bench.write("work/empty.png", "");
    fs::write(bench.path("work/a.bin"), [0, 159, 146, 150]).unwrap();
    fs::write(bench.path("work/big.png"), [PNG, &vec![0; 5 << 20]].concat()).unwrap();
    fs::write(bench.path("work/fits.png"), [PNG, &vec![0; 5_000_000]].concat()).unwrap();
    let mut shown = String::new();
    for image in ["none.png", "empty.png", "a.txt", "a.pdf", "a.bin", "big.png", "."] {
        shown += &bench.run(&format!("run --model script/m.txt -i {image} what"));
    }
    shown += &bench.run(&format!("run --model script/m.txt {} what", "-i fits.png ".repeat(3)));
    shown += &bench.run(&format!("run --model script/m.txt {} what", "-i dot.png ".repeat(21)));
    expect![[r#"
        --- stderr
        error: -i none.png: no such file or directory
        exit 2
        --- stderr
        error: -i empty.png: expected a PNG, JPEG, GIF or WebP image, but found an empty file
        exit 2
        --- stderr
        error: -i a.txt: expected a PNG, JPEG, GIF or WebP image, but found text
        exit 2
        --- stderr
        error: -i a.pdf: expected a PNG, JPEG, GIF or WebP image, but found application/pdf
        exit 2
        --- stderr
        error: -i a.bin: expected a PNG, JPEG, GIF or WebP image, but found bytes of no known kind
        exit 2
        --- stderr
        error: -i big.png: expected an image of at most 5242880 bytes, but found 5242949
        exit 2
        --- stderr
        error: -i .: is a directory
        exit 2
        --- stderr
        error: -i: expected at most 14680064 bytes in all images, but found 15000207; make them smaller, or show some of them later
        exit 2
        --- stderr
        error: -i: expected at most 20 images, but found 21
        exit 2
    "#]].assert_eq(&shown);
}

#[test]
fn an_image_is_no_text_and_no_task() {
    let bench = bench();
    let mut shown = bench.run("run --model script/m.txt -f dot.png what");
    shown += &bench.run("run --model script/m.txt -f none.txt what");
    shown += &bench.run("run --model script/m.txt -i dot.png");
    expect![[r#"
        --- stderr
        error: -f dot.png: expected text, but found an image; give it with `-i`
        exit 2
        --- stderr
        error: -f none.txt: no such file or directory
        exit 2
        --- stderr
        error: no task: expected `tagline run "what to do"`, `-` with text on standard input, or `-c` to go on
        exit 2
    "#]].assert_eq(&shown);
}

#[test]
fn in_a_chat_files_and_images_go_with_the_first_message() {
    let script = "=== reply\n=== expect images 1\n=== expect contains milk\nA dot.\n\
                  === reply\n=== expect images 0\n=== expect lacks milk\nNo more.\n";
    let bench = bench().write("work/m.txt", script).write("work/list.txt", "milk");
    let mut command = bench.command("chat -q --model script/m.txt -i dot.png -f list.txt");
    fs::write(bench.path("typed"), "what is it?\nand now?\n").unwrap();
    let typed = fs::File::open(bench.path("typed")).unwrap();
    let output = command.stdin(typed).output().unwrap();
    expect![[r#"
        --- stdout
        A dot.
        No more.
        exit 0
    "#]]
    .assert_eq(&bench.show(&output));
}

/// The body of an answer.
fn body(answer: &[u8]) -> &[u8] {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    answer.get(end + 4..).unwrap()
}

#[test]
fn an_image_that_a_tool_reads_is_fetched_from_the_server_by_the_name_that_events_give_it() {
    let script = "=== reply\n<read_file path=\"dot.png\"/>\n\n=== reply\nA dot.\n";
    let bench = bench().write("work/s.txt", script);
    let served = bench.serve("--model script/s.txt --takes-images on");
    let shown = bench.command("run --jsonl look").output().unwrap().stdout;
    let shown = String::from_utf8(shown).unwrap();
    assert!(!shown.contains(BASE64), "{shown}");
    let named = regex::Regex::new("\"url\":\"media:([0-9a-f]{64})\"").unwrap();
    let hash = named.captures(&shown).unwrap().get(1).unwrap().as_str();
    let path = format!("/api/media/{hash}");
    let answer = served.fetch(&path, &bench.token(""));
    let head = String::from_utf8_lossy(&answer).to_lowercase();
    assert_eq!(body(&answer), PNG);
    for header in ["content-type: image/png", "nosniff", "sandbox", "immutable"] {
        assert!(head.contains(header), "{header}: {head}");
    }
    drop(served);
    // Another process finds it in the journal, if it is told where.
    let served = bench.serve("--model script/s.txt");
    assert_eq!(served.status(&path, &bench.token("")), "404");
    let frame: Value = serde_json::from_str(shown.lines().next().unwrap()).unwrap();
    let session = frame.get("session").and_then(Value::as_str).unwrap();
    let answer = served.fetch(&format!("{path}?session={session}"), &bench.token(""));
    assert_eq!(body(&answer), PNG);
    assert_eq!(served.status(&path, "wrong"), "401");
}
