// Writes the fixtures that were not recorded: `npm run fixtures`. Each is a journal of one call in the schema of
// docs/events.schema.json, so that cards can be seen in states that are hard to bring about, and before their tools exist.

import { mkdirSync, writeFileSync } from "node:fs";

const START = Date.UTC(2026, 0, 5, 9, 0, 0);

/** A journal that counts its own events and milliseconds. */
class Journal {
  #lines = [];
  #ms = 0;

  add(type, fields = {}, { call = "t1.1", after = 120 } = {}) {
    this.#ms += after;
    const place = { v: 1, seq: this.#lines.length + 1, ts: new Date(START + this.#ms).toISOString(), session: "5e551011c0de", run: "t1", turn: 1 };
    this.#lines.push(JSON.stringify({ ...place, ...(call ? { call } : {}), type, ...fields }));
    return this;
  }

  begin(text) {
    return this.add("run.started", { model: "example/large", mode: "ask", policy: "free" }, { call: null }).add("message.user", { text }, { call: null });
  }

  open(tool, attributes = {}) {
    this.add("tool.opening", { tool }, { after: 300 });
    for (const [name, value] of Object.entries(attributes)) this.add("tool.attr", { name, value });
    return this;
  }

  body(text, child, piece = 24) {
    const delta = (it) => ({ delta: it, ...(child ? { child } : {}) });
    for (let at = 0; at < text.length; at += piece) this.add("tool.body", delta(text.slice(at, at + piece)), { after: 40 });
    return this;
  }

  ready(tool, args, effect) {
    return this.add("tool.ready", { tool, arguments: args, effect });
  }

  ask(why, shown, scopes = []) {
    return this.add("approval.asked", { hash: "a".repeat(64), why, shown, scopes });
  }

  answer(isAllowed, by = "user", words) {
    return this.add("approval.answered", { is_allowed: isAllowed, by, ...(words ? { words } : {}) }, { after: 2500 });
  }

  run(effect, decision = "mode auto", attempt = 1) {
    return this.add("tool.running", { hash: "b".repeat(64), effect, decision, attempt });
  }

  output(delta, stream = "stdout") {
    return this.add("tool.output", { stream, delta }, { after: 300 });
  }

  progress(payload) {
    return this.add("tool.progress", { payload }, { after: 600 });
  }

  done(event, payload, llmEcho, ms = 900, llmMedia) {
    return this.add("tool.done", { event, payload, llmEcho, ms, ...(llmMedia ? { llmMedia } : {}) }, { after: ms });
  }

  fail(tag, kind, reason, ms = 400) {
    return this.add("tool.failed", { event: "tool_error", payload: { tag, reason, kind, retryable: kind === "busy" }, llmEcho: reason, ms }, { after: ms });
  }

  end(outcome = "done", reason = "completed") {
    return this.add("run.finished", { outcome, reason }, { call: null });
  }

  write(name) {
    mkdirSync("fixtures", { recursive: true });
    writeFileSync(`fixtures/${name}.jsonl`, `${this.#lines.join("\n")}\n`);
  }
}

const begin = (text) => new Journal().begin(text);

const RUST = `//! Counts words.

use std::collections::BTreeMap;

/// How often each word stands in a text.
pub fn count(text: &str) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word).or_default() += 1;
    }
    counts
}

#[test]
fn words_are_counted() {
    let counts = count("a b a");
    assert_eq!(counts["a"], 2); // twice
}
`;

const EDIT = `------- SEARCH
    for word in text.split_whitespace() {
        *counts.entry(word).or_default() += 1;
    }
=======
    for word in words(text) {
        *counts.entry(word).or_default() += 1;
    }
+++++++ REPLACE
------- SEARCH
#[test]
=======
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty())
}

#[test]
+++++++ REPLACE
`;

const TESTS = "\x1b[1m\x1b[32m   Compiling\x1b[0m words v0.1.0 (/home/ada/words)\n\x1b[1m\x1b[32m    Finished\x1b[0m test profile in 1.84s\n\nrunning 3 tests\ntest words_are_counted ... \x1b[32mok\x1b[0m\ntest signs_are_no_words ... \x1b[32mok\x1b[0m\ntest nothing_has_no_words ... \x1b[32mok\x1b[0m\n\n\x1b[1mtest result: \x1b[32mok\x1b[0m. 3 passed; 0 failed\n";
const FAILED = "running 3 tests\ntest words_are_counted ... \x1b[32mok\x1b[0m\ntest signs_are_no_words ... \x1b[31mFAILED\x1b[0m\n\nassertion `left == right` failed\n  left: \x1b[31m[\"a,\", \"b\"]\x1b[0m\n right: \x1b[32m[\"a\", \"b\"]\x1b[0m\n\n\x1b[1mtest result: \x1b[31mFAILED\x1b[0m. 1 passed; 1 failed\n";

const ended = (command, code, stdout) => ({
  run_id: "r1", command, cwd: "/home/ada/words", state: code === null ? "running" : `exit ${code}`, is_running: code === null, exit_code: code, stdout, stdout_bytes: stdout.length,
  stderr: "", stderr_bytes: 0, log: "", sandbox: "enforced; network: closed", ports: [], urls: code === null ? ["http://127.0.0.1:5173/"] : [],
});

const DOT = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function files() {
  begin("Count words").open("write_file", { path: "src/words.rs" }).body(RUST).ready("write_file", { path: "src/words.rs", content: RUST }, "write").run("write", "mode edit")
    .done("write_file", { path: "src/words.rs", bytes: RUST.length, lines: 18, created: true, added: 18, removed: 0, diff: "" }, "wrote `src/words.rs`: new, 18 lines", 12).end().write("editor");
  begin("Signs are no words").open("replace_in_file", { path: "src/words.rs" }).body(EDIT).ready("replace_in_file", { path: "src/words.rs", diff: EDIT }, "write")
    .ask("The file lies outside of what you allowed to change without asking.", `replace_in_file\npath: src/words.rs\ndiff: ${EDIT}`, ["tool replace_in_file path=src/**", "folder src"]).answer(true).run("write", "user")
    .done("replace_in_file", { path: "src/words.rs", bytes: 700, lines: 22, created: false, blocks: 2, added: 5, removed: 1, diff: "@@ -6,5 +6,5 @@\n     let mut counts = BTreeMap::new();\n-    for word in text.split_whitespace() {\n+    for word in words(text) {\n         *counts.entry(word).or_default() += 1;\n     }\n     counts\n@@ -13,2 +13,6 @@\n \n+fn words(text: &str) -> impl Iterator<Item = &str> {\n+    text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty())\n+}\n+\n #[test]\n" }, "changed `src/words.rs`: 2 blocks, +5 -1", 18).end().write("editor-edit");
  begin("Edit").open("replace_in_file", { path: "src/words.rs" }).body(EDIT).ready("replace_in_file", { path: "src/words.rs", diff: EDIT }, "write").run("write")
    .fail("replace_in_file", "bad_call", "`src/words.rs`: block 1: the searched text is not in the file; the nearest text there, from line 7, is:\n7 |     for word in text.split(' ') {\nsearch the lines as they stand there; nothing was written").end().write("editor-failed");
  begin("Write").open("write_file", { path: "notes.md" }).body("# Notes\n\n- first\n- sec").end("stopped", "stopped").write("editor-interrupted");
  begin("Write").open("write_file", { path: "notes.md" }).body("# Notes\n").add("tool.repaired", { reason: "unclosed", message: "the end tag of `write_file` was missing; the call was taken to end with the reply" }).ready("write_file", { path: "notes.md", content: "# Notes\n" }, "write").run("write")
    .done("write_file", { path: "notes.md", bytes: 8, lines: 1, created: true, added: 1, removed: 0, diff: "" }, "wrote `notes.md`", 9).end().write("editor-repaired");
  const patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n--- a/b.txt\n+++ b/b.txt\n@@ -4,1 +4,2 @@\n four\n+five\n";
  begin("Patch").open("apply_patch").body(patch).ready("apply_patch", { patch }, "write").run("write")
    .done("apply_patch", { files: [{ path: "a.txt", created: false, deleted: false, added: 1, removed: 1, diff: "@@ -1,2 +1,2 @@\n one\n-two\n+2\n" }, { path: "b.txt", created: false, deleted: false, added: 1, removed: 0, diff: "@@ -4,1 +4,2 @@\n four\n+five\n" }], added: 2, removed: 1 }, "patched 2 files, +2 -1", 20).end().write("editor-patch");
}

function commands() {
  const test = "cargo test --color always";
  const ready = (text, command, args = {}) => begin(text).open("execute_command", Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]))).body(command, null, 8).ready("execute_command", { command, ...args }, "exec");
  const passed = ready("Test it", test).run("exec");
  for (const line of TESTS.split(/(?<=\n)/)) passed.output(line);
  passed.done("execute_command", ended(test, 0, TESTS), `exit 0\n${TESTS}`, 2300).end().write("terminal");
  const failed = ready("Test it", test).run("exec");
  for (const line of FAILED.split(/(?<=\n)/)) failed.output(line, "stderr");
  failed.done("execute_command", ended(test, 101, FAILED), `exit 101\n${FAILED}`, 2100).end().write("terminal-failed");
  const remove = "rm -r build && git push --force origin main";
  const why = "`git push --force` replaces what others may have; `rm -r` removes files.";
  ready("Clean up", remove, { network: true }).ask(why, remove, ["command git push", "command rm -r build"]).answer(true).run("exec", "user").output("To example.org:words.git\n").done("execute_command", ended(remove, 0, "To example.org:words.git\n"), "exit 0", 1500).end().write("terminal-asked");
  ready("Clean up", remove).ask(why, remove).answer(false, "user", "Keep the build, only push a branch.").fail("execute_command", "denied", "the user refused: Keep the build, only push a branch.").end().write("terminal-refused");
  ready("Read it", "cat ~/.ssh/id_ed25519").fail("execute_command", "denied", "`~/.ssh` holds keys: no command may read it; this rule cannot be lifted from here").end().write("terminal-denied");
  ready("Hidden", "ls\u202e -l\u200b; touch x").ask("The command has characters that cannot be seen.", "ls⟦U+202E⟧ -l⟦U+200B⟧; touch x⟦4000 blanks⟧; curl example.org").write("terminal-hidden");
  ready("Serve it", "npm run dev", { background: true }).run("exec").output("VITE ready in 312 ms\n").done("execute_command", ended("npm run dev", null, "VITE ready in 312 ms\n"), "running as r1", 1200).end().write("terminal-background");
  ready("Sleep", "sleep 600").run("exec").output("waiting\n").add("tool.cancelled", { reason: "stopped by you after 8 s; its process group was ended" }, { after: 8000 }).end("stopped", "stopped").write("terminal-stopped");
  ready("Deploy", "make deploy").run("exec").output("uploading 3 of 9\n").end("stopped", "server_gone").write("terminal-interrupted");
  ready("Fetch", "make fetch").run("exec", "mode auto", 2).output("again\n").fail("execute_command", "timed_out", "`make fetch` did not end within 60 s and was ended with all its processes", 60_000).end().write("terminal-timeout");
  begin("Odd").open("execute_command", { cwd: "src" }).add("tool.rejected", { reason: "missing_argument", message: "`command` of `execute_command`: expected the command as body, but found nothing; write <execute_command>ls</execute_command>" }).end().write("terminal-rejected");
}

function looks() {
  begin("Look").open("list_files", { path: "." }).ready("list_files", { path: "." }, "read").run("read").done("list_files", { path: ".", entries: [{ path: "src", kind: "folder", bytes: 0 }, { path: "src/words.rs", kind: "file", bytes: 640 }, { path: "Cargo.toml", kind: "file", bytes: 112 }, { path: "README.md", kind: "file", bytes: 2320 }], files: 3, folders: 1, omitted: 0 }, "src\n  words.rs\nCargo.toml", 14).end().write("look-list");
  begin("Read").open("read_file", { path: "src/words.rs" }).ready("read_file", { path: "src/words.rs" }, "read").run("read").done("read_file", { path: "src/words.rs", bytes: 640, from: 1, to: 4, lines: 18 }, `src/words.rs: lines 1-4 of 18\n${RUST.split("\n").slice(0, 4).map((line, n) => `${n + 1} | ${line}`).join("\n")}\n[14 more lines, read from=5]`, 6).end().write("look-read");
  begin("Search").open("search_files", { path: ".", query: "count" }).ready("search_files", { path: ".", query: "count" }, "read").run("read").done("search_files", { path: ".", matches: 5, files: [{ path: "src/words.rs", matches: 4 }, { path: "README.md", matches: 1 }], searched: 12 }, "5 matches in 2 files", 22).end().write("look-search");
  begin("Read").open("read_file", { path: "nothing.txt" }).ready("read_file", { path: "nothing.txt" }, "read").run("read").fail("read_file", "missing", "`nothing.txt`: there is no such file or folder in the workspace; see what is there with `list_files`").end().write("look-failed");
  begin("Delete").open("delete_file", { path: "build" }).ready("delete_file", { path: "build" }, "write").run("write").done("delete_file", { path: "build", kept: "t1.1" }, "deleted `build`, it is kept in the undo store", 8).end().write("row-delete");
}

function talk() {
  begin("Plan").open("update_plan").body("Read the code", "step").body("Write the test", "step#2").body("Run it", "step#3")
    .ready("update_plan", { step: [{ status: "completed", text: "Read the code" }, { status: "in_progress", text: "Write the test" }, { text: "Run it" }] }, "pure").run("pure")
    .done("update_plan", { steps: [{ status: "completed", text: "Read the code" }, { status: "in_progress", text: "Write the test" }, { status: "pending", text: "Run it" }], done: 1 }, "the plan shows 1 of 3 steps completed", 2).end().write("plan");
  begin("Ask").open("wait_for_human_input", { kind: "choice" }).body("Which **database** should it use?", "question").body("SQLite, in one file", "option").body("Postgres, on a server", "option#2")
    .ready("wait_for_human_input", { kind: "choice", question: "Which **database** should it use?", option: ["SQLite, in one file", "Postgres, on a server"] }, "pure").run("pure")
    .done("wait_for_human_input", { kind: "choice", question: "Which **database** should it use?", options: ["SQLite, in one file", "Postgres, on a server"] }, "asked", 2).end("needs_human", "asked").write("ask");
  begin("Think").open("thinking").body("The words are split at blanks, so that `a,` and `a` differ. A split at signs is what is meant.").ready("thinking", { text: "" }, "pure").run("pure").done("thinking", { text: "" }, "thought", 1).end().write("thinking");
  begin("Wait").open("wait_until", { port: "3000" }).ready("wait_until", { port: 3000, seconds: 30 }, "pure").run("pure").progress({ seconds_left: 28, seconds: 30 }).progress({ seconds_left: 21, seconds: 30 }).done("wait_until", { is_met: true, waited_ms: 9000 }, "port 3000 answers", 9000).end().write("wait");
  begin("Wait").open("wait_until", { port: "3000" }).ready("wait_until", { port: 3000, seconds: 30 }, "pure").run("pure").done("wait_until", { is_met: false, waited_ms: 30000 }, "waited 30 s: port 3000 does not answer", 30000).end().write("wait-late");
  const answer = "The words are counted **without signs** now.\n\n| before | after |\n|--|--:|\n| `a,` | 1 |\n| `a` | 2 |\n\n- [x] test written\n- [x] all three pass\n\nSee [the manual](https://doc.rust-lang.org/std/).";
  begin("Done").open("attempt_completion").body(answer, "result").ready("attempt_completion", { result: answer, command: "cargo run -- words.txt" }, "pure").run("pure").done("attempt_completion", { result: answer, command: "cargo run -- words.txt" }, "done", 1).end().write("answer");
  begin("Remember").open("remember", { topic: "style" }).body("Tests are named after what holds.").ready("remember", { topic: "style", text: "Tests are named after what holds." }, "control").ask("The first note of a session asks.", "remember\ntopic: style\ntext: Tests are named after what holds.", ["tool remember"]).answer(true).run("control", "user").done("remember", { id: "m7" }, "remembered as m7", 6).end().write("memory");
  begin("Help").open("run_helper", { name: "Find the slow test" }).body("Look which test takes longest, and why.").ready("run_helper", {}, "control").run("control").progress({ steps: ["Read the tests", "Run each alone"] }).done("run_helper", { result: "`signs_are_no_words` builds a **million** words; a thousand are enough.", tokens: 18240, cost: "0.02 €", steps: ["Read the tests", "Run each alone", "Measured"] }, "done", 14000).end().write("subrun");
  begin("Anything").open("translate_text", { from: "en", to: "de" }).body("Good day").ready("translate_text", { from: "en", to: "de", text: "Good day" }, "pure").run("pure").done("translate_text", {}, "Guten Tag", 30).end().write("default");
}

function wide() {
  begin("Search the web").open("web_search", { query: "svelte runes derived" }).ready("web_search", { query: "svelte runes derived" }, "fetch").ask("The host is not among those that you allowed.", "web_search\nquery: svelte runes derived", ["host svelte.dev"]).answer(true).run("fetch", "user")
    .done("web_search", { results: [{ title: "$derived", url: "https://svelte.dev/docs/svelte/$derived", snippet: "Derived state is declared with the $derived rune." }, { title: "Runes", url: "https://svelte.dev/docs/svelte/what-are-runes", snippet: "Runes are symbols that you use to control the compiler." }, { title: "Local", url: "file:///etc/passwd", error: "not opened: only web addresses are" }] }, "2 results", 700).end().write("web");
  begin("Picture").open("generate_image", { size: "1024x576" }).body("A lighthouse in fog, flat colors").ready("generate_image", { prompt: "A lighthouse in fog, flat colors", size: "1024x576" }, "fetch").run("fetch").progress({ percent: 40 }).done("generate_image", { provider: "example", cost: "0.04 €" }, "made", 6000, [{ url: DOT, media_type: "image/png", label: "A lighthouse in fog, flat colors" }]).end().write("image");
  begin("Open").open("browser_action", { action: "click", coordinate: "320,240", url: "http://127.0.0.1:5173/" }).ready("browser_action", { action: "click", coordinate: "320,240" }, "desktop").run("desktop").done("browser_action", { url: "http://127.0.0.1:5173/cart", title: "Cart", console: ["warning: key is missing"], failed_requests: ["/api/cart 500"] }, "clicked", 800, [{ url: DOT, media_type: "image/png", label: "Cart page" }]).end().write("browser");
  const html = "<!doctype html>\n<title>Timer</title>\n<main>\n  <output>25:00</output>\n  <button>Start</button>\n</main>\n";
  begin("Timer").open("create_shortcut", { name: "Timer" }).body(html, "html").body("# Timer\n\nCounts down.\n", "doc").ready("create_shortcut", { name: "Timer" }, "write").run("write").done("create_shortcut", { id: "widget-timer", calls: ["storage"], reads: [] }, "stored", 40).end().write("shortcut");
  begin("Timer").open("create_app", { name: "Timer" }).body(html, "html").ready("create_app", { name: "Timer" }, "write").run("write").fail("create_app", "bad_call", "line 5: a button needs a label that says what it does; nothing was stored").end().write("app-failed");
}

function hostile() {
  const bad = '"><img src=x onerror="window.__p=1"><svg onload=window.__p=1><script>window.__p=1</script>';
  begin(bad).open(bad, { path: bad, command: bad, title: bad, url: "javascript:window.__p=1" }).body(bad).ready(bad, { path: bad }, "write").run("write", bad).output(bad).done(bad, { path: bad, diff: bad }, bad, 5).end().write("hostile-default");
  for (const [name, tool] of [["editor", "write_file"], ["terminal", "execute_command"], ["look", "read_batch"], ["web", "web_search"], ["surface", "create_app"], ["ask", "wait_for_human_input"], ["browser", "browser_action"], ["image", "create_svg"], ["memory", "remember"]]) {
    begin("Hostile").open(tool, { path: bad, name: bad, url: "javascript:window.__p=1", topic: bad, title: bad, kind: bad }).body(bad).body(bad, "html").body(bad, "option").ready(tool, { path: bad, command: bad, question: bad, option: [bad, bad] }, "exec")
      .ask(bad, bad, [bad]).answer(true, bad, bad).run("exec", bad).output(`</pre><scr\x1b[31mipt>window.__p=1</script>\x1b]52;c;cHduZWQ=\x07\x1b]8;;javascript:window.__p=1\x07link\x1b]8;;\x07\n`)
      .done(tool, { path: bad, title: bad, question: bad, options: [bad], state: bad, url: "javascript:window.__p=1", urls: ["javascript:window.__p=1"], files: [{ path: bad, error: bad, diff: `@@ -1 +1 @@\n+${bad}` }], results: [{ title: bad, url: "javascript:window.__p=1", snippet: bad }], diff: `@@ -1 +1 @@\n+${bad}`, findings: [{ line: 1, message: bad }], console: [bad] }, bad, 5, [{ url: "https://evil.example/x.png", media_type: "image/svg+xml", label: bad }]).end().write(`hostile-${name}`);
  }
  const say = new Journal().begin("Hostile").add("say.start", {}, { call: null });
  for (const piece of ["<img src=x onerror=window.__p=1> ", "[a](javascript:window.__p=1) [b](data:text/html,<script>window.__p=1</script>) ", "![x](https://evil.example/x.png) ", "<base href=//evil.example><meta http-equiv=refresh content=0>", "\n\n<form action=https://evil.example><style>*{background:url(https://evil.example)}</style>\n\n", "[c](calculator://) [d](file:///etc/passwd)"]) say.add("say.delta", { delta: piece }, { call: null });
  say.add("say.end", {}, { call: null }).end().write("hostile-say");
  begin("Long").open("write_file", { path: "long.min.js" }).body(`var a=${"1+".repeat(60_000)}1;`, null, 60_000).write("hostile-long-line");
  begin("Wrong types").open("update_plan").ready("update_plan", { step: "no list" }, "pure").run("pure").done("update_plan", { steps: [1, null, { text: 7 }], done: "x" }, "", 1).end().write("hostile-types");
}

for (const write of [files, commands, looks, talk, wide, hostile]) write();
