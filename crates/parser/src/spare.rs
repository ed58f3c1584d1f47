//! Memory that finished blocks leave, for those that follow: a long reply of many calls asks for no
//! more of it than a short one.

use alloc::{boxed::Box, string::String, vec::Vec};

use crate::{Block, Value, block::OpenBlock, tag::RawAttribute};

/// Most strings that are kept, and the longest of them.
const MOST: usize = 16;
const LONGEST: usize = 1024;

/// What is left of finished blocks, empty.
#[derive(Debug, Default)]
pub(crate) struct Spare {
    strings: Vec<String>,
    attributes: Vec<(String, String)>,
    list: Vec<RawAttribute>,
    block: Option<Box<OpenBlock>>,
}

impl Spare {
    /// A string with this text.
    pub(crate) fn text(&mut self, text: &str) -> String {
        let mut string = self.strings.pop().unwrap_or_default();
        string.push_str(text);
        string
    }

    /// Keeps a string that is no longer needed.
    pub(crate) fn keep(&mut self, mut string: String) {
        if string.capacity() > 0 && string.capacity() <= LONGEST && self.strings.len() < MOST {
            string.clear();
            self.strings.push(string);
        }
    }

    /// An empty list.
    pub(crate) fn attributes(&mut self) -> Vec<(String, String)> {
        core::mem::take(&mut self.attributes)
    }

    /// An empty list for the attributes of a start tag.
    pub(crate) fn list(&mut self) -> Vec<RawAttribute> {
        core::mem::take(&mut self.list)
    }

    /// Keeps the list of a tag that was read.
    pub(crate) fn keep_list(&mut self, mut list: Vec<RawAttribute>) {
        list.clear();
        self.list = list;
    }

    /// A block that is to be set up.
    pub(crate) fn block(&mut self) -> Box<OpenBlock> {
        self.block.take().unwrap_or_default()
    }

    /// Keeps what a sink left of a block, and what it was built in.
    pub(crate) fn keep_block(&mut self, mut block: Block, open: Box<OpenBlock>) {
        for (name, value) in block.attributes.drain(..) {
            self.keep(value);
            self.keep(name);
        }
        self.attributes = block.attributes;
        if let Some(Value::Text(text)) = block.body {
            self.keep(text);
        }
        self.keep(block.name);
        self.block = Some(open);
    }
}
