//! What the tasks share with the programs that do the work: where things are, which components there
//! are, what may be said after each task, whether an address is free, and when silence has lasted too long.
//!
//! Border: nothing here needs more than what reads arguments and tells errors, so that a task's help and its refusals
//! come within seconds of a fresh clone.

pub mod components;
pub mod options;
pub mod paths;
pub mod port;
pub mod program;
pub mod silence;
