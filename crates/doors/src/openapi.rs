//! The OpenAPI document.
//!
//! Border: what is served is a file that `cargo xtask openapi` writes; a component carries nothing
//! of what makes it. Each door declares its operation ([`Operation`]) beside itself; paths, types,
//! headers and refusals are read from the code that serves them.

#[cfg(feature = "schema")]
mod document;
#[cfg(feature = "schema")]
mod failure;
#[cfg(feature = "schema")]
mod header;
#[cfg(feature = "schema")]
mod operation;

#[cfg(feature = "schema")]
pub use document::{Contradiction, document};
#[cfg(feature = "schema")]
pub(crate) use failure::{codes, kinds};
#[cfg(feature = "schema")]
pub use operation::{Answer, Body, Form, Operation, Parameter, Place, Shapes, Tag};

/// The document, OpenAPI 3.1.
pub const DOCUMENT: &str = include_str!("openapi.json");

#[cfg(test)]
mod tests;
