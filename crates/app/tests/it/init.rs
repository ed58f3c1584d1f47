//! `tagline init`, typed in a terminal.

use std::fs;

use expect_test::{Expect, expect};

use crate::support::{
    Bench,
    lists::{Lists, alone},
    terminal::Terminal,
};

const KEY: &str = "canary-of-init-0123456789";

/// What is shown while these lines are typed, each at its question.
fn typed(bench: &Bench, args: &str, lines: &[&str]) -> (String, i32) {
    let mut terminal = Terminal::open(bench.command(args));
    lines.iter().for_each(|line| terminal.say(line));
    let (shown, code) = terminal.end();
    assert!(!shown.contains("canary"), "{shown}");
    (shown, code)
}

#[track_caller]
fn check(bench: &Bench, openai: &str, lines: &[&str], expected: Expect) {
    let (shown, code) = typed(bench, "init --json", lines);
    let home = bench.path("home").canonicalize().unwrap();
    let shown = shown.replace(home.to_str().unwrap(), "[home]").replace(openai, "ADDRESS");
    let shown = shown.replace(openai.trim_end_matches("/v1"), "HOST");
    expected.assert_eq(&format!("{shown}exit {code}\n"));
}

#[test]
fn a_key_is_tried_and_kept_and_model_name_and_persona_are_set() {
    let provider = Lists::taking(KEY);
    let bench = alone(&provider.address).write("home/config.toml", "# mine\nmode = \"full\"\n");
    let lines =
        ["opnai", "openai", "canary-of-nobody-9876", KEY, "", "nobody/m", "2", "Ada", "Be brief."];
    check(
        &bench,
        &provider.address,
        &lines,
        expect![[r#"
        Models: looking for keys and for servers on this machine.

        Key: the name of a provider to enter its key, such as `openai`; Enter goes on.
        > opnai
        provider `opnai`: expected one of anthropic, openai, gemini, openrouter, groq, mistral, deepseek, xai, huggingface, azure, ollama, but found another name

        Key: the name of a provider to enter its key, such as `openai`; Enter goes on.
        > openai
        The key of `openai`, which is not shown; Enter leaves it.
        > 
        Trying it.
        the key was not kept, because the provider does not take it: `openai` at `HOST`: expected a reply, but found HTTP 401: Incorrect API key provided: [secret OPENAI_API_KEY]; give a valid key; try again, or press Enter
        > 
        Trying it.
        kept: openai takes the key, 2 models
          it is in `[home]/keys.json`, which you alone can read

        Key: the name of a provider to enter its key, such as `openai`; Enter goes on.
        > 

        Model: a number of the list or a name such as `ollama/qwen3:8b`.
           1  openai/large
           2  openai/small
        Enter takes the first that is found, each time.
        > nobody/m
        `model`: expected `provider/model` with a provider that there is, or an address such as `http://127.0.0.1:8080`, but found another text, of 8 characters; try again, or press Enter
        > 2
        kept: `model`

        Name: what the assistant is called; Enter leaves it at `Tagline`.
        > Ada
        kept: `assistant.name`

        Persona: how it behaves, in a line that the model reads; Enter sets none.
        > Be brief.
        kept: `assistant.persona`
        {"model":"openai/small","name":"Ada","persona":"Be brief."}

        Your settings are in `[home]/config.toml`.
        `tagline chat` talks in the terminal, `tagline serve` opens the page, `tagline init` does this again.
        exit 0
    "#]],
    );
    is_done(&bench, &provider);
}

/// What was typed stands in the files, and counts.
fn is_done(bench: &Bench, provider: &Lists) {
    expect![[r##"
        # mine
        mode = "full"
        model = "openai/small"

        [assistant]
        name = "Ada"
        persona = "Be brief."
    "##]]
    .assert_eq(&fs::read_to_string(bench.path("home/config.toml")).unwrap());
    assert!(fs::read_to_string(bench.path("home/keys.json")).unwrap().contains(KEY));
    assert!(bench.run("run -q hello").ends_with("exit 0\n"));
    let asked = provider.asked.lock().unwrap().concat();
    for part in ["\"model\":\"small\"", "You are Ada.", "Be brief."] {
        assert!(asked.contains(part), "{part} in {asked}");
    }
}

#[test]
fn enter_leaves_everything_as_it_is() {
    let bench = alone("http://127.0.0.1:9/v1");
    check(
        &bench,
        "http://127.0.0.1:9/v1",
        &["", "", "", ""],
        expect![[r#"
        Models: looking for keys and for servers on this machine.

        Key: the name of a provider to enter its key, such as `openai`; Enter goes on.
        > 

        Model: a number of the list or a name such as `ollama/qwen3:8b`.
        Enter takes the first that is found, each time.
        > 

        Name: what the assistant is called; Enter leaves it at `Tagline`.
        > 

        Persona: how it behaves, in a line that the model reads; Enter sets none.
        > 
        {"model":null,"name":"Tagline","persona":null}

        Your settings are in `[home]/config.toml`.
        `tagline chat` talks in the terminal, `tagline serve` opens the page, `tagline init` does this again.
        exit 0
    "#]],
    );
    assert!(!bench.path("home/config.toml").exists() && !bench.path("home/keys.json").exists());
}

#[test]
fn a_key_is_kept_untried_where_its_provider_is_away_and_somebody_says_so() {
    let bench = alone("http://127.0.0.1:9/v1");
    let no = ["openai", KEY, "", "", "", "", ""];
    let (shown, code) = typed(&bench, "init", &no);
    assert!(shown.contains("could not be tried") && code == 0, "{code} {shown}");
    assert!(!bench.path("home/keys.json").exists());
    typed(&bench, "init", &["openai", KEY, "y", "", "", "", ""]);
    assert!(fs::read_to_string(bench.path("home/keys.json")).unwrap().contains(KEY));
}

#[test]
fn ctrl_d_ends_it_and_ctrl_c_at_a_key_too() {
    let bench = alone("http://127.0.0.1:9/v1");
    let mut terminal = Terminal::open(bench.command("init"));
    terminal.wait_for("\n> ");
    terminal.press('\u{4}');
    let (shown, code) = terminal.end();
    assert!(code == 0 && shown.contains("tagline chat"), "{code} {shown}");
    let mut terminal = Terminal::open(bench.command("init"));
    terminal.say("openai");
    terminal.wait_for("\n> ");
    terminal.press('\u{3}');
    terminal.press('\n');
    assert_eq!(terminal.end().1, 130);
}

#[test]
fn without_a_terminal_it_says_what_to_do() {
    expect![[r#"
        --- stderr
        error: init asks questions, and there is no terminal to ask them in; keep a key with `tagline keys set PROVIDER < FILE`, and write `model`, `assistant.name` and `assistant.persona` into `[test]/home/config.toml`
        exit 9
    "#]].assert_eq(&Bench::new().run("init"));
}
