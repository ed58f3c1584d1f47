//! Streams that break, lie, or hold nothing.

use serde_json::json;
use tagline_agent::StopReason;
use tagline_fake_provider::{Adapter, Answer, End, data};
use tagline_protocol::{Event, Usage};
use tagline_session::Task;

use super::bed::{ADAPTER, Bed, begins, reply};

pub(super) async fn reset_before_output() -> String {
    for broken in [Answer::raw(b"").ending(End::Reset), begins("").ending(End::Reset)] {
        let bed = Bed::new().await;
        bed.provider.push(broken);
        bed.provider.always(reply("Done."));
        bed.run(bed.model(ADAPTER, 6).await).await.done();
        assert_eq!(bed.n_asked(), 2);
        assert_eq!(bed.body(0), bed.body(1));
        let notices = bed.shown().into_iter().filter(|it| matches!(it.event, Event::Notice { .. }));
        assert_eq!(notices.count(), 0);
    }
    "2 equal requests each, no notice, done".to_owned()
}

pub(super) async fn reset_behind_a_call() -> String {
    let bed = Bed::new().await;
    bed.provider.push(begins("<add why=\"once\"/>\nand more").ending(End::Reset));
    bed.provider.always(reply("Done."));
    bed.run(bed.model(ADAPTER, 6).await).await.done();
    assert_eq!((bed.counted(), bed.n_asked()), (1, 2));
    let last = bed.last_message(1);
    assert_eq!(last.matches("1: once").count(), 1, "{last}");
    let tasks = bed.body(1)["messages"].to_string().matches("\"count\"").count();
    assert_eq!(tasks, 1);
    let ends = bed.shown().into_iter().filter(|it| matches!(it.event, Event::ToolDone { .. }));
    assert_eq!(ends.count(), 1);
    "ran once, 1 result, and the second request ends with it".to_owned()
}

pub(super) async fn reset_in_a_call() -> String {
    let bed = Bed::new().await;
    bed.provider.push(begins("<write_file path=\"half.txt\">half a fi").ending(End::Reset));
    bed.provider.always(reply("Done."));
    let first = bed.run(bed.model(ADAPTER, 6).await).await;
    if first.stop != StopReason::Completed("Done.".to_owned()) {
        bed.go_on(bed.model(ADAPTER, 6).await, Task::GoOn).await.done();
    }
    assert_eq!(std::fs::read_dir(bed.path()).unwrap().count(), 0);
    let told = bed.body(1)["messages"].to_string();
    assert!(told.contains("write_file") && told.contains("not run"), "{told}");
    "no file, and the second request says that the call was not run".to_owned()
}

pub(super) async fn no_stream() -> String {
    let whole = ADAPTER.wire().reply("Done.");
    let answer =
        |headers: &[(&str, &str)], body: &str| Answer::status(200, headers, body.as_bytes());
    for (answer, kind, begins) in [
        (answer(&[], &whole), "without a content type", "data: {"),
        (answer(&[("content-type", "text/plain")], &whole), "`text/plain`", "data: {"),
        (answer(&[("content-type", "text/html")], "<html>Sign in"), "`text/html`", "<html>Sign in"),
    ] {
        let bed = Bed::new().await;
        bed.provider.always(answer);
        let ended = bed.run(bed.model(ADAPTER, 6).await).await;
        let (code, message) = ended.failed();
        assert_eq!((code, bed.n_asked()), ("bad_answer", 1));
        assert!(message.contains(kind) && message.contains(begins), "{message}");
    }
    "3 of 3: failed with `bad_answer`, type and first bytes in the message, 1 request".to_owned()
}

pub(super) async fn nothing() -> String {
    let wire = ADAPTER.wire();
    let thought = data(&json!({"choices": [{"index": 0, "delta": {"reasoning": "Hm."}}]}));
    let thought = Answer::stream((wire.head() + &thought + &wire.tail()).as_bytes());
    for answer in [reply(""), reply(" \n"), thought] {
        let bed = Bed::new().await;
        bed.provider.always(answer);
        let ended = bed.run(bed.model(ADAPTER, 6).await).await;
        let StopReason::Protocol(message) = &ended.stop else { panic!("{:?}", ended.stop) };
        assert!(message.contains("the model returned nothing"), "{message}");
        assert_eq!(bed.n_asked(), 3);
    }
    "3 of 3: 3 requests, then `the model returned nothing`".to_owned()
}

pub(super) async fn counts() -> String {
    let event = |value: serde_json::Value| data(&value);
    let wire = Adapter::Anthropic.wire();
    let count = |n: i64| {
        event(json!({"type": "message_delta", "delta": {}, "usage": {"output_tokens": n}}))
    };
    let several = wire.head() + &wire.delta("Done.") + &count(3) + &count(5) + &wire.tail();
    let usage = usage(Adapter::Anthropic, &several).await;
    let known = Usage { input_tokens: Some(12), cached_tokens: Some(4), output_tokens: Some(9) };
    assert_eq!(usage, [known]);

    let end = event(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}));
    let done = ADAPTER.wire().delta("Done.") + &end;
    assert!(self::usage(ADAPTER, &done).await.iter().all(|usage| *usage == Usage::default()));
    let odd = event(
        json!({"choices": [], "usage": {"prompt_tokens": -5, "completion_tokens": u64::MAX}}),
    );
    let usage = self::usage(ADAPTER, &(odd + &done)).await;
    assert_eq!(usage, [Usage { output_tokens: Some(u64::MAX), ..Usage::default() }]);
    "12, 4 and 9 once; unknown; unknown and the largest number".to_owned()
}

async fn usage(adapter: Adapter, body: &str) -> Vec<Usage> {
    let bed = Bed::new().await;
    bed.provider.always(Answer::stream(body.as_bytes()));
    bed.run(bed.model(adapter, 6).await).await.done();
    bed.usages()
}
