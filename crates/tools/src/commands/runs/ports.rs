//! Where the processes of a run listen, and which local addresses they told of.

use std::{collections::BTreeSet, fs, path::Path, sync::LazyLock};

use regex::Regex;
use rustix::process::Pid;

use super::tree::open_inodes;

/// The TCP ports on which one of these processes listens, ascending. Read from `/proc`; where
/// there is none, none is found.
pub(crate) fn listening(members: &[Pid]) -> BTreeSet<u16> {
    members
        .iter()
        .flat_map(|pid| {
            let folder = Path::new("/proc").join(pid.as_raw_nonzero().to_string());
            let sockets = open_inodes(&folder, "socket:");
            // The process's own table: it may stand in another network namespace than we do.
            let tables = ["net/tcp", "net/tcp6"].map(|table| folder.join(table));
            tables.into_iter().flat_map(move |table| {
                let table = fs::read_to_string(table).unwrap_or_default();
                table.lines().filter_map(|line| listener(line, &sockets)).collect::<Vec<_>>()
            })
        })
        .collect()
}

/// The port of a line of `/proc/net/tcp`, if it listens by one of these sockets. The fields are
/// described in the kernel's `Documentation/networking/proc_net_tcp.rst`.
fn listener(line: &str, sockets: &BTreeSet<u64>) -> Option<u16> {
    const LISTEN: &str = "0A";
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let inode = fields.get(9)?.parse().ok()?;
    let (_, port) = fields.get(1)?.rsplit_once(':')?;
    (*fields.get(3)? == LISTEN && sockets.contains(&inode))
        .then(|| u16::from_str_radix(port, 16).ok())
        .flatten()
}

/// The local addresses in a text, each once, as they stand there.
pub(crate) fn local_urls(text: &str) -> Vec<String> {
    static URL: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?::\d+)?(?:/[^\s"'<>)\]]*)?"#).ok()
    });
    let mut urls = Vec::new();
    for url in URL.iter().flat_map(|url| url.find_iter(text)) {
        let url = url.as_str().trim_end_matches(['.', ',', ';', ':', '!']).to_owned();
        if !urls.contains(&url) {
            urls.push(url);
        }
    }
    urls
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn only_a_listening_socket_of_ours_counts() {
        let table = "\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 111 1
   1: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 222 1
   2: 0100007F:1F92 0100007F:0050 01 00000000:00000000 00:00000000 00000000  1000        0 111 1";
        let ports: Vec<_> =
            table.lines().filter_map(|line| listener(line, &[111].into())).collect();
        assert_eq!(ports, [8080]);
    }

    #[test]
    fn local_addresses_are_found_as_they_stand() {
        let text = "Local: http://localhost:5173/app. Network: http://192.168.0.2:5173/\n\
             (http://127.0.0.1:8000) https://[::1]:8443/x?y=1, http://0.0.0.0:8000/ http://localhost:5173/app";
        expect![[r#"
            http://localhost:5173/app
            http://127.0.0.1:8000
            https://[::1]:8443/x?y=1
            http://0.0.0.0:8000/"#]]
        .assert_eq(&local_urls(text).join("\n"));
    }
}
