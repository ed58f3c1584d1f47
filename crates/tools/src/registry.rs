//! The single list of tools. A tool is one line here and one type in a module beside it.

use tagline_executor::Registry;

use crate::files;

/// Every built-in tool, in the order the system prompt lists them.
#[must_use]
pub fn all() -> Registry {
    let mut tools = Registry::default();
    tools.add::<files::ReadFile>();
    tools.add::<files::WriteFile>();
    tools.add::<files::ReplaceInFile>();
    tools.add::<files::MoveFile>();
    tools.add::<files::CreateFolder>();
    tools.add::<files::DeleteFile>();
    tools
}
