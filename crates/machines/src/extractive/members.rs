//! Which of several figures of a sentence is meant: `18 euros for members and 30 euros for guests`.
//!
//! Border: a sentence with its figures in, those of them out that stand with what only they are said of.

use super::gather::Candidate;
use super::offers::Span;
use super::question::Part;
use super::words;
use std::collections::BTreeMap;
use std::ops::Range;

/// A sentence in words, and where each stands.
struct Words<'s> {
    text: &'s str,
    words: Vec<(String, Range<usize>)>,
}

impl<'s> Words<'s> {
    fn of(text: &'s str) -> Self {
        let mut words = Vec::new();
        words::each_word(text, |word, at| words.push((std::mem::take(word), at)));
        Words { text, words }
    }

    fn word(&self, at: usize) -> &str {
        self.words.get(at).map(|(word, _)| word.as_str()).unwrap_or_default()
    }

    /// What stands before a word, up to the one before it.
    fn gap(&self, at: usize) -> &'s str {
        let end = at.checked_sub(1).and_then(|at| self.words.get(at)).map_or(0, |it| it.1.end);
        let start = self.words.get(at).map_or(end, |it| it.1.start);
        self.text.get(end..start).unwrap_or_default()
    }

    fn parts_before(&self, at: usize) -> bool {
        self.gap(at).contains([',', ';', ':', '(', ')', '–', '—'])
            || matches!(self.word(at), "and" | "or" | "but" | "against" | "while")
    }

    /// The words of each figure: from where its member of the sentence begins to the next one's. What follows a
    /// figure at once as a member of its own belongs to the next: `a sail of 7.5 and a jib of 2.8`.
    fn members(&self, spans: &[Span]) -> Vec<Range<usize>> {
        let begin = |place: usize, span: &Span| {
            let before = place.checked_sub(1).and_then(|before| spans.get(before));
            let floor = before.map_or(0, |before| before.words.end);
            let mut places = (floor..=span.words.start).rev();
            places.find(|at| self.parts_before(*at)).unwrap_or(span.words.start)
        };
        let begins: Vec<usize> =
            spans.iter().enumerate().map(|(place, span)| begin(place, span)).collect();
        let end = |place: usize| begins.get(place + 1).copied().unwrap_or(self.words.len());
        begins.iter().enumerate().map(|(place, begin)| *begin..end(place)).collect()
    }

    /// Where the words begin that tell the first figure from others. What stands before it is said of all, but where
    /// the next figure has a clause of its own.
    fn first_begins(&self, first: &Span, members: &[Range<usize>]) -> usize {
        let next = members.get(1).map_or(self.words.len(), |member| member.start);
        let is_apart = next == first.words.end && self.gap(next).contains(';');
        if is_apart { 0 } else { first.words.start }
    }

    /// Whether a member is for people of this age; none where it names no bound.
    fn admits(&self, member: Range<usize>, age: u32) -> Option<bool> {
        member.clone().find_map(|at| {
            let bound: u32 = self.word(at).parse().ok()?;
            match at.checked_sub(1).filter(|at| member.contains(at)).map(|at| self.word(at))? {
                "under" | "below" => Some(age < bound),
                "over" | "above" | "from" => Some(age >= bound),
                _ => None,
            }
        })
    }
}

/// The figures that are meant, as far as the question tells; all of them where it does not.
pub(super) fn meant(
    candidate: &Candidate<'_>,
    spans: Vec<Span>,
    part: &Part,
    rarity: &[f64],
) -> Vec<Span> {
    if !part.kind.is_figure() || spans.len() < 2 {
        return spans;
    }
    let text = Words::of(candidate.text());
    let members = text.members(&spans);
    if let Some(age) = age(&part.text) {
        let admits = |at: usize| text.admits(members.get(at).cloned()?, age);
        let is_open = |at: usize| admits(at) != Some(false);
        let bound = (0..spans.len()).find(|at| admits(*at) == Some(true));
        return kept(spans, |at| bound.map_or_else(|| is_open(at), |bound| at == bound));
    }
    let said: Vec<BTreeMap<usize, f64>> = members
        .iter()
        .zip(&spans)
        .enumerate()
        .map(|(place, (member, span))| {
            let is_first = place == 0;
            let from = if is_first { text.first_begins(span, &members) } else { member.start };
            said(candidate, from..member.end, part)
        })
        .collect();
    let worth = |term: usize, strength: f64| {
        let weight = part.weights.get(&term).copied().unwrap_or_default();
        weight * strength * rarity.get(term).copied().unwrap_or_default()
    };
    let telling = |own: &BTreeMap<usize, f64>| -> f64 {
        let holders = |term: &usize| said.iter().filter(|it| it.contains_key(term)).count();
        let telling = own.iter().filter(|(term, _)| holders(term) == 1);
        telling.map(|(term, strength)| worth(*term, *strength)).sum()
    };
    let tells: Vec<f64> = said.iter().map(telling).collect();
    let most = tells.iter().copied().fold(0.0, f64::max);
    if most <= 0.0 {
        let named: Vec<bool> = spans.iter().map(|span| span.is_named).collect();
        return kept(spans, |at| named.get(at) == Some(&true));
    }
    kept(spans, |at| tells.get(at).is_some_and(|tells| *tells >= most - f64::EPSILON))
}

/// Those of them that are wanted; all where none is.
fn kept(spans: Vec<Span>, is_wanted: impl Fn(usize) -> bool) -> Vec<Span> {
    let wanted: Vec<bool> = (0..spans.len()).map(is_wanted).collect();
    if !wanted.contains(&true) {
        return spans;
    }
    spans.into_iter().zip(wanted).filter(|(_, wanted)| *wanted).map(|(span, _)| span).collect()
}

/// Terms that these words say, and how plainly.
fn said(candidate: &Candidate<'_>, words: Range<usize>, part: &Part) -> BTreeMap<usize, f64> {
    let mut said: BTreeMap<usize, f64> = BTreeMap::new();
    let here = candidate.inside.iter().filter(|hit| words.contains(&hit.place));
    // What is counted is counted by all of them.
    for hit in here.filter(|hit| part.is_about(hit.term)) {
        let known = said.entry(hit.term).or_default();
        *known = known.max(hit.strength);
    }
    said
}

/// The age that a question names: `for a 30-year-old`.
fn age(question: &str) -> Option<u32> {
    let words = words::words(question);
    let at = (0..words.len()).find(|at| is_age(&words, *at))?;
    words.get(at)?.parse().ok()
}

/// Whether an age is told from this word on: `30 years old`.
fn is_age(words: &[String], at: usize) -> bool {
    let word = |at: usize| words.get(at).map(String::as_str).unwrap_or_default();
    let is_number = !word(at).is_empty() && word(at).bytes().all(|byte| byte.is_ascii_digit());
    is_number && matches!(word(at + 1), "year" | "years") && word(at + 2) == "old"
}

/// Whether a word of a question only tells an age.
pub(super) fn tells_age(words: &[String], at: usize) -> bool {
    (at.saturating_sub(2)..=at).any(|from| is_age(words, from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_told_by_three_words() {
        assert_eq!(age("How much is a pass for a 30-year-old?"), Some(30));
        assert_eq!(age("How much was it in 2023?"), None);
        let words = words::words("for a 30-year-old man");
        let told: Vec<bool> = (0..words.len()).map(|at| tells_age(&words, at)).collect();
        assert_eq!(told, [false, false, true, true, true, false]);
    }
}
