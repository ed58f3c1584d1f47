//! Where the server listens.

use expect_test::expect;
use tagline_server::{Bind, BindError, Config, Exposure, Server};

use crate::support::House;

#[test]
fn every_spelling_of_all_interfaces_is_refused() {
    let spellings = [
        "0.0.0.0",
        "0",
        "00",
        "0x0",
        "0.0",
        "0.0.0",
        "0x0.0x0.0.0",
        "000.000.000.000",
        "::",
        "[::]",
        "::0",
        "0:0:0:0:0:0:0:0",
        "::ffff:0.0.0.0",
        "",
        "*",
        "0X0",
    ];
    for host in spellings {
        let refused = Bind::new(host, 0, Exposure::Loopback);
        assert!(matches!(refused, Err(BindError::EveryInterface { .. })), "{host}: {refused:?}");
    }
    let others = ["10.0.0.1", "127.0.0.2", "::2", "fe80::1", "2130706434", "192.168.1"];
    for host in others {
        let refused = Bind::new(host, 0, Exposure::Loopback);
        assert!(matches!(refused, Err(BindError::NotLoopback { .. })), "{host}: {refused:?}");
    }
    for host in ["tagline.lan", "localhost.", "1.2.3.4.5", "256.0.0.1", "0x", "08"] {
        let refused = Bind::new(host, 0, Exposure::Loopback);
        let is_refused = matches!(
            refused,
            Err(BindError::NotAnAddress { .. } | BindError::EveryInterface { .. })
        );
        assert!(is_refused, "{host}: {refused:?}");
    }
    expect![[r#"
        cannot listen at `0`: it means every network this machine is on, and only this machine itself is allowed; leave the address out, or add `--dangerously-let-the-network-in`
        cannot listen at `tagline.lan`: expected an address such as 127.0.0.1 or ::1, but found a name; write the address
    "#]]
    .assert_eq(&format!(
        "{}\n{}\n",
        Bind::new("0", 0, Exposure::Loopback).unwrap_err(),
        Bind::new("tagline.lan", 0, Exposure::Everyone).unwrap_err(),
    ));
}

#[test]
fn spellings_of_loopback_are_loopback() {
    for host in ["127.0.0.1", "127.1", "0x7f.1", "2130706433", "localhost", "::ffff:127.0.0.1"] {
        let bind = Bind::new(host, 80, Exposure::Loopback).unwrap();
        assert_eq!(bind.address().to_string(), "127.0.0.1:80", "{host}");
    }
    let six = Bind::new("[::1]", 80, Exposure::Loopback).unwrap();
    assert_eq!(six.address().to_string(), "[::1]:80");
    assert!(Bind::new("0.0.0.0", 80, Exposure::Everyone).is_ok());
}

#[tokio::test]
async fn the_socket_is_of_loopback_alone() {
    let house = House::open().await;
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let port = format!(":{:04X}", house.address.port());
    let ours = table.lines().filter_map(|line| {
        let mut fields = line.split_ascii_whitespace().skip(1);
        let (local, state) = (fields.next()?, fields.nth(1)?);
        (local.ends_with(&port) && state == "0A").then(|| local.to_owned())
    });
    assert_eq!(ours.collect::<Vec<_>>(), [format!("0100007F{port}")]);
}

#[tokio::test]
async fn a_taken_port_is_told_with_its_owner_and_never_replaced() {
    let house = House::open().await;
    let port = house.address.port();
    let error = Server::bind(Config::loopback(port), house.parts()).await.unwrap_err();
    let BindError::Taken { address, owner } = error else { panic!("{error}") };
    assert_eq!(address, house.address);
    assert_eq!(owner.unwrap().pid, std::process::id());
}
