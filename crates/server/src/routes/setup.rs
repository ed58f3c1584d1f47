//! Providers, their keys, and the user's settings. A key comes in and never goes out.

use std::{borrow::Cow, sync::Arc};

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};
use tagline_secret::Secret;

use crate::{
    ApiError, IfUnreachable, KeyKept, ProviderRow, SettingKept,
    gate::{Private, Sent},
    state::App,
};

/// Every provider.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ProviderList {
    providers: Vec<ProviderRow>,
}

pub(crate) async fn providers(State(app): State<Arc<App>>) -> Result<Json<ProviderList>, ApiError> {
    Ok(Json(ProviderList { providers: app.backstage.setup().providers().await? }))
}

/// A key on its way in.
#[derive(Debug)]
struct KeyText(Secret);

impl<'de> Deserialize<'de> for KeyText {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        String::deserialize(reader).map(|text| Self(Secret::from(text)))
    }
}

impl JsonSchema for KeyText {
    fn schema_name() -> Cow<'static, str> {
        "KeyText".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "password", "writeOnly": true })
    }
}

/// A key to keep.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeepKey {
    /// The key. It is tried at the provider, kept, and never shown.
    key: KeyText,
    /// Keep it even where the provider cannot be reached. A key that it refuses is never kept.
    #[serde(default)]
    keep_unreachable: bool,
}

pub(crate) async fn keep_key(
    State(app): State<Arc<App>>,
    Path(provider): Path<String>,
    Private(KeepKey { key: KeyText(key), keep_unreachable }): Private<KeepKey>,
) -> Result<Json<KeyKept>, ApiError> {
    let unreachable = if keep_unreachable { IfUnreachable::Keep } else { IfUnreachable::Refuse };
    Ok(Json(app.backstage.setup().keep_key(&provider, key, unreachable).await?))
}

pub(crate) async fn forget_key(
    State(app): State<Arc<App>>,
    Path(provider): Path<String>,
) -> Result<StatusCode, ApiError> {
    app.backstage.setup().forget_key(&provider).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The value of a setting.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetSetting {
    /// As text.
    value: String,
}

pub(crate) async fn set(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Sent(SetSetting { value }): Sent<SetSetting>,
) -> Result<Json<SettingKept>, ApiError> {
    Ok(Json(app.backstage.setup().set(&name, Some(&value)).await?))
}

pub(crate) async fn unset(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<Json<SettingKept>, ApiError> {
    Ok(Json(app.backstage.setup().set(&name, None).await?))
}
