//! What the answers of people at a server let run.

use serde_json::{Value, json};

use crate::{
    app::App,
    attach::{Door, Found, for_sessions},
    cli::ServerArgs,
    exit::Exit,
    output::{fail, note},
    screen::clean,
    trouble::Trouble,
};

/// Which answer is taken back.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// In this session alone; the beginning of its id is enough.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// What the answer covers, as `tagline rules list` says it.
    scope: String,
    #[command(flatten)]
    server: ServerArgs,
}

/// An answer that covers more than its call.
#[derive(Clone, Debug)]
pub(crate) struct Granted {
    session: String,
    scope: String,
    call: String,
    /// Seconds since it was given.
    age: u64,
}

impl Granted {
    fn of(row: &Value) -> Self {
        let text =
            |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let age = row.get("age").and_then(Value::as_u64).unwrap_or(0);
        Self { session: text("session"), scope: text("scope"), call: text("call"), age }
    }

    pub(super) fn line(&self) -> String {
        let Self { session, call, .. } = self;
        let (scope, minutes) = (clean(&self.scope), self.age / 60);
        format!(
            "{:<8} {scope:<40}  # session {session}, your answer to call {call}, {minutes} min ago\n",
            "granted"
        )
    }

    pub(super) fn json(&self) -> Value {
        let Self { session, scope, call, age } = self;
        json!({ "session": session, "scope": scope, "call": call, "age": age })
    }

    /// As a chat says it of its own session.
    pub(crate) fn told(&self) -> String {
        let minutes = self.age / 60;
        format!(
            "allow {}  # your answer to call {}, {minutes} min ago",
            clean(&self.scope),
            self.call
        )
    }

    /// Whether it is one of this session, which may be named by the beginning of its id.
    pub(crate) fn is_of(&self, session: &str) -> bool {
        self.session.starts_with(session)
    }
}

/// Those of the server of this folder; none where it has none.
pub(super) fn all(app: &App, server: &ServerArgs) -> Result<Vec<Granted>, Exit> {
    let Some(Found { door, .. }) = for_sessions(app, server)? else { return Ok(Vec::new()) };
    Ok(App::runtime()?.block_on(at(&door))?)
}

/// Those of a server.
pub(crate) async fn at(door: &Door) -> Result<Vec<Granted>, Trouble> {
    let list = door.get("/api/grants").await?;
    let rows = list.get("grants").and_then(Value::as_array).into_iter().flatten();
    Ok(rows.map(Granted::of).collect())
}

/// `tagline rules revoke`.
pub(super) fn revoke(app: &App, args: &Args) -> Result<Exit, Exit> {
    let Some(Found { door, .. }) = for_sessions(app, &args.server)? else {
        let words =
            "no server has this folder, so no answer is kept; what you allow in a run ends with it";
        return Err(fail(Exit::Usage, words));
    };
    App::runtime()?.block_on(async {
        let session = args.session.as_deref().unwrap_or_default();
        let grants = at(&door).await?;
        let found = grants.iter().filter(|it| it.is_of(session) && it.scope == args.scope);
        let sessions: Vec<_> = found.map(|it| it.session.clone()).collect();
        if sessions.is_empty() {
            let words = format!(
                "no answer lets `{}` run; `tagline rules list` shows what they do",
                args.scope
            );
            return Err(fail(Exit::Usage, words));
        }
        for session in &sessions {
            take_back(&door, session, &args.scope).await?;
            if !app.is_quiet {
                note(format_args!(
                    "`{}` asks again in session {session}, from the next call on",
                    clean(&args.scope)
                ));
            }
        }
        Ok(Exit::Done)
    })
}

/// Takes one back.
pub(crate) async fn take_back(door: &Door, session: &str, scope: &str) -> Result<(), Trouble> {
    let path = format!("/api/sessions/{session}/grants/revoke");
    door.post_once(&path, &json!({ "scope": scope })).await.map(|_| ())
}
