//! Words that nobody can guess.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

/// 256 bits of the system's randomness, as 43 characters that fit an address and a header.
pub(crate) fn secret() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}
