//! What fuzz targets do with bytes. Here, so that what they found is also played as a test.

use tagline_parser::{
    Block, BlockId, Child, Finish, Limits, TagSet, TagSpec, Value, ValueKind, render,
};

use crate::{
    Choices, Mix, Seen, cut, damage,
    holds::{self, Held},
    json, read, reference, reply, tags, text,
};

/// A target: its name, and what it holds of any bytes.
pub type Target = (&'static str, fn(&[u8]) -> Held);

/// Every target of the parser.
pub const TARGETS: &[Target] = &[
    ("feed", feed),
    ("replies", replies),
    ("round_trip", round_trip),
    ("reference", agree),
    ("json_repair", json_repair),
];

/// How many bytes before the text tell the tags, the limits, the end and the cuts.
pub const HEADER: usize = 4;

/// Any text, cut anywhere.
///
/// # Errors
///
/// What does not hold.
pub fn feed(data: &[u8]) -> Held {
    Reply::of_text(data).holds()
}

/// A reply as a model may write it, with a little damage.
///
/// # Errors
///
/// What does not hold.
pub fn replies(data: &[u8]) -> Held {
    Reply::of_choices(data).holds()
}

/// The parser tells of a native reply what the reference tells.
///
/// # Errors
///
/// Where they differ.
pub fn agree(data: &[u8]) -> Held {
    Reply::of_native_choices(data).agrees()
}

/// A call with arguments in JSON, well-formed or with a little damage.
///
/// # Errors
///
/// What does not hold.
pub fn json_repair(data: &[u8]) -> Held {
    let mut choices = Choices::of_bytes(data);
    let n_damages = choices.below(4);
    json::Call::of(&mut choices, n_damages).holds()
}

/// A rendered block reads as itself, whatever its values.
///
/// # Errors
///
/// What it read as.
pub fn round_trip(data: &[u8]) -> Held {
    let mut choices = Choices::of_bytes(data);
    let Reply { tags, sizes, .. } = Reply::setting(&mut choices);
    let specs = tags.specs();
    let Some(spec) = specs.get(choices.below(specs.len())) else { return Ok(()) };
    let block = block(&mut choices, &tags, spec);
    let text = render(&block, &tags);
    let reply = format!("Before.\n{text}\nBehind.");
    let reading = read(&tags, Limits::default(), &cut(&reply, &sizes), Finish::Stop);
    let block = Block { span: 8..8 + text.len() as u64, ..block };
    let mut seen: Vec<&Seen> = reading.seen.iter().collect();
    seen.retain(|seen| !matches!(seen, Seen::Start(..) | Seen::Attribute(..) | Seen::Delta(..)));
    let (before, behind) = (Seen::Text("Before.\n".into()), Seen::Text("\nBehind.".into()));
    if seen == [&before, &Seen::End(block), &behind] {
        return Ok(());
    }
    Err(format!("{text}\nreads as {seen:?}"))
}

/// A block of a tag, with values made of markup.
pub fn block(choices: &mut Choices<'_>, tags: &TagSet, spec: &TagSpec) -> Block {
    let mut value = |kind: ValueKind| {
        let text = text(choices, tags, Mix::Every);
        (kind == ValueKind::Raw || !choices.once_in(3)).then_some(text)
    };
    let attributes = spec.attributes.iter();
    let attributes = attributes.filter_map(|it| Some((it.clone(), value(ValueKind::Scalar)?)));
    let attributes = attributes.collect();
    let mut children = Vec::new();
    for child in &spec.children {
        for _ in 0..if child.is_list { 2 } else { 1 } {
            let Some(text) = value(child.kind) else { continue };
            let attributes = child.attributes.iter();
            let attributes = attributes.filter_map(|it| Some((it.clone(), value(child.kind)?)));
            children.push(Child {
                name: child.name.clone(),
                attributes: attributes.collect(),
                value: Value::Text(text),
                is_declared: true,
            });
        }
    }
    let body = spec.body.and_then(&mut value).map(Value::Text);
    Block {
        id: BlockId(0),
        name: spec.name.clone(),
        attributes,
        children,
        body,
        is_partial: false,
        is_recovered: false,
        is_from_unclosed_cdata: false,
        faults: Vec::new(),
        repairs: Vec::new(),
        span: 0..0,
    }
}

/// A reply, and how it is read.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The tags that count.
    pub tags: TagSet,
    /// The limits, now and then so small that they are reached.
    pub limits: Limits,
    /// How it ends.
    pub finish: Finish,
    /// How long its pieces are, in turn, in characters.
    pub sizes: Vec<usize>,
    /// What it says.
    pub text: String,
}

impl Reply {
    /// The reply that [`feed`] makes of bytes: some tell how it is read, the others are its text.
    #[must_use]
    pub fn of_text(data: &[u8]) -> Self {
        let (header, text) = data.split_at_checked(HEADER).unwrap_or((data, &[]));
        let setting = Self::setting(&mut Choices::of_bytes(header));
        Self { text: String::from_utf8_lossy(text).into_owned(), ..setting }
    }

    /// The reply that [`replies`] makes of bytes.
    #[must_use]
    pub fn of_choices(data: &[u8]) -> Self {
        let mut choices = Choices::of_bytes(data);
        let setting = Self::setting(&mut choices);
        let n_damages = choices.below(4);
        let mix = if choices.once_in(2) { Mix::Native } else { Mix::Every };
        let mut text = reply(&mut choices, &setting.tags, mix);
        for _ in 0..n_damages {
            text = damage(&mut choices, &text);
        }
        Self { text, ..setting }
    }

    /// The native reply that [`agree`] makes of bytes.
    #[must_use]
    pub fn of_native_choices(data: &[u8]) -> Self {
        let mut choices = Choices::of_bytes(data);
        let setting = Self::setting(&mut choices);
        let n_damages = choices.below(3);
        let mut text = reply(&mut choices, &setting.tags, Mix::Native);
        for _ in 0..n_damages {
            text = damage(&mut choices, &text);
        }
        Self { text, ..setting }
    }

    fn setting(choices: &mut Choices<'_>) -> Self {
        let sets = tags::sets();
        let tags = sets.get(choices.below(sets.len())).cloned().unwrap_or_default();
        let kind = choices.below(12);
        let limits = match kind / 3 {
            3 => Limits { held: 40, start_tag: 60, owned_value: 30, depth: 2, blocks: 3, name: 20 },
            2 => Limits { held: 300, blocks: usize::MAX, ..Limits::default() },
            _ => Limits::default(),
        };
        let finish = match kind % 3 {
            0 => Finish::Stop,
            1 => Finish::Length,
            _ => Finish::Cut,
        };
        let sizes = vec![1 + choices.below(7), 1 + choices.below(40)];
        Self { tags, limits, finish, sizes, text: String::new() }
    }

    /// All that holds of any reply.
    ///
    /// # Errors
    ///
    /// What does not.
    pub fn holds(&self) -> Held {
        holds::everything(&self.tags, self.limits, &self.text, &self.sizes, self.finish)
            .map_err(|what| format!("{:?} {:?}\n{:?}\n{what}", self.limits, self.finish, self.text))
    }

    /// Whether the parser tells of it what the reference tells.
    ///
    /// # Errors
    ///
    /// Where they differ.
    pub fn agrees(&self) -> Held {
        let chunks = cut(&self.text, &self.sizes);
        reference::agrees(&self.tags, &chunks, self.finish).unwrap_or(Ok(()))
    }

    /// The shortest reply found of which this does not hold either.
    #[must_use]
    pub fn shrunk(&self, holds: fn(&Self) -> Held) -> Self {
        let with = |text: String| Self { text, ..self.clone() };
        with(shrunk(&self.text, |text| holds(&with(text.to_owned())).is_err()))
    }
}

/// The shortest text found that fails as this one does, without any line, word or character more
/// than that takes.
pub fn shrunk(text: &str, fails: impl Fn(&str) -> bool) -> String {
    let mut text: Vec<char> = text.chars().collect();
    let mut len = text.len();
    while len > 0 {
        let mut at = 0;
        while at < text.len() {
            let rest = text.iter().skip(at + len);
            let shorter: Vec<char> = text.iter().take(at).chain(rest).copied().collect();
            if fails(&shorter.iter().collect::<String>()) {
                text = shorter;
            } else {
                at += len;
            }
        }
        len /= 2;
    }
    text.into_iter().collect()
}
