//! The verdict on an address.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use crate::{
    form::{Form, carried},
    range::{GLOBAL, IPV4, IPV6, Kind, REST, Range},
};

/// The setting that opens 198.18.0.0/15: the name the application must give it.
pub const BENCHMARK_SETTING: &str = "network.benchmark_range";

/// Whether 198.18.0.0/15 may be reached. It is the only range that can be opened: resolvers of some
/// proxies answer with it, and tests have it in a network namespace of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BenchmarkRange {
    /// As every other range.
    #[default]
    Closed,
    /// The user opened it.
    Open,
}

/// Why an address must not be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The address, in one spelling.
    pub address: IpAddr,
    /// The IPv4 address in it that counts.
    pub carries: Option<Ipv4Addr>,
    /// Where it lies.
    pub range: &'static Range,
}

/// Where to connect for this address, if it may be reached: an IPv4 address that is written as an
/// IPv6 one is itself again.
///
/// # Errors
///
/// [`Refusal`] for every address that is not one of the public internet.
///
/// # Examples
///
/// ```
/// use tagline_net::{BenchmarkRange, Kind, judge};
///
/// let refusal = judge("64:ff9b::7f00:1".parse()?, BenchmarkRange::Closed).unwrap_err();
/// assert_eq!(refusal.range.kind, Kind::Loopback);
/// assert_eq!(refusal.carries, Some("127.0.0.1".parse()?));
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
pub fn judge(address: IpAddr, benchmark: BenchmarkRange) -> Result<IpAddr, Refusal> {
    match address {
        IpAddr::V4(address) => judge_v4(address, benchmark).map(IpAddr::V4),
        IpAddr::V6(address) => judge_v6(address, benchmark),
    }
}

fn judge_v4(bits: Ipv4Addr, benchmark: BenchmarkRange) -> Result<Ipv4Addr, Refusal> {
    let address = IpAddr::V4(bits);
    let is_open =
        |range: &Range| range.kind == Kind::Benchmark && benchmark == BenchmarkRange::Open;
    match IPV4.iter().find(|range| range.contains(address)) {
        Some(range) if !is_open(range) => Err(Refusal { address, carries: None, range }),
        Some(_) | None => Ok(bits),
    }
}

fn judge_v6(bits: Ipv6Addr, benchmark: BenchmarkRange) -> Result<IpAddr, Refusal> {
    let address = IpAddr::V6(bits);
    let closed = |range| Err(Refusal { address, carries: None, range });
    if let Some((form, inner)) = carried(bits) {
        for inner in inner {
            let refused = |it: Refusal| Refusal { address, carries: Some(inner), ..it };
            let inner = judge_v4(inner, benchmark).map_err(refused)?;
            match form {
                Form::Mapped => return Ok(IpAddr::V4(inner)),
                Form::Translated => return Ok(address),
                Form::Other => {}
            }
        }
    }
    match IPV6.iter().find(|range| range.contains(address)) {
        Some(range) => closed(range),
        None if GLOBAL.contains(address) => Ok(address),
        None => closed(&REST),
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { address, carries, range } = self;
        match carries {
            Some(inner) => write!(f, "{address} carries {inner}, which is ")?,
            None => write!(f, "{address} is ")?,
        }
        let what = range.kind.as_str();
        write!(f, "{what} ({range}, {}); nothing fetched may reach it, ", range.source)?;
        if range.contains([198, 18, 0, 0].into()) {
            return write!(f, "unless `{BENCHMARK_SETTING} = true` opens this range alone");
        }
        f.write_str(
            "and no setting opens it; where it is meant, a command can ask it where `sandbox_network` is `open`",
        )
    }
}
