//! Citations that carry their proof.
//!
//! Border: evidence and a streamed answer in; the answer with numbered links, and what each of them rests on,
//! out. Pure; linear in the answer, whatever its bytes.

mod compose;
mod known;
mod label;
mod scan;
mod sentence;
#[cfg(test)]
mod tests;

pub use compose::{Answer, Out, Proof, VerifiedCitation};
pub use known::{Citable, CitedSource, Known, PassageId, Target};
