//! Knowledge: documents of one's own, in chunks, ranked, cited.
//!
//! Border: bytes, questions and numbers in; texts, packed blobs and JSON out. Knows no store, no provider and no
//! clock. The same input gives the same bytes on every platform.

pub mod asking;
pub mod chunk;
pub mod document;
pub mod rank;
