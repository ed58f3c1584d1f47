//! A session as lines of JSON, out of a journal and into one.
//!
//! The first line says what the session is; each further one is a record as it stands, unknown
//! types and fields included. A damaged record becomes a line that carries its text, so that it is
//! the same again behind an import.

use std::{
    io::{self, BufRead, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{
    Content, Journal, Record, SessionInfo, StoreError, Stored, once::digits, record::with_session,
};

/// Version of the lines.
const VERSION: u32 = 1;
/// Records read at once.
const PAGE: usize = 512;

/// Why a session was not written out.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// It cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It cannot be written.
    #[error("the export cannot be written: {0}")]
    Write(#[from] io::Error),
}

/// Why a session was not taken in. Nothing of it was.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The journal does not take it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It cannot be read.
    #[error("the export cannot be read: {0}")]
    Read(#[from] io::Error),
    /// The first line is another one.
    #[error(
        "line 1: expected the first line of an exported session, but found {found}; \
         give a file that `tagline sessions export` wrote"
    )]
    NoSession {
        /// What is wrong with it.
        found: String,
    },
    /// A newer version wrote it.
    #[error(
        "line 1: expected version {VERSION} or older, but found {found}; use the newer tagline that wrote it"
    )]
    TooNew {
        /// Its version.
        found: u32,
    },
    /// A line is no record.
    #[error("line {line}: expected a record of the session, but found {found}")]
    NoRecord {
        /// Which, from 1.
        line: usize,
        /// What is wrong with it.
        found: String,
    },
}

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    tagline: String,
    v: u32,
    session: String,
    profile: String,
    created: String,
    workspace: PathBuf,
    title: String,
}

/// What a line says beside being a record.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tagline: Option<String>,
    seq: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

const SESSION: &str = "session";
const DAMAGED: &str = "damaged";

/// Writes the session to `out`.
///
/// # Errors
///
/// [`ExportError`].
pub async fn export<J: Journal>(
    journal: &J,
    session: &str,
    out: &mut (impl Write + Send),
) -> Result<(), ExportError> {
    let info = journal.find(session).await?;
    let SessionInfo { id, profile, created, workspace, title, .. } = info;
    let (tagline, session) = (SESSION.to_owned(), id.clone());
    let head = Head { tagline, v: VERSION, session, profile, created, workspace, title };
    line(out, &head)?;
    let mut after = 0;
    loop {
        let page = journal.records(&id, after, PAGE).await?;
        let is_last = page.len() < PAGE;
        after = page.last().map_or(after, |record| record.seq);
        page.iter().try_for_each(|record| write_record(out, record))?;
        if is_last {
            return Ok(());
        }
    }
}

fn write_record(out: &mut impl Write, record: &Record) -> Result<(), io::Error> {
    match &record.content {
        Content::Frame(_) | Content::Unknown(_) => writeln!(out, "{}", one_line(&record.json)),
        Content::Damaged(_) => {
            let (tagline, text) = (Some(DAMAGED.to_owned()), Some(record.json.clone()));
            line(out, &Line { tagline, seq: record.seq, text })
        }
    }
}

fn line(out: &mut impl Write, line: &impl Serialize) -> Result<(), io::Error> {
    let json = serde_json::to_string(line).map_err(io::Error::other)?;
    writeln!(out, "{json}")
}

/// Line breaks in a JSON text stand between its parts alone.
fn one_line(json: &str) -> String {
    json.replace(['\n', '\r'], " ")
}

/// Takes in a session that [`export`] wrote: as `id` where one is given, into `profile` where one
/// is given. What was made of it.
///
/// # Errors
///
/// [`ImportError`].
pub async fn import<J: Journal>(
    journal: &J,
    from: impl BufRead + Send,
    id: Option<&str>,
    profile: Option<&str>,
) -> Result<SessionInfo, ImportError> {
    let (head, records) = parse(from)?;
    let id = id.map_or(head.session, str::to_owned);
    let info = SessionInfo {
        id: id.clone(),
        created: head.created,
        updated: String::new(),
        title: head.title,
        workspace: head.workspace,
        profile: profile.map_or(head.profile, str::to_owned),
        last_seq: 0,
    };
    journal.restore(info, records).await?;
    Ok(journal.find(&id).await?)
}

fn parse(from: impl BufRead) -> Result<(Head, Vec<Stored>), ImportError> {
    let mut lines = (1..).zip(from.lines());
    let (_, first) = lines.next().unwrap_or((1, Ok(String::new())));
    let head = head(&first?)?;
    let mut records = Vec::new();
    for (line, text) in lines {
        let text = text?;
        if !text.trim().is_empty() {
            records.push(stored(line, text)?);
        }
    }
    Ok((head, records))
}

fn head(line: &str) -> Result<Head, ImportError> {
    let refuse = |found| ImportError::NoSession { found };
    let head: Head = serde_json::from_str(line).map_err(|error| refuse(error.to_string()))?;
    if head.tagline != SESSION {
        return Err(refuse(format!("a `{}`", head.tagline)));
    }
    if head.v > VERSION {
        return Err(ImportError::TooNew { found: head.v });
    }
    Ok(head)
}

fn stored(line: usize, text: String) -> Result<Stored, ImportError> {
    let refuse =
        |error: serde_json::Error| ImportError::NoRecord { line, found: error.to_string() };
    let Line { tagline, seq, text: damaged } = serde_json::from_str(&text).map_err(refuse)?;
    let json = match damaged {
        Some(damaged) if tagline.as_deref() == Some(DAMAGED) => damaged,
        Some(_) | None => text,
    };
    Ok(Stored { seq, json })
}

/// A hash over all that the session holds, whatever it is called and whoever it belongs to: the
/// same behind an export and an import.
///
/// # Errors
///
/// [`StoreError::NoSession`].
pub async fn content_hash<J: Journal>(journal: &J, session: &str) -> Result<String, StoreError> {
    let info = journal.find(session).await?;
    let mut hash = Sha256::new();
    for part in [&info.created, &info.title, &lossless(&info.workspace)] {
        hash.update(format!("{part}\n"));
    }
    let mut after = 0;
    loop {
        let page = journal.records(&info.id, after, PAGE).await?;
        let is_last = page.len() < PAGE;
        for record in page {
            after = record.seq;
            let json = one_line(&with_session(&record.json, ""));
            hash.update(format!("{after} {json}\n"));
        }
        if is_last {
            return Ok(digits(&hash.finalize()));
        }
    }
}

fn lossless(path: &Path) -> String {
    format!("{path:?}")
}
