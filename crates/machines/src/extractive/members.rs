//! Which of several figures of a sentence is meant: `18 euros for members and 30 euros for guests`.
//!
//! Border: a sentence with its figures in, those of them out that stand with what only they are said of.

use super::gather::Candidate;
use super::kind::{is_asking, is_auxiliary};
use super::lexicon;
use super::offers::Span;
use super::question::Part;
use super::words;
use quarry_types::order::Gather;
use std::collections::{BTreeMap, BTreeSet};
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

    /// The words that lead to the first figure in its own member, where others lead to the second: `for three days 129
    /// euros, for one day 59 euros`. They are said of the first alone, or of all.
    fn lead(&self, spans: &[Span], members: &[Range<usize>]) -> Option<Range<usize>> {
        let (first, second) = (spans.first()?, spans.get(1)?);
        let tells = |at: usize| {
            let word = self.word(at);
            !words::is_stop_word(word) && !is_auxiliary(word) && !self.parts_before_alone(at)
        };
        let has_own = (members.get(1)?.start..second.words.start).any(tells);
        let begin = (0..=first.words.start).rev().find(|at| self.parts_before(*at)).unwrap_or(0);
        (has_own && begin < first.words.start).then_some(begin..first.words.start)
    }

    /// Whether a word only parts what stands before it from what follows.
    fn parts_before_alone(&self, at: usize) -> bool {
        matches!(self.word(at), "against" | "but" | "while")
    }

    /// What the first figure is said of, right before the verb of its member: `the water is 27 degrees`.
    fn subject(&self, lead: &Range<usize>, part: &Part) -> Range<usize> {
        let is_verb = |at: &usize| {
            let word = self.word(*at);
            is_auxiliary(word) || lexicon::is_done(word) || part.kind.is_said_by(word)
        };
        let verb = lead.clone().skip(1).find(is_verb);
        verb.map_or(lead.start..lead.start, |verb| verb - 1..verb)
    }

    /// Of figures that no term tells apart the one behind the first with which alone a word of the question stands, `one`
    /// included; the first where there is none or more than one.
    fn told_by_words(&self, lead: &Range<usize>, members: &[Range<usize>], part: &Part) -> usize {
        let asked: BTreeSet<String> = words::words(&part.text)
            .iter()
            .filter(|word| {
                let is_small = words::is_stop_word(word) && *word != "one";
                !is_small && !is_auxiliary(word) && !is_asking(word)
            })
            .map(|word| words::stem(word))
            .gather();
        let said = |place: usize, member: &Range<usize>| -> BTreeSet<String> {
            let lead = if place == 0 { lead.clone() } else { 0..0 };
            let stems = lead.chain(member.clone()).map(|at| words::stem(self.word(at)));
            stems.filter(|stem| asked.contains(stem)).gather()
        };
        let said: Vec<BTreeSet<String>> =
            members.iter().enumerate().map(|(place, member)| said(place, member)).collect();
        let is_alone = |stem: &String| said.iter().filter(|own| own.contains(stem)).count() == 1;
        let is_told = |own: &BTreeSet<String>| own.iter().any(is_alone);
        let mut told = (1..said.len()).filter(|at| said.get(*at).is_some_and(is_told));
        match (told.next(), told.next()) {
            (Some(told), None) => told,
            _ => 0,
        }
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
    let lead = text.lead(&spans, &members).filter(|_| spans.iter().all(|span| span.is_named));
    let said: Vec<BTreeMap<usize, f64>> = members
        .iter()
        .zip(&spans)
        .enumerate()
        .map(|(place, (member, span))| {
            let from = match (place, &lead) {
                (0, Some(_)) => span.words.start,
                (0, None) => text.first_begins(span, &members),
                _ => member.start,
            };
            said(candidate, from..member.end, part)
        })
        .collect();
    let told = Told { candidate, part, rarity, said };
    let tells = told.tells(lead.clone());
    let most = tells.iter().copied().fold(0.0, f64::max);
    let is_most = |at: usize| tells.get(at).is_some_and(|tells| *tells >= most - f64::EPSILON);
    if let Some(lead) = &lead {
        if most <= 0.0 {
            let meant = text.told_by_words(lead, &members, part);
            return kept(spans, |at| at == meant);
        }
        // What is asked of both is of neither: the water of a pool, where water and pool have one figure each.
        if !is_most(0) && told.of_first_alone(text.subject(lead, part)) >= most - f64::EPSILON {
            return Vec::new();
        }
    }
    if most <= 0.0 {
        let named: Vec<bool> = spans.iter().map(|span| span.is_named).collect();
        return kept(spans, |at| named.get(at) == Some(&true));
    }
    kept(spans, is_most)
}

/// Terms that the members of a sentence say, and how plainly.
struct Told<'m, 'a> {
    candidate: &'m Candidate<'a>,
    part: &'m Part,
    rarity: &'m [f64],
    said: Vec<BTreeMap<usize, f64>>,
}

impl Told<'_, '_> {
    fn worth(&self, term: usize, strength: f64) -> f64 {
        let weight = self.part.weights.get(&term).copied().unwrap_or_default();
        weight * strength * self.rarity.get(term).copied().unwrap_or_default()
    }

    /// What each member counts for what it alone says; what leads to the first figure the others say no more alone.
    fn tells(&self, lead: Option<Range<usize>>) -> Vec<f64> {
        let led = lead.map(|lead| said(self.candidate, lead, self.part)).unwrap_or_default();
        let telling = |(place, own): (usize, &BTreeMap<usize, f64>)| -> f64 {
            let holders =
                |term: &usize| self.said.iter().filter(|it| it.contains_key(term)).count();
            let is_led = |term: &usize| place > 0 && led.contains_key(term);
            let telling = own.iter().filter(|(term, _)| holders(term) == 1 && !is_led(term));
            telling.map(|(term, strength)| self.worth(*term, *strength)).sum()
        };
        self.said.iter().enumerate().map(telling).collect()
    }

    /// What counts that is said of the first figure alone, by its subject; names and what stands above are of all.
    fn of_first_alone(&self, subject: Range<usize>) -> f64 {
        let is_firsts = |term: &usize| {
            let is_others = self.said.iter().any(|own| own.contains_key(term));
            let is_above = self.candidate.above.contains_key(term);
            !is_others && !is_above && !self.part.names.contains(term)
        };
        let subject = said(self.candidate, subject, self.part);
        let own = subject.iter().filter(|(term, _)| is_firsts(term));
        own.map(|(term, strength)| self.worth(*term, *strength)).sum()
    }
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
