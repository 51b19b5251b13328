//! What a section consists of, whether it becomes Markdown or HTML. Texts are plain here: whoever writes them
//! out sees to it that no text becomes markup.

use quarry_types::text::cut;

/// Characters of the longest text that stands in one piece.
const MOST: usize = 1_200;

/// A part of a section.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// A heading within the section.
    Heading(String),
    /// A list.
    List(Vec<Item>),
    /// The numbered sources: the first has number 1.
    Sources(Vec<Item>),
    /// A table: its head, and rows with as many cells.
    Table(Vec<String>, Vec<Vec<String>>),
}

/// An item of a list, and what stands below it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Item {
    /// What it says.
    pub content: Vec<Inline>,
    /// More about it, a line each.
    pub below: Vec<Vec<Inline>>,
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq)]
pub enum Inline {
    /// Plain words.
    Text(String),
    /// Words that stand out.
    Strong(String),
    /// Words that stand back.
    Quiet(String),
    /// Words of a source.
    Quote(String),
    /// A page.
    Link {
        /// Its title.
        words: String,
        /// Where it is.
        address: Option<String>,
    },
    /// The number of a source.
    Cite {
        /// The number.
        n: usize,
        /// The place in it.
        address: Option<String>,
        /// The citation of a claim that it shows, if it stands for one.
        mark: Option<usize>,
    },
}

impl Block {
    /// A paragraph of plain words.
    pub fn says(text: impl Into<String>) -> Block {
        Block::Paragraph(vec![Inline::text(text)])
    }
}

impl Item {
    /// An item of plain words.
    pub fn says(text: impl Into<String>) -> Item {
        Item { content: vec![Inline::text(text)], below: Vec::new() }
    }

    /// `Name: what it is`.
    pub fn labelled(name: &str, text: impl AsRef<str>) -> Item {
        let mut content = vec![Inline::Strong(format!("{name}:"))];
        if !text.as_ref().is_empty() {
            content.push(Inline::text(format!(" {}", text.as_ref())));
        }
        Item { content, below: Vec::new() }
    }
}

impl Inline {
    /// Plain words.
    pub fn text(text: impl Into<String>) -> Inline {
        Inline::Text(text.into())
    }
}

/// A text of others as it may stand in a line: no control characters, blanks one by one, an end.
pub fn line(text: &str) -> String {
    line_of(text, MOST)
}

/// The same with an end of one's choice.
pub fn line_of(text: &str, most: usize) -> String {
    let is_shown = |c: &char| !c.is_control() && !is_invisible(*c);
    let mut out = String::new();
    // A character takes four bytes at most, and what is left of blanks is not known before.
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        let word: String = word.chars().filter(is_shown).collect();
        if word.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&word);
        if out.len() > most.saturating_mul(4) {
            break;
        }
    }
    cut(&out, most)
}

/// Whether a character is not seen, but changes how others are.
pub const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}
