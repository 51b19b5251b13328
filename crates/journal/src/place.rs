//! Where a log keeps its values. How a place is spelt as a key or a row is the store's affair.

/// The place of a value that belongs to one log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A part of the log. Parts are only ever added.
    Part(u32),
    /// The sign of life of whoever writes the log.
    Alive,
    /// Somebody's wish that the machine stop.
    Stop,
    /// The snapshot of a machine under way, or the list of its pieces: what is written here last
    /// makes it readable.
    Snapshot,
    /// A piece of a snapshot that is larger than one value. Two sets take turns, so that the
    /// pieces of the readable one are never written over.
    Piece {
        /// Which of the two sets.
        set: bool,
        /// Which piece.
        number: u32,
    },
    /// The snapshot of a machine that has ended and can be gone on with: it waits for its client,
    /// for as long as it is kept.
    Continuation,
    /// A piece of such a snapshot.
    ContinuationPiece(u32),
    /// Since when the reader that began the log is gone ([`crate::Left`]).
    Left,
    /// There as long as somebody reads the log that did not begin it: a number of its own.
    Reading(u64),
    /// Which machine a request began, so that the same request, sent again, finds it.
    Begun,
    /// Where key-value alone is to be had: what a key of its sender's means, and which log was begun with it.
    Asked,
    /// There as long as such a key means what this log was begun for.
    Keyed,
    /// What is kept beside the log for whoever shows it later.
    Kept,
    /// Which machine its door went on with, where it had ended so that it can be gone on with.
    GoneOn,
    /// Which log goes with the one that this lies in, though it is younger.
    Brief,
    /// One of a bounded number of slots for logs under way; shared by all logs.
    Slot(u32),
}
