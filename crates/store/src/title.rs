//! What a session is called.

use tagline_protocol::Event;

/// Longest title, in characters.
const LONGEST: usize = 80;

/// Where a title comes from.
pub(crate) enum Title<'a> {
    /// The user's words: they count until there is a title.
    FromUser(&'a str),
    /// Given on purpose: it replaces the title.
    Given(&'a str),
}

/// The title that an event brings.
pub(crate) fn title_of(event: &Event) -> Option<Title<'_>> {
    if let Event::UserMessage { text, .. } = event {
        return Some(Title::FromUser(text));
    }
    if let Event::SessionTitle { title } = event {
        return Some(Title::Given(title));
    }
    None
}

/// The first line that says something, cut to the length of a title.
pub(crate) fn first_line(text: &str) -> String {
    // No database can be asked to keep a NUL.
    let text = text.replace('\0', "");
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    if line.chars().count() <= LONGEST {
        return line.to_owned();
    }
    let kept: String = line.chars().take(LONGEST - 1).collect();
    format!("{}…", kept.trim_end())
}
