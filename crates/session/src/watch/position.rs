//! Where a reader stands.

/// Where a reader stands in a session: what it has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    /// It has seen nothing.
    Start,
    /// It has seen everything up to this number.
    After(u64),
    /// It names no place in this session.
    Foreign {
        /// What it says, cut to a length that can be shown.
        text: String,
    },
}

/// Longest text of a foreign position that is kept, in characters.
const SHOWN: usize = 80;

impl Position {
    /// Reads the position of a reader of `session`: a number, or the session's id, a colon and a
    /// number. Whatever else it says is [`Position::Foreign`].
    ///
    /// ```
    /// use tagline_session::Position;
    ///
    /// assert_eq!(Position::read("7f3c", ""), Position::Start);
    /// assert_eq!(Position::read("7f3c", "12"), Position::After(12));
    /// assert_eq!(Position::read("7f3c", "7f3c:12"), Position::After(12));
    /// assert!(matches!(Position::read("7f3c", "other:12"), Position::Foreign { .. }));
    /// ```
    #[must_use]
    pub fn read(session: &str, text: &str) -> Self {
        if text.is_empty() {
            return Self::Start;
        }
        let number = text.strip_prefix(session).and_then(|rest| rest.strip_prefix(':'));
        let number = number.unwrap_or(text);
        let is_plain = number.bytes().all(|byte| byte.is_ascii_digit());
        match number.parse() {
            Ok(0) if is_plain => Self::Start,
            Ok(seq) if is_plain => Self::After(seq),
            Ok(_) | Err(_) => Self::Foreign { text: text.chars().take(SHOWN).collect() },
        }
    }

    /// How it is written for the readers of `session`.
    #[must_use]
    pub fn write(session: &str, seq: u64) -> String {
        format!("{session}:{seq}")
    }
}
