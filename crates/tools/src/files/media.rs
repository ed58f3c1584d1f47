//! Files that are not text: images for the model, a description of the rest.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use tagline_protocol::Media;

use crate::files::text::size;

/// Largest image that is handed to the model, in bytes: 5 MiB, what providers take.
const IMAGE: usize = 5 * 1024 * 1024;

/// What a binary file is.
pub(crate) enum Binary {
    /// An image that the model can look at.
    Image(Media),
    /// Anything else, in words.
    Other(String),
}

/// Looks at the start of a file that is not text.
pub(crate) fn inspect(name: &str, bytes: &[u8]) -> Binary {
    let media_type = infer::get(bytes).map(|kind| kind.mime_type());
    match media_type {
        Some(found @ ("image/png" | "image/jpeg" | "image/gif" | "image/webp"))
            if bytes.len() <= IMAGE =>
        {
            let url = format!("data:{found};base64,{}", STANDARD.encode(bytes));
            Binary::Image(Media { url, media_type: found.to_owned(), label: name.to_owned() })
        }
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
