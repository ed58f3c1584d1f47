//! `move_file`, `create_folder`, `delete_file`: what stands where.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tagline_executor::{Tool, ToolContext, guards::ContentHash};
use tagline_policy::Claims;
use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput};
use tagline_workspace::{Depth, Kind, Made, Problem};

use crate::files::desk::{Desk, Touch, WHOLE, at_desk, claims, makes};

/// Moves or renames a file or folder, and makes the folders that the new place needs. It never
/// replaces anything: delete what is in the way first.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MoveFile {
    /// What to move, such as `notes.txt`.
    from: String,
    /// Its new path with its new name, such as `archive/notes.txt`.
    to: String,
}

impl Tool for MoveFile {
    const NAME: &'static str = "move_file";
    const EFFECT: Effect = Effect::Write;
    const EXAMPLES: &'static [&'static str] =
        &[r#"<move_file from="notes.txt" to="archive/notes.txt"/>"#];
    const LABEL: &'static str = "move";
    const SUBTITLE: Option<&'static str> = Some("from");

    fn claims(&self, cx: &ToolContext) -> Claims {
        claims(cx, [(&*self.from, Touch::Removes), (&*self.to, Touch::Writes)])
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        makes(cx, &self.claims(cx));
        at_desk(cx, move |desk| self.relocate(desk)).await
    }
}

impl MoveFile {
    fn relocate(self, desk: &Desk) -> ToolOutcome {
        let Self { from, to } = self;
        // What the model knows of a file goes with it.
        let known = desk
            .files
            .read(&from, WHOLE)
            .ok()
            .filter(|old| desk.ledger.check(&old.path, ContentHash::of(&old.bytes)).is_ok());
        let (old, new) = desk.files.relocate(&from, &to).map_err(|error| desk.failure(&error))?;
        desk.ledger.forget(&old);
        if let Some(known) = known.filter(|known| known.path == old) {
            desk.note(&new, &known.bytes);
        }
        desk.audit.note("from", old.display().to_string());
        desk.audit.note("to", new.display().to_string());
        let echo = format!("moved `{from}` to `{to}`");
        let payload = json!({ "from": from, "to": to, "path": desk.files.show(&new) });
        Ok(ToolOutput::new(echo, payload))
    }
}

/// Makes a folder and the ones above it. Not needed before `write_file`, which makes its own.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct CreateFolder {
    /// The folder, such as `site/images`.
    path: String,
}

impl Tool for CreateFolder {
    const NAME: &'static str = "create_folder";
    const EFFECT: Effect = Effect::Write;
    const EXAMPLES: &'static [&'static str] = &[r#"<create_folder path="site/images"/>"#];
    const LABEL: &'static str = "create";
    const SUBTITLE: Option<&'static str> = Some("path");

    fn claims(&self, cx: &ToolContext) -> Claims {
        claims(cx, [(&*self.path, Touch::Writes)])
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        makes(cx, &self.claims(cx));
        at_desk(cx, move |desk| {
            let path = self.path;
            let made = desk.files.create_folder(&path).map_err(|error| desk.failure(&error))?;
            let (echo, is_new) = match made {
                Made::New => (format!("made the folder `{path}`"), true),
                Made::Already => (format!("the folder `{path}` is there already"), false),
            };
            Ok(ToolOutput::new(echo, json!({ "path": path, "created": is_new })))
        })
        .await
    }
}

/// Deletes a file, a link or a folder; what goes is kept in the undo store. To clear a file's
/// text, use `write_file`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct DeleteFile {
    /// What to delete, such as `notes.txt`.
    path: String,
    /// Whether a folder goes with everything in it.
    #[serde(default)]
    recursive: bool,
}

impl Tool for DeleteFile {
    const NAME: &'static str = "delete_file";
    const EFFECT: Effect = Effect::Write;
    const EXAMPLES: &'static [&'static str] = &[
        r#"<delete_file path="notes.txt"/>"#,
        r#"<delete_file path="old-site" recursive="true"/>"#,
    ];
    const LABEL: &'static str = "delete";
    const SUBTITLE: Option<&'static str> = Some("path");

    fn claims(&self, cx: &ToolContext) -> Claims {
        claims(cx, [(&*self.path, Touch::Removes)])
    }

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        at_desk(cx, move |desk| self.delete(desk)).await
    }
}

impl DeleteFile {
    fn delete(self, desk: &Desk) -> ToolOutcome {
        let Self { path, recursive } = self;
        let depth = if recursive { Depth::Whole } else { Depth::Empty };
        let deleted = desk.files.delete(&path, depth, &desk.call).map_err(|error| {
            if matches!(error.problem, Problem::NotEmpty(_)) {
                return ToolFailure::BadCall(format!("{error}, with `recursive` set to true"));
            }
            desk.failure(&error)
        })?;
        desk.ledger.forget(&deleted.path);
        desk.audit.note("path", deleted.path.display().to_string());
        desk.audit.note("kept", deleted.kept.display().to_string());
        let what = match deleted.kind {
            Kind::File(_) => "the file",
            Kind::Folder => "the folder",
            Kind::Special(what) => what.strip_prefix("a ").map_or("the file", |_| what),
        };
        let echo = format!("deleted {what} `{path}`; it is kept in the undo store");
        Ok(ToolOutput::new(echo, json!({ "path": path, "kept": desk.call })))
    }
}
