//! The token, where it lies, and the code that is traded for it.

use std::{
    fs, io,
    io::Write as _,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use subtle::ConstantTimeEq as _;
use tagline_secret::{Redactor, Secret};
use tokio::{sync::watch, time::Instant};

use crate::random::secret;

/// How long a start code holds.
const CODE_LIFE: Duration = Duration::from_secs(60);

/// What a marker over it is called.
const NAME: &str = "TAGLINE_SERVER_TOKEN";

/// Start codes that hold at once; the oldest goes first.
const MAX_CODES: usize = 16;

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The folder or the file.
    #[error("the token at `{at}`: {message}; mend the permissions of its folder", at = .path.display())]
    File {
        /// Where.
        path: PathBuf,
        /// What the system says.
        message: String,
    },
    /// The system has no randomness.
    #[error("the system gives no random bytes: {0}")]
    Random(String),
}

/// A token in a file that only its owner reads.
///
/// The folder has mode 0700 and the file 0600 from the first moment, whatever the process's mask
/// is. A file that others could read is no secret any more: it is replaced.
#[derive(Debug)]
pub struct TokenFile {
    path: PathBuf,
    current: watch::Sender<Secret>,
    codes: Mutex<Vec<(String, Instant)>>,
    /// Learns each token.
    redactor: Redactor,
}

impl TokenFile {
    /// Reads the token in `folder`, or makes one. Each profile has a folder of its own.
    ///
    /// # Errors
    ///
    /// Where the folder cannot be made private, or the file not be written.
    pub fn open(folder: &Path) -> Result<Self, TokenError> {
        let path = folder.join("token");
        private(folder).map_err(|error| failed(&path, &error))?;
        let token = match kept(&path) {
            Some(token) => token,
            None => write_new(&path)?,
        };
        let (current, redactor) = (watch::Sender::new(token), Redactor::default());
        Ok(Self { path, current, codes: Mutex::default(), redactor })
    }

    /// Tells the token, and each that replaces it, to what covers secrets.
    #[must_use]
    pub fn covered_by(mut self, redactor: &Redactor) -> Self {
        self.redactor = redactor.clone();
        self.redactor.learn(NAME, &self.current.borrow());
        self
    }

    /// The token, to be shown to its owner.
    #[must_use]
    pub fn show(&self) -> String {
        self.current.borrow().expose().to_owned()
    }

    /// The token, to be sent.
    #[must_use]
    pub fn secret(&self) -> Secret {
        self.current.borrow().clone()
    }

    /// Replaces the token. The old one fails from now on, and streams that it opened end.
    ///
    /// # Errors
    ///
    /// Where the file cannot be written; then the old token stays.
    pub fn rotate(&self) -> Result<String, TokenError> {
        let token = write_new(&self.path)?;
        self.lock().clear();
        self.redactor.learn(NAME, &token);
        let shown = token.expose().to_owned();
        self.current.send_replace(token);
        Ok(shown)
    }

    /// A code that can be traded for the token, once, within 60 seconds.
    ///
    /// # Errors
    ///
    /// Where the system has no randomness.
    pub fn code(&self) -> Result<String, TokenError> {
        let code = secret().map_err(|error| TokenError::Random(error.to_string()))?;
        let mut codes = self.lock();
        if codes.len() >= MAX_CODES {
            codes.remove(0);
        }
        codes.push((code.clone(), Instant::now()));
        Ok(code)
    }

    /// The token, if the code is good; it is spent then.
    pub(crate) fn trade(&self, code: &str) -> Option<String> {
        let mut codes = self.lock();
        codes.retain(|(_, made)| made.elapsed() < CODE_LIFE);
        let place = codes.iter().position(|(kept, _)| same(kept, code))?;
        codes.remove(place);
        Some(self.show())
    }

    pub(crate) fn is_token(&self, given: &str) -> bool {
        same(self.current.borrow().expose(), given)
    }

    /// Sees each rotation from now on.
    pub(crate) fn rotations(&self) -> watch::Receiver<Secret> {
        self.current.subscribe()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(String, Instant)>> {
        self.codes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// In time that does not depend on where they differ.
fn same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

fn failed(path: &Path, error: &io::Error) -> TokenError {
    TokenError::File { path: path.to_owned(), message: error.to_string() }
}

/// Makes the folder with its mode, or takes from others what they have of it.
fn private(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let metadata = fs::metadata(folder)?;
    if metadata.permissions().mode() & 0o077 != 0 {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// The token in the file, if it is whole and nobody else could read it.
fn kept(path: &Path) -> Option<Secret> {
    let metadata = fs::symlink_metadata(path).ok()?;
    let is_private = metadata.is_file() && metadata.permissions().mode() & 0o077 == 0;
    let token = fs::read_to_string(path).ok()?;
    (is_private && token.trim().len() == 43).then(|| Secret::from(token.trim()))
}

/// Writes a file of its own and moves it over: the token is old or new, never half.
fn write_new(path: &Path) -> Result<Secret, TokenError> {
    let random = |error: getrandom::Error| TokenError::Random(error.to_string());
    let token = secret().map_err(random)?;
    let beside = path.with_extension(secret().map_err(random)?);
    let write = || {
        let mut options = fs::OpenOptions::new();
        let mut file = options.write(true).create_new(true).mode(0o600).open(&beside)?;
        writeln!(file, "{token}")?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(|error| {
        // What was written of it is of no use; the first error is the one to tell.
        let _ = fs::remove_file(&beside);
        failed(path, &error)
    })?;
    Ok(Secret::from(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_code_holds_for_a_minute() {
        let folder = tempfile::tempdir().unwrap();
        let tokens = TokenFile::open(folder.path()).unwrap();
        let (young, old) = (tokens.code().unwrap(), tokens.code().unwrap());
        tokio::time::advance(Duration::from_secs(59)).await;
        assert_eq!(tokens.trade(&young), Some(tokens.show()));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(tokens.trade(&old), None);
    }

    #[tokio::test]
    async fn a_rotation_takes_the_codes_along() {
        let folder = tempfile::tempdir().unwrap();
        let tokens = TokenFile::open(folder.path()).unwrap();
        let code = tokens.code().unwrap();
        tokens.rotate().unwrap();
        assert_eq!(tokens.trade(&code), None);
    }

    #[tokio::test]
    async fn the_oldest_of_too_many_codes_goes() {
        let folder = tempfile::tempdir().unwrap();
        let tokens = TokenFile::open(folder.path()).unwrap();
        let codes: Vec<String> = (0..=MAX_CODES).map(|_| tokens.code().unwrap()).collect();
        assert_eq!(tokens.trade(&codes[0]), None);
        assert_eq!(tokens.trade(&codes[1]), Some(tokens.show()));
    }
}
