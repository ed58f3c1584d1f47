//! IPv4 addresses in IPv6 ones: whoever connects to one of these reaches the other.

use std::net::{Ipv4Addr, Ipv6Addr};

/// How an IPv6 address carries an IPv4 one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `::ffff:0:0/96` (RFC 4291, 2.5.5.2): the system itself connects to the IPv4 address.
    Mapped,
    /// `64:ff9b::/96` (RFC 6052): a translator of the network does.
    Translated,
    /// `2002::/16` (RFC 3056), `2001::/32` (RFC 4380), `::/96` (RFC 4291, 2.5.5.1) and
    /// `64:ff9b:1::/48` (RFC 8215): so does whoever still knows them.
    Other,
}

/// One form: its network, the length of its prefix in bits, and where the addresses stand.
struct Row {
    network: u128,
    prefix: u32,
    form: Form,
    places: &'static [fn(u128) -> u32],
}

const LAST: fn(u128) -> u32 = |bits| bits as u32;

const ROWS: &[Row] = &[
    Row { network: 0xffff << 32, prefix: 96, form: Form::Mapped, places: &[LAST] },
    Row { network: 0x64_ff9b << 96, prefix: 96, form: Form::Translated, places: &[LAST] },
    Row { network: 0x64_ff9b_0001 << 80, prefix: 48, form: Form::Other, places: &[LAST] },
    Row {
        network: 0x2002 << 112,
        prefix: 16,
        form: Form::Other,
        places: &[|bits| (bits >> 80) as u32],
    },
    // The server, and the client with its bits turned round.
    Row {
        network: 0x2001 << 112,
        prefix: 32,
        form: Form::Other,
        places: &[|bits| !(bits as u32), |bits| (bits >> 64) as u32],
    },
    Row { network: 0, prefix: 96, form: Form::Other, places: &[LAST] },
];

/// The form of an address, and what it carries; none for one that carries nothing. `::` and `::1`
/// are themselves.
pub(crate) fn carried(address: Ipv6Addr) -> Option<(Form, impl Iterator<Item = Ipv4Addr>)> {
    let bits = address.to_bits();
    let holds = |row: &&Row| (bits ^ row.network) >> (128 - row.prefix) == 0;
    let row = ROWS.iter().find(holds).filter(|_| bits > 1)?;
    Some((row.form, row.places.iter().map(move |place| Ipv4Addr::from_bits(place(bits)))))
}
