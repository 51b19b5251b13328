//! The OpenAPI document.
//!
//! Border: what is served is a file that `cargo xtask openapi` writes; a component carries nothing
//! of what makes it. Each door declares its operation ([`Operation`]) beside itself; paths, types,
//! headers and refusals are read from the code that serves them.

use std::io::Read as _;

use flate2::bufread::ZlibDecoder;

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
pub(crate) use operation::OF_ASKS;
#[cfg(feature = "schema")]
pub use operation::{Answer, Body, Form, Operation, Parameter, Place, Shape, Shapes, Tag};

/// The document, OpenAPI 3.1, as `build.rs` packs it.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.z"));

/// The document, OpenAPI 3.1, without blanks.
///
/// # Errors
///
/// None but that of a component that was built wrong.
pub fn text() -> std::io::Result<String> {
    let mut text = String::new();
    ZlibDecoder::new(PACKED).read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests;
