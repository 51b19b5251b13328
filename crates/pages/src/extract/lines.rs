//! Lines: runs of text that no block parts, in the order in which a reader meets them. What stands before,
//! after and between others is told from them.

use super::skip::Skip;
use crate::html::{Tag, Tree, tree::push_collapsed};
use std::ops::Range;

/// A run of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// From its first node of text to behind its last.
    pub nodes: Range<u32>,
    /// The innermost block around it.
    pub block: u32,
    /// Characters that are not white space.
    pub text: u32,
    /// How many of them stand in links.
    pub links: u32,
    /// Whether it ends as sentences do, or one ends within it.
    pub sentence: bool,
    /// Whether it ends as a question does.
    pub asks: bool,
    /// What it is.
    pub kind: Kind,
}

/// What a line is, by the block around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A heading of a level.
    Heading(usize),
    /// An item of a list, or a part of one.
    Item,
    /// A part of a table, of code or of a quotation.
    Set,
    /// Anything else.
    Plain,
}

impl Kind {
    /// Whether it is a heading.
    pub fn is_heading(self) -> bool {
        matches!(self, Self::Heading(_))
    }
}

/// A line of fewer characters is no prose.
const LONG: u32 = 60;

impl Line {
    /// Whether it is as long as a sentence or two.
    pub fn is_long(&self) -> bool {
        self.text >= LONG
    }

    /// Whether it is long and mostly no links.
    pub fn is_prose(&self) -> bool {
        is_prose(self.text, self.links) && !self.kind.is_heading()
    }

    /// What it says as a label: its text in lower case, a short one's without digits. A date is none.
    pub fn label(&self, tree: &Tree) -> Option<String> {
        let mut text = String::new();
        for at in self.nodes.clone().filter(|at| tree.tag(*at).is_none()) {
            push_collapsed(&mut text, tree.text(at));
        }
        let numbers = text
            .split(|char: char| !char.is_ascii_digit() && !matches!(char, ',' | '.'))
            .filter(|part| part.contains(|char: char| char.is_ascii_digit()));
        if numbers.take(2).count() > 1 {
            return None;
        }
        if !self.is_long() {
            text.retain(|char| !char.is_ascii_digit());
        }
        Some(text.trim().to_lowercase())
    }

    /// Leaves it out no longer: its texts, and what stands around them within its block.
    pub fn clear(&self, tree: &Tree, skip: &mut Skip) {
        for text in self.nodes.clone().filter(|at| tree.tag(*at).is_none()) {
            let within = |at: &u32| tree.parent(*at).filter(|up| *up >= self.block);
            std::iter::successors(Some(text), within).for_each(|at| skip.clear(at));
        }
    }

    /// Leaves it out.
    pub fn mark(&self, tree: &Tree, skip: &mut Skip) {
        self.nodes.clone().filter(|at| tree.tag(*at).is_none()).for_each(|at| skip.mark(at));
    }
}

/// Whether so much text, of which so much is links, is long and mostly no links.
pub fn is_prose(text: u32, links: u32) -> bool {
    text >= LONG && links < text - text / 2
}

/// The lines of a range of nodes, without what is left out.
pub fn of(tree: &Tree, range: Range<u32>, skip: &Skip) -> Vec<Line> {
    let mut reader = Reader::default();
    let mut at = range.start;
    while at < range.end {
        reader.leave(at);
        match tree.tag(at) {
            Some(tag) if tag.is_hidden() || skip.is(at) => {
                at = tree.end(at);
                continue;
            }
            Some(tag) => reader.enter(at, tag, tree.end(at)),
            None if skip.is(at) => {}
            None => reader.text(at, tree.text(at)),
        }
        at += 1;
    }
    reader.end();
    reader.lines
}

#[derive(Default)]
struct Reader {
    lines: Vec<Line>,
    /// The line that is being read.
    open: Option<Line>,
    /// Whether a sentence ended within it.
    holds_sentence: bool,
    /// The blocks around it: where each ends and begins, and what a line in it is.
    blocks: Vec<(u32, u32, Kind)>,
    /// Where the link around it ends.
    link: u32,
}

impl Reader {
    fn kind(&self) -> Kind {
        self.blocks.last().map_or(Kind::Plain, |(_, _, kind)| *kind)
    }

    fn leave(&mut self, at: u32) {
        while self.blocks.last().is_some_and(|(end, ..)| *end <= at) {
            self.blocks.pop();
            self.end();
        }
    }

    fn enter(&mut self, at: u32, tag: Tag, end: u32) {
        if tag == Tag::A {
            self.link = self.link.max(end);
        }
        if !tag.is_block() {
            return;
        }
        self.end();
        let kind = match (tag, self.kind()) {
            (Tag::Table | Tag::Pre | Tag::Blockquote, _) | (_, Kind::Set) => Kind::Set,
            (Tag::Li | Tag::Dt | Tag::Dd, _) => Kind::Item,
            (tag, around) => tag.heading().map_or(around, Kind::Heading),
        };
        self.blocks.push((end, at, kind));
    }

    fn text(&mut self, at: u32, text: &str) {
        let wide = text.chars().filter(|char| !char.is_whitespace()).count();
        if wide == 0 {
            return;
        }
        let wide = u32::try_from(wide).unwrap_or(u32::MAX);
        let (_, block, kind) = self.blocks.last().copied().unwrap_or((at + 1, at, Kind::Plain));
        let line = self.open.get_or_insert(Line {
            nodes: at..at,
            block,
            text: 0,
            links: 0,
            sentence: false,
            asks: false,
            kind,
        });
        line.nodes.end = at + 1;
        line.text = line.text.saturating_add(wide);
        line.links += if at < self.link { wide } else { 0 };
        self.holds_sentence |= holds_sentence(text);
        line.sentence = self.holds_sentence || ends_sentence(text);
        line.asks = text.trim_end().ends_with(['?', '？', '؟']);
    }

    fn end(&mut self) {
        self.lines.extend(self.open.take());
        self.holds_sentence = false;
    }
}

fn ends_sentence(text: &str) -> bool {
    let text = text.trim_end().trim_end_matches(['"', '\'', '”', '’', '“', '»', ')', ']']);
    text.ends_with(['.', '!', '?', '…', ':', '。', '！', '？', '؟', '।'])
}

/// Letters of a word that ends a sentence; a shorter one may be short for something.
const WORD: usize = 3;

/// Whether a sentence ends within a text and more follows.
fn holds_sentence(text: &str) -> bool {
    [". ", "! ", "? "].iter().any(|end| {
        text.match_indices(end).any(|(at, _)| {
            let before = text.get(..at).unwrap_or_default();
            let letters = before.chars().rev().take_while(|char| char.is_lowercase());
            letters.take(WORD).count() == WORD
        })
    })
}
