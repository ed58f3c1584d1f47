//! A frame of this version or of another one.

use alloc::{borrow::ToOwned as _, format, string::String};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Value;

use crate::Frame;

/// A frame as it was written, and what this version makes of it.
///
/// What this version does not know survives: a frame of an unknown type is kept whole, and fields
/// that a known type does not have are written back as they were read.
///
/// # Examples
///
/// ```
/// use tagline_protocol::AnyFrame;
///
/// let json = r#"{"v":2,"seq":7,"ts":"…","session":"s","type":"tool.hummed","tune":"la"}"#;
/// let frame: AnyFrame = serde_json::from_str(json)?;
/// assert_eq!((frame.seq(), frame.kind()), (7, "tool.hummed"));
/// assert!(frame.frame().is_none());
/// assert_eq!(serde_json::to_string(&frame)?, json);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AnyFrame {
    seq: u64,
    kind: String,
    raw: Value,
    frame: Option<Frame>,
}

impl AnyFrame {
    /// Its number in the journal.
    #[must_use]
    pub const fn seq(&self) -> u64 {
        self.seq
    }

    /// Its type, such as `tool.done`.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The frame, if this version knows its type.
    #[must_use]
    pub const fn frame(&self) -> Option<&Frame> {
        self.frame.as_ref()
    }

    /// The JSON as it was read.
    #[must_use]
    pub const fn raw(&self) -> &Value {
        &self.raw
    }
}

impl Serialize for AnyFrame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AnyFrame {
    /// Fails where `seq` or `type` is missing, or a known type of a known version does not read.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Value::deserialize(deserializer)?;
        let seq = raw.get("seq").and_then(Value::as_u64);
        let kind = raw.get("type").and_then(Value::as_str).map(str::to_owned);
        let (Some(seq), Some(kind)) = (seq, kind) else {
            return Err(D::Error::custom("frame: expected `seq` and `type`, but one is missing"));
        };
        let frame = match Frame::deserialize(&raw) {
            Ok(frame) => Some(frame),
            Err(error) if is_known(&raw, &kind) => {
                return Err(D::Error::custom(format!("frame {seq} of type `{kind}`: {error}")));
            }
            Err(_) => None,
        };
        Ok(Self { seq, kind, raw, frame })
    }
}

/// Whether this version must be able to read the frame.
fn is_known(raw: &Value, kind: &str) -> bool {
    let version = raw.get("v").and_then(Value::as_u64).unwrap_or_default();
    version <= u64::from(crate::SCHEMA_VERSION) && crate::EVENT_TYPES.contains(&kind)
}
