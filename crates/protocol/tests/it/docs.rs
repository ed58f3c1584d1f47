//! The tool docs of the prompt.

use expect_test::{Expect, expect};
use tagline_protocol::Detail;

use crate::tools;

#[track_caller]
fn check(detail: Detail, expected: Expect) {
    expected.assert_eq(&tools::toolset().docs(detail));
}

#[test]
fn compact_docs_name_every_argument_and_show_one_call() {
    check(
        Detail::Compact,
        expect![[r###"
            ## write_file
            Writes a text file, whole.
            path, content (body)
            <write_file path="notes/a.txt"><![CDATA[Hello!
            ]]></write_file>

            ## read_file
            Reads a file, with line numbers.
            path, from?, to?
            <read_file path="src/main.rs" from="1" to="80"/>

            ## search_files
            Searches text in files.
            query (child), path?, context?, min_score?, match_case?
            <search_files path="src"><query>fn main</query></search_files>

            ## say
            Speaks to the user.
            tone? (warm|neutral|playful), text (body)
            <say tone="warm">On it.</say>

            ## update_plan
            Shows the plan.
            step (children: status? (open|doing|done), text (body))
            <update_plan><step status="done">Read the code</step><step>Mend it</step></update_plan>

            ## execute_command
            Runs a command.
            cwd?, background?, timeout_seconds?, command (body or child)
            <execute_command>cargo test</execute_command>

            ## mutate_data
            Changes the stored data of a surface.
            id, label? (children), patch (body)
            <mutate_data id="app-1"><![CDATA[[{"op":"add","path":"/n","value":1}]]]></mutate_data>

            ## attempt_completion
            Ends the turn with the answer.
            result (body or child)
            <attempt_completion><result>It works.</result></attempt_completion>

            ## list_recent_commands
            Lists recent commands.
            <list_recent_commands/>
        "###]],
    );
}

#[track_caller]
fn check_full(names: &[&str], expected: Expect) {
    let toolset = tools::toolset();
    let docs = names.iter().map(|name| toolset.get(name).unwrap().docs(Detail::Full));
    expected.assert_eq(&docs.collect::<Vec<_>>().join("\n"));
}

#[test]
fn full_docs_say_what_each_argument_is() {
    check_full(
        &["write_file", "search_files", "say", "list_recent_commands"],
        expect![[r###"
        ## write_file
        Writes a text file, whole. To change a part, use `replace_in_file`.
        - path: text, required. Path below the workspace, such as `src/main.rs`.
        - content (body): text, required. The new text, all of it.
        <write_file path="notes/a.txt"><![CDATA[Hello!
        ]]></write_file>

        ## search_files
        Searches text in files.
        - query (child): text, required. What to look for.
        - path: text, default `.`. Folder to look in.
        - context: whole number 0 to 20, default `2`. Lines around each match.
        - min_score: number 0.0 to 1.0, optional. Least score.
        - match_case: true or false, default `false`. Whether upper and lower case differ.
        <search_files path="src"><query>fn main</query></search_files>

        ## say
        Speaks to the user.
        - tone: warm|neutral|playful, optional. How it is meant.
        - text (body): text, required. The words.
        <say tone="warm">On it.</say>

        ## list_recent_commands
        Lists recent commands.
        <list_recent_commands/>
    "###]],
    );
}

#[test]
fn full_docs_say_what_stands_in_elements_and_bodies() {
    check_full(
        &["update_plan", "mutate_data", "attempt_completion"],
        expect![[r###"
        ## update_plan
        Shows the plan.
        - step (children): several elements, required. The steps, in order.
          - status: open|doing|done, default `open`. Where it stands.
          - text (body): text, required. What is done.
        <update_plan><step status="done">Read the code</step><step>Mend it</step></update_plan>

        ## mutate_data
        Changes the stored data of a surface.
        - id: text, required. The surface.
        - label (children): several, each text, optional. Labels to add.
        - patch (body): JSON, required. A JSON Patch.
        <mutate_data id="app-1"><![CDATA[[{"op":"add","path":"/n","value":1}]]]></mutate_data>

        ## attempt_completion
        Ends the turn with the answer.
        - result (body or child): text, required. The answer.
        <attempt_completion><result>It works.</result></attempt_completion>
    "###]],
    );
}

#[test]
fn a_compact_tool_takes_about_fifty_tokens() {
    let toolset = tools::toolset();
    let n_chars = toolset.docs(Detail::Compact).chars().count();
    // Four characters of English and markup are about one token.
    assert!(n_chars / 4 / toolset.specs().len() <= 60, "{n_chars} characters");
}

#[test]
fn the_same_specs_give_the_same_bytes() {
    for detail in [Detail::Compact, Detail::Full] {
        assert_eq!(tools::toolset().docs(detail), tools::toolset().docs(detail));
    }
}
