//! Configuration: layers, origins, errors with their line and key.

use expect_test::expect;

use crate::support::Bench;

/// With something set in each layer.
fn layered() -> Bench {
    Bench::new()
        .write("system/tagline/config.toml", "mode = \"plan\"\nseed = 1\n")
        .write(
            "home/config.toml",
            "# mine\nmodel = \"ollama/a\"\n\n[limits]\nmax_calls = 7\n\n[profiles.work]\nmode = \"edit\"\n",
        )
        .write("system/tagline/managed.toml", "grammar = \"off\"\n")
        .var("TAGLINE_MAX_TOKENS", "500")
        .var("TAGLINE_PROFILE", "work")
}

#[test]
fn every_value_says_where_it_was_set() {
    let bench = layered();
    expect![[r#"
        --- stdout
        model = "ollama/a"                # user [test]/home/config.toml:2
        fallback = []                     # built-in
        assistant.name = "Tagline"        # built-in
        mode = "edit"                     # profile work [test]/home/config.toml:8
        loop = "guided"                   # flag --set
        require_thinking = false          # built-in
        sandbox = "auto"                  # built-in
        sandbox_network = "own"           # built-in
        tools = []                        # built-in
        toolsets = []                     # built-in
        add_dirs = []                     # built-in
        rules.allow = []                  # built-in
        rules.allow_tainted = []          # built-in
        rules.ask = []                    # built-in
        rules.deny = []                   # built-in
        detail = "full"                   # built-in
        grammar = "off"                   # managed [test]/system/tagline/managed.toml:1 (locked)
        temperature = 0.0                 # flag --temperature
        seed = 1                          # system [test]/system/tagline/config.toml:2
        max_tokens = 500                  # environment TAGLINE_MAX_TOKENS
        takes_images = "auto"             # built-in
        limits.max_calls = 7              # user [test]/home/config.toml:5
        limits.calls_per_reply = 25       # built-in
        limits.continuations = 3          # built-in
        prices = []                       # built-in
        limits.at_limit = "end"           # built-in
        limits.tool_attempts = 3          # built-in
        limits.command_cpu = 36000        # built-in
        limits.command_processes = 512    # built-in
        limits.command_file_size = 16384  # built-in
        limits.command_open_files = 8192  # built-in
        network.hosts = []                # built-in
        network.benchmark_range = false   # built-in
        network.connect_timeout = 10      # built-in
        network.idle_timeout_ms = 120000  # built-in
        network.attempts = 6              # built-in
        --- stderr
        warning: `grammar` from flag --grammar is not used: managed [test]/system/tagline/managed.toml:1 locks it
        exit 0
    "#]].assert_eq(
        &bench.run("config show --origin --temperature 0 --grammar auto --set loop=guided"),
    );
}

#[test]
fn a_project_is_inert_until_its_content_is_trusted() {
    let bench = Bench::new().write("work/.tagline/config.toml", "mode = \"full\"\n");
    let inert = bench.run("config show");
    assert!(inert.contains("mode = \"ask\""), "{inert}");
    expect![[r#"
        --- stderr
        warning: [test]/work/.tagline/config.toml: not used, because its content is not trusted; read it, then trust it with `tagline config trust`
        [test]/work/.tagline/config.toml:
        mode = "full"
        trusted as it is now (SHA-256 6f3d54d33daa35fefc8925a051cd392a30ba49d71f4d86e94115ea389ab80e25); a change asks again
        exit 0
    "#]].assert_eq(&bench.run("config trust"));
    let trusted = bench.run("config show --origin");
    let origin = "# project [test]/work/.tagline/config.toml:1";
    assert!(trusted.contains("mode = \"full\"") && trusted.contains(origin), "{trusted}");
    let bench = bench.write("work/.tagline/config.toml", "mode = \"auto\"\n");
    let changed = bench.run("config show");
    assert!(changed.contains("mode = \"ask\"") && changed.contains("not trusted"), "{changed}");
}

#[test]
fn a_project_is_found_up_to_the_root_of_its_repository_and_not_above() {
    let bench = Bench::new()
        .write("work/.git/HEAD", "")
        .write("work/.tagline/config.toml", "mode = \"full\"\n")
        .write("work/a/b/x", "");
    assert!(bench.run("-C a/b config show").contains("work/.tagline/config.toml: not used"));
    let bench = Bench::new()
        .write("work/.tagline/config.toml", "mode = \"full\"\n")
        .write("work/a/.git/HEAD", "")
        .write("work/a/b/x", "");
    assert!(!bench.run("-C a/b config show").contains("not used"));
}

#[test]
fn there_is_nothing_to_trust_where_there_is_no_project() {
    expect![[r#"
        --- stderr
        error: config trust: expected `.tagline/config.toml` or `AGENTS.md` in this folder or above it, up to the repository's root, but found none
        exit 3
    "#]].assert_eq(&Bench::new().run("config trust"));
}

#[track_caller]
fn check_broken(text: &str, expected: expect_test::Expect) {
    expected.assert_eq(&Bench::new().write("home/config.toml", text).run("config show"));
}

#[test]
fn a_value_that_does_not_fit_is_told_with_its_line_and_key() {
    check_broken(
        "mode = \"plan\"\n\n[limits]\nmax_passes = \"many\"\n",
        expect![[r#"
        --- stderr
        error: [test]/home/config.toml:4: `limits.max_passes`: expected a whole number from 1 to 10000, but found `"many"`; mend the line
        exit 3
    "#]],
    );
    check_broken(
        "mode = \"fast\"\n",
        expect![[r#"
        --- stderr
        error: [test]/home/config.toml:1: `mode`: expected one of plan, ask, edit, auto, full, but found `"fast"`; mend the line
        exit 3
    "#]],
    );
    check_broken(
        "temperature = 3.5\n",
        expect![[r#"
        --- stderr
        error: [test]/home/config.toml:1: `temperature`: expected a number from 0 to 2, but found `3.5`; mend the line
        exit 3
    "#]],
    );
}

#[test]
fn a_value_of_another_kind_is_told_with_its_line_and_key() {
    check_broken(
        "limits = 3\n",
        expect![[r#"
            --- stderr
            error: [test]/home/config.toml:1: `limits`: expected a table, but found `3`; mend the line
            exit 3
        "#]],
    );
    check_broken(
        "[profiles]\nwork = 1\n",
        expect![[r#"
        --- stderr
        error: [test]/home/config.toml:2: `profiles.work`: expected a table, but found `1`; mend the line
        exit 3
    "#]],
    );
    check_broken(
        "tools = [\"say\", 1]\n",
        expect![[r#"
        --- stderr
        error: [test]/home/config.toml:1: `tools`: expected a list of names, but found `["say", 1]`; mend the line
        exit 3
    "#]],
    );
    check_broken(
        "max_tokens = 99_999_999_999_999_999_999\n",
        expect![[r#"
        --- stderr
        error: [test]/home/config.toml:1: `max_tokens`: expected a whole number from 1 to 10000000, but found `99_999_999_999_999_999_999`; mend the line
        exit 3
    "#]],
    );
}

#[test]
fn a_file_that_is_no_toml_is_told_with_its_line_and_key() {
    check_broken(
        "model = \"a\"\nmode = pl an\n",
        expect![[r#"
        --- stderr
        error: [test]/home/config.toml:2: `mode`: string values must be quoted, expected literal string; nothing was started, because a setting may be lost
        exit 3
    "#]],
    );
    check_broken(
        "mode = \"plan\nseed = 1\n",
        expect![[r#"
        --- stderr
        error: [test]/home/config.toml:1: `mode`: invalid basic string, expected `"`; nothing was started, because a setting may be lost
        exit 3
    "#]],
    );
    check_broken(
        "seed = 1\nseed = 2\n",
        expect![[r#"
        --- stderr
        error: [test]/home/config.toml:2: `seed`: duplicate key; nothing was started, because a setting may be lost
        exit 3
    "#]],
    );
}

/// A file cut in the middle of a setting stops the program; cut between two it is a shorter file.
#[test]
fn a_file_cut_inside_a_setting_is_refused_at_every_byte() {
    for text in ["mode = \"plan\"", "tools = [\"say\"]"] {
        for end in 1..text.len() {
            let cut = text.get(..end).unwrap();
            let shown = Bench::new().write("home/config.toml", cut).run("config show");
            assert!(shown.ends_with("exit 3\n"), "cut at {end}: {shown}");
        }
    }
}

#[test]
fn an_unknown_key_is_a_warning_and_with_strict_config_an_error() {
    let bench = Bench::new().write("home/config.toml", "max_pases = 3\nx = 1\n[nets]\na = 1\n");
    expect![[r#"
        --- stdout
        fallback = []                     # built-in
        assistant.name = "Tagline"        # built-in
        mode = "ask"                      # built-in
        loop = "free"                     # built-in
        require_thinking = false          # built-in
        sandbox = "auto"                  # built-in
        sandbox_network = "own"           # built-in
        tools = []                        # built-in
        toolsets = []                     # built-in
        add_dirs = []                     # built-in
        rules.allow = []                  # built-in
        rules.allow_tainted = []          # built-in
        rules.ask = []                    # built-in
        rules.deny = []                   # built-in
        detail = "full"                   # built-in
        grammar = "auto"                  # built-in
        takes_images = "auto"             # built-in
        limits.max_calls = 100            # built-in
        limits.calls_per_reply = 25       # built-in
        limits.continuations = 3          # built-in
        prices = []                       # built-in
        limits.at_limit = "end"           # built-in
        limits.tool_attempts = 3          # built-in
        limits.command_cpu = 36000        # built-in
        limits.command_processes = 512    # built-in
        limits.command_file_size = 16384  # built-in
        limits.command_open_files = 8192  # built-in
        network.hosts = []                # built-in
        network.benchmark_range = false   # built-in
        network.connect_timeout = 10      # built-in
        network.idle_timeout_ms = 120000  # built-in
        network.attempts = 6              # built-in
        --- stderr
        warning: [test]/home/config.toml:1: unknown key `max_pases`; did you mean `limits.max_passes`?
        warning: [test]/home/config.toml:2: unknown key `x`
        warning: [test]/home/config.toml:3: unknown key `nets`
        exit 0
    "#]].assert_eq(&bench.run("config show --origin -v"));
    expect![[r#"
        --- stderr
        error: [test]/home/config.toml:1: unknown key `max_pases`; did you mean `limits.max_passes`?
        exit 3
    "#]]
    .assert_eq(&bench.run("config show --strict-config"));
}

#[test]
fn a_file_that_was_named_must_be_there() {
    expect![[r#"
        --- stderr
        error: [test]/work/nowhere.toml: cannot be read: there is no such file; mend or remove it
        exit 3
    "#]]
    .assert_eq(&Bench::new().run("config show --config nowhere.toml"));
    let bench = Bench::new().write("work/own.toml", "seed = 4\n");
    assert!(bench.run("config show --origin --config own.toml").contains("own.toml:1"));
}

#[test]
fn a_profile_that_was_named_must_be_there() {
    let bench = Bench::new().write("home/config.toml", "[profiles.work]\nmode = \"edit\"\n");
    expect![[r#"
        --- stderr
        error: profile `wrok`: expected a table `[profiles.wrok]`, but found none; did you mean `work`?
        exit 3
    "#]].assert_eq(&bench.run("config show --profile wrok"));
}

#[test]
fn a_variable_that_does_not_fit_is_named() {
    expect![[r#"
        --- stderr
        error: environment TAGLINE_MODE: expected one of plan, ask, edit, auto, full, but found `fast`; mend or unset it
        exit 3
    "#]].assert_eq(&Bench::new().var("TAGLINE_MODE", "fast").run("config show"));
}

#[test]
fn the_places_of_the_files_can_be_asked_for() {
    expect![[r#"
        --- stdout
        config   [test]/home/config.toml
        journal  [test]/home/data/journal.db
        state    [test]/home/state
        cache    [test]/home/cache
        exit 0
    "#]]
    .assert_eq(&Bench::new().run("config path"));
}
