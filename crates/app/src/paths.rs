//! Where our files are: the XDG folders, or all of it below `TAGLINE_HOME`.
//!
//! Source: the freedesktop base-directory specification. A relative path in one of its variables
//! is ignored, as it demands.

use std::path::{Path, PathBuf};

use crate::env::Env;

/// Our folders. None of them needs to exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Paths {
    /// `config.toml`.
    pub(crate) config: PathBuf,
    /// Sessions.
    pub(crate) data: PathBuf,
    /// What is trusted; logs.
    pub(crate) state: PathBuf,
    /// What can be deleted at any time.
    pub(crate) cache: PathBuf,
    /// `config.toml` and `managed.toml` of the machine, strongest first.
    pub(crate) system: Vec<PathBuf>,
}

/// Neither a home nor a folder of our own is known.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "environment: expected HOME or TAGLINE_HOME to name a folder, but neither is set; \
     set TAGLINE_HOME to a folder for tagline's files"
)]
pub(crate) struct NoHome;

impl Paths {
    /// The folders for this environment.
    pub(crate) fn new(env: &Env) -> Result<Self, NoHome> {
        if let Some(home) = env.get("TAGLINE_HOME") {
            return Ok(Self::below(&env.cwd().join(home), env));
        }
        Ok(Self {
            config: xdg(env, "XDG_CONFIG_HOME", ".config")?,
            data: xdg(env, "XDG_DATA_HOME", ".local/share")?,
            state: xdg(env, "XDG_STATE_HOME", ".local/state")?,
            cache: xdg(env, "XDG_CACHE_HOME", ".cache")?,
            system: system(env),
        })
    }

    fn below(home: &Path, env: &Env) -> Self {
        Self {
            config: home.to_owned(),
            data: home.join("data"),
            state: home.join("state"),
            cache: home.join("cache"),
            system: system(env),
        }
    }

    /// The journal of all sessions.
    pub(crate) fn journal(&self) -> PathBuf {
        self.data.join("journal.db")
    }

    /// Folders that no call may touch.
    pub(crate) fn own(&self) -> Vec<PathBuf> {
        vec![self.config.clone(), self.data.clone(), self.state.clone()]
    }
}

fn xdg(env: &Env, name: &str, below_home: &str) -> Result<PathBuf, NoHome> {
    let given = env.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = given.or_else(|| env.get("HOME").map(|home| Path::new(home).join(below_home)));
    base.map(|base| base.join("tagline")).ok_or(NoHome)
}

fn system(env: &Env) -> Vec<PathBuf> {
    let folders = env.get("XDG_CONFIG_DIRS").unwrap_or("/etc/xdg");
    let folders = std::env::split_paths(folders).filter(|path| path.is_absolute());
    folders.map(|folder| folder.join("tagline")).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    #[track_caller]
    fn check(vars: &[(&str, &str)], expected: Expect) {
        let shown = Paths::new(&Env::of(vars)).map_or_else(
            |error| error.to_string(),
            |paths| {
                let Paths { config, data, state, cache, system } = paths;
                let rest = format!("{} {}", state.display(), cache.display());
                format!("{} {} {rest} {system:?}", config.display(), data.display())
            },
        );
        expected.assert_eq(&shown);
    }

    #[test]
    fn the_usual_folders_are_below_the_home() {
        check(
            &[("HOME", "/h")],
            expect![[
                r#"/h/.config/tagline /h/.local/share/tagline /h/.local/state/tagline /h/.cache/tagline ["/etc/xdg/tagline"]"#
            ]],
        );
    }

    #[test]
    fn absolute_variables_win_and_relative_ones_are_ignored() {
        check(
            &[("HOME", "/h"), ("XDG_CONFIG_HOME", "/c"), ("XDG_DATA_HOME", "d")],
            expect![[
                r#"/c/tagline /h/.local/share/tagline /h/.local/state/tagline /h/.cache/tagline ["/etc/xdg/tagline"]"#
            ]],
        );
    }

    #[test]
    fn one_folder_holds_everything() {
        check(
            &[("TAGLINE_HOME", "usb"), ("XDG_CONFIG_DIRS", "/a:/b")],
            expect![[r#"/usb /usb/data /usb/state /usb/cache ["/a/tagline", "/b/tagline"]"#]],
        );
    }

    #[test]
    fn without_a_home_it_says_what_to_set() {
        check(
            &[],
            expect![
                "environment: expected HOME or TAGLINE_HOME to name a folder, but neither is set; set TAGLINE_HOME to a folder for tagline's files"
            ],
        );
    }
}
