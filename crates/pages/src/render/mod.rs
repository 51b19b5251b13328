//! A tree as text: Markdown with headings, links, lists, tables, code and quotations, or the same
//! without marks. Of Markdown only what would begin a quotation or a list, end a link or part a cell is
//! escaped, of plain text nothing, so that a quotation from the text is found in it.

mod inline;
mod table;
#[cfg(test)]
mod tests;
mod writer;

use crate::extract::Skip;
use crate::html::{Attr, Tag, Tree};
use std::ops::Range;
use url::Url;
use writer::{Prefix, Writer};

/// How the text is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Markdown.
    Markdown,
    /// No marks; blocks apart by blank lines.
    Plain,
}

/// What to render.
pub struct Input<'a> {
    /// The page.
    pub tree: &'a Tree,
    /// The nodes to render, in document order, none inside another.
    pub roots: &'a [u32],
    /// The nodes to leave out with all they hold.
    pub skip: &'a Skip,
    /// What relative links are relative to.
    pub base: &'a Url,
    /// The heading that is the page's title, if it is among them.
    pub title: Option<u32>,
    /// Bytes of text.
    pub limit: usize,
}

/// The text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// Markdown or plain.
    pub text: String,
    /// Whether text was cut off at the limit.
    pub truncated: bool,
    /// The blocks that the text is made of, in order.
    pub blocks: Vec<Block>,
    /// Which of them is the title.
    pub title: Option<usize>,
}

/// A heading, a paragraph, an item, a table, a block of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Where it lies in the text, in bytes.
    pub range: Range<usize>,
    /// 1 to 6 for a heading.
    pub heading: Option<usize>,
}

impl Rendered {
    /// The text without the block that is the title.
    pub fn without_title(mut self) -> String {
        if let Some(range) =
            self.title.and_then(|at| self.blocks.get(at)).map(|block| block.range.clone())
        {
            let rest = self.text.split_off(range.end);
            self.text.truncate(range.start);
            let rest = if self.text.is_empty() { rest.trim_start() } else { &rest };
            self.text.truncate(self.text.trim_end().len());
            self.text.push_str(rest);
        }
        self.text
    }
}

/// Renders the roots.
pub fn render(input: &Input<'_>, style: Style) -> Rendered {
    let mut renderer = Renderer {
        input,
        style,
        out: Writer::new(style, input.limit),
        link: None,
        lists: Vec::new(),
        flat: false,
        marked: 0,
        title: None,
    };
    for root in input.roots {
        renderer.node(*root);
        renderer.out.flush();
    }
    Rendered { title: renderer.title, ..renderer.out.finish() }
}

struct Renderer<'a> {
    input: &'a Input<'a>,
    style: Style,
    out: Writer,
    /// The address of a link around blocks; the first block inside takes it.
    link: Option<String>,
    /// The open lists: the next number, or `None` for bullets.
    lists: Vec<Option<u64>>,
    /// Within a heading or a cell, which is one line whatever stands in it.
    flat: bool,
    /// Inline elements within each other that have marks around their text.
    marked: u32,
    /// The block that is the title.
    title: Option<usize>,
}

impl Renderer<'_> {
    fn skipped(&self, at: u32) -> bool {
        self.input.skip.is(at)
    }

    fn children(&mut self, at: u32) {
        for child in self.input.tree.children(at) {
            if self.out.is_full() {
                return;
            }
            self.node(child);
        }
    }

    fn node(&mut self, at: u32) {
        let tree = self.input.tree;
        if self.skipped(at) {
            return;
        }
        let Some(tag) = tree.tag(at) else {
            self.out.text(tree.text(at));
            return;
        };
        if tag.is_hidden() {
            return;
        }
        if self.flat && (tag.is_block() || tag == Tag::Br) {
            self.out.text(" ");
            self.children(at);
            self.out.text(" ");
            return;
        }
        match tag {
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => {
                self.heading(at, tag.heading().unwrap_or(6))
            }
            Tag::Ul | Tag::Ol | Tag::Menu => self.list(at, tag),
            Tag::Li => self.item(at),
            Tag::Dt => self.wrapped_block(at, "**"),
            Tag::Dd => self.block(at),
            Tag::Pre => self.code_block(at),
            Tag::Blockquote => self.quote(at),
            Tag::Table => self.table(at),
            Tag::Br => self.out.line_break(),
            Tag::Hr => self.out.rule(),
            Tag::A => self.anchor(at),
            Tag::B | Tag::Strong => self.wrapped(at, "**"),
            Tag::I | Tag::Em => self.wrapped(at, "*"),
            Tag::Del | Tag::S => self.wrapped(at, "~~"),
            Tag::Code | Tag::Kbd | Tag::Samp | Tag::Tt => self.code(at),
            Tag::Sup => self.superscript(at),
            Tag::Q => {
                self.out.text("“");
                self.children(at);
                self.out.text("”");
            }
            tag if tag.is_block() => self.block(at),
            _ => self.children(at),
        }
    }

    fn block(&mut self, at: u32) {
        self.flush();
        self.children(at);
        self.flush();
    }

    /// Ends the current block; a link around it becomes a link on it.
    fn flush(&mut self) {
        if self.style == Style::Markdown
            && !self.out.line().trim().is_empty()
            && let Some(href) = self.link.take()
        {
            let inner = self.out.take_from(0);
            self.out.raw(&inline::link(inner.trim(), &href));
        }
        self.out.flush();
    }

    fn heading(&mut self, at: u32, level: usize) {
        self.flush();
        let text = self.in_one_line(at);
        let whole = text
            .strip_prefix("**")
            .and_then(|rest| rest.strip_suffix("**"))
            .filter(|rest| !rest.contains("**"));
        let text = whole.unwrap_or(&text);
        if text.is_empty() {
            return;
        }
        if self.input.title == Some(at) {
            self.title = Some(self.out.blocks());
        }
        match (self.style, self.link.take()) {
            (Style::Plain, _) => self.out.raw(text),
            (Style::Markdown, Some(href)) => {
                self.out.raw(&format!("{} {}", "#".repeat(level), inline::link(text, &href)))
            }
            (Style::Markdown, None) => self.out.raw(&format!("{} {text}", "#".repeat(level))),
        }
        self.out.flush_heading(level);
    }

    /// What an element says, whatever stands in it; the line is empty before and after.
    fn in_one_line(&mut self, at: u32) -> String {
        let link = self.link.take();
        let flat = std::mem::replace(&mut self.flat, true);
        self.children(at);
        self.flat = flat;
        self.link = link;
        self.out.take_from(0).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn list(&mut self, at: u32, tag: Tag) {
        self.flush();
        let start = self
            .input
            .tree
            .attr(at, Attr::Start)
            .and_then(|text| text.trim().parse().ok())
            .unwrap_or(1);
        self.lists.push((tag == Tag::Ol).then_some(start));
        self.children(at);
        self.flush();
        self.lists.pop();
        self.out.loosen();
    }

    fn item(&mut self, at: u32) {
        self.flush();
        let marker = match self.lists.last_mut() {
            Some(Some(number)) => {
                let marker = format!("{number}. ");
                *number = number.saturating_add(1);
                marker
            }
            _ => "- ".to_owned(),
        };
        self.out.push(Prefix::Item(marker));
        self.children(at);
        self.flush();
        self.out.pop();
    }

    fn quote(&mut self, at: u32) {
        self.flush();
        self.out.push(Prefix::Quote);
        self.children(at);
        self.flush();
        self.out.pop();
    }

    fn code_block(&mut self, at: u32) {
        let tree = self.input.tree;
        self.flush();
        let mut text = String::new();
        let mut next = at;
        while next < tree.end(at) {
            match tree.tag(next) {
                Some(Tag::Br) => text.push('\n'),
                Some(tag) if tag.is_hidden() || tag == Tag::Button || self.skipped(next) => {
                    next = tree.end(next);
                    continue;
                }
                // Highlighters put each line into an element of its own.
                Some(tag)
                    if tag.is_block()
                        && next != at
                        && !text.ends_with('\n')
                        && !text.is_empty() =>
                {
                    text.push('\n')
                }
                Some(_) => {}
                None => text.push_str(tree.text(next)),
            }
            next += 1;
        }
        let language = inline::code_language(tree, at).unwrap_or_default();
        self.out.code_block(text.trim_matches('\n').trim_end(), &language);
    }
}
