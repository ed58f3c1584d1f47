//! The files of the page, built into the program: what `npm run build` makes of `ui/`.

use std::{
    collections::HashMap,
    io::{self, Write as _},
    sync::{LazyLock, OnceLock},
};

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use include_dir::{Dir, File, include_dir};
use sha2::{Digest as _, Sha256};

static BUNDLE: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../ui/dist");

static ASSETS: LazyLock<HashMap<&'static str, Asset>> = LazyLock::new(|| {
    let named = |file: &'static File<'static>| Some((file.path().to_str()?, Asset::of(file)));
    files(&BUNDLE).into_iter().filter_map(named).collect()
});

/// A file of the page.
#[derive(Debug)]
pub(crate) struct Asset {
    pub(crate) bytes: &'static [u8],
    /// Its `Content-Type`.
    pub(crate) kind: &'static str,
    /// Its `ETag`; weak, because it stands for the compressed form too.
    pub(crate) tag: String,
    /// Its name holds a hash of what it says, so that it never changes.
    pub(crate) is_lasting: bool,
    gzip: OnceLock<Option<Bytes>>,
}

/// The file of this name below `ui/dist`.
pub(crate) fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.get(name)
}

impl Asset {
    fn of(file: &'static File<'static>) -> Self {
        let name = file.path().to_str().unwrap_or_default();
        let digest = Sha256::digest(file.contents());
        let hash: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        Self {
            bytes: file.contents(),
            kind: kind(name),
            tag: format!("W/\"{hash}\""),
            is_lasting: has_hash(name),
            gzip: OnceLock::new(),
        }
    }

    /// The compressed form, made when it is first asked for; nothing where it would be no smaller.
    pub(crate) fn gzip(&self) -> Option<Bytes> {
        let small = || compress(self.bytes).ok().filter(|small| small.len() < self.bytes.len());
        self.gzip.get_or_init(|| small().map(Bytes::from)).clone()
    }
}

fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn files(dir: &'static Dir<'static>) -> Vec<&'static File<'static>> {
    dir.files().chain(dir.dirs().flat_map(files)).collect()
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

/// `page/index-BxY3_k0a.js`: the build puts eight characters of a hash behind the name.
fn has_hash(name: &str) -> bool {
    const HASH: usize = 8;
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let is_hash = |tail: &str| {
        tail.starts_with('-')
            && tail.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    stem.len().checked_sub(HASH + 1).and_then(|at| stem.get(at..)).is_some_and(is_hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_kind_that_a_browser_takes() {
        let unknown = ASSETS.iter().filter(|(_, asset)| asset.kind == "application/octet-stream");
        assert_eq!(unknown.map(|(name, _)| *name).collect::<Vec<_>>(), Vec::<&str>::new());
        assert!(find("index.html").is_some());
    }

    #[test]
    fn what_the_build_names_lasts_and_what_we_name_does_not() {
        let lasting = ["page/index-BxY3_k0a.js", "page/index--xY3_k0a.css", "page/a-b-12345678.js"];
        let changing =
            ["index.html", "page/theme.js", "page/icon.svg", "page/manifest.webmanifest"];
        assert!(lasting.iter().all(|name| has_hash(name)));
        assert!(!changing.iter().any(|name| has_hash(name)));
    }

    #[test]
    fn the_compressed_form_is_the_same_text() {
        let asset = find("index.html").unwrap();
        let mut text = Vec::new();
        let small = asset.gzip().unwrap();
        io::Read::read_to_end(&mut flate2::read::GzDecoder::new(small.as_ref()), &mut text)
            .unwrap();
        assert_eq!(text, asset.bytes);
    }
}
