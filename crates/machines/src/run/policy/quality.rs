//! Source quality: which sources are read for findings, in which order, and how far each is believed.
//!
//! | rule | settled here |
//! |---|---|
//! | tier by host | 1 official or primary, 2 reputable secondary, 3 other: `quarry_evidence::standing` and its list |
//! | tier by subject | a host that is not on the list is 1 where its own name is a name in the question: the subject's site |
//! | tier by path | a host that is not on the list is 2 where its path has a DOI |
//! | tier of own documents | 1: whoever asks chose them and answers for them, and of their own house they are the original; all of them together are one voice |
//! | tier by page | else 2 where its meta tags name its journal and its DOI, its JSON-LD names a public body as its publisher, or calls it a scholarly or a news article and its author is named: `quarry_evidence::standing_of_page`. Never 1, as anyone can write that of themselves |
//! | read later | what is first described without its page, and read later, takes the better tier of its page |
//! | one source | addresses that differ in scheme, `www.`, port, fragment, tracking parameters or a last slash are one; the first kept |
//! | one voice | of two texts of which one holds ≥ 0.8 of the other's word 5-shingles the original is kept, the other is `duplicate_of` it; one that says much more than what it copies is read too, with the voice of the original |
//! | the original | the one of tier 1, else the older one, else the one that was found first; one that is found when its copy was read already is read, too, with the copy's voice (since revision 4; before, whatever was found first was the original of what a later search found) |
//! | diversity | at most 2 of one registrable domain are read, unless there is no other domain; own documents are no domain |
//! | unread | what says nothing at all is left out |
//! | order | BM25 of the question's words in the best passage × 1.0, 0.9, 0.75 by tier; then by number |
//! | critical claim | one voice of tier 1, or two independent ones of tier 2 |
//!
//! Border: sources and a question in, citations out. Linear in the sources' text.

mod heard;

use heard::Heard;
use quarry_events::At;
use quarry_events::run::{Citation, DroppedSource};
use quarry_evidence::text::{Shape, tokens};
use quarry_evidence::{
    Published, Publisher, Source, Tier, address, cite, is_own, standing_of_page, voice,
};
use quarry_types::Timestamp;
use quarry_types::order::{self, Gather};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The version of these rules.
pub const VERSION: u32 = 3;

/// Sources of one registrable domain that are read, where there is another.
const OF_ONE_DOMAIN: usize = 2;
/// Why a host that has its name from the question is believed.
pub const OWN_SITE: &str = "the subject's own site";
/// Letters of a name in the question that can make a host the subject's own.
const LEAST_NAME: usize = 4;

/// Which of two texts that say the same is the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Originals {
    /// The one that was described first; of those that are found together the older: in runs of before revision 4.
    Described,
    /// The primary one, else the older, else the one that was described first.
    Oldest,
}

/// What becomes of the sources of a node.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ranked {
    /// Those that are read, best first.
    pub citations: Vec<Citation>,
    /// Copies, and those beyond two of a domain: not read, and described all the same, so that nothing names
    /// what nobody has described.
    pub others: Vec<Citation>,
    /// Why each that is not read is not.
    pub dropped: Vec<DroppedSource>,
}

/// The name that the source with this number has in a run.
#[must_use]
pub fn citation_id(n: usize) -> String {
    format!("c{n}")
}

/// The number of the source that has this name.
#[must_use]
pub fn source_number(citation_id: &str) -> Option<usize> {
    citation_id.strip_prefix('c')?.parse().ok()
}

/// What was described so far, so that it can be found, and what is new compared with it. Made anew from the
/// citations and their sources where it is lost, or where one of these has changed.
#[derive(Debug, Default)]
pub struct Known {
    /// By the number of its source: the place of a citation.
    places: BTreeMap<usize, usize>,
    /// Citations that were taken in.
    citations: usize,
    heard: Heard,
}

impl Known {
    /// Takes in citations that were added since the last call.
    pub fn take_in(&mut self, citations: &[Citation]) {
        if citations.len() < self.citations {
            *self = Known::default();
        }
        let new = citations.iter().enumerate().skip(self.citations);
        self.places.extend(new.map(|(place, citation)| (number(citation), place)));
        self.citations = citations.len();
    }

    /// The place of the citation with this name; none: it was not taken in.
    #[must_use]
    pub fn place(&self, citation_id: &str) -> Option<usize> {
        self.places.get(&source_number(citation_id)?).copied()
    }

    /// Ranks the sources with the wanted numbers for a question. What was described before keeps the time of its
    /// reading, its tier, its voice and whether it is a copy; how well it fits is said anew. `sources` are in the
    /// order of their numbers; `changed` are those that came to say otherwise, as [`Evidence::changed`] tells them.
    ///
    /// [`Evidence::changed`]: quarry_evidence::Evidence::changed
    #[must_use]
    pub fn rank(
        &mut self,
        question: &str,
        (sources, changed): (&[Source], &[usize]),
        wanted: &[usize],
        (citations, originals): (&[Citation], Originals),
        now: Timestamp,
    ) -> Ranked {
        self.take_in(citations);
        let wanted: BTreeSet<usize> = wanted.iter().copied().gather();
        let mut ranked = Ranked::default();
        let found = wanted.iter().filter_map(|n| numbered(sources, *n));
        let (said, silent): (Vec<&Source>, Vec<&Source>) =
            found.partition(|source| !source.body().trim().is_empty());
        for source in silent {
            ranked.drop(source.n, "It says nothing that could be read.");
        }
        let before = |source: &Source| citations.get(*self.places.get(&source.n)?);
        let mut candidates: Vec<Citation> =
            said.iter().map(|source| described(source, question, before(source), now)).collect();
        let is_new = |citation: &Citation| !self.places.contains_key(&number(citation));
        let new: Vec<usize> =
            (0..candidates.len()).filter(|at| candidates.get(*at).is_some_and(is_new)).collect();
        self.heard.take_in(citations, (sources, changed));
        let known = |id: &str| citations.get(*self.places.get(&source_number(id)?)?);
        self.heard.judge_copies(&mut candidates, new, sources, originals, &known);
        let read: Vec<Source> = said.into_iter().cloned().collect();
        for (citation, relevance) in candidates.iter_mut().zip(cite::relevance(&read, question)) {
            citation.relevance_score = rounded(relevance);
        }
        let (copies, mut kept): (Vec<Citation>, Vec<Citation>) =
            candidates.into_iter().partition(|citation| citation.duplicate_of.is_some());
        for copy in copies {
            let of = copy.duplicate_of.as_deref().unwrap_or_default();
            let original = kept.iter().find(|it| it.citation_id == of).or_else(|| known(of));
            let reason = match (originals, original) {
                (Originals::Oldest, Some(original)) => why_copy(&copy, original),
                (Originals::Described, _) | (_, None) => {
                    format!("It says the same as {of}, which is older.")
                }
            };
            ranked.dropped.push(DroppedSource { citation_id: copy.citation_id.clone(), reason });
            ranked.others.push(copy);
        }
        order::sort_by(&mut kept, |one, other| {
            let by_worth = worth(other).total_cmp(&worth(one));
            by_worth.then_with(|| number(one).cmp(&number(other)))
        });
        ranked.keep_diverse(kept);
        ranked
    }
}

/// The source with this number.
fn numbered(sources: &[Source], n: usize) -> Option<&Source> {
    let at = sources.binary_search_by_key(&n, |source| source.n).ok()?;
    sources.get(at)
}

impl Ranked {
    fn drop(&mut self, n: usize, reason: &str) {
        let reason = reason.to_owned();
        self.dropped.push(DroppedSource { citation_id: citation_id(n), reason });
    }

    /// Keeps the best of each domain, all where there is but one.
    fn keep_diverse(&mut self, sorted: Vec<Citation>) {
        let domains: BTreeSet<String> = sorted.iter().map(|it| voice(&it.url)).gather();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for citation in sorted {
            let domain = voice(&citation.url);
            let reason = format!("Two better ones of {domain} are read.");
            let count = counts.entry(domain).or_default();
            *count += 1;
            if *count > OF_ONE_DOMAIN && domains.len() > 1 && !is_own(&citation.url) {
                let citation_id = citation.citation_id.clone();
                self.dropped.push(DroppedSource { citation_id, reason });
                self.others.push(citation);
            } else {
                self.citations.push(citation);
            }
        }
    }
}

/// What a claim that matters rests on at least: one voice of tier 1, or two independent ones of tier 2.
#[must_use]
pub fn is_critical_claim_backed(tiers_and_voices: &[(u8, &str)]) -> bool {
    let voices = |best: u8| -> BTreeSet<&str> {
        let of_tier = tiers_and_voices.iter().filter(|(tier, _)| *tier == best);
        of_tier.map(|(_, voice)| *voice).gather()
    };
    !voices(1).is_empty() || voices(2).len() > 1
}

/// A source as a run lists it: as it was described before, or by these rules.
fn described(
    source: &Source,
    question: &str,
    known: Option<&Citation>,
    now: Timestamp,
) -> Citation {
    let citation_id = citation_id(source.n);
    if let Some(known) = known {
        let published = source.date.clone().or_else(|| known.published.clone());
        let page = standing_of_page(&source.url, &source.signals);
        let (quality_tier, tier_reason) = if page.tier.number() < known.quality_tier {
            (page.tier.number(), page.reason.to_owned())
        } else {
            (known.quality_tier, known.tier_reason.clone())
        };
        return Citation { published, quality_tier, tier_reason, ..known.clone() };
    }
    let (tier, reason, publisher) = judged(source, question);
    Citation {
        citation_id,
        url: source.url.clone(),
        title: source.title.clone(),
        source_type: source_type(&source.url, publisher).to_owned(),
        retrieved_at: At(now),
        published: source.date.clone(),
        quality_tier: tier.number(),
        tier_reason: reason.to_owned(),
        relevance_score: 0.0,
        voice: voice(&source.url),
        duplicate_of: None,
    }
}

fn judged(source: &Source, question: &str) -> (Tier, &'static str, Option<Publisher>) {
    let known = standing_of_page(&source.url, &source.signals);
    if known.publisher.is_none() && is_own_site(&source.url, question) {
        return (Tier::Primary, OWN_SITE, None);
    }
    (known.tier, known.reason, known.publisher)
}

/// Whether a host has its name from a name in the question: `acme.com` on `When did Acme open?`. A word that
/// begins the question has a capital whatever it is.
fn is_own_site(url: &str, question: &str) -> bool {
    let domain = voice(url);
    let Some((name, _)) = domain.split_once('.') else { return false };
    let name = name.replace('-', "");
    if name.len() < LEAST_NAME || name.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let mut run = String::new();
    tokens(question).into_iter().any(|token| {
        let is_sure = token.is_name() && (!token.begins || token.shape == Shape::Upper);
        if !is_sure {
            run.clear();
            return false;
        }
        run.push_str(&token.word);
        token.word == name || run == name
    })
}

/// What kind of page it is, as far as its address says.
fn source_type(url: &str, publisher: Option<Publisher>) -> &'static str {
    if is_own(url) {
        return "own_document";
    }
    let path = url.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    match publisher {
        Some(publisher) => publisher.as_str(),
        None if path.ends_with(".pdf") => "document",
        None => "page",
    }
}

fn is_primary(citation: &Citation) -> bool {
    citation.quality_tier <= Tier::Primary.number()
}

/// Which of two was published first, where both say it exactly enough.
fn age(one: &Citation, other: &Citation) -> Option<Ordering> {
    let date = |it: &Citation| it.published.as_deref().and_then(Published::parse);
    date(one)?.compare(date(other)?)
}

/// Whether what is new is the original of what was described before and says the same.
fn is_original(new: &Citation, known: &Citation) -> bool {
    if canonical(&new.url) == canonical(&known.url) {
        return false;
    }
    match (is_primary(new), is_primary(known)) {
        (true, false) => true,
        (false, true) => false,
        (true, true) | (false, false) => age(new, known) == Some(Ordering::Less),
    }
}

/// Why a copy is not read, in a sentence.
fn why_copy(copy: &Citation, original: &Citation) -> String {
    let of = &original.citation_id;
    if canonical(&copy.url) == canonical(&original.url) {
        return format!("It is the same page as {of}.");
    }
    if is_primary(original) && !is_primary(copy) {
        return format!("It says the same as {of}, a primary source.");
    }
    match age(original, copy) {
        Some(Ordering::Less) => format!("It says the same as {of}, which is older."),
        _ if number(original) < number(copy) => {
            format!("It says the same as {of}, which was found first.")
        }
        _ => format!("It says the same as {of}; which of them is older is not known."),
    }
}

/// What the addresses of one page have in common.
fn canonical(url: &str) -> String {
    address::clean(url).map_or_else(|| url.to_owned(), |url| address::key(&url))
}

fn number(citation: &Citation) -> usize {
    source_number(&citation.citation_id).unwrap_or(usize::MAX)
}

/// What a source counts in the order: how well it fits, weighed by its tier.
fn worth(citation: &Citation) -> f64 {
    let weight = match Tier::numbered(citation.quality_tier) {
        Tier::Primary => 1.0,
        Tier::Secondary => 0.9,
        Tier::Other => 0.75,
    };
    citation.relevance_score * weight
}

/// What is told needs no more than three digits.
fn rounded(share: f64) -> f64 {
    (share * 1_000.0).round() / 1_000.0
}

#[cfg(test)]
#[path = "quality_tests.rs"]
mod tests;
