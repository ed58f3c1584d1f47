//! What a command should not have made is put aside.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    pin::Pin,
    sync::{Arc, Mutex},
};

use expect_test::{Expect, expect};
use serde_json::json;
use tagline_executor::{After, Capabilities, Keep, Keeping, ToolContext};
use tagline_policy::Claims;
use tagline_protocol::{Call, CallId, ToolOutcome, ToolOutput};
use tagline_tools::commands::{Fence, Means, Proof, Sandbox, Starter};

use crate::bench::{Bench, CAN_CONFINE};

/// One whose commands are held by what this machine has.
fn bench() -> Bench {
    held_by(if *CAN_CONFINE { Means::Namespaces } else { Means::Landlock })
}

fn held_by(means: Means) -> Bench {
    Bench::with(|config| {
        config.sandbox = Sandbox::On(Fence { means, ..Fence::default() });
        config.data = config.folder.parent().map(|folder| folder.join("data"));
        fs::create_dir(config.data.as_ref().unwrap()).unwrap();
    })
}

fn ws(bench: &Bench, name: &str) -> PathBuf {
    bench.folder.path().join("ws").join(name)
}

/// What is in the undo store, by where it was.
fn kept(bench: &Bench) -> Vec<(String, PathBuf)> {
    let root = bench.folder.path().canonicalize().unwrap();
    let slots = fs::read_dir(root.join("data/trash")).into_iter().flatten();
    let mut kept: Vec<_> = slots
        .map(|slot| slot.unwrap().path())
        .map(|slot| {
            let origin = fs::read_to_string(slot.join("origin")).unwrap();
            let origin = Path::new(origin.trim()).strip_prefix(root.join("ws")).unwrap().to_owned();
            (origin.display().to_string(), slot.join("content"))
        })
        .collect();
    kept.sort();
    kept
}

fn names(bench: &Bench) -> Vec<String> {
    kept(bench).into_iter().map(|(name, _)| name).collect()
}

async fn run(bench: &Bench, command: &str) -> ToolOutput {
    bench.call("execute_command", json!({ "command": command })).await.unwrap()
}

/// The same, which a person approved.
async fn approved(bench: &Bench, arguments: serde_json::Value) -> ToolOutcome {
    let registry = tagline_tools::all();
    let cx = ToolContext { is_approved: true, ..bench.context() };
    (registry.get("execute_command").unwrap().call)(arguments, &cx).await
}

/// What the model reads, without what differs.
fn tidy(bench: &Bench, output: &ToolOutput) -> String {
    let top = bench.folder.path().canonicalize().unwrap().display().to_string();
    format!("{}\n", output.echo.to_string().replace(&top, "[top]"))
}

#[track_caller]
fn check(bench: &Bench, output: &ToolOutput, expected: Expect) {
    expected.assert_eq(&tidy(bench, output));
}

#[tokio::test]
async fn a_name_is_put_aside_and_told() {
    let bench = bench();
    let output = run(&bench, "echo run-this > .envrc; echo done").await;
    check(
        &bench,
        &output,
        expect![[r#"
        exit 0
        [`.envrc` was put aside: programs of the user obey it without asking; made while r1 ran; it is kept as [top]/data/trash/c1/content]
        [nobody approved the command that made this. If the user wants it, propose it with write_file, which asks; a command that the user says yes to keeps what it makes]
        done
    "#]],
    );
    assert!(!ws(&bench, ".envrc").exists());
    let [(name, content)] = kept(&bench).try_into().unwrap();
    assert_eq!((name.as_str(), fs::read(&content).unwrap()), (".envrc", b"run-this\n".to_vec()));
    let row = json!([{
        "name": ".envrc",
        "run_id": "r1",
        "why": "programs of the user obey it without asking",
        "kept": content,
        "undo": null,
    }]);
    assert_eq!(output.card.payload["put_aside"], row);
    assert!(format!("{:?}", bench.events()).contains("`.envrc` was put aside"));
    // It is told once.
    assert_eq!(run(&bench, "echo again").await.echo.to_string(), "exit 0\nagain\n");
}

#[tokio::test]
async fn by_landlock_alone_too() {
    let scratch = tempfile::TempDir::new().unwrap();
    let proof = Proof::make(Means::Landlock, &Starter::Fork, scratch.path(), scratch.path());
    if proof.is_err() {
        // This machine has none.
        return;
    }
    let bench = held_by(Means::Landlock);
    run(&bench, "touch .envrc").await;
    assert_eq!(names(&bench), [".envrc"]);
}

#[tokio::test]
async fn every_protected_name_is() {
    let bench = bench();
    let all: Vec<_> = tagline_policy::protected::IN_A_ROOT
        .into_iter()
        .chain(tagline_policy::protected::AT_HOME)
        .collect();
    let made: String =
        all.iter().map(|name| format!("mkdir -p {name}; echo x > {name}/x; ")).collect();
    run(&bench, &made).await;
    let mut expected = all.clone();
    expected.sort_unstable();
    assert_eq!(names(&bench), expected);
    assert_eq!(fs::read_dir(ws(&bench, "")).unwrap().count(), 1, "the folder `.config` alone");
}

#[tokio::test]
async fn in_any_letter_case_and_by_a_rename() {
    let bench = bench();
    run(
        &bench,
        "touch .ENVRC .mcp.JSON .env.example; mkdir a .Git; echo '{}' > a/tasks.json; mv a .VsCode; \
         touch .Git/CommonDir .cur\u{17f}or",
    )
    .await;
    assert_eq!(
        names(&bench),
        [".ENVRC", ".Git/CommonDir", ".VsCode", ".cur\u{17f}or", ".mcp.JSON"]
    );
    assert!(ws(&bench, ".env.example").exists());
    run(&bench, "echo CONFIG_X=y > .config").await;
    assert!(ws(&bench, ".config").is_file());
}

#[tokio::test]
async fn a_link_goes_itself_and_is_not_followed() {
    let bench = bench();
    let outside = bench.folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("pre-commit"), "kept").unwrap();
    fs::create_dir(ws(&bench, "evil")).unwrap();
    let shown = outside.display();
    run(
        &bench,
        &format!("ln -s {shown} .vscode; ln -s {shown}/pre-commit .envrc; ln -s evil .git; ln -s gone .bashrc"),
    )
    .await;
    assert_eq!(names(&bench), [".bashrc", ".envrc", ".git", ".vscode"]);
    let contents = kept(&bench).into_iter().map(|(_, content)| fs::read_link(content).unwrap());
    let to: Vec<_> = contents.collect();
    assert_eq!(to, [Path::new("gone"), &outside.join("pre-commit"), Path::new("evil"), &outside]);
    assert_eq!(fs::read(outside.join("pre-commit")).unwrap(), b"kept");
}

#[tokio::test]
async fn closing_folders_keeps_nothing_in_them() {
    use std::os::unix::fs::PermissionsExt as _;
    let bench = bench();
    run(&bench, "touch .envrc; mkdir .vscode; touch .vscode/x; chmod 0 .vscode; chmod 111 .").await;
    fs::set_permissions(ws(&bench, ""), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(names(&bench), [".envrc", ".vscode"]);
    assert_eq!(fs::read_dir(ws(&bench, "")).unwrap().count(), 0);
}

#[tokio::test]
async fn what_was_there_and_what_a_person_approved_stays() {
    let bench = bench();
    fs::create_dir(ws(&bench, ".vscode")).unwrap();
    symlink("gone", ws(&bench, ".envrc")).unwrap();
    let output = approved(&bench, json!({ "command": "touch .bashrc .mcp.json" })).await.unwrap();
    assert_eq!(output.echo.to_string(), "exit 0\nno output");
    run(&bench, "ls -a").await;
    assert_eq!(names(&bench), Vec::<String>::new());
    assert!(ws(&bench, ".bashrc").exists() && ws(&bench, ".mcp.json").exists());
}

#[tokio::test]
async fn nothing_is_put_aside_without_a_sandbox() {
    let bench = Bench::new();
    run(&bench, "touch .envrc").await;
    assert!(ws(&bench, ".envrc").exists());
}

#[tokio::test]
async fn a_new_repository_stays_but_for_what_git_would_run() {
    let bench = bench();
    let output = run(
        &bench,
        "git init -q . && git config remote.origin.url https://example.org/a && git init -q clone",
    )
    .await;
    assert_eq!(output.echo.to_string(), "exit 0\nno output");
    assert!(ws(&bench, ".git/config").exists() && ws(&bench, ".git/hooks").exists());
    fs::remove_dir_all(ws(&bench, ".git")).unwrap();
    let output = run(
        &bench,
        "git init -q . && echo evil > .git/hooks/pre-commit && git config core.fsmonitor evil && \
         echo ../evil > .git/commondir",
    )
    .await;
    check(
        &bench,
        &output,
        expect![[r#"
        exit 0
        [`.git/commondir` was put aside: programs of the user obey it without asking; made while r2 ran; it is kept as [top]/data/trash/c1/content]
        [`.git/config` was put aside: it says `fsmonitor = evil`, which is none of the settings that make git run nothing; made while r2 ran; it is kept as [top]/data/trash/c1-2/content]
        [`.git/hooks` was put aside: it holds `pre-commit`, which git would run; made while r2 ran; it is kept as [top]/data/trash/c1-3/content]
        [nobody approved the command that made this. If the user wants it, propose it with write_file, which asks; a command that the user says yes to keeps what it makes]
        no output
    "#]],
    );
    assert_eq!(names(&bench), [".git/commondir", ".git/config", ".git/hooks"]);
    assert!(ws(&bench, ".git/HEAD").exists());
}

#[tokio::test]
async fn a_hook_in_a_repository_without_hooks_is_put_aside() {
    let bench = bench();
    fs::create_dir(ws(&bench, ".git")).unwrap();
    fs::write(ws(&bench, ".git/config"), "[core]\n\tfsmonitor = mine\n").unwrap();
    run(&bench, "mkdir .git/hooks; touch .git/hooks/a.sample").await;
    assert_eq!(names(&bench), Vec::<String>::new());
    fs::remove_dir_all(ws(&bench, ".git/hooks")).unwrap();
    run(&bench, "mkdir .git/hooks; ln -s x .git/hooks/a.sample").await;
    run(&bench, "ln -s ../evil .git/hooks").await;
    assert_eq!(names(&bench), [".git/hooks", ".git/hooks"]);
    assert!(ws(&bench, ".git/config").exists());
}

#[tokio::test]
async fn a_command_that_makes_it_again_and_again_is_ended() {
    let bench = bench();
    let command = "while :; do echo x >> .envrc; sleep 0.01; done";
    let output = run(&bench, command).await;
    let echo = output.echo.to_string();
    assert!(echo.contains("and was ended for making it again and again"), "{echo}");
    assert_eq!(output.card.payload["is_running"], false);
    assert!(!ws(&bench, ".envrc").exists());
    assert!(names(&bench).len() >= 3);
}

#[tokio::test(start_paused = true)]
async fn what_runs_on_is_looked_at_to_its_end() {
    let bench = bench();
    run(&bench, "(until [ -e go ]; do sleep 0.01; done; touch .envrc; sleep 1000) &").await;
    fs::write(ws(&bench, "go"), "").unwrap();
    while ws(&bench, ".envrc").exists() || names(&bench).is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    // A later call tells.
    let told = bench.echo("wait_until", json!({ "seconds": 1 })).await;
    assert!(told.contains("`.envrc` was put aside"), "{told}");
    // At the end of the session, too.
    let command = "trap 'touch .mcp.json; exit' TERM; touch ready; while :; do sleep 0.01; done";
    let call = bench.call("execute_command", json!({ "command": command, "background": true }));
    call.await.unwrap();
    while !ws(&bench, "ready").exists() {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    bench.runs.shutdown().await;
    assert_eq!(names(&bench), [".envrc", ".mcp.json"]);
    assert!(!ws(&bench, ".mcp.json").exists());
}

#[tokio::test(start_paused = true)]
async fn what_a_tool_makes_meanwhile_stays() {
    let bench = bench();
    let call = json!({ "command": "sleep 1000", "background": true });
    bench.call("execute_command", call).await.unwrap();
    bench.call("write_file", json!({ "path": ".envrc", "content": "x" })).await.unwrap();
    bench
        .call("write_file", json!({ "path": ".vscode/tasks.json", "content": "{}" }))
        .await
        .unwrap();
    let told = bench.echo("wait_until", json!({ "seconds": 3 })).await;
    assert_eq!(told, "waited 3 s");
    assert!(ws(&bench, ".envrc").exists() && ws(&bench, ".vscode/tasks.json").exists());
    bench.runs.shutdown().await;
}

/// Notes what it is asked to keep.
#[derive(Default)]
struct Kept(Mutex<Vec<String>>);

impl Keep for Kept {
    fn before<'a>(
        &'a self,
        _call: &'a Call,
        _claims: &'a Claims,
        _cx: &'a ToolContext,
    ) -> Pin<Box<dyn Future<Output = Option<Box<dyn After>>> + Send + 'a>> {
        Box::pin(std::future::ready(None))
    }

    fn aside(&self, call: &CallId, paths: &[PathBuf], take: &mut dyn FnMut()) -> Option<String> {
        let are_there = |paths: &[PathBuf]| paths.iter().all(|path| path.exists());
        assert!(are_there(paths));
        take();
        assert!(!are_there(paths));
        self.0.lock().unwrap().push(format!("{call}: {}", paths.len()));
        Some("a1".to_owned())
    }
}

#[tokio::test]
async fn the_way_back_is_kept_and_told() {
    let bench = bench();
    let kept = Arc::new(Kept::default());
    let mut cx = bench.context();
    let keeping = Keeping(Arc::clone(&kept) as Arc<dyn Keep>);
    cx.capabilities = Capabilities::clone(&cx.capabilities).with(Arc::new(keeping));
    let registry = tagline_tools::all();
    let arguments = json!({ "command": "touch .envrc .mcp.json" });
    let output = (registry.get("execute_command").unwrap().call)(arguments, &cx).await.unwrap();
    let echo = output.echo.to_string();
    assert!(echo.contains("the user brings it back with: tagline undo s1 --call a1"), "{echo}");
    assert_eq!(*kept.0.lock().unwrap(), ["c1: 2"]);
}
