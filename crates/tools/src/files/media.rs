//! Files that are not text: images for the model, a description of the rest.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use tagline_protocol::Media;

use crate::files::text::size;

/// Largest image that is handed to the model, in bytes: 5 MiB, what providers take.
const IMAGE: usize = 5 * 1024 * 1024;

/// Why something is no image for a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoImage {
    /// It is of another kind.
    #[error("expected a PNG, JPEG, GIF or WebP image, but found {0}")]
    Kind(String),
    /// It has more bytes than a provider takes.
    #[error("expected an image of at most {IMAGE} bytes, but found {0}")]
    TooLarge(usize),
}

/// An image for a model, by its first bytes, whatever its name is.
///
/// # Errors
///
/// [`NoImage`], if it is of a kind that not every provider takes, or over 5 MiB.
pub fn image(label: &str, bytes: &[u8]) -> Result<Media, NoImage> {
    let found = infer::get(bytes).map(|kind| kind.mime_type());
    let Some(media_type @ ("image/png" | "image/jpeg" | "image/gif" | "image/webp")) = found else {
        let unknown = match std::str::from_utf8(bytes) {
            Ok("") => "an empty file",
            Ok(_) => "text",
            Err(_) => "bytes of no known kind",
        };
        return Err(NoImage::Kind(found.unwrap_or(unknown).to_owned()));
    };
    if bytes.len() > IMAGE {
        return Err(NoImage::TooLarge(bytes.len()));
    }
    let url = format!("data:{media_type};base64,{}", STANDARD.encode(bytes));
    Ok(Media { url, media_type: media_type.to_owned(), label: label.to_owned() })
}

/// What a binary file is.
pub(crate) enum Binary {
    /// An image that the model can look at.
    Image(Media),
    /// Anything else, in words.
    Other(String),
}

/// Looks at the start of a file that is not text.
pub(crate) fn inspect(name: &str, bytes: &[u8]) -> Binary {
    if let Ok(media) = image(name, bytes) {
        return Binary::Image(media);
    }
    match infer::get(bytes).map(|kind| kind.mime_type()) {
        Some(found) if found.starts_with("image/") => {
            let n = size(bytes.len() as u64);
            Binary::Other(format!("{found}, {n}: too large to be shown, or of a kind that is not"))
        }
        found => Binary::Other(describe(found, bytes.len() as u64)),
    }
}

/// A binary file in words.
pub(crate) fn describe(media_type: Option<&str>, len: u64) -> String {
    let kind = media_type.unwrap_or("unknown kind");
    format!("binary file, {kind}, {}; its content is not text", size(len))
}
