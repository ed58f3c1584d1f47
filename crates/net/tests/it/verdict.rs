//! The verdict on addresses, against the reference.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use expect_test::expect;
use proptest::prelude::*;
use tagline_net::{BenchmarkRange, Kind, judge};

use crate::{meaning, reference::is_public};

/// Every so manieth address of IPv4 is tried.
#[expect(clippy::disallowed_methods, reason = "how many is the one thing this test is told")]
fn step() -> usize {
    let asked = std::env::var("TAGLINE_TEST_ADDRESS_STEP").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(4099)
}

#[test]
fn the_verdict_on_ipv4_is_that_of_the_reference() {
    let (mut n_tried, mut n_open) = (0_u64, 0_u64);
    for bits in (0..=u32::MAX).step_by(step()) {
        let address = IpAddr::V4(Ipv4Addr::from_bits(bits));
        let is_open = judge(address, BenchmarkRange::Closed).is_ok();
        assert_eq!(is_open, is_public(address), "{address}");
        n_tried += 1;
        n_open += u64::from(is_open);
    }
    println!("{n_tried} addresses of IPv4, {n_open} of them open, none judged otherwise");
}

/// Addresses of IPv6 that begin like one of a range, or like none.
fn v6() -> impl Strategy<Value = Ipv6Addr> {
    let begins = prop::sample::select(vec![
        (0_u128, 0_u32),
        (0, 80),
        (0, 96),
        (0xffff << 32, 96),
        (0x64_ff9b << 96, 96),
        (0x64_ff9b_0001 << 80, 48),
        (0x2002 << 112, 16),
        (0x2001 << 112, 16),
        (0x2001 << 112, 32),
        (0x2001_0db8 << 96, 32),
        (0x2620_004f_8000 << 80, 46),
        (0x3fff << 112, 16),
        (0x2 << 124, 3),
        (0xfc << 120, 4),
    ]);
    (begins, any::<u128>(), any::<bool>()).prop_map(|((begin, n), rest, is_sparse)| {
        // Sparse ones have many groups of zero.
        let rest = if is_sparse { rest & 0xffff_0000_0000_ffff_0000_ff00_ffff } else { rest };
        let mask = u128::MAX.checked_shr(n).unwrap_or_default();
        Ipv6Addr::from_bits((begin & !mask) | (rest & mask))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_verdict_on_ipv6_is_that_of_the_reference(address in v6()) {
        let verdict = judge(address.into(), BenchmarkRange::Closed);
        prop_assert_eq!(verdict.is_ok(), is_public(address.into()), "{}", address);
    }

    #[test]
    fn an_address_that_passed_passes_again(address in v6()) {
        if let Ok(open) = judge(address.into(), BenchmarkRange::Closed) {
            prop_assert_eq!(judge(open, BenchmarkRange::Closed), Ok(open));
        }
    }

    #[test]
    fn the_switch_opens_one_range_and_nothing_else(bits in any::<u32>(), address in v6()) {
        for address in [IpAddr::V4(bits.into()), address.into()] {
            let (closed, open) =
                (judge(address, BenchmarkRange::Closed), judge(address, BenchmarkRange::Open));
            match closed {
                Err(it) if it.range.contains([198, 18, 0, 0].into()) => {}
                closed => prop_assert_eq!(open, closed),
            }
        }
    }
}

/// How many texts are tried: each address is tried in every spelling.
#[expect(clippy::disallowed_methods, reason = "how many is the one thing this test is told")]
fn texts() -> u32 {
    let asked = std::env::var("TAGLINE_TEST_ADDRESS_TEXTS").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(2_000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: texts(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_fuzz_target_tries_holds(data in prop::collection::vec(any::<u8>(), 0..40)) {
        meaning::holds(&data);
    }
}

#[test]
fn the_seeds_of_the_fuzz_target_hold() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/addresses");
    let seeds: Vec<_> = std::fs::read_dir(folder).unwrap().map(Result::unwrap).collect();
    assert!(seeds.len() >= 5);
    seeds.iter().for_each(|seed| meaning::holds(&std::fs::read(seed.path()).unwrap()));
}

#[test]
fn the_switch_opens_the_range_from_end_to_end() {
    for (address, is_open) in [
        ("198.17.255.255", true),
        ("198.18.0.0", true),
        ("198.19.255.255", true),
        ("198.20.0.0", true),
        ("::ffff:198.18.0.1", true),
        ("127.0.0.1", false),
        ("10.0.0.1", false),
        ("169.254.169.254", false),
        ("2001:2::1", false),
    ] {
        let verdict = judge(address.parse().unwrap(), BenchmarkRange::Open);
        assert_eq!(verdict.is_ok(), is_open, "{address}");
    }
    let closed = judge([198, 18, 0, 1].into(), BenchmarkRange::Closed).unwrap_err();
    assert_eq!(closed.range.kind, Kind::Benchmark);
}

#[test]
fn what_an_address_carries_is_told_in_every_form() {
    let addresses = [
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::7f00:1",
        "2002:7f00:1::",
        "2001:0:7f00:1::f7f7:f7f7",
        "2001:0:808:808::80ff:fffe",
        "::7f00:1",
        "::1",
        "::",
    ];
    let carried = addresses.map(|text| {
        let refusal = judge(text.parse().unwrap(), BenchmarkRange::Closed).unwrap_err();
        let carried = refusal.carries.map_or("nothing".to_owned(), |it| it.to_string());
        format!("{text} carries {carried}")
    });
    expect![[r#"
        ::ffff:127.0.0.1 carries 127.0.0.1
        64:ff9b::7f00:1 carries 127.0.0.1
        64:ff9b:1::7f00:1 carries 127.0.0.1
        2002:7f00:1:: carries 127.0.0.1
        2001:0:7f00:1::f7f7:f7f7 carries 127.0.0.1
        2001:0:808:808::80ff:fffe carries 127.0.0.1
        ::7f00:1 carries 127.0.0.1
        ::1 carries nothing
        :: carries nothing"#]]
    .assert_eq(&carried.join("\n"));
}
