//! Values of more than one line, or with an end of their own.

use alloc::string::String;

use crate::{
    Value,
    chars::trim,
    input::{Input, Peek},
    machine::{Cx, Machine},
};

use super::{Open, Stage, Step, Yaml, flow, lines, scalar, scalar::Block};

impl Machine {
    /// A value in quotes, a list or a map.
    pub(super) fn yaml_closed(
        &mut self,
        yaml: &mut Yaml,
        open: Open,
        mut scan: flow::Scan,
        cx: &mut Cx<'_, '_>,
    ) -> Step {
        let read = scan.read(cx.input);
        self.scan = scan.cursor();
        if self.is_beyond(open.from, self.scan) {
            return self.too_long(yaml, open.from, cx.input);
        }
        if !read {
            yaml.stage = Stage::Closed(open, scan);
            return Step::Wait;
        }
        self.scan = scan.behind(cx.input);
        if self.is_beyond(open.from, self.scan) {
            return self.too_long(yaml, open.from, cx.input);
        }
        match cx.input.peek(self.scan) {
            Peek::More => {
                yaml.stage = Stage::Closed(open, scan);
                return Step::Wait;
            }
            Peek::Byte(b'\n' | b'#' | b'<') | Peek::Over => {}
            // More than a closed value stands in the line, which is plain then.
            Peek::Byte(_) => {
                yaml.stage = Stage::Rest(open);
                return Step::Again;
            }
        }
        let span = open.from..scan.cursor();
        let source = cx.input.slice(span.clone());
        match scalar::quoted(source) {
            Some(text) => self.give_text(open.slot, &text, span, cx),
            None => match flow::json(source, self.limits.depth) {
                Some(json) => self.give(open.slot, &json, span, Value::Json, cx),
                None => self.give_text(open.slot, source, span, cx),
            },
        }
        self.behind_closed(yaml, cx.input)
    }

    /// Behind a closed value: the block's end tag may stand in the same line.
    fn behind_closed(&mut self, yaml: &mut Yaml, input: &Input<'_>) -> Step {
        let at = input.skip_blanks_of_line(self.scan);
        match input.peek(at) {
            Peek::Byte(b'<') => Step::Tag(at),
            Peek::Byte(_) | Peek::More | Peek::Over => {
                yaml.stage = Stage::Skip;
                Step::Again
            }
        }
    }

    pub(super) fn yaml_block(
        &mut self,
        yaml: &mut Yaml,
        open: Open,
        mut block: Block,
        cx: &mut Cx<'_, '_>,
    ) -> Step {
        let mut text = String::new();
        let ended = block.read(&mut self.scan, cx.input, &mut text);
        self.delta(&open.slot, &text, open.from, cx);
        match ended {
            Some(line) => {
                let rest = block.rest();
                self.delta(&open.slot, &rest, open.from, cx);
                let limits = self.limits;
                if let Some(block) = &mut self.block {
                    block.close_value_as(open.slot, open.from..line, &limits, Value::Text);
                }
                self.scan = line;
                yaml.stage = Stage::Line(line);
                Step::Again
            }
            None => {
                yaml.stage = Stage::Block(open, block);
                Step::Wait
            }
        }
    }

    /// Lines that belong to a key without a value in its own line.
    pub(super) fn yaml_nested(
        &mut self,
        yaml: &mut Yaml,
        open: Open,
        (line, is_in): (usize, bool),
        cx: &mut Cx<'_, '_>,
    ) -> Step {
        let belongs = if is_in { Some(true) } else { self.belongs(yaml, line, cx.input) };
        let end = if belongs == Some(true) { self.line_end(cx.input) } else { None };
        if self.is_beyond(open.from, self.scan) {
            return self.too_long(yaml, open.from, cx.input);
        }
        match (belongs, end) {
            (Some(true), Some(end)) => {
                self.scan = end + 1;
                yaml.stage = Stage::Nested(open, end + 1, false);
                Step::Again
            }
            (Some(false), _) => {
                self.close_nested(open, line, cx);
                self.scan = line;
                yaml.stage = Stage::Line(line);
                Step::Again
            }
            (is_in, _) => {
                yaml.stage = Stage::Nested(open, line, is_in == Some(true));
                Step::Wait
            }
        }
    }

    /// Whether a line belongs to the key before it; `None`: that is not known yet.
    fn belongs(&mut self, yaml: &Yaml, line: usize, input: &Input<'_>) -> Option<bool> {
        self.scan = input.skip_blanks_of_line(self.scan.max(line));
        let at = self.scan;
        match input.peek(at) {
            Peek::More => None,
            Peek::Byte(b'\n') => Some(true),
            Peek::Byte(b'-') if at - line == yaml.indent => match input.peek(at + 1) {
                Peek::More => None,
                Peek::Byte(byte) => Some(matches!(byte, b' ' | b'\n' | b'\r')),
                Peek::Over => Some(false),
            },
            Peek::Byte(_) => Some(at - line > yaml.indent),
            Peek::Over => Some(false),
        }
    }

    fn close_nested(&mut self, open: Open, end: usize, cx: &mut Cx<'_, '_>) {
        let span = open.from..end.max(open.from);
        let source = cx.input.slice(span.clone());
        match lines::json(source, self.limits.depth) {
            Some(json) => self.give(open.slot, &json, span, Value::Json, cx),
            None => self.give_text(open.slot, trim(source), span, cx),
        }
    }
}
