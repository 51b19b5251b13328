//! Citations with what is known of the chunks that they mean.

use super::citations::{Citation, extract_citations, match_citation_to_chunk};
use super::context::RetrievedChunk;
use serde::Serialize;

/// A citation, with its chunk's document where it means one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnrichedCitation {
    /// As it stands in the answer.
    #[serde(flatten)]
    pub citation: Citation,
    /// Whether a chunk has this title, or one like it. It does not say that the chunk says the sentence.
    pub matched: bool,
    /// Where the document is published; what can be opened.
    pub source_urls: Vec<String>,
    /// The document.
    pub doc_id: Option<String>,
    /// How well the chunk fits the question, 0 to 1.
    pub score: Option<f64>,
    /// The document's title.
    pub full_title: Option<String>,
    /// The page of a PDF file on which the chunk begins, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
}

/// How many citations there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// All.
    pub total: usize,
    /// Those that mean a chunk.
    pub matched: usize,
    /// Those that mean none.
    pub unmatched: usize,
}

/// The citations of an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CitationResult {
    /// In the order of the answer.
    pub citations: Vec<EnrichedCitation>,
    /// The same as a numbered list in Markdown.
    pub markdown: String,
    /// How many there are.
    pub stats: Stats,
}

/// The addresses of a list apart by commas that can be opened: without `N/A` and whatever is not HTTP.
#[must_use]
pub fn addresses(source_urls: Option<&str>) -> Vec<String> {
    let all = source_urls.unwrap_or_default().split(',').map(str::trim);
    let can_be_opened = |url: &&str| {
        let parsed = url::Url::parse(url);
        parsed.is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
    };
    all.filter(can_be_opened).map(str::to_owned).collect()
}

/// Citations with what is known of the chunks that they mean.
#[must_use]
pub fn enrich_citations(
    citations: Vec<Citation>,
    chunks: &[RetrievedChunk],
) -> Vec<EnrichedCitation> {
    let enrich = |citation: Citation| {
        let chunk = match_citation_to_chunk(&citation, chunks);
        let metadata = chunk.map(|chunk| &chunk.metadata);
        EnrichedCitation {
            matched: chunk.is_some(),
            source_urls: addresses(metadata.and_then(|metadata| metadata.source_urls.as_deref())),
            doc_id: metadata.map(|metadata| metadata.doc_id.clone()),
            score: chunk.map(|chunk| chunk.score),
            full_title: metadata.map(|metadata| metadata.title.clone()),
            page: metadata.and_then(|metadata| metadata.page),
            citation,
        }
    };
    citations.into_iter().map(enrich).collect()
}

/// A numbered list: published documents as links, others as internal, and what means no chunk by its words.
#[must_use]
pub fn format_citations_markdown(citations: &[EnrichedCitation]) -> String {
    let line = |(number, citation): (usize, &EnrichedCitation)| {
        let title = citation.full_title.as_deref().unwrap_or(&citation.citation.title);
        let label = match &citation.citation.section {
            Some(section) => format!("{title} > {section}"),
            None => title.to_owned(),
        };
        let label = escaped(&label);
        match citation.source_urls.first() {
            Some(url) => {
                let url = quarry_evidence::cite::escaped(url);
                format!("{number}. [{label}]({url})\n")
            }
            None if citation.matched => format!("{number}. {label} *(Internal Document)*\n"),
            None => format!("{number}. {label}\n"),
        }
    };
    (1..).zip(citations).map(line).collect()
}

/// A title in Markdown: no sign of it begins a link or ends one.
fn escaped(title: &str) -> String {
    let mut out = String::with_capacity(title.len());
    for c in title.chars() {
        if matches!(c, '[' | ']' | '\\' | '`' | '*' | '_' | '<') {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    out
}

/// The citations of an answer, with the chunks that they mean.
#[must_use]
pub fn process_citations(response_text: &str, chunks: &[RetrievedChunk]) -> CitationResult {
    let citations = enrich_citations(extract_citations(response_text), chunks);
    let matched = citations.iter().filter(|citation| citation.matched).count();
    let total = citations.len();
    let markdown = format_citations_markdown(&citations);
    CitationResult {
        citations,
        markdown,
        stats: Stats { total, matched, unmatched: total - matched },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asking::ChunkMetadata;
    use serde_json::json;

    fn chunks() -> Vec<RetrievedChunk> {
        let chunk = |title: &str, urls: &str, doc_id: &str, score: f64| RetrievedChunk {
            metadata: ChunkMetadata {
                title: title.to_owned(),
                source_urls: Some(urls.to_owned()),
                doc_id: doc_id.to_owned(),
                ..ChunkMetadata::default()
            },
            score,
            ..RetrievedChunk::default()
        };
        vec![
            chunk(
                "Fees",
                "N/A, https://a.example/fees, ftp://b.example, https://c.example/(x)",
                "d1",
                0.75,
            ),
            chunk("House Rules", "N/A", "d2", 0.5),
        ]
    }

    #[test]
    fn a_citation_has_what_is_known_of_its_chunk_or_nothing() {
        let result =
            process_citations("Ten [fees > Late]. Quiet [House Rules]. So [Nowhere].", &chunks());
        assert_eq!(
            serde_json::to_value(&result).unwrap(),
            json!({
                "citations": [
                    { "raw": "[fees > Late]", "title": "fees", "section": "Late", "position": 4, "matched": true,
                      "sourceUrls": ["https://a.example/fees", "https://c.example/(x)"], "docId": "d1", "score": 0.75, "fullTitle": "Fees" },
                    { "raw": "[House Rules]", "title": "House Rules", "section": null, "position": 25, "matched": true,
                      "sourceUrls": [], "docId": "d2", "score": 0.5, "fullTitle": "House Rules" },
                    { "raw": "[Nowhere]", "title": "Nowhere", "section": null, "position": 43, "matched": false,
                      "sourceUrls": [], "docId": null, "score": null, "fullTitle": null },
                ],
                "markdown": "1. [Fees > Late](https://a.example/fees)\n2. House Rules *(Internal Document)*\n3. Nowhere\n",
                "stats": { "total": 3, "matched": 2, "unmatched": 1 },
            })
        );
    }

    #[test]
    fn no_title_becomes_markup() {
        let mut chunks = chunks();
        chunks[1].metadata.title = "a](javascript:x) `b`".to_owned();
        let result = process_citations("[a](javascript:x) `b`]", &chunks);
        assert_eq!(result.markdown, "1. a\\](javascript:x) \\`b\\` *(Internal Document)*\n");
    }

    #[test]
    fn an_answer_without_citations_has_none() {
        let result = process_citations("Nothing.", &chunks());
        assert_eq!((result.markdown.as_str(), result.stats), ("", Stats::default()));
    }
}
