//! The agent machines: they decide everything and await nothing.
//!
//! A machine holds a serialisable state. It is told what happened ([`ask::Input`]) and answers
//! with the events to show and the effects to perform ([`ask::Reaction`]). Time, randomness, ids
//! and limits are arguments. Deliberately absent: I/O, clocks, async, Spin, WIT.

pub mod ask;
pub mod extractive;
pub mod json;
