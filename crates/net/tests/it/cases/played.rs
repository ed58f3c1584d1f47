//! The cases, played.

use std::future::Future;

use futures_util::StreamExt as _;
use tagline_fake_provider::{Adapter, Answer, Provider, Wire};
use tagline_model::{Connector, Env, ModelEvent, ModelRef, ProviderConfig};
use tagline_net::{BenchmarkRange, Class, Client, Host, HostList, Request};
use tagline_protocol::{Message, Role};
use tokio::runtime::Builder;

use super::Seen;
use crate::{
    bench::{Bench, Step, answer, ok, redirect},
    limits::{endless_gzip, measured, trickle},
    real::{Canary, patient},
};

/// Plays on a clock that does not wait.
fn play<T>(work: impl Future<Output = T>) -> T {
    let runtime = Builder::new_current_thread().enable_all().start_paused(true).build();
    runtime.unwrap().block_on(work)
}

/// What the guard says, which must be a refusal that names this; nothing was connected to.
fn refusal(bench: &Bench, url: &str, names: &str) -> String {
    let canary = Canary::at("127.0.0.1");
    let url = url.replace("PORT", &canary.port().to_string());
    let error = play(bench.client().fetch(Request::get(&url))).unwrap_err();
    assert_eq!(error.problem.class(), Class::Refused, "{error}");
    let words = error.problem.to_string();
    assert!(words.contains(names), "{words}");
    assert_eq!(canary.hits(), 0);
    words
}

/// The part of a refusal before what can be done.
fn short(words: &str) -> String {
    let end = words.find(';').unwrap_or(words.len());
    format!("\"{}\"", words.split_at(end).0)
}

/// Addresses that are refused before anything is looked up or connected to.
pub(super) fn refused(urls: &[&str], names: &str) -> Seen {
    let bench = Bench::new();
    let words: Vec<String> = urls.iter().map(|url| short(&refusal(&bench, url, names))).collect();
    assert!(bench.looked_up().is_empty() && bench.reached().is_empty());
    let mut different = words;
    different.dedup();
    Ok(different.join(", "))
}

pub(super) fn two_addresses() -> Seen {
    let bench = Bench::new();
    bench.name("two.test", &["93.184.215.14 127.0.0.1"]);
    let words = refusal(&bench, "http://two.test:PORT/", "127.0.0.1");
    assert!(bench.reached().is_empty());
    Ok(format!("{}, no connection to either", short(&words)))
}

pub(super) fn changing_answers() -> Seen {
    let bench = Bench::new();
    bench.name("flip.test", &["93.184.215.14", "127.0.0.1"]);
    bench.serve("93.184.215.14:80", |_| ok("page"));
    let outcome = play(bench.get("http://flip.test/"));
    assert!(outcome.starts_with("200"), "{outcome}");
    assert_eq!(
        (bench.looked_up().len(), bench.reached()),
        (1, vec!["93.184.215.14:80".to_owned()])
    );
    refusal(&bench, "http://flip.test/", "127.0.0.1");
    assert_eq!((bench.looked_up().len(), bench.reached().len()), (2, 1));
    Ok("one look-up and a connection to 93.184.215.14; the next fetch looks up once and is refused"
        .to_owned())
}

pub(super) fn redirected() -> Seen {
    let canary = Canary::at("127.0.0.1");
    let bench = Bench::new();
    let to = format!("http://127.0.0.1:{}/", canary.port());
    bench
        .name("pub.test", &["93.184.215.14"])
        .serve("93.184.215.14:80", move |_| redirect(302, &to));
    let words = refusal(&bench, "http://pub.test/", "127.0.0.1");
    assert_eq!((bench.reached().len(), canary.hits()), (1, 0));
    Ok(short(&words))
}

pub(super) fn two_readings() -> Seen {
    let mut seen = Vec::new();
    // The first two are read as another host than they seem to name, the third as it says.
    for url in ["http:/\\127.0.0.1:PORT", "http://127.0.0.1:PORT#@allowed.test/"] {
        seen.push(short(&refusal(&Bench::new(), url, "127.0.0.1")));
    }
    let bench = Bench::new();
    bench.name("allowed.test", &["93.184.215.14"]).serve("93.184.215.14:80", |_| ok("page"));
    let outcome = play(bench.get("http://allowed.test\\@127.0.0.1:9/"));
    assert!(
        outcome.starts_with("200 from http://allowed.test/@127.0.0.1:9/ at 93.184.215.14:80"),
        "{outcome}"
    );
    seen.push("the host that was read, allowed.test, is judged and asked".to_owned());
    let error =
        play(bench.client().fetch(Request::get("http://allowed.test\t.127.0.0.1/"))).unwrap_err();
    seen.push(short(&error.problem.to_string()));
    assert_eq!(bench.looked_up(), ["allowed.test"]);
    seen.dedup();
    Ok(seen.join("; "))
}

pub(super) fn nul_in_a_host() -> Seen {
    let host = "other.test\0.allowed.test";
    let problem = Host::read(host).unwrap_err();
    let bench = Bench::new().listing(&["*.allowed.test"]);
    let outcome = play(bench.get(&format!("http://{host}/")));
    assert!(outcome.starts_with("Call: ") && bench.looked_up().is_empty(), "{outcome}");
    Ok(short(&problem.to_string()))
}

pub(super) fn metadata() -> Seen {
    let addresses = refused(&["http://169.254.169.254/", "http://[fd00:ec2::254]/"], "metadata")?;
    let bench = Bench::new();
    bench.name("metadata.test", &["169.254.169.254"]);
    refusal(&bench, "http://metadata.test/", "169.254.169.254");
    assert!(bench.reached().is_empty());
    Ok(format!("{addresses}; the name too"))
}

pub(super) fn bounds() -> Seen {
    const MIB: usize = 1 << 20;
    let host = |bench: Bench| {
        bench.name("pub.test", &["93.184.215.14"]);
        bench
    };
    let slow = host(Bench::new());
    slow.serve("93.184.215.14:80", |_| trickle());
    let large = host(Bench::new());
    large.serve("93.184.215.14:80", |_| {
        let head = b"HTTP/1.1 200 OK\r\ncontent-length: 209715200\r\n\r\n".to_vec();
        vec![Step::Send(head), Step::Flood(vec![b'x'; 16 * 1024])]
    });
    let bomb = host(Bench::new());
    let [begin, block] = endless_gzip();
    bomb.serve("93.184.215.14:80", move |_| {
        let body = [begin.clone(), block.repeat(1024)].concat();
        answer("200 OK", &["content-encoding: gzip"], &body)
    });
    let mut seen = Vec::new();
    for (bench, bound) in [
        (slow, "not finished within 15 s"),
        (large, "over 10485760 bytes, reading stopped after "),
        (bomb, "over 10485760 bytes, reading stopped after "),
    ] {
        let (outcome, most) = measured(&bench);
        assert!(outcome.contains(bound), "{outcome}");
        assert!(most < 32 * MIB as u64, "{most}");
        let words = short(outcome.rsplit("`: ").next().unwrap());
        // How much had come then is a matter of buffers.
        let end = words.find(bound).map(|at| at + bound.len()).filter(|_| bound.ends_with(' '));
        seen.push(end.map_or_else(|| words.clone(), |end| format!("{}…\"", &words[..end])));
    }
    Ok(format!("{}; less than 32 MiB, server included", seen.join(", ")))
}

/// What the guard does with the address of a case whose fetcher is missing.
pub(super) fn no_fetcher(why: &str, path: &str) -> Seen {
    let words = refused(&[&format!("http://127.0.0.1:PORT{path}")], "127.0.0.1")?;
    Err(format!("{why}; the guard by itself refuses the address: {words}"))
}

pub(super) fn inside_of_an_address() -> Seen {
    let bench = Bench::new().listing(&["*.allowed.test"]);
    let url = "https://t.allowed.test/translate?u=http://blocked.test/";
    let words = refusal(&bench, url, "blocked.test");
    assert!(bench.looked_up().is_empty());
    Ok(format!("\"{}\"", words.split(", and").next().unwrap()))
}

pub(super) fn benchmark_range() -> Seen {
    let closed = Bench::new();
    closed.name("pub.test", &["198.18.0.7"]);
    let words = refusal(&closed, "http://pub.test/", "198.18.0.0/15");
    assert!(words.contains(tagline_net::BENCHMARK_SETTING), "{words}");
    let open = Bench::with(BenchmarkRange::Open);
    open.name("pub.test", &["198.18.0.7"]).serve("198.18.0.7:80", |_| ok("page"));
    assert!(play(open.get("http://pub.test/")).starts_with("200"));
    refusal(&open, "http://127.0.0.1:PORT/", "127.0.0.1");
    Ok(format!("\"{words}\"; with it the name answers, and 127.0.0.1 is refused"))
}

pub(super) fn whole_parts() -> Seen {
    let list = HostList::new(["allowed.test", "*.allowed.test"]);
    let hosts = [
        "evilallowed.test",
        "allowed.test.evil.test",
        "allowed.test.",
        "ALLOWED.TEST",
        "a.allowed.test",
    ];
    let matches: Vec<&str> =
        hosts.into_iter().filter(|host| list.allows(&Host::read(host).unwrap())).collect();
    assert_eq!(matches, ["allowed.test.", "ALLOWED.TEST", "a.allowed.test"]);
    Ok(format!("these match: {}", matches.join(", ")))
}

pub(super) fn slow_down() -> Seen {
    let bench = Bench::new();
    bench.name("pub.test", &["93.184.215.14"]).serve("93.184.215.14:80", |_| ok("page"));
    let client = bench.client();
    let outcomes: Vec<String> = play(async {
        futures_util::stream::iter(0..30)
            .then(|_| bench.outcome(&client, Request::get("http://pub.test/")))
            .collect()
            .await
    });
    let n_passed = outcomes.iter().filter(|outcome| outcome.starts_with("200")).count();
    assert_eq!((n_passed, bench.reached().len()), (10, 10));
    let words = outcomes.last().unwrap().rsplit("`: ").next().unwrap();
    assert!(outcomes[10..].iter().all(|outcome| outcome.contains("slow down")));
    Ok(format!("10 pass, 20 hear \"{words}\""))
}

pub(super) fn own_port() -> Seen {
    let canary = Canary::at("127.0.0.1");
    let mut bench = Bench::new();
    bench.rules.own_ports = [canary.port()].into();
    let (to, port) = (format!("http://us.test:{}/api", canary.port()), canary.port());
    bench.name("pub.test", &["93.184.215.14"]).name("us.test", &["127.0.0.1"]);
    bench.serve("93.184.215.14:80", move |_| redirect(302, &to));
    for url in
        ["http://127.0.0.1:OWN/", "http://us.test:OWN/", "http://[::1]:OWN/", "http://pub.test/"]
    {
        refusal(&bench, &url.replace("OWN", &port.to_string()), "own control port");
    }
    assert_eq!((bench.reached().len(), canary.hits()), (1, 0));
    Err("there is no browser, no fetch tool, no bridge and no MCP yet, and no entry in an audit; the guard by itself refuses \
         the port as \"our own control port\", also behind a redirect and a name"
        .to_owned())
}

pub(super) fn provider_alone() -> Seen {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let provider = Provider::start().await.unwrap();
        provider.always(Answer::stream(Wire::OpenAi.reply("a reply").as_bytes()));
        let env = Env::from_iter(Adapter::OpenAi.variables(provider.address()));
        let reference = ModelRef::parse(&Adapter::OpenAi.model()).unwrap();
        let model =
            Connector::default().connect(&reference, &ProviderConfig::default(), &env).await;
        let request = tagline_model::Request {
            messages: vec![Message::new(Role::User, "hello")],
            ..tagline_model::Request::default()
        };
        let events: Vec<_> = model.unwrap().ask(request).collect().await;
        let texts = events.iter().filter_map(|it| match it {
            Ok(ModelEvent::Text(text)) => Some(text.as_str()),
            _ => None,
        });
        assert_eq!(texts.collect::<String>(), "a reply");
        let n_asked = provider.asked().len();
        let mut bench = Bench::new();
        bench.limits = patient();
        let client: Client = bench.client();
        let error = client.fetch(Request::get(provider.address())).await.unwrap_err();
        assert_eq!(error.problem.class(), Class::Refused, "{error}");
        assert_eq!(provider.asked().len(), n_asked);
        Ok(format!(
            "the provider's client has its reply; the fetch: {}",
            short(&error.problem.to_string())
        ))
    })
}
