//! What research has found, and what an answer cites of it.
//!
//! Border: typed findings in; numbered sources with their passages, evidence for prompts, citations out. Knows no tool,
//! no model and no event.

pub mod cite;
mod confidence;
mod conflict;
mod content;
mod learning;
mod passage;
mod sections;
mod source;
mod store;
pub mod text;
mod tier;
pub mod verify;

pub use confidence::{Confidence, Level, Signals, confidence};
pub use conflict::{Conflict, Difference, Reason, Side, conflicts};
pub use content::Content;
pub use passage::{Anchor, Passage};
pub use source::{Calculation, Finding, Source};
pub use store::Evidence;
pub use tier::{Tier, voice};
