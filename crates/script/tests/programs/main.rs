//! What programs can do, and what stops them. In one binary: each of its own would be linked with the whole engine.

#[path = "../common/mod.rs"]
mod common;

mod builtins;
mod errors;
mod inspect;
mod limits;
mod locale;
mod values;
