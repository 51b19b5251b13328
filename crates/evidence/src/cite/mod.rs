//! Citations that carry their proof.
//!
//! Border: evidence and a streamed answer in; the answer with numbered links, and what each of them rests on,
//! out. Pure; linear in the answer, whatever its bytes.

mod ahead;
mod brackets;
#[cfg(test)]
mod claims;
mod compose;
#[cfg(test)]
mod early;
mod generic;
#[cfg(test)]
mod hostile;
mod indexed;
mod known;
mod label;
mod links;
#[cfg(test)]
mod litter;
mod locate;
mod marker;
#[cfg(test)]
mod odd;
mod peek;
mod plain;
mod proof;
mod quoting;
mod relevance;
mod scan;
mod sentence;
mod shown;
mod similarity;
mod stated;
mod subject;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod titles;
mod topic;
mod words;

pub use compose::{Answer, Out};
pub use known::{Citable, CitedSource, Known, Listed, PassageId, Target, escaped, listed};
pub use locate::{Folded, Sought};
pub use proof::{Named, Numbers, Proof, VerifiedCitation};
pub use quoting::quoting;
pub use relevance::relevance;
pub use scan::MOST_LABEL;
pub use shown::{Room, Shown, shown};
pub use similarity::{SIMILARITY_THRESHOLD, similarity};
