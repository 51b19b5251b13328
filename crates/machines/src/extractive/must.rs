//! What a sentence must speak of to answer a question: what the question is about, and not only how it asks.
//!
//! Border: the words of a part of a question in, its terms that cannot be done without out; no text of a source.

use super::kind::{Kind, is_asking, is_auxiliary};
use super::lexicon::{self, Dimension};
use super::parts::is_pronoun;
use super::words;
use quarry_types::order::Gather;
use std::collections::BTreeSet;
use std::ops::Range;

/// Words among which `did` or `was` stands that asks.
const PAST: usize = 3;
/// Words between the asking word and its auxiliary, at most.
const FRONT: usize = 6;
/// Words of the subject that are read.
const SUBJECT: usize = 7;

/// In what way a part asks, where sharing words shows little.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Manner {
    #[default]
    Plain,
    /// `How did it come about?`
    How,
    /// `Should it be so?`
    Should,
}

/// What cannot be done without, and what must not be there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Must {
    pub manner: Manner,
    /// Whether it asks what was, or was done.
    pub is_of_past: bool,
    /// Whether it asks how many people live somewhere.
    pub is_of_people: bool,
    /// The stem of what is to be done without: `How do I get there without a car?`
    pub without: Option<String>,
    /// Of these one must be spoken of; none: nothing is known of what it is about.
    pub one_of: BTreeSet<usize>,
    /// What was done with money: to earn is not to build.
    pub deed: Option<usize>,
}

/// Auxiliaries behind which the verb stands at the end.
const WITH_VERB: [&str; 11] =
    ["can", "could", "did", "do", "does", "may", "might", "must", "should", "will", "would"];

/// Words that say which one, and not of what.
const WHICH: [&str; 19] = [
    "average", "bad", "big", "current", "exact", "first", "good", "last", "latest", "main", "new",
    "next", "old", "original", "present", "small", "total", "typical", "usual",
];

/// Of the words that say what kind of answer is wanted, those that name a thing.
const THINGS: [&str; 6] = ["admission", "fare", "fee", "salary", "ticket", "toll"];

/// A part of a question in words.
struct Asked<'q, T> {
    words: Vec<String>,
    capitals: Vec<bool>,
    kind: Kind,
    /// The number of a word's term.
    term: &'q T,
}

impl Must {
    pub(super) fn of(text: &str, kind: Kind, term: &impl Fn(&str) -> Option<usize>) -> Must {
        let (mut all, mut capitals) = (Vec::new(), Vec::new());
        words::each_word(text, |word, at| {
            let first = text.get(at).and_then(|word| word.chars().next());
            capitals.push(first.is_some_and(char::is_uppercase));
            all.push(std::mem::take(word));
        });
        let asked = Asked { words: all, capitals, kind, term };
        Must {
            manner: match (kind, asked.word(0)) {
                (Kind::Fact, "how") => Manner::How,
                (Kind::Polar, "should") => Manner::Should,
                _ => Manner::Plain,
            },
            is_of_past: (0..PAST).any(|at| matches!(asked.word(at), "did" | "was" | "were")),
            is_of_people: kind == Kind::Count && asked.is_of_people(),
            without: asked.without(),
            ..asked.read().unwrap_or_default()
        }
    }

    fn one_of(terms: impl IntoIterator<Item = usize>) -> Option<Must> {
        Some(Must { one_of: terms.into_iter().gather(), ..Must::default() })
    }
}

impl<T: Fn(&str) -> Option<usize>> Asked<'_, T> {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).map(String::as_str).unwrap_or_default()
    }

    fn is_of_people(&self) -> bool {
        let has = |wanted: &str| self.words.iter().any(|word| word == wanted);
        let live = ["live", "lived", "lives", "living"];
        has("population") || (has("people") && live.into_iter().any(has))
    }

    fn without(&self) -> Option<String> {
        let at = self.words.iter().position(|word| word == "without")?;
        let mut behind = self.words.iter().skip(at + 1);
        behind.find(|word| !words::is_stop_word(word)).map(|word| words::stem(word))
    }

    /// Terms of these words that say what is spoken of.
    fn terms(&self, range: Range<usize>) -> Vec<usize> {
        let words = self.words.get(range.start..range.end.min(self.words.len()));
        let telling = words.unwrap_or_default().iter().filter(|word| self.tells(word));
        telling.filter_map(|word| (self.term)(&words::stem(word))).collect()
    }

    fn tells(&self, word: &str) -> bool {
        let is_of_kind = self.kind.is_said_by(word) && !THINGS.contains(&word);
        !words::is_stop_word(word)
            && !is_auxiliary(word)
            && !is_which(word)
            && !is_pronoun(word)
            && !is_asking(word)
            && !words::is_pale(word)
            && !is_of_kind
    }

    fn read(&self) -> Option<Must> {
        let asking = self.words.iter().position(|word| is_asking(word));
        let Some(at) = asking else {
            return is_auxiliary(self.word(0)).then(|| self.of_subject(0)).flatten();
        };
        let auxiliary = (at + 1..at + 1 + FRONT).find(|at| is_auxiliary(self.word(*at)));
        let count = self.words.len();
        let who = self.word(at) == "who";
        let is_measured = self.word(at) == "how" && self.kind != Kind::Count;
        match auxiliary {
            // `Who may borrow a boat?`
            Some(it) if who && it == at + 1 && WITH_VERB.contains(&self.word(it)) => {
                Must::one_of(self.terms(at + 3..count))
            }
            Some(it) if !who || it <= at + 3 => {
                // `What ransom was paid?`, `How much of the damage is caused by wind?`
                let is = matches!(self.word(it), "is" | "are" | "was" | "were");
                let has_noun = matches!(self.word(at), "what" | "which") || (is_measured && is);
                let noun = if has_noun { self.terms(at + 1..it) } else { Vec::new() };
                if noun.is_empty() { self.of_subject(it) } else { Must::one_of(noun) }
            }
            // `Who built the lighthouse?`
            _ if who || self.word(at) == "what" => Must::one_of(self.terms(at + 2..count)),
            _ => None,
        }
    }

    /// What is spoken of behind an auxiliary.
    fn of_subject(&self, auxiliary: usize) -> Option<Must> {
        let begin = auxiliary + 1;
        let is_person = |word: &str| is_pronoun(word) || matches!(word, "i" | "we" | "you");
        let mut run: Vec<usize> = Vec::new();
        let mut end = begin;
        while end < self.words.len().min(begin + SUBJECT) {
            let word = self.word(end);
            let is_small = words::is_stop_word(word);
            if !run.is_empty() && (is_small || is_auxiliary(word)) {
                break;
            }
            if word == "there" {
                return None;
            }
            if is_person(word) {
                return self.of_state(auxiliary, end);
            }
            if !is_small {
                run.push(end);
            }
            end += 1;
        }
        let has_verb = WITH_VERB.contains(&self.word(auxiliary));
        // `How much has the array earned?`
        let is_done = matches!(self.word(auxiliary), "had" | "has" | "have")
            && run.last().is_some_and(|at| is_done(self.word(*at)));
        let mut must = Must::default();
        if (has_verb || is_done) && run.len() > 1 && !is_auxiliary(self.word(end)) {
            let verb = run.pop()?;
            let is_sum = matches!(self.kind, Kind::Amount([Dimension::Money]));
            must.deed = self.terms(verb..verb + 1).first().copied().filter(|_| is_sum);
        }
        // `When is the tower open?`
        let of_what = run.iter().filter(|at| !is_which(self.word(**at))).count();
        let has_state = matches!(self.kind, Kind::Polar | Kind::Time) && !has_verb && !is_done;
        if has_state && of_what > 1 {
            run.pop();
        }
        // Names are looked for by themselves.
        if run.iter().any(|at| self.capitals.get(*at) == Some(&true)) {
            return None;
        }
        let terms = self.terms(*run.first()?..run.last()? + 1);
        // Of `How much did the tidal array earn?` the verb was the last word; elsewhere it may have an object.
        let is_last_alone = has_verb && self.kind.is_strict();
        let skipped = if is_last_alone { terms.len().saturating_sub(1) } else { 0 };
        must.one_of = terms.into_iter().skip(skipped).gather();
        Some(must).filter(|must| !must.one_of.is_empty())
    }

    /// `Is it safe to …?`: what is asked of it.
    fn of_state(&self, auxiliary: usize, pronoun: usize) -> Option<Must> {
        let is = matches!(self.word(auxiliary), "is" | "are" | "was" | "were");
        let asks = self.kind == Kind::Polar && is && self.word(pronoun) == "it";
        let first = self.terms(pronoun + 1..self.words.len()).into_iter().take(1);
        if asks { Must::one_of(first) } else { None }
    }
}

/// Whether a word, lower case, looks like what somebody has done.
fn is_done(word: &str) -> bool {
    word.ends_with("ed") || lexicon::base(word).is_some()
}

fn is_which(word: &str) -> bool {
    WHICH.contains(&word) || (word.len() > 4 && word.ends_with("est"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of which one must be spoken of, and what was done.
    fn musts(question: &str) -> (Vec<String>, Option<String>) {
        let all = words::words(question);
        let stems: Vec<String> = all.iter().map(|word| words::stem(word)).collect();
        let term = |stem: &str| stems.iter().position(|known| known == stem);
        let must = Must::of(question, Kind::of(&all), &term);
        let word = |at: &usize| all[*at].clone();
        (must.one_of.iter().map(word).collect(), must.deed.as_ref().map(word))
    }

    #[test]
    fn a_question_is_about_something() {
        for (question, about) in [
            ("When is the next bus?", &["bus"][..]),
            ("When is the lighthouse tower open to visitors?", &["lighthouse", "tower"]),
            ("Is the course free?", &["course"]),
            ("Is it safe to drive over the bridge?", &["safe"]),
            ("How much was the toll in 2016?", &["toll"]),
            ("Who built the lighthouse?", &["lighthouse"]),
            ("Who may borrow a dinghy?", &["dinghy"]),
            ("What ransom was paid for the duke?", &["ransom"]),
            ("When does the weight limit end?", &["limit"]),
            ("How many boats are there?", &[]),
            ("How much of the damage is caused by wind?", &["damage"]),
            ("How tall is the Eiffel Tower?", &[]),
            ("When did it open?", &[]),
        ] {
            assert_eq!(musts(question).0, about, "{question}");
        }
    }

    #[test]
    fn what_must_not_be_there_is_known() {
        let must =
            |question: &str| Must::of(question, Kind::of(&words::words(question)), &|_: &str| None);
        assert_eq!(must("How do I get there without a car?").without.as_deref(), Some("car"));
        assert_eq!(must("How did it change?").manner, Manner::How);
        assert_eq!(must("Should it be closed?").manner, Manner::Should);
        assert!(must("Why did it close?").is_of_past && !must("Why is it closed?").is_of_past);
        assert!(must("How many people live in Ulm?").is_of_people);
        assert!(!must("How many people drowned?").is_of_people);
    }

    #[test]
    fn what_was_done_with_money_counts() {
        let deed = |question: &str| musts(question).1;
        assert_eq!(deed("How much money did the tidal array earn?").as_deref(), Some("earn"));
        assert_eq!(deed("How much has the tidal array earned?").as_deref(), Some("earned"));
        assert_eq!(deed("How much did the tidal array cost?"), None);
    }
}
