//! What a log holds.

/// One entry of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// 1 for the first entry of a log, then without gaps.
    pub number: u64,
    /// What kind of entry it is.
    pub kind: String,
    /// Its content, which nothing here reads.
    pub body: String,
}

impl Entry {
    /// The bytes that it takes while it waits.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.kind.len() + self.body.len() + size_of::<Entry>()
    }
}

/// What a log needs to know of its entries.
#[derive(Debug, Clone, Copy)]
pub struct Dialect {
    /// The kind of which there are many small ones in a row, each `{"text":"…"}`. They are
    /// stored together, and what repeats their whole text later is stored without it.
    pub pieces: &'static str,
    /// Whether an entry of this kind is the last of its log.
    pub is_last: fn(&str) -> bool,
}
