//! A sentence in clauses, as far as small words and signs show them: what each is about, which verbs carry
//! it, and what it denies.
//!
//! Border: a sentence in, clauses out. English; what cannot be told apart is left together, so that it fits no
//! question.

use super::words;
use quarry_evidence::text::{Token, tokens};
use quarry_evidence::verify::{self, Figures};
use std::ops::Range;

/// When a clause says that something is so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tense {
    Present,
    Past,
    /// `has been`: it was, and may still be.
    Perfect,
    Future,
}

/// The small verbs of a clause: `has never been`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    pub range: Range<usize>,
    pub is_denied: bool,
    /// Whether it was so and no longer is.
    pub has_ceased: bool,
    pub tense: Tense,
    /// The first of them if it says what may, must or will be.
    pub modal: Option<usize>,
    /// Whether the last of them is a form of *be*.
    pub is_be: bool,
}

/// A part of a sentence with a verb of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clause {
    pub range: Range<usize>,
    /// What stands before its verb; of a clause that goes on with the one before, what that is about.
    pub subject: Range<usize>,
    /// Its own verbs, or those that it shares with the clause before.
    pub group: Option<Group>,
    /// Where `…, not by the town` begins.
    pub denied_from: usize,
    /// Whether its time, place or condition stands in the clause before.
    pub is_fronted: bool,
    /// Whether it is about what the clause before ends with.
    pub is_relative: bool,
}

/// A sentence in words and clauses.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sentence<'s> {
    pub text: &'s str,
    pub tokens: Vec<Token>,
    pub roots: Vec<String>,
    pub figures: Figures,
    pub clauses: Vec<Clause>,
}

impl<'s> Sentence<'s> {
    pub(super) fn new(text: &'s str) -> Self {
        let tokens = tokens(text);
        let roots = tokens.iter().map(|token| verify::root(&token.word).into_owned()).collect();
        let figures = Figures::of(&tokens);
        let mut sentence = Sentence { text, tokens, roots, figures, clauses: Vec::new() };
        sentence.clauses = sentence.read_clauses();
        sentence
    }

    pub(super) fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.word.as_str())
    }

    pub(super) fn root(&self, at: usize) -> &str {
        self.roots.get(at).map_or("", String::as_str)
    }

    pub(super) fn has_word(&self, word: &str) -> bool {
        self.tokens.iter().any(|token| token.word == word)
    }

    /// What stands between a word and the one before it.
    pub(super) fn gap(&self, at: usize) -> &str {
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let (Some(before), Some(token)) = (before, self.tokens.get(at)) else { return "" };
        self.text.get(before.end..token.start).unwrap_or_default()
    }

    /// A word and its root.
    pub(super) fn both(&self, at: usize) -> (&str, &str) {
        (self.word(at), self.root(at))
    }

    /// Whether a word belongs to a number or date, its unit included.
    pub(super) fn is_figure(&self, at: usize) -> bool {
        let within = |from: usize, length: usize| (from..from + length).contains(&at);
        let quantities = self.figures.quantities.iter();
        quantities.clone().any(|it| !it.is_vague && within(it.at, it.length + it.unit))
            || self.figures.dates.iter().any(|it| within(it.at, it.length))
    }

    pub(super) fn is_content(&self, at: usize) -> bool {
        words::is_content(self.word(at)) && !self.is_figure(at)
    }

    /// The preposition that a word of this part depends on.
    pub(super) fn preposition(&self, at: usize, floor: usize) -> Option<&str> {
        let before = (floor..at).rev();
        let mut before = before.take_while(|at| !words::is_auxiliary(self.word(*at)));
        before.find(|at| words::is_preposition(self.word(*at))).map(|at| self.word(at))
    }

    /// Where the punctuation behind a word is that ends its part of the sentence.
    fn segment_end(&self, from: usize) -> usize {
        let ends = |at: &usize| self.gap(*at).contains([',', ';', ':', '(', ')', '–', '—']);
        (from + 1..self.tokens.len()).find(ends).unwrap_or(self.tokens.len())
    }

    fn has_verb(&self, part: Range<usize>) -> bool {
        let mut words = part.clone();
        words.any(|at| {
            // `a closed door`, `the promised sum`: what stands behind an article is no verb.
            let is_behind = at > part.start && words::is_determiner(self.word(at - 1));
            words::is_verb_like(self.word(at)) && !is_behind
        })
    }

    /// Whether `…, not by the town` begins here: a denial without a verb of its own.
    fn begins_denied_end(&self, at: usize) -> bool {
        let (word, next) = (self.word(at), self.word(at + 1));
        let is_linked = matches!(word, "but" | "and") && words::is_negation(next);
        let is_apart = self.gap(at).contains(',') && words::is_negation(word);
        let is_instead = matches!((word, next), ("rather", "than") | ("instead", "of"));
        (is_linked || is_apart || is_instead)
            && !matches!(self.word(at + 1), "only" | "just")
            && !matches!(self.word(at + 2), "only" | "just")
            && !self.has_verb(at..self.segment_end(at))
    }

    fn breaks(&self, at: usize, start: usize) -> bool {
        if self.gap(at).contains([';', ':', '(', ')', '–', '—', '"', '“', '”']) {
            return true;
        }
        if self.begins_denied_end(at) {
            return false;
        }
        let (word, next) = (self.word(at), self.word(at + 1));
        if words::begins_clause(word) {
            return true;
        }
        let has_verb = self.has_verb(start..at);
        let goes_on = || self.has_verb(at..self.segment_end(at));
        if self.gap(at).contains(',') {
            let is_fronted = !has_verb && words::is_preposition(self.word(start));
            return is_fronted || (has_verb && goes_on());
        }
        match word {
            "and" | "or" if has_verb => {
                words::is_verb_like(next)
                    || words::is_pronoun(next)
                    || words::is_negation(next)
                    || next == "there"
                    || goes_on()
            }
            "before" | "after" | "since" | "until" | "till" | "as" | "than" => {
                has_verb && goes_on()
            }
            _ => false,
        }
    }

    fn read_clauses(&self) -> Vec<Clause> {
        let mut starts = vec![0];
        for at in 1..self.tokens.len() {
            if self.breaks(at, starts.last().copied().unwrap_or_default()) {
                starts.push(at);
            }
        }
        let mut clauses: Vec<Clause> = Vec::new();
        for (place, start) in starts.iter().enumerate() {
            let end = starts.get(place + 1).copied().unwrap_or(self.tokens.len());
            let clause = self.clause(*start..end, &clauses);
            clauses.push(clause);
        }
        clauses
    }

    fn clause(&self, range: Range<usize>, known: &[Clause]) -> Clause {
        // Behind `…, which was built in 1931,` goes on what stands before it.
        let is_behind = self.gap(range.start).contains(',');
        let before = known.iter().rev().find(|it| !(is_behind && it.is_relative));
        let is_link =
            |at: &usize| matches!(self.word(*at), "and" | "or" | "but" | "so" | "yet" | "however");
        let first = range.clone().find(|at| !is_link(at)).unwrap_or(range.end);
        let own = self.group(range.clone());
        let begins = words::is_verb_like(self.word(first)) || words::is_negation(self.word(first));
        let verb = range.clone().find(|at| words::is_verb_like(self.word(*at)));
        let subject = first..own.as_ref().map_or(verb.unwrap_or(range.end), |own| own.range.start);
        let is_apart =
            self.gap(range.start).contains([';', ':', '(', ')', '–', '—', '"', '“', '”']);
        let goes_on = before.filter(|_| begins && !is_apart);
        // `was opened in 1893 and closed in 1966`.
        let shared = || goes_on.and_then(|before| before.group.clone()).filter(|it| it.is_be);
        let is_participle = self.word(first).ends_with("ed") || verb == Some(first);
        let group = own.or_else(|| shared().filter(|_| is_participle));
        let denied_from = (range.start + 1..range.end).find(|at| self.begins_denied_end(*at));
        let is_fronted = before.is_some_and(|before| {
            !self.has_verb(before.range.clone())
                && words::is_preposition(self.word(before.range.start))
                && self.gap(range.start).contains(',')
        });
        Clause {
            subject: goes_on.map_or(subject, |before| before.subject.clone()),
            group,
            denied_from: denied_from.unwrap_or(range.end),
            is_fronted: is_fronted || goes_on.is_some_and(|before| before.is_fronted),
            is_relative: words::is_relative(self.word(first)),
            range,
        }
    }

    fn group(&self, clause: Range<usize>) -> Option<Group> {
        let first = clause.clone().find(|at| words::is_auxiliary(self.word(*at)))?;
        let is_small = |at: &usize| {
            let word = self.word(*at);
            words::is_auxiliary(word)
                || words::is_negation(word)
                || words::is_filler(word) && !matches!(word, "and" | "or" | "here" | "instead")
                || (word.len() > 4 && word.ends_with("ly"))
        };
        let end = (first..clause.end).find(|at| !is_small(at)).unwrap_or(clause.end);
        let has_ceased =
            (first..end).any(|at| self.word(at) == "no" && self.word(at + 1) == "longer");
        // `has no effect`: what is denied is what follows.
        let end = match (first..end)
            .find(|at| self.word(*at) == "no" && self.word(*at + 1) != "longer")
        {
            Some(no) => no,
            None => end,
        };
        let last = (first..end).rfind(|at| words::is_auxiliary(self.word(*at))).unwrap_or(first);
        let negations = (first..end).filter(|at| words::is_negation(self.word(*at))).count();
        let word = self.word(first);
        let tense = match word {
            "was" | "were" | "did" | "had" => Tense::Past,
            _ if words::is_future(word) => Tense::Future,
            _ if words::is_have(word) && last > first => Tense::Perfect,
            // `have reopened`
            _ if words::is_have(word) && words::is_verb_like(self.word(end)) => Tense::Perfect,
            _ => Tense::Present,
        };
        Some(Group {
            is_denied: negations > 0,
            has_ceased,
            tense,
            modal: words::is_modal(word).then_some(first),
            is_be: words::is_be(self.word(last)),
            range: first..end,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let sentence = Sentence::new(text);
        let words = |range: &Range<usize>| -> String {
            range.clone().map(|at| sentence.word(at)).collect::<Vec<_>>().join(" ")
        };
        let clauses = sentence.clauses.iter();
        clauses.map(|it| format!("{} | {}", words(&it.subject), words(&it.range))).collect()
    }

    #[test]
    fn sentences_fall_into_clauses_with_what_each_is_about() {
        for (text, clauses) in [
            ("The dam is open.", &["the dam | the dam is open"][..]),
            (
                "It was opened in 1893, closed in 1966 and reopened in 1989.",
                &["it | it was opened in 1893", "it | closed in 1966", "it | and reopened in 1989"],
            ),
            (
                "The species lives in Moravia, Slovakia and Hungary.",
                &[
                    "the species lives in moravia slovakia and hungary | the species lives in moravia slovakia and hungary",
                ],
            ),
            (
                "Ada found two comets, but no asteroid.",
                &["ada | ada found two comets but no asteroid"],
            ),
            (
                "The dam, which was built in 1931, is open.",
                &["the dam | the dam", "which | which was built in 1931", "the dam | is open"],
            ),
            (
                "In 1931, the dam was opened.",
                &["in 1931 | in 1931", "the dam | the dam was opened"],
            ),
        ] {
            assert_eq!(shown(text), clauses, "{text}");
        }
    }

    #[test]
    fn the_verbs_of_a_clause_tell_when_and_whether() {
        let group = |text: &str| Sentence::new(text).clauses[0].group.clone().unwrap();
        let open = group("The dam has never been opened.");
        assert!(open.is_denied && open.is_be && open.tense == Tense::Perfect);
        let ceased = group("It is no longer used.");
        assert!(ceased.is_denied && ceased.has_ceased && ceased.tense == Tense::Present);
        assert!(!group("It has no roof.").is_denied);
        assert_eq!(group("It will be closed.").tense, Tense::Future);
    }
}
