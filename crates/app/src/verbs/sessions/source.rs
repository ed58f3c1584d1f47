//! Where sessions are read and changed: in the journal, or through the server that has it.

use serde_json::{Value, json};
use tagline_protocol::AnyFrame;
use tagline_session::{SystemClock, Upto, fork};
use tagline_store::{
    Content, Journal as _, Record, SessionInfo, SqliteJournal, StoreError, content_hash, export,
};

use super::none;
use crate::{
    app::App,
    attach::{self, Door, part},
    cli::ServerArgs,
    exit::Exit,
    journal::{open_existing, refuse, refuse_fork},
    output::fail,
    trouble::Trouble,
};

/// What a verb looks at. A server of this machine's journal is asked for changes alone: reading
/// beside it is safe, and the same in every byte.
pub(crate) struct Source {
    journal: Option<SqliteJournal>,
    door: Option<Door>,
    /// The sessions are at the server alone.
    is_remote: bool,
}

/// A place where words stand, as every door tells it.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Hit {
    pub(super) session: String,
    pub(super) seq: u64,
    pub(super) ts: String,
    pub(super) place: String,
    pub(super) excerpt: String,
}

impl Source {
    pub(crate) fn open(app: &App, args: &ServerArgs) -> Result<Self, Exit> {
        let door = attach::for_sessions(app, args)?;
        let is_remote = door.as_ref().is_some_and(|found| found.is_elsewhere);
        let journal = if is_remote { None } else { open_existing(app)? };
        Ok(Self { journal, door: door.map(|found| found.door), is_remote })
    }

    /// The server, where reading needs it.
    fn far(&self) -> Option<&Door> {
        self.door.as_ref().filter(|_| self.is_remote)
    }

    fn near(&self, id: &str) -> Result<&SqliteJournal, Exit> {
        self.journal.as_ref().ok_or_else(|| none(id))
    }

    /// Every session, newest first; `None` where there never was one.
    pub(crate) async fn list(&self) -> Result<Option<Vec<SessionInfo>>, Exit> {
        if let Some(door) = self.far() {
            let list = door.get("/api/sessions").await?;
            let rows = list.get("sessions").and_then(Value::as_array).cloned().unwrap_or_default();
            return Ok(Some(rows.iter().map(info).collect()));
        }
        let Some(journal) = &self.journal else { return Ok(None) };
        journal.sessions().await.map(Some).map_err(|error| refuse(&error))
    }

    pub(crate) async fn find(&self, id: &str) -> Result<SessionInfo, Exit> {
        if let Some(door) = self.far() {
            return Ok(info(&door.get(&format!("/api/sessions/{}", part(id))).await?));
        }
        self.near(id)?.find(id).await.map_err(|error| refuse(&error))
    }

    /// Does something with every record of the session, in order.
    pub(crate) async fn each(
        &self,
        id: &str,
        mut work: impl FnMut(Record) -> Result<(), Exit>,
    ) -> Result<(), Exit> {
        if let Some(door) = self.far() {
            let text = door.text(&format!("/api/sessions/{}/export", part(id))).await?;
            return text.lines().map(record).try_for_each(work);
        }
        super::each(self.near(id)?, id, &mut work).await
    }

    pub(super) async fn search(&self, words: &str, limit: usize) -> Result<Vec<Hit>, Exit> {
        if let Some(door) = self.far() {
            let path = format!("/api/sessions/search?q={}&limit={limit}", part(words));
            let hits = door.get(&path).await?.get("hits").cloned().unwrap_or_default();
            return serde_json::from_value(hits).map_err(|error| fail(Exit::Failed, error));
        }
        let Some(journal) = &self.journal else { return Ok(Vec::new()) };
        let hits = journal.search(words, limit).await.map_err(|error| refuse(&error))?;
        let hit = |hit: tagline_store::Hit| Hit {
            session: hit.session,
            seq: hit.seq,
            ts: hit.ts,
            place: hit.place.name().to_owned(),
            excerpt: hit.excerpt,
        };
        Ok(hits.into_iter().map(hit).collect())
    }

    /// The session as lines, and a hash over what it holds where that can be had.
    pub(super) async fn export(&self, id: &str) -> Result<(Vec<u8>, Option<String>), Exit> {
        if let Some(door) = self.far() {
            let info = self.find(id).await?;
            let head = json!({
                "tagline": "session", "v": 1, "session": info.id, "profile": info.profile,
                "created": info.created, "workspace": info.workspace, "title": info.title,
            });
            let lines = door.text(&format!("/api/sessions/{}/export", part(&info.id))).await?;
            return Ok((format!("{head}\n{lines}").into_bytes(), None));
        }
        let (journal, mut out) = (self.near(id)?, Vec::new());
        export(journal, id, &mut out).await.map_err(|error| fail(Exit::Failed, error))?;
        let hash = content_hash(journal, id).await.map_err(|error| refuse(&error))?;
        Ok((out, Some(hash)))
    }

    /// Copies a session; the copy's row.
    pub(super) async fn fork(&self, id: &str, upto: &Upto) -> Result<SessionInfo, Exit> {
        if let Some(door) = &self.door {
            let path = format!("/api/sessions/{}/fork", part(id));
            let body = match upto {
                Upto::Now => json!({}),
                Upto::Before(turn) => json!({ "before": turn }),
                Upto::After(turn) => json!({ "after": turn }),
            };
            return Ok(info(&door.post(&path, &body).await?));
        }
        let (journal, source) = (self.near(id)?, self.find(id).await?);
        let copy = fork(journal, &SystemClock, source, crate::run::new_id(), upto).await;
        copy.map_err(|error| refuse_fork(&error))
    }

    /// Removes a session; `id` is whole.
    pub(super) async fn delete(&self, id: &str) -> Result<(), Exit> {
        if let Some(door) = &self.door {
            return Ok(door.delete(&format!("/api/sessions/{}", part(id))).await.map(drop)?);
        }
        self.near(id)?.delete(id).await.map_err(|error| refuse(&error))
    }

    /// Whether sessions can be taken in here.
    pub(super) fn refuse_far(&self) -> Result<(), Trouble> {
        if !self.is_remote {
            return Ok(());
        }
        let words = "import: the sessions lie at the server; import where its journal is a file";
        Err(Trouble::new(Exit::Usage, words))
    }
}

/// A row of the server.
fn info(row: &Value) -> SessionInfo {
    let text = |name| row.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    SessionInfo {
        id: text("id"),
        created: text("created"),
        updated: text("updated"),
        title: text("title"),
        workspace: text("workspace").into(),
        profile: text("profile"),
        last_seq: row.get("last_seq").and_then(Value::as_u64).unwrap_or(0),
    }
}

/// A record as the server sends it.
fn record(line: &str) -> Record {
    let json = line.to_owned();
    match serde_json::from_str::<AnyFrame>(line) {
        Err(error) => Record { seq: 0, json, content: Content::Damaged(error.to_string()) },
        Ok(any) => {
            let content = any.frame().map_or_else(
                || Content::Unknown(any.kind().to_owned()),
                |frame| Content::Frame(Box::new(frame.clone())),
            );
            Record { seq: any.seq(), json, content }
        }
    }
}

/// The session is there already, or another thing that the journal says of an import.
pub(super) fn refuse_import(error: &tagline_store::ImportError) -> Exit {
    match error {
        tagline_store::ImportError::Store(error @ StoreError::Exists(_)) => {
            let hint = "; take it in under another id with `--as ID`";
            fail(Exit::Usage, format_args!("import: {}{hint}", short(error)))
        }
        tagline_store::ImportError::Store(error) => refuse(error),
        tagline_store::ImportError::Read(_)
        | tagline_store::ImportError::NoSession { .. }
        | tagline_store::ImportError::TooNew { .. }
        | tagline_store::ImportError::NoRecord { .. } => {
            fail(Exit::Failed, format_args!("import: {error}"))
        }
    }
}

/// Up to its advice, which is another one here.
fn short(error: &StoreError) -> String {
    error.to_string().split(';').next().unwrap_or_default().to_owned()
}
