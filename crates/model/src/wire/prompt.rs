//! A transcript as providers accept it: instructions apart, user first, user and model in turns.

use tagline_protocol::{Media, Message, Role};

use crate::{FaultClass, ModelFault, Request};

/// The transcript, made regular.
#[derive(Debug, Default)]
pub(super) struct Prompt<'a> {
    /// The instructions; empty if there are none.
    pub(super) system: String,
    /// User first, then in turns; none is empty.
    pub(super) turns: Vec<Turn<'a>>,
}

/// All that one side says before the other speaks.
#[derive(Debug)]
pub(super) struct Turn<'a> {
    pub(super) is_user: bool,
    pub(super) text: String,
    pub(super) images: Vec<Image<'a>>,
}

/// An image with its data.
#[derive(Clone, Copy, Debug)]
pub(super) struct Image<'a> {
    pub(super) media_type: &'a str,
    pub(super) base64: &'a str,
    pub(super) url: &'a str,
}

/// How much of images a format takes. The newest are sent, since they are what the talk is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// In one request.
    pub(super) images: usize,
    /// Characters of base64 of one image.
    pub(super) each: usize,
    /// Characters of base64 of all.
    pub(super) all: usize,
}

/// Types of image that every provider takes.
const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

impl<'a> Prompt<'a> {
    /// Joins neighbors of the same role and drops empty messages. An image that cannot be sent, or
    /// for which there is no room, becomes its label.
    pub(super) fn of(request: &'a Request, room: Option<Room>) -> Result<Self, ModelFault> {
        let mut prompt = Self::default();
        let mut sent = room.map_or_else(Vec::new, |room| room.newest(&request.messages));
        for message in &request.messages {
            match message.role {
                Role::System if message.text.trim().is_empty() => {}
                Role::System => append(&mut prompt.system, &message.text),
                Role::User | Role::Assistant => prompt.push(message, &mut sent),
            }
        }
        match prompt.turns.first() {
            Some(turn) if turn.is_user => Ok(prompt),
            Some(_) => Err(bad("expected a user message first, but found one of the model")),
            None => Err(bad("expected a user message, but found none")),
        }
    }

    /// `sent` holds the images that are sent, the next one last.
    fn push(&mut self, message: &'a Message, sent: &mut Vec<&'a Media>) {
        let is_user = message.role == Role::User;
        let mut images = Vec::new();
        let mut text = message.text.clone();
        for media in &message.media {
            match sent.pop_if(|next| std::ptr::eq(*next, media)).and_then(image) {
                Some(image) => images.push(image),
                None => append(&mut text, &format!("[image, not shown: {}]", media.label)),
            }
        }
        if text.trim().is_empty() && images.is_empty() {
            return;
        }
        match self.turns.last_mut() {
            Some(turn) if turn.is_user == is_user => {
                append(&mut turn.text, &text);
                turn.images.extend(images);
            }
            _ => self.turns.push(Turn { is_user, text, images }),
        }
    }
}

impl Room {
    /// The images that fit, the newest first. A model's own messages have none.
    fn newest(self, messages: &[Message]) -> Vec<&Media> {
        let users = messages.iter().filter(|message| message.role == Role::User);
        let mut left = self.all;
        let fits = |media: &&Media| {
            let size = image(media).map_or(usize::MAX, |image| image.base64.len());
            let is_one = IMAGES.contains(&media.media_type.as_str());
            let fits = is_one && 0 < size && size <= self.each.min(left);
            left -= if fits { size } else { 0 };
            fits
        };
        users.flat_map(|message| &message.media).rev().filter(fits).take(self.images).collect()
    }
}

/// `data:TYPE;base64,DATA`, as RFC 2397 has it.
fn image(media: &Media) -> Option<Image<'_>> {
    let (_, base64) = media.url.strip_prefix("data:")?.split_once(";base64,")?;
    Some(Image { media_type: &media.media_type, base64, url: &media.url })
}

fn append(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(more);
}

fn bad(what: &str) -> ModelFault {
    ModelFault {
        class: FaultClass::Fail,
        code: "bad_request".to_owned(),
        status: None,
        message: format!(
            "request to the model: {what}; put a user message after the system message"
        ),
    }
}
