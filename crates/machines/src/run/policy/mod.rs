//! The policies of a run: rules with a version each, which the machine asks and which know no machine.

pub mod confidence;
pub mod contradiction;
pub mod decomposition;
mod drafts;
pub mod quality;
pub mod search;
mod shingles;
mod stems;
pub mod sufficiency;
pub mod synthesis;
