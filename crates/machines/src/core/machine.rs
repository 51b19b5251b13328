//! What a driver needs of any machine.

use super::{Input, Reaction};
use crate::Listed;
use quarry_types::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A machine that is driven: told what happened, asked for nothing. Its state is all that it is:
/// serialised, it is its checkpoint.
pub trait Machine: Listed + Serialize + DeserializeOwned + 'static {
    /// Takes an input in. One that does not belong to where the machine stands (a late reply
    /// after an end, say) changes nothing.
    fn handle(&mut self, input: Input, now: Timestamp) -> Reaction;

    /// The number of the last event.
    fn sequence(&self) -> u64;

    /// Whether nothing more will happen.
    fn has_ended(&self) -> bool;
}
