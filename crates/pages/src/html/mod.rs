//! Tag soup to a tree, in one pass whose cost is linear in the bytes: depth, nodes and attribute
//! values are capped while the tree grows, so no page can make it expensive.

pub mod build;
pub mod tag;
pub mod tree;

pub use build::parse;
pub use tag::Tag;
pub use tree::{Attr, Tree};

/// Text as markup that shows it.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
