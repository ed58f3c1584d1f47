//! Text of a script → [`Script`].

use std::time::Duration;

use regex::Regex;
use tagline_protocol::Usage;

use super::{
    line::{Directive, ScriptError, parse_duration, split_word},
    types::{Ending, Expect, Pace, Place, Reply, Script, Step, Test, Times},
};
use crate::{FaultClass, FinishReason, ModelFault};

/// Reads a script whole.
pub(crate) fn parse(text: &str) -> Result<Script, ScriptError> {
    let mut reader = Reader::default();
    for (at, line) in text.lines().enumerate() {
        match Directive::of(at + 1, line) {
            Some(directive) => reader.directive(&directive)?,
            None => reader.text_line(at + 1, line)?,
        }
    }
    reader.finish()
}

/// Which section the text lines belong to.
#[derive(Clone, Copy, Debug, Default)]
enum Kind {
    #[default]
    Text,
    Reasoning,
}

#[derive(Debug, Default)]
struct Reader {
    script: Script,
    default_pace: Pace,
    pace: Pace,
    kind: Kind,
    /// Lines of the open section; `None` until its first line.
    section: Option<String>,
}

impl Reader {
    fn text_line(&mut self, line: usize, text: &str) -> Result<(), ScriptError> {
        if self.script.replies.is_empty() {
            if text.trim().is_empty() || text.starts_with('#') {
                return Ok(());
            }
            return Err(ScriptError::BeforeFirstReply { line, word: text.trim().to_owned() });
        }
        let text = match text.strip_prefix('\\') {
            Some(rest) if rest.starts_with("===") => rest,
            _ => text,
        };
        match &mut self.section {
            Some(section) => {
                section.push('\n');
                section.push_str(text);
            }
            None => self.section = Some(text.to_owned()),
        }
        Ok(())
    }

    fn directive(&mut self, directive: &Directive<'_>) -> Result<(), ScriptError> {
        self.close_section();
        match directive.word {
            "reply" => self.open_reply(directive),
            "chunk" => self.set_chunk(directive),
            "delay" => self.set_delay(directive),
            word => {
                let kind = &mut self.kind;
                let Some(reply) = self.script.replies.last_mut() else {
                    return Err(ScriptError::BeforeFirstReply {
                        line: directive.line,
                        word: word.to_owned(),
                    });
                };
                in_reply(reply, kind, directive)
            }
        }
    }

    fn open_reply(&mut self, directive: &Directive<'_>) -> Result<(), ScriptError> {
        if !directive.rest.is_empty() {
            return Err(directive.bad("reply", "nothing after it"));
        }
        self.pace = self.default_pace;
        self.kind = Kind::Text;
        self.script.replies.push(Reply::new(directive.line));
        Ok(())
    }

    fn set_chunk(&mut self, directive: &Directive<'_>) -> Result<(), ScriptError> {
        let chunk = match directive.rest.parse::<usize>() {
            Ok(size) if 0 < size => Some(size),
            _ if directive.rest == "whole" => None,
            _ => return Err(directive.bad("chunk", "a number of characters above 0, or `whole`")),
        };
        self.set_pace(Pace { chunk, ..self.pace });
        Ok(())
    }

    fn set_delay(&mut self, directive: &Directive<'_>) -> Result<(), ScriptError> {
        let delay = directive.duration("delay")?;
        self.set_pace(Pace { delay, ..self.pace });
        Ok(())
    }

    fn set_pace(&mut self, pace: Pace) {
        self.pace = pace;
        if self.script.replies.is_empty() {
            self.default_pace = pace;
        }
    }

    fn close_section(&mut self) {
        let Some(text) = self.section.take() else { return };
        let Some(reply) = self.script.replies.last_mut() else { return };
        reply.steps.push(match self.kind {
            Kind::Text => Step::Text(text, self.pace),
            Kind::Reasoning => Step::Reasoning(text, self.pace),
        });
        self.kind = Kind::Text;
    }

    fn finish(mut self) -> Result<Script, ScriptError> {
        self.close_section();
        if self.script.replies.is_empty() {
            return Err(ScriptError::Empty);
        }
        Ok(self.script)
    }
}

fn in_reply(
    reply: &mut Reply,
    kind: &mut Kind,
    directive: &Directive<'_>,
) -> Result<(), ScriptError> {
    match directive.word {
        "text" => *kind = Kind::Text,
        "reasoning" => *kind = Kind::Reasoning,
        "expect" => reply.expects.push(expect(directive)?),
        "pause" => reply.steps.push(Step::Pause(directive.duration("pause")?)),
        "state" => reply.steps.push(state(directive)?),
        "usage" => reply.steps.push(Step::Usage(usage(directive)?)),
        "repeat" => reply.times = times(directive)?,
        "finish" => reply.ending = finish(directive)?,
        "fault" => reply.ending = Ending::Fault(fault(directive)?),
        "hang" => reply.ending = Ending::Hang,
        word => {
            return Err(ScriptError::UnknownDirective {
                line: directive.line,
                word: word.to_owned(),
            });
        }
    }
    Ok(())
}

fn expect(directive: &Directive<'_>) -> Result<Expect, ScriptError> {
    let bad = || {
        directive.bad(
            "expect",
            "`contains TEXT`, `lacks TEXT`, `matches REGEX` or `images N`, after `system` or alone",
        )
    };
    let (word, rest) = split_word(directive.rest);
    let (place, word, rest) = match word {
        "system" => {
            let (word, rest) = split_word(rest);
            (Place::System, word, rest)
        }
        _ => (Place::LastUser, word, rest),
    };
    if rest.is_empty() {
        return Err(bad());
    }
    let test = match word {
        "contains" => Test::Contains(rest.to_owned()),
        "lacks" => Test::Lacks(rest.to_owned()),
        "images" => Test::Images(rest.parse().map_err(|_| bad())?),
        "matches" => Test::Matches(Regex::new(rest).map_err(|_| bad())?),
        _ => return Err(bad()),
    };
    Ok(Expect { place, test })
}

fn state(directive: &Directive<'_>) -> Result<Step, ScriptError> {
    let (state, detail) = split_word(directive.rest);
    if state.is_empty() {
        return Err(directive.bad("state", "a word, then a detail or nothing"));
    }
    Ok(Step::State {
        state: state.to_owned(),
        detail: (!detail.is_empty()).then(|| detail.to_owned()),
    })
}

fn usage(directive: &Directive<'_>) -> Result<Usage, ScriptError> {
    let bad = || directive.bad("usage", "`in=N`, `cached=N` or `out=N`");
    let mut usage = Usage::default();
    for part in directive.rest.split_whitespace() {
        let (name, count) = part.split_once('=').ok_or_else(bad)?;
        let count = Some(count.parse().map_err(|_| bad())?);
        match name {
            "in" => usage.input_tokens = count,
            "cached" => usage.cached_tokens = count,
            "out" => usage.output_tokens = count,
            _ => return Err(bad()),
        }
    }
    Ok(usage)
}

fn times(directive: &Directive<'_>) -> Result<Times, ScriptError> {
    match directive.rest.parse::<usize>() {
        Ok(count) if 0 < count => Ok(Times::Count(count)),
        _ if directive.rest == "forever" => Ok(Times::Forever),
        _ => Err(directive.bad("repeat", "a number above 0, or `forever`")),
    }
}

fn finish(directive: &Directive<'_>) -> Result<Ending, ScriptError> {
    let (word, rest) = split_word(directive.rest);
    match word {
        "stop" => Ok(Ending::Finish(FinishReason::Stop)),
        "length" => Ok(Ending::Finish(FinishReason::Length)),
        "refused" if !rest.is_empty() => Ok(Ending::Finish(FinishReason::Refused(rest.to_owned()))),
        "cut" => Ok(Ending::Fault(ModelFault {
            class: FaultClass::Retry,
            code: "cut".to_owned(),
            status: None,
            message: "reply of the script: expected an end, but the stream was cut; ask again"
                .to_owned(),
        })),
        _ => Err(directive.bad("finish", "`stop`, `length`, `refused WORD` or `cut`")),
    }
}

fn fault(directive: &Directive<'_>) -> Result<ModelFault, ScriptError> {
    let bad = || {
        directive.bad(
            "fault",
            "a code, a class (`retry`, `retry_after=7s`, `compact`, `ask_user`, `fail`) and a message",
        )
    };
    let (code, rest) = split_word(directive.rest);
    let (class, message) = split_word(rest);
    if message.is_empty() {
        return Err(bad());
    }
    Ok(ModelFault {
        class: class_of(class).ok_or_else(bad)?,
        code: code.to_owned(),
        status: None,
        message: message.to_owned(),
    })
}

fn class_of(word: &str) -> Option<FaultClass> {
    Some(match word {
        "retry" => FaultClass::Retry,
        "compact" => FaultClass::Compact,
        "ask_user" => FaultClass::AskUser,
        "fail" => FaultClass::Fail,
        _ => FaultClass::RetryAfter(retry_after(word)?),
    })
}

fn retry_after(word: &str) -> Option<Duration> {
    parse_duration(word.strip_prefix("retry_after=")?)
}
