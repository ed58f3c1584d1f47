//! The journal that is not kept.

use tagline_store::MemoryJournal;

use super::{Kind, checks, conformance};

struct Nowhere(MemoryJournal);

impl Kind for Nowhere {
    type Journal = MemoryJournal;

    fn start() -> Self {
        Self(MemoryJournal::default())
    }

    async fn open(&self) -> MemoryJournal {
        self.0.clone()
    }
}

conformance!(Nowhere);
