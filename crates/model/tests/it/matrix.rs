//! Every fault, over every adapter, against a real server that cuts where the seed says, on a
//! clock that does not wait: the expected class, one end, and success after it where trying again
//! is right. `docs/provider-faults.md` is what this found.

use std::{sync::Arc, time::Duration};

use expect_test::expect_file;
use tagline_fake_provider::{ADAPTERS, Adapter, Answer, Provider, runtime};
use tagline_model::{
    ConnectError, Connector, Env, FaultClass, FinishReason, Model, ModelEvent, ModelFault,
    ModelLimits, ModelRef, ProviderConfig,
};

use crate::{
    matrix_cases::{Case, Does, cases},
    played::{Played, collect},
};

/// Seeds of the test command; `cargo xtask provider-faults --seeds N` tries more.
const SEEDS: u64 = 5;

#[expect(clippy::disallowed_methods, reason = "whoever runs the test says how often")]
fn seeds() -> u64 {
    let asked = std::env::var_os("TAGLINE_TEST_SEEDS");
    asked.map_or(SEEDS, |seeds| seeds.to_str().unwrap().parse().unwrap())
}

/// Watchdogs that leave time for a second try within the two minutes.
fn quick() -> ModelLimits {
    ModelLimits {
        connect: Duration::from_secs(3),
        first_byte: Some(Duration::from_secs(5)),
        idle: Duration::from_secs(5),
        attempts: 2,
    }
}

/// The adapter's model at that address, as the command line connects it.
pub(crate) async fn connected(
    connector: &Connector,
    adapter: Adapter,
    address: &str,
    limits: ModelLimits,
) -> Result<Arc<dyn Model>, ConnectError> {
    let reference = ModelRef::parse(&adapter.model()).unwrap();
    let config = ProviderConfig { limits, ..ProviderConfig::default() };
    let env: Env = adapter.variables(address).into_iter().collect();
    connector.connect(&reference, &config, &env).await
}

fn word(class: FaultClass) -> String {
    match class {
        FaultClass::Retry => "retry".to_owned(),
        FaultClass::RetryAfter(wait) => format!("retry after {} s", wait.as_secs()),
        FaultClass::Compact => "compact".to_owned(),
        FaultClass::AskUser => "ask user".to_owned(),
        FaultClass::Fail => "fail".to_owned(),
    }
}

/// What a case came to.
#[derive(Debug, PartialEq)]
struct Outcome {
    code: String,
    class: String,
    text: String,
    /// Requests where the fault stays.
    requests: usize,
    /// How it ended where the fault comes once: `finished`, or the code.
    once: String,
}

/// The fault comes once; then it stays.
async fn outcome(adapter: Adapter, case: &Case) -> Outcome {
    let [once, (stays, requests)] = tried(adapter, case).await;
    let fault = stays.end.unwrap_err();
    Outcome {
        class: word(fault.class),
        text: stays.text,
        requests,
        once: match once.0.end {
            Ok(end) => {
                assert_eq!(end, ModelEvent::Finish(FinishReason::Stop));
                assert_eq!(once.0.text, "ok");
                "finished".to_owned()
            }
            Err(again) => again.code,
        },
        code: fault.code,
    }
}

/// Plays a case that comes once, and one that stays; and counts the requests of each.
pub(crate) async fn tried(adapter: Adapter, case: &Case) -> [(Played, usize); 2] {
    let provider = Provider::start().await.unwrap();
    let address = match case.does {
        Does::Plain => provider.address().replace("http:", "https:"),
        Does::Answer(_) | Does::Refuse | Does::Block => provider.address().to_owned(),
    };
    let model = match connected(&Connector::default(), adapter, &address, quick()).await {
        Ok(model) => model,
        Err(ConnectError::Unreachable(fault)) => {
            return [(Played::failed(fault.clone()), 0), (Played::failed(fault), 0)];
        }
        Err(error) => panic!("{error}"),
    };
    let whole = Answer::stream(adapter.wire().reply("ok").as_bytes());
    provider.always(whole);
    let _blocked = match &case.does {
        Does::Answer(answer) => {
            provider.push(answer.as_ref().clone());
            None
        }
        Does::Refuse => {
            provider.close().await;
            None
        }
        Does::Block => Some(provider.block().await.unwrap()),
        Does::Plain => None,
    };
    let once = collect(model.as_ref()).await;
    let n_once = provider.asked().len();
    if let Does::Answer(answer) = &case.does {
        provider.always(answer.as_ref().clone());
    }
    let stays = collect(model.as_ref()).await;
    [(once, n_once), (stays, provider.asked().len() - n_once)]
}

impl Played {
    fn failed(fault: ModelFault) -> Self {
        Self {
            text: String::new(),
            reasoning: String::new(),
            states: Vec::new(),
            end: Err(fault),
            seconds: 0.0,
            usage: None,
        }
    }
}

fn expected(case: &Case) -> Outcome {
    let can_wait = case.class.starts_with("retry") && !case.class.contains("100000");
    let is_again = can_wait && case.text.is_empty();
    let (requests, once) = match case.does {
        // What never reaches the server cannot be counted there, and stays as it is.
        Does::Refuse | Does::Block => (0, case.code),
        Does::Plain => (0, case.code),
        // A server that loads its model is worth all the tries.
        Does::Answer(_) if case.code == "loading" => (6, "finished"),
        Does::Answer(_) if is_again => (2, "finished"),
        Does::Answer(_) => (1, case.code),
    };
    Outcome {
        code: case.code.to_owned(),
        class: case.class.to_owned(),
        text: case.text.to_owned(),
        requests,
        once: once.to_owned(),
    }
}

fn check(adapter: Adapter, seed: u64, case: &Case) -> Outcome {
    let found = runtime().unwrap().block_on(outcome(adapter, case));
    assert_eq!(found, expected(case), "{adapter:?}, seed {seed}: {}", case.name);
    found
}

fn row(case: &Case, outcome: &Outcome) -> String {
    let again = match (&case.does, outcome.requests) {
        (Does::Refuse | Does::Block, _) => "yes",
        (_, 0 | 1) => "no",
        (_, _) => "yes",
    };
    let end = match (outcome.text.is_empty(), outcome.once.as_str()) {
        (false, _) => "failed, the text stays and is marked",
        (true, "finished") => "finished",
        (true, _) => "failed",
    };
    let Outcome { code, class, .. } = outcome;
    format!("| {} | `{code}` | {class} | {again} | {end} |\n", case.name)
}

const HEAD: &str = "\
# What providers do wrong, and what follows

Written by `cargo test -p tagline-model matrix`: each row was played against a server on this machine that does just
that, over the adapters anthropic, openai, gemini, ollama and llamacpp, in five ways of cutting the bytes, on a clock that
does not wait; every one ended like this. `cargo xtask provider-faults --seeds 50` cuts in more ways.

What is in no row of the table of classes fails with its raw code. *Once* says how a request ends where the fault
comes once and a sound answer follows.

| what happens | code | class | tried again | once |
|--|--|--|--|--|
";

/// All rows as one adapter has them.
fn rows(adapter: Adapter, seeds: u64) -> String {
    let mut rows = String::new();
    for seed in 0..seeds {
        let outcomes: String = cases(adapter.wire(), seed)
            .iter()
            .map(|case| row(case, &check(adapter, seed, case)))
            .collect();
        assert!(rows.is_empty() || rows == outcomes, "{adapter:?}, seed {seed}");
        rows = outcomes;
    }
    rows
}

#[test]
fn every_fault_has_its_class_and_one_end_on_every_adapter_however_it_is_cut() {
    let seeds = seeds();
    let n_cases = cases(ADAPTERS[0].wire(), 0).len();
    assert!(22 <= n_cases, "only {n_cases} faults");
    let tables: Vec<_> = std::thread::scope(|scope| {
        let tables = ADAPTERS.map(|adapter| scope.spawn(move || rows(adapter, seeds)));
        tables.map(|table| table.join().unwrap()).into()
    });
    assert!(tables.iter().all(|table| table == &tables[0]));
    let table = format!("{HEAD}{}\n{n_cases} faults, {} adapters.\n", tables[0], ADAPTERS.len());
    expect_file!["../../../../docs/provider-faults.md"].assert_eq(&table);
    let n = n_cases * ADAPTERS.len() * usize::try_from(seeds).unwrap();
    println!(
        "{n_cases} faults, {} adapters, {seeds} seeds: {n} of {n} as expected",
        ADAPTERS.len()
    );
}
