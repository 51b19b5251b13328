//! The journal of a run: what is appended to it, and what is read back.
//!
//! A run is its journal: entries that are numbered from 1 without gaps, and everything else follows from
//! them. One step appends entries, shows events and keeps a checkpoint, whole or not at all; who comes
//! second with an entry's number has lost the run.
//!
//! Border: no store. What is written are [`Value`]s in the order of a statement's parameters, what is read is
//! packed JSON; the statements are `quarry-schema`'s. What an entry says is the machine's affair.

mod blob;
mod checkpoint;
mod entry;
mod idempotency;
mod packed;
mod record;
mod searched;
mod shown;
mod step;
pub mod trace;
mod value;

#[cfg(test)]
mod tests;

pub use blob::{Blob, Hash, LONGEST_INLINE};
pub use checkpoint::{Checkpoint, CheckpointError, Format, KeptCheckpoint, Migrate};
pub use entry::{Entry, Kind, Pack};
pub use idempotency::{Guessable, Idempotency};
pub use packed::{Damaged, Page, Waiting, due, entries, inbox, page};
pub use record::{Position, Record, behind, numbers, position, record, records};
pub use searched::{FoundAgain, Searched, found_again};
pub use shown::snapshot;
pub use step::{Birth, MOST_BYTES, MOST_TASK, Origin, Step, Write};
pub use value::Value;
