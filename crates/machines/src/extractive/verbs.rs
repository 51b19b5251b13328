//! Which figures, days and names of a sentence go with the verb that was asked for: `built in 1936 and repaired in 1998`.
//!
//! Border: a sentence with what may answer in; what stands in the clauses of that verb out.

use super::gather::{Candidate, Hit};
use super::lexicon;
use super::offers::Span;
use super::question::Part;
use super::words;
use quarry_types::order::Gather;
use std::collections::BTreeSet;

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
    let Clauses { words, of_words, leaning } = Clauses::of(candidate.text());
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
    let clause = |span: &Span| of_words.get(span.words.start).copied().unwrap_or_default();
    let own = |span: &Span| asked.contains(&clause(span));
    if spans.iter().any(own) {
        spans.retain(own);
        return spans;
    }
    // `two sailors fell and drowned`, `it was bought and restored in 1902`: both verbs share what one has.
    let is_before_verb = |clause: usize, at: usize| {
        let own = words.iter().zip(&of_words).take(at).filter(|(_, it)| **it == clause);
        !own.map(|(word, _)| word).any(|word| is_finite(word) || is_verb(word))
    };
    let ends_in_verb = |clause: usize| {
        let last = words.iter().zip(&of_words).rev().find(|(_, it)| **it == clause);
        last.is_some_and(|(word, _)| is_verb(word))
    };
    let leans = |clause: usize| leaning.contains(&clause);
    spans.retain(|span| {
        let at = clause(span);
        let is_subject =
            leans(at + 1) && asked.contains(&(at + 1)) && is_before_verb(at, span.words.start);
        let before = at.checked_sub(1).filter(|before| asked.contains(before));
        is_subject || (leans(at) && before.is_some_and(ends_in_verb))
    });
    spans
}

/// The words of a text, and the clause that each stands in. What has no verb goes on with what stands before it, and
/// at the beginning with what follows.
struct Clauses {
    words: Vec<String>,
    of_words: Vec<usize>,
    /// Clauses without a subject of their own: `and restored in 1902`.
    leaning: BTreeSet<usize>,
}

impl Clauses {
    fn of(text: &str) -> Self {
        let begins = |word: &str, gap: &str| {
            is_joining(word) || gap.contains([',', ';', ':', '(', ')', '–', '—'])
        };
        let (words, pieces) = words::in_pieces(text, begins);
        let (mut of_words, mut clause, mut from) = (Vec::new(), 0, 0);
        let (mut leaning, mut is_told) = (BTreeSet::new(), false);
        for piece in pieces.chunk_by(usize::eq) {
            let to = from + piece.len();
            let own = words.get(from..to).unwrap_or_default();
            let has_verb = has_verb(own);
            let is_next = has_verb && is_told;
            clause += usize::from(is_next);
            is_told |= has_verb;
            if let [join, verb, ..] = own
                && is_next
                && is_joining(join)
                && (is_finite(verb) || is_verb(verb))
            {
                leaning.insert(clause);
            }
            of_words.resize(to, clause);
            from = to;
        }
        Clauses { words, of_words, leaning }
    }
}

fn is_joining(word: &str) -> bool {
    matches!(word, "and" | "but" | "then" | "whereas" | "while")
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
    let is_form = lexicon::ends_as_done(word) || lexicon::base(word).is_some();
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
                &["Ada Pohl who had drawn it was paid 90 marks of which 20 were lost"],
            ),
        ] {
            let Clauses { words, of_words, .. } = Clauses::of(text);
            let count = of_words.last().map_or(0, |last| last + 1);
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
