//! What research has found, and what an answer cites of it.
//!
//! Border: typed findings in; numbered sources, evidence for prompts, citations out. Knows no tool,
//! no model and no event.

mod citation;
mod learning;
mod source;
mod store;

pub use citation::{Citation, citations};
pub use source::{Calculation, Finding, Source};
pub use store::Evidence;
