//! Images by the hash of their bytes.
//!
//! The journal keeps an image with its event, whole: nothing else has to be stored, copied, moved or
//! removed with a session. What is sent to readers only names it, so that a stream of events stays
//! small; whoever wants to see it asks for it by that name.

use std::{
    borrow::Cow,
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};
use tagline_protocol::{Event, Frame, Media};

/// An image that an event has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Such as `image/png`, as whoever brought it said.
    pub media_type: String,
}

/// Where images stand in the journal, as far as this process has met them. All of it can be found
/// again there.
#[derive(Debug, Default)]
pub(crate) struct MediaIndex(Mutex<Places>);

#[derive(Debug, Default)]
struct Places {
    by_hash: HashMap<String, Place>,
    /// Oldest first.
    order: VecDeque<String>,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) session: String,
    pub(crate) seq: u64,
}

/// Images that are kept in mind.
const MOST: usize = 16_384;

/// How readers are told of an image: behind this its hash follows.
const SCHEME: &str = "media:";

impl MediaIndex {
    /// The frame as it is sent: images are named by their hash, and found by it from now on.
    pub(crate) fn light<'a>(&self, frame: &'a Frame) -> Cow<'a, Frame> {
        if !media(&frame.event).iter().any(|media| data(media).is_some()) {
            return Cow::Borrowed(frame);
        }
        let mut light = frame.clone();
        for media in media_mut(&mut light.event) {
            if let Some(hash) = hash_of(media) {
                media.url = format!("{SCHEME}{hash}");
                self.places().note(hash, frame);
            }
        }
        Cow::Owned(light)
    }

    /// Where the image with this hash stands.
    pub(crate) fn place(&self, hash: &str) -> Option<Place> {
        self.places().by_hash.get(hash).cloned()
    }

    fn places(&self) -> MutexGuard<'_, Places> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Places {
    fn note(&mut self, hash: String, frame: &Frame) {
        let place = Place { session: frame.session.clone(), seq: frame.seq };
        if self.by_hash.insert(hash.clone(), place).is_none() {
            self.order.push_back(hash);
        }
        if self.order.len() > MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.by_hash.remove(&oldest);
        }
    }
}

/// The image with this hash, if the event has it.
pub(crate) fn image(event: &Event, hash: &str) -> Option<Image> {
    let found = media(event).iter().find(|media| hash_of(media).as_deref() == Some(hash))?;
    Some(Image { bytes: bytes(found)?, media_type: found.media_type.clone() })
}

fn hash_of(media: &Media) -> Option<String> {
    let hash = Sha256::digest(bytes(media)?);
    Some(hash.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn bytes(media: &Media) -> Option<Vec<u8>> {
    STANDARD.decode(data(media)?).ok()
}

/// What an address holds that holds the image itself.
fn data(media: &Media) -> Option<&str> {
    Some(media.url.strip_prefix("data:")?.split_once(";base64,")?.1)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "few of the events have images")]
fn media(event: &Event) -> &[Media] {
    match event {
        Event::UserMessage { media, .. }
        | Event::ResultsMessage { media, .. }
        | Event::MessageQueued { media, .. }
        | Event::ToolDone { media, .. } => media,
        _ => &[],
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "few of the events have images")]
fn media_mut(event: &mut Event) -> &mut [Media] {
    match event {
        Event::UserMessage { media, .. }
        | Event::ResultsMessage { media, .. }
        | Event::MessageQueued { media, .. }
        | Event::ToolDone { media, .. } => media,
        _ => &mut [],
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn frame(seq: u64, url: &str) -> Frame {
        let media = Media {
            url: url.to_owned(),
            media_type: "image/png".to_owned(),
            label: "a".to_owned(),
        };
        let event = Event::UserMessage { text: "look".to_owned(), media: vec![media] };
        let session = "s".to_owned();
        Frame { v: 1, seq, ts: String::new(), session, run: None, turn: None, call: None, event }
    }

    #[test]
    fn an_image_is_sent_by_its_hash_and_found_by_it() {
        let index = MediaIndex::default();
        let (whole, same) =
            (frame(7, "data:image/png;base64,YWJj"), frame(9, "data:x;base64,YWJj"));
        let light = index.light(&whole).into_owned();
        let [media] = media(&light.event) else { panic!("{light:?}") };
        expect!["media:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"]
            .assert_eq(&media.url);
        let hash = media.url.strip_prefix(SCHEME).unwrap();
        assert_eq!(index.place(hash).map(|place| place.seq), Some(7));
        assert_eq!(image(&whole.event, hash).map(|image| image.bytes), Some(b"abc".to_vec()));
        assert_eq!(index.light(&light).into_owned(), light, "once is enough");
        index.light(&same);
        assert_eq!(index.place(hash).map(|place| place.seq), Some(9), "the same bytes are one");
    }

    #[test]
    fn what_holds_no_image_is_sent_as_it_is() {
        let index = MediaIndex::default();
        for url in ["media:7", "data:image/png,plain", "data:image/png;base64,?", "https://a/b"] {
            let frame = frame(1, url);
            assert_eq!(*index.light(&frame), frame);
        }
    }

    #[test]
    fn no_more_is_kept_in_mind_than_fits() {
        let mut places = Places::default();
        let first = frame(1, "");
        (0..MOST + 3).for_each(|n| places.note(n.to_string(), &first));
        assert_eq!((places.by_hash.len(), places.order.len()), (MOST, MOST));
        assert!(!places.by_hash.contains_key("2") && places.by_hash.contains_key("3"));
    }
}
