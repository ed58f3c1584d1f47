//! What a patch comes to: the new content of each file, worked out before anything is written.

use std::path::PathBuf;

use tagline_protocol::ToolFailure;
use tagline_workspace::{ContentHash, Contents};

use crate::files::{
    desk::{Desk, WHOLE},
    patch::{
        fit,
        parse::{Deed, FilePatch},
    },
    seen::check_seen,
    text::{Encoding, Text},
    write_file::existing,
};

/// What happens to one file.
#[derive(Debug)]
pub(super) struct Step {
    /// As the patch names it.
    pub(super) path: String,
    /// Absolute, links resolved.
    place: PathBuf,
    pub(super) old: Option<Old>,
    /// The new text and its bytes; `None` where the file goes.
    pub(super) new: Option<New>,
    pub(super) to: Option<String>,
    pub(super) mode: Option<u32>,
}

/// A file as it stands there.
#[derive(Debug)]
pub(super) struct Old {
    pub(super) bytes: Vec<u8>,
    pub(super) hash: ContentHash,
    pub(super) mode: u32,
    /// Empty for a binary file.
    pub(super) text: String,
}

/// A file as it will stand there.
#[derive(Debug)]
pub(super) struct New {
    pub(super) text: String,
    pub(super) bytes: Vec<u8>,
}

/// Works out every file of a patch.
pub(super) fn plan(desk: &Desk, patches: &[FilePatch<'_>]) -> Result<Vec<Step>, ToolFailure> {
    let mut steps: Vec<Step> = Vec::new();
    for patch in patches {
        let step = plan_one(desk, patch)?;
        if steps.iter().any(|other| other.place == step.place) {
            return Err(ToolFailure::BadCall(format!(
                "`{}`: expected each file once, but the patch names it again at its line {}; put \
                 its hunks together; nothing was written",
                patch.path, patch.line
            )));
        }
        steps.push(step);
    }
    Ok(steps)
}

fn plan_one(desk: &Desk, patch: &FilePatch<'_>) -> Result<Step, ToolFailure> {
    let place = desk.files.resolve(&patch.path).map_err(|error| desk.failure(&error))?;
    if let Some(to) = &patch.to
        && desk.files.kind(to).is_ok()
    {
        return Err(bad(to, "is there already; nothing was written, choose another name"));
    }
    let (old, new) = match patch.deed {
        Deed::Create => created(desk, patch)?,
        Deed::Change => changed(desk, patch)?,
        Deed::Delete => (Some(deleted(desk, patch)?), None),
    };
    let (path, to, mode) = (patch.path.clone(), patch.to.clone(), patch.mode);
    Ok(Step { path, place, old, new, to, mode })
}

fn bad(path: &str, words: &str) -> ToolFailure {
    ToolFailure::BadCall(format!("`{path}`: {words}"))
}

fn created(desk: &Desk, patch: &FilePatch<'_>) -> Result<(Option<Old>, Option<New>), ToolFailure> {
    let path = &patch.path;
    let old = existing(desk, path)?;
    if old.as_ref().is_some_and(|old| !old.bytes.is_empty()) {
        let words = "expected a new file, but it is there already; nothing was written, change it \
                     under its own name, without `/dev/null`";
        return Err(bad(path, words));
    }
    let text = Text { text: String::new(), encoding: Encoding::Utf8, has_bom: false };
    let new = apply(path, &text, patch)?;
    Ok((old.map(|old| known(old, String::new())), Some(new)))
}

fn changed(desk: &Desk, patch: &FilePatch<'_>) -> Result<(Option<Old>, Option<New>), ToolFailure> {
    let path = &patch.path;
    let old = desk.files.read(path, WHOLE).map_err(|error| desk.failure(&error))?;
    check_seen(desk, path, &old)?;
    if patch.hunks.is_empty() {
        let (bytes, text) = (old.bytes.clone(), String::new());
        return Ok((Some(known(old, String::new())), Some(New { text, bytes })));
    }
    let Some(text) = Text::decode(&old.bytes) else {
        return Err(bad(path, "expected a text file, but it is binary; nothing was written"));
    };
    let new = apply(path, &text, patch)?;
    Ok((Some(known(old, text.text)), Some(new)))
}

/// The file that goes: what the patch says of its content must be all of it.
fn deleted(desk: &Desk, patch: &FilePatch<'_>) -> Result<Old, ToolFailure> {
    let path = &patch.path;
    let old = desk.files.read(path, WHOLE).map_err(|error| desk.failure(&error))?;
    let text = Text::decode(&old.bytes);
    if let Some(text) = text.as_ref().filter(|_| !patch.hunks.is_empty()) {
        let left = apply(path, text, patch)?;
        if !left.text.is_empty() {
            let words = "expected all of its lines in the patch that deletes it, but others are \
                         left; nothing was written, delete it with `delete_file`";
            return Err(bad(path, words));
        }
    }
    Ok(known(old, text.map(|text| text.text).unwrap_or_default()))
}

fn known(old: Contents, text: String) -> Old {
    Old { bytes: old.bytes, hash: old.hash, mode: old.mode, text }
}

fn apply(path: &str, old: &Text, patch: &FilePatch<'_>) -> Result<New, ToolFailure> {
    let refused = |words: String| bad(path, &format!("{words}; nothing was written"));
    let text = fit::all(&old.text, &patch.hunks).map_err(|fault| refused(fault.to_string()))?;
    let bytes = old.encode(&text).map_err(|c| {
        let encoding = old.encoding.name();
        refused(format!("expected characters that {encoding} has, but found `{c}`"))
    })?;
    Ok(New { text, bytes })
}
