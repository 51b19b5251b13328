//! All that was found so far, numbered.

use crate::learning::Learning;
use crate::{Calculation, Finding, Source};
use quarry_types::text::cut;
use serde::{Deserialize, Serialize};

/// All that was found so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    sources: Vec<Source>,
    calculations: Vec<Calculation>,
    /// Digests of search results that a model wrote.
    digests: Vec<String>,
    learning: Learning,
}

impl Evidence {
    /// The sources, by number.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The number of the source with this address.
    #[must_use]
    pub fn number(&self, url: &str) -> Option<usize> {
        self.sources.iter().find(|source| source.url == url).map(|source| source.n)
    }

    /// Results of programs.
    #[must_use]
    pub fn calculations(&self) -> &[Calculation] {
        &self.calculations
    }

    /// Whether nothing at all was found.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.sources.is_empty() && self.calculations.is_empty()
    }

    /// Iterations in a row that brought no source, passage or number not seen before.
    #[must_use]
    pub const fn barren_iterations(&self) -> u32 {
        self.learning.barren_iterations()
    }

    /// Ends an iteration.
    pub fn end_iteration(&mut self) {
        self.learning.end_iteration();
    }

    /// Takes in what was found of an address; returns the number of its source.
    pub fn find(&mut self, finding: Finding) -> usize {
        self.learning.note(&finding.description);
        self.learning.note(&finding.text);
        if let Some(known) = self.sources.iter_mut().find(|source| source.url == finding.url) {
            known.read(&finding.text, finding.date);
            return known.n;
        }
        self.learning.note_new();
        let n = self.sources.len() + 1;
        self.sources.push(Source::new(n, finding));
        n
    }

    /// Takes in what a program gave.
    pub fn calculate(&mut self, calculation: Calculation) {
        self.learning.note(&calculation.result);
        self.calculations.push(calculation);
    }

    /// Takes in a digest of search results.
    pub fn digest(&mut self, digest: &str) {
        self.learning.note(digest);
        self.digests.push(digest.to_owned());
    }

    /// Takes in the sources that a continuation state kept, in its order and so with its numbers.
    /// A page may be known from nowhere else, when the call that read it had to be cut.
    pub fn restore(&mut self, kept: Vec<Source>) {
        let mut known = std::mem::take(&mut self.sources);
        for mut source in kept {
            if let Some(at) = known.iter().position(|known| known.url == source.url) {
                let found = known.remove(at);
                source.read(&found.text, found.date);
            }
            self.sources.push(source);
        }
        self.sources.append(&mut known);
        for (at, source) in self.sources.iter_mut().enumerate() {
            source.n = at + 1;
        }
    }

    /// The evidence as text for a prompt: calculations, digests, then sources with their text,
    /// those that were read first, within the given numbers of characters.
    #[must_use]
    pub fn render(&self, of_one: usize, of_all: usize) -> String {
        let mut page = Page { out: String::new(), left: of_all };
        for calculation in &self.calculations {
            page.push(&format!("Calculation result: {}", cut(&calculation.result, of_one)));
        }
        for digest in &self.digests {
            page.push(&cut(digest, of_one));
        }
        // What was read says more than what was only found.
        let mut order: Vec<&Source> = self.sources.iter().collect();
        order.sort_by_key(|source| source.text.is_empty());
        for source in order {
            let date = source.date.as_ref().map(|date| format!(" ({date})")).unwrap_or_default();
            let body = if source.text.is_empty() { &source.description } else { &source.text };
            let body = cut(body, of_one);
            page.push(&format!("[{}] {} — {}{date}\n{body}", source.n, source.title, source.url));
        }
        page.out
    }
}

/// Blocks of text within a number of characters.
struct Page {
    out: String,
    left: usize,
}

impl Page {
    fn push(&mut self, block: &str) {
        let gap = if self.out.is_empty() { "" } else { "\n\n" };
        let block = cut(block, self.left.saturating_sub(gap.len()));
        let characters = block.chars().count();
        self.left = self.left.saturating_sub(gap.len() + characters);
        if characters > 1 {
            self.out.push_str(gap);
            self.out.push_str(&block);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(url: &str, description: &str) -> Finding {
        Finding {
            url: url.to_owned(),
            title: Some("T".to_owned()),
            description: description.to_owned(),
            ..Finding::default()
        }
    }

    fn page(url: &str, text: &str) -> Finding {
        Finding { url: url.to_owned(), text: text.to_owned(), ..Finding::default() }
    }

    #[test]
    fn the_same_finding_again_is_not_new() {
        let mut evidence = Evidence::default();
        let words = "The lamp was lit for the first time in the year 1823 by the keeper";
        for barren in 0..=2 {
            assert_eq!(evidence.find(found("https://a.example/", words)), 1);
            evidence.end_iteration();
            assert_eq!(evidence.barren_iterations(), barren);
        }
        evidence.calculate(Calculation { code: String::new(), result: "42".to_owned() });
        evidence.end_iteration();
        assert_eq!(evidence.barren_iterations(), 0, "a new number is learning");
    }

    #[test]
    fn reading_a_page_fills_in_the_source_that_a_search_found() {
        let mut evidence = Evidence::default();
        evidence.find(found("https://a.example/", "short"));
        let date = Some("2024".to_owned());
        evidence.find(Finding { date, ..page("https://a.example/", "The whole text") });
        assert_eq!(evidence.sources().len(), 1);
        let rendered = evidence.render(100, 1_000);
        assert_eq!(rendered, "[1] T — https://a.example/ (2024)\nThe whole text");
    }

    #[test]
    fn kept_sources_have_the_numbers_that_they_had() {
        let mut evidence = Evidence::default();
        evidence.find(page("https://b.example/", "b, read again"));
        evidence.find(page("https://new.example/", ""));
        let kept = [page("https://a.example/", "a"), page("https://b.example/", "b")];
        evidence.restore(kept.into_iter().map(|kept| Source::new(1, kept)).collect());
        let numbers = evidence.sources().iter().map(|source| (source.n, source.text.as_str()));
        assert_eq!(numbers.collect::<Vec<_>>(), [(1, "a"), (2, "b, read again"), (3, "")]);
    }

    #[test]
    fn rendering_keeps_within_its_room() {
        let mut evidence = Evidence::default();
        for n in 0..20 {
            evidence.find(page(&format!("https://{n}.example/"), &"é".repeat(500)));
        }
        assert!(evidence.render(300, 600).chars().count() <= 600);
        assert!(evidence.render(300, 100_000).contains("[20]"));
    }
}
