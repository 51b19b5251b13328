//! The policies of a run: rules with a version each, which the machine asks and which know no machine.

pub mod decomposition;
pub mod search;
mod stems;
pub mod sufficiency;
