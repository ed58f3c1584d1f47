//! What stood before a call and after it, and the way back.
//!
//! A [`Store`] keeps contents under their hash, outside of every workspace and of the user's git.
//! A [`Keeper`] looks at what a call may change, before it and after it: a command may change
//! anything below the roots, a tool what it names. What changed becomes a [`Record`]. A [`Plan`]
//! says what bringing records back would change now, and [`Plan::carry_out`] does it, which is a
//! record too.
//!
//! # Invariants
//!
//! * **U1: kept before it can be lost.** When [`Keeper::begin`] returns, every content in reach is
//!   in the store, or named as left out.
//! * **U2: nothing in silence.** What is not kept is in [`Record::left_out`] with its reason, and
//!   is never touched by an undo.
//! * **U3: back is back**, byte for byte, with permissions and links; and an undo that is undone
//!   leaves what was there before it.
//! * **U4: the user's hand wins.** What is not as the call left it is not overwritten unless that
//!   is asked for, file by file.
//! * **U5: old or new.** At every moment each file is whole. An undo that was killed can be done
//!   again, and a call that was killed can be undone.
//! * **U6: over no link.** Nothing outside the roots is read or written, whatever the tree is made
//!   of.
//! * **U7: bounded.** The store keeps to its quota; the oldest records leave first, and it is told.
//!
//! `tests/it` holds each of them.

mod apply;
mod cover;
mod error;
mod handle;
mod keeper;
mod look;
mod name;
mod node;
mod objects;
mod plan;
mod quota;
mod record;
mod select;
mod stamp;
mod store;
mod tree;
mod walk;

pub use apply::{Carried, Failure};
pub use cover::{Limits, Why};
pub use error::SnapshotError;
pub use keeper::{Begun, Ended, Keeper, Reach};
pub use name::Name;
pub use node::{Mode, Node};
pub use plan::{By, Plan, State, Step};
pub use quota::Freed;
pub use record::{LeftOut, Record, What};
pub use select::{NoSuch, Which, select};
pub use store::Store;
