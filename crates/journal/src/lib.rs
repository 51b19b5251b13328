//! A log of numbered entries that survives crashes, full stores and slow readers.
//!
//! Everything here decides and nothing here performs: each part is told what happened and when,
//! and says what to do next. So all of it is tested on virtual time, with stores that fail.
//!
//! Border: it knows no store and no clock. Where a value lies is a [`Place`]; what an entry says is its
//! writer's affair, except for what a [`Dialect`] tells. Of events only [`run`] knows, and only that they have
//! a number and a name.

mod again;
mod announce;
mod backoff;
mod chain;
mod codec;
mod desk;
mod entry;
mod feed;
mod follow;
mod lanes;
mod left;
mod liveness;
mod part;
mod place;
mod promise;
pub mod run;
mod slice;
mod slots;
mod snapshot;
mod steady;
mod under_way;
mod upkeep;
mod writer;

pub use again::{JOINED_FOR_MS, REPLAYED_FOR_MS, lasting_notes, notes};
pub use chain::Chain;
pub use codec::{Damage, Decoder, Encoder};
pub use desk::{Command, Desk, End, Start};
pub use entry::{Dialect, Entry};
pub use feed::MOST_WAITING;
pub use follow::{Follower, Look, Over};
pub use lanes::Lane;
pub use left::{Left, LeftBehind, Parting, Tries};
pub use liveness::{
    brief_due, failed_sweep, goes_with, is_swept, never_began, oldest_kept, oldest_waiting,
    sweep_due,
};
pub use part::{MAX_VALUE, Part, PartError};
pub use place::Place;
pub use promise::{Looked, Promise};
pub use slice::{
    Append, CHECKPOINT_SHARE, Driven, KEPT_WAIT_MS, Leave, Rest, SHORT_WAIT_MS, Slice,
    SliceCommand, SliceLimits, Taken, Written,
};
pub use slots::{Found, LEASE_MS, Lease, RETRY_AFTER_MS, Search, full_until, is_full};
pub use snapshot::{Snapshot, SnapshotError, Values};
pub use steady::Steady;
pub use under_way::UnderWay;
pub use upkeep::{SWEPT_AT_ONCE, left_since, looks_after_loss, tried_again, upkeep_due};
