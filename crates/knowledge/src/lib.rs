//! Knowledge: documents of one's own, in chunks, ranked, cited.
//!
//! Border: bytes, questions and numbers in; texts, packed blobs and JSON out. Reaches no provider and no clock, and
//! no store but the one that it is given. The same input gives the same bytes on every platform.

pub mod asking;
pub mod chunk;
pub mod document;
pub mod embed;
pub mod intake;
pub mod library;
pub mod rank;
