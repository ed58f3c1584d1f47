//! `tagline parse`: any model text in, calls out, as soon as they are known.

mod batch;
mod decode;
mod request;
mod stream;

use std::io::{self, BufWriter};

use tagline_parser::{TagSet, TagSpec, ValueKind};

use tagline_protocol::system_words;

use crate::{exit::Exit, output::fail};

/// `tagline parse`.
///
/// One JSON object a line, as soon as it is known: `open`, `close`, `abort`, `fault`,
/// `invalid_utf8`. Positions count bytes of the reply.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Args {
    /// Tools to look for, separated by commas; by default all built-in ones
    ///
    /// A name that is not built in is taken as a tag with a raw body.
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    tools: Vec<String>,

    /// Say on standard error what was repaired, refused or quoted, and where
    #[arg(long)]
    explain: bool,

    /// Exit with 8 if anything had to be repaired or refused
    #[arg(long)]
    strict: bool,

    /// Read one JSON request a line and write one JSON answer a line
    ///
    /// A line that is no request is answered by an error, and the exit code is then 2.
    #[arg(long, conflicts_with_all = ["tools", "explain"])]
    batch: bool,
}

/// What a run found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Findings {
    /// Everything was well-formed.
    Clean,
    /// Something was repaired, refused or not understood.
    Problems,
    /// Some requests could not be read.
    BadRequest,
}

/// Runs the verb. Reads no configuration and starts no runtime.
pub(crate) fn run(args: Args) -> Exit {
    let mut out = BufWriter::new(io::stdout().lock());
    let result = if args.batch {
        batch::run(io::stdin().lock(), &mut out)
    } else {
        let notes = args.explain.then(|| io::stderr().lock());
        stream::run(io::stdin().lock(), &mut out, notes, &tags(&args.tools))
    };
    match result {
        Ok(Findings::Problems) if args.strict => Exit::Problems,
        Ok(Findings::Clean | Findings::Problems) => Exit::Done,
        Ok(Findings::BadRequest) => Exit::Usage,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::ReaderGone,
        Err(error) => {
            fail(Exit::Failed, format_args!("standard input or output: {}", system_words(&error)))
        }
    }
}

/// The built-in tools' tags.
fn builtin() -> TagSet {
    let tools = tagline_tools::all();
    TagSet::new(tools.entries().iter().map(|entry| entry.spec.tag_spec()))
}

/// The tags of these names; all that are built in where there are none.
fn tags(names: &[String]) -> TagSet {
    let builtin = builtin();
    if names.is_empty() {
        return builtin;
    }
    let spec = |name: &String| {
        let known = builtin.specs().iter().find(|spec| spec.name == *name);
        known.cloned().unwrap_or_else(|| TagSpec {
            name: name.clone(),
            body: Some(ValueKind::Raw),
            ..TagSpec::default()
        })
    };
    TagSet::new(names.iter().filter(|name| !name.is_empty()).map(spec))
}

#[cfg(test)]
mod tests;
