//! Images, fetched by the hash that an event names.

use tagline_store::{Journal, StoreError};

use super::{Hub, HubError};
use crate::media::{self, Image};

/// Frames read in one go: each may hold images of many megabytes.
const PAGE: usize = 16;

impl<J: Journal + 'static> Hub<J> {
    /// The image with this hash (SHA-256, in hexadecimal digits), if an event names it that was
    /// shown by this process. Where `session` is named, its whole journal is looked through for one
    /// that was not.
    ///
    /// # Errors
    ///
    /// What the journal says.
    pub async fn image(
        &self,
        hash: &str,
        session: Option<&str>,
    ) -> Result<Option<Image>, HubError> {
        if let Some(image) = self.known_image(hash).await? {
            return Ok(Some(image));
        }
        let Some(session) = session else { return Ok(None) };
        self.meet_images(session).await?;
        self.known_image(hash).await
    }

    async fn known_image(&self, hash: &str) -> Result<Option<Image>, HubError> {
        let Some(place) = self.core.media.place(hash) else { return Ok(None) };
        let before = place.seq.saturating_sub(1);
        match self.core.journal.read(&place.session, before, 1).await {
            Ok(frames) => Ok(frames.iter().find_map(|frame| media::image(&frame.event, hash))),
            // It was removed since, with its images.
            Err(StoreError::NoSession(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    async fn meet_images(&self, session: &str) -> Result<(), HubError> {
        let id = self.find(session).await?.id;
        let mut after = 0;
        loop {
            let frames = self.core.journal.read(&id, after, PAGE).await?;
            let Some(last) = frames.last() else { return Ok(()) };
            after = last.seq;
            frames.iter().for_each(|frame| drop(self.core.media.light(frame)));
        }
    }
}
