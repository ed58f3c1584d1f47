//! Text outside of calls: what is quoted, what is only spoken of, what is a call.

use std::ops::Range;

use tagline_parser::{Finish, Reason, TagSet, TagSpec};

use super::{
    Told, Unread, add_text,
    element::Own,
    lex::{
        Head, Role, Start, Started, between, blank, from, head, is_any_param, is_named, is_same,
        light, param, role, skip, start, tool,
    },
};

/// Where reading goes on.
pub(super) type Go = Result<usize, Unread>;

/// Reads one reply.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    pub(super) tags: &'a TagSet,
    pub(super) text: &'a str,
    pub(super) finish: Finish,
    pub(super) told: Vec<Told>,
    /// Behind what was told.
    pub(super) done: usize,
    /// Nothing but blanks and structure stands in the line so far.
    pub(super) is_blank: bool,
    /// A fence may begin here.
    pub(super) is_line_head: bool,
    pub(super) is_recovered: bool,
    /// Elements around calls that are open.
    pub(super) wrappers: Vec<String>,
    /// Behind the last call.
    pub(super) call_end: Option<usize>,
    pub(super) may_unwrap: bool,
    /// A comment was found that does not end.
    is_in_comment: bool,
    /// What Markdown marks as shown.
    pub(super) hidden: Vec<Range<usize>>,
}

/// What every mark of another dialect begins with.
const MARKS: [&str; 7] = ["<|", "<\u{ff5c}", "[TOOL", "[ARGS]", "[THINK]", "<tool:", "]<]"];

/// The keys that an object which calls a tool may begin with.
const CALL_KEYS: [&str; 13] = [
    "name",
    "tool",
    "tool_name",
    "function_name",
    "function",
    "action",
    "type",
    "id",
    "tool_call_id",
    "arguments",
    "args",
    "parameters",
    "index",
];

/// Whether a line begins with an object that calls a tool.
fn begins_call(line: &str) -> bool {
    let Some(key) = line.strip_prefix('{').map(str::trim_start) else { return false };
    let key = key.trim_start_matches(['"', '\'']);
    CALL_KEYS.iter().any(|it| key.get(..it.len()).is_some_and(|key| key.eq_ignore_ascii_case(it)))
}

impl<'a> Reader<'a> {
    pub(super) fn new(tags: &'a TagSet, text: &'a str, finish: Finish) -> Self {
        Self {
            tags,
            text,
            finish,
            told: Vec::new(),
            done: 0,
            is_blank: true,
            is_line_head: true,
            is_recovered: false,
            wrappers: Vec::new(),
            call_end: None,
            may_unwrap: true,
            is_in_comment: false,
            hidden: Vec::new(),
        }
    }

    pub(super) fn read(mut self) -> Result<Vec<Told>, Unread> {
        // [T1]
        let bom = if self.text.starts_with('\u{feff}') { 3 } else { 0 };
        self.done = bom;
        let run = self.run(bom);
        self.stay_native()?;
        run.map(|()| self.told)
    }

    /// Other dialects are not read here, but where they are only shown.
    pub(super) fn stay_native(&self) -> Result<(), Unread> {
        let is_hidden = |at: &usize| self.hidden.iter().any(|code| code.contains(at));
        let mut marks = MARKS.iter().flat_map(|mark| self.text.match_indices(mark));
        if marks.any(|(at, _)| !is_hidden(&at)) {
            return Err(Unread::Mark);
        }
        let heads = self.text.match_indices('<').filter_map(|(at, _)| head(self.text, at));
        let is_foreign = |head: &Head<'_>| {
            role(head.name) == Role::Foreign && tool(self.tags, head.name).is_none()
        };
        if heads.filter(is_foreign).any(|head| !is_hidden(&head.at)) {
            return Err(Unread::Element);
        }
        let lines = || self.text.split(['\n', '>']).map(str::trim_start);
        let is_bare = |line: &str| {
            let list = line.strip_prefix('[').map(str::trim_start);
            list.is_some_and(|it| self.begins_with_tool(it)) || begins_call(list.unwrap_or(line))
        };
        if lines().any(is_bare) {
            return Err(Unread::Bare);
        }
        if lines().any(|line| self.begins_with_tool(line)) {
            return Err(Unread::LostBracket);
        }
        Ok(())
    }

    fn begins_with_tool(&self, line: &str) -> bool {
        let len = line.find(|c: char| !c.is_ascii_alphanumeric() && !"_-.:".contains(c));
        tool(self.tags, between(line, 0, len.unwrap_or(line.len()))).is_some()
    }

    pub(super) fn run(&mut self, mut at: usize) -> Result<(), Unread> {
        while at < self.text.len() {
            at = self.step(at)?;
        }
        self.tell_text(self.text.len());
        Ok(())
    }

    pub(super) fn step(&mut self, at: usize) -> Go {
        if std::mem::take(&mut self.is_line_head)
            && let Some(at) = self.line_head(at)?
        {
            return Ok(at);
        }
        let rest = from(self.text, at);
        match rest.chars().next() {
            Some('\n') => {
                (self.is_blank, self.is_line_head) = (true, true);
                Ok(at + 1)
            }
            Some('`') => Ok(self.code(at)),
            Some('<') => self.mark(at),
            Some(c) => {
                self.is_blank &= blank(rest) > 0;
                Ok(at + c.len_utf8())
            }
            None => Ok(self.text.len()),
        }
    }

    /// Tells text up to a position.
    pub(super) fn tell_text(&mut self, to: usize) {
        add_text(&mut self.told, between(self.text, self.done, to));
        self.done = self.done.max(to);
    }

    /// What stands before this position is text.
    pub(super) fn as_text(&mut self, to: usize) -> usize {
        self.is_blank = false;
        to
    }

    /// Tells damage, which ends here.
    pub(super) fn fault(&mut self, reason: Reason, tag: &str, at: usize, end: usize) -> usize {
        self.call_end = self.call_end.filter(|_| self.is_behind_call(at)).map(|_| end);
        self.tell_text(at);
        self.told.push(Told::Fault(reason, tag.to_owned()));
        self.done = end;
        end
    }

    /// Whether nothing but blanks and markup stands between the last call and a position.
    pub(super) fn is_behind_call(&self, at: usize) -> bool {
        self.call_end.is_some_and(|end| skip(self.text, end) >= at)
    }

    /// Leaves out markup. `[K5]` `[U5]`
    pub(super) fn drop(&mut self, at: usize, end: usize) -> usize {
        self.call_end = self.call_end.filter(|_| self.is_behind_call(at)).map(|_| end);
        self.tell_text(at);
        self.done = end;
        end
    }

    /// What a `<` in text begins.
    pub(super) fn mark(&mut self, at: usize) -> Go {
        let rest = from(self.text, at);
        if rest.starts_with("<!--") && self.is_in_comment {
            return Ok(self.as_text(at + 4));
        }
        if rest.starts_with("<!--") {
            // [Q5]
            let end = from(self.text, at + 4).find("-->").map(|n| at + 4 + n + 3);
            self.is_in_comment = end.is_none();
            let next = || self.heads(at + 4).find(|head| self.means_something(head));
            let end = end.or_else(|| next().map(|head| head.at));
            return Ok(self.as_text(end.unwrap_or(self.text.len())));
        }
        let Some(head) = head(self.text, at) else { return Ok(self.as_text(at + 1)) };
        if head.is_end { self.end_tag(&head) } else { self.start_tag(&head) }
    }

    pub(super) fn is_after_word(&self, at: usize) -> bool {
        let before = between(self.text, 0, at).chars().next_back();
        before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    }

    /// Whether a start tag may be more than text. `[Q5]` `[Q6]`
    pub(super) fn means_something(&self, head: &Head<'_>) -> bool {
        let is_free = !self.is_after_word(head.at);
        let is_meant = match role(head.name) {
            Role::Thinking | Role::Result => !head.is_loose,
            Role::Foreign | Role::None => tool(self.tags, head.name).is_some(),
        };
        let is_thought_end = head.is_end && role(head.name) == Role::Thinking;
        head.is_bounded && (is_thought_end || (!head.is_end && is_free && is_meant))
    }

    pub(super) fn end_tag(&mut self, head: &Head<'a>) -> Go {
        let role = role(head.name);
        let is_tool = tool(self.tags, head.name).is_some();
        let is_open = self.wrappers.iter().rposition(|it| is_same(it, head.name));
        let light = light(self.text, head);
        let Some(light) = light.filter(|_| head.is_bounded) else {
            let is_cut = skip(self.text, head.end) == self.text.len();
            return Ok(self.as_text(if is_cut { self.text.len() } else { head.end }));
        };
        let is_behind_call = self.is_behind_call(head.at) && !is_tool && is_open.is_none();
        match role {
            Role::Thinking => Ok(self.drop(head.at, light.end)),
            Role::Result if is_behind_call => Ok(self.drop(head.at, light.end)),
            Role::Result => Ok(self.as_text(head.end)),
            Role::Foreign | Role::None => match is_open {
                _ if is_tool || is_any_param(self.tags, head.name) => {
                    if self.is_blank {
                        Ok(self.stray(head))
                    } else {
                        Ok(self.as_text(head.end))
                    }
                }
                Some(open) => {
                    self.wrappers.truncate(open);
                    Ok(self.drop(head.at, light.end))
                }
                None => Ok(self.as_text(head.end)),
            },
        }
    }

    /// End tags that nothing opened. `[E9]`
    pub(super) fn stray(&mut self, first: &Head<'a>) -> usize {
        let mut tool_name = None;
        let mut end = first.at;
        loop {
            let next = head(self.text, skip(self.text, end)).filter(|head| head.is_end);
            let next = next.filter(|head| from(self.text, head.at).starts_with('<'));
            let Some((next, light)) = next.and_then(|it| Some((it, light(self.text, &it)?))) else {
                break;
            };
            let is_tool = tool(self.tags, next.name).is_some();
            if !is_tool && !is_any_param(self.tags, next.name) {
                break;
            }
            if is_tool {
                tool_name = tool_name.or(Some(next.name));
            }
            end = light.end;
        }
        match tool_name {
            Some(name) => self.fault(Reason::StrayClose, name, first.at, end),
            None => self.as_text(end),
        }
    }

    pub(super) fn start_tag(&mut self, head: &Head<'a>) -> Go {
        let is_free = !self.is_after_word(head.at);
        if !head.is_bounded {
            let is_cut = head.end == self.text.len();
            return Ok(self.as_text(if is_cut { self.text.len() } else { head.end }));
        }
        match (role(head.name), tool(self.tags, head.name)) {
            (Role::Thinking, _) if is_free && !head.is_loose => self.thinking_tag(head),
            (Role::Result, _) if is_free && !head.is_loose => self.result_tag(head),
            (Role::Thinking | Role::Result, _) => Ok(self.as_text(head.end)),
            (_, Some(spec)) if is_free => self.tool_tag(head, spec),
            (_, Some(_)) => Ok(self.as_text(head.end)),
            (_, None) if self.is_blank && !head.is_loose => self.element(head),
            (_, None) => Ok(self.as_text(head.end)),
        }
    }

    /// A start tag in text, if it is whole; else it is text. `[B6]`
    pub(super) fn whole(&mut self, head: &Head<'a>) -> Result<Start, usize> {
        match start(self.text, head) {
            Started::Whole(start) => Ok(start),
            Started::Cut { .. } => Err(self.as_text(self.text.len())),
            Started::Broken { .. } | Started::Foreign => Err(self.as_text(head.end)),
        }
    }

    pub(super) fn tool_tag(&mut self, head: &Head<'a>, spec: &'a TagSpec) -> Go {
        let start = match start(self.text, head) {
            Started::Whole(start) => start,
            Started::Foreign => return Err(Unread::Designated),
            // [B7]
            Started::Cut { has_value: true } => {
                let end = self.text.len();
                return Ok(self.fault(Reason::UnterminatedTool, head.name, head.at, end));
            }
            Started::Cut { has_value: false } => return Ok(self.as_text(self.text.len())),
            // [E8]
            Started::Broken { at, has_value: true } if self.is_blank => {
                let own = Own::Tool(spec);
                self.tell_text(head.at);
                let reason = Reason::MalformedTag;
                return Ok(self.doom(reason, head.name, head.at, at, &own, Some(at), true));
            }
            Started::Broken { .. } => return Ok(self.as_text(head.end)),
        };
        if self.is_meant(head, &start, spec) {
            return self.call(head, start, spec);
        }
        Ok(self.as_text(head.end))
    }

    /// Whether a start tag of a tool calls it, or only speaks of it. `[B4]` `[B8]` `[B9]` `[M1]`
    pub(super) fn is_meant(&self, head: &Head<'_>, start: &Start, spec: &TagSpec) -> bool {
        if start.is_closed {
            return true;
        }
        if head.is_loose {
            return self.has_end(start.end, spec);
        }
        let has_attributes = !start.attributes.is_empty();
        if self.is_blank || (has_attributes && spec.body.is_some()) {
            return true;
        }
        let behind = skip(self.text, start.end);
        let rest = from(self.text, behind);
        if rest.is_empty() {
            return has_attributes;
        }
        let is_section = rest.to_ascii_uppercase().starts_with("<![CDATA[");
        let next = head_at(self.text, behind);
        let is_structure = next.is_some_and(|next| match next.is_end {
            true => is_named(spec, next.name) && next.end < self.text.len(),
            false => next.is_bounded && param(spec, next.name).is_some(),
        });
        (is_section && spec.body.is_some()) || is_structure || self.has_end(start.end, spec)
    }

    /// Whether a tool's end tag stands before the next start tag of a tool. `[M2]`
    pub(super) fn has_end(&self, at: usize, spec: &TagSpec) -> bool {
        for head in self.heads(at) {
            if head.is_end {
                if is_named(spec, head.name) && light(self.text, &head).is_some() {
                    return true;
                }
                continue;
            }
            let is_special = matches!(role(head.name), Role::Thinking | Role::Result);
            let is_value = param(spec, head.name).is_some();
            let is_tool = tool_like(self.tags, head.name) && !is_value;
            if head.is_bounded && !self.is_after_word(head.at) && (is_special || is_tool) {
                return false;
            }
        }
        false
    }

    /// The heads from a position on.
    pub(super) fn heads(&self, at: usize) -> impl Iterator<Item = Head<'a>> + use<'a> {
        let text = self.text;
        from(text, at).match_indices('<').filter_map(move |(n, _)| head(text, at + n))
    }
}

/// The head at a position, if a `<` stands there.
pub(super) fn head_at(text: &str, at: usize) -> Option<Head<'_>> {
    from(text, at).starts_with('<').then(|| head(text, at))?
}

/// Whether a name is one of a tool, though perhaps of no single one.
pub(super) fn tool_like(tags: &TagSet, name: &str) -> bool {
    tags.specs().iter().any(|spec| is_named(spec, name))
}
