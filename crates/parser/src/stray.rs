//! End tags at the start of a line that nothing opened: debris, hidden and named once.

use alloc::{boxed::Box, string::String};

use crate::{
    Reason,
    input::Peek,
    machine::{Cx, Flow, Machine, State},
    tag::{HeadReader, Light, LightReader, Mark, Read},
    text::Sight,
};

/// End tags, with nothing but blanks between them.
#[derive(Debug)]
pub(crate) struct Stray {
    from: usize,
    /// Behind the last of them.
    end: usize,
    /// The first that ends a tool; ends of values alone are text.
    tool: Option<String>,
    next: Next,
}

/// What is read behind them.
#[derive(Debug)]
enum Next {
    /// Blanks.
    Gap,
    /// A name.
    Head(HeadReader),
    /// The rest of an end tag.
    Tag(LightReader, bool),
}

impl Machine {
    pub(crate) fn open_stray(&mut self, light: &Light, sight: Sight, cx: &mut Cx<'_, '_>) -> Flow {
        self.emit_text(light.head.at, cx);
        self.scan = light.end;
        let name = String::from(cx.input.slice(light.head.name.clone()));
        let is_tool = matches!(sight, Sight::Tool(..) | Sight::Call(..));
        let stray = Stray {
            from: light.head.at,
            end: light.end,
            tool: is_tool.then_some(name),
            next: Next::Gap,
        };
        self.go(State::Stray(Box::new(stray)))
    }

    pub(crate) fn stray(&mut self, mut stray: Box<Stray>, cx: &mut Cx<'_, '_>) -> Flow {
        loop {
            if self.is_beyond(stray.from, self.scan) {
                return self.close_stray(&stray, cx);
            }
            let is_on = match &mut stray.next {
                Next::Gap => {
                    self.scan = cx.input.skip_blanks(self.scan);
                    match cx.input.peek(self.scan) {
                        Peek::More => return self.wait(State::Stray(stray)),
                        Peek::Byte(b'<') => {
                            let reader = HeadReader::new(self.scan, self.limits.name);
                            stray.next = Next::Head(reader);
                            true
                        }
                        Peek::Byte(_) | Peek::Over => false,
                    }
                }
                Next::Head(reader) => match reader.read(cx.input) {
                    Read::More => return self.wait(State::Stray(stray)),
                    Read::Done(Mark::Tag(head)) if head.is_end => {
                        let name = cx.input.slice(head.name.clone());
                        let is_tool = self.is_stray(name);
                        stray.next = Next::Tag(LightReader::new(head), is_tool == Some(true));
                        is_tool.is_some()
                    }
                    Read::Done(_) | Read::Not(_) | Read::Cut => false,
                },
                Next::Tag(reader, is_tool) => match reader.read(cx.input) {
                    Read::More => return self.wait(State::Stray(stray)),
                    Read::Done(light) => {
                        if *is_tool && stray.tool.is_none() {
                            stray.tool = Some(cx.input.slice(light.head.name.clone()).into());
                        }
                        (stray.end, self.scan) = (light.end, light.end);
                        stray.next = Next::Gap;
                        true
                    }
                    Read::Not(_) | Read::Cut => false,
                },
            };
            if !is_on {
                return self.close_stray(&stray, cx);
            }
        }
    }

    /// Whether an end tag of this name is debris, and then whether it is a tool's.
    /// `[E9]`
    fn is_stray(&self, name: &str) -> Option<bool> {
        let word = self.names.word(name)?;
        let is_call = matches!(self.names.role(word), crate::dialect::Role::Call(_));
        if self.names.is_any_tool(word) || is_call {
            return Some(true);
        }
        let is_value = matches!(self.names.role(word), crate::dialect::Role::Param);
        (self.names.is_param(word) || is_value).then_some(false)
    }

    fn close_stray(&mut self, stray: &Stray, cx: &mut Cx<'_, '_>) -> Flow {
        self.scan = stray.end;
        match &stray.tool {
            Some(tool) => {
                self.fault(Reason::StrayClose, tool, stray.from..stray.end, cx);
                self.done = stray.end;
                self.go(State::Text)
            }
            None => self.as_text(stray.end),
        }
    }
}
