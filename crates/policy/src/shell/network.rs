//! Commands that need the network, or write what the sandbox keeps from them: there they only fail, so
//! that a person is asked.

use std::net::IpAddr;

use crate::language::lists;

/// Programs that always want the network.
const ALWAYS: &str = "\
    ssh scp sftp ssh-copy-id mosh telnet nc ncat netcat socat ftp lftp nmap ping traceroute dig host \
    nslookup whois gh glab aws gcloud az kubectl helm terraform tofu heroku vercel netlify fly flyctl \
    firebase supabase wrangler brew apt apt-get aptitude dnf yum pacman zypper apk snap flatpak mail \
    sendmail mutt rclone s3cmd twine ngrok cloudflared tailscale";

/// Programs and their words that want it.
const VERBS: &[(&str, &str)] = &[
    (
        "npm pnpm yarn bun",
        "install i ci add update up upgrade publish unpublish login logout adduser whoami token owner \
         access audit outdated view info show search dlx create install-test it cit deprecate dist-tag",
    ),
    ("cargo", "publish login logout owner yank search install update add fetch binstall audit"),
    ("pip pip3 pipx", "install download wheel index search uninstall upgrade inject run"),
    ("uv", "add sync lock pip tool publish python self"),
    ("poetry pdm rye hatch conda mamba", "add install update lock sync publish search create self"),
    ("go", "get install"),
    ("gem", "install update push fetch search signin"),
    ("bundle", "install update add outdated"),
    ("composer", "install update require global create-project self-update"),
    ("mvn", "deploy"),
    ("dotnet", "add restore nuget publish tool workload"),
    ("deno", "install upgrade add publish cache deploy"),
    ("rustup", "update install toolchain component target self default"),
    ("docker-compose", "up pull push build"),
    ("hg svn", "clone pull push checkout update commit switch"),
];

/// Fetch an address that they are given.
const FETCHERS: &str = "curl wget http https xh aria2c";

/// Words of git that change neither its configuration nor its hooks, and ask no other machine.
const GIT: &str = "\
    status log diff show add commit branch switch checkout restore reset stash merge rebase cherry-pick \
    revert tag rm mv blame annotate grep describe rev-parse rev-list ls-files ls-tree cat-file shortlog \
    reflog clean worktree name-rev merge-base archive apply am format-patch notes show-ref \
    for-each-ref symbolic-ref whatchanged range-diff count-objects check-ignore check-attr diff-tree \
    diff-files diff-index version help fsck gc prune cherry show-branch verify-commit hash-object \
    write-tree update-index read-tree commit-tree stripspace interpret-trailers";

/// Why a command asks before it runs in a sandbox without network.
pub(crate) fn reason(words: &[String], name: &str) -> Option<String> {
    let verb =
        words.iter().skip(1).find(|it| !it.starts_with(['-', '+'])).map_or("", String::as_str);
    let is_verb = |(programs, verbs): &(&str, &str)| lists(programs, name) && lists(verbs, verb);
    let is_remote = name == "rsync" && words.iter().skip(1).any(|it| it.contains(':'));
    // Without a word these install what the project needs.
    let is_bare = lists("yarn", name) && verb.is_empty();
    if lists(ALWAYS, name) || is_remote || is_bare {
        return Some(format!("`{name}` wants the network, which the sandbox does not give"));
    }
    if VERBS.iter().any(is_verb) {
        return Some(format!("`{name} {verb}` wants the network, which the sandbox does not give"));
    }
    match name {
        "git" => git(words),
        _ if lists(FETCHERS, name) => fetched(words, name),
        _ => None,
    }
}

/// Whether a command shows what another machine says.
pub(crate) fn fetches(words: &[String], name: &str) -> bool {
    const TELLING: &str =
        "ssh telnet nc ncat netcat socat ftp lynx w3m links elinks gh glab mail mutt";
    lists(TELLING, name) || (lists(FETCHERS, name) && fetched(words, name).is_some())
}

fn git(words: &[String]) -> Option<String> {
    const HARMLESS: &str = "--no-pager -P --no-optional-locks --literal-pathspecs --version --help";
    let mut rest = words.iter().skip(1).skip_while(|it| lists(HARMLESS, it));
    let verb = rest.next().map_or("", String::as_str);
    let rest: Vec<&str> = rest.map(String::as_str).collect();
    let is_read = match verb {
        "" => true,
        "remote" => {
            rest.iter().all(|it| lists("-v --verbose", it)) || rest.first() == Some(&"get-url")
        }
        "config" => rest
            .first()
            .is_some_and(|it| lists("--get --get-all --list -l get list --get-regexp", it)),
        "submodule" => rest.first() == Some(&"status"),
        "branch" | "checkout" | "switch" | "worktree" => {
            !rest.iter().any(|it| lists(TRACKING, it) || it.starts_with("--set-upstream"))
        }
        "rebase" => !rest.iter().any(|it| it.starts_with("-x")),
        _ => lists(GIT, verb),
    };
    let shown = words.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(" ");
    (!is_read).then(|| format!("`{shown}` may want the network, or change what git obeys"))
}

/// Options of git that write its configuration.
const TRACKING: &str = "-u --unset-upstream -t --track --edit-description";

/// Options of fetchers whose value is the next word and no address.
const VALUED: &str = "\
    -o --output -O --output-document -d --data --data-raw --data-binary --data-urlencode --json -H \
    --header -X --request -u --user -A --user-agent -b --cookie -c --cookie-jar -w --write-out -F --form \
    -m --max-time --connect-timeout --retry --retry-delay -e --referer -T --upload-file --post-data \
    --method --body-data --timeout --tries -t --retry-max-time -r --range";

fn fetched(words: &[String], name: &str) -> Option<String> {
    let mut is_value = false;
    let mut has_local = false;
    for word in words.iter().skip(1) {
        let is_skipped = std::mem::take(&mut is_value);
        if is_skipped {
            continue;
        }
        if word.starts_with('-') {
            is_value = lists(VALUED, word);
        } else if is_local(word) {
            has_local = true;
        } else {
            return Some(format!("`{word}` may be on another machine"));
        }
    }
    let is_question = words.iter().any(|it| lists("--version --help -V", it));
    (!has_local && !is_question)
        .then(|| format!("`{name}` wants the network, which the sandbox does not give"))
}

/// Whether an address surely is on this machine.
fn is_local(word: &str) -> bool {
    let rest = ["http://", "https://"].iter().find_map(|it| word.strip_prefix(it)).unwrap_or(word);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').unwrap_or((rest, "")),
        None => host.split_once(':').map_or((host, ""), |(host, port)| (host, port)),
    };
    let is_port = port.trim_start_matches(':').bytes().all(|it| it.is_ascii_digit());
    let is_loopback =
        host.parse::<IpAddr>().is_ok_and(|it| it.is_loopback() || it.is_unspecified());
    is_port && (host.eq_ignore_ascii_case("localhost") || is_loopback)
}
