//! Runs untrusted JavaScript, one program at a time.
//!
//! Border: bindings, conversion, driving; every decision is in `quarry-script`. It reaches clocks
//! and random numbers, and nothing else.

mod bindings;
mod convert;
mod http;
mod meter;
mod turn;

use bindings::javascript::{Guest, Outcome, Program, RunError};

struct Sandbox;

impl Guest for Sandbox {
    async fn run(program: Program) -> Result<Outcome, RunError> {
        turn::Turn::begin().run_one(&program)
    }
}
