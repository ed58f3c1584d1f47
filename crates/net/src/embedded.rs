//! Addresses inside of an address: what a page that shows other pages is asked to show.

use percent_encoding::percent_decode_str;
use url::Url;

use crate::host::Host;

/// How often percent signs are read.
const ROUNDS: usize = 3;

/// Where an address in an address leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Inner {
    Host(Host),
    /// It begins like an address, and nobody can say where it leads.
    Unreadable(String),
}

/// Where the addresses in path and query of an address lead. A target without its scheme is not
/// known for one.
pub(crate) fn targets(url: &Url) -> Vec<Inner> {
    let behind_host = url.as_str().get(url[..url::Position::BeforePath].len()..);
    let mut text = behind_host.unwrap_or_default().to_owned();
    let mut found = Vec::new();
    for _ in 0..ROUNDS {
        found.extend(
            starts(&text).into_iter().flat_map(|at| read(text.get(at..).unwrap_or_default())),
        );
        let decoded = percent_decode_str(&text).decode_utf8_lossy().into_owned();
        if decoded == text {
            break;
        }
        text = decoded;
    }
    found
}

/// Where `http:` and `https:` begin, in any case.
fn starts(text: &str) -> Vec<usize> {
    let lower = text.to_ascii_lowercase();
    let mut all: Vec<usize> = ["http:", "https:"]
        .iter()
        .flat_map(|scheme| lower.match_indices(scheme).map(|(at, _)| at).collect::<Vec<_>>())
        .collect();
    all.sort_unstable();
    all
}

/// The address may end at the next `&`, or hold it: both are read.
fn read(text: &str) -> Vec<Inner> {
    let cut = text.split('&').next().unwrap_or_default();
    let hosts: Vec<Inner> = [text, cut].into_iter().filter_map(host).map(Inner::Host).collect();
    let behind = cut.split_once(':').map_or("", |(_, rest)| rest);
    let names_something = !behind.trim_start_matches(['/', '\\']).is_empty();
    if hosts.is_empty() && names_something {
        return vec![Inner::Unreadable(cut.chars().take(80).collect())];
    }
    hosts
}

fn host(text: &str) -> Option<Host> {
    Host::of(Url::parse(text).ok()?.host()?).ok()
}
