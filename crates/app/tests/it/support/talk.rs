//! A process that is watched while it runs.

use std::{
    io::{BufRead as _, BufReader, Read, Write as _},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};

/// A running process, and what it writes.
pub(crate) struct Talk {
    child: Child,
    typed: Option<ChildStdin>,
    pub(crate) out: Heard,
    pub(crate) err: Heard,
}

/// The lines of one stream, and those that were looked at so far.
pub(crate) struct Heard {
    lines: mpsc::Receiver<String>,
    pub(crate) text: String,
}

/// Longer than anything takes, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(180);

impl Talk {
    /// Nothing can be typed.
    pub(crate) fn begin(command: Command) -> Self {
        Self::start(command, Stdio::null())
    }

    /// Lines can be typed.
    pub(crate) fn typing(command: Command) -> Self {
        Self::start(command, Stdio::piped())
    }

    fn start(mut command: Command, typed: Stdio) -> Self {
        command.stdin(typed).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        Self { typed: child.stdin.take(), child, out: Heard::of(out), err: Heard::of(err) }
    }

    /// Types a line.
    pub(crate) fn say(&mut self, line: &str) {
        writeln!(self.typed.as_mut().unwrap(), "{line}").unwrap();
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Nothing more is typed; its exit code, and all that it wrote.
    pub(crate) fn end(mut self) -> (i32, String, String) {
        drop(self.typed.take());
        let (out, err) = (self.out.rest(), self.err.rest());
        (self.child.wait().unwrap().code().unwrap_or(-1), out, err)
    }
}

impl Heard {
    fn of(stream: impl Read + Send + 'static) -> Self {
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                // The test may have seen enough.
                let _ = sender.send(line);
            }
        });
        Self { lines, text: String::new() }
    }

    /// Waits for a line that holds this.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, words: &str) {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            assert!(line.is_ok(), "no `{words}` in:\n{}", self.text);
            let line = line.unwrap();
            self.text += &format!("{line}\n");
            if line.contains(words) {
                return;
            }
        }
    }

    /// Everything to its end.
    fn rest(&mut self) -> String {
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            self.text += &format!("{line}\n");
        }
        std::mem::take(&mut self.text)
    }
}
