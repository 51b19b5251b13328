//! Tests of the whole ask machine: scripted models and tools on virtual time.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests, where a panic is the report"
)]

mod budgets;
mod checking;
mod continuation;
mod driver;
mod failures;
mod forms;
mod forms_checked;
mod hybrid;
mod invariants;
mod limits;
mod loop_end;
mod ordinary;
mod outside_text;
mod passages;
mod profiles;
mod properties;
mod replies;
mod secrets;
mod speed;
mod stopping;
mod told;
mod tool_calls;
mod wishes;
