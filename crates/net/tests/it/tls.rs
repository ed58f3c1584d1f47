//! TLS with the name that was asked for.
//!
//! `tls/` holds an authority and a server's certificate for `pub.test`, good until 2120: made with
//! `openssl req -x509` and `openssl ca`; the authority's own key is thrown away.

use std::sync::Arc;

use expect_test::expect;
use rustls::{
    ServerConfig,
    crypto::aws_lc_rs,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
};
use tagline_net::{Request, Trust};

use crate::bench::{Bench, ok, redirect};

const AUTHORITY: &[u8] = include_bytes!("tls/authority.pem");

pub(crate) fn authority() -> Trust {
    Trust::Only(AUTHORITY.to_vec())
}

pub(crate) fn server() -> Arc<ServerConfig> {
    let certificate = CertificateDer::from_pem_slice(include_bytes!("tls/server.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("tls/server.key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key);
    Arc::new(config.unwrap())
}

fn bench(trust: Trust) -> Bench {
    let mut bench = Bench::new();
    bench.trust = trust;
    bench.name("pub.test", &["93.184.215.14"]).name("other.test", &["93.184.215.14"]);
    bench.serve_tls("93.184.215.14:443", server(), |request| {
        if request.contains("/down ") { redirect(302, "http://pub.test/") } else { ok("page") }
    });
    bench
}

#[tokio::test(start_paused = true)]
async fn the_other_end_is_asked_for_the_name_and_must_prove_it() {
    let told = bench(authority()).told(Request::get("https://PUB.test./a")).await;
    expect![[r#"
        look-up pub.test
        connect 93.184.215.14:443
        93.184.215.14:443 is asked: (as pub.test) GET /a HTTP/1.1 | accept: */* | user-agent: tagline/0.1.0 | host: pub.test | accept-encoding: gzip
        200 from https://pub.test/a at 93.184.215.14:443: "page"
    "#]].assert_eq(&told);
    let wrong_name = bench(authority()).get("https://other.test/").await;
    let unknown = bench(Trust::Only(Vec::new())).get("https://pub.test/").await;
    let no_name = bench(authority()).get("https://93.184.215.14/").await;
    expect![[r#"
        Failed: `https://other.test/`: no secure connection: invalid peer certificate: certificate not valid for name "other.test"; certificate is only valid for DnsName("pub.test"); ask for another address
        Failed: `https://pub.test/`: no secure connection: invalid peer certificate: UnknownIssuer; ask for another address
        Failed: `https://93.184.215.14/`: no secure connection: invalid peer certificate: certificate not valid for name "93.184.215.14"; certificate is only valid for DnsName("pub.test"); ask for another address"#]].assert_eq(&[wrong_name, unknown, no_name].join("\n"));
    let not_of_the_system = bench(Trust::System).get("https://pub.test/").await;
    assert!(not_of_the_system.contains("no secure connection: "), "{not_of_the_system}");
    let unreadable = bench(Trust::Only(b"-----BEGIN CERTIFICATE-----\nx".to_vec()));
    assert!(unreadable.get("https://pub.test/").await.contains("no secure connection: "));
}

#[tokio::test(start_paused = true)]
async fn a_redirect_never_leads_from_https_to_http() {
    let outcome = bench(authority()).get("https://pub.test/down").await;
    expect!["Refused: `http://pub.test/`, where `https://pub.test/down` redirects to: a redirect from https to http, which anyone on the way could read; ask for it by https"].assert_eq(&outcome);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_waits_for_something_else_is_not_waited_for() {
    let bench = bench(authority());
    bench.serve("93.184.215.14:443", |_| ok("plain"));
    let start = tokio::time::Instant::now();
    let outcome = bench.get("https://pub.test/").await;
    let took = start.elapsed().as_secs();
    expect!["after 5 s: Later: `https://pub.test/`: no connection within 5 s; try again later"]
        .assert_eq(&format!("after {took} s: {outcome}"));
}
