//! Sources and related documents, as front ends list them.

use super::context::RetrievedChunk;
use super::enrich::{EnrichedCitation, addresses};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How categories, as documents name them, are called to clients. A setting; one that is not named stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Categories(BTreeMap<String, String>);

impl Default for Categories {
    fn default() -> Self {
        let names = [
            ("01_regulatory", "regulatory"),
            ("02_carriers", "carrier"),
            ("03_reference", "reference"),
            ("04_internal_synthetic", "internal"),
        ];
        Categories(names.map(|(from, to)| (from.to_owned(), to.to_owned())).into())
    }
}

impl Categories {
    /// What a category is called to clients.
    #[must_use]
    pub fn name<'c>(&'c self, category: &'c str) -> &'c str {
        self.0.get(category).map_or(category, String::as_str)
    }
}

/// An address outside that an answer rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    /// The document's title.
    pub title: String,
    /// Who published it; empty where nobody is named.
    pub org: String,
    /// Where.
    pub url: String,
    /// The section that was cited.
    pub section: Option<String>,
}

/// A document of which something was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RelatedDoc {
    /// Its title.
    pub title: String,
    /// Its category as clients call it; empty where it has none.
    pub category: String,
    /// The document.
    pub doc_id: String,
    /// Where it is published.
    pub url: Option<String>,
}

/// The addresses of the documents that were cited, each once.
#[must_use]
pub fn build_sources(citations: &[EnrichedCitation], chunks: &[RetrievedChunk]) -> Vec<Source> {
    let mut seen = BTreeSet::new();
    let mut sources = Vec::new();
    for cited in citations.iter().filter(|cited| cited.matched) {
        // Of several documents with one title it is that of the citation.
        let mut all = chunks.iter().map(|chunk| &chunk.metadata);
        let own = all.find(|it| Some(&it.doc_id) == cited.doc_id.as_ref());
        let org = own.and_then(|metadata| metadata.source_org.clone()).unwrap_or_default();
        for url in &cited.source_urls {
            if seen.insert(url) {
                sources.push(Source {
                    title: cited.full_title.clone().unwrap_or_default(),
                    org: org.clone(),
                    url: url.clone(),
                    section: cited.citation.section.clone(),
                });
            }
        }
    }
    sources
}

/// The documents of all chunks that were found, cited or not, each once.
#[must_use]
pub fn build_related_docs(chunks: &[RetrievedChunk], categories: &Categories) -> Vec<RelatedDoc> {
    let mut seen = BTreeSet::new();
    let first = chunks.iter().map(|chunk| &chunk.metadata).filter(|it| seen.insert(&it.doc_id));
    let related = first.map(|metadata| RelatedDoc {
        title: metadata.title.clone(),
        category: categories.name(metadata.category.as_deref().unwrap_or_default()).to_owned(),
        doc_id: metadata.doc_id.clone(),
        url: addresses(metadata.source_urls.as_deref()).into_iter().next(),
    });
    related.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asking::{ChunkMetadata, process_citations};
    use serde_json::json;

    fn chunk(title: &str, doc_id: &str, category: Option<&str>, urls: &str) -> RetrievedChunk {
        let metadata = ChunkMetadata {
            title: title.to_owned(),
            doc_id: doc_id.to_owned(),
            source_org: (title == "Fees").then(|| "Port".to_owned()),
            source_urls: Some(urls.to_owned()),
            category: category.map(str::to_owned),
            ..ChunkMetadata::default()
        };
        RetrievedChunk { metadata, ..RetrievedChunk::default() }
    }

    #[test]
    fn each_address_that_was_cited_is_a_source_once() {
        let chunks = [
            chunk("Fees", "d1", None, "https://a.example, https://b.example"),
            chunk("Rules", "d2", None, "https://b.example,N/A"),
            chunk("Uncited", "d3", None, "https://c.example"),
        ];
        let cited = process_citations("[Fees > Late] [Rules] [Nothing]", &chunks).citations;
        assert_eq!(
            serde_json::to_value(build_sources(&cited, &chunks)).unwrap(),
            json!([
                { "title": "Fees", "org": "Port", "url": "https://a.example", "section": "Late" },
                { "title": "Fees", "org": "Port", "url": "https://b.example", "section": "Late" },
            ])
        );
    }

    #[test]
    fn a_source_has_the_publisher_of_its_own_document() {
        let mut chunks = [
            chunk("Fees", "d1", None, "https://a.example"),
            chunk("Fees", "d2", None, "https://b.example"),
        ];
        chunks[1].metadata.source_org = Some("Club".to_owned());
        let cited = process_citations("[Fees]", &chunks[1..]).citations;
        let sources = build_sources(&cited, &chunks);
        assert_eq!(
            (sources[0].org.as_str(), sources[0].url.as_str()),
            ("Club", "https://b.example")
        );
    }

    #[test]
    fn each_document_that_was_found_is_related_once_under_the_clients_category() {
        let chunks = [
            chunk("Fees", "d1", Some("01_regulatory"), "N/A"),
            chunk("Fees", "d1", Some("01_regulatory"), "N/A"),
            chunk("Lines", "d2", Some("02_carriers"), "https://a.example"),
            chunk("Codes", "d3", Some("03_reference"), ""),
            chunk("Notes", "d4", Some("04_internal_synthetic"), ""),
            chunk("Other", "d5", Some("letters"), ""),
            chunk("None", "d6", None, ""),
        ];
        let related = build_related_docs(&chunks, &Categories::default());
        let found: Vec<_> =
            related.iter().map(|doc| (doc.doc_id.as_str(), doc.category.as_str())).collect();
        assert_eq!(
            found,
            [
                ("d1", "regulatory"),
                ("d2", "carrier"),
                ("d3", "reference"),
                ("d4", "internal"),
                ("d5", "letters"),
                ("d6", "")
            ]
        );
        let json = serde_json::to_value(&related).unwrap();
        assert_eq!(json[0]["url"], json!(null));
        assert_eq!(
            json[1],
            json!({ "title": "Lines", "category": "carrier", "docId": "d2", "url": "https://a.example" })
        );
        let own: Categories = serde_json::from_value(json!({ "letters": "mail" })).unwrap();
        assert_eq!((own.name("letters"), own.name("01_regulatory")), ("mail", "01_regulatory"));
    }
}
