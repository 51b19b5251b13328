//! What the lines of an answer are about that do not say it themselves: the heading they stand below, and the line that
//! leads to their list.
//!
//! Border: lines of an answer in, one after the other; what has to stand before a claim out. Some hundred bytes are kept.

use super::subject::{head, topic};
use super::words::FALSE;
use crate::text::tokens;
use quarry_types::text::cut;
use serde::{Deserialize, Serialize};

/// Characters of a heading, or of what leads to a list, that are kept.
const MOST: usize = 200;
/// Words of a line without a stop that leads to a list.
const MOST_WORDS: usize = 8;

/// What a line leads to, if it leads to a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Lead {
    /// Its words, without the colon.
    words: String,
    /// How far in it stands, if it is an item itself.
    within: Option<usize>,
}

/// A line that ends, or a part of it.
pub struct Part<'p> {
    /// What a reader sees of it.
    pub words: &'p str,
    /// The signs of a heading; 0: it is none.
    pub level: usize,
    /// Whether its line begins with words that are made bold, and so with no sign of an item.
    pub is_bold: bool,
    /// Whether it may stand before a list: it is no row, and has no stop and no marker.
    pub is_open: bool,
    /// Whether its line ends with it.
    pub ends_line: bool,
}

/// Where in an answer a line stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Topic {
    /// The headings above, outermost first, and their levels.
    headings: Vec<(usize, String)>,
    lead: Option<Lead>,
    /// The level of the heading that this line is; 0: it is none.
    level: usize,
    /// How far in this line stands, if it is an item.
    item: Option<usize>,
    /// Whether no sentence of it was there, but for the number of an item.
    #[serde(default)]
    pub is_first: bool,
}

impl Topic {
    /// A line begins with this character, so many blanks in.
    pub fn begin(&mut self, first: char, indent: usize) {
        let is_item = matches!(first, '-' | '*' | '+' | '•' | '◦' | '–') || first.is_ascii_digit();
        self.item = is_item.then_some(indent);
        self.level = 0;
        self.is_first = true;
    }

    /// Takes in a part of a line.
    pub fn pass(&mut self, part: &Part<'_>) {
        let is_more = self.level > 0;
        self.is_first &= part.words.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        if part.level > 0 && !is_more {
            self.headings.retain(|(level, _)| *level < part.level);
            self.headings.push((part.level, cut(part.words, MOST)));
            self.level = part.level;
            self.lead = None;
            return;
        }
        if let Some((_, heading)) = self.headings.last_mut().filter(|_| is_more) {
            *heading = cut(&format!("{heading} {}", part.words), MOST);
            return;
        }
        if part.ends_line {
            self.end_line(part);
        }
    }

    fn end_line(&mut self, part: &Part<'_>) {
        self.item = self.item.filter(|_| !part.is_bold);
        let words = part.words.trim_end();
        let led = words.strip_suffix([':', '：']);
        let is_short = || tokens(words).len() <= MOST_WORDS;
        let leads = led.is_some() || (part.is_open && !words.is_empty() && is_short());
        if leads {
            let is_deeper = |lead: &Lead| match (lead.within, self.item) {
                (_, None) => false,
                (None, Some(_)) => true,
                (Some(within), Some(item)) => item > within,
            };
            // An item that might lead to others takes no other lead away.
            if led.is_none() && self.lead.as_ref().is_some_and(is_deeper) {
                return;
            }
            let words = cut(led.unwrap_or(words).trim(), MOST);
            self.lead = Some(Lead { words, within: self.item });
        } else if self.item.is_none() {
            self.lead = None;
        }
    }

    /// What leads to this line.
    fn lead(&self) -> Option<&str> {
        let item = self.item?;
        let lead = self.lead.as_ref()?;
        lead.within.is_none_or(|within| item > within).then_some(lead.words.as_str())
    }

    /// What the line is about, if it does not say so.
    pub fn subject(&self) -> String {
        let lead = self.lead().filter(|lead| !topic(lead).is_empty());
        if let Some(lead) = lead {
            return if announces(lead) { head(lead) } else { lead.to_owned() };
        }
        let headings = self.headings.iter().rev().map(|(_, heading)| topic(heading));
        headings.into_iter().find(|topic| !topic.is_empty()).unwrap_or_default()
    }

    /// What leads to the line and denies it, or calls it false.
    pub fn denial(&self) -> Option<&str> {
        let heading = || self.headings.last().map(|(_, heading)| heading.as_str());
        let heading = self.item.and_then(|_| heading()).filter(|heading| is_false(heading));
        self.lead().filter(|lead| denies(lead) || is_false(lead)).or(heading)
    }
}

/// Whether words say that something follows, and not what.
fn announces(lead: &str) -> bool {
    let words =
        ["follow", "following", "follows", "facts", "points", "include", "includes", "things"];
    tokens(lead).iter().any(|token| words.contains(&token.word.as_str()))
}

fn is_false(words: &str) -> bool {
    tokens(words).iter().any(|token| FALSE.binary_search(&token.word.as_str()).is_ok())
}

/// Whether words deny what they lead to: not only something within themselves.
fn denies(lead: &str) -> bool {
    let tokens = tokens(lead);
    let is_denial = |word: &str| {
        matches!(
            word,
            "no" | "nobody"
                | "none"
                | "never"
                | "nor"
                | "not"
                | "neither"
                | "nothing"
                | "nicht"
                | "kein"
                | "keine"
        )
    };
    let has = tokens.iter().any(|token| is_denial(&token.word));
    let begins = tokens.first().is_some_and(|token| is_denial(&token.word));
    let goes_on = tokens.last().is_some_and(|token| {
        matches!(
            token.word.as_str(),
            "that"
                | "dass"
                | "que"
                | "whether"
                | "true"
                | "case"
                | "correct"
                | "apply"
                | "holds"
                | "hold"
        )
    });
    has && (begins || goes_on)
}
