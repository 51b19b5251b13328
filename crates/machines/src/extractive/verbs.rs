//! Which figures, days and names of a sentence go with the verb that was asked for: `built in 1936 and repaired in 1998`.
//!
//! Border: a sentence with what may answer in; what stands in the clauses of that verb out.

use super::gather::{Candidate, Hit};
use super::kind::Kind;
use super::lexicon;
use super::offers::Span;
use super::question::Part;
use super::words;
use quarry_types::order::Gather;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Words between a name and the clause that tells of it, at most.
const REACH: usize = 4;

/// Of what may answer, what stands in a clause with the verb that was asked for; all of it where no clause has that.
pub(super) fn beside_verb(
    candidate: &Candidate<'_>,
    mut spans: Vec<Span>,
    part: &Part,
) -> Vec<Span> {
    // The cells of a row share no verb.
    if spans.is_empty() || words::has_cells(candidate.text()) {
        return spans;
    }
    let Clauses { words, of_words, leans_on, nouns } = Clauses::of(candidate.text());
    let is_own = |term: &usize| match part.sequence.as_slice() {
        [] => part.weights.contains_key(term),
        own => own.contains(term),
    };
    let is_asked =
        |hit: &&Hit| is_own(&hit.term) && words.get(hit.place).is_some_and(|word| is_verb(word));
    let verbs = || candidate.inside.iter().filter(is_asked);
    // Who asks what was repaired is not told what was only kept up, where both are said.
    let plainest = verbs().map(|hit| hit.strength).fold(0.0, f64::max);
    let asked = verbs().filter(|hit| hit.strength >= plainest);
    let asked: BTreeSet<usize> = asked.filter_map(|hit| of_words.get(hit.place)).copied().gather();
    if asked.is_empty() {
        return spans;
    }
    // `Vera Lund, who built it`: of whom a clause tells stands before it.
    let reach = if part.kind == Kind::Person { REACH } else { 0 };
    let noun = |end: &usize| {
        let before = spans.iter().rev().find(|span| span.words.end <= *end)?;
        (end - before.words.end <= reach).then_some(before.words.start)
    };
    let told_of = asked.iter().filter_map(|clause| nouns.get(clause));
    let told_of: BTreeSet<usize> = told_of.filter_map(noun).gather();
    let clause = |span: &Span| of_words.get(span.words.start).copied().unwrap_or_default();
    let own = |span: &Span| asked.contains(&clause(span)) || told_of.contains(&span.words.start);
    if spans.iter().any(own) {
        spans.retain(own);
        return spans;
    }
    // `two sailors fell and drowned`, `it was bought and restored in 1902`: both verbs share what one has.
    let is_before_verb = |clause: usize, at: usize| {
        let own = words.iter().zip(&of_words).take(at).filter(|(_, it)| **it == clause);
        !own.map(|(word, _)| word).any(|word| may_be_verb(word))
    };
    let ends_in_verb = |clause: &usize| {
        let last = words.iter().zip(&of_words).rev().find(|(_, it)| *it == clause);
        last.is_some_and(|(word, _)| is_verb(word))
    };
    spans.retain(|span| {
        let at = clause(span);
        let mut next = leans_on.iter().filter(|(_, on)| **on == at);
        let is_subject =
            next.any(|(next, _)| asked.contains(next)) && is_before_verb(at, span.words.start);
        let before = leans_on.get(&at).filter(|before| asked.contains(*before));
        is_subject || before.is_some_and(ends_in_verb)
    });
    spans
}

/// The words of a text, and the clause that each stands in. What has no verb goes on with what stands before it, and
/// at the beginning with what follows. A clause with `who` or `which` is one of its own, behind which the other goes on.
struct Clauses {
    words: Vec<String>,
    of_words: Vec<usize>,
    /// Clauses without a subject of their own, and those whose they share: `and restored in 1902`.
    leans_on: BTreeMap<usize, usize>,
    /// Behind which word of whom or what a clause with `who` or `which` tells.
    nouns: BTreeMap<usize, usize>,
}

impl Clauses {
    fn of(text: &str) -> Self {
        let (words, pieces) =
            words::in_pieces(text, |word, gap| is_joining(word) || is_marked(gap));
        let (_, marked) = words::in_pieces(text, |_, gap| is_marked(gap));
        let (mut of_words, mut reading) = (Vec::new(), Reading::default());
        for (run, opening) in runs(&words, &pieces, &marked) {
            let own = words.get(run.clone()).unwrap_or_default();
            let clause = reading.clause(own, run.start, opening);
            of_words.resize(run.end, clause);
        }
        let Reading { leans_on, nouns, .. } = reading;
        Clauses { words, of_words, leans_on, nouns }
    }
}

/// How a run of words begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opening {
    /// Behind a mark.
    Mark,
    /// With a word that joins, or the text.
    Word,
    /// With `who`, `which` or `that`.
    Relative,
    /// Behind a clause that began so, with no mark between.
    Back,
}

/// The runs of words that a text consists of.
fn runs(words: &[String], pieces: &[usize], marked: &[usize]) -> Vec<(Range<usize>, Opening)> {
    let mut runs = Vec::new();
    let mut from = 0;
    for piece in pieces.chunk_by(usize::eq) {
        let to = from + piece.len();
        let own = words.get(from..to).unwrap_or_default();
        let follows_mark = from > 0 && marked.get(from) != marked.get(from - 1);
        let opening = match follows_mark {
            true if begins_relative(own) => Opening::Relative,
            true => Opening::Mark,
            false => Opening::Word,
        };
        match relative(own).filter(|_| opening != Opening::Relative) {
            Some(inner) => {
                let (begin, end) = (from + inner.start, from + inner.end);
                runs.push((from..begin, opening));
                runs.push((begin..end, Opening::Relative));
                if end < to {
                    runs.push((end..to, Opening::Back));
                }
            }
            None => runs.push((from..to, opening)),
        }
        from = to;
    }
    runs
}

/// Whether words behind a mark are a clause with `who` or `which`.
fn begins_relative(words: &[String]) -> bool {
    let rest = match words {
        [of, which, rest @ ..] if of == "of" && is_relative(which) => rest,
        [who, rest @ ..] if is_relative(who) => rest,
        _ => return false,
    };
    has_verb(rest) || rest.first().is_some_and(|verb| may_be_verb(verb))
}

/// The words of a clause that no mark sets off: up to the verb of the sentence.
fn relative(words: &[String]) -> Option<Range<usize>> {
    let is = |at: usize| words.get(at).is_some_and(|word| may_be_verb(word));
    let begins = |at: &usize| {
        let is_pronoun = words.get(*at).is_some_and(|word| word == "that" || is_relative(word));
        // `It is said that was …`
        is_pronoun && is(at + 1) && !is(at - 1)
    };
    let begin = (1..words.len()).find(begins)?;
    let behind = (begin + 1..words.len()).find(|at| !is(*at)).unwrap_or(words.len());
    let end = (behind..words.len()).find(|at| is(*at)).unwrap_or(words.len());
    Some(begin..end)
}

/// Where the reading of clauses is.
#[derive(Debug, Default)]
struct Reading {
    main: usize,
    /// Whether the main clause has its verb.
    is_told: bool,
    /// The clause within it.
    inner: Option<usize>,
    last: usize,
    leans_on: BTreeMap<usize, usize>,
    nouns: BTreeMap<usize, usize>,
}

impl Reading {
    /// The clause of the words that begin at a place.
    fn clause(&mut self, own: &[String], from: usize, opening: Opening) -> usize {
        if opening == Opening::Relative {
            let clause = self.next();
            if own.first().is_some_and(|first| first != "of") {
                self.nouns.insert(clause, from);
            }
            self.inner = Some(clause);
            return clause;
        }
        let goes_on = match opening {
            Opening::Word => true,
            // `who was born in 1880, studied in Ulm and died in 1960`
            Opening::Mark => self.is_told && own.first().is_some_and(|first| may_be_verb(first)),
            Opening::Relative | Opening::Back => false,
        };
        self.inner = self.inner.filter(|_| goes_on);
        let has_verb = has_verb(own);
        if let Some(inner) = self.inner {
            return if has_verb { self.next_inner(own, inner) } else { inner };
        }
        if has_verb && self.is_told {
            let next = self.next();
            self.lean(own, next, self.main);
            self.main = next;
        }
        self.is_told |= has_verb;
        self.main
    }

    fn next(&mut self) -> usize {
        self.last += 1;
        self.last
    }

    /// A further clause that tells of the same.
    fn next_inner(&mut self, own: &[String], inner: usize) -> usize {
        let next = self.next();
        self.lean(own, next, inner);
        if let Some(noun) = self.nouns.get(&inner).copied() {
            self.nouns.insert(next, noun);
        }
        self.inner = Some(next);
        next
    }

    /// Notes that a clause shares the subject of another, where it has none.
    fn lean(&mut self, own: &[String], clause: usize, on: usize) {
        if let [join, verb, ..] = own
            && is_joining(join)
            && may_be_verb(verb)
        {
            self.leans_on.insert(clause, on);
        }
    }
}

fn is_joining(word: &str) -> bool {
    matches!(word, "and" | "but" | "then" | "whereas" | "while")
}

fn is_marked(gap: &str) -> bool {
    gap.contains([',', ';', ':', '(', ')', '–', '—'])
}

fn is_relative(word: &str) -> bool {
    matches!(word, "which" | "who" | "whom" | "whose")
}

fn may_be_verb(word: &str) -> bool {
    is_finite(word) || is_verb(word)
}

/// Whether a sentence may have this form as its only verb.
fn is_finite(word: &str) -> bool {
    matches!(word, "are" | "did" | "had" | "has" | "have" | "is" | "was" | "were")
}

/// Whether these words say by themselves what was so or was done. `Of which` and `who` say it of what stands before.
fn has_verb(words: &[String]) -> bool {
    let leans =
        |first: &String| matches!(first.as_str(), "of" | "which" | "who" | "whom" | "whose");
    // `repaired in 1998`, but not `salvaged timber`.
    let goes_on = |next: &String| {
        words::is_stop_word(next)
            || lexicon::is_number_word(next)
            || next.starts_with(|c: char| c.is_ascii_digit())
            || matches!(
                next.as_str(),
                "after" | "again" | "before" | "off" | "out" | "until" | "up"
            )
    };
    let says = |(at, word): (usize, &String)| {
        is_finite(word) || (is_verb(word) && words.get(at + 1).is_none_or(goes_on))
    };
    !words.first().is_some_and(leans) && words.iter().enumerate().any(says)
}

/// Whether a word, lower case, looks like a verb of what was done: `children` are a form of another word as well.
fn is_verb(word: &str) -> bool {
    let is_form = lexicon::ends_as_done(word) || lexicon::base(word).is_some() || word == "born";
    is_form
        && !words::is_many(word)
        && !lexicon::is_number_word(word)
        && !matches!(word, "death" | "feet")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_has_a_verb() {
        for (text, expected) in [
            (
                "The ship was launched in 1902 and sunk in 1917.",
                &["The ship was launched in 1902", "and sunk in 1917"][..],
            ),
            (
                "On Monday, after a storm, it was closed.",
                &["On Monday after a storm it was closed"],
            ),
            (
                "It was made of oak and salvaged pine, 40 feet long.",
                &["It was made of oak and salvaged pine 40 feet long"],
            ),
            ("Six crews came; two were sent home.", &["Six crews came", "two were sent home"]),
            (
                "Ada Pohl, who had drawn it, was paid 90 marks, of which 20 were lost.",
                &["Ada Pohl was paid 90 marks", "who had drawn it", "of which 20 were lost"],
            ),
            (
                "Vera Lund, who built it in 1931 and sold it in 1940, died in 1960.",
                &["Vera Lund died in 1960", "who built it in 1931", "and sold it in 1940"],
            ),
            (
                "The engineer who built it in 1931 died in 1960.",
                &["The engineer died in 1960", "who built it in 1931"],
            ),
            (
                "It was built by Vera Lund, who was born in 1880, studied in Ulm and died in 1960.",
                &[
                    "It was built by Vera Lund",
                    "who was born in 1880",
                    "studied in Ulm",
                    "and died in 1960",
                ],
            ),
            (
                "It is said that the mill burned in 1960.",
                &["It is said that the mill burned in 1960"],
            ),
        ] {
            let Clauses { words, of_words, .. } = Clauses::of(text);
            let count = of_words.iter().max().map_or(0, |last| last + 1);
            let said = |clause: usize| {
                let own = words.iter().zip(&of_words).filter(|(_, it)| **it == clause);
                own.map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(" ")
            };
            let said: Vec<String> = (0..count).map(said).collect();
            let expected: Vec<String> = expected.iter().map(|it| it.to_lowercase()).collect();
            assert_eq!(said, expected, "{text}");
        }
    }
}
