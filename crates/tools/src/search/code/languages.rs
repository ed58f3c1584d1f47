//! The languages with a grammar, and what counts as a definition in each.

use tree_sitter::Node;

/// A language with a grammar.
#[derive(Debug)]
pub(crate) struct Language {
    /// As people call it, in lower case.
    pub(crate) name: &'static str,
    /// Other words for it.
    pub(crate) aliases: &'static [&'static str],
    /// Ends of names of its files.
    pub(crate) ends: &'static [&'static str],
    pub(crate) grammar: fn() -> tree_sitter::Language,
    /// Kinds of nodes that define something wherever they stand.
    pub(super) everywhere: &'static [&'static str],
    /// Kinds of nodes that define something where nothing but these is around them.
    pub(super) outermost: &'static [&'static str],
}

impl Language {
    /// By the end of a file's name.
    pub(crate) fn of(path: &str) -> Option<&'static Self> {
        let (_, end) = path.rsplit_once('.')?;
        ALL.iter().find(|language| language.ends.contains(&end))
    }

    /// By a word for it, in any letter case.
    pub(crate) fn named(word: &str) -> Option<&'static Self> {
        let word = word.trim().to_lowercase();
        let is_it = |language: &&Self| {
            language.name == word
                || language.aliases.contains(&word.as_str())
                || language.ends.contains(&word.as_str())
        };
        ALL.iter().find(is_it)
    }

    /// Every name.
    pub(crate) fn names() -> Vec<&'static str> {
        ALL.iter().map(|language| language.name).collect()
    }

    /// Whether a node defines something; `is_outermost` says whether only what wraps a statement is
    /// around it.
    pub(super) fn defines(&self, node: Node<'_>, is_outermost: bool) -> bool {
        let kind = node.kind();
        if HAS_BODY.contains(&kind) && node.child_by_field_name("body").is_none() {
            return false;
        }
        self.everywhere.contains(&kind)
            || (is_outermost && self.outermost.contains(&kind))
            || (ASSIGNED.contains(&kind) && has_function(node))
    }
}

/// Kinds that also stand where a type is only used.
const HAS_BODY: &[&str] =
    &["struct_specifier", "union_specifier", "enum_specifier", "class_specifier"];

/// Kinds that define a function where one is their value.
const ASSIGNED: &[&str] = &[
    "variable_declarator",
    "assignment_expression",
    "pair",
    "field_definition",
    "public_field_definition",
];

fn has_function(node: Node<'_>) -> bool {
    let value = node.child_by_field_name("value").or_else(|| node.child_by_field_name("right"));
    let functions =
        ["arrow_function", "function_expression", "generator_function", "class", "function"];
    value.is_some_and(|value| functions.contains(&value.kind()))
}

const SCRIPT: &[&str] = &[
    "function_declaration",
    "generator_function_declaration",
    "class_declaration",
    "method_definition",
];

const TYPED_SCRIPT: &[&str] = &[
    "function_declaration",
    "generator_function_declaration",
    "class_declaration",
    "method_definition",
    "abstract_class_declaration",
    "interface_declaration",
    "type_alias_declaration",
    "enum_declaration",
    "internal_module",
    "function_signature",
    "method_signature",
    "abstract_method_signature",
];

static ALL: [Language; 9] = [
    Language {
        name: "rust",
        aliases: &[],
        ends: &["rs"],
        grammar: || tree_sitter_rust::LANGUAGE.into(),
        everywhere: &[
            "function_item",
            "function_signature_item",
            "struct_item",
            "enum_item",
            "union_item",
            "trait_item",
            "impl_item",
            "mod_item",
            "type_item",
            "const_item",
            "static_item",
            "macro_definition",
        ],
        outermost: &[],
    },
    Language {
        name: "python",
        aliases: &["py"],
        ends: &["py", "pyi"],
        grammar: || tree_sitter_python::LANGUAGE.into(),
        everywhere: &["function_definition", "class_definition"],
        outermost: &["assignment"],
    },
    Language {
        name: "javascript",
        aliases: &["js", "node"],
        ends: &["js", "mjs", "cjs", "jsx"],
        grammar: || tree_sitter_javascript::LANGUAGE.into(),
        everywhere: SCRIPT,
        outermost: &["variable_declarator"],
    },
    Language {
        name: "typescript",
        aliases: &[],
        ends: &["ts", "mts", "cts"],
        grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        everywhere: TYPED_SCRIPT,
        outermost: &["variable_declarator"],
    },
    Language {
        name: "tsx",
        aliases: &[],
        ends: &["tsx"],
        grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
        everywhere: TYPED_SCRIPT,
        outermost: &["variable_declarator"],
    },
    Language {
        name: "go",
        aliases: &["golang"],
        ends: &["go"],
        grammar: || tree_sitter_go::LANGUAGE.into(),
        everywhere: &["function_declaration", "method_declaration", "type_spec", "type_alias"],
        outermost: &["const_spec", "var_spec"],
    },
    Language {
        name: "java",
        aliases: &[],
        ends: &["java"],
        grammar: || tree_sitter_java::LANGUAGE.into(),
        everywhere: &[
            "class_declaration",
            "interface_declaration",
            "enum_declaration",
            "record_declaration",
            "annotation_type_declaration",
            "method_declaration",
            "constructor_declaration",
        ],
        outermost: &[],
    },
    Language {
        name: "c",
        aliases: &[],
        ends: &["c"],
        grammar: || tree_sitter_c::LANGUAGE.into(),
        everywhere: &[
            "function_definition",
            "struct_specifier",
            "union_specifier",
            "enum_specifier",
            "type_definition",
            "preproc_function_def",
        ],
        outermost: &[],
    },
    Language {
        name: "cpp",
        aliases: &["c++", "cplusplus"],
        ends: &["cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "ipp"],
        grammar: || tree_sitter_cpp::LANGUAGE.into(),
        everywhere: &[
            "function_definition",
            "struct_specifier",
            "union_specifier",
            "enum_specifier",
            "class_specifier",
            "namespace_definition",
            "type_definition",
            "alias_declaration",
            "concept_definition",
            "preproc_function_def",
        ],
        outermost: &[],
    },
];

/// Whether a file holds code, also of a language without a grammar here.
pub(crate) fn is_code(path: &str) -> bool {
    let scanned = [
        "rb", "lua", "ex", "exs", "jl", "cr", "cs", "kt", "kts", "swift", "php", "scala", "dart",
        "groovy", "zig", "nim", "proto", "vue", "svelte", "m", "mm",
    ];
    let end = path.rsplit_once('.').map_or("", |(_, end)| end);
    Language::of(path).is_some() || scanned.contains(&end)
}
