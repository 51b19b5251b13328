//! The run machine: deep research as a tree of questions, searched for first and parted only when that does
//! not suffice, one branch after the other.
//!
//! Border: inputs in, events and effects out, as for every machine. Its inputs are what its journal holds, so
//! folding a journal gives its state, and a replay the same events. Source: the contract of runs and the
//! reference it rests on.

pub mod policy;
pub mod report;
mod tree;

pub use tree::{AttemptCounters, Node, NodeId, Tree};
