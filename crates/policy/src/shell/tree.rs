//! What the grammar of bash finds: every command, wherever it stands.

use std::ops::{ControlFlow, Range};

use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree, TreeCursor};

use super::expand::{Variables, words};

/// What a text holds.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The words of each command, in order, generously read.
    pub(crate) commands: Vec<Vec<String>>,
    /// Files that redirections write.
    pub(crate) written: Vec<String>,
    /// Files that redirections read.
    pub(crate) read: Vec<String>,
    /// Where the texts of here-documents stand, in bytes.
    pub(crate) documents: Vec<Range<usize>>,
    /// The text is not valid bash, as far as the grammar knows.
    pub(crate) is_broken: bool,
}

/// Longest text that the grammar reads, in bytes, and most here-documents in it: on some broken texts
/// its time grows with the square of these. Beyond them a text counts as broken.
pub(crate) const MAX: usize = 8 * 1024;
const MAX_DOCUMENTS: usize = 16;

/// Walks the tree of a text. Notes its assignments in `variables`.
pub(crate) fn find(text: &str, variables: &mut Variables) -> Found {
    let mut parser = Parser::new();
    let is_ready = parser.set_language(&tree_sitter_bash::LANGUAGE.into()).is_ok();
    let is_affordable = text.len() <= MAX && text.matches("<<").count() <= MAX_DOCUMENTS;
    let tree = (is_ready && is_affordable).then(|| parse(&mut parser, &plain_bytes(text)));
    let tree = tree.flatten();
    let Some(tree) = tree else {
        return Found { is_broken: true, ..Found::default() };
    };
    let found = Found { is_broken: tree.root_node().has_error(), ..Found::default() };
    let mut walk = Walk { text, variables, found };
    let mut cursor = tree.walk();
    loop {
        walk.visit(cursor.node());
        if !advance(&mut cursor) {
            return walk.found;
        }
    }
}

/// The tree, unless it takes far more steps than its length warrants: some broken texts make the
/// grammar try ever more ways to mend them. Steps are counted, not time, so that the answer is always
/// the same.
fn parse(parser: &mut Parser, bytes: &[u8]) -> Option<Tree> {
    // The callback comes every hundred steps, and a token takes a few.
    let mut n_left = 200 + bytes.len() / 20;
    let mut progress = |_: &ParseState| match n_left.checked_sub(1) {
        Some(n) => {
            n_left = n;
            ControlFlow::Continue(())
        }
        None => ControlFlow::Break(()),
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut read = |start: usize, _| bytes.get(start..).unwrap_or_default();
    parser.parse_with_options(&mut read, None, Some(options))
}

/// The text with a letter for each byte that is no plain ASCII, so that offsets stay.
///
/// The grammar's scanner hands characters to C's `isalpha` and its like, which read beyond their
/// tables for most of Unicode, and it takes a carriage return for a blank, which bash does not. To
/// bash all these are letters of words.
fn plain_bytes(text: &str) -> Vec<u8> {
    let is_plain = |it: u8| matches!(it, b'\n' | b'\t' | b' '..=b'~');
    text.bytes().map(|it| if is_plain(it) { it } else { b'x' }).collect()
}

/// To the next node, parents before children. Without recursion: the text decides how deep it is.
fn advance(cursor: &mut TreeCursor<'_>) -> bool {
    if cursor.goto_first_child() {
        return true;
    }
    while !cursor.goto_next_sibling() {
        if !cursor.goto_parent() {
            return false;
        }
    }
    true
}

struct Walk<'a> {
    text: &'a str,
    variables: &'a mut Variables,
    found: Found,
}

impl Walk<'_> {
    fn visit(&mut self, node: Node<'_>) {
        match node.kind() {
            "command" => self.command(node),
            "declaration_command" | "unset_command" => self.command(node),
            "file_redirect" => self.redirect(node),
            "variable_assignment" => self.assignment(node),
            "for_statement" => self.each(node),
            "heredoc_body" => self.found.documents.push(node.byte_range()),
            _ => {}
        }
    }

    fn command(&mut self, node: Node<'_>) {
        let mut words = Vec::new();
        for child in node.children(&mut node.walk()) {
            let is_other = matches!(
                child.kind(),
                "variable_assignment"
                    | "file_redirect"
                    | "heredoc_redirect"
                    | "herestring_redirect"
                    | "subshell"
            );
            if !is_other {
                words.extend(self.words(child));
            }
        }
        self.found.commands.push(words);
    }

    /// The grammar takes every word after a redirection for its target; bash takes the first and
    /// leaves the others to the command.
    fn redirect(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let targets = node.children_by_field_name("destination", &mut cursor);
        let mut words = targets.flat_map(|target| self.words(target));
        let is_input = node.children(&mut node.walk()).any(|child| child.kind() == "<");
        let (first, rest) = (words.next(), words.collect::<Vec<_>>());
        let files = if is_input { &mut self.found.read } else { &mut self.found.written };
        files.extend(first);
        if !rest.is_empty() {
            if let Some(command) = self.found.commands.last_mut() {
                command.extend(rest.iter().cloned());
            }
            self.found.commands.push(rest);
        }
    }

    fn assignment(&mut self, node: Node<'_>) {
        let name = node.child_by_field_name("name").map(|it| self.source(it).to_owned());
        let value = node.child_by_field_name("value").map(|it| self.words(it).join(" "));
        if let (Some(name), Some(value)) = (name, value) {
            self.variables.set(&name, value);
        }
    }

    /// The variable of a loop holds all its values at once: each of them has its turn.
    fn each(&mut self, node: Node<'_>) {
        let name = node.child_by_field_name("variable").map(|it| self.source(it).to_owned());
        let mut cursor = node.walk();
        let values = node.children_by_field_name("value", &mut cursor);
        let values: Vec<_> = values.flat_map(|it| self.words(it)).collect();
        if let Some(name) = name {
            self.variables.set(&name, values.join(" "));
        }
    }

    fn words(&self, node: Node<'_>) -> Vec<String> {
        words(self.source(node), self.variables)
    }

    fn source(&self, node: Node<'_>) -> &str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }
}
