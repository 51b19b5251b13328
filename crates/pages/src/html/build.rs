//! Builds the tree from html5gum's tokens with the few rules of the HTML standard that matter to
//! text: what a start tag closes, what an end tag may close, and what is never nested.

use super::tag::Tag;
use super::tree::{Attr, Kind, Node, Tree};
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use std::borrow::Cow;
use std::convert::Infallible;
use std::ops::Range;

/// Elements open at once; deeper ones give their content to the one above.
pub const MAX_DEPTH: usize = 200;
/// Nodes of one page.
pub const MAX_NODES: usize = 200_000;
/// Bytes of one attribute's value; longer ones are dropped, since half an address is none.
const MAX_ATTR: usize = 8 * 1024;
/// Bytes of all JSON-LD of one page.
const MAX_JSON_LD: usize = 512 * 1024;
/// Bytes of all embedded state of one page.
const MAX_STATE: usize = 2 * 1024 * 1024;

/// Parses a page.
pub fn parse(html: &str) -> Tree {
    let mut builder = Builder::default();
    builder.root();
    let mut emitter =
        CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| -> Option<Infallible> {
            builder.event(event);
            None
        });
    emitter.naively_switch_states(true);
    // The reader is a string, so no error can come out.
    match Tokenizer::new_with_emitter(html, emitter).finish() {
        Ok(()) => {}
        Err(never) => match never {},
    }
    builder.finish()
}

/// What a script is for.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Script {
    #[default]
    Code,
    JsonLd,
    Json,
}

impl Script {
    fn of(kind: Option<&str>) -> Self {
        let kind = kind.unwrap_or_default().trim().to_ascii_lowercase();
        match kind.split(';').next().unwrap_or_default().trim() {
            "application/ld+json" => Self::JsonLd,
            "application/json" | "text/json" | "application/vnd.api+json" => Self::Json,
            _ => Self::Code,
        }
    }
}

#[derive(Default)]
struct Builder {
    tree: Tree,
    /// Open elements, outermost first.
    open: Vec<(u32, Tag)>,
    /// Open elements that were not made nodes, because they stood too deep.
    overflow: usize,
    open_paragraphs: usize,
    tag: Option<Tag>,
    attrs_from: usize,
    attr: Option<Attr>,
    /// What the open script is for, and its text where it is data.
    script: Script,
    script_text: String,
    /// Bytes of state kept so far.
    state_used: usize,
    full: bool,
    /// Whether an `<html>` tag was seen.
    named: bool,
}

impl Builder {
    /// Every page has one root, whatever it begins with; an `<html>` tag only gives it attributes.
    fn root(&mut self) {
        if let Some(at) = self.push(Kind::Element(Tag::Html, 0..0)) {
            self.open.push((at, Tag::Html));
        }
    }

    fn event(&mut self, event: CallbackEvent<'_>) {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.tag = Some(Tag::from_name(name));
                self.attr = None;
                self.attrs_from = self.tree.attrs.len();
            }
            CallbackEvent::AttributeName { name } if self.tag.is_some() => {
                self.attr = Attr::from_name(name);
                // An attribute without a value, such as `hidden`, has no further event.
                if let Some(attr) = self.attr {
                    self.tree.attrs.push((attr, 0..0));
                }
            }
            CallbackEvent::AttributeValue { value } => self.attribute(value),
            CallbackEvent::CloseStartTag { self_closing } => {
                if let Some(tag) = self.tag.take() {
                    self.start(tag, self_closing);
                }
            }
            CallbackEvent::EndTag { name } => {
                self.tag = None;
                self.end(Tag::from_name(name));
            }
            CallbackEvent::String { value } => self.text(&String::from_utf8_lossy(value)),
            CallbackEvent::AttributeName { .. }
            | CallbackEvent::Comment { .. }
            | CallbackEvent::Doctype { .. }
            | CallbackEvent::Error(_) => {}
        }
    }

    fn attribute(&mut self, value: &[u8]) {
        if self.attr == Some(Attr::State) {
            self.attr = None;
            if value.starts_with(b"{") || value.starts_with(b"[") {
                self.keep_state(String::from_utf8_lossy(value).into_owned());
            }
            return;
        }
        if self.attr.take().is_none()
            || value.len() > MAX_ATTR
            || self.full
            || value.starts_with(b"data:")
        {
            return;
        }
        let range = self.store(&String::from_utf8_lossy(value));
        if let Some(last) = self.tree.attrs.last_mut() {
            last.1 = range;
        }
    }

    fn store(&mut self, text: &str) -> Range<u32> {
        let from = self.tree.text.len();
        self.tree.text.push_str(text);
        narrow(from)..narrow(self.tree.text.len())
    }

    fn start(&mut self, tag: Tag, self_closing: bool) {
        self.make_room(tag);
        let attrs = narrow(self.attrs_from)..narrow(self.tree.attrs.len());
        if tag == Tag::Script {
            self.script = Script::of(self.pending(Attr::Type));
            self.script_text.clear();
            self.tree.scripts += u32::from(self.script == Script::Code);
        }
        // `html` and `body` come once; later ones only add noise.
        if tag == Tag::Html {
            if let Some(Node { kind: Kind::Element(_, range), .. }) =
                self.tree.nodes.first_mut().filter(|_| !self.named)
            {
                *range = attrs;
                self.named = true;
            }
            return;
        }
        if tag == Tag::Body && self.open.iter().any(|(_, open)| *open == tag) {
            self.tree.attrs.truncate(self.attrs_from);
            return;
        }
        let leaf =
            tag.is_void() || (self_closing && matches!(tag, Tag::Svg | Tag::Math | Tag::Other));
        if self.open.len() >= MAX_DEPTH {
            if !leaf {
                self.overflow += 1;
            }
            // What is too deep only parts its text from the text before it, and once is enough.
            let parted =
                matches!(self.tree.nodes.last(), Some(Node { kind: Kind::Element(..), .. }));
            if parted || !(leaf || tag.is_block()) {
                self.tree.attrs.truncate(self.attrs_from);
                return;
            }
        }
        let Some(at) = self.push(Kind::Element(tag, attrs)) else { return };
        if !leaf && self.open.len() < MAX_DEPTH {
            self.open.push((at, tag));
            self.open_paragraphs += usize::from(tag == Tag::P);
        }
    }

    /// An attribute of the start tag that is being read.
    fn pending(&self, name: Attr) -> Option<&str> {
        let attrs = self.tree.attrs.get(self.attrs_from..)?;
        let (_, range) = attrs.iter().find(|(found, _)| *found == name)?;
        self.tree.text.get(range.start as usize..range.end as usize)
    }

    fn push(&mut self, kind: Kind) -> Option<u32> {
        if self.tree.nodes.len() >= MAX_NODES {
            self.full = true;
            self.tree.truncated = true;
            return None;
        }
        let at = self.tree.len();
        let parent = self.open.last().map_or(at, |(open, _)| *open);
        self.tree.nodes.push(Node { kind, end: at + 1, parent });
        Some(at)
    }

    fn text(&mut self, text: &str) {
        if let Some((_, Tag::Script)) = self.open.last() {
            // Text comes in parts; what a script is for shows in the first.
            let fits = self.script_text.len() + text.len() <= MAX_STATE;
            if fits
                && (self.script != Script::Code || !self.script_text.is_empty() || assigns(text))
            {
                self.script_text.push_str(text);
            }
            return;
        }
        if matches!(self.open.last(), Some((_, Tag::Noscript)))
            && text.len() > self.tree.noscript.len()
        {
            self.tree.noscript = text.to_owned();
        }
        if matches!(self.open.last(), Some((_, Tag::Style | Tag::Noscript | Tag::Iframe)))
            || self.full
        {
            return;
        }
        let clean: Cow<'_, str> =
            if text.contains('\0') { text.replace('\0', "").into() } else { text.into() };
        let range = self.store(&clean);
        self.push(Kind::Text(range));
    }

    /// Closes what the start of `tag` implies is over.
    fn make_room(&mut self, tag: Tag) {
        if tag.closes_paragraph() && self.open_paragraphs > 0 {
            self.close_within(&[Tag::P], &[Tag::Table, Tag::Td, Tag::Th, Tag::Button, Tag::Li]);
        }
        match tag {
            Tag::Li => self
                .close_within(&[Tag::Li], &[Tag::Ul, Tag::Ol, Tag::Menu, Tag::Table, Tag::Section]),
            Tag::Dt | Tag::Dd => {
                self.close_within(&[Tag::Dt, Tag::Dd], &[Tag::Dl, Tag::Table, Tag::Ul, Tag::Ol])
            }
            Tag::Td | Tag::Th => self.close_within(&[Tag::Td, Tag::Th], &[Tag::Tr, Tag::Table]),
            Tag::Tr => self.close_within(
                &[Tag::Tr, Tag::Caption, Tag::Colgroup],
                &[Tag::Tbody, Tag::Thead, Tag::Tfoot, Tag::Table],
            ),
            Tag::Thead | Tag::Tbody | Tag::Tfoot => {
                self.close_within(
                    &[Tag::Thead, Tag::Tbody, Tag::Tfoot, Tag::Caption, Tag::Colgroup],
                    &[Tag::Table],
                );
            }
            Tag::Option_ | Tag::Optgroup => {
                self.close_within(&[Tag::Option_], &[Tag::Select, Tag::Datalist])
            }
            Tag::A => self.close_within(&[Tag::A], &[Tag::Td, Tag::Th, Tag::Table]),
            Tag::Body => self.close_within(&[Tag::Head], &[]),
            Tag::Button => self.close_within(&[Tag::Button], &[]),
            _ => {}
        }
        // Anything that has no place in a head ends it.
        if matches!(self.open.last(), Some((_, Tag::Head)))
            && (tag.is_block() || matches!(tag, Tag::A | Tag::Span | Tag::Img))
        {
            self.close_to(self.open.len() - 1);
        }
    }

    /// Closes the innermost of `targets` unless a `barrier` stands before it.
    fn close_within(&mut self, targets: &[Tag], barriers: &[Tag]) {
        for (depth, (_, tag)) in self.open.iter().enumerate().rev() {
            if targets.contains(tag) {
                return self.close_to(depth);
            }
            if barriers.contains(tag) {
                return;
            }
        }
    }

    /// Closes every element from `depth` inwards.
    fn close_to(&mut self, depth: usize) {
        let end = self.tree.len();
        for (at, tag) in self.open.drain(depth..) {
            if let Some(node) = self.tree.nodes.get_mut(at as usize) {
                node.end = end;
            }
            self.open_paragraphs -= usize::from(tag == Tag::P);
        }
        self.overflow = 0;
    }

    fn end(&mut self, tag: Tag) {
        if tag == Tag::Script {
            self.script_ends();
        }
        // Late content of broken pages still belongs to the body.
        if matches!(tag, Tag::Html | Tag::Body) || tag.is_void() {
            return;
        }
        if self.overflow > 0 {
            self.overflow -= 1;
            return;
        }
        let table_part = matches!(
            tag,
            Tag::Table | Tag::Tr | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Td | Tag::Th
        );
        let inline = !tag.is_block() && !matches!(tag, Tag::A | Tag::Other) && !tag.is_hidden();
        for (depth, (_, open)) in self.open.iter().enumerate().rev() {
            if *open == tag || (tag.heading().is_some() && open.heading().is_some()) {
                return self.close_to(depth);
            }
            let barrier = match open {
                Tag::Td | Tag::Th | Tag::Caption | Tag::Table => !table_part,
                // A stray `</b>` does not end the sections around it.
                open => inline && open.is_block() && *open != Tag::P,
            };
            if barrier {
                return;
            }
        }
    }

    fn script_ends(&mut self) {
        let text = std::mem::take(&mut self.script_text);
        if text.trim().is_empty() {
            return;
        }
        if self.script == Script::JsonLd {
            let used: usize = self.tree.json_ld.iter().map(String::len).sum();
            if used + text.len() <= MAX_JSON_LD {
                self.tree.json_ld.push(text);
            }
        } else {
            self.keep_state(text);
        }
    }

    fn keep_state(&mut self, text: String) {
        if self.state_used + text.len() <= MAX_STATE {
            self.state_used += text.len();
            self.tree.state.push(text);
        }
    }

    fn finish(mut self) -> Tree {
        self.close_to(0);
        self.tree
    }
}

/// Whether a script begins by assigning data to a global: `window.__STATE__ = {…}`.
fn assigns(text: &str) -> bool {
    let begin = text.trim_start();
    let begin = begin.get(..begin.floor_char_boundary(200)).unwrap_or_default();
    let named = ["window.", "window[", "self.", "globalThis.", "var ", "let ", "const ", "__"];
    named.iter().any(|name| begin.starts_with(name))
        && begin.split_once('=').is_some_and(|(_, value)| {
            let value = value.trim_start();
            value.starts_with(['{', '[']) || value.starts_with("JSON.parse(")
        })
}

fn narrow(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
