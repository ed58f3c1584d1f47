//! What listens in a network, by the tables below `/proc`. Reading them takes milliseconds.

use std::{
    fs,
    net::{IpAddr, SocketAddr},
};

/// Where something listens in the network that this process is in.
pub(super) fn listening(pid: u32) -> Vec<SocketAddr> {
    let tables = ["tcp6", "tcp"].map(|name| format!("/proc/{pid}/net/{name}"));
    let texts = tables.map(|path| fs::read_to_string(path).unwrap_or_default());
    texts.iter().flat_map(|text| text.lines().filter_map(listener)).collect()
}

/// The address of the listener of a line of `/proc/net/tcp`. The fields are described in the
/// kernel's `Documentation/networking/proc_net_tcp.rst`; an address is made of words in the order of
/// this machine.
fn listener(line: &str) -> Option<SocketAddr> {
    const LISTEN: &str = "0A";
    let mut fields = line.split_ascii_whitespace().skip(1);
    let (address, port) = fields.next()?.split_once(':')?;
    let state = fields.nth(1)?;
    let port = u16::from_str_radix(port, 16).ok()?;
    let words: Vec<u32> = (0..address.len() / 8)
        .map(|n| u32::from_str_radix(address.get(8 * n..8 * n + 8)?, 16).ok())
        .collect::<Option<_>>()?;
    let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_ne_bytes).collect();
    let address = match <[u8; 4]>::try_from(bytes.as_slice()) {
        Ok(bytes) => IpAddr::from(bytes),
        Err(_) => IpAddr::from(<[u8; 16]>::try_from(bytes).ok()?).to_canonical(),
    };
    (state == LISTEN).then(|| SocketAddr::new(address, port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(fields: &str, expected: Option<&str>) {
        let line = format!("   0: {fields} 00000000:00000000 00:00000000 00000000  0 0 111 1");
        assert_eq!(listener(&line).map(|it| it.to_string()).as_deref(), expected);
    }

    #[test]
    #[cfg(target_endian = "little")]
    fn listeners_are_read_from_their_lines() {
        check("0100007F:1F90 00000000:0000 0A", Some("127.0.0.1:8080"));
        check("00000000:1F90 00000000:0000 0A", Some("0.0.0.0:8080"));
        check("0100007F:1F90 0100007F:0050 01", None);
        let (any, one) = ("0".repeat(32), format!("{}01000000", "0".repeat(24)));
        check(&format!("{any}:0050 {any}:0000 0A"), Some("[::]:80"));
        check(&format!("{one}:0050 {any}:0000 0A"), Some("[::1]:80"));
        check("0000000000000000FFFF00000100007F:0050 0:0000 0A", Some("127.0.0.1:80"));
        check("nonsense", None);
    }
}
