//! Images that go with what the user says.

use std::{
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use tagline_model::ModelInfo;
use tagline_protocol::{Media, system_words};

use crate::{app::App, exit::Exit, output::fail};

/// Most images of one message.
const MOST: usize = 20;
/// Most bytes of all of them: in base64 they must fit into the smallest request that a provider
/// takes, which has 20 MB.
const MOST_BYTES: usize = 14 << 20;
/// Bytes read of one: more than an image may have.
const READ: u64 = 32 << 20;

/// Reads the images, in order.
///
/// # Errors
///
/// [`Exit::Usage`] where one cannot be read, is none, or they are too many or too large.
pub(super) fn read(app: &App, files: &[PathBuf]) -> Result<Vec<Media>, Exit> {
    if files.len() > MOST {
        let message = format!("-i: expected at most {MOST} images, but found {}", files.len());
        return Err(fail(Exit::Usage, message));
    }
    let mut n_bytes = 0;
    let mut images = Vec::new();
    for file in files {
        let (image, n) = one(app, file)?;
        n_bytes += n;
        images.push(image);
    }
    if n_bytes > MOST_BYTES {
        let message = format!(
            "-i: expected at most {MOST_BYTES} bytes in all images, but found {n_bytes}; make them smaller, or show some of them later"
        );
        return Err(fail(Exit::Usage, message));
    }
    Ok(images)
}

/// One image, and how many bytes it has.
fn one(app: &App, file: &Path) -> Result<(Media, usize), Exit> {
    let shown = file.display().to_string();
    let refuse = |why: String| fail(Exit::Usage, format_args!("-i {shown}: {why}"));
    let bytes = bytes(&app.env.cwd().join(file)).map_err(|error| refuse(system_words(&error)))?;
    let image = tagline_tools::image(&shown, &bytes).map_err(|error| refuse(error.to_string()))?;
    Ok((image, bytes.len()))
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(READ).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether the model can be shown these images.
///
/// # Errors
///
/// [`Exit::Usage`] where it takes none and there are some.
pub(super) fn check(media: &[Media], model: &ModelInfo) -> Result<(), Exit> {
    if media.is_empty() || model.takes_images {
        return Ok(());
    }
    let message = format!(
        "-i: `{}` takes no images, as far as is known; choose another model, or, if it does, say so with `--takes-images on`",
        model.name
    );
    Err(fail(Exit::Usage, message))
}
