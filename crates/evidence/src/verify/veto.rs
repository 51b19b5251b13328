//! What speaks against calling a sentence supported, however many of its words are there.

use super::claim::{Claim, MOST_QUOTATIONS, Step, squeezed};
use super::date::Date;
use super::index::{Index, Sentence};
use super::layout::Layout;
use super::lexicon::Term;
use super::quantity::{Measure, Quantity, is_same};
use super::window::{Sought, Window};
use super::{
    bound, column, joint, named, narrower, proviso, reserve, rival, roles, turned, unreal, voice,
    words,
};
use crate::text::Token;
use quarry_types::order::Gather;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What speaks against a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Veto {
    /// It has a number that the passage does not have there.
    Number,
    /// It has a date that the passage does not have there.
    Date,
    /// It has a place in a row that the passage does not have there.
    Ordinal,
    /// It gives a number of the passage in another unit.
    Unit,
    /// It names what the passage does not name there.
    Entity,
    /// One of both denies what the other says.
    Polarity,
    /// It states what the passage says only with reserve.
    Reserve,
    /// It says the opposite of a word of the passage.
    Antonym,
    /// It leaves no exception where the passage says nothing of that.
    Absolute,
    /// It quotes what the passage does not say.
    Quotation,
    /// Two names have changed places.
    Swapped,
    /// It asks, and states nothing.
    Question,
    /// It says too little to be checked.
    TooShort,
    /// It says too much to be checked as one sentence.
    TooLong,
    /// Nobody read the page: only what a search says of it is known, which may be of another day or made up.
    Unread,
}

/// Things a claim has to say before it can be called supported.
const LEAST_CONTENT: usize = 4;
/// Letters of a root by which a word is known that was quoted with another ending.
const LEAST_OF_ROOT: usize = 4;
/// The share of neighbouring words that have to stand near each other in the passage.
const LEAST_NEARNESS: f64 = 0.5;

/// What speaks against a claim in this window.
pub fn vetoes(sought: &Sought<'_>, window: &Window) -> BTreeSet<Veto> {
    let Sought { claim, index, .. } = *sought;
    let sentences = index.sentences(window.sentences.clone());
    let layout = Layout::new(sought, window);
    let look = Look { claim, window, index, sought, sentences, layout };
    let checks = [
        (Veto::Number, bound::is_of_another(claim, index, sentences)),
        (Veto::Number, rival::is_of_rival(claim, index, sentences)),
        (Veto::Number, joint::is_other(claim, index, sentences)),
        (Veto::Number, joint::is_of_part(claim, index, sentences)),
        (Veto::Number, joint::is_of_before(claim, index, sentences)),
        (Veto::Number, column::is_of_another(sought, window, sentences)),
        (Veto::Entity, look.misses_name() || voice::is_of_another(sought, window, sentences)),
        (Veto::Entity, narrower::is_of_another(claim, index, sentences)),
        (Veto::Polarity, look.is_turned()),
        (Veto::Polarity, narrower::is_over(claim, index, sentences)),
        (Veto::Reserve, look.drops_reserve()),
        (Veto::Question, claim.is_question),
        (Veto::Antonym, look.is_opposite() || look.is_turned_round()),
        (Veto::Absolute, look.exaggerates()),
        (Veto::Quotation, look.misquotes()),
        (Veto::Swapped, look.swaps()),
        (Veto::TooShort, look.is_too_short() || named::is_only_named(sought, window, sentences)),
        (Veto::TooLong, claim.is_cut),
    ];
    let failed = checks.into_iter().filter_map(|(veto, failed)| failed.then_some(veto));
    failed.chain(look.figures()).gather()
}

/// Whether a text has a word that was quoted with another ending.
fn has_form(text: &str, quotation: &str) -> bool {
    let root = words::root(quotation);
    !quotation.contains(' ') && root.len() >= LEAST_OF_ROOT && text.contains(&*root)
}

struct Look<'l> {
    claim: &'l Claim,
    window: &'l Window,
    index: &'l Index,
    sought: &'l Sought<'l>,
    sentences: &'l [Sentence],
    layout: Layout<'l>,
}

impl Look<'_> {
    fn has(&self, term: Term) -> bool {
        !self.index.places(term, &self.window.sentences).is_empty()
    }

    fn has_root(&self, root: &str) -> bool {
        self.index.term(root).is_some_and(|term| self.has(term))
    }

    /// The words of the claim, as far as the evidence has them.
    fn terms(&self) -> BTreeSet<Term> {
        self.sought.terms.iter().flatten().copied().gather()
    }

    fn figures(&self) -> Vec<Veto> {
        let figures = || self.sentences.iter().map(|sentence| &sentence.figures);
        let quantities: Vec<&Quantity> =
            figures().flat_map(|figures| &figures.quantities).collect();
        let dates: Vec<&Date> = figures().flat_map(|figures| &figures.dates).collect();
        let mut vetoes = Vec::new();
        for quantity in self.claim.figures.quantities.iter().filter(|it| !it.is_vague) {
            vetoes.extend(self.judge(quantity, &quantities, &dates));
        }
        vetoes.extend(self.miscounts().then_some(Veto::Number));
        let is_turned = turned::swaps_numbers(self.claim, self.index, self.sentences)
            || turned::is_of_another(self.claim, self.index, self.sentences)
            || turned::is_denied_number(self.claim, self.sentences);
        vetoes.extend(is_turned.then_some(Veto::Number));
        let unmatched = |date: &Date| !dates.iter().any(|other| date.is_within(other));
        vetoes.extend(self.claim.figures.dates.iter().any(unmatched).then_some(Veto::Date));
        for (at, step) in self.claim.steps.iter().enumerate() {
            vetoes.extend(match step {
                Step::Quantity(_) if self.layout.is_displaced(at) => Some(Veto::Number),
                Step::Date(_) if self.layout.is_displaced(at) => Some(Veto::Date),
                _ => None,
            });
        }
        vetoes
    }

    /// Whether a name is not there, or not beside what it stands beside in the claim. Who says the same in
    /// other words says it in another order, and a passage is about what stands above it wherever it
    /// says so.
    fn misses_name(&self) -> bool {
        let Window { has, above, .. } = self.window;
        let mut words = self.claim.words.iter().zip(has);
        if words.any(|(word, has)| (word.is_name || word.may_be_name) && !has) {
            return true;
        }
        let is_alike = self.layout.nearness(self.window) >= LEAST_NEARNESS;
        let is_name = |word: &usize| {
            let is_above = above.get(*word).copied().unwrap_or_default();
            self.claim.words.get(*word).is_some_and(|word| word.is_name) && !is_above
        };
        let mut steps = self.claim.steps.iter().enumerate();
        is_alike
            && steps.any(|(at, step)| {
                matches!(step, Step::Word(word) if is_name(word))
                    && (self.layout.is_displaced(at) || self.layout.breaks_name(at))
            })
    }

    /// Negations count where they stand before words of the claim.
    fn is_turned(&self) -> bool {
        if self.claim.denied.is_empty() && self.sentences.iter().all(|it| it.denied.is_empty()) {
            return false;
        }
        let sought = self.terms();
        let term = |root: &String| self.index.term(root);
        let in_claim: BTreeSet<Term> = self.claim.denied.iter().flatten().filter_map(term).gather();
        let mut there: Vec<&[Term]> = Vec::new();
        for sentence in self.sentences {
            let said = turned::word_for_word(self.claim, self.index, sentence);
            let counts = |denied: &&Range<usize>| {
                said.as_ref().is_none_or(|said| denied.start < said.end && said.start < denied.end)
            };
            let denied = sentence.denied.iter().filter(counts);
            there.extend(denied.map(|denied| sentence.terms_of(denied)));
        }
        let in_window: BTreeSet<Term> = there.iter().copied().flatten().copied().gather();
        let claim =
            self.claim.denied.iter().any(|denied| {
                !denied.iter().filter_map(term).any(|term| in_window.contains(&term))
            });
        let passage = there.iter().any(|denied| {
            denied.iter().any(|term| sought.contains(term))
                && !denied.iter().any(|term| in_claim.contains(term))
        });
        claim || passage
    }

    /// Whether the passage does not vouch for what the claim states outright.
    fn drops_reserve(&self) -> bool {
        self.states_what_is_reserved()
            || unreal::is_stated(self.sought, self.sentences)
            || proviso::is_dropped(self.sought, self.window, self.sentences)
            || proviso::takes_limit(self.claim, self.index, self.sentences)
    }

    fn states_what_is_reserved(&self) -> bool {
        let is_empty = |it: &Sentence| it.reserved.is_empty() && it.planned.is_empty();
        if self.sentences.iter().all(is_empty)
            || self.claim.said().any(|token| reserve::keeps_reserve(&token.word))
        {
            return false;
        }
        let sought = self.terms();
        let is_to_come = self.claim.tokens.iter().any(|token| token.word == "will");
        self.sentences.iter().any(|sentence| {
            let planned = sentence.planned.iter().filter(|_| !is_to_come);
            sentence.reserved.iter().chain(planned).any(|term| sought.contains(term))
        })
    }

    fn is_opposite(&self) -> bool {
        // Of "many" it counts what stands beside it, too: `turned::counts_otherwise`.
        let is_small =
            |token: &&Token| words::is_function_word(&token.word) && token.word != "many";
        // Few words have an opposite.
        let small = self.claim.tokens.iter().filter(is_small).any(|token| {
            let root = words::root(&token.word);
            self.index.opposites(&root).any(|other| self.has(other)) && !self.has_root(&root)
        });
        small || (0..self.claim.steps.len()).any(|step| self.layout.is_opposed(step))
    }

    /// Whether it is turned round by a small word of the passage, another side or another time of the day.
    fn is_turned_round(&self) -> bool {
        let text = || {
            let (first, last) =
                (self.sentences.first()?.range.start, self.sentences.last()?.range.end);
            self.index.text(self.window.passage).get(first..last)
        };
        turned::takes_other_side(self.claim, self.index, self.sentences)
            || turned::counts_otherwise(self.claim, self.index, self.sentences)
            || turned::goes_other_way(self.claim, self.index, self.sentences)
            || turned::is_at_other_time(self.claim, || text().unwrap_or_default())
    }

    /// Whether two of its names, or what it compares, have changed places.
    fn swaps(&self) -> bool {
        self.layout.swaps_names()
            || turned::swaps_ends(self.claim, self.index, self.sentences)
            || roles::are_swapped(self.claim, self.index, self.sentences)
            || roles::are_names_swapped(self.claim, self.index, self.sentences)
            || roles::are_swapped_by_passive(self.claim, self.index, self.sentences)
    }

    fn exaggerates(&self) -> bool {
        let mut tokens = self.claim.tokens.iter();
        tokens.any(|token| {
            words::absolute(&token.word)
                .is_some_and(|mut same| !same.any(|root| self.has_root(&root)))
        }) || proviso::drops_exception(self.claim, self.index, self.sentences)
            || narrower::is_exaggerated(self.claim, self.index, self.sentences)
    }

    /// Whether a claim says too little to be found by its words. What says it word for word, and
    /// together, will do.
    fn is_too_short(&self) -> bool {
        let content = self.claim.content();
        let figures = content - self.claim.words.len();
        let telling = self.claim.words.iter().filter(|word| !word.is_light).count() + figures;
        let is_exact = self.window.shares.iter().all(|share| *share >= 1.0);
        content < LEAST_CONTENT && !(telling > 1 && is_exact)
    }

    fn misquotes(&self) -> bool {
        if self.claim.quotations.is_empty() {
            return false;
        }
        let text = squeezed(self.index.text(self.window.passage));
        self.claim.quotations.len() > MOST_QUOTATIONS
            || self.claim.quotations.iter().any(|it| !text.contains(it) && !has_form(&text, it))
    }

    /// What speaks against a number of the claim, given those of the window.
    fn judge(&self, quantity: &Quantity, others: &[&Quantity], dates: &[&Date]) -> Option<Veto> {
        let may_be_year = quantity.covers.is_some() || self.is_written_as_year(quantity);
        let is_year = |year: u32| may_be_year && quantity.has_year(year);
        let may_be_day = quantity.measure == Measure::Plain && self.stands_beside_date(quantity);
        let is_day = |day: u32| may_be_day && is_same(f64::from(day), quantity.value);
        let is_of = |date: &&Date| date.year.is_some_and(is_year) || date.day.is_some_and(is_day);
        if others.iter().any(|other| quantity.is_said_by(other)) || dates.iter().any(is_of) {
            return None;
        }
        let measures = matches!(quantity.measure, Measure::Of(_))
            || (quantity.measure == Measure::Plain && quantity.per.is_some());
        Some(match quantity.measure {
            Measure::Ordinal => Veto::Ordinal,
            _ if measures && others.iter().any(|other| quantity.has_value(other)) => Veto::Unit,
            _ => Veto::Number,
        })
    }

    /// What a "one" of the claim counts.
    fn counted_by_one(&self, one: &Quantity) -> Option<Term> {
        let behind = self.claim.tokens.get(one.at + one.length);
        let noun = behind.filter(|it| words::tells(it) && !it.opens && !it.begins)?;
        self.index.term_of(&noun.word)
    }

    /// Whether a "one" of the claim counts what the passage counts otherwise wherever it names it: `one keeper` by `three
    /// keepers`. Of these one may be meant where the passage says "one", too.
    fn miscounts(&self) -> bool {
        let ones = self.claim.figures.quantities.iter().filter(|it| it.is_vague);
        let nouns: BTreeSet<Term> = ones.filter_map(|one| self.counted_by_one(one)).gather();
        let is_count = |it: &Quantity| it.measure == Measure::Plain;
        let is_one = |it: &Quantity| is_count(it) && is_same(it.value, 1.0);
        let mut figures = self.sentences.iter().map(|sentence| &sentence.figures);
        if nouns.is_empty() || figures.any(|figures| figures.quantities.iter().any(is_one)) {
            return false;
        }
        // Each token is looked at once, whatever the claim counts.
        let mut is_always_counted: BTreeMap<Term, bool> = BTreeMap::new();
        for sentence in self.sentences {
            for (at, term) in sentence.terms.iter().enumerate() {
                if nouns.contains(term) {
                    let is_counted = sentence.figures.counting(at).is_some_and(is_count);
                    *is_always_counted.entry(*term).or_insert(true) &= is_counted;
                }
            }
        }
        is_always_counted.values().any(|is_always| *is_always)
    }

    /// Whether a number has four digits and no grouping: `1,932` is no year.
    fn is_written_as_year(&self, quantity: &Quantity) -> bool {
        let token = self.claim.tokens.get(quantity.at);
        token.is_some_and(|token| token.characters == token.word.len())
    }

    /// Whether a date stands beside it of which it may be another day: `12 and 13 June`, `June 12 and 13`.
    fn stands_beside_date(&self, quantity: &Quantity) -> bool {
        let behind = quantity.at + quantity.length;
        let mut dates = self.claim.figures.dates.iter();
        dates.any(|date| {
            let end = date.at + date.length;
            (behind..=behind + 1).contains(&date.at)
                || (date.day.is_some() && (end..=end + 1).contains(&quantity.at))
        })
    }
}
