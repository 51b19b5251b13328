//! Chunks as they come out of a search, and the context that a model gets of them.

use serde::{Deserialize, Serialize};

/// Characters of the context: four for each of 2,000 tokens.
pub const MAX_CONTEXT: usize = 2_000 * 4;

/// A chunk that was found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RetrievedChunk {
    /// What it says.
    pub content: String,
    /// What is known of its document.
    pub metadata: ChunkMetadata,
    /// How well it fits, 0 to 1.
    pub score: f64,
}

/// What is known of a chunk's document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChunkMetadata {
    /// The document's title.
    pub title: String,
    /// The section in which the chunk stands.
    pub section: Option<String>,
    /// Who published the document.
    pub source_org: Option<String>,
    /// Where it is published, apart by commas; `N/A` for nowhere.
    pub source_urls: Option<String>,
    /// The document.
    pub doc_id: String,
    /// The document's category, as its folder or its front matter names it.
    pub category: Option<String>,
    /// The page of a PDF file on which the chunk begins, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
}

/// A title or heading as a label can hold it: a bracket would end the label that a model is to write, and a line
/// would begin a new one. Clients are shown it as the document has it.
#[must_use]
pub fn in_label(text: &str) -> String {
    let text = text.replace('[', "(").replace(']', ")").replace('>', "-");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl ChunkMetadata {
    /// The document's title as a model sees it, and cites it.
    #[must_use]
    pub fn cited_title(&self) -> String {
        in_label(&self.title)
    }

    /// What a model sees above the chunk, and cites it by.
    #[must_use]
    pub fn label(&self) -> String {
        let title = self.cited_title();
        let section = self.section.as_deref().map(in_label);
        match section.filter(|section| !section.is_empty()) {
            Some(section) => format!("[{title} > {section}]"),
            None => format!("[{title}]"),
        }
    }
}

/// The context of a model: each chunk under its label, a blank line behind it. It ends before the first chunk
/// with which it would have more than `max_chars` characters.
#[must_use]
pub fn format_context(chunks: &[RetrievedChunk], max_chars: usize) -> String {
    let mut context = String::new();
    let mut characters = 0;
    for chunk in chunks {
        let block = format!("{}\n{}\n\n", chunk.metadata.label(), chunk.content);
        characters += block.chars().count();
        if characters > max_chars {
            break;
        }
        context.push_str(&block);
    }
    context
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(title: &str, section: Option<&str>, content: &str, score: f64) -> RetrievedChunk {
        let metadata = ChunkMetadata {
            title: title.to_owned(),
            section: section.map(str::to_owned),
            source_urls: Some("https://a.example, N/A,".to_owned()),
            ..ChunkMetadata::default()
        };
        RetrievedChunk { content: content.to_owned(), metadata, score }
    }

    #[test]
    fn a_chunk_stands_under_its_title_and_section() {
        let chunks = [chunk("Fees", Some("Late"), "Ten.", 0.5), chunk("Ports", None, "Two.", 0.5)];
        assert_eq!(
            format_context(&chunks, MAX_CONTEXT),
            "[Fees > Late]\nTen.\n\n[Ports]\nTwo.\n\n"
        );
        assert_eq!(format_context(&[], MAX_CONTEXT), "");
    }

    #[test]
    fn a_label_is_one_whatever_its_title_and_section_are_called() {
        let chunk = chunk("Fees [draft] > 2025", Some("a\nb ]["), "Ten.", 0.5);
        assert_eq!(chunk.metadata.label(), "[Fees (draft) - 2025 > a b )(]");
    }

    #[test]
    fn a_context_ends_before_the_chunk_that_would_exceed_it() {
        // `[T]`, a line break, the content, two more.
        let chunks =
            [chunk("T", None, &"é".repeat(10), 0.5), chunk("T", None, &"é".repeat(10), 0.5)];
        for (most, blocks) in [(31, 1), (32, 2), (15, 0), (16, 1)] {
            assert_eq!(format_context(&chunks, most).matches("[T]").count(), blocks, "{most}");
        }
        let long = [chunk("T", None, &"x".repeat(8_000), 0.5), chunk("T", None, "x", 0.5)];
        assert_eq!(format_context(&long, MAX_CONTEXT), "", "what follows is not let past");
    }
}
