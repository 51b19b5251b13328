//! Between what searches bring, what `quarry_knowledge` decides about, and what events show.

use quarry_events::FailureKind;
use quarry_knowledge::asking::{ChunkMetadata, RetrievedChunk};
use quarry_tools::{FailureKind as ToolFailureKind, OwnPassage};

/// The innermost heading that a passage stands under, unless that is its document's title.
fn section(passage: &OwnPassage) -> Option<&str> {
    passage.headings.last().map(String::as_str).filter(|heading| *heading != passage.title)
}

/// Addresses in one text, as the rules of asking know them. A comma parts them there, so one within an address is
/// written as what stands for it.
fn addresses(urls: &[String]) -> Option<String> {
    let written = |url: &String| url.replace(',', "%2C");
    (!urls.is_empty()).then(|| urls.iter().map(written).collect::<Vec<_>>().join(", "))
}

/// A passage as the rules of asking know it.
pub fn chunk(passage: &OwnPassage) -> RetrievedChunk {
    RetrievedChunk {
        content: passage.text.clone(),
        metadata: ChunkMetadata {
            title: passage.title.clone(),
            section: section(passage).map(str::to_owned),
            source_org: passage.org.clone(),
            source_urls: addresses(&passage.source_urls),
            doc_id: passage.document.clone(),
            category: passage.category.clone(),
            page: passage.page,
        },
        score: passage.score,
    }
}

/// Why a question fails whose documents could not be searched.
pub const fn failure_kind_of(kind: ToolFailureKind) -> FailureKind {
    match kind {
        ToolFailureKind::RefusedArguments => FailureKind::InvalidField,
        ToolFailureKind::NotFound => FailureKind::NotFound,
        ToolFailureKind::Timeout
        | ToolFailureKind::Unavailable
        | ToolFailureKind::NotConfigured => FailureKind::Unavailable,
        ToolFailureKind::Busy { .. } => FailureKind::Busy,
        ToolFailureKind::UnknownTool
        | ToolFailureKind::Refused
        | ToolFailureKind::Threw
        | ToolFailureKind::Limit
        | ToolFailureKind::Failed => FailureKind::Internal,
    }
}

/// The parts of an answer, as events show them.
pub mod answered {
    use quarry_events::{
        KnowledgeCitation, KnowledgeConfidence, KnowledgeLevel, KnowledgeSource, RelatedDocument,
    };
    use quarry_evidence::cite::{MOST_LABEL, Proof};
    use quarry_evidence::{OWN_DOCUMENTS, Source, is_own};
    use quarry_knowledge::asking::{
        Categories, Confidence, EnrichedCitation, Level, RetrievedChunk, build_related_docs,
        build_sources, enrich_citations, in_label,
    };
    use quarry_tools::OwnPassage;
    use quarry_types::text::first_bytes;

    /// A text whose links to documents of one's own are their words in brackets alone.
    pub fn unlinked(text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("](") {
            let address = behind.split(')').next().unwrap_or_default();
            out.push_str(before);
            out.push(']');
            if is_own(address) && behind.len() > address.len() {
                rest = behind.get(address.len() + 1..).unwrap_or_default();
            } else {
                out.push('(');
                rest = behind;
            }
        }
        out.push_str(rest);
        out
    }

    /// A text with the labels of what was found in plain brackets, as those who read brackets want them. In some scripts other
    /// ones surround ordinary words: they stay.
    pub fn plainly_labelled(text: &str, chunks: &[RetrievedChunk]) -> String {
        let pairs = [("【", "】"), ("［", "］"), ("〔", "〕"), ("\\[", "\\]")];
        pairs.iter().fold(text.to_owned(), |text, pair| with_plain_labels(&text, *pair, chunks))
    }

    fn with_plain_labels(
        text: &str,
        (open, close): (&str, &str),
        chunks: &[RetrievedChunk],
    ) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once(open) {
            out.push_str(before);
            let near = first_bytes(behind, MOST_LABEL);
            let label = near.split_once(close).map(|(label, _)| label);
            if let Some(label) = label.filter(|label| is_label(label, chunks)) {
                out.extend(["[", label, "]"]);
                rest = behind.get(label.len() + close.len()..).unwrap_or_default();
            } else {
                out.push_str(open);
                rest = behind;
            }
        }
        out.push_str(rest);
        out
    }

    /// Whether a label begins with the title of something that was found.
    fn is_label(label: &str, chunks: &[RetrievedChunk]) -> bool {
        let title = label.split('>').next().unwrap_or_default().trim().to_lowercase();
        let is_titled =
            |chunk: &RetrievedChunk| chunk.metadata.cited_title().to_lowercase() == title;
        !title.is_empty() && !label.contains(['[', ']', '\n']) && chunks.iter().any(is_titled)
    }

    /// Citations of the documents that they mean: of several with one title the one that has the section which is cited.
    pub fn meant(cited: Vec<EnrichedCitation>, found: &[OwnPassage]) -> Vec<EnrichedCitation> {
        cited.into_iter().map(|it| of_section(&it, found).unwrap_or(it)).collect()
    }

    /// The addresses that were cited: of several documents with one title those of which something is quoted.
    pub fn sources(
        cited: &[EnrichedCitation],
        chunks: &[RetrievedChunk],
        proof: &Proof,
        sources: &[Source],
        found: &[OwnPassage],
    ) -> Vec<KnowledgeSource> {
        let cited: Vec<EnrichedCitation> =
            cited.iter().flat_map(|it| of_quoted(it, proof, sources, found)).collect();
        let shown = |source: quarry_knowledge::asking::Source| KnowledgeSource {
            title: source.title,
            org: source.org,
            url: source.url,
            section: source.section,
        };
        build_sources(&cited, chunks).into_iter().map(shown).collect()
    }

    /// The documents of what was found.
    pub fn related(chunks: &[RetrievedChunk], categories: &Categories) -> Vec<RelatedDocument> {
        let shown = |document: quarry_knowledge::asking::RelatedDoc| RelatedDocument {
            title: document.title,
            category: document.category,
            doc_id: document.doc_id,
            url: document.url,
        };
        build_related_docs(chunks, categories).into_iter().map(shown).collect()
    }

    /// The citations that mean a chunk, each with the worst that the check said of the sentences for which its
    /// document is cited.
    pub fn citations(
        cited: &[EnrichedCitation],
        proof: &Proof,
        sources: &[Source],
        found: &[OwnPassage],
    ) -> Vec<KnowledgeCitation> {
        let shown = |cited: &EnrichedCitation| {
            let source = cited.doc_id.as_deref().and_then(|id| place(id, sources));
            let checked = source.and_then(|source| proof.worst_of(source));
            let shown = checked.and_then(|(_, citation)| citation);
            let quoted = shown.and_then(|shown| found.iter().find(|it| it.address == shown.url));
            // Of several documents with one title it is the one that is quoted.
            let twin = quoted.filter(|it| Some(&it.document) != cited.doc_id.as_ref());
            let twin = twin.and_then(|twin| of_document(cited, twin));
            let it = twin.as_ref().unwrap_or(cited);
            let source = it.doc_id.as_deref().and_then(|id| place(id, sources));
            KnowledgeCitation {
                raw: it.citation.raw.clone(),
                title: it.citation.title.clone(),
                section: it.citation.section.clone(),
                position: it.citation.position,
                matched: it.matched,
                source_urls: it.source_urls.clone(),
                doc_id: it.doc_id.clone(),
                score: it.score,
                full_title: it.full_title.clone(),
                // That of what is quoted, where something is.
                page: shown.map_or(it.page, |_| quoted.and_then(|quoted| quoted.page)),
                n: source.and_then(|source| proof.numbers.find(source)),
                url: shown.map(|shown| shown.url.clone()),
                quote: shown.map(|shown| shown.quote.clone()),
                verdict: checked.map(|(verdict, _)| verdict),
            }
        };
        cited.iter().filter(|it| it.matched).map(shown).collect()
    }

    /// A citation once for each document of its title of which something is quoted for it; where nothing is, as it is.
    fn of_quoted(
        cited: &EnrichedCitation,
        proof: &Proof,
        sources: &[Source],
        found: &[OwnPassage],
    ) -> Vec<EnrichedCitation> {
        let source = cited.doc_id.as_deref().and_then(|id| place(id, sources));
        let named = proof.named.iter().filter(|named| Some(named.source) == source);
        let quoted = named.filter_map(|named| proof.citations.get(named.citation?));
        let passages = quoted.filter_map(|quoted| found.iter().find(|it| it.address == quoted.url));
        let mut all: Vec<EnrichedCitation> = Vec::new();
        for entry in passages.filter_map(|passage| of_document(cited, passage)) {
            if all.iter().all(|known| known.doc_id != entry.doc_id) {
                all.push(entry);
            }
        }
        if all.is_empty() {
            all.push(cited.clone());
        }
        all
    }

    /// The same citation of another document with its title, where that alone has the section that is cited.
    fn of_section(cited: &EnrichedCitation, found: &[OwnPassage]) -> Option<EnrichedCitation> {
        let plain = |text: &str| in_label(text).to_lowercase();
        let heading = cited.citation.section.as_deref()?.rsplit('>').next().map(plain)?;
        let title = plain(cited.full_title.as_deref()?);
        let has = |it: &&OwnPassage| {
            plain(&it.title) == title && it.headings.iter().any(|it| plain(it) == heading)
        };
        let is_own = |it: &OwnPassage| Some(&it.document) == cited.doc_id.as_ref();
        if found.iter().filter(has).any(is_own) {
            return None;
        }
        of_document(cited, found.iter().find(has)?)
    }

    /// The same citation with what is known of this passage's document, if it has the title that is cited.
    fn of_document(cited: &EnrichedCitation, passage: &OwnPassage) -> Option<EnrichedCitation> {
        let entry = enrich_citations(vec![cited.citation.clone()], &[super::chunk(passage)]).pop();
        entry.filter(|entry| entry.matched)
    }

    /// The place of a document among the sources.
    fn place(document: &str, sources: &[Source]) -> Option<usize> {
        let is_it = |url: &str| {
            let rest = url.strip_prefix(OWN_DOCUMENTS);
            rest.and_then(|rest| rest.strip_prefix(document))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
        };
        sources.iter().position(|source| is_it(&source.url))
    }

    /// How far it can be relied on.
    pub fn confidence(by_found: Confidence, verified: Option<f64>) -> KnowledgeConfidence {
        let level = match by_found.level {
            Level::High => KnowledgeLevel::High,
            Level::Medium => KnowledgeLevel::Medium,
            Level::Low => KnowledgeLevel::Low,
        };
        KnowledgeConfidence { level, reason: by_found.reason, verified }
    }

    #[cfg(test)]
    mod tests {
        use super::{plainly_labelled, unlinked};
        use quarry_knowledge::asking::{ChunkMetadata, RetrievedChunk};

        #[test]
        fn labels_in_full_width_brackets_are_read_as_those_in_plain_ones() {
            let metadata = ChunkMetadata { title: "港口费".into(), ..ChunkMetadata::default() };
            let chunks = [RetrievedChunk { metadata, ..RetrievedChunk::default() }];
            for (text, expected) in [
                ("滞期费到期【港口费】。", "滞期费到期[港口费]。"),
                ("到期［港口费 > 滞期］。", "到期[港口费 > 滞期]。"),
                ("【注意】【港口费】【", "【注意】[港口费]【"),
                ("【港口费［港口费］", "【港口费[港口费]"),
                ("[港口费]", "[港口费]"),
                ("到期〔港口费〕〔注〕", "到期[港口费]〔注〕"),
                ("到期\\[港口费\\]\\[x\\]", "到期[港口费]\\[x\\]"),
            ] {
                assert_eq!(plainly_labelled(text, &chunks), expected);
            }
            let long = format!("【{}】", "港".repeat(200));
            assert_eq!(plainly_labelled(&long, &chunks), long);
        }

        #[test]
        fn only_links_to_ones_own_documents_become_brackets() {
            for (text, expected) in [
                ("“a.” — [Fees](/knowledge/documents/d1/chunks), 2025", "“a.” — [Fees], 2025"),
                (
                    "[a](https://b.example/) [c](/knowledge/documents/d)",
                    "[a](https://b.example/) [c]",
                ),
                ("[a](/knowledge/documents/d1", "[a](/knowledge/documents/d1"),
                ("", ""),
            ] {
                assert_eq!(unlinked(text), expected);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_with_a_comma_stays_one() {
        let urls =
            ["https://en.example/wiki/Paris,_Texas", "https://b.example/"].map(str::to_owned);
        let one = "https://en.example/wiki/Paris%2C_Texas, https://b.example/";
        assert_eq!(addresses(&urls).as_deref(), Some(one));
        assert_eq!(addresses(&[]), None);
    }
}
