//! Synthesis: which findings stand, and how far.
//!
//! | rule | settled here |
//! |---|---|
//! | snippet | words of a citable passage, found after folding of spaces, quotes, dashes and marks of Markdown; what is kept is cut from the passage. Under 4 words the sentence around is taken; over 1,000 bytes it is cut |
//! | without a model | of each part of the question that is answered the best sentence, what two other voices say nearly as well, and who answers with another figure, with a sentence that names both or says what they mean; and a sentence that corrects one of these, or that one of these corrects |
//! | wrong passage | a snippet of 3 words or more that stands in another citable passage moves there (64 of a reply are looked for); else it is lost and counted |
//! | no snippet | the finding is unverified |
//! | check | the claim against each passage of its snippets, then against all its snippets together: `not_found`, or another number, date, place in a row, unit, or one denying the other, makes it unverified, and an uncertainty says which |
//! | word for word | a claim that stands in such a passage is said there, unless the passage denies it or has reserve |
//! | in part | what no snippet says is named as an uncertainty, and so are a missing name, changed places, a contrary word, an exception left out, reserve |
//! | equal claims | the same stems: one finding with the snippets of all |
//! | bounds | 600 characters a claim, 12 findings; of more, unverified ones go first |
//! | confidence | supported 0.55, in part 0.30, in part and a name is missing 0.15; + 0.20 × coverage; + 0.15 for tier 1, 0.08 for tier 2; + 0.05 for each of two further voices; unverified 0.3 × coverage. A model's own number is not read |
//!
//! Border: drafts and the passages that they may rest on in; findings out.

pub use super::drafts::{Draft, DraftSnippet, MOST_DRAFTS, by_rule, read_reply};

use super::quality;
use quarry_events::run::{Citation, EvidenceSnippet, Finding};
use quarry_evidence::cite::{Folded, Known, PassageId, Sought, Target};
use quarry_evidence::text::{is_stop_word, sentences, stem, tokens};
use quarry_evidence::verify::{Check, Claim, Index, Text, Verdict, Veto};
use quarry_types::order::Gather;
use quarry_types::text::{cut, first_bytes};
use std::collections::{BTreeMap, BTreeSet};

/// The version of these rules.
pub const VERSION: u32 = 4;

/// Findings of one node that are kept.
const MOST_FINDINGS: usize = 12;
/// Characters of a claim.
const CLAIM: usize = 600;
/// Bytes of a quotation.
const QUOTE: usize = 1_000;
/// Words below which a quotation is shown with the sentence around it.
const ALONE: usize = 4;
/// Words from which on a quotation may stand elsewhere than it is said to.
const TELLING: usize = 3;
/// Snippets of one reply that are looked for in all passages.
const MOST_LOOKED_FOR: usize = 64;
/// Snippets of one finding.
const MOST_SNIPPETS: usize = 8;
/// Missing words that an uncertainty names.
const NAMED: usize = 6;

/// What stood the check.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Checked {
    /// The findings, in the order of the drafts.
    pub findings: Vec<Finding>,
    /// Snippets that stand nowhere in the passages.
    pub rejected_snippets: u64,
}

/// Checks drafts against the passages of the sources that `citations` describe; others are no evidence.
/// `next_id` is the number of the first finding: `f3`.
#[must_use]
pub fn check(drafts: &[Draft], known: &Known, citations: &[Citation], next_id: usize) -> Checked {
    let mut desk = Desk::new(known, citations);
    let mut checked = Checked::default();
    for draft in merged(drafts) {
        let snippets = desk.snippets(&draft, &mut checked.rejected_snippets);
        checked.findings.push(desk.finding(draft, &snippets));
    }
    keep_best(&mut checked.findings);
    for (finding, n) in checked.findings.iter_mut().zip(next_id..) {
        finding.finding_id = format!("f{n}");
    }
    checked
}

/// Leaves out what goes beyond the bound: the last of the unverified, then the last of all.
fn keep_best(findings: &mut Vec<Finding>) {
    let verified = findings.iter().filter(|finding| finding.verified).count();
    let mut room = MOST_FINDINGS.saturating_sub(verified);
    findings.retain(|finding| {
        let fits = finding.verified || room > 0;
        room = room.saturating_sub(usize::from(!finding.verified));
        fits
    });
    findings.truncate(MOST_FINDINGS);
}

/// Drafts with their claims made plain; those that claim the same joined.
fn merged(drafts: &[Draft]) -> Vec<Draft> {
    let mut places: BTreeMap<BTreeSet<String>, usize> = BTreeMap::new();
    let mut merged: Vec<Draft> = Vec::new();
    for draft in drafts.iter().take(MOST_DRAFTS) {
        let claim = cut(&without_markers(&draft.claim), CLAIM);
        let stems = stems(&claim);
        if stems.is_empty() {
            continue;
        }
        let at = *places.entry(stems).or_insert(merged.len());
        match merged.get_mut(at) {
            Some(first) => {
                first.evidence.extend(draft.evidence.iter().cloned());
                first.uncertainties.extend(draft.uncertainties.iter().cloned());
            }
            None => merged.push(Draft { claim, ..draft.clone() }),
        }
    }
    merged
}

/// What a claim is about, and whether it denies it.
fn stems(claim: &str) -> BTreeSet<String> {
    let tells = |word: &str| !is_stop_word(word) || word == "not";
    let words = tokens(claim).into_iter().filter(|token| tells(&token.word));
    words.map(|token| stem(&token.word).into_owned()).gather()
}

/// A claim on one line, without the names of passages that a model puts behind it.
fn without_markers(claim: &str) -> String {
    let mut out = String::with_capacity(claim.len());
    for (n, piece) in claim.split('[').enumerate() {
        let (inside, rest) = piece.split_once(']').unwrap_or(("", piece));
        let mut names = inside.split([',', ';', ' ']).filter(|name| !name.is_empty()).peekable();
        let is_marker = names.peek().is_some() && names.all(|it| PassageId::parse(it).is_some());
        if n > 0 && is_marker {
            let rest = if rest.starts_with(['.', ',', ';']) { rest } else { rest.trim_start() };
            let gap = !rest.is_empty() && !rest.starts_with(['.', ',', ';']);
            out.truncate(out.trim_end().len());
            out.push_str(if gap { " " } else { "" });
            out.push_str(rest);
        } else {
            out.push_str(if n > 0 { "[" } else { "" });
            out.push_str(piece);
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A snippet that stands in a passage.
struct Found<'c> {
    passage: usize,
    quote: String,
    citation: &'c Citation,
}

/// What drafts are checked with.
struct Desk<'k> {
    known: &'k Known,
    /// By passage: the citation of its source; none where it may not be cited.
    citable: Vec<Option<&'k Citation>>,
    /// By passage, made when it is asked for.
    folded: BTreeMap<usize, Folded>,
    /// How many snippets may still be looked for in all passages.
    searches: usize,
}

impl<'k> Desk<'k> {
    fn new(known: &'k Known, citations: &'k [Citation]) -> Self {
        let by_number: BTreeMap<usize, &Citation> = citations
            .iter()
            .filter_map(|it| Some((quality::source_number(&it.citation_id)?, it)))
            .gather();
        let of = |source: usize| by_number.get(&known.source(source)?.n).copied();
        let citable = known.passages().iter().map(|passage| of(passage.source)).collect();
        Desk { known, citable, folded: BTreeMap::new(), searches: MOST_LOOKED_FOR }
    }

    /// The snippets of a draft that stand somewhere; the others are counted.
    fn snippets(&mut self, draft: &Draft, rejected: &mut u64) -> Vec<Found<'k>> {
        let mut found: Vec<Found<'k>> = Vec::new();
        for snippet in &draft.evidence {
            match self.find(snippet) {
                Some(new) => {
                    let is_new = |it: &Found| it.passage != new.passage || it.quote != new.quote;
                    if found.len() < MOST_SNIPPETS && found.iter().all(is_new) {
                        found.push(new);
                    }
                }
                None => *rejected += 1,
            }
        }
        found
    }

    fn find(&mut self, snippet: &DraftSnippet) -> Option<Found<'k>> {
        let named = snippet.passage.as_deref().and_then(PassageId::parse);
        let named = named.and_then(|id| match self.known.by_id(id)? {
            Target::Passage(at) => Some(at),
            Target::Source(_) | Target::Twins(_) => None,
        });
        let sought = Sought::new(&snippet.quote);
        if let Some(found) = named.and_then(|at| self.cut(at, &sought)) {
            return Some(found);
        }
        let is_telling = tokens(&snippet.quote).len() >= TELLING;
        self.searches = self.searches.checked_sub(usize::from(is_telling))?;
        let all = if is_telling { 0..self.citable.len() } else { 0..0 };
        all.into_iter().find_map(|at| self.cut(at, &sought))
    }

    /// The words of a passage that a quotation means.
    fn cut(&mut self, at: usize, quote: &Sought) -> Option<Found<'k>> {
        let citation = (*self.citable.get(at)?)?;
        let text = self.known.text(at);
        let place = self.folded.entry(at).or_insert_with(|| Folded::new(text)).find(quote)?;
        let words = tokens(text.get(place.clone())?).len();
        let place = if words < ALONE { around(text, &place) } else { place };
        let quote = text.get(place)?;
        let quote = first_bytes(quote, QUOTE).trim_end();
        Some(Found { passage: at, quote: quote.to_owned(), citation })
    }

    fn finding(&mut self, draft: Draft, snippets: &[Found<'_>]) -> Finding {
        let Draft { claim, mut uncertainties, .. } = draft;
        let best = self.judge(&claim, snippets);
        let objection = objection(best.as_ref());
        let verified = objection.is_none();
        uncertainties.extend(objection.map(str::to_owned));
        if let Some(check) = best.as_ref().filter(|_| verified) {
            uncertainties.extend(reservations(check));
        }
        let mut seen = BTreeSet::new();
        uncertainties.retain(|it| seen.insert(it.clone()));
        let mut citation_ids: Vec<String> = Vec::new();
        for Found { citation, .. } in snippets {
            if !citation_ids.contains(&citation.citation_id) {
                citation_ids.push(citation.citation_id.clone());
            }
        }
        let shown = snippets.iter().map(|it| EvidenceSnippet {
            citation_id: it.citation.citation_id.clone(),
            quote: it.quote.clone(),
            passage: self.known.passage(it.passage).map(|passage| passage.id.to_string()),
        });
        Finding {
            finding_id: String::new(),
            confidence: confidence(best.as_ref(), verified, snippets),
            claim,
            evidence_snippets: shown.collect(),
            citation_ids,
            uncertainties,
            verified,
        }
    }

    /// What the check of a claim gives against what it rests on, at its best.
    fn judge(&mut self, text: &str, snippets: &[Found<'_>]) -> Option<Check> {
        let claim = Claim::new(text);
        let passages: BTreeSet<usize> = snippets.iter().map(|snippet| snippet.passage).gather();
        let mut checks: Vec<Check> = Vec::new();
        for at in passages {
            let check = self.known.index().check(&claim, at).unwrap_or_default();
            let is_quoted = self.folded.get(&at).is_some_and(|passage| stands_in(text, passage));
            let is_doubted = [Veto::Polarity, Veto::Reserve, Veto::Antonym, Veto::Question];
            let is_doubted = is_doubted.iter().any(|veto| check.vetoes.contains(veto));
            checks.push(if is_quoted && !is_doubted {
                let (vetoes, missing) = Default::default();
                Check { verdict: Verdict::Supported, coverage: 1.0, vetoes, missing, ..check }
            } else {
                check
            });
        }
        if snippets.len() > 1 && checks.iter().all(|check| objection(Some(check)).is_some()) {
            checks.extend(self.together(&claim, snippets));
        }
        let rank =
            |check: &Check| (objection(Some(check)).is_none(), check.verdict, check.coverage);
        checks.into_iter().reduce(|best, next| if rank(&next) > rank(&best) { next } else { best })
    }

    /// A claim may be put together from several places: the check against all its snippets as one text.
    fn together(&self, claim: &Claim, snippets: &[Found<'_>]) -> Option<Check> {
        let titles: BTreeSet<&str> = snippets.iter().map(|it| it.citation.title.as_str()).gather();
        let context = titles.into_iter().collect::<Vec<_>>().join(" · ");
        let quotes: Vec<&str> = snippets.iter().map(|it| it.quote.as_str()).collect();
        let text = quotes.join(" ");
        Index::new([Text { context: &context, text: &text }]).check(claim, 0)
    }
}

/// Whether a claim stands word for word in a passage, with nothing left out.
fn stands_in(claim: &str, passage: &Folded) -> bool {
    let sought = Sought::new(claim);
    sought.is_whole() && tokens(claim).len() >= TELLING && passage.find(&sought).is_some()
}

/// The sentences of a text that hold this place.
fn around(text: &str, place: &std::ops::Range<usize>) -> std::ops::Range<usize> {
    let before = text.get(..place.start).unwrap_or_default();
    let from = before.rfind('\n').map_or(0, |at| at + 1);
    let behind = text.get(place.end..).unwrap_or_default();
    let to = behind.find('\n').map_or(text.len(), |at| place.end + at);
    let line = text.get(from..to).unwrap_or_default();
    let mut wide = place.clone();
    for range in sentences(line) {
        let range = from + range.start..from + range.end;
        if range.start < place.end && place.start < range.end {
            wide = wide.start.min(range.start)..wide.end.max(range.end);
        }
    }
    wide
}

/// What speaks against a finding whose claim was checked so, in a sentence; nothing where it stands.
fn objection(check: Option<&Check>) -> Option<&'static str> {
    let Some(check) = check else {
        return Some("No quotation of a source stands behind it.");
    };
    if check.verdict == Verdict::NotFound {
        return Some("Its sources do not seem to say it.");
    }
    let objections = [
        (Veto::Number, "Its sources do not give this number or year."),
        (Veto::Date, "Its sources do not give this date."),
        (Veto::Ordinal, "Its sources do not give this place in a row."),
        (Veto::Unit, "Its sources give the number in another unit."),
        (Veto::Polarity, "It denies what its sources say, or says what they deny."),
    ];
    let mut found = objections.into_iter().filter(|(veto, _)| check.vetoes.contains(veto));
    found.next().map(|(_, words)| words)
}

/// What a finding that stands leaves open.
fn reservations(check: &Check) -> Vec<String> {
    let mut open = Vec::new();
    if check.verdict == Verdict::Partly && !check.missing.is_empty() {
        let missing: Vec<&str> = check.missing.iter().take(NAMED).map(String::as_str).collect();
        open.push(format!("Its sources say it in part; they lack: {}.", missing.join(", ")));
    }
    let doubts = [
        (Veto::Entity, "Its sources do not name there what it names."),
        (Veto::Swapped, "Its sources say it of the other."),
        (Veto::Antonym, "Its sources use a word that means the contrary."),
        (Veto::Absolute, "It leaves no exception where its sources do not say so."),
        (Veto::Reserve, "Its sources say it with reserve."),
    ];
    let doubts = doubts.into_iter().filter(|(veto, _)| check.vetoes.contains(veto));
    open.extend(doubts.map(|(_, words)| words.to_owned()));
    open
}

/// How far a finding can be relied on: see the table above.
fn confidence(check: Option<&Check>, verified: bool, snippets: &[Found<'_>]) -> f64 {
    let Some(check) = check else { return 0.0 };
    let score = if verified {
        let base = match check.verdict {
            Verdict::Supported => 0.55,
            _ if check.vetoes.contains(&Veto::Entity) => 0.15,
            _ => 0.30,
        };
        let tier = snippets.iter().map(|it| it.citation.quality_tier).min();
        let tier = match tier {
            Some(1) => 0.15,
            Some(2) => 0.08,
            _ => 0.0,
        };
        let voices: BTreeSet<&str> = snippets.iter().map(|it| it.citation.voice.as_str()).gather();
        #[allow(clippy::cast_precision_loss, reason = "two at most")]
        let further = voices.len().saturating_sub(1).min(2) as f64;
        base + 0.20 * check.coverage + tier + 0.05 * further
    } else {
        0.3 * check.coverage
    };
    (score.clamp(0.0, 1.0) * 1_000.0).round() / 1_000.0
}

#[cfg(test)]
#[path = "synthesis_tests.rs"]
mod tests;
