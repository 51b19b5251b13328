//! What holds a component that runs untrusted work: its binary is rewritten so that it starts
//! prepared and can be stopped anywhere ([`metered`]), its heap is counted and has a ceiling ([`Heap`]), and it shares
//! the processor with its host's other work ([`pace`]).
//!
//! Border: no clock and no limit of its own; it knows nothing of what runs. Rewriting is for the
//! build (feature `rewrite`), the rest for the component.

mod heap;
pub mod pace;
#[cfg(feature = "rewrite")]
mod rewrite;

pub use heap::Heap;
#[cfg(feature = "rewrite")]
pub use rewrite::{metered, names};
