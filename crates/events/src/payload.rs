//! The payloads, one type for each event, by the part of an ask that they tell of.
//!
//! Costs are numbers of US dollars, the sum of what is known; `costKnown` beside them says
//! whether that is all. A person reads "unknown" where it is false, never "$0".

mod answer;
mod end;
mod knowledge;
mod model;
mod progress;
mod tool;

pub use answer::*;
pub use end::*;
pub use knowledge::*;
pub use model::*;
pub use progress::*;
pub use tool::*;

use quarry_types::Usd;

/// A cost and whether it is known, as payloads carry it.
#[must_use]
pub fn shown_cost(cost: Option<Usd>) -> (Usd, bool) {
    (cost.unwrap_or_default(), cost.is_some())
}
