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

impl<'a> Prompt<'a> {
    /// Joins neighbors of the same role and drops empty messages. An image that cannot be sent
    /// becomes its label.
    pub(super) fn of(request: &'a Request, takes_images: bool) -> Result<Self, ModelFault> {
        let mut prompt = Self::default();
        for message in &request.messages {
            match message.role {
                Role::System => append(&mut prompt.system, &message.text),
                Role::User | Role::Assistant => prompt.push(message, takes_images),
            }
        }
        match prompt.turns.first() {
            Some(turn) if turn.is_user => Ok(prompt),
            Some(_) => Err(bad("expected a user message first, but found one of the model")),
            None => Err(bad("expected a user message, but found none")),
        }
    }

    fn push(&mut self, message: &'a Message, takes_images: bool) {
        let is_user = message.role == Role::User;
        let (images, labels) = split(&message.media, takes_images);
        let mut text = message.text.clone();
        for label in labels {
            append(&mut text, &label);
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

fn split(media: &[Media], takes_images: bool) -> (Vec<Image<'_>>, Vec<String>) {
    let mut images = Vec::new();
    let mut labels = Vec::new();
    for item in media {
        match image(item).filter(|_| takes_images) {
            Some(image) => images.push(image),
            None => labels.push(format!("[image, not shown: {}]", item.label)),
        }
    }
    (images, labels)
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
