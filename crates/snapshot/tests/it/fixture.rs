//! A workspace in a temporary folder, a store beside it, and a session that changes things.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    sync::Arc,
};

use tagline_snapshot::{
    Carried, Keeper, Limits, Plan, Reach, Record, State, Step, Store, What, Which, select,
};
use tempfile::TempDir;

/// `ws` is the workspace, `out` its neighbor, `store` the store.
pub(crate) struct Fixture {
    pub(crate) top: TempDir,
    pub(crate) store: Arc<Store>,
    pub(crate) keeper: Keeper,
    n_calls: u32,
}

/// Everything of a tree that an undo brings back.
pub(crate) type Picture = BTreeMap<PathBuf, (u32, String)>;

impl Fixture {
    pub(crate) fn new() -> Self {
        Self::with(Limits::default())
    }

    pub(crate) fn with(limits: Limits) -> Self {
        let top = TempDir::new().unwrap();
        for name in ["ws", "out"] {
            fs::create_dir(top.path().join(name)).unwrap();
        }
        let store = Arc::new(Store::new(top.path().join("store"), limits));
        let keeper = Self::keeper(&top, &store);
        Self { top, store, keeper, n_calls: 0 }
    }

    fn keeper(top: &TempDir, store: &Arc<Store>) -> Keeper {
        let root = top.path().canonicalize().unwrap();
        let own = [root.join("ws/own")];
        Keeper::new(Arc::clone(store), "s1", vec![root.join("ws")], &own)
    }

    /// As another process that goes on with the session.
    pub(crate) fn reopen(&mut self) {
        self.keeper = Self::keeper(&self.top, &self.store);
    }

    pub(crate) fn ws(&self, rest: &str) -> PathBuf {
        let ws = self.top.path().canonicalize().unwrap().join("ws");
        if rest.is_empty() { ws } else { ws.join(rest) }
    }

    pub(crate) fn out(&self, rest: &str) -> PathBuf {
        self.top.path().canonicalize().unwrap().join("out").join(rest)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.ws(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.ws(name)).unwrap()
    }

    pub(crate) fn link(&self, to: &str, name: &str) {
        symlink(to, self.ws(name)).unwrap();
    }

    pub(crate) fn chmod(&self, name: &str, mode: u32) {
        fs::set_permissions(self.ws(name), fs::Permissions::from_mode(mode)).unwrap();
    }

    /// A call of a turn that may change anything.
    pub(crate) fn command(&mut self, turn: u32, work: impl FnOnce(&Self)) -> Option<Record> {
        self.call(turn, &Reach::Whole, work)
    }

    /// A call of a turn that may change these.
    pub(crate) fn tool(
        &mut self,
        turn: u32,
        names: &[&str],
        work: impl FnOnce(&Self),
    ) -> Option<Record> {
        let paths = names.iter().map(|name| self.ws(name)).collect();
        self.call(turn, &Reach::Paths(paths), work)
    }

    pub(crate) fn call(
        &mut self,
        turn: u32,
        reach: &Reach,
        work: impl FnOnce(&Self),
    ) -> Option<Record> {
        let begun = self.keeper.begin(self.next(turn), reach, &|| false).unwrap();
        self.n_calls += 1;
        work(self);
        self.keeper.end(begun).unwrap().record
    }

    /// The next call.
    pub(crate) fn next(&self, turn: u32) -> What {
        What::Call {
            id: format!("t{turn}.{}", self.n_calls + 1),
            tool: "execute_command".to_owned(),
            target: "…".to_owned(),
        }
    }

    pub(crate) fn records(&self) -> Vec<Record> {
        self.store.records("s1")
    }

    pub(crate) fn plan(&self, which: &Which) -> Plan {
        let records = self.records();
        let chosen = select(&self.store, &records, which).unwrap();
        Plan::make(&self.store, &records, &chosen)
    }

    #[track_caller]
    pub(crate) fn undo(&self, which: &Which, force: bool) -> Carried {
        self.keeper.settle().unwrap();
        let carried = self.plan(which).carry_out(&self.keeper, force).unwrap();
        assert_eq!(carried.failures, []);
        carried
    }

    /// Undoes, and gives the id by which that is undone.
    #[track_caller]
    pub(crate) fn undone(&self, which: &Which) -> Which {
        Which::Call(self.undo(which, false).record.unwrap().what.id().to_owned())
    }

    /// The steps of a plan, a line each.
    pub(crate) fn steps(&self, which: &Which) -> String {
        let steps = self.plan(which).steps;
        steps.iter().map(|step| format!("{}\n", self.step(step))).collect()
    }

    fn step(&self, step: &Step) -> String {
        let path = step.path();
        let path = path.strip_prefix(self.ws("")).unwrap_or(&path);
        let state = match &step.state {
            State::Ready => "ready".to_owned(),
            State::There => "there".to_owned(),
            State::Changed(by) => format!("changed by {by:?}"),
            State::Lost => "lost".to_owned(),
            State::Holds(n) => format!("holds {n}"),
        };
        format!("{}: {state}", path.display())
    }

    pub(crate) fn picture(&self) -> Picture {
        picture(&self.ws(""))
    }

    /// What the newest record, or the last call, left out.
    pub(crate) fn left_out(&self) -> Vec<String> {
        let records = self.records();
        let left_out = &records.last().unwrap().left_out;
        let line = |path: &Path, why: &dyn std::fmt::Display| {
            format!("{}: {why}", path.strip_prefix(self.ws("")).unwrap().display())
        };
        left_out.iter().map(|it| line(&it.path, &it.why)).collect()
    }

    /// Bytes of all contents in the store.
    pub(crate) fn n_kept(&self) -> u64 {
        let folders = fs::read_dir(self.top.path().join("store/objects")).into_iter().flatten();
        let files = folders.flat_map(|it| fs::read_dir(it.unwrap().path()).unwrap());
        files.map(|it| it.unwrap().metadata().unwrap().len()).sum()
    }
}

/// Names, kinds, permissions, contents and what links lead to.
pub(crate) fn picture(root: &Path) -> Picture {
    let mut picture = Picture::new();
    if let Ok(meta) = fs::symlink_metadata(root) {
        picture.insert(PathBuf::new(), (meta.mode() & 0o7777, "folder".to_owned()));
        draw(root, Path::new(""), &mut picture);
    }
    picture
}

fn draw(root: &Path, below: &Path, picture: &mut Picture) {
    for entry in fs::read_dir(root.join(below)).unwrap() {
        let name: OsString = entry.unwrap().file_name();
        let name = below.join(name);
        let path = root.join(&name);
        let meta = fs::symlink_metadata(&path).unwrap();
        let (kind, mode) = (meta.file_type(), meta.mode() & 0o7777);
        if kind.is_dir() {
            picture.insert(name.clone(), (mode, "folder".to_owned()));
            draw(root, &name, picture);
        } else if kind.is_symlink() {
            let to = fs::read_link(&path).unwrap();
            picture.insert(name, (0, format!("link to {}", to.display())));
        } else if kind.is_file() {
            let bytes = fs::read(&path).unwrap();
            picture.insert(
                name,
                (mode, format!("file {}", tagline_workspace::ContentHash::of(&bytes))),
            );
        } else {
            picture.insert(name, (mode, "special".to_owned()));
        }
    }
}
