//! Whether the passage gives a number of the claim to another name, month or year: `Sker has 3 boats, and Lund has 5` does
//! not say that Lund has 3.
//!
//! Border: a claim and sentences in, yes or no out. A number speaks against a claim only where the passage gives the claim's
//! own name, month or year another of its kind, and this number to another in the same place of its clause.

use super::claim::Claim;
use super::clause::{CONJUNCTIONS, is_among};
use super::date::Date;
use super::index::{Index, Sentence};
use super::lexicon::Term;
use super::quantity::{Measure, Quantity};
use super::{bound, joint};
use quarry_types::order::Gather;
use std::collections::BTreeSet;
use std::ops::Range;

/// Numbers, names and times of a claim that are looked at: their product is work.
const MOST: usize = 8;
/// Words between a number and what it is of: `4 % of the boats`.
const BETWEEN: usize = 3;
const ARTICLES: [&str; 3] = ["a", "an", "the"];

/// A number or a date of the claim.
#[derive(Clone, Copy)]
enum Value<'c> {
    Number(&'c Quantity),
    Date(&'c Date),
}

/// Clauses of a sentence of which the last has a number.
struct Part<'s> {
    sentence: &'s Sentence,
    tokens: Range<usize>,
}

impl Part<'_> {
    /// Its names, as rows of tokens.
    fn names(&self) -> Vec<Range<usize>> {
        rows(names(self.sentence, &self.tokens))
    }
}

/// Where a name or a time stands in its clause.
#[derive(PartialEq, Eq)]
struct Slot {
    /// The word before it, articles aside; none, where the clause begins with it.
    before: Option<Term>,
    /// The word behind it.
    behind: Option<Term>,
    /// Whether only that tells that it is a name: it is the first of its sentence.
    is_doubtful: bool,
}

impl Slot {
    /// Whether this one, of another, is that of the claim's own.
    fn is_as(&self, own: &Slot) -> bool {
        self.before == own.before && (!self.is_doubtful || self.behind == own.behind)
    }
}

/// Where a word stands in its clause, and how to the number of it.
struct Stand {
    slot: Slot,
    term: Term,
    is_behind: bool,
    /// Whether only small words stand between it and the number behind it.
    is_right_before: bool,
}

/// What is looked at for one claim and one window.
struct Rivals<'r> {
    claim: &'r Claim,
    index: &'r Index,
    sentences: &'r [Sentence],
    /// The terms of all words of the claim.
    own: BTreeSet<Term>,
    conjunctions: Vec<Term>,
    articles: Vec<Term>,
}

/// Whether the passage gives a number of the claim to another name, month or year than the claim.
pub fn is_of_rival(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    if claim.is_cut || claim.figures.is_empty() {
        return false;
    }
    let terms = |words: &[&str]| words.iter().filter_map(|word| index.term_of(word)).collect();
    let rivals = Rivals {
        claim,
        index,
        sentences,
        own: claim.tokens.iter().filter_map(|it| index.term_of(&it.word)).gather(),
        conjunctions: terms(&CONJUNCTIONS),
        articles: terms(&ARTICLES),
    };
    let numbers = claim.figures.quantities.iter();
    let numbers = numbers.filter(|it| !it.is_vague && it.measure != Measure::Ordinal);
    let dates = claim.figures.dates.iter().take(MOST).map(Value::Date);
    let values: Vec<Value<'_>> = numbers.take(MOST).map(Value::Number).chain(dates).collect();
    let parts = [rivals.parts(false), rivals.parts(true)];
    values.iter().any(|value| {
        let [numbers, times] = &parts;
        let parts = if value.is_time() { times } else { numbers };
        rivals.is_of_other_name(*value, parts)
            || (!value.is_time() && rivals.is_of_other_time(*value, parts))
            || rivals.is_of_other_word(*value, parts)
            || rivals.is_beside_other(*value)
    })
}

impl Value<'_> {
    fn is_time(self) -> bool {
        match self {
            Value::Date(_) => true,
            Value::Number(number) => bound::is_year(number),
        }
    }

    fn is_said(self, sentence: &Sentence, tokens: &Range<usize>) -> bool {
        let quantities = || numbers(sentence, tokens).iter();
        match self {
            Value::Number(own) => {
                quantities().any(|it| own.has_value(it))
                    || dates(sentence, tokens)
                        .iter()
                        .any(|it| it.year.is_some_and(|year| own.has_year(year)))
            }
            Value::Date(own) => dates(sentence, tokens).iter().any(|it| own.is_within(it)),
        }
    }

    /// Whether a number of a sentence is of the same kind, whatever its value.
    fn is_like(self, own: Option<Term>, sentence: &Sentence, number: &Quantity) -> bool {
        let Value::Number(value) = self else { return bound::is_year(number) };
        if self.is_time() {
            return bound::is_year(number);
        }
        let noun = number.noun().and_then(|at| sentence.terms.get(at)).copied();
        let is_count = value.measure == Measure::Plain;
        number.measure == value.measure
            && !bound::is_year(number)
            && number.clock.is_some() == value.clock.is_some()
            && !(is_count && noun.zip(own).is_some_and(|(one, other)| one != other))
    }
}

/// The numbers that begin among these tokens.
fn numbers<'s>(sentence: &'s Sentence, tokens: &Range<usize>) -> &'s [Quantity] {
    let all = &sentence.figures.quantities;
    let first = |end: usize| all.partition_point(|it| it.at < end);
    all.get(first(tokens.start)..first(tokens.end)).unwrap_or_default()
}

/// The dates that begin among these tokens.
fn dates<'s>(sentence: &'s Sentence, tokens: &Range<usize>) -> &'s [Date] {
    let all = &sentence.figures.dates;
    let first = |end: usize| all.partition_point(|it| it.at < end);
    all.get(first(tokens.start)..first(tokens.end)).unwrap_or_default()
}

fn names<'s>(sentence: &'s Sentence, tokens: &Range<usize>) -> &'s [u32] {
    let all = &sentence.names;
    let first = |end: usize| all.partition_point(|at| (*at as usize) < end);
    all.get(first(tokens.start)..first(tokens.end)).unwrap_or_default()
}

/// Places that follow each other, together.
fn rows(places: &[u32]) -> Vec<Range<usize>> {
    let mut rows: Vec<Range<usize>> = Vec::new();
    for at in places.iter().map(|at| *at as usize) {
        match rows.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => rows.push(at..at + 1),
        }
    }
    rows
}

impl<'r> Rivals<'r> {
    /// The parts of the window with one clause each that has a number or, of times, a year or a date. Whatever stands before
    /// it belongs to it, and what stands behind the last to that, but for what another conjunction begins.
    fn parts(&self, of_times: bool) -> Vec<Part<'r>> {
        let mut parts = Vec::new();
        for sentence in self.sentences {
            let ends = sentence.clauses.iter().skip(1).map(|at| *at as usize);
            // What was looked at is not looked at again, though a part goes on behind it.
            let (mut start, mut looked) = (0, 0);
            for end in ends.chain([sentence.terms.len()]) {
                let clause = looked..end;
                looked = end;
                let numbers = numbers(sentence, &clause).iter();
                let mut numbers = numbers.filter(|it| bound::is_year(it) == of_times);
                let has_date = of_times && !dates(sentence, &clause).is_empty();
                if has_date || numbers.any(|it| !it.is_vague && it.measure != Measure::Ordinal) {
                    parts.push(Part { sentence, tokens: start..end });
                    start = end;
                }
            }
            let rest = start..sentence.terms.len();
            let next = sentence.terms.get(start);
            let is_own = next.is_some_and(|it| self.conjunctions.contains(it));
            match parts.last_mut().filter(|_| start > 0 && !is_own) {
                Some(last) => last.tokens.end = rest.end,
                None if rest.is_empty() => {}
                None => parts.push(Part { sentence, tokens: rest }),
            }
        }
        parts
    }

    /// Where what begins with a token and has so many stands in its clause.
    fn slot(&self, sentence: &Sentence, at: usize, length: usize) -> Slot {
        let term = |at: usize| sentence.terms.get(at).copied();
        let is_article = |at: usize| term(at).is_some_and(|it| self.articles.contains(&it));
        let starts = |at: usize| {
            u32::try_from(at).is_ok_and(|at| sentence.clauses.binary_search(&at).is_ok())
        };
        let mut first = at;
        while first > 0 && !starts(first) && is_article(first - 1) {
            first -= 1;
        }
        let joins = |at: usize| term(at).is_some_and(|it| self.conjunctions.contains(&it));
        let before = first.checked_sub(1).filter(|before| !starts(first) && !joins(*before));
        Slot {
            before: before.and_then(term),
            behind: term(at + length).filter(|_| sentence.figures.beginning(at + length).is_none()),
            is_doubtful: at == 0 && length == 1,
        }
    }

    /// Whether a part has another value of the same kind, which the claim does not have.
    fn has_rival(&self, value: Value<'_>, part: &Part<'_>) -> bool {
        let own = match value {
            Value::Number(it) => it.noun().and_then(|at| bound::term(self.claim, self.index, at)),
            Value::Date(_) => None,
        };
        let claimed = &self.claim.figures;
        let is_claimed =
            |it: &Quantity| claimed.quantities.iter().take(MOST).any(|own| own.has_value(it));
        let numbers = numbers(part.sentence, &part.tokens).iter();
        let mut numbers = numbers.filter(|it| value.is_like(own, part.sentence, it));
        let dates = dates(part.sentence, &part.tokens).iter();
        numbers.any(|it| !is_claimed(it))
            || (value.is_time()
                && dates.take(MOST).any(|it| {
                    it.year.is_some_and(|year| {
                        !claimed.quantities.iter().any(|own| own.has_year(year))
                            && !claimed.dates.iter().any(|own| own.year.is_none_or(|it| it == year))
                    })
                }))
    }

    fn is_of_other_name(&self, value: Value<'_>, parts: &[Part<'_>]) -> bool {
        let (said, others): (Vec<&Part<'_>>, Vec<&Part<'_>>) =
            parts.iter().partition(|it| value.is_said(it.sentence, &it.tokens));
        if said.is_empty() || others.is_empty() {
            return false;
        }
        let foreign = |part: &&Part<'_>| -> Vec<Slot> {
            let names = part.names().into_iter();
            let is_own = |it: &Term| self.own.contains(it);
            let names =
                names.filter(|name| !part.sentence.terms_of(name).iter().any(is_own)).take(MOST);
            names.map(|name| self.slot(part.sentence, name.start, name.len())).collect()
        };
        let foreign: Vec<Vec<Slot>> = said.iter().map(foreign).collect();
        if foreign.iter().any(Vec::is_empty) {
            return false;
        }
        rows(&self.claim.names).iter().take(MOST).any(|name| {
            let tokens = self.claim.tokens.get(name.clone()).unwrap_or_default();
            let terms: Vec<Term> =
                tokens.iter().filter_map(|it| self.index.term_of(&it.word)).collect();
            let has = |part: &Part<'_>| {
                part.sentence.terms_of(&part.tokens).iter().any(|it| terms.contains(it))
            };
            if terms.is_empty() || said.iter().any(|part| has(part)) {
                return false;
            }
            let rivals = others.iter().filter(|part| has(part) && self.has_rival(value, part));
            let slots = rivals.flat_map(|part| {
                let names = part.names().into_iter();
                let is_it = |it: &Term| terms.contains(it);
                let names =
                    names.filter(move |name| part.sentence.terms_of(name).iter().any(is_it));
                names.map(|name| self.slot(part.sentence, name.start, name.len()))
            });
            let slots: Vec<Slot> = slots.take(MOST).collect();
            slots.iter().any(|own| foreign.iter().all(|it| it.iter().any(|it| it.is_as(own))))
        })
    }

    /// Whether the passage gives in one sentence this number to a word, and another to that of the claim in the same place:
    /// `18 % of those on the drug and 6 % of those on placebo`.
    fn is_of_other_word(&self, value: Value<'_>, parts: &[Part<'_>]) -> bool {
        if value.is_time() {
            return false;
        }
        let said: Vec<&Part<'_>> =
            parts.iter().filter(|it| value.is_said(it.sentence, &it.tokens)).take(MOST).collect();
        let foreign: Vec<Vec<Stand>> = said
            .iter()
            .map(|it| self.stands(it, value, true).filter(|it| !self.own.contains(&it.term)))
            .map(Iterator::collect)
            .collect();
        if foreign.is_empty() || foreign.iter().any(Vec::is_empty) {
            return false;
        }
        let is_beside = |part: &&Part<'_>| {
            said.iter().any(|it| std::ptr::eq(it.sentence, part.sentence))
                && !value.is_said(part.sentence, &part.tokens)
                && self.has_rival(value, part)
        };
        let in_said =
            |term: Term| said.iter().any(|it| it.sentence.terms_of(&it.tokens).contains(&term));
        let rivals = parts.iter().filter(is_beside).take(MOST);
        let own = rivals.flat_map(|it| self.stands(it, value, false));
        own.filter(|it| self.own.contains(&it.term) && !in_said(it.term)).take(MOST).any(|own| {
            foreign.iter().all(|they| they.iter().any(|it| self.is_in_place_of(it, &own)))
        })
    }

    /// The telling words of a part, given the number of the claim in it, or another of its kind.
    fn stands<'p>(
        &'p self,
        part: &'p Part<'p>,
        value: Value<'p>,
        is_own: bool,
    ) -> impl Iterator<Item = Stand> + 'p {
        let sentence = part.sentence;
        let mut numbers = numbers(sentence, &part.tokens).iter();
        let number = numbers.find(|it| match value {
            Value::Number(own) if is_own => own.has_value(it),
            _ => !it.is_vague && value.is_like(None, sentence, it),
        });
        let number = number.map(|it| it.at);
        let terms = part.tokens.clone().zip(sentence.terms_of(&part.tokens));
        terms.filter_map(move |(at, term)| {
            let is_figure = sentence.figures.counting(at).is_some();
            let number = number.filter(|_| !is_figure && !self.index.is_small(*term))?;
            let between = sentence.terms.get(at + 1..number).filter(|it| it.len() <= BETWEEN);
            let is_right_before = between.is_some_and(|it| {
                it.iter().all(|it| joint::is_near(self.index.root(*it)) || self.index.is_small(*it))
            });
            let slot = self.slot(sentence, at, 1);
            Some(Stand { slot, term: *term, is_behind: at > number, is_right_before })
        })
    }

    /// Whether two words stand alike: behind the same small word, or as the first of their clauses.
    fn is_in_place_of(&self, one: &Stand, own: &Stand) -> bool {
        let is_alike = match (one.slot.before, own.slot.before) {
            (Some(one), Some(own)) => one == own && self.index.is_small(own),
            (None, None) => {
                let is_same = one.slot.behind == own.slot.behind && own.slot.behind.is_some();
                is_same || (one.is_right_before && own.is_right_before)
            }
            _ => false,
        };
        is_alike && one.is_behind == own.is_behind
    }

    /// The times of a part, with whether the claim has them.
    fn times_of(&self, part: &Part<'_>) -> Vec<(bool, Slot)> {
        let claimed = &self.claim.figures;
        let years = numbers(part.sentence, &part.tokens).iter().filter(|it| bound::is_year(it));
        let years = years.map(|year| {
            let has = claimed.quantities.iter().take(MOST).any(|own| own.has_value(year));
            let dates = claimed.dates.iter().take(MOST);
            let mut dates = dates.filter_map(|own| own.year).map(f64::from);
            let has = has || dates.any(|own| super::is_same(own, year.value));
            (has, self.slot(part.sentence, year.at, year.length))
        });
        let dates = dates(part.sentence, &part.tokens).iter().map(|date| {
            let own = claimed.dates.iter().take(MOST).any(|own| own.is_within(date));
            let mut years = claimed.quantities.iter().take(MOST);
            let is_of = |it: &Quantity| date.year.is_some_and(|year| it.has_year(year));
            (own || years.any(is_of), self.slot(part.sentence, date.at, date.length))
        });
        years.chain(dates).take(MOST).collect()
    }

    fn is_of_other_time(&self, value: Value<'_>, parts: &[Part<'_>]) -> bool {
        let times: Vec<(&Part<'_>, Vec<(bool, Slot)>)> =
            parts.iter().map(|part| (part, self.times_of(part))).collect();
        let (said, others): (Vec<_>, Vec<_>) =
            times.iter().partition(|(it, _)| value.is_said(it.sentence, &it.tokens));
        let is_foreign = |(_, times): &&(&Part<'_>, Vec<(bool, Slot)>)| {
            !times.is_empty() && times.iter().all(|(is_own, _)| !is_own)
        };
        if said.is_empty() || !said.iter().all(is_foreign) {
            return false;
        }
        let rivals = others.iter().filter(|(part, _)| self.has_rival(value, part));
        let mut own = rivals.flat_map(|(_, times)| times).filter(|(is_own, _)| *is_own);
        own.any(|(_, own)| {
            said.iter().all(|(_, times)| times.iter().any(|(_, it)| it.before == own.before))
        })
    }

    /// Whether what stands right before or behind a number in the claim stands beside another of its kind in the passage, and
    /// beside this one something else, in the same words.
    fn is_beside_other(&self, value: Value<'_>) -> bool {
        let Value::Number(number) = value else { return false };
        let term = |at: usize| bound::term(self.claim, self.index, at);
        let own = |at: usize| Some((term(at)?, is_among(&self.claim.names, at)));
        let noun = number.noun().and_then(term);
        let claimed = &self.claim.figures;
        [true, false].into_iter().any(|is_before| {
            let beside = self.beside(number, is_before, own);
            let Some((_, word)) = beside else { return false };
            let (mut rivals, mut others) = (Vec::new(), Vec::new());
            for sentence in self.sentences {
                for it in sentence.figures.quantities.iter() {
                    let term =
                        |at: usize| Some((*sentence.terms.get(at)?, is_among(&sentence.names, at)));
                    let found = self.beside(it, is_before, term);
                    if number.has_value(it) {
                        match found {
                            Some((between, other)) if !self.own.contains(&other) => {
                                others.push(between);
                            }
                            _ => return false,
                        }
                    } else if value.is_like(noun, sentence, it)
                        && !claimed.quantities.iter().take(MOST).any(|own| own.has_value(it))
                    {
                        rivals.extend(found.filter(|(_, other)| *other == word).map(|it| it.0));
                    }
                }
            }
            !others.is_empty() && rivals.iter().any(|own| others.iter().all(|it| it == own))
        })
    }

    /// The word right before or behind a number and what it counts, with small words between, and these.
    fn beside(
        &self,
        number: &Quantity,
        is_before: bool,
        term: impl Fn(usize) -> Option<(Term, bool)>,
    ) -> Option<(Vec<Term>, Term)> {
        let end = number.noun().map_or(number.at + number.own_tokens(), |noun| noun + 1);
        let mut between = Vec::new();
        for step in 0..=BETWEEN {
            let at = if is_before { number.at.checked_sub(step + 1) } else { Some(end + step) };
            let (found, is_name) = term(at?)?;
            if self.conjunctions.contains(&found) {
                return None;
            }
            if is_name || !self.index.is_small(found) {
                return (step > 0).then_some((between, found));
            }
            between.push(found);
        }
        None
    }
}
