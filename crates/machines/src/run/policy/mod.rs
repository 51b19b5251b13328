//! The policies of a run: rules with a version each, which the machine asks and which know no machine.

pub mod confidence;
pub mod contradiction;
mod drafts;
pub mod quality;
mod shingles;
pub mod synthesis;
