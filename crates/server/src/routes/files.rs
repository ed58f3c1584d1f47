//! The user's files, below `home:/` and below a session's folder.

use std::sync::Arc;

use axum::{
    Json,
    body::Body,
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header::CONTENT_DISPOSITION, header::CONTENT_TYPE},
    response::{IntoResponse as _, Response},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    ApiError, Blob, FileEntry, FileName, FilePath, NameError, Replace,
    gate::{Asked, Sent, bytes_of},
    state::App,
};

/// A place.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct At {
    /// `home:/notes/a.txt`, or a path below the session's folder.
    #[serde(default)]
    path: String,
    /// Whose folder is meant.
    session: Option<String>,
}

/// What a folder holds.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Listing {
    /// The folder.
    path: String,
    /// Its entries, by name.
    entries: Vec<FileEntry>,
}

/// A place below a root that is there: a session is looked up, so that its id is whole.
async fn place(app: &App, path: &str, session: Option<&str>) -> Result<FilePath, ApiError> {
    let session = match session {
        Some(session) => Some(app.sessions.find(session).await?.id),
        None => None,
    };
    Ok(FilePath::read(path, session.as_deref())?)
}

pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Asked(At { path, session }): Asked<At>,
) -> Result<Json<Listing>, ApiError> {
    let folder = place(&app, &path, session.as_deref()).await?;
    let entries = app.backstage.files().list(&folder).await?;
    Ok(Json(Listing { path: folder.to_string(), entries }))
}

pub(crate) async fn raw(
    State(app): State<Arc<App>>,
    Asked(At { path, session }): Asked<At>,
) -> Result<Response, ApiError> {
    let file = place(&app, &path, session.as_deref()).await?;
    let blob = app.backstage.files().read(&file, app.limits.upload_bytes).await?;
    Ok(attachment(blob))
}

/// Bytes that a browser keeps and does not show: whatever they are, they are not our page.
pub(crate) fn attachment(Blob { bytes, media_type }: Blob) -> Response {
    let mut response = Body::from(bytes).into_response();
    let kind = HeaderValue::from_str(&media_type);
    let kind = kind.unwrap_or(HeaderValue::from_static("application/octet-stream"));
    response.headers_mut().insert(CONTENT_TYPE, kind);
    let keep = HeaderValue::from_static("attachment");
    response.headers_mut().insert(CONTENT_DISPOSITION, keep);
    response
}

/// Where an upload goes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Upload {
    /// The folder.
    #[serde(default)]
    folder: String,
    /// What the file is called where it comes from; reduced to one safe name.
    name: String,
    /// Whose folder is meant.
    session: Option<String>,
    /// Whether a file that is there is replaced.
    #[serde(default)]
    replace: bool,
}

/// What was written.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Written {
    /// Its place.
    path: String,
    #[serde(flatten)]
    entry: FileEntry,
}

pub(crate) async fn upload(
    State(app): State<Arc<App>>,
    Asked(Upload { folder, name, session, replace }): Asked<Upload>,
    request: Request,
) -> Result<(StatusCode, Json<Written>), ApiError> {
    let name = FileName::reduced(&name).ok_or(NameError::Name(name))?;
    let file = place(&app, &folder, session.as_deref()).await?.join(name);
    let limits = &app.limits;
    let bytes = bytes_of(request.into_body(), limits.upload_bytes, limits.upload_time).await?;
    let replace = if replace { Replace::Yes } else { Replace::No };
    let entry = app.backstage.files().write(&file, bytes, replace).await?;
    Ok((StatusCode::CREATED, Json(Written { path: file.to_string(), entry })))
}

/// A folder to make.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MakeFolder {
    /// Where.
    path: String,
    /// Whose folder is meant.
    session: Option<String>,
}

pub(crate) async fn folder(
    State(app): State<Arc<App>>,
    Sent(MakeFolder { path, session }): Sent<MakeFolder>,
) -> Result<(StatusCode, Json<Written>), ApiError> {
    let folder = place(&app, &path, session.as_deref()).await?;
    let entry = app.backstage.files().make_folder(&folder).await?;
    Ok((StatusCode::CREATED, Json(Written { path: folder.to_string(), entry })))
}

/// A file or folder, and its new place.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Relocate {
    /// Where it is.
    from: String,
    /// Where it will be, with its name. What is there stays.
    to: String,
    /// Whose folder is meant.
    session: Option<String>,
}

pub(crate) async fn relocate(
    State(app): State<Arc<App>>,
    Sent(Relocate { from, to, session }): Sent<Relocate>,
) -> Result<Json<Written>, ApiError> {
    let from = place(&app, &from, session.as_deref()).await?;
    let to = place(&app, &to, session.as_deref()).await?;
    let entry = app.backstage.files().relocate(&from, &to).await?;
    Ok(Json(Written { path: to.to_string(), entry }))
}

/// A file or folder, and its new name.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rename {
    /// Where it is.
    path: String,
    /// Its name from now on, in the same folder.
    name: String,
    /// Whose folder is meant.
    session: Option<String>,
}

pub(crate) async fn rename(
    State(app): State<Arc<App>>,
    Sent(Rename { path, name, session }): Sent<Rename>,
) -> Result<Json<Written>, ApiError> {
    let from = place(&app, &path, session.as_deref()).await?;
    let name = FileName::exact(&name).ok_or(NameError::Name(name))?;
    let to = from.folder().ok_or(NameError::Name(path))?.join(name);
    let entry = app.backstage.files().relocate(&from, &to).await?;
    Ok(Json(Written { path: to.to_string(), entry }))
}
