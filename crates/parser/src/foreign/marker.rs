//! Literal marks of other syntaxes, as data: most are single tokens of a model's vocabulary.
//!
//! A row says what a mark means wherever it stands outside of code; what exactly is written behind
//! an opening mark is found out by looking, since models mix syntaxes.

use crate::input::{Input, Peek};

/// What a mark means.
/// `[D3]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Means {
    /// A call or a list of calls stands behind it, and one of the closing marks behind that.
    Open,
    /// As `Open`, but no closing mark is due.
    /// `[DJ9]`
    OpenOnly,
    /// One call stands behind it, and a bracket closes it.
    /// `[DL6]`
    Narrated,
    /// Calls end here.
    Close,
    /// Marked calls stand behind it, and nothing else.
    Section,
    /// They end here.
    EndSection,
    /// Stands between a tool's name and its arguments.
    Between,
    /// A result, which only the runtime writes.
    Result,
    /// A call whose values stand in elements of tokens.
    Element,
    /// A header that says what the message behind it is.
    Header,
    /// Reasoning, up to the end of the message.
    Thought,
    /// Reasoning, up to the next mark of this text.
    /// `[DH1]`
    Think(&'static str),
    /// The end of reasoning whose beginning may have stood in the prompt.
    EndThink,
    /// Stands for nothing: the end of a turn, the frame of an answer.
    /// `[DX1]` `[DX3]`
    Nothing,
}

impl Means {
    /// Whether calls stand behind it.
    pub(crate) const fn begins_calls(self) -> bool {
        match self {
            Self::Open | Self::OpenOnly | Self::Narrated | Self::Section | Self::Element => true,
            Self::Close
            | Self::EndSection
            | Self::Between
            | Self::Result
            | Self::Header
            | Self::Thought
            | Self::Think(_)
            | Self::EndThink
            | Self::Nothing => false,
        }
    }
}

/// One mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) text: &'static str,
    pub(crate) means: Means,
}

/// What stands at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// No mark.
    No,
    /// The chunk ends inside of what may be one.
    Maybe,
    /// This mark, which ends there.
    Mark(Mark, usize),
}

const fn mark(text: &'static str, means: Means) -> Mark {
    Mark { text, means }
}

/// The marks that begin with `<` and a second byte that no tag name has.
/// `[DJ13]`
const TOKENS: &[Mark] = &[
    // Kimi K2.
    mark("<|tool_calls_section_begin|>", Means::Section),
    mark("<|tool_calls_section_end|>", Means::EndSection),
    mark("<|tool_call_begin|>", Means::Open),
    mark("<|tool_call_argument_begin|>", Means::Between),
    mark("<|tool_call_end|>", Means::Close),
    // Kimi K3.
    mark("<|open|>think<|sep|>", Means::Think("<|close|>think<|sep|>")),
    mark("<|close|>think<|sep|>", Means::EndThink),
    mark("<|open|>response<|sep|>", Means::Nothing),
    mark("<|close|>response<|sep|>", Means::Nothing),
    mark("<|open|>tools<|sep|>", Means::Section),
    mark("<|close|>tools<|sep|>", Means::EndSection),
    mark("<|open|>call", Means::Element),
    mark("<|close|>argument<|sep|>", Means::Nothing),
    mark("<|close|>json<|sep|>", Means::Close),
    mark("<|close|>call<|sep|>", Means::Close),
    mark("<|open|>message role=\"tool\"", Means::Result),
    mark("<|close|>message<|sep|>", Means::Nothing),
    mark("<|end_of_msg|>", Means::Nothing),
    // LFM2.
    mark("<|tool_call_start|>", Means::Open),
    mark("<|tool_response_start|>", Means::Result),
    // Granite 3.0, Sarashina, Gemma 4.
    mark("<|tool_call|>", Means::OpenOnly),
    mark("<|tool_calls|>", Means::OpenOnly),
    mark("<|tool_call>", Means::Open),
    mark("<|tool_response|>", Means::Result),
    mark("<|tool_response>", Means::Result),
    mark("<|channel>thought\n", Means::Think("<channel|>")),
    // InternLM 2. Its interpreter is another feature, and no call.
    mark("<|action_start|>", Means::Open),
    mark("<|plugin|>", Means::Between),
    mark("<|action_end|>", Means::Close),
    // Cohere.
    mark("<|START_THINKING|>", Means::Think("<|END_THINKING|>")),
    mark("<|END_THINKING|>", Means::EndThink),
    mark("<|START_ACTION|>", Means::Open),
    mark("<|END_ACTION|>", Means::Close),
    mark("<|START_RESPONSE|>", Means::Nothing),
    mark("<|END_RESPONSE|>", Means::Nothing),
    mark("<|START_TEXT|>", Means::Nothing),
    mark("<|END_TEXT|>", Means::Nothing),
    mark("<|START_TOOL_RESULT|>", Means::Result),
    mark("<|END_OF_TURN_TOKEN|>", Means::Nothing),
    // Apertus.
    mark("<|tools_prefix|>", Means::Open),
    mark("<|tools_suffix|>", Means::Close),
    // GigaChat 3.1.
    mark("<|function_call|>", Means::OpenOnly),
    mark("<|role_sep|>", Means::Between),
    // Llama 3 and 4.
    mark("<|python_tag|>", Means::OpenOnly),
    mark("<|python_start|>", Means::Open),
    mark("<|python_end|>", Means::Close),
    // DeepSeek V3, R1 and V3.1, and Step-3, which leaves out the lower half-block.
    mark("<\u{ff5c}tool\u{2581}calls\u{2581}begin\u{ff5c}>", Means::Section),
    mark("<\u{ff5c}tool\u{2581}calls\u{2581}end\u{ff5c}>", Means::EndSection),
    mark("<\u{ff5c}tool\u{2581}call\u{2581}begin\u{ff5c}>", Means::Open),
    mark("<\u{ff5c}tool\u{2581}sep\u{ff5c}>", Means::Between),
    mark("<\u{ff5c}tool\u{2581}call\u{2581}end\u{ff5c}>", Means::Close),
    mark("<\u{ff5c}tool\u{2581}outputs\u{2581}begin\u{ff5c}>", Means::Result),
    mark("<\u{ff5c}tool\u{2581}output\u{2581}begin\u{ff5c}>", Means::Result),
    mark("<\u{ff5c}tool_calls_begin\u{ff5c}>", Means::Section),
    mark("<\u{ff5c}tool_calls_end\u{ff5c}>", Means::EndSection),
    mark("<\u{ff5c}tool_call_begin\u{ff5c}>", Means::Open),
    mark("<\u{ff5c}tool_sep\u{ff5c}>", Means::Between),
    mark("<\u{ff5c}tool_call_end\u{ff5c}>", Means::Close),
    mark("<\u{ff5c}end\u{2581}of\u{2581}sentence\u{ff5c}>", Means::Nothing),
    mark("<\u{ff5c}begin\u{2581}of\u{2581}sentence\u{ff5c}>", Means::Nothing),
    mark("<\u{ff5c}User\u{ff5c}>", Means::Nothing),
    mark("<\u{ff5c}Assistant\u{ff5c}>", Means::Nothing),
    // Harmony, Muse, and the roles of Llama 3.
    mark("<|start|>", Means::Header),
    mark("<|channel|>", Means::Header),
    mark("<|start_header_id|>", Means::Header),
    mark("<|end_header_id|>", Means::Nothing),
    mark("<|message|>", Means::Nothing),
    mark("<|constrain|>", Means::Nothing),
    mark("<|call|>", Means::Nothing),
    mark("<|eom|>", Means::Nothing),
    mark("<|eot|>", Means::Nothing),
    // Inkling.
    mark("<|message_model|>", Means::Header),
    mark("<|message_tool|>", Means::Result),
    mark("<|message_user|>", Means::Nothing),
    mark("<|message_system|>", Means::Nothing),
    mark("<|content_thinking|>", Means::Thought),
    mark("<|content_text|>", Means::Nothing),
    mark("<|content_invoke_tool_json|>", Means::Open),
    mark("<|content_model_end_sampling|>", Means::Nothing),
    mark("<|end_message|>", Means::Close),
    // Ends of turns that leak into text.
    mark("<|im_end|>", Means::Nothing),
    mark("<|im_start|>", Means::Nothing),
    mark("<|endoftext|>", Means::Nothing),
    mark("<|end_of_text|>", Means::Nothing),
    mark("<|begin_of_text|>", Means::Nothing),
    mark("<|eot_id|>", Means::Nothing),
    mark("<|eom_id|>", Means::Nothing),
    mark("<|end|>", Means::Nothing),
    mark("<|return|>", Means::Nothing),
    mark("<|assistant|>", Means::Nothing),
    mark("<|user|>", Means::Nothing),
    mark("<|observation|>", Means::Result),
];

/// The marks that begin with a bracket.
const BRACKETS: &[Mark] = &[
    // Mistral.
    mark("[TOOL_CALLS]", Means::OpenOnly),
    mark("[ARGS]", Means::Between),
    mark("[TOOL_RESULTS]", Means::Result),
    mark("[THINK]", Means::Think("[/THINK]")),
    mark("[/THINK]", Means::EndThink),
    // MiniMax, where tags were asked for.
    mark("[TOOL_CALL]", Means::Open),
    mark("[/TOOL_CALL]", Means::Close),
    // Narration, as small models write it.
    mark("[Calling tool:", Means::Narrated),
];

/// The marks that begin as a tag does.
const TAGS: &[Mark] = &[
    mark("<tool_call|>", Means::Close),
    mark("<channel|>", Means::EndThink),
    mark("<start_function_call>", Means::Open),
    mark("<end_function_call>", Means::Close),
    mark("<start_function_response>", Means::Result),
    mark("<end_of_turn>", Means::Nothing),
];

/// The marks that end a message.
const ENDS: [&str; 6] =
    ["<|end|>", "<|return|>", "<|call|>", "<|eom|>", "<|eot|>", "<|end_message|>"];

impl Mark {
    /// Whether a message ends here: with this mark, or before it, since it opens the next one.
    pub(crate) fn ends_message(self) -> bool {
        self.means == Means::Header || ends_message(self.text)
    }
}

/// Whether a text is the beginning of a token.
pub(crate) fn is_fragment(text: &str) -> bool {
    TOKENS.iter().any(|mark| mark.text.starts_with(text))
}

/// Whether a message ends with this mark.
pub(crate) fn ends_message(mark: &str) -> bool {
    ENDS.contains(&mark)
}

/// Whether a text begins with a mark of another syntax that needs no `<`.
///
/// Whoever writes foreign text for a model to read keeps such marks apart from those that call.
#[must_use]
pub fn begins_with_mark(text: &str) -> bool {
    BRACKETS.iter().any(|mark| text.starts_with(mark.text))
}

/// The mark at a position.
/// `[DJ20]`
pub(crate) fn look(at: usize, input: &Input<'_>) -> Seen {
    let rows = match (input.peek(at), input.peek(at + 1)) {
        (Peek::Byte(b'['), _) => BRACKETS,
        (Peek::Byte(b'<'), Peek::Byte(b'|' | 0xef)) => TOKENS,
        (Peek::Byte(b'<'), Peek::Byte(b't' | b's' | b'e' | b'c')) => TAGS,
        (Peek::Byte(b'<'), Peek::More) => return Seen::Maybe,
        _ => return Seen::No,
    };
    of(rows, at, input)
}

/// Which of the rows stands at a position. No row is the beginning of another.
fn of(rows: &'static [Mark], at: usize, input: &Input<'_>) -> Seen {
    let found = input.bytes(at);
    let mut seen = Seen::No;
    for row in rows {
        let text = row.text.as_bytes();
        // Most differ here.
        if found.get(2).is_some_and(|third| text.get(2) != Some(third)) {
            continue;
        }
        let n = found.len().min(text.len());
        if found.get(..n) != text.get(..n) {
            continue;
        }
        if n == text.len() {
            return Seen::Mark(*row, at + n);
        }
        if !input.is_over() {
            seen = Seen::Maybe;
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::{BRACKETS, TAGS, TOKENS};

    #[test]
    fn no_mark_begins_another() {
        for rows in [TOKENS, BRACKETS, TAGS] {
            for (n, row) in rows.iter().enumerate() {
                let begun = rows
                    .iter()
                    .enumerate()
                    .find(|(m, it)| *m != n && it.text.starts_with(row.text));
                assert_eq!(begun, None, "{}", row.text);
            }
        }
    }
}
