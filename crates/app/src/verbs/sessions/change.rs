//! Sessions that are moved, copied and removed.

use std::{
    fs::File,
    io::{self, BufReader, Write as _},
    path::Path,
};

use tagline_protocol::system_words;
use tagline_session::Upto;
use tagline_store::{content_hash, import as take_in};

use super::{
    as_json,
    source::{Source, refuse_import},
};
use crate::{
    app::App,
    exit::Exit,
    journal::{open, refuse},
    output::{fail, note, print, print_json},
    screen::{clean, count},
    verbs::confirm::confirm,
    wiring::undo_store,
};

pub(super) async fn export(
    app: &App,
    source: &Source,
    id: &str,
    to: Option<&Path>,
) -> Result<(), Exit> {
    let (lines, hash) = source.export(id).await?;
    match to.map(|file| app.env.cwd().join(file)) {
        None => write(&lines)?,
        Some(file) => {
            let made = File::options().write(true).create_new(true).open(&file);
            let written = made.and_then(|mut file| {
                file.write_all(&lines)?;
                file.sync_all()
            });
            written.map_err(|error| {
                fail(Exit::Failed, format_args!("{}: {}", file.display(), system_words(&error)))
            })?;
        }
    }
    if let Some(hash) = hash.filter(|_| !app.is_quiet) {
        note(format_args!("exported; its hash, the same behind an import, is {hash}"));
    }
    Ok(())
}

fn write(bytes: &[u8]) -> Result<(), Exit> {
    // The journal's texts are JSON, and so UTF-8; what is damaged in it stands escaped.
    print(&String::from_utf8_lossy(bytes))
}

pub(super) async fn import(
    app: &App,
    file: &Path,
    id: Option<&str>,
    json: bool,
) -> Result<(), Exit> {
    let journal = open(app)?;
    let profile = Some(app.profile());
    let taken = if file == Path::new("-") {
        take_in(&journal, BufReader::new(io::stdin()), id, profile).await
    } else {
        let path = app.env.cwd().join(file);
        let opened = File::open(&path).map_err(|error| {
            fail(Exit::Usage, format_args!("{}: {}", file.display(), system_words(&error)))
        })?;
        take_in(&journal, BufReader::new(opened), id, profile).await
    };
    let info = taken.map_err(|error| refuse_import(&error))?;
    if json {
        print_json(&as_json(&info))?;
    } else {
        print(&format!("{}\n", info.id))?;
    }
    if !app.is_quiet {
        let hash = content_hash(&journal, &info.id).await.map_err(|error| refuse(&error))?;
        let n = count(info.last_seq, "event", "events");
        note(format_args!("imported {n}; the hash is {hash}"));
    }
    Ok(())
}

pub(super) async fn fork(
    app: &App,
    source: &Source,
    id: &str,
    upto: &Upto,
    json: bool,
) -> Result<(), Exit> {
    let info = source.fork(id, upto).await?;
    if json {
        return print_json(&as_json(&info));
    }
    if !app.is_quiet {
        note(format_args!("go on in it with: tagline run -r {} \"…\"", info.id));
    }
    print(&format!("{}\n", info.id))
}

/// All are found before the first is removed.
pub(super) async fn delete(
    app: &App,
    source: &Source,
    ids: &[String],
    yes: bool,
) -> Result<(), Exit> {
    let mut found = Vec::new();
    for id in ids {
        found.push(source.find(id).await?);
    }
    if !yes {
        for info in &found {
            note(format_args!("  {}  {}", info.id, clean(&info.title)));
        }
        let what = count(u64::try_from(found.len()).unwrap_or(u64::MAX), "session", "sessions");
        confirm(
            &format!("remove {what} for good?"),
            &format!("delete: nobody is there to confirm the removal of {what}; add `--yes`"),
            "nothing was removed",
        )?;
    }
    for info in &found {
        source.delete(&info.id).await?;
        let forgotten = undo_store(app)?.forget(&info.id);
        forgotten.map_err(|error| fail(Exit::Failed, error))?;
        if !app.is_quiet {
            note(format_args!("removed {}", info.id));
        }
    }
    Ok(())
}
