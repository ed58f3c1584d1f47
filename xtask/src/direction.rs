//! Holds the direction of dependencies: which crate may see which.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::{Chore, run};

/// A crate, the crates of ours it may name, and what must not be anywhere below it.
struct Row {
    name: &'static str,
    ours: &'static [&'static str],
    never: &'static [&'static str],
}

const NO_WORLD: &[&str] = &["tokio", "axum", "reqwest", "rusqlite", "rustix", "cap-std"];

const TABLE: &[Row] = &[
    Row { name: "secret", ours: &[], never: NO_WORLD },
    Row { name: "parser", ours: &[], never: &["serde", "tokio", "rustix", "regex"] },
    Row { name: "protocol", ours: &["parser"], never: NO_WORLD },
    Row { name: "testkit", ours: &["parser"], never: NO_WORLD },
    Row { name: "fake-provider", ours: &[], never: &["axum", "reqwest", "rusqlite"] },
    Row { name: "test-postgres", ours: &[], never: &["tokio"] },
    Row { name: "agent", ours: &["parser", "protocol"], never: NO_WORLD },
    Row { name: "policy", ours: &["protocol"], never: NO_WORLD },
    Row {
        name: "executor",
        ours: &["parser", "protocol", "policy"],
        never: &["axum", "reqwest", "rusqlite", "tagline-tools"],
    },
    Row { name: "workspace", ours: &[], never: &["axum", "reqwest", "tagline-model"] },
    Row { name: "sandbox", ours: &[], never: &["axum", "reqwest", "rusqlite", "tokio"] },
    Row {
        name: "snapshot",
        ours: &["workspace"],
        never: &["tokio", "axum", "reqwest", "rusqlite", "tagline-protocol"],
    },
    Row {
        name: "tools",
        ours: &[
            "secret",
            "parser",
            "protocol",
            "policy",
            "executor",
            "workspace",
            "sandbox",
            "net",
        ],
        never: &["axum", "tagline-model", "tagline-session", "tagline-agent", "tagline-store"],
    },
    Row {
        name: "model",
        ours: &["secret", "protocol"],
        never: &["axum", "rusqlite", "tagline-tools"],
    },
    // What a model steers goes out by it alone, so it has no second client beside it.
    Row { name: "net", ours: &[], never: &["axum", "reqwest", "rusqlite", "rustix", "cap-std"] },
    Row {
        name: "store",
        ours: &["secret", "protocol"],
        never: &["axum", "reqwest", "tagline-agent"],
    },
    Row {
        name: "session",
        ours: &["secret", "parser", "protocol", "agent", "policy", "executor", "model", "store"],
        never: &["axum", "tagline-tools"],
    },
    Row {
        name: "server",
        ours: &["secret", "protocol", "session", "store"],
        never: &["tagline-tools", "tagline-workspace"],
    },
];

/// Clients of HTTP from elsewhere: each is a way out beside the guard of `tagline-net`.
const CLIENTS: &[&str] = &[
    "attohttpc",
    "awc",
    "curl",
    "hyper-rustls",
    "hyper-tls",
    "isahc",
    "minreq",
    "oauth2",
    "octocrab",
    "reqwest",
    "reqwest-middleware",
    "surf",
    "ureq",
    "wreq",
];

/// Who has one nevertheless. What a model steers reaches neither: the first asks the provider that
/// the user named, the second the user's own server.
const HAS_CLIENT: &[(&str, &str)] = &[("tagline-model", "reqwest"), ("tagline-app", "reqwest")];

/// Checks every row of the table against `cargo metadata`.
pub(crate) fn run() -> Chore {
    let host = host()?;
    let args = ["metadata", "--format-version", "1", "--locked", "--filter-platform", &host];
    let text = run::capture("cargo", &args)?;
    let metadata: Value =
        serde_json::from_str(&text).map_err(|e| format!("cargo metadata: {e}"))?;
    let graph = Graph::read(&metadata);
    let rows = TABLE.iter().flat_map(|row| graph.broken(row));
    let broken: Vec<String> = rows.chain(graph.second_clients()).collect();
    if broken.is_empty() {
        println!("direction: {} crates keep to the table", TABLE.len());
        return Ok(());
    }
    Err(format!(
        "{}\nmove the code to a crate that may see it, or change the table with its reason",
        broken.join("\n")
    ))
}

/// The target this machine builds for.
fn host() -> Result<String, String> {
    let version = run::capture("rustc", &["-vV"])?;
    let line = version.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned).ok_or_else(|| "`rustc -vV` names no host".to_owned())
}

/// Normal dependencies, by package name.
struct Graph {
    edges: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    fn read(metadata: &Value) -> Self {
        let names: BTreeMap<&str, &str> = list(metadata, "packages")
            .filter_map(|p| Some((p.get("id")?.as_str()?, p.get("name")?.as_str()?)))
            .collect();
        let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let nodes = metadata.get("resolve").into_iter().flat_map(|resolve| list(resolve, "nodes"));
        for node in nodes {
            let Some(from) = name_of(&names, node.get("id")) else { continue };
            let below = list(node, "deps").filter(|dep| is_normal(dep));
            let below = below.filter_map(|dep| name_of(&names, dep.get("pkg")));
            edges.entry(from).or_default().extend(below);
        }
        Self { edges }
    }

    fn broken(&self, row: &Row) -> Vec<String> {
        let package = format!("tagline-{}", row.name);
        let direct = self.edges.get(&package).into_iter().flatten();
        let allowed: BTreeSet<String> =
            row.ours.iter().map(|name| format!("tagline-{name}")).collect();
        let ours = direct
            .filter(|name| name.starts_with("tagline") && !allowed.contains(*name))
            .map(|name| format!("{package} must not depend on {name}"));
        let below = self.below(&package);
        let never = row.never.iter().filter(|name| below.contains(**name));
        ours.chain(never.map(|name| format!("{package} must never see {name}"))).collect()
    }

    /// Crates of ours with a client of HTTP that is not the guarded one.
    fn second_clients(&self) -> Vec<String> {
        let is_ours = |name: &str| name.starts_with("tagline-") || name == "xtask";
        let ours = self.edges.iter().filter(|(name, _)| is_ours(name));
        let pairs =
            ours.flat_map(|(name, below)| below.iter().map(move |it| (name.as_str(), it.as_str())));
        let second = pairs.filter(|pair| CLIENTS.contains(&pair.1) && !HAS_CLIENT.contains(pair));
        second
            .map(|(name, client)| {
                format!("{name} must not depend on {client}: fetch by tagline-net")
            })
            .collect()
    }

    fn below(&self, package: &str) -> BTreeSet<&str> {
        let mut seen = BTreeSet::new();
        let mut todo = vec![package];
        while let Some(name) = todo.pop() {
            for dep in self.edges.get(name).into_iter().flatten() {
                if seen.insert(dep.as_str()) {
                    todo.push(dep);
                }
            }
        }
        seen
    }
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn name_of(names: &BTreeMap<&str, &str>, id: Option<&Value>) -> Option<String> {
    names.get(id?.as_str()?).map(|name| (*name).to_owned())
}

fn is_normal(dep: &Value) -> bool {
    list(dep, "dep_kinds").any(|kind| kind.get("kind").is_some_and(Value::is_null))
}
