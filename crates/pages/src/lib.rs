//! Pages and searches: which addresses may be read, how bytes become text, how results are ranked.
//!
//! Everything here is a decision. Fetching, clocks and configuration are the `web` component's;
//! addresses, bytes, headers and limits come in as arguments.

pub mod address;
pub mod body;
pub mod extract;
pub mod feed;
pub mod html;
pub mod metadata;
pub mod page;
pub mod passages;
pub mod pdf;
pub mod reader;
pub mod redirect;
pub mod render;
pub mod robots;
pub mod scripted;
pub mod search;
pub mod state;
