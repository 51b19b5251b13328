//! A page as a flat tree. Nodes lie in document order and know where their content ends, so a
//! subtree is a range: it is skipped by one step and measured by one subtraction.

use super::tag::Tag;
use quarry_types::text::first_bytes;
use std::ops::Range;

/// The attributes that are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the attribute of that name")]
pub enum Attr {
    Id,
    Class,
    Role,
    Href,
    Src,
    Alt,
    Lang,
    Datetime,
    Itemprop,
    Itemtype,
    Property,
    Name,
    Content,
    Rel,
    Type,
    Style,
    Hidden,
    AriaHidden,
    AriaLabel,
    Start,
    HttpEquiv,
    Colspan,
    Rowspan,
    Title,
    Value,
    /// One of the attributes that frameworks put a page's data in.
    State,
}

impl Attr {
    /// The attribute of a lower-case name.
    pub fn from_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"id" => Self::Id,
            b"class" => Self::Class,
            b"role" => Self::Role,
            b"href" => Self::Href,
            b"src" => Self::Src,
            b"alt" => Self::Alt,
            b"lang" | b"xml:lang" => Self::Lang,
            b"datetime" => Self::Datetime,
            b"itemprop" => Self::Itemprop,
            b"itemtype" => Self::Itemtype,
            b"property" => Self::Property,
            b"name" => Self::Name,
            b"content" => Self::Content,
            b"rel" => Self::Rel,
            b"type" => Self::Type,
            b"style" => Self::Style,
            b"hidden" => Self::Hidden,
            b"aria-hidden" => Self::AriaHidden,
            b"aria-label" => Self::AriaLabel,
            b"start" => Self::Start,
            b"http-equiv" => Self::HttpEquiv,
            b"colspan" => Self::Colspan,
            b"rowspan" => Self::Rowspan,
            b"title" => Self::Title,
            b"value" => Self::Value,
            b"data-preloaded"
            | b"data-page"
            | b"data-props"
            | b"data-state"
            | b"data-initial-state"
            | b"data-react-props"
            | b"data-json"
            | b"data-initial-data" => Self::State,
            _ => return None,
        })
    }
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// An element; its attributes are a range of [`Tree::attrs`].
    Element(Tag, Range<u32>),
    /// Text; a range of [`Tree::text`].
    Text(Range<u32>),
}

/// A node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Element or text.
    pub kind: Kind,
    /// The first node after its content.
    pub end: u32,
    /// The element that holds it; itself for the root.
    pub parent: u32,
}

/// A page.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) attrs: Vec<(Attr, Range<u32>)>,
    pub(super) text: String,
    /// The elements that [`crate::metadata`] wants to see, noted as they came.
    pub notes: Vec<u32>,
    /// The texts of `application/ld+json` scripts.
    pub json_ld: Vec<String>,
    /// The longest text that stands in a `<noscript>`: markup for readers without scripts, as we are.
    pub noscript: String,
    /// JSON that the page carries for its own scripts: `application/json` scripts, assignments to
    /// globals, and attributes such as `data-page`.
    pub state: Vec<String>,
    /// How many scripts the page has, but for data.
    pub scripts: u32,
    /// Whether the page was cut at a limit.
    pub truncated: bool,
}

impl Tree {
    /// How many nodes there are; a node's place is a number below it.
    pub fn len(&self) -> u32 {
        u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A node.
    pub fn node(&self, at: u32) -> Option<&Node> {
        #[cfg(test)]
        crate::work::add(1);
        self.nodes.get(at as usize)
    }

    /// An element's tag; `None` for text.
    pub fn tag(&self, at: u32) -> Option<Tag> {
        match self.node(at)?.kind {
            Kind::Element(tag, _) => Some(tag),
            Kind::Text(_) => None,
        }
    }

    /// A text node's text; empty for an element.
    pub fn text(&self, at: u32) -> &str {
        match self.node(at).map(|node| &node.kind) {
            Some(Kind::Text(range)) => self.slice(range),
            _ => "",
        }
    }

    /// Where a node's content ends.
    pub fn end(&self, at: u32) -> u32 {
        self.node(at).map_or(at + 1, |node| node.end.max(at + 1))
    }

    /// The element that holds a node.
    pub fn parent(&self, at: u32) -> Option<u32> {
        self.node(at).map(|node| node.parent).filter(|parent| *parent != at)
    }

    /// The nodes directly inside one.
    pub fn children(&self, at: u32) -> Children<'_> {
        Children { tree: self, next: at + 1, end: self.end(at) }
    }

    /// All nodes inside one, itself first.
    pub fn subtree(&self, at: u32) -> Range<u32> {
        at..self.end(at)
    }

    /// An attribute's value.
    pub fn attr(&self, at: u32, name: Attr) -> Option<&str> {
        let Kind::Element(_, range) = &self.node(at)?.kind else { return None };
        let attrs = self.attrs.get(range.start as usize..range.end as usize)?;
        attrs.iter().find(|(found, _)| *found == name).map(|(_, value)| self.slice(value))
    }

    /// Whether a node is a heading.
    pub fn is_heading(&self, at: u32) -> bool {
        self.tag(at).is_some_and(|tag| tag.heading().is_some())
    }

    fn slice(&self, range: &Range<u32>) -> &str {
        self.text.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    /// Keeps a text, and gives where it lies.
    pub(super) fn store(&mut self, text: &str) -> Range<u32> {
        let from = self.text.len();
        self.text.push_str(text);
        narrow(from)..narrow(self.text.len())
    }

    /// The text of the whole page, as [`Tree::flat_text`] gives it.
    pub fn flat_text_all(&self, limit: usize) -> String {
        self.flat(0, self.len(), None, limit)
    }

    /// The text inside a node with white space collapsed. After `limit` bytes no further text is begun, and one that was
    /// begun before ends soon: a name is looked for in each box around one text, and that may be all of a page.
    pub fn flat_text(&self, at: u32, limit: usize) -> String {
        /// Nodes that are looked at for each byte: a short text stands in few.
        const NODES: usize = 4;
        let most = limit.saturating_add(64).saturating_mul(NODES);
        let end = self.end(at).min(at.saturating_add(narrow(most)));
        self.flat(at, end, Some(at), limit)
    }

    /// The text of a range; hidden elements are left out unless they are `asked` for.
    fn flat(&self, from: u32, end: u32, asked: Option<u32>, limit: usize) -> String {
        let mut out = String::new();
        let mut next = from;
        while next < end && out.len() < limit {
            match self.tag(next) {
                Some(tag) if tag.is_hidden() && Some(next) != asked => {
                    next = self.end(next);
                    continue;
                }
                Some(tag) if (tag.is_block() || tag == Tag::Br) && !out.ends_with(' ') => {
                    out.push(' ')
                }
                Some(_) => {}
                None => {
                    let text = beginning(self.text(next), limit);
                    #[cfg(test)]
                    crate::work::add(text.len());
                    push_collapsed(&mut out, text);
                }
            }
            next += 1;
        }
        out.truncate(out.trim_end().len());
        out.trim_start().to_owned()
    }
}

/// As much of a text as says whether it is longer than so many bytes, even where it begins with a screenful of white space.
pub fn beginning(text: &str, limit: usize) -> &str {
    /// Bytes of white space before a text that is set far in.
    const INDENTED: usize = 4 * 1024;
    let most = limit.saturating_mul(2).saturating_add(INDENTED);
    first_bytes(text, most)
}

/// A place in the tree's text or among its nodes; a page is far from having as many.
pub(super) fn narrow(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Appends text with runs of white space as one space.
pub fn push_collapsed(out: &mut String, text: &str) {
    for char in text.chars() {
        // Soft hyphens and zero-width spaces only say where a line may break.
        if matches!(char, '\u{ad}' | '\u{200b}' | '\u{feff}') {
            continue;
        }
        if !char.is_whitespace() {
            out.push(char);
        } else if !out.ends_with([' ', '\n']) {
            out.push(' ');
        }
    }
}

/// Walks the direct children of a node.
pub struct Children<'a> {
    tree: &'a Tree,
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        (self.next < self.end).then(|| {
            let at = self.next;
            self.next = self.tree.end(at);
            at
        })
    }
}
