//! Waits, budgets, stops.

use std::time::Duration;

use futures_util::future::join_all;
use tagline_agent::StopReason;
use tagline_fake_provider::{Answer, End};
use tagline_session::Task;
use tokio::time::{Instant, advance, sleep};
use tokio_util::sync::CancellationToken;

use super::bed::{ADAPTER, Bed, begins, limited, reply, seconds, status};

pub(super) async fn a_named_wait() -> String {
    let bed = Bed::new().await;
    bed.provider.push(limited("7"));
    bed.provider.always(reply("Done."));
    bed.run(bed.model(ADAPTER, 6).await).await.done();
    assert!((7.0..8.0).contains(&bed.gaps()[0]), "{:?}", bed.gaps());
    assert_eq!(bed.states(), ["retrying"]);
    "2 requests, 7 to 8 s between them, `retrying` shown".to_owned()
}

pub(super) async fn every_form_of_a_wait() -> String {
    let gap = async |answer: Answer| {
        let bed = Bed::new().await;
        bed.provider.push(answer);
        bed.provider.always(reply("Done."));
        bed.run(bed.model(ADAPTER, 6).await).await.done();
        bed.gaps()[0]
    };
    let date = [
        ("retry-after", "Fri, 27 Nov 2026 23:00:30 GMT"),
        ("date", "Fri, 27 Nov 2026 23:00:00 GMT"),
    ];
    let dated = gap(Answer::status(429, &date, b"")).await;
    assert!((30.0..33.0).contains(&dated), "{dated}");
    for word in ["0", "soon"] {
        let own = gap(limited(word)).await;
        assert!(own < 1.0, "{word}: {own}");
    }
    let bed = Bed::new().await;
    bed.provider.always(limited("100000"));
    let ended = bed.run(bed.model(ADAPTER, 6).await).await;
    let (code, message) = ended.failed();
    assert_eq!((code, bed.n_asked()), ("rate_limit", 1));
    assert!(message.contains("100000 s"), "{message}");
    "30 to 33 s, under 1 s, under 1 s; 1 request and `100000 s` in the message".to_owned()
}

pub(super) async fn passing_faults() -> String {
    const STATUSES: [u16; 6] = [529, 503, 500, 502, 504, 408];
    for code in STATUSES {
        let bed = Bed::new().await;
        bed.provider.push(status(code));
        bed.provider.always(reply("Done."));
        bed.run(bed.model(ADAPTER, 6).await).await.done();
        assert_eq!(bed.n_asked(), 2);
    }
    let bed = Bed::new().await;
    STATUSES.iter().for_each(|code| bed.provider.push(status(*code)));
    bed.provider.always(reply("Done."));
    let ended = bed.run(bed.model(ADAPTER, 6).await).await;
    assert_eq!((ended.failed().0, bed.n_asked()), ("timeout", 6));
    assert!(ended.seconds <= 120.0, "{}", ended.seconds);
    "6 of 6 succeed with the second request; in a row 6 requests, then failed with `timeout`"
        .to_owned()
}

pub(super) async fn a_clock_that_jumps() -> String {
    let bed = Bed::new().await;
    let broken = begins("").then(seconds(3600), b"").ending(End::Reset);
    bed.provider.push(broken);
    bed.provider.always(reply("Done."));
    let model = bed.model(ADAPTER, 6).await;
    let jump = async {
        sleep(seconds(1)).await;
        advance(seconds(7200)).await;
        Instant::now()
    };
    let (ended, jumped) = tokio::join!(bed.run(model), jump);
    ended.done();
    let asked = bed.provider.asked();
    assert_eq!(asked.len(), 2);
    assert!(asked[1].at - jumped < seconds(1));
    "the second request goes out less than 1 s after the jump, and is the last".to_owned()
}

pub(super) async fn always_broken() -> String {
    let bed = Bed::new().await;
    bed.provider.always(status(500));
    let ended = bed.run(bed.model(ADAPTER, 6).await).await;
    assert_eq!((ended.failed().0, bed.n_asked()), ("server", 6));
    assert_eq!(bed.provider.open(), 0);
    bed.provider.always(reply("Done."));
    sleep(seconds(60)).await;
    bed.go_on(bed.model(ADAPTER, 6).await, Task::Say("again".into())).await.done();

    let bed = Bed::new().await;
    bed.provider.always(status(500));
    let begun = Instant::now();
    let run = async |n: usize| {
        let model = bed.model(ADAPTER, 6).await;
        bed.run_as(&format!("s{n}"), model, &CancellationToken::new()).await
    };
    let ended = join_all((0..100).map(run)).await;
    assert!(ended.iter().all(|ended| ended.failed().0 == "server" && ended.seconds <= 125.0));
    let at: Vec<_> = bed.provider.asked().iter().map(|asked| asked.at).collect();
    let later: Vec<_> = at.iter().filter(|at| seconds(1) <= **at - begun).collect();
    let in_a_second = |from: &Instant| {
        later.iter().filter(|at| from <= **at && ***at - *from < seconds(1)).count()
    };
    assert!(later.iter().all(|at| in_a_second(at) <= 2));
    assert!(at.len() <= 40, "{}", at.len());
    "6 requests, failed with `server`, and the next turn succeeds; 100 sessions: 40 requests or \
     fewer in two minutes, 2 a second or fewer"
        .to_owned()
}

pub(super) async fn stopped() -> String {
    let bed = Bed::new().await;
    bed.provider.always(limited("60"));
    assert_eq!(stopped_after(&bed, seconds(20)).await, StopReason::Cancelled);
    sleep(seconds(3600)).await;
    assert_eq!(bed.n_asked(), 1);

    let bed = Bed::new().await;
    let model = bed.model(ADAPTER, 6).await;
    let _blocked = bed.provider.block().await.unwrap();
    let cancel = CancellationToken::new();
    let (ended, at) = tokio::join!(bed.run_as("s", model, &cancel), stop(&cancel, seconds(5)));
    assert_eq!(ended.stop, StopReason::Cancelled);
    assert!(at.elapsed() <= Duration::from_millis(200));
    "both over within 200 ms of the stop; an hour later no other request".to_owned()
}

async fn stop(cancel: &CancellationToken, after: Duration) -> Instant {
    sleep(after).await;
    cancel.cancel();
    Instant::now()
}

async fn stopped_after(bed: &Bed, wait: Duration) -> StopReason {
    let cancel = CancellationToken::new();
    let model = bed.model(ADAPTER, 6).await;
    let (ended, at) = tokio::join!(bed.run_as("s", model, &cancel), stop(&cancel, wait));
    assert!(at.elapsed() <= Duration::from_millis(200));
    ended.stop
}
