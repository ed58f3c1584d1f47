//! A process in a terminal of its own.

use std::{
    fs::{File, OpenOptions},
    io::{Read as _, Write as _},
    os::fd::OwnedFd,
    process::{Child, Command},
    sync::mpsc,
    thread,
    time::Duration,
};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// Longer than anything takes, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(180);

/// A running process, what it shows, and what is typed.
pub(crate) struct Terminal {
    child: Child,
    keys: File,
    pieces: mpsc::Receiver<String>,
    /// What was shown so far.
    pub(crate) shown: String,
    seen: usize,
}

impl Terminal {
    pub(crate) fn open(mut command: Command) -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap();
        let theirs = OpenOptions::new().read(true).write(true).open(name.to_str().unwrap());
        let theirs = OwnedFd::from(theirs.unwrap());
        command.stdin(theirs.try_clone().unwrap()).stdout(theirs.try_clone().unwrap());
        let child = command.stderr(theirs).spawn().unwrap();
        // It holds the other end, and would keep it open.
        drop(command);
        let (keys, mut screen) = (File::from(ours.try_clone().unwrap()), File::from(ours));
        let (sender, pieces) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // A terminal that nobody has open gives an error, which is its end.
            while let Ok(n) = screen.read(&mut bytes) {
                let text = String::from_utf8_lossy(bytes.get(..n).unwrap_or_default()).into_owned();
                if n == 0 || sender.send(text).is_err() {
                    return;
                }
            }
        });
        Self { child, keys, pieces, shown: String::new(), seen: 0 }
    }

    /// Waits until this is shown, behind what was waited for before.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, words: &str) {
        loop {
            let new = self.shown.get(self.seen..).unwrap_or_default();
            if let Some(at) = new.find(words) {
                self.seen += at + words.len();
                return;
            }
            let piece = self.pieces.recv_timeout(PATIENCE);
            assert!(piece.is_ok(), "no `{words}` in:\n{}", self.shown);
            self.shown += &piece.unwrap();
        }
    }

    /// Waits for the question, and types a line.
    #[track_caller]
    pub(crate) fn say(&mut self, line: &str) {
        self.wait_for("\n> ");
        self.keys.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// Presses one key.
    pub(crate) fn press(&mut self, key: char) {
        self.keys.write_all(key.to_string().as_bytes()).unwrap();
    }

    /// All that was shown, and the exit code.
    pub(crate) fn end(mut self) -> (String, i32) {
        while let Ok(piece) = self.pieces.recv_timeout(PATIENCE) {
            self.shown += &piece;
        }
        let code = self.child.wait().unwrap().code().unwrap_or(-1);
        (self.shown.replace("\r\n", "\n"), code)
    }
}
