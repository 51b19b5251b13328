//! Numbers of what a question counts.
//!
//! Border: a sentence in words and what is to be counted in, what it offers out. A number that counts another
//! thing is no answer, however near it stands.

use super::kind::is_auxiliary;
use super::lexicon;
use super::offers::{Fit, Offer, Sentence, Span, Token};
use super::question;
use super::words;
use std::collections::BTreeSet;
use std::ops::Range;

/// Words between a number and what it counts, at most, with that.
const REACH: usize = 3;

/// What a number is to what is counted.
enum Counted {
    /// It stands with its noun, which ends here.
    Named(usize),
    /// Nothing stands behind it that it could count.
    Bare { is_behind: bool },
    /// It counts another thing.
    Other,
    /// It measures something, or has the name of a thing: `boat 7`.
    Nothing { may_fit: bool },
}

impl Sentence<'_> {
    pub(super) fn count(&self) -> Offer {
        let mut spans: Vec<Span> = Vec::new();
        let mut loose = Fit::None;
        let mut labels: BTreeSet<usize> = BTreeSet::new();
        let mut counts_others = false;
        let mut at = 0;
        while at < self.tokens.len() {
            let is_named = spans.iter().any(|span| span.is_named);
            let Some(to) = self.counting(at, is_named) else {
                at += 1;
                continue;
            };
            if self.is_label(at, to, &labels) {
                labels.insert(at);
                at = to + 1;
                continue;
            }
            if let Some(noun) = self.repeated_noun(at, to, spans.last()) {
                let span = self.span(at, to, true);
                spans.extend(span.map(|span| Span { unit: Some(noun), ..span }));
                at = to + 1;
                continue;
            }
            match self.counted(at, to) {
                Counted::Named(noun) if !self.is_whole(at) && self.is_done_to(noun) => {
                    let may_be_all = self.is_asked("there");
                    loose = loose.max(if may_be_all { Fit::Weak } else { Fit::None });
                }
                Counted::Named(noun) => spans.extend(self.span(at, noun, true)),
                // `2,650 vehicles in 2023, against 1,900 in 2013`
                Counted::Bare { .. } if counts_others && !is_named => {}
                Counted::Bare { is_behind } => spans.extend(self.span(at, to, is_behind)),
                Counted::Other => {
                    counts_others = true;
                    // Miners are people, and no table knows all words for people.
                    let may_be = self.wanted.counted.contains(&words::stem("people"));
                    loose = loose.max(if may_be { Fit::Weak } else { Fit::None });
                }
                Counted::Nothing { may_fit: true } => loose = loose.max(Fit::Weak),
                Counted::Nothing { may_fit: false } => {}
            }
            at = to + 1;
        }
        if spans.iter().all(|span| !span.is_named) && !spans.is_empty() {
            return Offer { fit: Fit::Weak, spans };
        }
        Offer::with(spans, loose)
    }

    /// Where what is counted stands that a number leaves out: `Reed scored 3 goals and Marsh scored 5`.
    fn repeated_noun(&self, at: usize, to: usize, last: Option<&Span>) -> Option<Range<usize>> {
        let last = last.filter(|last| last.is_named && last.unit.is_none())?;
        let before = at.checked_sub(1).filter(|before| *before >= last.words.end)?;
        let parts = |at: usize| !self.is_joined(at) || matches!(self.lower(at), "and" | "while");
        let is_alike = self.lower(before) == self.before(last.words.start);
        let is_large = |at: &usize| self.token(*at).is_some_and(|it| it.is_capital);
        let first = (last.words.end..at).rev().take_while(is_large).last();
        let is_name = first.is_some_and(|first| parts(first) || parts(first - 1))
            && !self.numbers_a_thing(at, to);
        let noun = self.token(last.words.end - 1)?;
        let is_told = (is_alike || is_name)
            && self.ends_clause(to)
            && (last.words.end..=at).any(parts)
            && !words::has_cells(self.text);
        is_told.then(|| noun.at.clone())
    }

    fn is_counted(&self, at: usize) -> bool {
        self.token(at).is_some_and(|it| self.wanted.counted.contains(&words::stem(&it.lower)))
    }

    /// The last word of the number that begins here and may count; `one` does where it is said of one more:
    /// `members two, guests one`.
    fn counting(&self, at: usize, is_named: bool) -> Option<usize> {
        let is_few = match self.lower(at) {
            "no" | "several" => self.is_counted(at + 1),
            // `One boat was repaired` tells which, not how many.
            "one" => {
                (at > 0 && self.is_counted(at + 1))
                    || (is_named && self.ends_clause(at))
                    || self.whole(at).is_some()
            }
            _ => false,
        };
        self.number(at).or(is_few.then_some(at)).filter(|_| !self.is_date(at))
    }

    /// `boats 7 to 9`
    fn is_label(&self, at: usize, to: usize, labels: &BTreeSet<usize>) -> bool {
        let is_short = self.token(at).is_some_and(|it| it.is_number && it.lower.len() <= 2);
        let before = at.checked_sub(1);
        // `Of the 31 boats 14 are new.`
        let is_told = |noun: usize| noun > 0 && self.is_figure(noun - 1);
        let is_noun = |it: usize| self.is_counted(it) && !self.is_entry(it, at) && !is_told(it);
        let is_behind_noun = before.is_some_and(is_noun) && self.is_joined(at);
        let ends_range = self.before(at) == "to"
            && at.checked_sub(2).is_some_and(|first| labels.contains(&first));
        (is_short && to == at && is_behind_noun) || ends_range
    }

    /// `Bunk beds 14`, but not `Boats 7 and 8`.
    fn is_entry(&self, noun: usize, number: usize) -> bool {
        let begins =
            !self.is_joined(noun) || noun.checked_sub(1).is_some_and(|it| !self.is_joined(it));
        let is_last = self.ends_clause(number) && !self.is_number(number + 1);
        begins && is_last && words::is_many(self.lower(noun))
    }

    fn counted(&self, at: usize, to: usize) -> Counted {
        // `0.7 GWh` are measured, though counted in the question.
        let is_measure = self.is_joined(to + 1) && self.is_counted(to + 1);
        let is_whole = to > at || is_measure || !self.lower(at).contains('.');
        let is_half = to == at && self.lower(at) == "half";
        let is_none = is_half || self.is_clock(at) || self.is_ratio(at) || self.is_share(to);
        if !is_whole || is_none || self.follows_rank(at) || self.numbers_a_thing(at, to) {
            return Counted::Nothing { may_fit: false };
        }
        if let Some(noun) = self.whole(to) {
            return match self.portion(noun) {
                Portion::Part => Counted::Named(to),
                Portion::Whole | Portion::Untold => Counted::Nothing { may_fit: true },
            };
        }
        if let Some(noun) = self.noun(to) {
            let is_other = self.is_whole(at) && !matches!(self.portion(noun), Portion::Whole);
            return if is_other {
                Counted::Nothing { may_fit: true }
            } else {
                Counted::Named(noun)
            };
        }
        if self.is_bound(at, to) {
            return Counted::Nothing { may_fit: false };
        }
        if self.names_another(to + 1) {
            return Counted::Other;
        }
        let is_behind = self.follows_noun(at);
        let is_digit = to == at && self.token(at).is_some_and(|it| it.lower.len() == 1);
        let is_bare = is_digit && self.token(at).is_some_and(|it| it.is_number);
        if is_bare && !is_behind && !self.is_cell(at) {
            return Counted::Nothing { may_fit: false };
        }
        // `of lorries: 40 tonnes`
        let has_unit = self.is_unit(to + 1);
        let is_measured = has_unit && self.is_joined(to + 1) && self.lower(to + 1) != "per";
        match is_measured || (has_unit && !is_behind) {
            true => Counted::Nothing { may_fit: true },
            false => Counted::Bare { is_behind },
        }
    }

    /// Whether a word is all that a cell holds.
    fn is_cell(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| words::fills_cell(self.text, &token.at))
    }

    /// `54% more plants` count no plants.
    fn is_share(&self, to: usize) -> bool {
        let behind = self.token(to).and_then(|token| self.text.get(token.at.end..));
        let has_sign = behind.is_some_and(|rest| rest.trim_start().starts_with('%'));
        let is_per_cent = self.lower(to + 1) == "per" && self.lower(to + 2) == "cent";
        has_sign || is_per_cent || matches!(self.lower(to + 1), "percent" | "percentage")
    }

    /// `the third of five children` has none of them.
    fn follows_rank(&self, at: usize) -> bool {
        const RANKS: [&str; 10] = [
            "eldest", "fifth", "first", "fourth", "last", "oldest", "second", "sixth", "third",
            "youngest",
        ];
        let rank = at.checked_sub(2).map(|rank| self.lower(rank)).unwrap_or_default();
        self.before(at) == "of" && RANKS.contains(&rank)
    }

    /// `three in ten`
    fn is_ratio(&self, at: usize) -> bool {
        let is_number = |back: usize| {
            let token = at.checked_sub(back).and_then(|at| self.token(at));
            token.is_some_and(|it| it.is_number || lexicon::is_number_word(&it.lower))
        };
        self.before(at) == "in" && (is_number(2) || is_number(3))
    }

    /// What is counted, behind its number; `50 metres between lorries` counts none.
    fn noun(&self, to: usize) -> Option<usize> {
        let is_number = |it: &Token| it.is_number || lexicon::is_number_word(&it.lower);
        let goes_on = |at: &usize| {
            let measures = *at > to + 1 && self.is_unit(at - 1);
            self.is_joined(*at) && !measures && !self.token(*at).is_some_and(is_number)
        };
        let mut reached = (to + 1..=to + REACH).take_while(goes_on);
        reached.find(|at| self.is_counted(*at))
    }

    /// `84 lorries were turned away` tells how many were, and not how many there are, unless that is asked.
    fn is_done_to(&self, noun: usize) -> bool {
        const COUNTED: [&str; 12] = [
            "called",
            "counted",
            "found",
            "given",
            "known",
            "listed",
            "needed",
            "noted",
            "planned",
            "recorded",
            "registered",
            "reported",
        ];
        let is = matches!(self.lower(noun + 1), "was" | "were");
        let done = self.lower(noun + 2);
        let is_form = (done.len() > 4 && done.ends_with("ed")) || lexicon::base(done).is_some();
        is && is_form
            && self.is_joined(noun + 2)
            && !COUNTED.contains(&done)
            && !self.is_kin_asked(done)
    }

    /// Whether the question has a word, or one that may stand for it.
    fn is_kin_asked(&self, word: &str) -> bool {
        let kin = question::kin(word);
        self.wanted.asked.iter().any(|asked| kin.contains(&words::stem(asked)))
    }

    /// What is counted, before its number: `steps: 196`, `its people are 300`.
    fn follows_noun(&self, at: usize) -> bool {
        let leads = |word: usize| {
            self.gap(word).is_some_and(|gap| !gap.contains([',', ';', '.', '(', ')', '–', '—']))
        };
        let before = (at.saturating_sub(REACH)..at).rev();
        let mut before = before.take_while(|word| leads(word + 1));
        before.any(|word| self.is_counted(word))
    }

    /// Whether a noun stands here that is not the one to be counted; after a number nouns are many.
    fn names_another(&self, at: usize) -> bool {
        let mut nouns = (at..at + 2).take_while(|at| {
            let word = self.lower(*at);
            let is_number = self.token(*at).is_some_and(|it| it.is_number);
            self.is_joined(*at) && !is_number && !words::is_stop_word(word) && !ties(word)
        });
        nouns.any(|at| words::is_many(self.lower(at)))
    }
}

/// Of what a sentence tells what is asked, where it has a part and a whole.
enum Portion {
    /// `How many of them voted?`
    Part,
    /// `How many are there?`
    Whole,
    Untold,
}

/// A part of a number and the whole: `9,000 of the 12,000 residents voted`.
impl Sentence<'_> {
    /// The noun of the whole, of which the number that ends here tells a part.
    fn whole(&self, to: usize) -> Option<usize> {
        let is_of = self.lower(to + 1) == "of" && self.is_joined(to + 1);
        let at = if self.is_determiner(to + 2) { to + 3 } else { to + 2 };
        let is_whole = is_of && self.is_joined(at) && self.is_figure(at);
        if is_whole { self.noun(at) } else { None }
    }

    /// Whether a number is that of the whole, of which a part is told before it.
    fn is_whole(&self, at: usize) -> bool {
        const PARTS: [&str; 14] = [
            "cent", "few", "fifth", "half", "majority", "many", "most", "none", "one", "out",
            "percent", "quarter", "some", "third",
        ];
        let before = at.checked_sub(1);
        let of = before.filter(|it| !self.is_determiner(*it)).or(at.checked_sub(2));
        let Some(of) = of.filter(|of| *of > 0 && self.lower(*of) == "of") else { return false };
        let has_sign = self.gap(of).is_some_and(|gap| gap.contains('%'));
        has_sign
            || (self.is_joined(of) && (self.is_figure(of - 1) || PARTS.contains(&self.before(of))))
    }

    fn is_determiner(&self, at: usize) -> bool {
        matches!(
            self.lower(at),
            "all" | "her" | "his" | "its" | "our" | "some" | "the" | "their" | "these" | "those"
        )
    }

    /// Whether what is said of the part is asked, or how many there are of the whole.
    fn portion(&self, noun: usize) -> Portion {
        const THERE: [&str; 7] =
            ["altogether", "live", "lived", "population", "there", "total", "does"];
        let is_said = |at: usize| self.is_joined(at) && at < self.tokens.len();
        let behind: Vec<usize> =
            (noun + 1..self.tokens.len()).take_while(|at| is_said(*at)).collect();
        let is_verb = |at: &&usize| {
            let word = self.lower(**at);
            is_auxiliary(word) || lexicon::is_done(word)
        };
        let leads_on = matches!(self.lower(noun + 1), "at" | "from" | "in" | "of" | "on");
        let verb = behind.iter().find(is_verb).copied().filter(|_| leads_on).unwrap_or(noun + 1);
        let tells = |at: &&usize| {
            let word = self.lower(**at);
            **at >= verb && !words::is_stop_word(word) && !matches!(word, "live" | "lived")
        };
        let said = behind.iter().find(tells).filter(|_| !leads_on || verb > noun + 1);
        let is_part = said.is_some_and(|at| self.is_kin_asked(self.lower(*at)));
        // `How many has it?`, but not `How many have voted?`
        let is_had = ["had", "has", "have"].iter().any(|word| self.is_asked(word))
            && !self.wanted.asked.iter().any(|word| lexicon::is_done(word) && word != "did");
        match (is_part, is_had || THERE.iter().any(|word| self.is_asked(word))) {
            (true, _) => Portion::Part,
            (false, true) => Portion::Whole,
            (false, false) => Portion::Untold,
        }
    }

    /// Whether a number says for which of them something is: `children up to 14`, `pupils from 6 to 10`, `14 and older`.
    fn is_bound(&self, at: usize, to: usize) -> bool {
        let back = |count: usize| at.checked_sub(count);
        let word = |count: usize| back(count).map(|at| self.lower(at)).unwrap_or_default();
        let is_range =
            matches!(word(1), "and" | "or" | "to") && back(2).is_some_and(|at| self.is_figure(at));
        let lead = if is_range { 3 } else { 1 };
        let follows_noun = back(lead + 1).is_some_and(|noun| self.is_counted(noun));
        let is_led = match word(lead) {
            "above" | "age" | "aged" | "ages" | "below" | "over" | "under" => true,
            "between" | "from" | "of" => follows_noun,
            "to" => word(2) == "up",
            _ => false,
        };
        let goes_on = matches!(self.lower(to + 1), "and" | "or")
            && matches!(self.lower(to + 2), "above" | "older" | "over" | "under" | "younger");
        is_led || goes_on
    }

    fn is_figure(&self, at: usize) -> bool {
        self.token(at).is_some_and(|it| it.is_number || lexicon::is_number_word(&it.lower))
    }

    /// `bus 14`, `in class 9`, but not `in each class 9`.
    fn numbers_a_thing(&self, at: usize, to: usize) -> bool {
        const NUMBERED: [&str; 13] = [
            "bus", "chapter", "class", "gate", "grade", "grades", "item", "line", "page",
            "platform", "room", "route", "version",
        ];
        let is_short = self.token(at).is_some_and(|it| it.is_number && it.lower.len() <= 3);
        let before = at.checked_sub(2).map(|it| self.lower(it)).unwrap_or_default();
        is_short
            && to == at
            && self.is_joined(at)
            && NUMBERED.contains(&self.before(at))
            && !matches!(before, "a" | "each" | "every" | "one" | "per")
    }
}

/// Whether a word, lower case, ties what follows to what stands before.
fn ties(word: &str) -> bool {
    const TIES: [&str; 21] = [
        "above", "across", "after", "against", "among", "before", "below", "between", "by", "down",
        "during", "off", "out", "over", "per", "since", "till", "under", "until", "while",
        "without",
    ];
    TIES.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::super::kind::Kind;
    use super::super::offers::{Wanted, offer, said};
    use super::*;

    #[test]
    fn what_was_done_counts_where_it_is_asked() {
        let counted = [words::stem("lorries")].into();
        let question = words::words("How many lorries were refused?").into_iter();
        let asked: BTreeSet<String> = question.collect();
        let (kind, is_of_change) = (Kind::Count, false);
        let wanted = Wanted { kind, asked: &asked, counted: &counted, is_of_change };
        assert_eq!(offer("84 lorries were refused.", &wanted).spans.len(), 1);
        assert!(offer("84 lorries were washed.", &wanted).spans.is_empty());
    }

    fn found(counted: &str, text: &str) -> Vec<String> {
        found_of("", counted, text)
    }

    /// What of a text counts, where this was asked.
    fn found_of(question: &str, counted: &str, text: &str) -> Vec<String> {
        let counted = [words::stem(counted)].into();
        let asked: BTreeSet<String> = words::words(question).into_iter().collect();
        let (kind, is_of_change) = (Kind::Count, false);
        let wanted = Wanted { kind, asked: &asked, counted: &counted, is_of_change };
        said(text, &offer(text, &wanted).spans)
    }

    #[test]
    fn a_number_counts_its_own_noun() {
        for (counted, text, expected) in [
            ("boats", "There are nine rowing boats.", &["nine rowing boats"][..]),
            (
                "lorries",
                "In 2024 there were 221 crossings by lorries.",
                &["221 crossings by lorries"],
            ),
            ("lorries", "Three loads in ten are heavier.", &[]),
            ("lorries", "A gap of 50 metres between lorries is kept.", &[]),
            ("lorries", "2,650 vehicles came in 2023, against 1,900 before.", &[]),
            ("turbines", "To 31.3: The buoys mark the turbines.", &[]),
            ("gwh", "Of this, exported to the mainland\t0.7 GWh", &["0.7 GWh"]),
            ("turbines", "One turbine was repaired.", &[]),
            ("boats", "Boats 1 to 6 lie on the slipway.", &[]),
            ("boats", "Boats 7, 8 and 9 lie on the slipway.", &[]),
            ("beds", "Kitchens 2; bunk beds 14", &["14"]),
            ("beds", "Bunk beds\t14", &["14"]),
            ("miners", "The fire killed five; two miners fled.", &["five", "two miners"]),
            ("bookings", "Members have two bookings, guests one.", &["two bookings", "one"]),
            ("plants", "Plants bagged by day had 54% more fruits.", &[]),
            ("lorries", "We attribute 88 percent of it to lorries and 12 percent to wind.", &[]),
            ("children", "She was the third of five children.", &[]),
            ("people", "The share of people over 65 is 31 percent.", &[]),
            ("people", "It has over 65 people.", &["65 people"]),
            ("lorries", "84 lorries were turned away.", &[]),
            ("people", "In 2021 there were counted 2,310 people.", &["2,310 people"]),
            ("people", "In 2021 2,310 people were counted.", &["2,310 people"]),
            ("seals", "The counts of seals were 412 in 2018 and 538 in 2022.", &["412", "538"]),
            ("pupils", "The school takes pupils up to 14.", &[]),
            ("pupils", "The school is for pupils from 6 to 14.", &[]),
            ("pupils", "Pupils of 14 and older ride free.", &[]),
            ("pupils", "The school takes up to 14 pupils.", &["14 pupils"]),
            ("pupils", "Bus 14 brings the pupils.", &[]),
            ("pupils", "Pupils were up until 12 am and slept from 2 to 4 p.m.", &[]),
            ("pupils", "Of the 31 pupils 14 have a dog.", &["31 pupils", "14"]),
            ("pupils", "In each class 14 pupils learn Latin.", &["14 pupils"]),
        ] {
            assert_eq!(found(counted, text), expected, "{counted}: {text}");
        }
    }

    #[test]
    fn a_part_is_told_from_the_whole() {
        let voted = "9,000 of the 12,000 residents voted.";
        let share = "75 percent of the 12,000 residents voted.";
        let abroad = "300 of the 800 residents of Ulm were born abroad.";
        for (question, text, expected) in [
            ("How many residents voted?", voted, &["9,000"][..]),
            ("How many residents are there?", voted, &["12,000 residents"]),
            ("How many residents own a boat?", voted, &[]),
            ("How many residents voted?", share, &[]),
            ("How many residents does Ulm have?", share, &["12,000 residents"]),
            ("How many residents were born abroad?", abroad, &["300"]),
            ("How many residents does Ulm have?", abroad, &["800 residents"]),
            ("How many residents died?", "One of the five residents died.", &["One"]),
            (
                "How many residents voted?",
                "A total of 12,000 residents voted.",
                &["12,000 residents"],
            ),
        ] {
            assert_eq!(found_of(question, "residents", text), expected, "{question} {text}");
        }
    }
}
