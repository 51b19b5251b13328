//! What is known of a document beside its text.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Characters of a field, addresses of a document and characters of one, and further fields that are kept.
const FIELD: usize = 500;
const ADDRESSES: usize = 32;
const ADDRESS: usize = 2_048;
const OTHERS: usize = 32;

/// What a document says of itself, or whoever loads it. Every field is bounded; what is longer is cut.
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
    /// Sets the field that a key names, in any of the ways that people call it.
    pub fn set(&mut self, key: &str, values: Vec<String>) {
        let lines: Vec<String> = values.iter().map(|value| bounded(value)).collect();
        let joined = bounded(&lines.join(", "));
        if joined.is_empty() {
            return;
        }
        let key = key.to_lowercase().replace([' ', '-'], "_");
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
                // A part of an address is another address, or none.
                let each = values.iter().flat_map(|value| value.split(',')).map(str::trim);
                let whole = |url: &&str| !url.is_empty() && url.chars().nth(ADDRESS).is_none();
                let each = each.filter(whole).map(|url| url.replace(char::is_whitespace, " "));
                self.source_urls.extend(each);
                self.source_urls.truncate(ADDRESSES);
                return;
            }
            _ => {
                if self.other.len() < OTHERS {
                    self.other.insert(bounded(&key), joined);
                }
                return;
            }
        };
        *field = Some(joined);
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

/// One line of at most so many characters.
pub fn bounded(text: &str) -> String {
    let head =
        text.char_indices().nth(FIELD * 4).map_or(text, |(end, _)| text.get(..end).unwrap_or(text));
    let line = head.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(FIELD) {
        Some((end, _)) => line.get(..end).unwrap_or_default().to_owned(),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_whole_however_many_stand_in_one_line() {
        let address = |at: usize| format!("https://a.example/{at}/{}", "x".repeat(80));
        let all: Vec<String> = (0..40).map(address).collect();
        let mut metadata = Metadata::default();
        metadata.set("source_urls", vec![all.join(", ")]);
        assert_eq!(metadata.source_urls, all[..ADDRESSES]);

        let mut metadata = Metadata::default();
        let long = format!("https://a.example/{}", "x".repeat(ADDRESS));
        metadata.set("url", vec![format!("{long},https://b.example")]);
        assert_eq!(metadata.source_urls, ["https://b.example"], "part of an address is none");
    }
}
