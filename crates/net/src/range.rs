//! Ranges of addresses that nothing fetched may reach, as data, with who says so.
//!
//! The rows are those of IANA's registries of special-purpose addresses for IPv4 and IPv6, as far
//! as `form.rs` does not unwrap them, and the addresses where hosts hand out credentials.
//! All of a registry is closed, also what it calls reachable: no pages are there.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

/// Why a range is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Hands out credentials of the machine.
    Metadata,
    /// No address, or any of this machine.
    Unspecified,
    /// This machine.
    Loopback,
    /// A network of one's own.
    Private,
    /// The same cable.
    LinkLocal,
    /// Between a provider and its customers.
    Shared,
    /// For measurements, and what resolvers of some proxies answer.
    Benchmark,
    /// For examples.
    Documentation,
    /// Many machines.
    Multicast,
    /// All machines of the network.
    Broadcast,
    /// Of protocols, never of pages.
    Protocol,
    /// IPv4 in a form that is out of use or means what the local network says.
    Translated,
    /// Thrown away.
    Discard,
    /// Not given out.
    Reserved,
}

impl Kind {
    /// What an address of it is.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Metadata => "a metadata address, which hands out credentials",
            Self::Unspecified => "an unspecified address, which can mean this machine",
            Self::Loopback => "a loopback address, which is this machine",
            Self::Private => "a private address",
            Self::LinkLocal => "a link-local address",
            Self::Shared => "a shared address of a provider's network",
            Self::Benchmark => "a benchmark address",
            Self::Documentation => "a documentation address",
            Self::Multicast => "a multicast address",
            Self::Broadcast => "a broadcast address",
            Self::Protocol => "an address of protocols",
            Self::Translated => "an IPv4 address in a form that is not routed publicly",
            Self::Discard => "a discard address",
            Self::Reserved => "a reserved address",
        }
    }
}

/// A range of addresses that is closed.
#[derive(Debug, PartialEq, Eq)]
pub struct Range {
    network: IpAddr,
    prefix: u8,
    /// Why.
    pub kind: Kind,
    /// Who says so.
    pub source: &'static str,
}

impl Range {
    /// Whether an address lies in it.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        let prefix = u32::from(self.prefix);
        match (self.network, address) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                let differing = network.to_bits() ^ address.to_bits();
                differing.checked_shr(32 - prefix).unwrap_or_default() == 0
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                let differing = network.to_bits() ^ address.to_bits();
                differing.checked_shr(128 - prefix).unwrap_or_default() == 0
            }
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.network, self.prefix)
    }
}

const fn v4(octets: [u8; 4], prefix: u8, kind: Kind, source: &'static str) -> Range {
    let [a, b, c, d] = octets;
    Range { network: IpAddr::V4(Ipv4Addr::new(a, b, c, d)), prefix, kind, source }
}

/// The first four groups are the network's, or with `last` the last one too.
const fn v6(groups: [u16; 4], last: u16, prefix: u8, kind: Kind, source: &'static str) -> Range {
    let [a, b, c, d] = groups;
    Range { network: IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, last)), prefix, kind, source }
}

/// Closed ranges of IPv4: the first that holds an address counts.
///
/// <https://www.iana.org/assignments/iana-ipv4-special-registry>
pub const IPV4: &[Range] = &[
    v4([169, 254, 169, 254], 32, Kind::Metadata, "Amazon, Azure, Google and others"),
    v4([169, 254, 170, 2], 32, Kind::Metadata, "Amazon ECS"),
    v4([100, 100, 100, 200], 32, Kind::Metadata, "Alibaba"),
    v4([192, 0, 0, 192], 32, Kind::Metadata, "Oracle"),
    v4([168, 63, 129, 16], 32, Kind::Metadata, "Azure"),
    v4([0, 0, 0, 0], 8, Kind::Unspecified, "RFC 791, 3.2"),
    v4([10, 0, 0, 0], 8, Kind::Private, "RFC 1918"),
    v4([100, 64, 0, 0], 10, Kind::Shared, "RFC 6598"),
    v4([127, 0, 0, 0], 8, Kind::Loopback, "RFC 1122, 3.2.1.3"),
    v4([169, 254, 0, 0], 16, Kind::LinkLocal, "RFC 3927"),
    v4([172, 16, 0, 0], 12, Kind::Private, "RFC 1918"),
    v4([192, 0, 0, 0], 24, Kind::Protocol, "RFC 6890, 2.1"),
    v4([192, 0, 2, 0], 24, Kind::Documentation, "RFC 5737"),
    v4([192, 31, 196, 0], 24, Kind::Protocol, "RFC 7535"),
    v4([192, 52, 193, 0], 24, Kind::Protocol, "RFC 7450"),
    v4([192, 88, 99, 0], 24, Kind::Protocol, "RFC 7526"),
    v4([192, 168, 0, 0], 16, Kind::Private, "RFC 1918"),
    v4([192, 175, 48, 0], 24, Kind::Protocol, "RFC 7534"),
    v4([198, 18, 0, 0], 15, Kind::Benchmark, "RFC 2544"),
    v4([198, 51, 100, 0], 24, Kind::Documentation, "RFC 5737"),
    v4([203, 0, 113, 0], 24, Kind::Documentation, "RFC 5737"),
    v4([224, 0, 0, 0], 4, Kind::Multicast, "RFC 5771"),
    v4([255, 255, 255, 255], 32, Kind::Broadcast, "RFC 919, 7"),
    v4([240, 0, 0, 0], 4, Kind::Reserved, "RFC 1112, 4"),
];

/// Closed ranges of IPv6, as [`IPV4`]. What is in none of them and not in `2000::/3` is closed too.
///
/// <https://www.iana.org/assignments/iana-ipv6-special-registry>
pub const IPV6: &[Range] = &[
    v6([0xfd00, 0xec2, 0, 0], 0x254, 128, Kind::Metadata, "Amazon"),
    v6([0xfd20, 0xce, 0, 0], 0x254, 128, Kind::Metadata, "Google"),
    v6([0xfd00, 0x42, 0, 0], 0x42, 128, Kind::Metadata, "Scaleway"),
    v6([0, 0, 0, 0], 0, 128, Kind::Unspecified, "RFC 4291, 2.5.2"),
    v6([0, 0, 0, 0], 1, 128, Kind::Loopback, "RFC 4291, 2.5.3"),
    v6([0, 0, 0, 0], 0, 96, Kind::Translated, "RFC 4291, 2.5.5.1"),
    v6([0x64, 0xff9b, 1, 0], 0, 48, Kind::Translated, "RFC 8215"),
    v6([0x100, 0, 0, 0], 0, 64, Kind::Discard, "RFC 6666"),
    v6([0x100, 0, 0, 1], 0, 64, Kind::Discard, "RFC 9780"),
    v6([0x2001, 0, 0, 0], 0, 32, Kind::Translated, "RFC 4380"),
    v6([0x2001, 2, 0, 0], 0, 48, Kind::Benchmark, "RFC 5180"),
    v6([0x2001, 0, 0, 0], 0, 23, Kind::Protocol, "RFC 2928"),
    v6([0x2001, 0xdb8, 0, 0], 0, 32, Kind::Documentation, "RFC 3849"),
    v6([0x2620, 0x4f, 0x8000, 0], 0, 48, Kind::Protocol, "RFC 7534"),
    v6([0x3fff, 0, 0, 0], 0, 20, Kind::Documentation, "RFC 9637"),
    v6([0x5f00, 0, 0, 0], 0, 16, Kind::Protocol, "RFC 9602"),
    v6([0xfc00, 0, 0, 0], 0, 7, Kind::Private, "RFC 4193"),
    v6([0xfe80, 0, 0, 0], 0, 10, Kind::LinkLocal, "RFC 4291, 2.5.6"),
    v6([0xfec0, 0, 0, 0], 0, 10, Kind::Private, "RFC 3879"),
    v6([0xff00, 0, 0, 0], 0, 8, Kind::Multicast, "RFC 4291, 2.7"),
];

/// The only part of IPv6 that is given out for machines anyone can reach.
pub(crate) static GLOBAL: Range =
    v6([0x2000, 0, 0, 0], 0, 3, Kind::Reserved, "IANA, IPv6 address space");

/// Everything of IPv6: closed where nothing else is said.
pub(crate) static REST: Range = v6([0, 0, 0, 0], 0, 0, Kind::Reserved, "IANA, IPv6 address space");
