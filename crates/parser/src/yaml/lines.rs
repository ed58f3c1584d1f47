//! Lists and maps in lines, as JSON.

use alloc::{string::String, vec::Vec};

use super::{
    flow::{self, write_scalar, write_text},
    scalar::plain,
};

/// A list or map that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Level {
    indent: usize,
    is_list: bool,
}

/// Writes JSON, a line of YAML after the other.
struct Writer {
    out: String,
    open: Vec<Level>,
    /// A value is due, for a key or for an item.
    is_value_due: bool,
    depth_limit: usize,
}

/// Lines as JSON; `None` where they are more than lists and maps of scalars.
pub(super) fn json(source: &str, depth_limit: usize) -> Option<String> {
    let (out, open) = (String::new(), Vec::new());
    let mut writer = Writer { out, open, is_value_due: true, depth_limit };
    for line in source.lines() {
        let text = line.trim_start();
        if !text.is_empty() && !text.starts_with('#') {
            writer.line(line.len() - text.len(), text)?;
        }
    }
    if writer.open.is_empty() && writer.is_value_due {
        writer.out.push_str("null");
    }
    while !writer.open.is_empty() {
        writer.close();
    }
    Some(writer.out)
}

impl Writer {
    /// Closes what is indented more than this.
    fn close_to(&mut self, indent: usize) {
        while let Some(level) = self.open.last()
            && level.indent > indent
        {
            self.close();
        }
    }

    /// Closes the innermost list or map.
    fn close(&mut self) {
        if core::mem::take(&mut self.is_value_due) {
            self.out.push_str("null");
        }
        if let Some(level) = self.open.pop() {
            self.out.push(if level.is_list { ']' } else { '}' });
        }
    }

    fn line(&mut self, mut indent: usize, text: &str) -> Option<()> {
        let mut rest = text;
        loop {
            if let Some(item) = rest.strip_prefix("- ").or((rest.trim_end() == "-").then_some("")) {
                self.level(Level { indent, is_list: true })?;
                self.is_value_due = true;
                let inner = item.trim_start();
                indent += 2 + (item.len() - inner.len());
                rest = inner;
                if rest.is_empty() {
                    return Some(());
                }
                continue;
            }
            return match key(rest) {
                Some((key, value)) => self.member(indent, key, plain(value)),
                None => self.scalar(plain(rest)),
            };
        }
    }

    /// Goes to a list or map of this level, behind its last member.
    fn level(&mut self, level: Level) -> Option<()> {
        // The items of a key's list may be indented as the key is.
        let is_beside = level.is_list
            && self.is_value_due
            && self.open.last() == Some(&Level { is_list: false, ..level });
        if !is_beside {
            self.close_to(level.indent);
        }
        let is_behind_items = self.open.ends_with(&[level, Level { is_list: true, ..level }]);
        if !level.is_list && is_behind_items {
            self.close();
        }
        match self.open.last() {
            Some(last) if *last == level => {
                if core::mem::take(&mut self.is_value_due) {
                    self.out.push_str("null");
                }
                self.out.push(',');
            }
            Some(_) | None if self.is_value_due && self.open.len() < self.depth_limit => {
                self.out.push(if level.is_list { '[' } else { '{' });
                self.open.push(level);
            }
            Some(_) | None => return None,
        }
        Some(())
    }

    fn member(&mut self, indent: usize, key: &str, value: &str) -> Option<()> {
        self.level(Level { indent, is_list: false })?;
        write_text(&mut self.out, key);
        self.out.push(':');
        self.is_value_due = true;
        if value.is_empty() { Some(()) } else { self.scalar(value) }
    }

    fn scalar(&mut self, text: &str) -> Option<()> {
        if !core::mem::take(&mut self.is_value_due) || text.starts_with(['|', '>', '&', '*', '!']) {
            return None;
        }
        if text.starts_with(['[', '{']) {
            self.out.push_str(&flow::json(text, self.depth_limit)?);
        } else {
            write_scalar(&mut self.out, text);
        }
        Some(())
    }
}

/// A key and what stands behind it.
fn key(text: &str) -> Option<(&str, &str)> {
    let end = match text.bytes().next()? {
        quote @ (b'"' | b'\'') => 1 + text.bytes().skip(1).position(|byte| byte == quote)? + 1,
        _ => text.find(':')?,
    };
    let rest = text.get(end..)?.trim_start().strip_prefix(':')?;
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some((text.get(..end)?.trim(), rest))
}

#[cfg(test)]
mod tests {
    use super::json;

    #[track_caller]
    fn check(source: &str, expected: Option<&str>) {
        assert_eq!(json(source, 8).as_deref(), expected, "{source}");
    }

    #[test]
    fn lists_and_maps_become_json() {
        check("- a\n- 'b'\n- 3\n", Some("[\"a\",\"b\",3]"));
        check(
            "  k: 1\n  l:\n    - x\n    - y: z\n      w: [1, 2]\n  m:\n",
            Some("{\"k\":1,\"l\":[\"x\",{\"y\":\"z\",\"w\":[1,2]}],\"m\":null}"),
        );
        check("k:\n- a\n- b\nl: c # d\n", Some("{\"k\":[\"a\",\"b\"],\"l\":\"c\"}"));
        check("", Some("null"));
    }

    #[test]
    fn other_lines_are_text() {
        check("one\ntwo\n", None);
        check("k: |\n  x\n", None);
        check("- a\nk: b\n", None);
    }
}
