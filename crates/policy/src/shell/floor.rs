//! What no command may do, in any mode: remove what everything hangs on, overwrite a device, switch
//! the machine off, touch our own data.

use std::path::{Path, PathBuf};

use globset::GlobBuilder;

use super::{expand::UNKNOWN, wrap};
use crate::{
    Situation,
    language::lists,
    place::{self, Loss, Place},
};

/// Where relative paths may start from.
#[derive(Clone, Debug)]
pub(crate) struct Ground<'a> {
    pub(crate) situation: &'a Situation,
    /// Folders in which the command may run; more than one where `cd` leaves it open.
    pub(crate) bases: Vec<PathBuf>,
}

/// Take files away. Options do not matter: what is named here is never removed.
const REMOVERS: &str = "rm rmdir unlink rimraf srm trash trash-put trash-cli wipe";

/// Write to devices or make file systems, with one of their operands.
const FORMATTERS: &str = "\
    tee truncate shred wipefs blkdiscard fdisk sfdisk cfdisk gdisk sgdisk parted hdparm badblocks \
    cryptsetup pvcreate vgcreate zpool mdadm nvme mkswap mke2fs mkdosfs mkntfs diskutil sponge";

/// Switch the machine off, or put it to sleep.
const POWER: &str = "shutdown reboot poweroff halt pm-suspend pm-hibernate rtcwake";

/// What a command must not do, in words that follow `this`; `None` where it is harmless in this
/// respect.
pub(crate) fn crime(words: &[String], ground: &Ground<'_>) -> Option<String> {
    deed(words, ground).or_else(|| words.iter().find_map(|word| own(word, ground)))
}

/// As [`crime`], without a look at our own data.
pub(crate) fn deed(words: &[String], ground: &Ground<'_>) -> Option<String> {
    let name = wrap::name(words);
    let rest = words.get(1..).unwrap_or_default();
    if is_power(&name, rest) {
        return Some("switches the machine off".to_owned());
    }
    let loss = lost(&name, rest, ground).map(|loss| format!("removes {loss}"));
    loss.or_else(|| device(&name, rest).map(str::to_owned))
}

/// What writing to this file by redirection would do.
pub(crate) fn written(target: &str, ground: &Ground<'_>) -> Option<String> {
    if is_switch(target) {
        return Some("switches the machine off".to_owned());
    }
    is_device(target).then(|| OVERWRITES.to_owned()).or_else(|| own(target, ground))
}

/// Whether writing to this file switches the machine off, or puts it to sleep.
fn is_switch(path: &str) -> bool {
    path == "/proc/sysrq-trigger" || path.starts_with("/sys/power/")
}

const OVERWRITES: &str = "overwrites a device";

fn is_power(name: &str, rest: &[String]) -> bool {
    const VERBS: &str = "poweroff reboot halt kexec suspend hibernate hybrid-sleep \
        suspend-then-hibernate soft-reboot emergency rescue";
    let verb = rest.iter().find(|it| !it.starts_with('-')).map_or("", String::as_str);
    let is_target = |it: &String| {
        it.strip_suffix(".target").is_some_and(|it| lists(VERBS, it) || it.starts_with("runlevel"))
    };
    match name {
        _ if lists(POWER, name) => !rest.iter().any(|it| it == "--help" || it == "--version"),
        "init" | "telinit" => matches!(verb, "0" | "6"),
        "systemctl" | "loginctl" => {
            lists(VERBS, verb) || (lists("start isolate", verb) && rest.iter().any(is_target))
        }
        "kexec" => rest.iter().any(|it| it == "-e" || it == "--exec"),
        "dbus-send" | "busctl" | "gdbus" => {
            rest.iter().any(|it| it.ends_with("PowerOff") || it.ends_with("Reboot"))
        }
        "tee" => rest.iter().any(|it| is_switch(it)),
        "kill" => {
            let is_all = |(n, it): (usize, &String)| it == "1" || (n > 0 && it == "-1");
            rest.iter().enumerate().any(is_all)
        }
        _ => false,
    }
}

fn lost(name: &str, rest: &[String], ground: &Ground<'_>) -> Option<Loss> {
    let operands: Vec<&String> = operands(rest);
    let but_last = operands.split_last().map_or(&[][..], |(_, sources)| sources);
    let targets: Vec<&String> = match name {
        _ if lists(REMOVERS, name) => operands,
        "mv" if rest.iter().any(|it| it.starts_with("-t") || it.starts_with("--target")) => {
            operands
        }
        "mv" => but_last.to_vec(),
        "rsync" if rest.iter().any(|it| it.starts_with("--del")) => {
            operands.last().copied().into_iter().collect()
        }
        "find" => return found(rest, ground),
        _ if name.contains(UNKNOWN) && rest.iter().any(|it| is_forced(it)) => operands,
        _ => return None,
    };
    targets.into_iter().find_map(|target| doomed(target, ground))
}

/// Words that are no options.
fn operands(rest: &[String]) -> Vec<&String> {
    let mut is_literal = false;
    let mut out = Vec::new();
    for word in rest {
        match word.as_str() {
            "--" if !is_literal => is_literal = true,
            it if !is_literal && it.starts_with('-') => {}
            _ => out.push(word),
        }
    }
    out
}

/// Whether a word looks like the options of a removal.
fn is_forced(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|it| it.contains(['r', 'R']) && it.len() <= 4)
}

/// What a search removes, if it removes all that it finds.
fn found(rest: &[String], ground: &Ground<'_>) -> Option<Loss> {
    const NARROW: &str = "-name -iname -path -ipath -wholename -regex -iregex -newer -mtime -mmin \
        -ctime -atime -size -empty -user -group -perm -inum -samefile -links";
    let runs_remover = wrap::inner(&[&["find".to_owned()], rest].concat()).iter().any(
        |inner| matches!(inner, wrap::Inner::Command(words) if is_remover(&wrap::name(words))),
    );
    let is_removal = rest.iter().any(|it| it == "-delete") || runs_remover;
    let mut pairs = rest.windows(2).filter_map(|it| Some((it.first()?, it.last()?)));
    let is_narrow = pairs.any(|(test, value)| lists(NARROW, test) && value != "*");
    if !is_removal || is_narrow {
        return None;
    }
    let is_start = |it: &&String| !it.starts_with(['-', '(', '!']);
    let starts = rest.iter().skip_while(|it| lists("-H -L -P", it)).take_while(is_start);
    // A search never removes the `.` it starts from, only what is inside.
    starts.filter(|it| !matches!(it.as_str(), "." | "./")).find_map(|it| doomed(it, ground))
}

fn is_remover(name: &str) -> bool {
    lists(REMOVERS, name) || lists("shred mv", name) || wrap::is_shell(name)
}

/// What is lost if a word is removed.
fn doomed(word: &str, ground: &Ground<'_>) -> Option<Loss> {
    if word.contains(UNKNOWN) {
        // A variable may well be empty, and then `$X/` is the root folder.
        let empty = word.replace(UNKNOWN, "");
        let loss = if empty.is_empty() { None } else { doomed(&empty, ground) };
        return loss.filter(|loss| *loss != Loss::Workspace);
    }
    let (folder, is_content) = without_stars(word);
    let folder = if folder.is_empty() && word.starts_with('/') { "/" } else { folder };
    let mut paths = ground.bases.iter().map(|base| place::normalize(&base.join(folder)));
    paths.find_map(|path| {
        let loss = place::doom(&path, ground.situation);
        match loss.or_else(|| matched(&path, ground.situation)) {
            // What is inside the workspace may go; the workspace may not.
            Some(Loss::Workspace) if is_content => {
                let holds_own = ground.situation.own.iter().any(|own| own.starts_with(&path));
                holds_own.then_some(Loss::Own)
            }
            loss => loss,
        }
    })
}

/// The word without last parts that match everything, and whether there were any.
fn without_stars(word: &str) -> (&str, bool) {
    const STARS: &str = "* ** .* .[!.]* .[^.]* ?* *.* [!.]* .??* ..?*";
    let mut rest = word.trim_end_matches('/');
    let mut is_content = false;
    loop {
        let (head, last) = rest.rsplit_once('/').unwrap_or(("", rest));
        if !lists(STARS, last) {
            return (rest, is_content);
        }
        is_content = true;
        rest = head.trim_end_matches('/');
    }
}

/// What is lost if a pattern such as `/hom?` is removed.
fn matched(path: &Path, situation: &Situation) -> Option<Loss> {
    let text = path.to_str().filter(|it| it.contains(['*', '?', '[']))?;
    let glob = GlobBuilder::new(text).literal_separator(true).build().ok()?.compile_matcher();
    let precious = situation.home.iter().chain(&situation.roots).chain(&situation.own);
    let mut candidates = precious.flat_map(|it| it.ancestors()).map(Path::to_path_buf);
    let mut system = ["/bin", "/boot", "/dev", "/etc", "/lib", "/usr", "/var"].map(PathBuf::from);
    let found = candidates.find(|it| glob.is_match(it));
    let found = found.or_else(|| system.iter_mut().find(|it| glob.is_match(&**it)).cloned());
    found.and_then(|it| place::doom(&it, situation))
}

/// Whether a pattern such as `/home/u/.local/share/tag*/token` reaches our own data.
fn meets_own(path: &Path, situation: &Situation) -> bool {
    situation.own.iter().any(|own| {
        let head: PathBuf = path.components().take(own.components().count()).collect();
        // A head without a pattern is judged by its place: a workspace may lie below our own data.
        let pattern = head.to_str().filter(|it| it.contains(['*', '?', '[']));
        let glob = pattern.map(|it| GlobBuilder::new(it).literal_separator(true).build());
        matches!(glob, Some(Ok(glob)) if glob.compile_matcher().is_match(own))
    })
}

fn device(name: &str, rest: &[String]) -> Option<&'static str> {
    const HARMLESS: &str = "-l --list print list info smart-log --help --version -V";
    let operands = operands(rest);
    let is_mkfs = name.starts_with("mkfs") || name.starts_with("newfs") || name == "mke2fs";
    let mut targets: Vec<&str> = match name {
        "dd" => rest.iter().filter_map(|it| it.strip_prefix("of=")).collect(),
        "cp" | "mv" | "install" | "rsync" => {
            operands.last().map(|it| it.as_str()).into_iter().collect()
        }
        _ if is_mkfs || lists(FORMATTERS, name) => {
            let is_harmless = rest.iter().any(|it| lists(HARMLESS, it));
            if is_harmless { Vec::new() } else { operands.iter().map(|it| it.as_str()).collect() }
        }
        _ => Vec::new(),
    };
    let is_unknown = is_mkfs && targets.iter().any(|it| it.contains(UNKNOWN));
    targets.retain(|it| is_device(it));
    if is_mkfs && (is_unknown || !targets.is_empty()) {
        return Some("formats a device");
    }
    (!targets.is_empty()).then_some(OVERWRITES)
}

/// Whether a path is a device that holds something. Devices that swallow or speak do not.
pub(crate) fn is_device(path: &str) -> bool {
    const HARMLESS: &str = "null zero full tty stdin stdout stderr random urandom ptmx console";
    let path = place::normalize(Path::new(path));
    let Ok(rest) = path.strip_prefix("/dev") else { return false };
    let text = rest.to_string_lossy();
    let folder = text.split('/').next().unwrap_or_default();
    !(text.is_empty() || lists(HARMLESS, &text) || lists("fd shm pts tcp udp mqueue", folder))
}

/// Whether a word leads into our own data, also behind `=`.
pub(crate) fn own(word: &str, ground: &Ground<'_>) -> Option<String> {
    let parts = [Some(word), word.split_once('=').map(|(_, it)| it)];
    let is_own = |part: &str| {
        ground.bases.iter().any(|base| {
            let path = place::normalize(&base.join(part));
            place::place(&path, ground.situation) == Place::Own
                || meets_own(&path, ground.situation)
        })
    };
    let is_any = parts.into_iter().flatten().filter(|it| !it.is_empty()).any(is_own);
    is_any.then(|| "touches the data of tagline itself".to_owned())
}
