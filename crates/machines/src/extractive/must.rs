//! What a sentence must speak of to answer a question: what the question is about, and not only how it asks.
//!
//! Border: the words of a part of a question in, its terms that cannot be done without out; no text of a source.

use super::changes;
use super::kind::{Kind, is_asking, is_auxiliary};
use super::lexicon::{Dimension, ends_as_done, is_done};
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
/// Words that name what is priced, at most.
const SINGLE: usize = 3;

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
    /// What somebody did, where it is asked who: to open is not to pay.
    pub act: Option<usize>,
    /// Of what a share is asked, and what is said of it; one of each must be spoken of.
    pub whole: BTreeSet<usize>,
    pub said_of_whole: BTreeSet<usize>,
    /// By whom, or about what: one of these must be spoken of.
    pub beside: BTreeSet<usize>,
    /// Stems of what is priced one by one: `What does a ticket cost?`
    pub single: BTreeSet<String>,
    /// Whether it asks when something is done as a rule: `When does it close?`
    pub is_of_habit: bool,
    /// Whether it asks by how much something went up or down.
    pub is_of_change: bool,
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

/// Of what a share is asked, and what is said of it.
#[derive(Default)]
struct Whole {
    whole: BTreeSet<usize>,
    said: BTreeSet<usize>,
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
        let whole = asked.whole();
        Must {
            manner: match (kind, asked.word(0)) {
                (Kind::Fact, "how") => Manner::How,
                (Kind::Polar, "should") => Manner::Should,
                _ => Manner::Plain,
            },
            is_of_past: (0..PAST).any(|at| matches!(asked.word(at), "did" | "was" | "were")),
            is_of_people: kind == Kind::Count && asked.is_of_people(),
            without: asked.without(),
            act: asked.act(),
            whole: whole.whole,
            said_of_whole: whole.said,
            beside: asked.beside(),
            single: asked.single(),
            is_of_habit: kind == Kind::Time && matches!(asked.word(1), "do" | "does"),
            is_of_change: changes::asks_for_change(&asked.words, kind),
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

    /// `Who paid for it?`
    fn act(&self) -> Option<usize> {
        let at = self.words.iter().position(|word| word == "who")? + 1;
        let is_act = self.kind == Kind::Person && !matches!(self.word(at), "became" | "becomes");
        self.terms(at..at + 1).first().copied().filter(|_| is_act)
    }

    /// `What percentage of the loans were e-books?`
    fn whole(&self) -> Whole {
        let is_share = matches!(self.kind, Kind::Amount([Dimension::Share]));
        let leads = |at: usize| {
            at > 0
                && matches!(
                    self.word(at - 1),
                    "cent"
                        | "fraction"
                        | "much"
                        | "percent"
                        | "percentage"
                        | "proportion"
                        | "share"
                )
        };
        let of = (0..self.words.len()).find(|at| self.word(*at) == "of" && leads(*at));
        let Some(begin) = of.filter(|_| is_share) else { return Whole::default() };
        let mut end = begin + 1;
        let mut is_named = false;
        while end < self.words.len() {
            let word = self.word(end);
            let ends =
                is_auxiliary(word) || (is_named && (words::is_stop_word(word) || is_done(word)));
            // The `s` of `the island's`.
            if ends && word != "s" {
                break;
            }
            is_named |= !words::is_stop_word(word);
            end += 1;
        }
        let terms = |range: Range<usize>| self.terms(range).into_iter().gather();
        Whole { whole: terms(begin + 1..end), said: terms(end..self.words.len()) }
    }

    /// `… is met by wind`, `… decide about lorries`. Names are looked for by themselves.
    fn beside(&self) -> BTreeSet<usize> {
        let is_passive = |at: usize| {
            let before = self.words.get(..at).unwrap_or_default();
            let is = |word: &String| {
                matches!(word.as_str(), "are" | "be" | "been" | "is" | "was" | "were")
            };
            before.last().is_some_and(|word| is_done(word)) && before.iter().any(is)
        };
        let leads = |at: &usize| match self.word(*at) {
            "about" | "concerning" | "regarding" => true,
            "by" => is_passive(*at),
            _ => false,
        };
        let Some(lead) = (1..self.words.len()).find(leads) else { return BTreeSet::new() };
        let is_article = |at: &usize| matches!(self.word(*at), "a" | "an" | "the");
        let from = (lead + 1..self.words.len()).find(|at| !is_article(at)).unwrap_or(lead + 1);
        let goes_on = |at: &usize| !words::is_stop_word(self.word(*at));
        let to = (from..self.words.len()).find(|at| !goes_on(at)).unwrap_or(self.words.len());
        let is_other = |at: usize| {
            self.capitals.get(at) == Some(&true)
                || self.word(at).starts_with(|c: char| c.is_ascii_digit())
        };
        if (from..to).any(is_other) {
            return BTreeSet::new();
        }
        self.terms(from..to).into_iter().gather()
    }

    /// What `a` or `each` stands before, where a price is asked.
    fn single(&self) -> BTreeSet<String> {
        let is_price = matches!(self.kind, Kind::Amount([Dimension::Money]));
        let is_one = |at: &usize| matches!(self.word(*at), "a" | "an" | "each" | "per");
        let ones = (0..self.words.len()).filter(|at| is_price && is_one(at));
        ones.flat_map(move |at| {
            let goes_on = move |at: &usize| {
                let word = self.word(*at);
                let is_small = words::is_stop_word(word) || is_auxiliary(word);
                let is_of_kind = self.kind.is_said_by(word) && !THINGS.contains(&word);
                !word.is_empty() && !is_small && !is_of_kind
            };
            (at + 1..=at + SINGLE).take_while(goes_on).map(move |at| words::stem(self.word(at)))
        })
        .gather()
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
        // `How was the weight limit approved?`
        let is_passive = self.kind == Kind::Fact
            && matches!(self.word(auxiliary), "is" | "are" | "was" | "were")
            && run.len() > 1
            && run.last().is_some_and(|at| ends_as_done(self.word(*at)));
        if (has_state && of_what > 1) || is_passive {
            run.pop();
        }
        // Names are looked for by themselves.
        if run.iter().any(|at| self.capitals.get(*at) == Some(&true)) {
            return None;
        }
        let terms = self.terms(*run.first()?..run.last()? + 1);
        if terms.is_empty() {
            return self.of_what(end);
        }
        // Of `How much did the tidal array earn?` the verb was the last word; elsewhere it may have an object.
        let is_last_alone = has_verb && self.kind.is_strict();
        let skipped = if is_last_alone { terms.len().saturating_sub(1) } else { 0 };
        must.one_of = terms.into_iter().skip(skipped).gather();
        Some(must).filter(|must| !must.one_of.is_empty())
    }

    /// `What is the price of milk?`: what it is the price of, where nothing is said of it but what is measured.
    fn of_what(&self, of: usize) -> Option<Must> {
        let is_small = |at: &usize| words::is_stop_word(self.word(*at));
        let from = (of + 1..self.words.len()).find(|at| !is_small(at))?;
        let to = (from..self.words.len()).find(is_small).unwrap_or(self.words.len());
        let is_named = (from..to).any(|at| self.capitals.get(at) == Some(&true));
        let is_wanted = self.word(of) == "of" && !is_named;
        let terms = if is_wanted { self.terms(from..to) } else { Vec::new() };
        Must::one_of(terms).filter(|must| !must.one_of.is_empty())
    }

    /// `Is it safe to …?`: what is asked of it.
    fn of_state(&self, auxiliary: usize, pronoun: usize) -> Option<Must> {
        let is = matches!(self.word(auxiliary), "is" | "are" | "was" | "were");
        let asks = self.kind == Kind::Polar && is && self.word(pronoun) == "it";
        let first = self.terms(pronoun + 1..self.words.len()).into_iter().take(1);
        if asks { Must::one_of(first) } else { None }
    }
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
            ("How was the weight limit approved?", &["weight", "limit"]),
            ("What is the price of the fresh milk?", &["fresh", "milk"]),
            ("What is the population of Ulm?", &[]),
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
    fn a_share_is_one_of_something_and_what_is_said_of_it() {
        let shares = |question: &str| {
            let all = words::words(question);
            let stems: Vec<String> = all.iter().map(|word| words::stem(word)).collect();
            let term = |stem: &str| stems.iter().position(|known| known == stem);
            let must = Must::of(question, Kind::of(&all), &term);
            let told = |terms: &BTreeSet<usize>| -> Vec<String> {
                terms.iter().map(|at| all[*at].clone()).collect()
            };
            [told(&must.whole), told(&must.said_of_whole), told(&must.beside)]
        };
        for (question, whole, said, beside) in [
            (
                "What percentage of the demand is met by wind?",
                &["demand"][..],
                &["met", "wind"][..],
                &["wind"][..],
            ),
            ("What percentage of bees carried pollen?", &["bees"], &["carried", "pollen"], &[]),
            (
                "How much of the island's electricity is imported?",
                &["island", "electricity"],
                &["imported"],
                &[],
            ),
            ("What did the council decide about lorries?", &[], &[], &["lorries"]),
            ("What was built by 1950?", &[], &[], &[]),
            ("How many stand by the river?", &[], &[], &[]),
        ] {
            assert_eq!(shares(question), [whole, said, beside], "{question}");
        }
    }

    #[test]
    fn what_is_priced_one_by_one_is_known() {
        let of =
            |question: &str| Must::of(question, Kind::of(&words::words(question)), &|_: &str| None);
        assert!(of("What does a bus ticket cost?").single.contains(&words::stem("ticket")));
        assert!(!of("What does a bus ticket cost?").single.contains(&words::stem("cost")));
        assert!(of("What does the bridge cost?").single.is_empty());
        assert!(
            of("When does the shop close?").is_of_habit && !of("When did it close?").is_of_habit
        );
    }

    #[test]
    fn what_was_done_with_money_counts() {
        let deed = |question: &str| musts(question).1;
        assert_eq!(deed("How much money did the tidal array earn?").as_deref(), Some("earn"));
        assert_eq!(deed("How much has the tidal array earned?").as_deref(), Some("earned"));
        assert_eq!(deed("How much did the tidal array cost?"), None);
    }
}
