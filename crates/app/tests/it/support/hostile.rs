//! A provider on this machine whose model does what an attacker wants, the real binary, and what
//! each of them was told.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;
use tagline_parser::{Event, Finish, Limits, TagSet, parse};

use super::Bench;
use crate::provider::{Provider, Wire};

/// A workspace `work`, a folder `out` beside it in which nothing may appear, and a model that
/// writes what it is told to.
pub(crate) struct Hostile {
    pub(crate) bench: Bench,
}

/// What came of a run.
pub(crate) struct Told {
    /// Every event.
    pub(crate) frames: Vec<Value>,
    /// The messages of each request, in order.
    pub(crate) requests: Vec<Vec<Message>>,
    /// What it wrote for people.
    pub(crate) err: String,
}

/// A message of a request.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) role: String,
    pub(crate) text: String,
}

impl Hostile {
    /// No sandbox stands between a call and the folder outside.
    pub(crate) fn new() -> Self {
        let bench = Bench::new().var("TAGLINE_SANDBOX", "off");
        fs::create_dir(bench.path("out")).unwrap();
        Self { bench }
    }

    /// Text in which `$OUT` is the folder outside.
    pub(crate) fn real(&self, text: &str) -> String {
        text.replace("$OUT", &self.bench.path("out").display().to_string())
    }

    pub(crate) fn work(&self, name: &str) -> PathBuf {
        self.bench.path("work").join(name)
    }

    /// Writes a file of the workspace; `$OUT` in it is the folder outside.
    pub(crate) fn put(&self, name: &str, text: &str) {
        let path = self.work(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, self.real(text)).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.work(name)).unwrap()
    }

    /// Gives the model this task; it writes these replies, then `Done.` Nothing appears outside.
    pub(crate) fn play(&self, flags: &str, task: &str, replies: &[&str]) -> Told {
        let replies: Vec<String> = replies.iter().map(|reply| self.real(reply)).collect();
        let replies: Vec<&str> = replies.iter().map(String::as_str).chain(["Done."]).collect();
        let provider = Provider::start(Wire::OpenAi, &replies);
        let address = format!("http://127.0.0.1:{}", provider.port());
        let mut command = self.bench.command("run --model openai/m --jsonl");
        // `·` stands for a blank in a flag.
        command.args(flags.split_whitespace().map(|flag| flag.replace('·', " ")));
        command.env("OPENAI_BASE_URL", address).env("OPENAI_API_KEY", "canary-0123456789");
        let output = command.arg(self.real(task)).output().unwrap();
        self.holds_nothing();
        let out = String::from_utf8(output.stdout).unwrap();
        Told {
            frames: out.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
            requests: provider.asked().iter().map(|asked| messages(&asked.json())).collect(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Every file below a folder of the bench.
    pub(crate) fn files(&self, folder: &str) -> Vec<PathBuf> {
        files(&self.bench.path(folder))
    }

    /// Nothing is in the folder outside.
    pub(crate) fn holds_nothing(&self) {
        let found: Vec<_> = fs::read_dir(self.bench.path("out")).unwrap().collect();
        assert!(found.is_empty(), "{found:?}");
    }

    /// The logs of commands, by name.
    pub(crate) fn logs(&self) -> Vec<(String, Vec<u8>)> {
        let logs = self.files("home").into_iter();
        let logs = logs.filter(|file| file.extension().is_some_and(|it| it == "log"));
        logs.map(|file| (file.display().to_string(), fs::read(&file).unwrap())).collect()
    }
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The messages of a request, texts of parts joined.
fn messages(body: &Value) -> Vec<Message> {
    let text = |content: &Value| match content.as_array() {
        Some(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        None => content.as_str().unwrap_or_default().to_owned(),
    };
    let message = |it: &Value| Message {
        role: it["role"].as_str().unwrap().to_owned(),
        text: text(&it["content"]),
    };
    body["messages"].as_array().unwrap().iter().map(message).collect()
}

impl Told {
    /// Events of this type.
    pub(crate) fn of(&self, kind: &str) -> Vec<&Value> {
        self.frames.iter().filter(|frame| frame["type"] == kind).collect()
    }

    /// The tools that were decided about, and how each call went.
    pub(crate) fn calls(&self) -> Vec<(String, String)> {
        let text = |record: &Value, name: &str| record[name].as_str().unwrap().to_owned();
        let audits = self.of("audit");
        let records = audits.iter().map(|audit| &audit["record"]);
        records.map(|record| (text(record, "tool"), text(record, "outcome"))).collect()
    }

    /// The calls are these, as `tool outcome`.
    #[track_caller]
    pub(crate) fn ran(&self, expected: &[&str]) {
        let calls: Vec<_> = self.calls().iter().map(|(a, b)| format!("{a} {b}")).collect();
        assert_eq!(calls, expected, "{}", self.err);
    }

    /// The messages of results in the last request. In each, every `<` is of our own tags, and
    /// neither our parser nor a lenient reader finds a call.
    pub(crate) fn results(&self) -> Vec<String> {
        let last = self.requests.last().unwrap();
        let users = last.iter().filter(|it| it.role == "user").skip(1);
        let results: Vec<String> = users.map(|it| it.text.clone()).collect();
        results.iter().for_each(|text| holds_ours_alone(text));
        results
    }
}

/// A message of results holds the tags that we wrote, and nothing else that begins markup.
#[track_caller]
pub(crate) fn holds_ours_alone(text: &str) {
    let n_results = text.matches("<tool_result tool_name=\"").count();
    let n_wrappers = usize::from(text.starts_with("<tool_results>\n"));
    assert!(0 < n_results, "{text}");
    assert_eq!(text.matches('<').count(), 2 * (n_results + n_wrappers), "{text}");
    assert_eq!(text.matches("</tool_results>").count(), n_wrappers, "{text}");
    let tools = tagline_tools::all();
    let tags = TagSet::new(tools.entries().iter().map(|entry| entry.spec.tag_spec()));
    let events = parse(&tags, Limits::default(), text, Finish::Stop);
    let n_calls = events.iter().filter(|event| matches!(event, Event::End(_))).count();
    assert_eq!(n_calls, 0, "{text}");
}
