//! Loads folders, files and archives into a running Quarry: the task `ingest`.
//!
//! Border: what lies on a disk is found, unpacked within bounds, and sent; what becomes of a document is the server's.

mod archive;
pub mod costs;
pub mod load;
mod places;
pub mod screen;
mod sending;

pub use load::{Job, Refused, Tally, Told, load, load_into};
pub use quarry_knowledge::intake::place_name;
