//! The single list of tools. A tool is one line here and one type in a module beside it.

use tagline_executor::Registry;

use crate::{commands, conversation, files, search};

/// Every built-in tool, in the order the system prompt lists them.
#[must_use]
pub fn all() -> Registry {
    let mut tools = Registry::default();
    tools.add::<conversation::Say>();
    tools.add::<conversation::Thinking>();
    tools.add::<conversation::AttemptCompletion>();
    tools.add::<conversation::WaitForHumanInput>();
    tools.add::<conversation::UpdatePlan>();
    tools.add::<conversation::ReadResult>();
    tools.add::<files::ReadFile>();
    tools.add::<files::ReadFileInChunks>();
    tools.add::<files::ReadBatch>();
    tools.add::<search::ListFiles>();
    tools.add::<search::SearchFiles>();
    tools.add::<search::Search>();
    tools.add::<search::Query>();
    tools.add::<search::Extract>();
    tools.add::<search::ListCodeDefinitionNames>();
    tools.add::<files::WriteFile>();
    tools.add::<files::ReplaceInFile>();
    tools.add::<files::ApplyPatch>();
    tools.add::<files::MoveFile>();
    tools.add::<files::CreateFolder>();
    tools.add::<files::DeleteFile>();
    tools.add::<commands::ExecuteCommand>();
    tools.add::<commands::ReadCommandTail>();
    tools.add::<commands::WaitUntil>();
    tools.add::<commands::WriteCommandInput>();
    tools.add::<commands::StopCommand>();
    tools.add::<commands::ListRecentCommands>();
    tools
}
