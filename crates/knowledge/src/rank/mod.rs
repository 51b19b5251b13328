//! Ranking: how chunks are found.

mod heads;
mod lexical;
pub mod lsa;
mod packed;
pub mod search;
pub mod segment;
pub(crate) mod terms;
