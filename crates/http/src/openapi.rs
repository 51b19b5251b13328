//! The OpenAPI document.
//!
//! Border: a file, served as it is. The tests hold it to the routes, the events and the fields.

/// The document, OpenAPI 3.1.
pub const DOCUMENT: &str = include_str!("openapi.json");
