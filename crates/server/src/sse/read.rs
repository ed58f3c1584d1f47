//! A stream of events, read as browsers read it (WHATWG HTML, 9.2).

/// What a reader got.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Its type; `message` where none is named.
    pub event: String,
    /// Its lines, joined.
    pub data: String,
    /// The last place that was named, by this message or one before it.
    pub id: String,
}

/// Reads a stream that comes in pieces, cut anywhere.
///
/// A message that the stream ends in is none: it is dropped.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    line: Vec<u8>,
    /// The last byte was a carriage return; a line feed behind it belongs to it.
    is_after_return: bool,
    is_begun: bool,
    event: String,
    data: String,
    has_data: bool,
    id: String,
    retry: Option<u64>,
    n_comments: u64,
}

impl Reader {
    /// Takes the next piece and hands out the messages that it ends.
    pub fn feed(&mut self, piece: &[u8]) -> Vec<Message> {
        let mut messages = Vec::new();
        for &byte in piece {
            let is_second = std::mem::take(&mut self.is_after_return) && byte == b'\n';
            match byte {
                b'\n' if is_second => {}
                b'\n' => messages.extend(self.end_line()),
                b'\r' => {
                    self.is_after_return = true;
                    messages.extend(self.end_line());
                }
                _ => self.line.push(byte),
            }
        }
        messages
    }

    /// How long the server wants its readers to wait before they come back, in milliseconds.
    #[must_use]
    pub const fn retry(&self) -> Option<u64> {
        self.retry
    }

    /// Comments so far: signs of life.
    #[must_use]
    pub const fn n_comments(&self) -> u64 {
        self.n_comments
    }

    fn end_line(&mut self) -> Option<Message> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        let line = if is_first { line.strip_prefix('\u{feff}').unwrap_or(&line) } else { &line };
        if line.is_empty() {
            return self.end_message();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        self.take(field, value.strip_prefix(' ').unwrap_or(value));
        None
    }

    fn take(&mut self, field: &str, value: &str) {
        match field {
            "" => self.n_comments += 1,
            "event" => value.clone_into(&mut self.event),
            "id" if !value.contains('\0') => value.clone_into(&mut self.id),
            "retry" if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.retry = value.parse().ok().or(self.retry);
            }
            "data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.data.push('\n');
                }
                self.data.push_str(value);
            }
            _ => {}
        }
    }

    fn end_message(&mut self) -> Option<Message> {
        let event = std::mem::take(&mut self.event);
        let data = std::mem::take(&mut self.data);
        if !std::mem::take(&mut self.has_data) {
            return None;
        }
        let event = if event.is_empty() { "message".to_owned() } else { event };
        Some(Message { event, data, id: self.id.clone() })
    }
}
