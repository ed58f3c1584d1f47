//! Every edge of every range, in every spelling, against a table that is written down here again.

use std::{
    collections::BTreeSet,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use tagline_net::{BenchmarkRange, Gate, Host, Hosts, Kind, Problem, Rules, Target, judge};

use crate::reference::{is_public, spellings, spellings_v6, urls};

/// First and last address of each range, and its kind: the first that holds an address counts.
const CLOSED: &str = "\
169.254.169.254 169.254.169.254 Metadata
169.254.170.2 169.254.170.2 Metadata
100.100.100.200 100.100.100.200 Metadata
192.0.0.192 192.0.0.192 Metadata
168.63.129.16 168.63.129.16 Metadata
0.0.0.0 0.255.255.255 Unspecified
10.0.0.0 10.255.255.255 Private
100.64.0.0 100.127.255.255 Shared
127.0.0.0 127.255.255.255 Loopback
169.254.0.0 169.254.255.255 LinkLocal
172.16.0.0 172.31.255.255 Private
192.0.0.0 192.0.0.255 Protocol
192.0.2.0 192.0.2.255 Documentation
192.31.196.0 192.31.196.255 Protocol
192.52.193.0 192.52.193.255 Protocol
192.88.99.0 192.88.99.255 Protocol
192.168.0.0 192.168.255.255 Private
192.175.48.0 192.175.48.255 Protocol
198.18.0.0 198.19.255.255 Benchmark
198.51.100.0 198.51.100.255 Documentation
203.0.113.0 203.0.113.255 Documentation
224.0.0.0 239.255.255.255 Multicast
255.255.255.255 255.255.255.255 Broadcast
240.0.0.0 255.255.255.254 Reserved
fd00:ec2::254 fd00:ec2::254 Metadata
fd20:ce::254 fd20:ce::254 Metadata
fd00:42::42 fd00:42::42 Metadata
:: :: Unspecified
::1 ::1 Loopback
::2 ::ffff:ffff Translated
64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff Translated
100:: 100::ffff:ffff:ffff:ffff Discard
100:0:0:1:: 100:0:0:1:ffff:ffff:ffff:ffff Discard
2001:: 2001::ffff:ffff:ffff:ffff:ffff:ffff Translated
2001:2:: 2001:2:0:ffff:ffff:ffff:ffff:ffff Benchmark
2001:1:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff Protocol
2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff Documentation
2620:4f:8000:: 2620:4f:8000:ffff:ffff:ffff:ffff:ffff Protocol
3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff Documentation
5f00:: 5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff Protocol
fc00:: fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff Private
fe80:: febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff LinkLocal
fec0:: feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff Private
ff00:: ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff Multicast
::1:0:0 1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff Reserved
4000:: fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff Reserved
fe00:: fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff Reserved";

fn rows() -> impl Iterator<Item = (IpAddr, IpAddr, &'static str)> {
    CLOSED.lines().map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let [first, last, kind] = words[..] else { panic!("{line}") };
        (first.parse().unwrap(), last.parse().unwrap(), kind)
    })
}

fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u128::from(address.to_bits()),
        IpAddr::V6(address) => address.to_bits(),
    }
}

/// An address this far from another of its family, if there is one.
fn beside(address: IpAddr, by: i128) -> Option<IpAddr> {
    let moved = bits(address).checked_add_signed(by)?;
    match address {
        IpAddr::V4(_) => Some(IpAddr::V4(u32::try_from(moved).ok()?.into())),
        IpAddr::V6(_) => Some(IpAddr::V6(moved.into())),
    }
}

/// What the table says of an address itself, whatever it carries.
fn plain_kind(address: IpAddr) -> Option<&'static str> {
    let holds = |(first, last, _): &(IpAddr, IpAddr, &str)| {
        first.is_ipv4() == address.is_ipv4()
            && (bits(*first)..=bits(*last)).contains(&bits(address))
    };
    rows().find(holds).map(|(_, _, kind)| kind)
}

/// What is expected of an address: none where it is public.
fn kind(address: IpAddr) -> Option<&'static str> {
    let IpAddr::V6(v6) = address else { return plain_kind(address) };
    let v4 = |high: u16, low: u16| {
        plain_kind(IpAddr::V4((u32::from(high) << 16 | u32::from(low)).into()))
    };
    match v6.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => plain_kind(address),
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => v4(high, low),
        [0, 0, 0, 0, 0, 0, high, low]
        | [0x64, 0xff9b, 1, _, _, _, high, low]
        | [0x2002, high, low, ..] => v4(high, low).or(plain_kind(address)),
        [0x2001, 0, server_high, server_low, _, _, high, low] => {
            v4(!high, !low).or(v4(server_high, server_low)).or(plain_kind(address))
        }
        _ => plain_kind(address),
    }
}

/// First and last of every range, what lies beside them and in the middle; the same of IPv4 inside
/// of IPv6; and some that are public.
fn addresses() -> BTreeSet<IpAddr> {
    let mut all: BTreeSet<IpAddr> = BTreeSet::new();
    for (first, last, _) in rows() {
        let half = i128::try_from((bits(last) - bits(first)) / 2).unwrap();
        let near =
            [(first, -1), (first, 0), (first, 1), (first, half), (last, -1), (last, 0), (last, 1)];
        all.extend(near.iter().filter_map(|(address, by)| beside(*address, *by)));
    }
    let v4: Vec<Ipv4Addr> = all
        .iter()
        .filter_map(|address| match address {
            IpAddr::V4(address) => Some(*address),
            IpAddr::V6(_) => None,
        })
        .collect();
    let inside = |prefix: u128, shift: u32| {
        v4.iter().map(move |address| {
            IpAddr::V6(Ipv6Addr::from_bits(prefix | u128::from(address.to_bits()) << shift))
        })
    };
    all.extend(inside(0x64_ff9b << 96, 0));
    all.extend(inside(0x64_ff9b_0001 << 80, 0));
    all.extend(inside(0x2002 << 112, 80));
    all.extend(inside(0, 0));
    let teredo = 0x2001 << 112 | 0x0808_0808 << 64;
    all.extend(v4.iter().map(|it| IpAddr::V6((teredo | u128::from(!it.to_bits())).into())));
    let public =
        "1.1.1.1 8.8.8.8 93.184.215.14 2606:2800:21f:cb07:6820:80da:af6b:8b2c 2001:4860:4860::8888";
    all.extend(public.split(' ').map(|it| it.parse::<IpAddr>().unwrap()));
    all
}

/// Whether the guard says of an address, written like this, what it should.
fn is_right(gate: &Gate, url: &str, address: IpAddr) -> bool {
    let Ok(target) = Target::read(url) else { return false };
    let Host::Address(read) = target.host() else { return false };
    let meant = |it: IpAddr| it == address || it.to_canonical() == address.to_canonical();
    if !meant(*read) {
        return false;
    }
    match (gate.admit(&target), kind(address)) {
        (Ok(()), None) => judge(*read, BenchmarkRange::Closed).is_ok_and(meant),
        (Err(Problem::Address(it)), Some(kind)) => {
            format!("{:?}", it.range.kind) == kind
                && (meant(it.address) || it.carries.map(IpAddr::V4).is_some_and(meant))
                && it.to_string().contains(&read.to_string())
        }
        _ => false,
    }
}

/// How much was tried, and what went wrong.
pub(crate) struct Tried {
    pub(crate) n_addresses: usize,
    /// Spellings of the address that has the fewest.
    pub(crate) fewest: usize,
    pub(crate) n_tried: usize,
    pub(crate) wrong: Vec<String>,
}

/// Every edge in every spelling.
pub(crate) fn every_edge() -> Tried {
    let rules = Rules {
        hosts: Hosts::Public,
        own_ports: BTreeSet::new(),
        benchmark: BenchmarkRange::Closed,
    };
    let gate = Gate::new(rules);
    let addresses = addresses();
    let mut tried =
        Tried { n_addresses: addresses.len(), fewest: usize::MAX, n_tried: 0, wrong: Vec::new() };
    for address in addresses {
        assert_eq!(kind(address).is_none(), is_public(address), "the two tables of {address}");
        let hosts = match address {
            IpAddr::V4(address) => spellings(address),
            IpAddr::V6(address) => spellings_v6(address),
        };
        let with_urls = urls(&hosts[0].1).into_iter().map(|url| ("url", url));
        let alone = hosts.iter().map(|(name, host)| (*name, format!("http://{host}:8080/a?b")));
        let all: Vec<(&str, String)> = alone.chain(with_urls).collect();
        tried.fewest = tried.fewest.min(all.len());
        tried.n_tried += all.len();
        let wrong = all.into_iter().filter(|(_, url)| !is_right(&gate, url, address));
        tried.wrong.extend(wrong.map(|(name, url)| format!("{address} as {name}: {url:?}")));
    }
    tried
}

#[test]
fn every_edge_of_every_range_is_judged_alike_in_every_spelling() {
    let tried = every_edge();
    assert_eq!(tried.wrong, Vec::<String>::new());
    assert!(tried.n_addresses >= 300, "{}", tried.n_addresses);
    assert!(tried.fewest >= 12, "{}", tried.fewest);
    println!("{} addresses, {} spellings, 0 wrong", tried.n_addresses, tried.n_tried);
}

#[test]
fn the_table_of_the_guard_names_every_kind() {
    let kinds: BTreeSet<String> = tagline_net::IPV4
        .iter()
        .chain(tagline_net::IPV6)
        .map(|it| format!("{:?}", it.kind))
        .collect();
    let expected: BTreeSet<String> = rows().map(|(_, _, kind)| kind.to_owned()).collect();
    let missing: Vec<&String> = expected.difference(&kinds).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(kinds.contains(&format!("{:?}", Kind::Metadata)));
}
