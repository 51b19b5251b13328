//! Builds the tree from a page's tags and texts, with the few rules of the HTML standard that matter
//! to text: what a start tag closes, what an end tag may close, and what is never nested.
//! Border: where a tag begins and ends is told by [`super::tokens`].

use super::mend::twice_encoded;
use super::script::{Data, Script};
use super::shortcodes;
use super::tag::Tag;
use super::tree::{Attr, Kind, Node, Tree, narrow};
use crate::metadata;
use lol_html::html_content::TextType;

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

/// The tree as it grows.
#[derive(Default)]
pub struct Builder {
    tree: Tree,
    /// Open elements, outermost first.
    open: Vec<(u32, Tag)>,
    /// Open elements that were not made nodes, because they stood too deep.
    overflow: usize,
    open_paragraphs: usize,
    /// Open elements whose content says nothing of the page itself.
    open_apart: usize,
    attrs_from: usize,
    /// The last start tag, whether or not it became a node: raw text is its text.
    last: Tag,
    /// Where the text began that is being read.
    text_from: Option<usize>,
    script: Script,
    noscript: String,
    /// Bytes of JSON-LD kept so far.
    json_ld_used: usize,
    /// Bytes of state kept so far.
    state_used: usize,
    full: bool,
    /// Whether an `<html>` tag was seen.
    named: bool,
}

impl Builder {
    /// Every page has one root, whatever it begins with; an `<html>` tag only gives it attributes.
    pub fn new() -> Self {
        let mut builder = Self::default();
        if let Some(at) = builder.push(Kind::Element(Tag::Html, 0..0)) {
            builder.open.push((at, Tag::Html));
        }
        builder
    }

    /// A start tag begins; its attributes follow, then [`Builder::start`].
    pub fn begin(&mut self) {
        self.attrs_from = self.tree.attrs.len();
    }

    /// An attribute of the start tag that is being read; `value` is decoded.
    pub fn attribute(&mut self, attr: Attr, value: &str) {
        if attr == Attr::State {
            if value.starts_with(['{', '[']) {
                self.keep_state(value.to_owned());
            }
            return;
        }
        // Of several the first counts, and who asks for another looks at each.
        let mut pending = self.tree.attrs.iter().skip(self.attrs_from);
        if pending.any(|(known, _)| *known == attr) {
            return;
        }
        let kept = value.len() <= MAX_ATTR && !self.full && !value.starts_with("data:");
        let range = if kept { self.tree.store(value) } else { 0..0 };
        self.tree.attrs.push((attr, range));
    }

    /// The start tag that was begun is over.
    pub fn start(&mut self, tag: Tag, self_closing: bool) {
        self.last = tag;
        self.make_room(tag);
        let attrs = narrow(self.attrs_from)..narrow(self.tree.attrs.len());
        if tag == Tag::Script {
            self.script = Script::new(self.pending(Attr::Type));
            self.tree.scripts += u32::from(self.script.is_code());
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
        if self.open_apart == 0 && metadata::wants(&self.tree, at, tag) {
            self.tree.notes.push(at);
        }
        if !leaf && self.open.len() < MAX_DEPTH {
            self.open.push((at, tag));
            self.open_paragraphs += usize::from(tag == Tag::P);
            self.open_apart += usize::from(is_apart(tag));
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

    /// A part of a text, and whether it is the last. An element's text is split by comments.
    pub fn text(&mut self, part: &str, kind: TextType, last: bool) {
        match (kind, self.last) {
            (TextType::ScriptData, _) => return self.script.push(part, MAX_STATE),
            (TextType::RawText, Tag::Noscript) => return self.noscript_part(part, last),
            // However deep it stands, and even where it is no node.
            (TextType::RawText, Tag::Style | Tag::Iframe) => return,
            _ => {}
        }
        if matches!(self.open.last(), Some((_, Tag::Script | Tag::Style | Tag::Iframe))) {
            return;
        }
        if !self.full && !part.is_empty() {
            self.text_from.get_or_insert(self.tree.text.len());
            self.tree.text.push_str(part);
        }
        if last {
            self.text_ends(kind.allows_html_entities());
        }
    }

    fn text_ends(&mut self, entities: bool) {
        let Some(from) = self.text_from.take() else { return };
        let raw = self.tree.text.get(from..).unwrap_or_default();
        if raw.bytes().any(|byte| matches!(byte, b'&' | 0)) {
            let raw = self.tree.text.split_off(from).replace('\0', "");
            if entities {
                self.tree.text.push_str(&htmlize::unescape(&raw));
            } else {
                self.tree.text.push_str(&raw);
            }
        }
        if let Some(mended) = self.tree.text.get(from..).and_then(twice_encoded) {
            self.tree.text.truncate(from);
            self.tree.text.push_str(&mended);
        }
        self.push(Kind::Text(narrow(from)..narrow(self.tree.text.len())));
    }

    fn noscript_part(&mut self, part: &str, last: bool) {
        self.noscript.push_str(part);
        if last {
            let text = std::mem::take(&mut self.noscript);
            if text.len() > self.tree.noscript.len() {
                self.tree.noscript = text;
            }
        }
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

    fn close_to(&mut self, depth: usize) {
        let end = self.tree.len();
        for (at, tag) in self.open.drain(depth..) {
            if let Some(node) = self.tree.nodes.get_mut(at as usize) {
                node.end = end;
            }
            self.open_paragraphs -= usize::from(tag == Tag::P);
            self.open_apart -= usize::from(is_apart(tag));
        }
        self.overflow = 0;
    }

    /// An end tag, whether or not such an element is open.
    pub fn end(&mut self, tag: Tag) {
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
            let is_shadow = tag == Tag::Template && *open == Tag::Shadowroot;
            if *open == tag || is_shadow || (tag.heading().is_some() && open.heading().is_some()) {
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
        match std::mem::take(&mut self.script).into_data() {
            Some(Data::JsonLd(text)) => self.keep_json_ld(text),
            Some(Data::State(text)) => self.keep_state(text),
            None => {}
        }
    }

    fn keep_json_ld(&mut self, text: String) {
        if self.json_ld_used + text.len() <= MAX_JSON_LD {
            self.json_ld_used += text.len();
            self.tree.json_ld.push(text);
        }
    }

    fn keep_state(&mut self, text: String) {
        if self.state_used + text.len() <= MAX_STATE {
            self.state_used += text.len();
            self.tree.state.push(text);
        }
    }

    /// The page goes on, but is read no further.
    pub fn cut(&mut self) {
        self.tree.truncated = true;
    }

    /// The page is over.
    pub fn finish(mut self) -> Tree {
        self.close_to(0);
        shortcodes::take_out(&mut self.tree);
        self.tree
    }
}

/// What these hold says nothing of the page's title, author or date.
fn is_apart(tag: Tag) -> bool {
    matches!(tag, Tag::Svg | Tag::Template | Tag::Noscript)
}
