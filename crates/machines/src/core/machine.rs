//! What a driver needs of any machine.

use super::{Input, Reaction};
use quarry_types::Timestamp;

/// A machine that is driven: told what happened, asked for nothing.
pub trait Machine {
    /// Takes an input in. One that does not belong to where the machine stands (a late reply
    /// after an end, say) changes nothing.
    fn handle(&mut self, input: Input, now: Timestamp) -> Reaction;

    /// The number of the last event.
    fn sequence(&self) -> u64;

    /// Whether nothing more will happen.
    fn has_ended(&self) -> bool;
}
