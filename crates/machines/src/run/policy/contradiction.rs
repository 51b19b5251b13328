//! Contradictions: findings that say otherwise of one thing.
//!
//! | rule | settled here |
//! |---|---|
//! | compared | sentences of the quotations of new findings, and of those that earlier ones came to rest on (since revision 4), with those of all, of different voices, that share two content stems; 400 pairs at most |
//! | one voice | two of its pages are compared where one corrects the other, or where one is known to be the later, and they have other figures for the same years: what it says of several years is no contradiction |
//! | corrected | a sentence with a figure of its own that says it is "not", "instead of" or "rather than" the other's, which counts the same and is of no other year; both share three content stems, the other is not newer, and where its tier is the better one it has to be the older |
//! | a conflict | sentences that rules take for answers to one question with different figures, and that share three content stems; else the same said of the same, with another number, another date, or denied: `quarry_evidence::contradiction`, the rules of an answer |
//! | resolved | one corrects the other (`corrected`); else one of them alone is tier 1 (`primary`); else both have dates and one is newer (`newer`) |
//! | undecided | a third source that is known not to be older than the newer one names the figures of both and explains neither: being newer is no reason then |
//! | explained | a third sentence of the findings that says what figures mean ("covers", "includes", "measured", …), and has the figures of both, or is of the page of one of them, has no figures but theirs, and names one of them or shares three content stems: both may be right. Found later, it is told later |
//! | open | none of these: it stays in the report |
//! | told | each pair of quotations once; 24 at most |
//!
//! Border: findings with their citations in; conflicts with the findings that they are between, out.

mod heard;

pub use heard::Heard;
#[cfg(test)]
pub(in crate::run) use heard::TOLD_APART;
use heard::{Said, place_of};
use quarry_events::run::{Citation, ConflictFound, Finding};
use quarry_evidence::text::{Token, is_stop_word, stem, tokens};
use quarry_evidence::verify::squeezed;
use quarry_evidence::{
    Conflict, Difference, Parsed, Published, Reason, Side, Statement, Tier, contradiction, settled,
};
use quarry_types::order::{self, Gather};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The version of these rules.
pub const VERSION: u32 = 5;

/// Pairs of sentences that are compared.
const MOST_COMPARED: usize = 400;
/// Earlier sentences with one stem that a later one meets: what all speak of tells nothing apart.
const MOST_MET: usize = 40;
/// Stems that two sentences share.
const LEAST_SHARED: usize = 2;
/// … where one of them corrects the other, or says what both mean.
const LEAST_CORRECTED: usize = 3;
/// Conflicts that are told.
const MOST_TOLD: usize = 24;

/// What is new of findings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct New {
    /// Findings from this place on.
    pub from: usize,
    /// The places of findings before, each with the name of a citation that it came to rest on.
    pub joined: Vec<(usize, String)>,
}

impl New {
    /// Whether nothing of so many findings is: what they contradict, and how that stands, is known.
    #[must_use]
    pub const fn is_nothing(&self, findings: usize) -> bool {
        self.from >= findings && self.joined.is_empty()
    }
}

impl Heard {
    /// Conflicts of what is new with each other and with what was there, in the order of the later of the two; what an
    /// earlier finding came to rest on is later than all that was there. A citation that is not there leaves out what rests
    /// on it. Findings and citations are those of the last call, and what was added since, of which
    /// [`Heard::rests_on_more`] was told where an earlier finding has it.
    #[must_use]
    pub fn find(
        &mut self,
        findings: &[Finding],
        new: &New,
        citations: &[Citation],
    ) -> Vec<ConflictFound> {
        self.take_in(findings, citations);
        let joined = new.joined.iter().filter_map(|(at, id)| Some((*at, place_of(citations, id)?)));
        let joined: BTreeSet<(usize, usize)> = joined.gather();
        let without_room = self.without_room(&joined, findings, citations);
        let is_new =
            |it: &Said| it.finding >= new.from || joined.contains(&(it.finding, it.citation));
        let (late, old): (Vec<&Said>, Vec<&Said>) =
            self.said.iter().chain(&without_room).partition(|it| is_new(it));
        let mut told: BTreeSet<[String; 2]> = BTreeSet::new();
        let mut found = Vec::new();
        for (one, other) in pairs(old, late, citations) {
            let corrected = corrected(one, other, citations);
            let conflict = corrected.or_else(|| conflict(one, other, citations));
            let Some(conflict) = conflict else { continue };
            let mut quotes = [&conflict.one, &conflict.other];
            order::sort_by(&mut quotes, |one, other| one.quote.cmp(&other.quote));
            if !told.insert(quotes.map(|side| side.quote.clone())) {
                continue;
            }
            found.extend(self.weighed(conflict, (one, other), findings, citations));
            if found.len() >= MOST_TOLD {
                break;
            }
        }
        found
    }

    /// Conflicts between sentences that rules took for different answers to one question, where findings rest on both.
    #[must_use]
    pub fn between(
        &mut self,
        pairs: &[[String; 2]],
        findings: &[Finding],
        citations: &[Citation],
    ) -> Vec<ConflictFound> {
        self.take_in(findings, citations);
        if pairs.is_empty() {
            return Vec::new();
        }
        let mut saying: BTreeMap<String, &Said> = BTreeMap::new();
        for said in &self.said {
            saying.entry(squeezed(&said.sentence)).or_insert(said);
        }
        let found = pairs.iter().filter_map(|[one, other]| {
            let (one, other) = (saying.get(&squeezed(one))?, saying.get(&squeezed(other))?);
            let [first, second] = [one, other].map(|it| it.side(citations));
            let conflict = settled(Difference::Number, first?, second?);
            self.weighed(conflict, (one, other), findings, citations)
        });
        found.collect()
    }

    /// Weighs a conflict again by all that was heard; says whether it stands otherwise now.
    #[must_use]
    pub fn weigh_again(&self, found: &mut ConflictFound, citations: &[Citation]) -> bool {
        let before = (found.conflict.reason, found.explained_by.is_some());
        self.weigh(found, citations);
        before != (found.conflict.reason, found.explained_by.is_some())
    }

    fn weighed(
        &self,
        conflict: Conflict,
        (one, other): (&Said, &Said),
        findings: &[Finding],
        citations: &[Citation],
    ) -> Option<ConflictFound> {
        let id = |said: &Said| findings.get(said.finding).map(|it| it.finding_id.clone());
        let mut finding_ids = vec![id(one)?, id(other)?];
        // The first is the one that says what the conflict's first side says.
        if conflict.one.url != citations.get(one.citation)?.url {
            finding_ids.reverse();
        }
        finding_ids.dedup();
        let mut found = ConflictFound { conflict, finding_ids, explained_by: None };
        self.weigh(&mut found, citations);
        Some(found)
    }

    /// What third sentences say of a conflict.
    fn weigh(&self, found: &mut ConflictFound, citations: &[Citation]) {
        let conflict = &mut found.conflict;
        let is_settled = conflict.reason.is_some_and(|reason| reason != Reason::Newer)
            || (conflict.reason.is_none() && found.explained_by.is_some());
        if is_settled {
            return;
        }
        let apart = Apart::of(&conflict.one, &conflict.other);
        if conflict.reason == Some(Reason::Newer)
            && self.is_undecided(&apart, &conflict.one, &conflict.other, citations)
        {
            conflict.reason = None;
        }
        if conflict.reason.is_none() && found.explained_by.is_none() {
            found.explained_by =
                self.explanation(&apart, &conflict.one, &conflict.other, citations);
        }
    }

    /// Whether somebody else who wrote later still names both and explains neither: age alone settles nothing then.
    fn is_undecided(
        &self,
        apart: &Apart,
        newer: &Side,
        older: &Side,
        citations: &[Citation],
    ) -> bool {
        self.said.iter().any(|it| {
            let Some(citation) = citations.get(it.citation) else { return false };
            let is_other = citation.url != newer.url && citation.url != older.url;
            let age = Published::compared(citation.published.as_deref(), newer.date.as_deref());
            is_other
                && age.is_some_and(Ordering::is_ge)
                && !it.explains
                && apart.are_both_in(&it.figures)
        })
    }

    /// A third sentence that says what each of two means.
    fn explanation(
        &self,
        apart: &Apart,
        one: &Side,
        other: &Side,
        citations: &[Citation],
    ) -> Option<Side> {
        let known = |quote: &str| stems(quote).into_iter().filter_map(|it| self.stems.get(&it));
        let about: BTreeSet<u32> = known(&one.quote).chain(known(&other.quote)).copied().gather();
        let shared = |it: &Said| it.stems.iter().filter(|stem| about.contains(stem)).count();
        let explaining = || {
            self.said.iter().filter(|it| {
                let is_third = it.sentence != one.quote && it.sentence != other.quote;
                it.explains && is_third && shared(it) >= LEAST_SHARED
            })
        };
        let figures: BTreeSet<String> =
            figures(&one.quote).union(&figures(&other.quote)).cloned().gather();
        let is_beside = |it: &&Said| {
            let url = citations.get(it.citation).map(|it| &it.url);
            let is_of_them = it.figures.is_subset(&figures)
                && (apart.is_one_in(&it.figures) || shared(it) >= LEAST_CORRECTED);
            is_of_them && (url == Some(&one.url) || url == Some(&other.url))
        };
        let found = explaining().find(|it| apart.are_both_in(&it.figures));
        found.or_else(|| explaining().find(is_beside))?.side(citations)
    }
}

/// Pairs that may contradict each other and share enough stems, of what is new with each other and with what is old,
/// the later sentence's by how much they share.
fn pairs<'s>(
    mut all: Vec<&'s Said>,
    new: Vec<&'s Said>,
    citations: &[Citation],
) -> Vec<(&'s Said, &'s Said)> {
    let first_new = all.len();
    // What no new sentence speaks of is met by none.
    let stems = new.iter().flat_map(|it| &it.stems);
    let mut having: BTreeMap<u32, Vec<usize>> = stems.map(|stem| (*stem, Vec::new())).gather();
    all.extend(new);
    let mut pairs = Vec::new();
    for (at, here) in all.iter().enumerate() {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for stem in &here.stems {
            let Some(others) = having.get_mut(stem) else { continue };
            for other in others.iter().filter(|_| at >= first_new) {
                *shared.entry(*other).or_default() += 1;
            }
            if others.len() < MOST_MET {
                others.push(at);
            }
        }
        let mut near: Vec<(usize, usize)> =
            shared.into_iter().filter(|(_, count)| *count >= LEAST_SHARED).collect();
        order::sort_by_key(&mut near, |(other, count)| (std::cmp::Reverse(*count), *other));
        for (other, _) in near {
            let Some(there) = all.get(other) else { continue };
            if may_contradict(there, here, citations) {
                pairs.push((*there, *here));
            }
            if pairs.len() >= MOST_COMPARED {
                return pairs;
            }
        }
    }
    pairs
}

/// The figures that two sides do not share.
struct Apart([BTreeSet<String>; 2]);

impl Apart {
    fn of(one: &Side, other: &Side) -> Apart {
        let (first, second) = (figures(&one.quote), figures(&other.quote));
        let only = |here: &BTreeSet<String>, there: &BTreeSet<String>| {
            here.difference(there).cloned().gather()
        };
        Apart([only(&first, &second), only(&second, &first)])
    }

    fn is_one_in(&self, figures: &BTreeSet<String>) -> bool {
        self.0.iter().any(|own| !own.is_disjoint(figures))
    }

    fn are_both_in(&self, figures: &BTreeSet<String>) -> bool {
        self.0.iter().all(|own| !own.is_disjoint(figures))
    }
}

/// The numbers of a sentence, as they are written but for commas.
pub(super) fn figures(sentence: &str) -> BTreeSet<String> {
    figures_of(&tokens(sentence))
}

fn figures_of(tokens: &[Token]) -> BTreeSet<String> {
    let numbers = tokens.iter().filter(|it| !it.is_word());
    numbers
        .map(|it| it.word.replace(',', ""))
        .filter(|it| it.contains(|c: char| c.is_ascii_digit()))
        .gather()
}

/// The figures that a sentence says are not what it tells of: `19 years, not 31`.
fn denied(sentence: &str) -> BTreeSet<String> {
    denied_of(&tokens(sentence))
}

fn denied_of(tokens: &[Token]) -> BTreeSet<String> {
    let word = |at: usize| tokens.get(at).filter(|it| it.is_word()).map(|it| it.word.as_str());
    let is_denied = |at: usize| {
        let before = at.checked_sub(1).and_then(word);
        let two = at.checked_sub(2).and_then(word).zip(before);
        before == Some("not") || matches!(two, Some(("instead", "of") | ("rather", "than")))
    };
    let denied = tokens.iter().enumerate().filter(|(at, it)| !it.is_word() && is_denied(*at));
    denied.flat_map(|(_, it)| figures(&it.word)).gather()
}

/// What a figure of a sentence counts, as a stem; none where it stands alone.
fn counted(sentence: &str, figure: &str) -> Option<String> {
    let tokens = tokens(sentence);
    let at = tokens.iter().position(|it| !it.is_word() && it.word.replace(',', "") == figure)?;
    let behind = tokens.get(at + 1).filter(|it| it.is_word() && !is_stop_word(&it.word))?;
    Some(stem(&behind.word).into_owned())
}

/// Whether two sentences may contradict each other by whose they are. One voice says many things of many years;
/// it contradicts itself where it corrects itself, or later has other figures for the same.
fn may_contradict(one: &Said, other: &Said, citations: &[Citation]) -> bool {
    let (Some(first), Some(second)) = (citations.get(one.citation), citations.get(other.citation))
    else {
        return false;
    };
    if first.voice != second.voice {
        return true;
    }
    let corrects = |by: &Said, of: &Said| !by.denied.is_disjoint(&of.figures);
    let years = |said: &Said| -> BTreeSet<String> {
        said.figures.iter().filter(|it| is_year(it)).cloned().gather()
    };
    let age = Published::compared(first.published.as_deref(), second.published.as_deref());
    let is_later = age.is_some_and(Ordering::is_ne);
    let differs = !one.figures.is_subset(&other.figures) && !other.figures.is_subset(&one.figures);
    first.url != second.url
        && (corrects(one, other)
            || corrects(other, one)
            || (is_later && differs && years(one) == years(other)))
}

fn is_year(figure: &str) -> bool {
    figure.len() == 4 && figure.parse::<u32>().is_ok_and(|year| (1000..2100).contains(&year))
}

/// The conflict between two sentences one of which says what is wrong in the other, and what is right.
fn corrected(one: &Said, other: &Said, citations: &[Citation]) -> Option<Conflict> {
    correction(one, other, citations).or_else(|| correction(other, one, citations))
}

fn correction(by: &Said, of: &Said, citations: &[Citation]) -> Option<Conflict> {
    if by.denied.is_disjoint(&of.figures) || !corrects(&by.sentence, &of.sentence) {
        return None;
    }
    let (one, other) = (by.side(citations)?, of.side(citations)?);
    // Who is better placed to know is corrected only by who knew what it said.
    let may = match Published::compared(one.date.as_deref(), other.date.as_deref()) {
        Some(Ordering::Greater) => true,
        Some(Ordering::Less) => false,
        Some(Ordering::Equal) | None => one.tier >= other.tier,
    };
    let (difference, reason) = (Difference::Number, Some(Reason::Corrected));
    may.then_some(Conflict { difference, one, other, reason })
}

/// Whether a sentence says of a figure of another that it is wrong, and which is right.
pub(super) fn corrects(by: &str, of: &str) -> bool {
    let (denied, own, others) = (denied(by), figures(by), figures(of));
    let Some(wrong) = denied.intersection(&others).next() else { return false };
    if !is_year(wrong) && are_of_other_years(&own, &others) {
        return false;
    }
    let has_own = own.iter().any(|it| !denied.contains(it) && !others.contains(it));
    let about = stems(by);
    let counts_same = counted(of, wrong).is_none_or(|what| about.contains(&what));
    has_own && counts_same && stems(of).intersection(&about).count() >= LEAST_CORRECTED
}

/// Whether the first, which says what is wrong, speaks of another year than the second, or compares years: then both
/// may be right.
fn are_of_other_years(own: &BTreeSet<String>, others: &BTreeSet<String>) -> bool {
    let years = |figures: &BTreeSet<String>| -> BTreeSet<String> {
        figures.iter().filter(|it| is_year(it)).cloned().gather()
    };
    let (own, others) = (years(own), years(others));
    own.len() > 1 || (!own.is_empty() && !others.is_empty() && own.is_disjoint(&others))
}

/// The conflict between two sentences, if there is one.
fn conflict(one: &Said, other: &Said, citations: &[Citation]) -> Option<Conflict> {
    let (first, second) = (citations.get(one.citation)?, citations.get(other.citation)?);
    let parsed = |said: &Said, title: &str| Parsed::new(&said.sentence, title);
    contradiction(
        Statement {
            side: &side(first, &one.sentence),
            opening: &one.quote,
            parsed: one.parsed.get_or_init(|| parsed(one, &first.title)),
        },
        Statement {
            side: &side(second, &other.sentence),
            opening: &other.quote,
            parsed: other.parsed.get_or_init(|| parsed(other, &second.title)),
        },
    )
}

fn side(citation: &Citation, sentence: &str) -> Side {
    Side {
        url: citation.url.clone(),
        title: citation.title.clone(),
        date: citation.published.clone(),
        quote: sentence.to_owned(),
        tier: Tier::numbered(citation.quality_tier),
    }
}

/// The stems of what a sentence is about; its numbers are what may differ.
pub(super) fn stems(sentence: &str) -> BTreeSet<String> {
    stems_of(&tokens(sentence))
}

fn stems_of(tokens: &[Token]) -> BTreeSet<String> {
    let words = tokens.iter().filter(|it| it.is_word() && !is_stop_word(&it.word));
    words.map(|token| stem(&token.word).into_owned()).gather()
}

#[cfg(test)]
#[path = "contradiction_tests.rs"]
mod tests;
