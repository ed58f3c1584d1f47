//! One question, one answer: text in, events out.

use std::io;

use tagline_parser::{Finish, Limits, Parser};

use super::{
    calls::{self, Printer},
    chat, http,
};

/// What the model is told. A runtime makes this from its tools.
const PROMPT: &str = "Act by writing tags, and stop when you are done:\n\
    <write_file path=\"NAME\"><![CDATA[TEXT]]></write_file>\n\
    <say>TEXT FOR THE USER</say>";

/// Whom to ask, and how.
#[derive(Debug)]
pub(crate) struct Server<'a> {
    /// `http://HOST:PORT`.
    pub(crate) address: &'a str,
    pub(crate) model: &'a str,
    /// The key, where the server wants one.
    pub(crate) key: Option<&'a str>,
}

impl Server<'_> {
    /// Asks for a task to be done and prints what comes, while it comes.
    ///
    /// # Errors
    ///
    /// Whatever the connection says. What came before it broke has been printed.
    pub(crate) fn ask(&self, task: &str, out: &mut impl io::Write) -> io::Result<()> {
        let body = chat::request(self.model, PROMPT, task);
        let events = http::post(self.address, "/v1/chat/completions", self.key, &body)?;
        let mut parser = Parser::new(&calls::tags(), Limits::default());
        let mut printer = Printer::new(out);
        // A stream that breaks off is cut: what is open then is partial, and must not run.
        let mut finish = Finish::Cut;
        let mut result = Ok(());
        for event in events {
            match event.and_then(|data| chat::delta(&data)) {
                Ok(delta) => {
                    parser.feed(&delta.text);
                    finish = delta.finish.unwrap_or(finish);
                }
                Err(error) => {
                    (finish, result) = (Finish::Cut, Err(error));
                    break;
                }
            }
            printer.print(parser.drain())?;
        }
        parser.flush(finish);
        printer.print(parser.drain())?;
        result
    }
}
