//! Files of the user's that are written whole: the old text or the new one, never half.

use std::{
    fs,
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::Path,
};

/// Writes a file beside it and moves that over. Nobody else can read it before it has its mode, and
/// a folder that is made for it is the user's alone.
pub(crate) fn write(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let write = || {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let mut options = fs::OpenOptions::new();
        let mut file = options.write(true).create_new(true).mode(0o600).open(&beside)?;
        file.write_all(text.as_bytes())?;
        file.set_permissions(fs::Permissions::from_mode(mode))?;
        file.sync_all()?;
        fs::rename(&beside, path)?;
        fs::File::open(folder)?.sync_all()
    };
    write().inspect_err(|_| {
        // What was written of it is of no use; the first error is the one to tell.
        let _ = fs::remove_file(&beside);
    })
}
