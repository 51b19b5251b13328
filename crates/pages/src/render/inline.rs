//! Inline marks: emphasis, code, links.

use super::{Renderer, Style};
use crate::html::{Attr, Tag, Tree};
use crate::metadata::absolute;

/// Longer addresses are left out; the text stays.
const MAX_HREF: usize = 2048;
/// Inline elements within each other that get their marks. Each takes the text inside anew, and what is deeper stands
/// without.
const MOST_MARKED: u32 = 8;

/// A Markdown link.
pub fn link(text: &str, href: &str) -> String {
    // A bracket in the text, or a space or bracket in the address, would end the link early.
    let text = text.replace('[', "\\[").replace(']', "\\]").replace('\n', " ");
    let href = href.replace('(', "%28").replace(')', "%29").replace(' ', "%20");
    format!("[{text}]({href})")
}

/// The language that a code block's classes name.
pub fn code_language(tree: &Tree, at: u32) -> Option<String> {
    let inner = tree.children(at).find(|child| tree.tag(*child) == Some(Tag::Code));
    let outer = tree.parent(at);
    let classes = [inner, Some(at), outer]
        .into_iter()
        .flatten()
        .filter_map(|node| tree.attr(node, Attr::Class));
    classes.flat_map(str::split_ascii_whitespace).find_map(|class| {
        let class = class.to_ascii_lowercase();
        let name =
            ["language-", "lang-", "highlight-source-", "highlight-", "brush:", "sourcecode-"]
                .iter()
                .find_map(|prefix| class.strip_prefix(prefix))?;
        let plain = name.len() <= 20
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+#-_.".contains(&byte));
        (plain && !matches!(name, "" | "none" | "default" | "source" | "text" | "wrapper"))
            .then(|| name.to_owned())
    })
}

impl Renderer<'_> {
    /// Text between marks, unless a block inside broke the line.
    pub(super) fn wrapped(&mut self, at: u32, mark: &str) {
        if self.style == Style::Plain {
            return self.children(at);
        }
        let Some(inner) = self.taken(at) else { return };
        let text = inner.trim();
        if text.is_empty() || text.contains('\n') || text.starts_with(mark) {
            return self.out.raw(&inner);
        }
        let lead = if inner.starts_with(char::is_whitespace) { " " } else { "" };
        let tail = if inner.ends_with(char::is_whitespace) { " " } else { "" };
        self.out.raw(&format!("{lead}{mark}{text}{mark}{tail}"));
    }

    /// A block of its own whose whole text stands between marks.
    pub(super) fn wrapped_block(&mut self, at: u32, mark: &str) {
        self.flush();
        self.wrapped(at, mark);
        self.flush();
    }

    /// The text inside an element, taken from the line again to get marks. None: it stays there as it is, because it is too
    /// deep, a block inside broke the line, or there is none.
    fn taken(&mut self, at: u32) -> Option<String> {
        if self.marked >= MOST_MARKED {
            self.children(at);
            return None;
        }
        let (from, blocks) = (self.out.line().len(), self.out.blocks());
        self.marked += 1;
        self.children(at);
        self.marked -= 1;
        let is_one_line = self.out.blocks() == blocks && self.out.line().len() > from;
        is_one_line.then(|| self.out.take_from(from))
    }

    pub(super) fn code(&mut self, at: u32) {
        if self.style == Style::Plain {
            return self.children(at);
        }
        let Some(inner) = self.taken(at) else { return };
        let text = inner.trim();
        if text.is_empty() || text.contains('`') || text.contains('\n') {
            return self.out.raw(&inner);
        }
        self.out.raw(&format!("`{text}`"));
    }

    /// A power or the mark of a footnote: `10^6`, since `106` would be another number.
    pub(super) fn superscript(&mut self, at: u32) {
        let Some(inner) = self.taken(at) else { return };
        let number = inner
            .trim_start()
            .starts_with(|char: char| char.is_ascii_digit() || matches!(char, '-' | '−' | '+'));
        if number && self.out.line().ends_with(|char: char| !char.is_whitespace()) {
            self.out.raw("^");
        }
        self.out.raw(&inner);
    }

    pub(super) fn anchor(&mut self, at: u32) {
        let href = match self.style {
            Style::Plain => None,
            Style::Markdown => self
                .input
                .tree
                .attr(at, Attr::Href)
                .filter(|href| !href.trim().is_empty() && !href.starts_with('#')),
        };
        let href = href
            .and_then(|href| absolute(self.input.base, href))
            .filter(|href| href.len() <= MAX_HREF);
        let Some(href) = href.filter(|_| self.marked < MOST_MARKED) else {
            return self.children(at);
        };
        let outer = self.link.take();
        if self.out.line().trim().is_empty() {
            self.link = Some(href.clone());
        }
        let inner = self.taken(at);
        self.link = outer;
        let Some(inner) = inner else { return };
        let text = inner.trim();
        // A link without a word says nothing here.
        if !text.chars().any(char::is_alphanumeric) {
            return self.out.raw(&inner);
        }
        let lead = if inner.starts_with(char::is_whitespace) { " " } else { "" };
        let tail = if inner.ends_with(char::is_whitespace) { " " } else { "" };
        let linked = link(text, &href);
        self.out.raw(&format!("{lead}{linked}{tail}"));
    }
}
