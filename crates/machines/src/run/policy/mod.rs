//! The policies of a run: rules with a version each, which the machine asks and which know no machine.

pub mod confidence;
pub mod contradiction;
pub mod decomposition;
mod drafts;
pub mod named;
pub mod quality;
pub mod retry;
pub mod search;
mod shingles;
pub(crate) mod stems;
pub mod sufficiency;
pub mod synthesis;

use quarry_types::order::Gather;
use std::collections::BTreeMap;

/// The version that rules had before runs kept it: one that names none of theirs was begun under that.
pub const FIRST: u32 = 1;

/// The version of each policy, by its name; and of the rules that it shares with asks.
#[must_use]
pub fn versions() -> BTreeMap<String, u32> {
    let versions = [
        ("confidence", confidence::VERSION),
        ("contradiction", contradiction::VERSION),
        ("decomposition", decomposition::VERSION),
        ("evidence", quarry_evidence::RULES),
        ("extractive", crate::extractive::RULES),
        ("quality", quality::VERSION),
        ("retry", retry::VERSION),
        ("search", search::VERSION),
        ("sufficiency", sufficiency::VERSION),
        ("synthesis", synthesis::VERSION),
    ];
    versions.into_iter().map(|(name, version)| (name.to_owned(), version)).gather()
}
