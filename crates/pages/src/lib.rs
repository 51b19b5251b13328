//! Pages: how bytes become text.
//!
//! Everything here is a decision. Fetching, clocks and configuration are the `web` component's;
//! bytes, headers and limits come in as arguments.

pub mod body;
pub mod bounded;
mod deflate;
pub mod docx;
pub mod extent;
pub mod extract;
pub mod feed;
pub mod html;
mod json;
mod lead;
pub mod metadata;
pub mod pace;
pub mod page;
pub mod passages;
pub mod pdf;
mod plain;
pub mod reader;
pub mod render;
pub mod scripted;
pub mod state;

#[cfg(test)]
mod growth;
#[cfg(test)]
mod work;
