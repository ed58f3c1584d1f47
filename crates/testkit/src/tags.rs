//! Sets of tags, written shortly.

use std::sync::LazyLock;

use tagline_parser::{ChildSpec, TagSet, TagSpec, ValueKind};

/// Tags of every kind: body and none, raw and scalar, children, lists, an alias.
pub const EVERYDAY: &str = "
    write_file|create_file @path @mode =body
    say @tone ~body
    search query path
    create path =content
    app @id =html =doc
    ask @files options body
    batch path*
    query @path pattern
";

/// Tags as agents with one child for each argument declare them.
const CHILDREN: &str = "
    read_file path start_line end_line
    write_to_file path =content overwrite
    edit file_path =old_string =new_string replace_all
    replace_in_file path =diff
    execute_command command requires_approval
    list_files path recursive
    attempt_completion ~body
    update_plan step*:status
";

/// Tags as agents with attributes and bodies declare them, and names that begin alike.
const ATTRIBUTES: &str = "
    read_file @path
    read @path
    write_file @path @description =body
    create_app @id =html =doc =thumbnail
    create_shortcut @name =html =doc
    execute_command @background body
    wait @seconds
    wait-sequence @count
    reset_chat
    say @tone ~body
";

/// A tool that gets the weather, as examples of other dialects have it.
const FOREIGN: &str = "
    get_weather city days
    now
    write_file path =content
    run command !
    terminal =body
";

/// All sets of tags by number, built once: a fuzz target asks for them on every text.
#[must_use]
pub fn sets() -> &'static [TagSet] {
    static SETS: LazyLock<[TagSet; 4]> =
        LazyLock::new(|| [EVERYDAY, CHILDREN, ATTRIBUTES, FOREIGN].map(tag_set));
    SETS.as_slice()
}

/// Tags, one a line: the name with its aliases behind `|`, then `@attribute`, `child`, and `body`.
/// `=` before a child or the body: raw. `~` before the body: may end with the reply. `*` behind a
/// child: a list. `:name` behind a child: an attribute of the child. `!`: needs a mark.
#[must_use]
pub fn tag_set(lines: &str) -> TagSet {
    TagSet::new(lines.lines().map(str::trim).filter(|line| !line.is_empty()).map(tag))
}

fn tag(line: &str) -> TagSpec {
    let mut spec = TagSpec::default();
    let mut words = line.split_whitespace();
    let mut names = words.next().unwrap_or_default().split('|').map(str::to_owned);
    spec.name = names.next().unwrap_or_default();
    spec.aliases = names.collect();
    for word in words {
        let (kind, rest) = match word.strip_prefix('=') {
            Some(rest) => (ValueKind::Raw, rest),
            None => (ValueKind::Scalar, word),
        };
        match (word.strip_prefix('@'), rest.trim_start_matches('~')) {
            (Some(name), _) => spec.attributes.push(name.to_owned()),
            (None, "!") => spec.needs_mark = true,
            (None, "body") => {
                spec.body = Some(kind);
                spec.is_lenient_eof = rest.starts_with('~');
            }
            (None, name) => spec.children.push(child(name, kind)),
        }
    }
    spec
}

fn child(text: &str, kind: ValueKind) -> ChildSpec {
    let mut parts = text.split(':');
    let name = parts.next().unwrap_or_default();
    ChildSpec {
        name: name.trim_end_matches('*').to_owned(),
        kind,
        is_list: name.ends_with('*'),
        attributes: parts.map(str::to_owned).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_tag() {
        let set = tag_set("a|b @c d* =e:f ~body !");
        let child = |name: &str| ChildSpec { name: name.into(), ..ChildSpec::default() };
        let expected = TagSpec {
            name: "a".into(),
            aliases: vec!["b".into()],
            attributes: vec!["c".into()],
            children: vec![
                ChildSpec { is_list: true, ..child("d") },
                ChildSpec { kind: ValueKind::Raw, attributes: vec!["f".into()], ..child("e") },
            ],
            body: Some(ValueKind::Scalar),
            is_lenient_eof: true,
            needs_mark: true,
        };
        assert_eq!(set.specs(), [expected]);
    }
}
