//! Many sessions at one host: how many requests it is sent while it is well, and while it is not.

use std::time::Duration;

use futures_util::{StreamExt as _, future::join_all};
use tagline_fake_provider::{Adapter, Answer, End, Provider, Wire, runtime};
use tagline_model::{
    Connector, Env, FinishReason, ModelEvent, ModelLimits, ModelRef, ProviderConfig,
};
use tokio::time::{Instant, sleep, timeout};

use crate::{
    matrix::connected,
    played::{Played, collect, request},
};

const ADAPTER: Adapter = Adapter::OpenAi;
const SESSIONS: usize = 100;

fn whole() -> Answer {
    Answer::stream(Wire::OpenAi.reply("ok").as_bytes())
}

fn broken() -> Answer {
    Answer::status(500, &[], b"")
}

fn limits(attempts: u32) -> ModelLimits {
    ModelLimits { attempts, ..ModelLimits::default() }
}

/// So many sessions, each with a connection of its own, all at once.
async fn crowd(connector: &Connector, provider: &Provider, n: usize) -> Vec<Played> {
    let ask = async || {
        let model = connected(connector, ADAPTER, provider.address(), limits(6)).await.unwrap();
        collect(model.as_ref()).await
    };
    join_all((0..n).map(|_| ask())).await
}

/// The most requests within any second that begins after the host was found to fail.
fn most_in_a_second(provider: &Provider, from: Instant) -> usize {
    let at: Vec<_> =
        provider.asked().iter().map(|asked| asked.at).filter(|at| from < *at).collect();
    let within = |start: &Instant| {
        at.iter().filter(|at| start <= *at && **at - *start < Duration::from_secs(1)).count()
    };
    at.iter().map(within).max().unwrap_or(0)
}

#[test]
fn a_hundred_sessions_do_not_hammer_a_host_that_fails() {
    runtime().unwrap().block_on(async {
        let provider = Provider::start().await.unwrap();
        provider.always(broken());
        let connector = Connector::default();
        let start = Instant::now();
        let played = crowd(&connector, &provider, SESSIONS).await;
        assert!(played.iter().all(|played| played.end.as_ref().unwrap_err().code == "server"));
        assert!(played.iter().all(|played| played.seconds <= 125.0));
        let asked = provider.asked();
        // Those that went out before anyone knew take up the places; then it is one now and then.
        let at_once =
            asked.iter().take_while(|asked| asked.at - start < Duration::from_millis(250));
        assert!(at_once.count() <= 16);
        let known = start + Duration::from_millis(250);
        assert!(most_in_a_second(&provider, known) <= 2);
        assert!(asked.len() <= 40, "{} requests", asked.len());
        assert_eq!(connector.troubled()[0].code, "server");
        assert!(!connector.troubled()[0].is_asked);
    });
}

#[test]
fn a_host_that_recovers_serves_all_that_waited() {
    runtime().unwrap().block_on(async {
        let provider = Provider::start().await.unwrap();
        provider.always(broken());
        let connector = Connector::default();
        let recovers = async {
            sleep(Duration::from_secs(20)).await;
            provider.always(whole());
        };
        let (played, ()) = tokio::join!(crowd(&connector, &provider, SESSIONS), recovers);
        let finished = Ok(ModelEvent::Finish(FinishReason::Stop));
        let n_finished = played.iter().filter(|played| played.end == finished).count();
        assert_eq!(n_finished, SESSIONS);
        assert!(connector.troubled().is_empty(), "{:?}", connector.troubled());
    });
}

#[test]
fn a_host_that_is_well_has_so_many_requests_at_once_and_no_more() {
    runtime().unwrap().block_on(async {
        let provider = Provider::start().await.unwrap();
        provider.always(whole().after(Duration::from_secs(3)));
        let played = crowd(&Connector::with_places(7), &provider, SESSIONS).await;
        assert!(played.iter().all(|played| played.end.is_ok()));
        assert_eq!(provider.busiest(), 7);
        let waited = played.iter().filter(|played| played.states.contains(&"waiting".to_owned()));
        assert_eq!(waited.count(), SESSIONS - 7);
    });
}

#[test]
fn a_limit_of_one_model_does_not_hold_up_another() {
    runtime().unwrap().block_on(async {
        let provider = Provider::start().await.unwrap();
        provider.push(Answer::status(429, &[("retry-after", "100")], b""));
        provider.always(whole());
        let connector = Connector::default();
        let limited = connected(&connector, ADAPTER, provider.address(), limits(1)).await.unwrap();
        let env: Env = ADAPTER.variables(provider.address()).into_iter().collect();
        let name = ModelRef::parse("openai/other-model").unwrap();
        let other = connector.connect(&name, &ProviderConfig::default(), &env).await.unwrap();
        assert_eq!(collect(limited.as_ref()).await.end.unwrap_err().code, "rate_limit");
        assert!(collect(other.as_ref()).await.seconds < 1.0);
        let again = collect(limited.as_ref()).await;
        assert!((99.0..101.0).contains(&again.seconds), "{}", again.seconds);
        assert_eq!((again.text.as_str(), again.states), ("ok", vec!["waiting".to_owned()]));
    });
}

#[test]
fn one_who_waits_beyond_the_budget_is_told_at_once_that_nothing_was_asked() {
    runtime().unwrap().block_on(async {
        let provider = Provider::start().await.unwrap();
        provider.always(Answer::status(429, &[("retry-after", "500")], b""));
        let connector = Connector::default();
        let model = connected(&connector, ADAPTER, provider.address(), limits(6)).await.unwrap();
        assert_eq!(collect(model.as_ref()).await.end.unwrap_err().code, "rate_limit");
        assert_eq!(provider.asked().len(), 1);
        assert_eq!(connector.troubled()[0].name, format!("{} test-model", provider.address()));
    });
}

#[test]
fn a_wait_that_is_given_up_sends_nothing_any_more() {
    let waits =
        [Answer::status(429, &[("retry-after", "60")], b""), Answer::raw(b"").ending(End::Silent)];
    for first in waits {
        runtime().unwrap().block_on(async {
            let provider = Provider::start().await.unwrap();
            provider.push(first);
            provider.always(whole());
            let connector = Connector::default();
            let model =
                connected(&connector, ADAPTER, provider.address(), limits(6)).await.unwrap();
            let mut events = model.ask(request("hello"));
            let ended =
                timeout(Duration::from_secs(5), async { while events.next().await.is_some() {} });
            assert!(ended.await.is_err());
            drop(events);
            sleep(Duration::from_secs(3600)).await;
            assert_eq!(provider.asked().len(), 1);
            assert_eq!(provider.open(), 0);
        });
    }
}

#[test]
fn one_who_gives_up_finding_out_leaves_it_to_the_next() {
    runtime().unwrap().block_on(async {
        let provider = Provider::start().await.unwrap();
        let connector = Connector::default();
        let model = connected(&connector, ADAPTER, provider.address(), limits(1)).await.unwrap();
        provider.always(broken());
        for _ in 0..5 {
            collect(model.as_ref()).await.end.unwrap_err();
        }
        sleep(Duration::from_secs(2)).await;
        provider.push(Answer::raw(b"").ending(End::Silent));
        provider.always(whole());
        let mut probe = model.ask(request("hello"));
        assert!(timeout(Duration::from_secs(1), probe.next()).await.is_err());
        drop(probe);
        let next = collect(model.as_ref()).await;
        assert_eq!(next.text, "ok");
        assert!(next.seconds < 2.0, "{}", next.seconds);
    });
}
