//! Citations in brackets, as models write them: `[Title]` and `[Title > Section]`.

use super::context::RetrievedChunk;
use quarry_evidence::cite::{SIMILARITY_THRESHOLD, similarity};
use serde::Serialize;
use std::collections::BTreeSet;

/// A citation as it stands in an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Citation {
    /// With its brackets.
    pub raw: String,
    /// Before the `>`.
    pub title: String,
    /// Behind it.
    pub section: Option<String>,
    /// Where it stands in the answer, in characters (code points).
    pub position: usize,
}

/// The citations of an answer in their order, each title once, whatever its case: the first counts.
#[must_use]
pub fn extract_citations(text: &str) -> Vec<Citation> {
    let mut citations = Vec::new();
    let (mut at, mut characters) = (0, 0);
    // The pattern is `\[([^\]]+)\]`: up to the next closing bracket, with something before it.
    while let Some(start) = text.get(at..).and_then(|rest| rest.find('[')).map(|start| at + start) {
        let inner = text.get(start + 1..).unwrap_or_default();
        let Some(length) = inner.find(']') else { break };
        characters += text.get(at..start).unwrap_or_default().chars().count();
        at = start + 1 + length + 1;
        let raw = text.get(start..at).unwrap_or_default();
        if let Some(inner) = inner.get(..length).filter(|inner| !inner.is_empty()) {
            let (title, section) =
                inner.split_once('>').map_or((inner, None), |(t, s)| (t, Some(s)));
            citations.push(Citation {
                raw: raw.to_owned(),
                title: title.trim().to_owned(),
                section: section.map(str::trim).filter(|s| !s.is_empty()).map(str::to_owned),
                position: characters,
            });
        }
        characters += raw.chars().count();
    }
    deduplicate_citations(citations)
}

/// The citations without those whose title was there before, whatever its case.
#[must_use]
pub fn deduplicate_citations(citations: Vec<Citation>) -> Vec<Citation> {
    let mut seen = BTreeSet::new();
    citations.into_iter().filter(|citation| seen.insert(citation.title.to_lowercase())).collect()
}

/// The chunk that a citation means, by its title as a label has it: the first with the same, else the first where one title contains
/// the other, else the first whose title is alike enough. Case is of no account. An empty title means none.
#[must_use]
pub fn match_citation_to_chunk<'c>(
    citation: &Citation,
    chunks: &'c [RetrievedChunk],
) -> Option<&'c RetrievedChunk> {
    let wanted = citation.title.to_lowercase();
    let titled = || {
        let titles =
            chunks.iter().map(|chunk| (chunk, chunk.metadata.cited_title().to_lowercase()));
        titles.filter(|(_, title)| !title.is_empty() && !wanted.is_empty())
    };
    let exact = titled().find(|(_, title)| *title == wanted);
    let partial =
        || titled().find(|(_, title)| title.contains(&wanted) || wanted.contains(title.as_str()));
    let alike = || titled().find(|(_, title)| similarity(title, &wanted) > SIMILARITY_THRESHOLD);
    exact.or_else(partial).or_else(alike).map(|(chunk, _)| chunk)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asking::ChunkMetadata;
    use proptest::prelude::*;

    fn chunk(title: &str) -> RetrievedChunk {
        let metadata = ChunkMetadata { title: title.to_owned(), ..ChunkMetadata::default() };
        RetrievedChunk { metadata, ..RetrievedChunk::default() }
    }

    #[test]
    fn brackets_are_read_as_the_pattern_reads_them() {
        let text = "É [Fees > Late > Very] and [Ports], [fees], [], [ > x], [[Duty] open [end";
        let found = extract_citations(text);
        let shown: Vec<_> = found
            .iter()
            .map(|c| (c.raw.as_str(), c.title.as_str(), c.section.as_deref(), c.position))
            .collect();
        assert_eq!(
            shown,
            [
                ("[Fees > Late > Very]", "Fees", Some("Late > Very"), 2),
                ("[Ports]", "Ports", None, 27),
                ("[ > x]", "", Some("x"), 48),
                ("[[Duty]", "[Duty", None, 56),
            ]
        );
    }

    #[test]
    fn a_citation_means_the_chunk_of_the_first_rule_that_fits() {
        let chunks = ["Import Guide Part Two", "Import Guide", "Carrier Manual"].map(chunk);
        for (title, expected) in [
            ("import guide", Some(1)),
            ("Guide", Some(0)),
            ("The Carrier Manual of 2024", Some(2)),
            ("Carier Manuals", Some(2)),
            ("Weather", None),
            ("", None),
        ] {
            let citation = Citation {
                raw: String::new(),
                title: title.to_owned(),
                section: None,
                position: 0,
            };
            let found = match_citation_to_chunk(&citation, &chunks);
            assert_eq!(
                found.map(|found| &found.metadata.title),
                expected.map(|at: usize| &chunks[at].metadata.title),
                "{title}"
            );
        }
        assert!(match_citation_to_chunk(&extract_citations("[x]")[0], &[chunk("")]).is_none());
    }

    #[test]
    fn a_title_with_brackets_is_found_by_its_label() {
        let chunks = ["Fees", "Fees [draft] > 2025"].map(chunk);
        let cited = extract_citations(&format!("Ten {}.", chunks[1].metadata.label()));
        assert_eq!(cited[0].title, "Fees (draft) - 2025");
        assert_eq!(match_citation_to_chunk(&cited[0], &chunks), Some(&chunks[1]));
    }

    proptest! {
        #[test]
        fn a_citation_stands_where_it_says(text in "[\\[\\]>a-cé ]{0,60}") {
            for citation in extract_citations(&text) {
                let there: String =
                    text.chars().skip(citation.position).take(citation.raw.chars().count()).collect();
                prop_assert_eq!(there, citation.raw);
            }
        }
    }
}
