//! What a crash may tell: no secret, and nothing of the memory.

use std::panic;

use rustix::process::{Resource, getrlimit, setrlimit};

use crate::output::note;

/// From now on a crash writes one line without secrets, and no image of the memory.
pub(crate) fn prepare() {
    panic::set_hook(Box::new(|info| {
        let message = info.payload_as_str().unwrap_or("no words");
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        note(format_args!("error: something unexpected happened in {place}: {message}"));
    }));
    let limit = getrlimit(Resource::Core);
    // Where it cannot be lowered, the system was told not to let us.
    let _ = setrlimit(Resource::Core, rustix::process::Rlimit { current: Some(0), ..limit });
}
