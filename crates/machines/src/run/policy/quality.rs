//! Source quality: which sources are read for findings, in which order, and how far each is believed.
//!
//! | rule | settled here |
//! |---|---|
//! | tier by host | 1 official or primary, 2 reputable secondary, 3 other: `quarry_evidence::standing` and its list |
//! | tier by subject | a host that is not on the list is 1 where its own name is a name in the question: the subject's site |
//! | tier by path | a host that is not on the list is 2 where its path has a DOI |
//! | one source | addresses that differ in scheme, `www.`, port, fragment, tracking parameters or a last slash are one; the first kept |
//! | one voice | of two texts of which one holds ≥ 0.8 of the other's word 5-shingles the older is kept, the other is `duplicate_of` it; one that says much more than what it copies is read too, with the voice of the older |
//! | diversity | at most 2 of one registrable domain are read, unless there is no other domain |
//! | unread | what says nothing at all is left out |
//! | order | BM25 of the question's words in the best passage × 1.0, 0.9, 0.75 by tier; then by number |
//! | critical claim | one voice of tier 1, or two independent ones of tier 2 |
//!
//! Border: sources and a question in, citations out. Linear in the sources' text. What a page says of its author
//! and kind (meta tags, JSON-LD) does not reach the evidence, so it has no say here.

use super::shingles::{Likeness, Shingles};
use quarry_events::At;
use quarry_events::run::{Citation, DroppedSource};
use quarry_evidence::text::{Shape, tokens};
use quarry_evidence::{Publisher, Source, Tier, address, cite, standing, voice};
use quarry_types::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// The version of these rules.
pub const VERSION: u32 = 1;

/// Sources of one registrable domain that are read, where there is another.
const OF_ONE_DOMAIN: usize = 2;
/// Letters of a name in the question that can make a host the subject's own.
const LEAST_NAME: usize = 4;

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

/// Ranks the sources with the wanted numbers for a question. What was described before keeps the time of its
/// reading, its tier, its voice and whether it is a copy; how well it fits is said anew.
#[must_use]
pub fn rank(
    question: &str,
    sources: &[Source],
    wanted: &[usize],
    known: &[Citation],
    now: Timestamp,
) -> Ranked {
    let wanted: BTreeSet<usize> = wanted.iter().copied().collect();
    let mut ranked = Ranked::default();
    let mut seen = BTreeSet::new();
    let is_wanted = |source: &&Source| wanted.contains(&source.n);
    let (said, silent): (Vec<&Source>, Vec<&Source>) = sources
        .iter()
        .filter(is_wanted)
        .filter(|source| seen.insert(source.n))
        .partition(|source| !source.body().trim().is_empty());
    for source in silent {
        ranked.drop(source.n, "It says nothing that could be read.");
    }
    let known: BTreeMap<&str, &Citation> =
        known.iter().map(|citation| (citation.citation_id.as_str(), citation)).collect();
    let mut candidates: Vec<Citation> =
        said.iter().map(|source| described(source, question, &known, now)).collect();
    judge_copies(&mut candidates, sources, &known);
    let read: Vec<Source> = said.into_iter().cloned().collect();
    for (citation, relevance) in candidates.iter_mut().zip(cite::relevance(&read, question)) {
        citation.relevance_score = rounded(relevance);
    }
    let (copies, mut kept): (Vec<Citation>, Vec<Citation>) =
        candidates.into_iter().partition(|citation| citation.duplicate_of.is_some());
    for copy in copies {
        let of = copy.duplicate_of.as_deref().unwrap_or_default();
        let reason = format!("It says the same as {of}, which is older.");
        ranked.dropped.push(DroppedSource { citation_id: copy.citation_id.clone(), reason });
        ranked.others.push(copy);
    }
    kept.sort_by(|one, other| {
        let by_worth = worth(other).total_cmp(&worth(one));
        by_worth.then_with(|| number(one).cmp(&number(other)))
    });
    ranked.keep_diverse(kept);
    ranked
}

impl Ranked {
    fn drop(&mut self, n: usize, reason: &str) {
        let reason = reason.to_owned();
        self.dropped.push(DroppedSource { citation_id: citation_id(n), reason });
    }

    /// Keeps the best of each domain, all where there is but one.
    fn keep_diverse(&mut self, sorted: Vec<Citation>) {
        let domains: BTreeSet<String> = sorted.iter().map(|it| voice(&it.url)).collect();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for citation in sorted {
            let domain = voice(&citation.url);
            let reason = format!("Two better ones of {domain} are read.");
            let count = counts.entry(domain).or_default();
            *count += 1;
            if *count > OF_ONE_DOMAIN && domains.len() > 1 {
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
        of_tier.map(|(_, voice)| *voice).collect()
    };
    !voices(1).is_empty() || voices(2).len() > 1
}

/// A source as a run lists it: as it was described before, or by these rules.
fn described(
    source: &Source,
    question: &str,
    known: &BTreeMap<&str, &Citation>,
    now: Timestamp,
) -> Citation {
    let citation_id = citation_id(source.n);
    if let Some(known) = known.get(citation_id.as_str()) {
        let published = source.date.clone().or_else(|| known.published.clone());
        return Citation { published, ..(*known).clone() };
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
    let known = standing(&source.url);
    if known.publisher.is_none() && is_own_site(&source.url, question) {
        return (Tier::Primary, "the subject's own site", None);
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
    let path = url.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    match publisher {
        Some(publisher) => publisher.as_str(),
        None if path.ends_with(".pdf") => "document",
        None => "page",
    }
}

/// Finds what is said twice: equal addresses, and texts that are alike. Sources that were described before are
/// looked at first, so that none of them becomes a copy of a later one; then the older, as far as they say.
fn judge_copies(
    candidates: &mut [Citation],
    sources: &[Source],
    known: &BTreeMap<&str, &Citation>,
) {
    let texts: BTreeMap<usize, &Source> = sources.iter().map(|source| (source.n, source)).collect();
    let places: BTreeMap<String, usize> =
        candidates.iter().enumerate().map(|(at, it)| (it.citation_id.clone(), at)).collect();
    let mut new: Vec<Citation> = candidates
        .iter()
        .filter(|it| !known.contains_key(it.citation_id.as_str()))
        .cloned()
        .collect();
    new.sort_by(|one, other| {
        let date = |it: &Citation| it.published.clone().unwrap_or_else(|| "~".to_owned());
        date(one).cmp(&date(other)).then_with(|| number(one).cmp(&number(other)))
    });
    let mut addresses: BTreeMap<String, (String, String)> = BTreeMap::new();
    let mut shingles = Shingles::default();
    let mut heard: Vec<(String, String)> = Vec::new();
    let old = known.values().filter(|it| it.duplicate_of.is_none()).map(|it| (*it).clone());
    let mut old: Vec<Citation> = old.collect();
    old.sort_by_key(number);
    for mut citation in old.into_iter().chain(new) {
        let name = (citation.citation_id.clone(), citation.voice.clone());
        let body = texts.get(&number(&citation)).map(|source| source.body());
        let text = shingles.of(body.as_deref().unwrap_or_default());
        let is_new = !known.contains_key(citation.citation_id.as_str());
        let same = addresses.get(&canonical(&citation.url)).cloned();
        let alike = || match shingles.like(&text) {
            Likeness::Copy(at) => heard.get(at).cloned().map(|of| (of, true)),
            Likeness::Extends(at) => heard.get(at).cloned().map(|of| (of, false)),
            Likeness::None => None,
        };
        let found = same.map(|of| (of, true)).or_else(alike).filter(|_| is_new);
        let is_copy = matches!(found, Some((_, true)));
        if let Some((of, is_copy)) = found {
            citation.voice = of.1;
            citation.duplicate_of = is_copy.then_some(of.0);
        }
        if !is_copy {
            let name = (name.0, citation.voice.clone());
            addresses.entry(canonical(&citation.url)).or_insert_with(|| name.clone());
            heard.push(name);
            shingles.keep(text);
        }
        if is_new
            && let Some(place) = places.get(&citation.citation_id)
            && let Some(candidate) = candidates.get_mut(*place)
        {
            *candidate = citation;
        }
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
