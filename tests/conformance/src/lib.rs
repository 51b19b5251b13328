//! Runs the public conformance suite of the language (test262) through the built sandbox and
//! through the plain engine, and says where the two differ.
//!
//! Border: the suite is a directory that the caller names; nothing of it is kept here. How a test
//! is to be read and when it passes is the suite's own `INTERPRETING.md`.
//!
//! Each engine runs in worker processes of its own ([`worker`]), so that a crash or a hang costs
//! one test. Both get the very same program text ([`program`]).

pub mod compare;
pub mod component;
pub mod execution;
pub mod metadata;
pub mod needs;
pub mod plain;
pub mod pool;
pub mod program;
pub mod report;
pub mod run;
pub mod suite;
pub mod verdict;
pub mod worker;
