//! Tag soup to a tree, in one pass whose cost is linear in the bytes: depth, nodes and attribute
//! values are capped while the tree grows, so no page can make it expensive.

pub mod build;
mod mend;
mod script;
mod shortcodes;
pub mod tag;
pub mod tokens;
pub mod tree;

pub use tag::Tag;
pub use tokens::Parser;
pub use tree::{Attr, Tree};

/// Parses a page that is there as a whole.
pub fn parse(html: &str) -> Tree {
    let mut parser = Parser::default();
    parser.write(html.as_bytes());
    parser.end()
}

/// Text as markup that shows it.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
