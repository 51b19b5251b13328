//! A page's bytes through lol_html, as they arrive, into the tree.
//! Border: UTF-8 in; how a tree grows is decided by [`super::build`].
//!
//! Start tags, texts, comments and doctypes come to handlers. End tags have no such handler:
//! `on_end_tag` tells of one only where lol_html's own stack has the element open, and that stack
//! knows no implied ends and no tables, so of broken pages it misses end tags that our rules need.
//! But lol_html writes what it was not told to take out, in its place in the order. With the rest
//! taken out or passed over, that is end tags, and there they are read.

use super::build::Builder;
use super::tag::Tag;
use super::tree::{Attr, Tree};
use lol_html::errors::RewritingError;
use lol_html::html_content::{BailOut, Comment, Doctype, Element, TextChunk, TextType};
use lol_html::{
    AsciiCompatibleEncoding, DocumentContentHandlers, ElementContentHandlers, HandlerResult,
    HtmlRewriter, MemorySettings, OutputSink, Selector, Settings,
};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// Bytes that lol_html may hold: a tag or comment that is not over yet, the attributes of one tag,
/// and its stack of open elements. A page that is fetched is cut at 2 MiB, which is 6 MiB of UTF-8 at most, so the
/// first always fits; of one that is at hand, what stands behind a longer tag is not read.
const MAX_MEMORY: usize = 8 * 1024 * 1024;
/// Bytes that are given to lol_html at once: what it had not read yet is copied when it gives up.
const BLOCK: usize = 32 * 1024;

/// A page that is being read.
pub struct Parser {
    page: Rc<RefCell<Page>>,
    /// Gone once nothing more can be read.
    rewriter: Option<HtmlRewriter<'static, Rest>>,
    /// Whether the last byte was a carriage return.
    returned: bool,
}

/// What the handlers share.
struct Page {
    builder: Builder,
    /// Bytes of a start tag that lol_html writes next, because nobody took it out: taking it out
    /// costs an allocation for each.
    start_tag: usize,
    /// Whether lol_html reached its limit and gives back what it has not read.
    gives_up: bool,
    unread: Vec<u8>,
}

impl Default for Parser {
    fn default() -> Self {
        let page =
            Page { builder: Builder::new(), start_tag: 0, gives_up: false, unread: Vec::new() };
        let page = Rc::new(RefCell::new(page));
        Self { rewriter: rewriter(&page), page, returned: false }
    }
}

impl Parser {
    /// Takes the next bytes of the page, cut anywhere.
    pub fn write(&mut self, bytes: &[u8]) {
        for block in bytes.chunks(BLOCK) {
            let block = self.unix(block);
            let Some(rewriter) = &mut self.rewriter else { return };
            if rewriter.write(&block).is_err() {
                self.begin_anew();
            }
        }
    }

    /// Every line end as a line feed, as the HTML standard has it before anything is read.
    fn unix<'a>(&mut self, block: &'a [u8]) -> Cow<'a, [u8]> {
        if !self.returned && !block.contains(&b'\r') {
            return Cow::Borrowed(block);
        }
        let mut unix = Vec::with_capacity(block.len());
        for byte in block {
            match byte {
                b'\r' => unix.push(b'\n'),
                b'\n' if self.returned => {}
                byte => unix.push(*byte),
            }
            self.returned = *byte == b'\r';
        }
        Cow::Owned(unix)
    }

    /// The page is over.
    pub fn end(mut self) -> Tree {
        if self.rewriter.take().is_some_and(|rewriter| rewriter.end().is_err()) {
            self.begin_anew();
            if self.rewriter.take().is_some_and(|rewriter| rewriter.end().is_err()) {
                self.page.borrow_mut().builder.cut();
            }
        }
        std::mem::take(&mut self.page.borrow_mut().builder).finish()
    }

    /// Nesting beyond lol_html's memory is read on with an empty stack: ours is another one. A single
    /// tag beyond it ends the page.
    fn begin_anew(&mut self) {
        let mut before = usize::MAX;
        loop {
            let unread = {
                let mut page = self.page.borrow_mut();
                page.gives_up = false;
                // A text before the tag it failed at was not told to be over.
                page.builder.text("", TextType::Data, true);
                std::mem::take(&mut page.unread)
            };
            self.rewriter = None;
            if unread.len() >= before {
                return self.page.borrow_mut().builder.cut();
            }
            before = unread.len();
            self.rewriter = rewriter(&self.page);
            let Some(rewriter) = &mut self.rewriter else { return };
            if rewriter.write(&unread).is_ok() {
                return;
            }
        }
    }
}

fn rewriter(page: &Rc<RefCell<Page>>) -> Option<HtmlRewriter<'static, Rest>> {
    let every: Selector = "*".parse().ok()?;
    let (starts, texts, bails) = (Rc::clone(page), Rc::clone(page), Rc::clone(page));
    let memory = MemorySettings::new()
        .with_preallocated_parsing_buffer_size(0)
        .with_max_allowed_memory_usage(MAX_MEMORY)
        .with_graceful_bail_out_on_memory_limit_exceeded(true);
    let elements =
        ElementContentHandlers::default().element(move |element: &mut Element<'_, '_>| {
            let mut page = starts.borrow_mut();
            start(&mut page.builder, element);
            page.start_tag = element.source_location().bytes().len();
            Ok(())
        });
    let document = DocumentContentHandlers::default()
        .text(move |text: &mut TextChunk<'_>| -> HandlerResult {
            let (kind, last) = (text.text_type(), text.last_in_text_node());
            texts.borrow_mut().builder.text(text.as_str(), kind, last);
            text.set_str(String::new());
            Ok(())
        })
        .comments(|comment: &mut Comment<'_>| -> HandlerResult {
            comment.remove();
            Ok(())
        })
        .doctype(|doctype: &mut Doctype<'_>| -> HandlerResult {
            doctype.remove();
            Ok(())
        });
    let settings = Settings::new()
        .with_encoding(AsciiCompatibleEncoding::utf_8())
        .with_strict(false)
        .with_adjust_charset_on_meta_tag(false)
        .with_memory_settings(memory)
        .append_element_content_handler((Cow::Owned(every), elements))
        .append_document_content_handler(document)
        .append_bail_out_handler(move |_: &RewritingError, _: &mut BailOut<'_>| {
            bails.borrow_mut().gives_up = true;
        });
    Some(HtmlRewriter::new(settings, Rest(Rc::clone(page))))
}

fn start(builder: &mut Builder, element: &mut Element<'_, '_>) {
    builder.begin();
    let mut tag = Tag::from_name(element.tag_name().as_bytes());
    for attribute in element.attributes() {
        if let Some(attr) = Attr::from_name(attribute.name().as_bytes()) {
            builder.attribute(attr, &htmlize::unescape_attribute(attribute.value()));
        } else if tag == Tag::Template && attribute.name() == "shadowrootmode" {
            tag = Tag::Shadowroot;
        }
    }
    builder.start(tag, element.is_self_closing());
}

/// Takes what lol_html writes: end tags, or what it gives back.
struct Rest(Rc<RefCell<Page>>);

impl OutputSink for Rest {
    fn handle_chunk(&mut self, chunk: &[u8]) {
        let mut page = self.0.borrow_mut();
        if page.gives_up {
            return page.unread.extend_from_slice(chunk);
        }
        let start_tag = page.start_tag.min(chunk.len());
        page.start_tag -= start_tag;
        ends(chunk.get(start_tag..).unwrap_or_default(), |tag| page.builder.end(tag));
    }
}

/// Reads end tags. Between them stand only the signs of CDATA sections, and at the end of a page a
/// tag that is not over.
fn ends(mut raw: &[u8], mut each: impl FnMut(Tag)) {
    const SIGNS: [&[u8]; 3] = [b"<![CDATA[", b"]]>", b"</>"];
    while !raw.is_empty() {
        if let Some(rest) = SIGNS.iter().find_map(|sign| raw.strip_prefix(*sign)) {
            raw = rest;
            continue;
        }
        let Some(named) = raw.strip_prefix(b"</") else { return };
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
        let Some((name, rest)) =
            named.iter().position(is_end).and_then(|end| named.split_at_checked(end))
        else {
            return;
        };
        let Some(end) = tag_end(rest) else { return };
        each(Tag::from_written(name));
        raw = rest.get(end..).unwrap_or_default();
    }
}

/// Where a tag ends, after its name: at the first `>` that stands in no quotes.
fn tag_end(rest: &[u8]) -> Option<usize> {
    enum In {
        Gap,
        Name,
        Equals,
        Quotes(u8),
        Value,
    }
    let mut place = In::Gap;
    for (at, byte) in rest.iter().enumerate() {
        place = match (place, byte) {
            (In::Quotes(quote), byte) if *byte == quote => In::Gap,
            (In::Quotes(quote), _) => In::Quotes(quote),
            (_, b'>') => return Some(at + 1),
            (In::Equals, b'"' | b'\'') => In::Quotes(*byte),
            (In::Equals, byte) if byte.is_ascii_whitespace() => In::Equals,
            (In::Name, byte) if byte.is_ascii_whitespace() => In::Name,
            (_, byte) if byte.is_ascii_whitespace() => In::Gap,
            (In::Equals | In::Value, _) => In::Value,
            (In::Name, b'=') => In::Equals,
            (_, b'/') => In::Gap,
            _ => In::Name,
        };
    }
    None
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
