//! The payloads, by what they are about.

mod ending;
mod node;
mod search;
mod steering;

pub use ending::*;
pub use node::*;
pub use search::*;
pub use steering::*;
