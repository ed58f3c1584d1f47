//! Real sockets: a server on the loopback interface that stands for a public address, and a
//! network of one's own in which 198.18.0.0/15 is the loopback interface, with the system's own
//! resolver and connections.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use tagline_net::{
    BenchmarkRange, Class, Client, Hosts, Limits, Request, Rules, SystemConnector, SystemResolver,
    Trust,
};
use tokio::runtime::Builder;

use crate::bench::Bench;

/// Generous, since a machine may be busy; the bounds themselves are tested on a clock of their own.
pub(crate) const PATIENT: Duration = Duration::from_secs(120);

pub(crate) fn patient() -> Limits {
    Limits { connect: PATIENT, total: PATIENT, ..Limits::default() }
}

/// A server that answers every connection the same until the test ends.
fn server(listener: TcpListener, answer: String) {
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (mut read, mut piece) = (Vec::new(), [0; 1024]);
            while !read.windows(4).any(|it| it == b"\r\n\r\n") {
                match stream.read(&mut piece) {
                    Ok(n) if n > 0 => read.extend_from_slice(&piece[..n]),
                    _ => break,
                }
            }
            let _ = stream.write_all(answer.as_bytes());
        }
    });
}

fn page(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}

fn moved(to: &str) -> String {
    format!(
        "HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    )
}

/// A port that must not be reached. Whoever connects stands in its queue.
pub(crate) struct Canary(TcpListener);

impl Canary {
    pub(crate) fn at(address: &str) -> Self {
        Self::try_at(address).unwrap()
    }

    fn try_at(address: &str) -> Option<Self> {
        let listener = TcpListener::bind((address, 0)).ok()?;
        listener.set_nonblocking(true).unwrap();
        Some(Self(listener))
    }

    pub(crate) fn port(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }

    pub(crate) fn hits(&self) -> usize {
        std::iter::from_fn(|| self.0.accept().ok()).count()
    }
}

#[test]
fn a_canary_notices_a_connection() {
    let canary = Canary::at("127.0.0.1");
    assert_eq!(canary.hits(), 0);
    let _stream = std::net::TcpStream::connect(("127.0.0.1", canary.port())).unwrap();
    while canary.hits() == 0 {
        thread::yield_now();
    }
}

#[test]
fn a_real_server_answers_and_its_redirect_does_not_lead_to_this_machine() {
    let canary = Canary::at("127.0.0.1");
    let (good, bad) =
        (TcpListener::bind("127.0.0.1:0").unwrap(), TcpListener::bind("127.0.0.1:0").unwrap());
    let mut bench = Bench::new();
    bench.limits = patient();
    bench.name("pub.test", &["93.184.215.14"]);
    bench.stand_in("93.184.215.14:80", good.local_addr().unwrap());
    bench.stand_in("93.184.215.14:81", bad.local_addr().unwrap());
    server(good, page(&"page ".repeat(100_000)));
    server(bad, moved(&format!("http://127.0.0.1:{}/", canary.port())));
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let client = bench.client();
    let response = runtime.block_on(client.fetch(Request::get("http://pub.test/"))).unwrap();
    assert_eq!((response.status.as_u16(), response.body.len()), (200, 500_000));
    let error = runtime.block_on(client.fetch(Request::get("http://pub.test:81/"))).unwrap_err();
    assert_eq!(error.problem.class(), Class::Refused, "{error}");
    assert_eq!(canary.hits(), 0);
}

/// Says that this process is the one inside.
const INSIDE: &str = "TAGLINE_TEST_INSIDE_NETWORK";
const NAME: &str = "real::the_system_itself_keeps_to_the_rules_in_a_network_of_its_own";
const DONE: &str = "all was tried inside";

const SET_UP: &str = "ip link set lo up && ip address add 198.18.0.1/15 dev lo && \
    mount --bind \"$1\" /etc/hosts";
const GO_ON: &str = "exec \"$2\" --exact \"$3\" --nocapture --test-threads=1";

const HOSTS: &str = "\
198.18.0.7 pub.test
198.18.0.8 two.test
127.0.0.1 two.test
127.0.0.1 inner.test
";

#[test]
#[expect(clippy::disallowed_methods, reason = "only the process inside is told that it is")]
fn the_system_itself_keeps_to_the_rules_in_a_network_of_its_own() {
    if std::env::var_os(INSIDE).is_some() {
        inside();
        println!("{DONE}");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let hosts = folder.path().join("hosts");
    std::fs::write(&hosts, HOSTS).unwrap();
    match in_own_network(&hosts) {
        Ok(told) => assert!(told.contains(DONE), "{told}"),
        // Around the capture of tests, so that it is seen.
        Err(why) => writeln!(
            std::io::stderr(),
            "\nNOT TRIED: {NAME}: this machine gives no network namespace: {why}"
        )
        .unwrap(),
    }
}

/// Runs this very test inside; the error says why there is no inside.
#[expect(clippy::disallowed_methods, reason = "a test of the system starts a program of it")]
fn in_own_network(hosts: &Path) -> Result<String, String> {
    let mut reasons = String::new();
    // As oneself where the system lets one, as root otherwise.
    for spaces in [["--user", "--map-root-user"].as_slice(), &[]] {
        let unshare = |script: &str| {
            let mut command = Command::new("unshare");
            command.args(spaces).args(["--net", "--mount", "sh", "-c", script, "sh"]);
            command.arg(hosts).stdin(Stdio::null());
            command
        };
        match unshare(SET_UP).output() {
            Ok(output) if output.status.success() => {}
            Ok(output) => {
                reasons += &String::from_utf8_lossy(&output.stderr);
                continue;
            }
            Err(error) => return Err(format!("unshare: {error}")),
        }
        let mut command = unshare(&format!("{SET_UP} && {GO_ON}"));
        command.arg(std::env::current_exe().unwrap()).arg(NAME).env(INSIDE, "1");
        let output = command.output().unwrap();
        let (told, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{told}\n{errors}");
        return Ok(told.into_owned());
    }
    Err(reasons.trim().replace('\n', "; "))
}

fn client(benchmark: BenchmarkRange) -> Client {
    let rules = Rules { hosts: Hosts::Public, own_ports: [].into(), benchmark };
    let (resolver, connector) =
        (std::sync::Arc::new(SystemResolver), std::sync::Arc::new(SystemConnector));
    Client::with(rules, Limits { per_minute: 100, ..patient() }, Trust::System, resolver, connector)
}

/// The address of a listener that nobody has yet.
fn listen(address: &str) -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind((address, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

fn inside() {
    let canary = Canary::at("127.0.0.1");
    // Not every kernel has IPv6; what must be refused is refused all the same.
    let (everywhere, canary6) = (Canary::at("0.0.0.0"), Canary::try_at("::1"));
    let (good, at) = listen("198.18.0.7");
    let (leads_in, leads_in_at) = listen("198.18.0.7");
    let ports =
        (canary.port(), canary6.as_ref().map_or(9, Canary::port), everywhere.port(), at.port());
    server(good, page("page"));
    server(leads_in, moved(&format!("http://inner.test:{}/", canary.port())));
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let get = |client: &Client, url: &str| runtime.block_on(client.fetch(Request::get(url)));

    let open = client(BenchmarkRange::Open);
    for host in
        ["pub.test", "PUB.test.", "198.18.0.7", "3323068423", "[::ffff:198.18.0.7]", "0xc6120007"]
    {
        let response = get(&open, &format!("http://{host}:{}/", at.port())).unwrap();
        assert_eq!(response.body.as_ref(), b"page", "{host}");
        assert_eq!(response.peer.address(), at);
    }
    let closed = client(BenchmarkRange::Closed);
    let refused = |client: &Client, url: String| {
        let error = get(client, &url).unwrap_err();
        assert_eq!(error.problem.class(), Class::Refused, "{error}");
    };
    for client in [&open, &closed] {
        for host in
            ["127.0.0.1", "2130706433", "inner.test", "two.test", "localhost", "[::ffff:7f00:1]"]
        {
            refused(client, format!("http://{host}:{}/", ports.0));
        }
        refused(client, format!("http://[::1]:{}/", ports.1));
        refused(client, format!("http://0:{}/", ports.2));
        refused(client, format!("http://two.test:{}/", ports.3));
    }
    refused(&open, format!("http://pub.test:{}/", leads_in_at.port()));
    refused(&closed, format!("http://pub.test:{}/", ports.3));
    let hits = canary6.map_or(0, |canary| canary.hits());
    assert_eq!((canary.hits(), hits, everywhere.hits()), (0, 0, 0));
}
