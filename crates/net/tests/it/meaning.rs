//! What holds of any address and any text, as the fuzz target `addresses` and a property try it.

use std::{
    collections::BTreeSet,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::LazyLock,
};

use tagline_net::{BenchmarkRange, Gate, Host, Hosts, Rules, Target};

use crate::reference;

static GATE: LazyLock<Gate> = LazyLock::new(|| {
    Gate::new(Rules {
        hosts: Hosts::Public,
        own_ports: BTreeSet::new(),
        benchmark: BenchmarkRange::Closed,
    })
});

/// Panics where an address does not mean what was meant. The first byte says what the rest is: an
/// address of IPv4, one of IPv6, or text.
pub(crate) fn holds(data: &[u8]) {
    match data {
        [0..=63, a, b, c, d, ..] => v4(Ipv4Addr::new(*a, *b, *c, *d)),
        [begin @ 64..=127, rest @ ..] => v6(*begin, rest),
        [_, text @ ..] => read(&String::from_utf8_lossy(text)),
        [] => {}
    }
}

fn v4(address: Ipv4Addr) {
    for (name, host) in reference::spellings(address) {
        means(name, &format!("http://{host}:8080/a"), address.into());
    }
    for url in reference::urls(&address.to_string()) {
        means("url", &url, address.into());
    }
}

/// Beginnings of addresses of IPv6 that mean something; the bytes choose one and give the rest.
const BEGINNINGS: [(u128, u32); 12] = [
    (0, 0),
    (0, 96),
    (0xffff << 32, 96),
    (0x64_ff9b << 96, 96),
    (0x64_ff9b_0001 << 80, 48),
    (0x2002 << 112, 16),
    (0x2001 << 112, 32),
    (0x2001 << 112, 23),
    (0x2620_004f_8000 << 80, 48),
    (0x3fff << 112, 16),
    (0x2 << 124, 3),
    (0xfc << 120, 6),
];

fn v6(begin: u8, rest: &[u8]) {
    let mut bytes = [0; 16];
    bytes.iter_mut().rev().zip(rest).for_each(|(to, from)| *to = *from);
    let (begin, n) = BEGINNINGS[usize::from(begin) % BEGINNINGS.len()];
    let mask = u128::MAX.checked_shr(n).unwrap_or_default();
    let address = Ipv6Addr::from_bits((begin & !mask) | (u128::from_be_bytes(bytes) & mask));
    for (name, host) in reference::spellings_v6(address) {
        means(name, &format!("http://{host}:8080/a"), address.into());
    }
    for url in reference::urls(&format!("[{address}]")) {
        means("url", &url, address.into());
    }
}

fn means(name: &str, url: &str, address: IpAddr) {
    let target = Target::read(url).unwrap_or_else(|problem| panic!("{name} {url:?}: {problem}"));
    let Host::Address(read) = target.host() else { panic!("{name} {url:?}: {target:?}") };
    assert_eq!(read.to_canonical(), address.to_canonical(), "{name} {url:?}");
    let is_open = GATE.admit(&target).is_ok();
    assert_eq!(is_open, reference::is_public(address), "{name} {url:?}");
}

fn read(text: &str) {
    for text in [text.to_owned(), format!("http://{text}")] {
        let Ok(target) = Target::read(&text) else { continue };
        assert_eq!(Target::read(target.as_str()).as_ref(), Ok(&target), "{text:?}");
        match target.host() {
            Host::Address(address) => {
                let is_open = GATE.admit(&target).is_ok();
                assert_eq!(is_open, reference::is_public(*address), "{text:?}");
            }
            Host::Name(name) => is_no_number(name),
        }
    }
}

/// No resolver takes the name for an address: none ends in a number.
fn is_no_number(name: &str) {
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_decimal = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    let is_hexadecimal = last
        .strip_prefix("0x")
        .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    assert!(!is_decimal && !is_hexadecimal, "{name}");
    assert!(name != "localhost" && !name.ends_with(".localhost"), "{name}");
    assert!(
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)),
        "{name}"
    );
}
