//! Chunks: the pieces of a document that are found, quoted and cited.
//!
//! Border: a text in; places in it out. Linear in the text. A chunk is a part of its document, letter by letter: no
//! chunk says anything that its document does not say at that place.

mod cut;
mod sections;

pub use cut::{CHUNK, OVERLAP};
pub use sections::{Heading, Section, Sections};

use crate::document::Document;
use sections::trimmed;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Characters of a heading.
const HEADING: usize = 120;

/// A piece of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// Its place in the document, from 0.
    pub number: u32,
    /// Where it stands in the document's text, in bytes.
    pub bytes: Range<usize>,
    /// The same in characters (code points), as clients count.
    pub characters: Range<usize>,
    /// The headings that stand over all of it, outermost first; where none does, those over its beginning.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headings: Vec<String>,
    /// The page of a PDF file on which begins what the chunk before does not say, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
}

impl Chunk {
    /// What it says: a part of its document's text.
    #[must_use]
    pub fn text<'d>(&self, document: &'d str) -> &'d str {
        document.get(self.bytes.clone()).unwrap_or_default()
    }
}

/// The chunks of a document. `pages` are the bytes at which the pages of a PDF file begin, none for others.
#[must_use]
pub fn chunks(document: &Document, pages: &[usize]) -> Vec<Chunk> {
    of_text(&document.text, document.format.has_headings(), pages)
}

/// The chunks of a text, of Markdown or without headings.
#[must_use]
pub fn of_text(text: &str, markdown: bool, pages: &[usize]) -> Vec<Chunk> {
    let mut chunker =
        Chunker { text, pages, path: Vec::new(), open: None, reached: (0, 0), done: Vec::new() };
    Sections::new(text, markdown).for_each(|section| chunker.take_by_page(section));
    chunker.close();
    chunker.done
}

/// The words of the first heading.
#[must_use]
pub fn first_heading(text: &str) -> Option<String> {
    let headings = Sections::new(text, true).filter_map(|section| section.heading);
    let titles = headings.filter_map(|heading| text.get(heading.title));
    titles
        .map(str::trim)
        .find(|title| !title.is_empty())
        .map(|title| shortened(title, HEADING).to_owned())
}

struct Chunker<'t> {
    text: &'t str,
    pages: &'t [usize],
    /// The headings above the next section.
    path: Vec<Heading>,
    open: Option<Open>,
    /// The last place whose characters were counted: its bytes and its characters.
    reached: (usize, usize),
    done: Vec<Chunk>,
}

/// Sections that will be one chunk.
struct Open {
    range: Range<usize>,
    characters: usize,
    /// The headings above all of them.
    common: Vec<Heading>,
    /// Those above the first.
    first: Vec<Heading>,
    has_body: bool,
    /// Whether it is of headings that stand beside one another, with nothing under them.
    is_list: bool,
}

impl Open {
    fn join(&mut self, section: &Section, characters: usize, path: &[Heading]) {
        self.range.end = section.range.end;
        self.characters += characters;
        let same = self.common.iter().zip(path).take_while(|(one, other)| one == other).count();
        let is_under = !self.is_list && same == self.common.len();
        if !self.has_body && (section.has_body || is_under) {
            // A heading with nothing under it belongs to what follows.
            self.common = path.to_vec();
        } else {
            self.is_list |= !self.has_body;
            self.common.truncate(same);
        }
        self.has_body |= section.has_body;
    }
}

impl Chunker<'_> {
    /// Takes a section, parted where a page begins with a paragraph, so that what is cited stands on the page that is
    /// told. A sentence that goes on over a page stays whole.
    fn take_by_page(&mut self, mut section: Section) {
        let pages = self.pages;
        let within = pages.partition_point(|page| *page <= section.range.start);
        for page in pages.get(within..).unwrap_or_default() {
            if *page >= section.range.end {
                break;
            }
            let is_paragraph = self.text.get(..*page).is_some_and(|before| before.ends_with('\n'));
            if is_paragraph && *page > section.range.start {
                let rest =
                    Section { range: *page..section.range.end, heading: None, has_body: true };
                section.range.end = *page;
                self.take(std::mem::replace(&mut section, rest));
            }
        }
        self.take(section);
    }

    fn take(&mut self, section: Section) {
        if let Some(heading) = &section.heading {
            self.path.retain(|above| above.level < heading.level);
            self.path.push(heading.clone());
        }
        let text = self.text.get(section.range.clone()).unwrap_or_default();
        let characters = text.chars().count();
        let within = |open: &Open| {
            let end = text.trim_end();
            let blanks = if end.len() == text.len() {
                0
            } else {
                text.get(end.len()..).unwrap_or_default().chars().count()
            };
            open.characters + characters - blanks <= CHUNK
        };
        match &mut self.open {
            // A heading alone is joined with a section that has to be cut, too. A list of them is none that stands over it.
            Some(open) if within(open) || (section.has_body && !open.has_body && !open.is_list) => {
                open.join(&section, characters, &self.path)
            }
            _ => {
                self.close();
                let path = self.path.clone();
                self.open = Some(Open {
                    range: section.range,
                    characters,
                    common: path.clone(),
                    first: path,
                    has_body: section.has_body,
                    is_list: false,
                });
            }
        }
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let path = if open.common.is_empty() { &open.first } else { &open.common };
        let titles = path.iter().filter_map(|heading| self.text.get(heading.title.clone()));
        let titles = titles.map(|title| shortened(title, HEADING).to_owned());
        let headings: Vec<String> = titles.filter(|title| !title.is_empty()).collect();
        let range = trimmed(self.text, open.range);
        let text = self.text;
        for piece in cut::pieces(text, range) {
            self.push(trimmed(text, piece), &headings);
        }
    }

    fn push(&mut self, bytes: Range<usize>, headings: &[String]) {
        if bytes.is_empty() {
            return;
        }
        let count = |range: Range<usize>| self.text.get(range).unwrap_or_default().chars().count();
        let start = self.reached.1 + count(self.reached.0..bytes.start);
        let characters = start..start + count(bytes.clone());
        self.reached = (bytes.start, start);
        // What is repeated of the chunk before stands on another page, perhaps.
        let repeated = self.done.last().map_or(0, |before| before.bytes.end);
        let own = trimmed(self.text, bytes.start.max(repeated)..bytes.end).start;
        let page = self.pages.partition_point(|page| *page <= own);
        self.done.push(Chunk {
            number: u32::try_from(self.done.len()).unwrap_or(u32::MAX),
            bytes,
            characters,
            headings: headings.to_vec(),
            page: u32::try_from(page).ok().filter(|page| *page > 0),
        });
    }
}

/// The first characters of a text.
fn shortened(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

#[cfg(test)]
mod tests;
