//! Elements whose text names the tool that the values behind them are for:
//! `<tool_name>read_file</tool_name><parameter=path>…`.

use crate::{
    RepairKind,
    dialect::{Form, Role},
    element::{Element, Found, Next},
    input::{Input, Peek},
    machine::{Cx, Flow, Machine, State},
    names::{ToolId, Word},
    tag::{Head, HeadReader, LightReader, Mark, Read, StartTag},
    target::Target,
};

/// The element that a call without one of its own is taken for.
pub(crate) const FUNCTION: &str = "function";

impl Machine {
    /// A call of a tool in a manner that is not known, or text.
    pub(crate) fn unknown(&self, element: &Element, tool: ToolId) -> Found {
        if element.chain.len() == 1 {
            return Found::Nothing;
        }
        let name = self.names.tool(tool).map(|tool| tool.spec.name.clone());
        Found::Unknown(name.into_iter().collect())
    }

    /// Whether the last tag of the chain is of an element that names a tool.
    pub(crate) fn is_name_tag(&self, element: &Element, input: &Input<'_>) -> bool {
        let name = element.chain.last().map(|tag| input.slice(tag.head.name.clone()));
        let word = name.and_then(|name| self.names.word(name));
        word.is_some_and(|word| self.names.role(word) == Role::Name)
    }

    /// Looks whether values stand behind the element that names a tool.
    pub(crate) fn look_behind_name(&mut self, element: &mut Element, input: &Input<'_>) -> Found {
        match &mut element.next {
            Next::NameEnd(tool, reader) => match (*tool, reader.read(input)) {
                (_, Read::More) => return Found::More,
                (tool, Read::Done(Mark::Tag(head))) if head.is_end => {
                    element.next = Next::End(tool, LightReader::new(head));
                }
                (tool, _) => return self.unknown(element, tool),
            },
            Next::End(tool, reader) => match (*tool, reader.read(input)) {
                (_, Read::More) => return Found::More,
                (tool, Read::Done(light)) => {
                    self.scan = light.end;
                    element.next = Next::Behind(tool, light.end);
                }
                (tool, _) => return self.unknown(element, tool),
            },
            Next::Behind(tool, end) => {
                let (tool, end) = (*tool, *end);
                self.scan = input.skip_blanks(self.scan);
                match input.peek(self.scan) {
                    Peek::More => return Found::More,
                    Peek::Byte(b'<') => {
                        let reader = HeadReader::new(self.scan, self.limits.name);
                        element.next = Next::First(tool, end, reader);
                    }
                    Peek::Byte(_) | Peek::Over => return self.unknown(element, tool),
                }
            }
            Next::First(tool, end, reader) => {
                let (tool, end) = (*tool, *end);
                let target = Target::calling(tool, Word::default());
                return match reader.read(input) {
                    Read::More => Found::More,
                    Read::Done(mark @ Mark::Tag(Head { is_end: false, .. }))
                        if self.is_structure(&mark, &target, input) =>
                    {
                        Found::Values(tool, end)
                    }
                    Read::Done(_) | Read::Not(_) | Read::Cut => self.unknown(element, tool),
                };
            }
            Next::Gap | Next::Head(_) | Next::Tag(_) | Next::Word(_) => return Found::Nothing,
        }
        Found::Again
    }

    /// The tool that an element names is called with the values behind it.
    pub(crate) fn call_named(
        &mut self,
        element: &Element,
        tool: ToolId,
        behind: usize,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        let Some(named) = element.chain.last() else { return self.go(State::Text) };
        let head = named.head.clone();
        let at = head.at;
        let sentinel = self.names.sentinel(&head, cx.input);
        self.drop_to(at, cx);
        let own = self.names.word(FUNCTION).unwrap_or_default();
        let lead = self.names.word(cx.input.slice(head.name.clone()));
        let target = Target::calling(tool, own).written(Form::Equals, sentinel);
        let target = Target { lead, ..target };
        let flow = self.open_block(StartTag::bare(head, behind), target, cx);
        self.mended(RepairKind::NameAsText, at..behind);
        flow
    }
}
