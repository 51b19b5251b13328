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

/// The version of each policy, by its name.
#[must_use]
pub fn versions() -> BTreeMap<String, u32> {
    let versions = [
        ("confidence", confidence::VERSION),
        ("contradiction", contradiction::VERSION),
        ("decomposition", decomposition::VERSION),
        ("quality", quality::VERSION),
        ("retry", retry::VERSION),
        ("search", search::VERSION),
        ("sufficiency", sufficiency::VERSION),
        ("synthesis", synthesis::VERSION),
    ];
    versions.into_iter().map(|(name, version)| (name.to_owned(), version)).gather()
}
