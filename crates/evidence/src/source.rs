//! Sources and calculations: the pieces of evidence.

use crate::{Content, Signal};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What a tool found out about one address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Finding {
    /// The address.
    pub url: String,
    /// Its title, when it has one.
    pub title: Option<String>,
    /// When it was published, as far as it says.
    pub date: Option<String>,
    /// The search that found it.
    pub query: Option<String>,
    /// What the search engine said of it.
    pub description: String,
    /// What its page says of its kind and of who answers for it.
    pub signals: Vec<Signal>,
    /// What was read of it.
    pub content: Content,
}

/// A page or a search result that an answer may cite.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Its number in the evidence, from 1.
    pub n: usize,
    /// Its address.
    pub url: String,
    /// Its title, or its address.
    pub title: String,
    /// When it was published, as far as it says.
    pub date: Option<String>,
    /// The search that found it.
    pub query: Option<String>,
    /// What the search engine said of it.
    pub description: String,
    /// What its page says of its kind and of who answers for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signals: Vec<Signal>,
    /// What was read of it.
    pub content: Content,
}

impl Source {
    /// A source with this number.
    #[must_use]
    pub fn new(n: usize, finding: Finding) -> Self {
        let Finding { url, title, date, query, description, signals, content } = finding;
        let title = title.filter(|title| !title.is_empty()).unwrap_or_else(|| url.clone());
        Source { n, url, title, date, query, description, signals, content }
    }

    /// What it says: its text, else what the search engine said of it.
    #[must_use]
    pub fn body(&self) -> Cow<'_, str> {
        if self.content.is_unread() {
            Cow::Borrowed(&self.description)
        } else {
            self.content.text()
        }
    }

    /// Takes in the title and the date that a document has: they are those of before unless it was replaced.
    pub(crate) fn is_named(&mut self, title: Option<String>, date: Option<String>, anew: bool) {
        if anew {
            self.title =
                title.filter(|title| !title.is_empty()).unwrap_or_else(|| self.url.clone());
            self.date = date;
        } else {
            self.date = self.date.take().or(date);
        }
    }

    /// Takes in what reading its page brought: what says more stays.
    pub(crate) fn read(&mut self, content: Content, date: Option<String>, signals: Vec<Signal>) {
        if self.content.yields_to(&content) {
            self.content = content;
        }
        self.date = self.date.take().or(date);
        for signal in signals {
            if !self.signals.contains(&signal) {
                self.signals.push(signal);
            }
        }
    }
}

/// The result of a program, as evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calculation {
    /// The program.
    pub code: String,
    /// What came out.
    pub result: String,
}
