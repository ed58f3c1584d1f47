//! Definitions by a language's grammar.

use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree};

use crate::search::code::{
    Definition,
    ends::{Shape, start_of},
    languages::Language,
};

/// Longest text that is parsed, in bytes.
const LONGEST: usize = 4 * 1024 * 1024;
/// Most steps of the parser before it gives up, a step being a hundred operations of it.
const STEPS: usize = 200_000;

/// Deepest node that is looked at.
const DEEPEST: usize = 400;

/// A text as a tree; `None` where it is too long or too odd.
pub(crate) fn parse(language: &Language, text: &str) -> Option<Tree> {
    if text.len() > LONGEST {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(&(language.grammar)()).ok()?;
    let mut n_steps = 0;
    let mut go_on = |_: &ParseState| {
        n_steps += 1;
        if n_steps > STEPS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut read = |at: usize, _| text.as_bytes().get(at..).unwrap_or_default();
    let options = ParseOptions::new().progress_callback(&mut go_on);
    parser.parse_with_options(&mut read, None, Some(options))
}

/// As [`parse`], where no node lies so deep that a search could run out of stack.
pub(crate) fn parse_flat(language: &Language, text: &str) -> Option<Tree> {
    let tree = parse(language, text)?;
    let mut is_flat = true;
    visit(&tree, |_, above| is_flat &= above.len() < DEEPEST);
    is_flat.then_some(tree)
}

/// What is known of a node that is around others.
struct Above {
    /// Only what wraps a statement is around it, and it is such itself.
    is_outermost: bool,
    /// The first line of it and of what else wraps the same statement, where it does.
    wraps_from: Option<usize>,
}

impl Above {
    fn of(node: Node<'_>, above: Option<&Self>) -> Self {
        let (kind, row) = (node.kind(), node.start_position().row);
        let is_outermost = above.is_none_or(|above| above.is_outermost);
        let from = above.and_then(|above| above.wraps_from).unwrap_or(row);
        Self {
            is_outermost: is_outermost && (WRAPS.contains(&kind) || FILES.contains(&kind)),
            wraps_from: WRAPS.contains(&kind).then_some(from),
        }
    }
}

/// Kinds of nodes around a statement that belong to it.
const WRAPS: &[&str] = &[
    "decorated_definition",
    "export_statement",
    "template_declaration",
    "lexical_declaration",
    "variable_declaration",
    "expression_statement",
    "const_declaration",
    "var_declaration",
    "const_spec_list",
    "var_spec_list",
];

/// Kinds of nodes that hold a whole file.
const FILES: &[&str] = &["program", "module", "source_file", "translation_unit"];

/// Visits every node in the order of the text, with those around it, down to the deepest level.
fn visit<'t>(tree: &'t Tree, mut visit: impl FnMut(Node<'t>, &[Above])) {
    let mut cursor = tree.walk();
    let mut above: Vec<Above> = Vec::new();
    loop {
        let node = cursor.node();
        visit(node, &above);
        if above.len() < DEEPEST && cursor.goto_first_child() {
            above.push(Above::of(node, above.last()));
            continue;
        }
        while !cursor.goto_next_sibling() {
            above.pop();
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

/// What a text defines, in the order of the text.
pub(super) fn definitions(
    language: &Language,
    text: &str,
    lines: &[&str],
    shape: Shape,
) -> Option<Vec<Definition>> {
    let tree = parse(language, text)?;
    let mut found = Vec::new();
    visit(&tree, |node, above| {
        let above = above.last();
        if language.defines(node, above.is_some_and(|above| above.is_outermost)) {
            let from = above.and_then(|above| above.wraps_from);
            let row = from.unwrap_or_else(|| node.start_position().row);
            found.extend(definition(node, text, start_of(lines, row, shape), lines.len()));
        }
    });
    Some(found)
}

/// The definition that a node is; its first line is known, `n_lines` are there.
fn definition(node: Node<'_>, text: &str, first: usize, n_lines: usize) -> Option<Definition> {
    let name = name_of(node)?;
    let shown = text.get(name.byte_range())?;
    let end = node.end_position();
    // A node that ends with its line break ends in front of the next line.
    let last = if end.column == 0 { end.row.saturating_sub(1) } else { end.row };
    let at = name.start_position().row;
    let is_inside = first <= at && at <= last && last < n_lines;
    (is_inside && !shown.is_empty()).then(|| Definition { name: shown.to_owned(), at, first, last })
}

/// The node that names what a node defines.
fn name_of(node: Node<'_>) -> Option<Node<'_>> {
    let fields = ["name", "left", "declarator", "property", "key", "type"];
    let mut name = match node.kind() {
        // The return type of a function and the aliased type stand in `type`.
        "function_definition" | "type_definition" => {
            node.child_by_field_name("name").or_else(|| node.child_by_field_name("declarator"))?
        }
        _ => fields.iter().find_map(|field| node.child_by_field_name(field))?,
    };
    loop {
        let inner = ["declarator", "name", "property", "type"];
        let next = inner.iter().find_map(|field| name.child_by_field_name(field));
        let next = match name.kind() {
            "parenthesized_declarator" | "reference_declarator" => name.named_child(0),
            "reference_type" | "generic_type" | "scoped_type_identifier" => next,
            "operator_name" | "destructor_name" => None,
            _ => next,
        };
        match next {
            Some(next) => name = next,
            None => return is_name(name).then_some(name),
        }
    }
}

/// Patterns and subscripts are no names.
fn is_name(node: Node<'_>) -> bool {
    let kind = node.kind();
    kind.ends_with("identifier")
        || kind.ends_with("_name")
        || ["string", "primitive_type", "nested_namespace_specifier"].contains(&kind)
}
