//! `read_file_in_chunks`: one piece of a large text file.

use std::{
    fs::File,
    io::{self, Read as _, SeekFrom},
};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tagline_executor::{Tool, ToolContext};
use tagline_policy::Claims;
use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput, system_words};

use crate::files::{
    desk::{Desk, Touch, WHOLE, at_desk, claims},
    media::describe,
    text::Text,
};

/// Reads one chunk of a large text file; the chunks joined are the file. For files with ordinary
/// lines, `read_file` is easier.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ReadFileInChunks {
    /// The file.
    path: String,
    /// Which chunk, from 0.
    #[serde(default)]
    chunk: u64,
    /// Size of a chunk in bytes.
    #[serde(default = "chunk_bytes")]
    #[schemars(range(min = 256, max = 15_000))]
    chunk_bytes: u64,
}

fn chunk_bytes() -> u64 {
    12_288
}

impl Tool for ReadFileInChunks {
    const NAME: &'static str = "read_file_in_chunks";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLES: &'static [&'static str] =
        &[r#"<read_file_in_chunks path="data/log.json" chunk="2"/>"#];
    const LABEL: &'static str = "read";
    const SUBTITLE: Option<&'static str> = Some("path");

    fn claims(&self, cx: &ToolContext) -> Claims {
        claims(cx, [(&*self.path, Touch::Reads)])
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        at_desk(cx, move |desk| self.read(desk)).await
    }
}

impl ReadFileInChunks {
    fn read(self, desk: &Desk) -> ToolOutcome {
        let mut opened = desk.files.open(&self.path).map_err(|error| desk.failure(&error))?;
        let broken = |error: io::Error| {
            ToolFailure::Failed(format!(
                "`{}`: the system reports: {}",
                self.path,
                system_words(&error)
            ))
        };
        if opened.len > WHOLE {
            let total = self.total(opened.len)?;
            let (start, bytes) =
                piece(&mut opened.file, self.chunk, self.chunk_bytes).map_err(broken)?;
            return self.show(opened.len, total, start, &bytes);
        }
        let failed = |problem| ToolFailure::Failed(format!("`{}`: {problem}", self.path));
        let contents = opened.read(WHOLE).map_err(failed)?;
        let text = Text::decode(&contents.bytes)
            .map_or(contents.bytes.clone(), |text| text.text.into_bytes());
        let total = self.total(text.len() as u64)?;
        let mut source = io::Cursor::new(&text);
        let (start, bytes) = piece(&mut source, self.chunk, self.chunk_bytes).map_err(broken)?;
        let output = self.show(text.len() as u64, total, start, &bytes)?;
        desk.note(&contents.path, &contents.bytes);
        Ok(output)
    }

    /// How many chunks there are; the wanted one must be among them.
    fn total(&self, len: u64) -> Result<u64, ToolFailure> {
        let total = len.div_ceil(self.chunk_bytes.max(1)).max(1);
        if self.chunk < total {
            return Ok(total);
        }
        Err(ToolFailure::BadCall(format!(
            "`{}`: expected `chunk` from 0 to {}, but found {}",
            self.path,
            total - 1,
            self.chunk
        )))
    }

    fn show(&self, len: u64, total: u64, start: u64, bytes: &[u8]) -> ToolOutcome {
        let Self { path, chunk, .. } = self;
        if bytes.contains(&0) {
            let what = describe(infer::get(bytes).map(|kind| kind.mime_type()), len);
            let payload = json!({ "path": path, "bytes": len, "binary": what });
            return Ok(ToolOutput::new(format!("{path}: {what}"), payload));
        }
        let text = String::from_utf8_lossy(bytes);
        let end = start + bytes.len() as u64;
        let next = match chunk + 1 {
            next if next < total => format!(", go on with chunk={next}"),
            _ => ", the last one".to_owned(),
        };
        let echo = format!(
            "{path}: chunk {chunk} of {total} (from 0), bytes {start}-{end} of {len}{next}\n{text}"
        );
        let payload = json!({ "path": path, "bytes": len, "chunk": chunk, "chunks": total });
        Ok(ToolOutput::new(echo, payload))
    }
}

/// The bytes of a chunk. Characters are not cut: one that starts in a chunk belongs to it whole.
fn piece(source: &mut dyn Seekable, chunk: u64, size: u64) -> io::Result<(u64, Vec<u8>)> {
    let start = chunk.saturating_mul(size);
    source.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    // Up to three bytes behind may belong to a character that starts inside.
    source.take(size.saturating_add(3)).read_to_end(&mut bytes)?;
    let is_inside = |byte: &&u8| **byte & 0xC0 == 0x80;
    let n_before = if chunk == 0 { 0 } else { bytes.iter().take(3).take_while(is_inside).count() };
    let n = usize::try_from(size).unwrap_or(usize::MAX);
    let n_behind = bytes.iter().skip(n).take(3).take_while(is_inside).count();
    bytes.truncate(n.saturating_add(n_behind));
    Ok((start + n_before as u64, bytes.split_off(n_before.min(bytes.len()))))
}

/// A source that can be read anywhere.
trait Seekable: io::Read + io::Seek {}

impl Seekable for File {}
impl Seekable for io::Cursor<&Vec<u8>> {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_chunks_joined_are_the_text(text in "[aé→😀]{0,60}", size in 4_u64..20) {
            let bytes = text.into_bytes();
            let total = (bytes.len() as u64).div_ceil(size).max(1);
            let mut joined = Vec::new();
            for chunk in 0..total {
                let (start, piece) = piece(&mut io::Cursor::new(&bytes), chunk, size).unwrap();
                prop_assert_eq!(start, joined.len() as u64);
                prop_assert!(std::str::from_utf8(&piece).is_ok());
                joined.extend(piece);
            }
            prop_assert_eq!(joined, bytes);
        }
    }
}
