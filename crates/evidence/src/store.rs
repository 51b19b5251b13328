//! All that was found so far, numbered.

use crate::held::{Held, Size};
use crate::learning::Learning;
use crate::{Calculation, Finding, Replaced, Source};
use quarry_types::text::cut;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Bytes of what was read that are kept of all sources together: more than any prompt shows. A
/// checkpoint holds them, and one is written before each call that costs something.
const MOST_BYTES: usize = 256 * 1024;

/// All that was found so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    sources: Vec<Source>,
    calculations: Vec<Calculation>,
    /// Digests of search results that a model wrote.
    digests: Vec<String>,
    learning: Learning,
    /// Bytes of what was read that are kept; none: [`MOST_BYTES`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    room: Option<usize>,
    /// Bytes that each source keeps though the room is used up; none: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    each: Option<usize>,
    /// Numbers of sources of which a part was read and is not kept, where each keeps something.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    cut: BTreeSet<usize>,
    /// What follows from the sources.
    #[serde(skip)]
    held: Held,
}

impl Evidence {
    /// Evidence that keeps so many bytes of what was read of all sources together.
    #[must_use]
    pub fn with_room(bytes: usize) -> Self {
        Evidence { room: Some(bytes), ..Evidence::default() }
    }

    /// The same, where each source keeps the beginning of what was read of it, of so many bytes, though there is no more
    /// room.
    #[must_use]
    pub fn keeping_of_each(self, bytes: usize) -> Self {
        Evidence { each: Some(bytes), ..self }
    }

    /// How many sources there are of which a part was read and is not kept, where each keeps something.
    #[must_use]
    pub fn cut(&self) -> usize {
        self.cut.len()
    }

    fn most_bytes(&self) -> usize {
        self.room.unwrap_or(MOST_BYTES)
    }

    /// How many passages and numbers were seen so far, each counted once.
    #[must_use]
    pub fn seen(&self) -> usize {
        self.learning.seen()
    }

    /// The sources, by number.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Numbers of the sources that came to say otherwise since this evidence was made or read, in the order in which they
    /// did, each as often as it did. What is derived from it has to be dropped with this evidence: it begins anew where that is
    /// copied or restored.
    #[must_use]
    pub fn changed(&self) -> &[usize] {
        &self.held.changed
    }

    /// The number of the source with this address.
    #[must_use]
    pub fn number(&self, url: &str) -> Option<usize> {
        let place = self.held.place(&self.sources, url);
        place.and_then(|place| self.sources.get(place)).map(|source| source.n)
    }

    /// Pieces of text that all sources hold; one without any counts as one, since its search said something.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.held.sum(&self.sources).pieces
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

    /// Takes in what was found of an address; returns the number of its source. Of what was read
    /// stays what fits: all sources together keep 256 KiB, or what was asked for.
    pub fn find(&mut self, mut finding: Finding) -> usize {
        self.learning.note(&finding.description);
        finding.content.pieces().for_each(|piece| self.learning.note(piece));
        self.held.take_in(&self.sources);
        let is_cut = finding.content.fit(self.room_for(&finding.url));
        self.note_cut(&finding.url, is_cut);
        let place = self.held.place(&self.sources, &finding.url);
        if let Some(known) = place.and_then(|place| self.sources.get_mut(place)) {
            let before = Size::of(&known.content);
            known.read(finding.content, finding.date, finding.signals);
            self.held.changes(known.n, before, &known.content);
            return known.n;
        }
        self.add(finding)
    }

    /// Takes in passages of a document of which other passages may be known: they stand side by side, in the order
    /// of their anchors, within the same room; `replaced` says what becomes of those of a document that was replaced since.
    /// Returns the number of its source.
    pub fn find_more(&mut self, mut finding: Finding, replaced: Replaced) -> usize {
        finding.content.pieces().for_each(|piece| self.learning.note(piece));
        self.held.take_in(&self.sources);
        let room = self.room_for(&finding.url);
        let place = self.held.place(&self.sources, &finding.url);
        if let Some(known) = place.and_then(|place| self.sources.get_mut(place)) {
            let before = Size::of(&known.content);
            let is_replaced = known.content.add(finding.content, replaced);
            let (n, is_cut) = (known.n, known.content.fit(room));
            self.held.changes(known.n, before, &known.content);
            known.is_named(finding.title, finding.date, is_replaced);
            self.note_cut(&finding.url, is_cut);
            return n;
        }
        let is_cut = finding.content.fit(room);
        self.note_cut(&finding.url, is_cut);
        self.add(finding)
    }

    fn add(&mut self, finding: Finding) -> usize {
        self.learning.note_new();
        let n = self.sources.len() + 1;
        self.sources.push(Source::new(n, finding));
        self.held.take_in(&self.sources);
        n
    }

    /// Bytes that may be kept of what was read at this address.
    fn room_for(&self, url: &str) -> usize {
        let place = self.held.place(&self.sources, url);
        let own = place.and_then(|place| self.sources.get(place));
        let own = own.map(|source| Size::of(&source.content)).unwrap_or_default();
        let others = self.held.sum(&self.sources).without(own);
        let left = self.most_bytes().saturating_sub(others.bytes);
        left.max(self.each.unwrap_or_default())
    }

    /// Notes that a part of what was read at this address is not kept.
    fn note_cut(&mut self, url: &str, is_cut: bool) {
        if is_cut && self.each.is_some() {
            let n = self.number(url).unwrap_or(self.sources.len() + 1);
            self.cut.insert(n);
        }
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
                source.read(found.content, found.date, found.signals);
            }
            self.sources.push(source);
        }
        self.sources.append(&mut known);
        let mut left = self.most_bytes();
        for (at, source) in self.sources.iter_mut().enumerate() {
            source.n = at + 1;
            source.content.fit(left);
            left -= source.content.bytes();
        }
        self.held = Held::default();
    }

    /// What is known beside sources, as text for a prompt: calculations, then digests, within the given
    /// numbers of characters.
    #[must_use]
    pub fn remarks(&self, of_one: usize, of_all: usize) -> String {
        let mut page = Page { out: String::new(), left: of_all };
        for calculation in &self.calculations {
            page.push(&format!("Calculation result: {}", cut(&calculation.result, of_one)));
        }
        for digest in &self.digests {
            page.push(&cut(digest, of_one));
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
    use crate::{Anchor, Content, Passage};

    fn found(url: &str, description: &str) -> Finding {
        Finding {
            url: url.to_owned(),
            title: Some("T".to_owned()),
            description: description.to_owned(),
            ..Finding::default()
        }
    }

    fn page(url: &str, text: &str) -> Finding {
        let content = Content::new(text, Vec::new());
        Finding { url: url.to_owned(), content, ..Finding::default() }
    }

    /// A page of so many passages with 1,000 bytes of text each.
    fn long_page(url: &str, passages: usize) -> Finding {
        let passage = |n: usize| {
            let anchor = Anchor::new(format!("p-{n:08x}"));
            Passage::new(anchor, vec!["H".to_owned()], format!("{n:0>1000}"), url)
        };
        let content = Content::Passages((0..passages).map(passage).collect());
        Finding { url: url.to_owned(), content, ..Finding::default() }
    }

    fn anchors(evidence: &Evidence, at: usize) -> usize {
        evidence.sources()[at].content.passages().len()
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
    fn passages_of_a_document_come_together_whichever_search_found_them() {
        let url = "/knowledge/documents/d1/chunks";
        let found = |numbers: &[u32]| {
            let passage = |n: &u32| {
                let anchor = Anchor::new(format!("c{n:06}"));
                Passage::of_own(anchor, Vec::new(), format!("text {n}"), format!("?from={n}"))
            };
            let content = Content::Passages(numbers.iter().map(passage).collect());
            Finding { url: url.to_owned(), content, ..Finding::default() }
        };
        let mut evidence = Evidence::default();
        assert_eq!(evidence.find_more(found(&[7, 2]), Replaced::GivesWay), 1);
        assert_eq!(evidence.find_more(found(&[2, 11, 0]), Replaced::GivesWay), 1);
        let places: Vec<&str> = evidence.sources()[0]
            .content
            .passages()
            .iter()
            .map(|it| it.fragment.as_str())
            .collect();
        assert_eq!(places, ["?from=0", "?from=2", "?from=7", "?from=11"]);
        evidence.end_iteration();
        evidence.find_more(found(&[7]), Replaced::GivesWay);
        evidence.end_iteration();
        assert_eq!(evidence.barren_iterations(), 1, "what is known already is not learned again");
    }

    /// What is kept of a document of which these were found: chunks, each with its state, one after the other.
    fn kept_of(chunks: &[(u32, &str, &str)], replaced: Replaced) -> (Source, Vec<String>) {
        let mut evidence = Evidence::default();
        for (number, text, state) in chunks {
            let place = format!("?from={number}&as_of={state}");
            let anchor = Anchor::new(format!("c{number:06}"));
            let passage = Passage::of_own(anchor, Vec::new(), (*text).to_owned(), place);
            let finding = Finding {
                url: "/knowledge/documents/d1/chunks".to_owned(),
                title: Some(format!("Fees of {state}")),
                date: Some(format!("as of {state}")),
                content: Content::Passages(vec![passage]),
                ..Finding::default()
            };
            assert_eq!(evidence.find_more(finding, replaced), 1);
        }
        let source = evidence.sources()[0].clone();
        let passages = source.content.passages().iter();
        let shown = passages.map(|it| format!("{} {}", it.fragment, it.text)).collect();
        (source, shown)
    }

    #[test]
    fn what_a_document_says_now_takes_the_place_of_what_it_said_there() {
        let chunks = [(7, "12 euros", "a"), (8, "No refund", "a"), (7, "15 euros", "b")];
        let (source, shown) = kept_of(&chunks, Replaced::GivesWay);
        assert_eq!(shown, ["?from=7&as_of=b 15 euros", "?from=8&as_of=a No refund"]);
        let named = (source.title.as_str(), source.date.as_deref());
        assert_eq!(named, ("Fees of b", Some("as of b")));
        let (_, shown) = kept_of(&chunks, Replaced::IsKeptToo);
        let both = ["?from=7&as_of=a 12 euros", "?from=7&as_of=b 15 euros"];
        assert_eq!(shown, [both[0], both[1], "?from=8&as_of=a No refund"]);
        let (source, shown) = kept_of(&chunks, Replaced::Stays);
        assert_eq!(shown, ["?from=7&as_of=a 12 euros", "?from=8&as_of=a No refund"]);
        assert_eq!(source.title, "Fees of a");
    }

    #[test]
    fn what_a_document_says_elsewhere_since_it_was_replaced_is_kept_once_and_opens_there() {
        let moved =
            [(7, "12 euros", "a"), (8, "12 euros", "b"), (7, "New", "b"), (8, "12 euros", "b")];
        for replaced in [Replaced::GivesWay, Replaced::IsKeptToo] {
            let (_, shown) = kept_of(&moved, replaced);
            assert_eq!(shown, ["?from=7&as_of=b New", "?from=8&as_of=b 12 euros"], "{replaced:?}");
            // A document that says it twice says it twice.
            let (_, shown) = kept_of(&[(7, "12 euros", "a"), (8, "12 euros", "a")], replaced);
            assert_eq!(shown.len(), 2, "{replaced:?}");
        }
    }

    #[test]
    fn reading_a_page_fills_in_the_source_that_a_search_found() {
        let mut evidence = Evidence::default();
        evidence.find(found("https://a.example/", "short"));
        let date = Some("2024".to_owned());
        evidence.find(Finding { date, ..page("https://a.example/", "The whole text") });
        assert_eq!(evidence.sources().len(), 1);
        let source = &evidence.sources()[0];
        let read = (source.title.as_str(), source.date.as_deref(), source.content.text());
        assert_eq!(read, ("T", Some("2024"), "The whole text".into()));
    }

    #[test]
    fn kept_sources_have_the_numbers_that_they_had() {
        let mut evidence = Evidence::default();
        evidence.find(page("https://b.example/", "b, read again"));
        evidence.find(page("https://new.example/", ""));
        let kept = [page("https://a.example/", "a"), page("https://b.example/", "b")];
        evidence.restore(kept.into_iter().map(|kept| Source::new(1, kept)).collect());
        let numbers =
            evidence.sources().iter().map(|source| (source.n, source.content.text().into_owned()));
        let expected =
            [(1, "a"), (2, "b, read again"), (3, "")].map(|(n, text)| (n, text.to_owned()));
        assert_eq!(numbers.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn passages_are_kept_whole_up_to_what_an_ask_may_hold() {
        let mut evidence = Evidence::default();
        for n in 0..3 {
            evidence.find(long_page(&format!("https://{n}.example/"), 200));
        }
        // A passage holds 1,011 bytes here: text, heading, anchor.
        let most = MOST_BYTES / 1_011;
        assert_eq!([0, 1, 2].map(|at| anchors(&evidence, at)), [200, most - 200, 0]);
        assert!(evidence.sources()[2].content.is_unread());
        // No more fits from a client.
        let mut again = Evidence::default();
        let kept = evidence.sources().iter().cloned();
        again.restore(kept.chain([Source::new(4, long_page("https://3.example/", 9))]).collect());
        assert_eq!(again.sources()[..3], *evidence.sources());
        assert_eq!(anchors(&again, 3), 0);
        // What is read again has the room that it had.
        let mut twice = Evidence::default();
        twice.find(long_page("https://0.example/", 200));
        twice.find(long_page("https://0.example/", 300));
        assert_eq!(anchors(&twice, 0), most);
    }

    #[test]
    fn what_was_read_when_the_room_is_used_up_counts_with_its_beginning_and_is_told_to_be_cut() {
        let mut evidence = Evidence::with_room(10_000).keeping_of_each(3_000);
        for (n, passages) in [(0, 5), (1, 8), (2, 8), (3, 2)] {
            evidence.find(long_page(&format!("https://{n}.example/"), passages));
        }
        // Ten thousand bytes hold nine passages; each page has two whatever was read before.
        assert_eq!([0, 1, 2, 3].map(|at| anchors(&evidence, at)), [5, 4, 2, 2]);
        assert_eq!(evidence.cut(), 2);
        assert!(evidence.sources().iter().all(|source| !source.content.is_unread()));
        evidence.find_more(long_page("https://own.example/", 9), Replaced::GivesWay);
        assert_eq!((anchors(&evidence, 4), evidence.cut()), (2, 3));
        let kept = serde_json::to_string(&evidence).unwrap();
        assert_eq!(serde_json::from_str::<Evidence>(&kept).unwrap(), evidence);
    }

    #[test]
    fn what_sources_hold_is_counted_as_it_changes() {
        let mut evidence = Evidence::with_room(20_000).keeping_of_each(2_000);
        for n in [0, 1, 0, 2, 3, 1, 4, 0] {
            let url = format!("https://{n}.example/");
            evidence.find(long_page(&url, 3 + 2 * n));
            let own = long_page(&format!("https://own-{}.example/", n / 2), 1 + n);
            evidence.find_more(own, Replaced::GivesWay);
            evidence.find(page(&format!("https://said-{n}.example/"), ""));
            let counted = |of: &Evidence| (of.pieces(), of.number(&url), of.room_for(&url));
            let copy = evidence.clone();
            assert_eq!(counted(&evidence), counted(&copy), "a copy counts anew: {n}");
        }
    }

    #[test]
    fn passages_take_the_place_of_a_text_unless_they_say_far_less() {
        let read = |first: Finding, second: Finding| {
            let mut evidence = Evidence::default();
            evidence.find(first);
            evidence.find(second);
            anchors(&evidence, 0)
        };
        let text = |bytes: usize| page("https://a.example/", &"x".repeat(bytes));
        let passages = || long_page("https://a.example/", 4);
        assert_eq!(read(text(7_000), passages()), 4);
        assert_eq!(read(text(9_000), passages()), 0);
        assert_eq!(read(passages(), text(7_000)), 4);
        assert_eq!(read(passages(), text(9_000)), 0);
        assert_eq!(read(long_page("https://a.example/", 5), passages()), 5);
    }

    #[test]
    fn remarks_keep_within_their_room() {
        let mut evidence = Evidence::default();
        for n in 0..20 {
            let result = format!("{n} {}", "é".repeat(500));
            evidence.calculate(Calculation { code: String::new(), result });
        }
        evidence.digest("digest");
        assert!(evidence.remarks(300, 600).chars().count() <= 600);
        assert!(evidence.remarks(300, 100_000).ends_with("…\n\ndigest"));
    }
}
