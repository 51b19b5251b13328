//! Tests of the whole ask machine: scripted models and tools on virtual time.

mod budgets;
mod continuation;
mod driver;
mod failures;
mod invariants;
mod loop_end;
mod ordinary;
mod outside_text;
mod profiles;
mod properties;
mod replies;
mod secrets;
mod stopping;
mod tool_calls;
