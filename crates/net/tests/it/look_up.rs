//! One look-up for each hop, a verdict on all of it, a connection to what was judged.

use std::net::{IpAddr, SocketAddr};

use expect_test::expect;
use proptest::prelude::*;
use tagline_net::{Class, Host, Request, Target};
use tokio::runtime::Builder;

use crate::{
    bench::{Bench, ok, redirect},
    reference::is_public,
};

#[tokio::test(start_paused = true)]
async fn a_name_that_changes_its_answer_is_asked_once_and_the_answer_is_used() {
    let bench = Bench::new();
    bench.name("flip.test", &["93.184.215.14", "127.0.0.1"]);
    bench.serve("93.184.215.14:80", |_| ok("first"));
    let told = bench.told(Request::get("http://flip.test/")).await;
    expect![[r#"
        look-up flip.test
        connect 93.184.215.14:80
        93.184.215.14:80 is asked: GET / HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | host: flip.test | accept-encoding: gzip
        200 from http://flip.test/ at 93.184.215.14:80: "first"
    "#]]
    .assert_eq(&told);
    assert!(bench.get("http://flip.test/").await.contains("127.0.0.1 is a loopback address"));
    assert_eq!(bench.looked_up().len(), 2);
    assert_eq!(bench.reached().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn each_hop_looks_up_once() {
    let bench = Bench::new();
    bench.name("flip.test", &["93.184.215.14", "93.184.215.15", "127.0.0.1"]);
    bench.serve("93.184.215.14:80", |_| redirect(302, "/two"));
    bench.serve("93.184.215.15:80", |_| redirect(302, "/three"));
    let outcome = bench.get("http://flip.test/one").await;
    expect!["Refused: `http://flip.test/three`, where `http://flip.test/two` redirects to: 127.0.0.1 is a loopback address, which is this machine (127.0.0.0/8, RFC 1122, 3.2.1.3); nothing fetched may reach it, and no setting opens it; where it is meant, a command can ask it where `sandbox_network` is `open`"].assert_eq(&outcome);
    assert_eq!(bench.looked_up(), ["flip.test"; 3]);
    assert_eq!(bench.reached(), ["93.184.215.14:80", "93.184.215.15:80"]);
}

#[tokio::test(start_paused = true)]
async fn one_bad_address_among_many_closes_the_name_wherever_it_stands() {
    let public = ["93.184.215.14", "1.1.1.1", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"];
    for bad in ["127.0.0.1", "::1", "::ffff:10.0.0.1", "64:ff9b::a9fe:a9fe", "fe80::1"] {
        for at in 0..=public.len() {
            let mut answer = public.to_vec();
            answer.insert(at, bad);
            let bench = Bench::new();
            bench.name("two.test", &[&answer.join(" ")]);
            bench.serve("93.184.215.14:80", |_| ok("page"));
            let error = bench.client().fetch(Request::get("http://two.test/")).await.unwrap_err();
            assert_eq!(error.problem.class(), Class::Refused, "{error}");
            assert_eq!((bench.looked_up().len(), bench.reached().len()), (1, 0), "{bad} at {at}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_address_is_never_looked_up() {
    let bench = Bench::new();
    bench.serve("93.184.215.14:8080", |_| ok("page"));
    for url in
        ["http://1572394766:8080/", "http://[::ffff:5db8:d70e]:8080/", "http://0x5db8d70e:8080"]
    {
        let outcome = bench.get(url).await;
        assert!(outcome.contains("at 93.184.215.14:8080: \"page\""), "{outcome}");
    }
    assert_eq!(bench.looked_up(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn the_addresses_are_tried_in_their_order_each_within_its_share_of_the_time() {
    let bench = Bench::new();
    bench.name("slow.test", &["93.184.215.14 93.184.215.15 ::ffff:93.184.215.15 1.1.1.1"]);
    bench.silent("93.184.215.14:80").serve("1.1.1.1:80", |_| ok("third"));
    let start = tokio::time::Instant::now();
    let outcome = bench.get("http://slow.test/").await;
    expect![[r#"200 from http://slow.test/ at 1.1.1.1:80: "third""#]].assert_eq(&outcome);
    assert_eq!(bench.reached(), ["93.184.215.14:80", "93.184.215.15:80", "1.1.1.1:80"]);
    assert_eq!(start.elapsed().as_secs(), 1, "a third of five seconds, in the clock of the test");
}

#[tokio::test(start_paused = true)]
async fn the_last_address_has_all_the_time_that_is_left() {
    let bench = Bench::new();
    bench.name("slow.test", &["93.184.215.14 93.184.215.15"]);
    bench.silent("93.184.215.14:80").silent("93.184.215.15:80");
    let start = tokio::time::Instant::now();
    let outcome = bench.get("http://slow.test/").await;
    expect!["Later: `http://slow.test/`: no connection within 5 s; try again later"]
        .assert_eq(&outcome);
    assert_eq!(start.elapsed().as_secs(), 5, "all of it, in the clock of the test");
}

#[tokio::test(start_paused = true)]
async fn a_connection_tells_where_it_goes() {
    let bench = Bench::new();
    bench.serve("93.184.215.14:80", |_| ok("page"));
    let host = Host::read("93.184.215.14").unwrap();
    let opened = bench.gate().open(&host, 80, std::time::Duration::from_secs(5)).await.unwrap();
    expect!["Opened { to: Checked(93.184.215.14:80), .. }"].assert_eq(&format!("{opened:?}"));
}

#[tokio::test(start_paused = true)]
async fn a_name_without_an_address_and_one_that_nobody_knows_are_told() {
    let bench = Bench::new();
    bench.name("refusing.test", &["1.1.1.1"]);
    bench.names_nothing("none.test");
    let outcomes = [
        bench.get("http://unknown.test/").await,
        bench.get("http://none.test/").await,
        bench.get("http://refusing.test/").await,
    ];
    expect![[r#"
        Failed: `http://unknown.test/`: its host was not found: no such name; check the spelling of the name
        Failed: `http://none.test/`: its host was not found: the name has no address; check the spelling of the name
        Later: `http://refusing.test/`: no connection to 1.1.1.1:80: connection refused; try again later"#]]
    .assert_eq(&outcomes.join("\n"));
}

#[tokio::test(start_paused = true)]
async fn a_host_alone_passes_the_same_gate_as_for_a_proxy_of_commands() {
    let bench = Bench::new().listing(&["*.allowed.test"]);
    bench.name("a.allowed.test", &["93.184.215.14"]).name("b.allowed.test", &["10.0.0.1"]);
    bench.serve("93.184.215.14:443", |_| ok("page"));
    let client = bench.client();
    let mut told = String::new();
    for host in
        ["a.allowed.test", "b.allowed.test", "other.test", "other.test\0.allowed.test", "127.1"]
    {
        let opened = match Host::read(host) {
            Ok(host) => client.gate().open(&host, 443, bench.limits.connect).await,
            Err(problem) => Err(problem),
        };
        let outcome = opened.map_or_else(|it| it.to_string(), |it| it.to.address().to_string());
        told += &format!("{host:?}: {outcome}\n");
    }
    expect![[r#"
        "a.allowed.test": 93.184.215.14:443
        "b.allowed.test": 10.0.0.1 is a private address (10.0.0.0/8, RFC 1918); nothing fetched may reach it, and no setting opens it; where it is meant, a command can ask it where `sandbox_network` is `open`
        "other.test": `other.test` is not in the list of allowed hosts; the user can add `other.test` to it
        "other.test\0.allowed.test": no valid host: U+0000 is in no host name; write the host name as it is registered
        "127.1": 127.0.0.1 is a loopback address, which is this machine (127.0.0.0/8, RFC 1122, 3.2.1.3); nothing fetched may reach it, and no setting opens it; where it is meant, a command can ask it where `sandbox_network` is `open`
    "#]]
    .assert_eq(&told);
    assert_eq!(bench.reached(), ["93.184.215.14:443"]);
}

#[tokio::test(start_paused = true)]
async fn our_own_ports_are_closed_at_every_address_and_behind_every_redirect() {
    let mut bench = Bench::new();
    bench.rules.own_ports = [7777, 443].into();
    bench.name("pub.test", &["93.184.215.14"]).name("us.test", &["127.0.0.1"]);
    bench.serve("93.184.215.14:80", |_| redirect(302, "http://us.test:7777/api"));
    for url in [
        "http://127.0.0.1:7777/",
        "http://localhost.example:7777/",
        "http://us.test:7777/",
        "http://[::1]:7777/",
        "http://93.184.215.14:7777/",
        "https://example.test/",
        "http://pub.test/",
    ] {
        let outcome = bench.get(url).await;
        assert!(
            outcome.starts_with("Refused: ") && outcome.contains("own control port"),
            "{outcome}"
        );
    }
    assert_eq!(bench.reached(), ["93.184.215.14:80"]);
    assert_eq!(bench.looked_up(), ["pub.test"]);
    assert!(Target::read("http://127.0.0.1:7777/").is_ok(), "reading alone judges nothing");
}

const POOL: [&str; 9] = [
    "93.184.215.14",
    "1.1.1.1",
    "::ffff:1.1.1.1",
    "64:ff9b::808:808",
    "2606:2800:21f:cb07:6820:80da:af6b:8b2c",
    "127.0.0.1",
    "::1",
    "10.0.0.1",
    "::ffff:169.254.169.254",
];

/// What a name answers, look-up by look-up: most addresses are public.
fn answers() -> impl Strategy<Value = Vec<Vec<&'static str>>> {
    let public = prop::sample::select(POOL[..5].to_vec());
    let address = prop_oneof![9 => public, 1 => prop::sample::select(POOL.to_vec())];
    prop::collection::vec(prop::collection::vec(address, 1..4), 1..8)
}

/// A name that redirects to itself: what is expected of every hop follows from its own answer alone.
async fn hops(answers: &[Vec<&str>]) -> Result<(), TestCaseError> {
    let bench = Bench::new();
    let texts: Vec<String> = answers.iter().map(|it| it.join(" ")).collect();
    bench.name("flip.test", &texts.iter().map(String::as_str).collect::<Vec<_>>());
    for address in POOL {
        let address: IpAddr = address.parse().unwrap();
        let at = SocketAddr::new(address.to_canonical(), 80).to_string();
        bench.serve(&at, |_| redirect(302, "/"));
    }
    let error = bench.client().fetch(Request::get("http://flip.test/")).await.unwrap_err();
    let answer = |nth: usize| -> Vec<IpAddr> {
        answers[nth.min(answers.len() - 1)].iter().map(|it| it.parse().unwrap()).collect()
    };
    let n_open = (0..6).take_while(|nth| answer(*nth).into_iter().all(is_public)).count();
    prop_assert_eq!(bench.reached().len(), n_open);
    for (nth, reached) in bench.reached().iter().enumerate() {
        let reached: SocketAddr = reached.parse().unwrap();
        prop_assert!(answer(nth).iter().any(|it| it.to_canonical() == reached.ip()));
    }
    let is_refused = error.problem.class() == Class::Refused;
    prop_assert_eq!(is_refused, n_open < 6, "{}", error);
    prop_assert_eq!(bench.looked_up().len(), n_open + usize::from(is_refused));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_a_name_answers_each_hop_goes_to_an_address_of_its_own_look_up(answers in answers()) {
        let runtime = Builder::new_current_thread().enable_all().start_paused(true).build();
        runtime.unwrap().block_on(hops(&answers))?;
    }
}
