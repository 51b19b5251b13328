//! What is known of a document beside its text.

use super::cleaned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Characters of a field, addresses of a document and characters of one, and further fields that are kept.
const FIELD: usize = 500;
const ADDRESSES: usize = 32;
const ADDRESS: usize = 2_048;
const OTHERS: usize = 32;

/// What of a field is more than is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Excess {
    /// Its name.
    #[error("has a name of more than {FIELD} characters")]
    Name,
    /// Its value.
    #[error("has more than {FIELD} characters")]
    Value,
    /// One of its addresses.
    #[error("has an address of more than {ADDRESS} characters")]
    Address,
    /// Its addresses.
    #[error("has more than {ADDRESSES} addresses")]
    Addresses,
    /// It, beside those that are kept.
    #[error("is one of more than {OTHERS} further fields")]
    Field,
    /// What another has said.
    #[error("says something else than another field of the same meaning")]
    Another,
}

impl Excess {
    /// What becomes of it where a document says it of itself.
    pub(super) const fn left_out(self) -> &'static str {
        match self {
            Excess::Name | Excess::Field => "it is left out",
            Excess::Value => "its end is left out",
            Excess::Address => "that one is left out",
            Excess::Addresses => "the rest is left out",
            Excess::Another => "it counts, and the other is left out",
        }
    }

    /// What whoever sends it can do.
    pub(crate) const fn way_out(self) -> &'static str {
        match self {
            Excess::Name | Excess::Value | Excess::Address => "shorten it",
            Excess::Addresses => "leave some out",
            Excess::Field => "leave it out",
            Excess::Another => "leave one of them out",
        }
    }
}

/// What is said of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    /// A text. Addresses in it stand apart by commas.
    Text(String),
    /// One after the other; a comma parts nothing.
    List(Vec<String>),
}

impl FieldValue {
    fn values(&self) -> &[String] {
        match self {
            FieldValue::Text(text) => std::slice::from_ref(text),
            FieldValue::List(values) => values,
        }
    }

    fn addresses(&self) -> Vec<&str> {
        let all: Vec<&str> = match self {
            FieldValue::Text(text) => text.split(',').collect(),
            FieldValue::List(values) => values.iter().map(String::as_str).collect(),
        };
        all.into_iter().map(str::trim).filter(|url| !url.is_empty()).collect()
    }
}

/// What a document says of itself, or whoever loads it. Every field is bounded; what is more is never left out without
/// a word ([`Excess`]).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Metadata {
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Who published it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_org: Option<String>,
    /// Where it is published, as written: an answer shows those that can be opened.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub source_urls: Vec<String>,
    /// Its category, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Its own name for itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// When it was published, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// When it was changed last, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated: Option<String>,
    /// Further fields.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub other: BTreeMap<String, String>,
}

impl Metadata {
    /// Sets the field that a key names, in any of the ways that people call it, as far as it is kept.
    ///
    /// # Errors
    /// What of it is not.
    pub fn set(&mut self, key: &str, said: &FieldValue) -> Result<(), Excess> {
        let lines: Vec<Line> = said.values().iter().map(|value| line(value)).collect();
        let joined = lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join(", ");
        let Line { text: joined, is_whole } = line(&joined);
        if joined.is_empty() {
            return Ok(());
        }
        let key = key.to_lowercase().replace([' ', '-'], "_");
        let Line { text: key, is_whole: true } = line(&key) else { return Err(Excess::Name) };
        let is_whole = is_whole && lines.iter().all(|line| line.is_whole);
        let field = match key.as_str() {
            "title" => &mut self.title,
            "source_org" | "org" | "organization" | "organisation" | "publisher" => {
                &mut self.source_org
            }
            "category" => &mut self.category,
            "id" | "doc_id" | "document_id" => &mut self.id,
            "date" | "published" | "date_published" | "created" | "effective_date" => {
                &mut self.published
            }
            "updated" | "last_updated" | "modified" | "date_modified" | "lastmod" => {
                &mut self.updated
            }
            "source_urls" | "source_url" | "urls" | "url" | "source" => {
                return self.publish(said);
            }
            _ => {
                if self.other.len() >= OTHERS && !self.other.contains_key(&key) {
                    return Err(Excess::Field);
                }
                let before = self.other.insert(key, joined.clone());
                return kept(before, &joined, is_whole);
            }
        };
        let before = field.replace(joined.clone());
        kept(before, &joined, is_whole)
    }

    /// Adds addresses.
    fn publish(&mut self, said: &FieldValue) -> Result<(), Excess> {
        let mut done = Ok(());
        for url in said.addresses() {
            let spaced = url.replace(char::is_whitespace, " ");
            let url = cleaned(&spaced);
            let url = url.trim();
            if url.is_empty() {
                continue;
            }
            // A part of an address is another address, or none.
            if url.chars().nth(ADDRESS).is_some() {
                done = Err(Excess::Address);
            } else if self.source_urls.len() < ADDRESSES {
                self.source_urls.push(url.to_owned());
            } else {
                return Err(Excess::Addresses);
            }
        }
        done
    }

    /// These fields, and those of another where these have none.
    #[must_use]
    pub fn or(mut self, other: Metadata) -> Metadata {
        self.title = self.title.or(other.title);
        self.source_org = self.source_org.or(other.source_org);
        self.category = self.category.or(other.category);
        self.id = self.id.or(other.id);
        self.published = self.published.or(other.published);
        self.updated = self.updated.or(other.updated);
        if self.source_urls.is_empty() {
            self.source_urls = other.source_urls;
        }
        for (key, value) in other.other {
            self.other.entry(key).or_insert(value);
        }
        self
    }
}

/// Whether what a field says now is all that was said of it.
fn kept(before: Option<String>, now: &str, is_whole: bool) -> Result<(), Excess> {
    if before.is_some_and(|before| before != now) {
        return Err(Excess::Another);
    }
    if is_whole { Ok(()) } else { Err(Excess::Value) }
}

/// A text in one line, as far as it is kept.
pub(crate) struct Line {
    pub text: String,
    pub is_whole: bool,
}

/// One line of at most so many characters, none of which controls anything.
pub(crate) fn line(text: &str) -> Line {
    let mut line = String::new();
    let words = text.split_whitespace().map(cleaned).filter(|word| !word.is_empty());
    for word in words {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
        // What follows is not looked at: it may be a whole book.
        if let Some((end, _)) = line.char_indices().nth(FIELD) {
            line.truncate(end);
            line.truncate(line.trim_end().len());
            return Line { text: line, is_whole: false };
        }
    }
    Line { text: line, is_whole: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(key: &str, value: &str) -> (Metadata, Result<(), Excess>) {
        let mut metadata = Metadata::default();
        let done = metadata.set(key, &FieldValue::Text(value.to_owned()));
        (metadata, done)
    }

    #[test]
    fn a_comma_parts_addresses_in_a_text_and_none_in_a_list() {
        let text = "https://a.example/x, https://b.example/y";
        let (metadata, done) = said("source_urls", text);
        assert_eq!(metadata.source_urls, ["https://a.example/x", "https://b.example/y"]);
        assert_eq!(done, Ok(()));
        let list = ["https://en.example/wiki/Paris,_Texas", " ", "https://b.example"];
        let mut metadata = Metadata::default();
        let list = FieldValue::List(list.map(str::to_owned).into());
        assert_eq!(metadata.set("source_urls", &list), Ok(()));
        assert_eq!(
            metadata.source_urls,
            ["https://en.example/wiki/Paris,_Texas", "https://b.example"]
        );
        assert_eq!(
            metadata.set("tags", &FieldValue::List(vec!["a, b".into(), "c".into()])),
            Ok(())
        );
        assert_eq!(metadata.other["tags"], "a, b, c");
    }

    #[test]
    fn no_field_has_a_control_character() {
        let (metadata, done) = said("\u{0}ti\u{1b}tle", "a\u{0} \u{1b}\t[31m\u{feff}b \u{9b} c");
        assert_eq!((metadata.title.as_deref(), done), (Some("a [31mb c"), Ok(())));
        assert_eq!(said("title", "\u{0} \u{7f}").0, Metadata::default());
        let (metadata, done) = said("url", "https://a.example/\u{0}x, \u{0}, https://b.example");
        assert_eq!(metadata.source_urls, ["https://a.example/x", "https://b.example"]);
        assert_eq!(done, Ok(()));
    }

    #[test]
    fn addresses_are_whole_however_many_stand_in_one_line() {
        let address = |at: usize| format!("https://a.example/{at}/{}", "x".repeat(80));
        let all: Vec<String> = (0..40).map(address).collect();
        assert_eq!(said("source_urls", &all[..ADDRESSES].join(", ")).1, Ok(()));
        let (metadata, done) = said("source_urls", &all.join(", "));
        assert_eq!(
            (metadata.source_urls.as_slice(), done),
            (&all[..ADDRESSES], Err(Excess::Addresses))
        );

        let long = format!("https://a.example/{}", "x".repeat(ADDRESS));
        let (metadata, done) = said("url", &format!("{long},https://b.example"));
        assert_eq!(metadata.source_urls, ["https://b.example"], "part of an address is none");
        assert_eq!(done, Err(Excess::Address));
    }

    #[test]
    fn what_is_more_than_is_kept_is_told() {
        let (metadata, done) = said("Summary", &format!(" a\n{} ", "é".repeat(FIELD - 2)));
        assert_eq!((metadata.other["summary"].chars().count(), done), (FIELD, Ok(())));
        let (metadata, done) = said("summary", &"word ".repeat(FIELD));
        assert_eq!((metadata.other["summary"].len(), done), (FIELD - 1, Err(Excess::Value)));
        assert_eq!(said(&"x".repeat(FIELD + 1), "a").1, Err(Excess::Name));
        let mut metadata = Metadata::default();
        let mut set =
            |key: &str, value: &str| metadata.set(key, &FieldValue::Text(value.to_owned()));
        assert_eq!(set("date", "2024-03-01"), Ok(()));
        assert_eq!(set("published", "2024-03-01"), Ok(()), "it says the same");
        assert_eq!(set("created", "2023-12-24"), Err(Excess::Another));
        for at in 0..OTHERS {
            assert_eq!(set(&format!("field {at}"), "a"), Ok(()));
        }
        assert_eq!((set("Field-7", "a"), set("more", "a")), (Ok(()), Err(Excess::Field)));
        assert_eq!(metadata.published.as_deref(), Some("2023-12-24"));
    }
}
