//! Which addresses are public, written a second time: octet by octet, from the registries, with
//! nothing of the crate. The fuzz target reads this file too.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is one of the public internet.
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address.octets()),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(octets: [u8; 4]) -> bool {
    match octets {
        // This network, private, loopback, multicast, reserved, broadcast.
        [0 | 10 | 127 | 224..=255, ..] => false,
        // Shared.
        [100, 64..=127, ..] => false,
        // Azure's metadata.
        [168, 63, 129, 16] => false,
        [169, 254, ..] => false,
        [172, 16..=31, ..] => false,
        // Protocols, documentation, relays, private.
        [192, 0, 0 | 2, _] | [192, 31, 196, _] | [192, 52, 193, _] | [192, 88, 99, _] => false,
        [192, 168, ..] | [192, 175, 48, _] => false,
        // Benchmarks, documentation.
        [198, 18 | 19, ..] | [198, 51, 100, _] | [203, 0, 113, _] => false,
        [_, _, _, _] => true,
    }
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let inner = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_public_v4([a, b, c, d])
    };
    match address.segments() {
        [0, 0, 0, 0, 0, 0xffff, high, low] => inner(high, low),
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => inner(high, low),
        [0x2002, high, low, ..] => inner(high, low),
        [0x2001, 0..=0x1ff | 0xdb8, ..] => false,
        [0x2620, 0x4f, 0x8000, ..] => false,
        [0x3fff, 0..=0xfff, ..] => false,
        [first, ..] => (0x2000..=0x3fff).contains(&first),
    }
}

/// The same IPv4 address in spellings that a parser of URLs reads, with what each is.
pub(crate) fn spellings(address: Ipv4Addr) -> Vec<(&'static str, String)> {
    let octets = address.octets();
    let [a, b, c, d] = octets;
    let bits = address.to_bits();
    let (last_two, last_three) = (bits & 0xffff, bits & 0xff_ffff);
    let each = |write: fn(u8) -> String| octets.map(write).join(".");
    let plain = address.to_string();
    let digits = |zero: u32| -> String {
        let other = |c: char| c.to_digit(10).and_then(|n| char::from_u32(zero + n)).unwrap_or(c);
        plain.chars().map(other).collect()
    };
    let circled = |c: char| match c.to_digit(10) {
        Some(0) => '⓪',
        Some(n) => char::from_u32(0x245f + n).unwrap_or(c),
        None => c,
    };
    let percent = |text: &str| text.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
    vec![
        ("dotted", plain.clone()),
        ("decimal", bits.to_string()),
        ("hexadecimal", format!("{bits:#x}")),
        ("octal", format!("0{bits:o}")),
        ("capitals", format!("0X{bits:08X}")),
        ("leading zeros", format!("0x00000000{bits:08x}")),
        ("octal parts", each(|n| format!("0{n:o}"))),
        ("long octal parts", each(|n| format!("0000{n:o}"))),
        ("hexadecimal parts", each(|n| format!("{n:#x}"))),
        ("three parts", format!("{a}.{b}.{last_two}")),
        ("two parts", format!("{a}.{last_three}")),
        ("mixed", format!("{a:#x}.0{b:o}.{c}.0X{d:X}")),
        ("mixed and short", format!("0{a:o}.{b}.{last_two:#x}")),
        ("last dot", format!("{plain}.")),
        ("short with last dot", format!("{a}.{last_three}.")),
        ("percent signs", percent(&plain)),
        ("percent signs of a number", percent(&format!("{bits:#x}"))),
        ("full width", digits(0xff10).replace('.', "．")),
        ("full width in percent signs", percent(&digits(0xff10))),
        ("bold", digits(0x1d7ce)),
        ("circled", plain.chars().map(circled).collect()),
        ("ideographic dots", plain.replace('.', "。")),
        ("soft hyphens", plain.replace('.', "\u{ad}.\u{ad}")),
        ("a tab", plain.replacen('.', "\t.", 1)),
        ("a line break", plain.replacen('.', ".\r\n", 1)),
        ("mapped", format!("[::ffff:{plain}]")),
        ("mapped in full", format!("[0:0:0:0:0:FFFF:{:x}:{:x}]", bits >> 16, last_two)),
    ]
}

/// The same IPv6 address in spellings that a parser of URLs reads.
pub(crate) fn spellings_v6(address: Ipv6Addr) -> Vec<(&'static str, String)> {
    let groups = address.segments();
    let each = |write: fn(u16) -> String| groups.map(write).join(":");
    let [.., high, low] = groups;
    let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
    let full = each(|group| format!("{group:x}"));
    let front = full.splitn(7, ':').take(6).collect::<Vec<_>>().join(":");
    let short = address.to_string();
    vec![
        ("short", format!("[{short}]")),
        ("capitals", format!("[{}]", short.to_uppercase())),
        ("full", format!("[{full}]")),
        ("full with zeros", format!("[{}]", each(|group| format!("{group:04x}")))),
        ("full in capitals", format!("[{}]", each(|group| format!("{group:04X}")))),
        ("dotted end", format!("[{front}:{a}.{b}.{c}.{d}]")),
        ("a tab", format!("[\t{full}]")),
        ("a line break", format!("[{full}\n]")),
    ]
}

/// Addresses that all ask this host, in the ways that URLs can be written.
pub(crate) fn urls(host: &str) -> [String; 8] {
    [
        format!("http://{host}/"),
        format!("HTTP://{host}:80/"),
        format!("http://user@{host}/"),
        format!("http://open.example:pass@{host}/"),
        format!("http:\\\\{host}\\@open.example/"),
        format!("http:///{host}#@open.example/"),
        format!("  http:{host}?@open.example "),
        format!("ht\ntp://user%40open.example@{host}:0080/"),
    ]
}
