//! Whether the passage says of less, or of somebody else, what the claim says: of the second largest, of almost all, of the
//! deputy mayor, of North Sker.
//!
//! Border: a claim and sentences in, yes or no out. A word speaks against a claim where it touches what the claim names
//! wherever the passage has that, and the claim does not have it. English.

use super::claim::Claim;
use super::clause::is_among;
use super::index::{Index, Sentence};
use super::lexicon::Term;
use super::quantity::{Measure, Quantity};
use super::roots::Roots;
use super::{roles, turned, words};
use crate::text::{Gate, Token};
use quarry_types::order::Gather;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Superlatives of a claim, and names with a number, that are looked at.
const MOST: usize = 8;
/// Tokens between who somebody is to another, and that other: `brother of the mayor`.
const RELATED: usize = 3;
/// Tokens before that within which stands who is.
const WHO: usize = 8;

/// Words before an office that make it another one.
static OFFICES: LazyLock<Roots> = LazyLock::new(|| {
    // The root of "acting" is that of an act.
    Roots::of(["aspiring", "deputy", "honorary", "interim", "vice"])
});
/// The same of one that somebody had.
static FORMER: LazyLock<Roots> =
    LazyLock::new(|| Roots::of(["ex", "former", "formerly", "onetime"]));
/// Words before "all" and "every" with which that leaves some out.
static NEARLY: LazyLock<Roots> =
    LazyLock::new(|| Roots::of(["almost", "nearly", "practically", "virtually"]));
const UNIVERSALS: [&str; 4] = ["all", "each", "every", "everyone"];
static ALL: LazyLock<Roots> = LazyLock::new(|| Roots::of(UNIVERSALS));
/// Words before the name of a land or a town with which it is another, or a part of it.
static SIDES: LazyLock<Roots> = LazyLock::new(|| {
    Roots::of([
        "central",
        "east",
        "eastern",
        "greater",
        "new",
        "north",
        "northeast",
        "northeastern",
        "northern",
        "northwest",
        "northwestern",
        "papua",
        "south",
        "southeast",
        "southeastern",
        "southern",
        "southwest",
        "southwestern",
        "west",
        "western",
    ])
});
/// Of these, those that are no part of a name in small letters.
static OF_NAMES: LazyLock<Roots> = LazyLock::new(|| Roots::of(["greater", "new"]));
/// Who somebody is to another.
static RELATIONS: LazyLock<Roots> = LazyLock::new(|| {
    Roots::of([
        "adviser",
        "advisor",
        "aide",
        "assistant",
        "aunt",
        "brother",
        "candidate",
        "challenger",
        "cousin",
        "critic",
        "daughter",
        "deputy",
        "disciple",
        "father",
        "friend",
        "granddaughter",
        "grandfather",
        "grandmother",
        "grandson",
        "husband",
        "mother",
        "nephew",
        "niece",
        "nominee",
        "opponent",
        "pupil",
        "rival",
        "sister",
        "son",
        "spokesman",
        "spokeswoman",
        "student",
        "uncle",
        "widow",
        "wife",
    ])
});
/// Words that end like superlatives, and are none.
const NO_SUPERLATIVES: &[&str] = &[
    "arrest",
    "contest",
    "forest",
    "guest",
    "harvest",
    "honest",
    "interest",
    "invest",
    "midwest",
    "modest",
    "northwest",
    "protest",
    "quest",
    "request",
    "southwest",
    "suggest",
    "west",
];

/// Whether the passage says of one among several, of the second, or of a narrower kind, what the claim says of the largest;
/// or of almost all what it says of all; or of few.
pub fn is_exaggerated(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    let look = Look::new(claim, index, sentences);
    look.is_of_lower_rank() || look.is_of_nearly_all() || look.is_of_few()
}

/// Whether the passage says of another office, or of a part of a land, what the claim says of it.
pub fn is_of_another(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    let look = Look::new(claim, index, sentences);
    look.is_of_other_office()
        || look.is_of_relation()
        || look.is_of_kin()
        || look.is_of_other_model()
}

/// Whether the claim says that something is so of which the passage says until when it was.
pub fn is_over(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    const OVER: [&str; 6] = ["formerly", "once", "till", "until", "used", "previously"];
    let said = |words: &[&str]| claim.tokens.iter().any(|it| words.contains(&&*it.word));
    if !said(&["are", "is"]) || said(&["was", "were"]) || said(&OVER) {
        return false;
    }
    let term = |word: &str| index.term_of(word);
    let (was, were) = (term("was"), term("were"));
    let over: Vec<Term> =
        OVER.iter().filter(|it| **it != "used").filter_map(|it| term(it)).collect();
    let (used, to, be) = (term("used"), term("to"), term("be"));
    let has = |sentence: &Sentence, terms: &[Option<Term>]| {
        sentence.terms.iter().any(|it| terms.contains(&Some(*it)))
    };
    let is_over = |sentence: &Sentence| {
        let is_past = has(sentence, &[was, were]);
        let is_ended = sentence.terms.iter().any(|it| over.contains(it));
        let used_to_be =
            sentence.terms.windows(3).any(|it| it.iter().copied().map(Some).eq([used, to, be]));
        (is_past && is_ended) || used_to_be
    };
    let is_now = [term("is"), term("are"), term("remains"), term("still")];
    sentences.iter().any(is_over) && !sentences.iter().any(|it| has(it, &is_now))
}

struct Look<'l> {
    claim: &'l Claim,
    index: &'l Index,
    sentences: &'l [Sentence],
    /// The terms of all words of the claim.
    own: BTreeSet<Term>,
}

impl<'l> Look<'l> {
    fn new(claim: &'l Claim, index: &'l Index, sentences: &'l [Sentence]) -> Self {
        let own = claim.tokens.iter().filter_map(|it| index.term_of(&it.word)).gather();
        Look { claim, index, sentences, own }
    }

    fn says(&self, words: &[&str]) -> bool {
        self.claim.tokens.iter().any(|it| words.contains(&&*it.word))
    }

    /// Whether a token of a sentence has a word of a list that the claim does not have.
    fn is_foreign(&self, sentence: &Sentence, at: Option<usize>, list: &Roots) -> bool {
        let term = at.and_then(|at| sentence.terms.get(at));
        term.is_some_and(|it| self.index.is_of(*it, list) && !self.own.contains(it))
    }

    /// Whether something holds of each place of a term, and there are some.
    fn is_always(&self, term: Term, is_it: impl Fn(&Sentence, usize) -> bool) -> bool {
        let places =
            self.sentences.iter().flat_map(|it| turned::places(it, term).map(move |at| (it, at)));
        let mut places = places.peekable();
        places.peek().is_some() && places.all(|(sentence, at)| is_it(sentence, at))
    }

    fn is_of_lower_rank(&self) -> bool {
        let tokens = self.claim.tokens.iter().enumerate();
        let superlatives = tokens.filter(|(_, it)| is_superlative(it)).take(MOST);
        let [one, of, the, among] = ["one", "of", "the", "among"].map(|it| self.index.term_of(it));
        let is_among = self.says(&["among"]) || self.says(&["one"]);
        superlatives.filter_map(|(at, it)| Some((at, self.index.term_of(&it.word)?))).any(
            |(at, superlative)| {
                let next = self.claim.tokens.get(at + 1).filter(|it| !it.opens && words::tells(it));
                let next = next.and_then(|it| self.index.term_of(&it.word));
                self.is_always(superlative, |sentence, place| {
                    let before = |back: usize| {
                        place.checked_sub(back).and_then(|at| sentence.terms.get(at)).copied()
                    };
                    let is =
                        |back: usize, term: Option<Term>| term.is_some() && before(back) == term;
                    let is_one_of = is(1, the) && is(2, of) && is(3, one);
                    let is_many = is_one_of || is(1, among) || (is(1, the) && is(2, among));
                    (is_many && !is_among)
                        || self.is_ranked(sentence, place)
                        || next.is_some_and(|next| self.is_narrowed(sentence, place, next))
                })
            },
        )
    }

    /// Whether a place in a row stands before a superlative that the claim does not have: `second largest`.
    fn is_ranked(&self, sentence: &Sentence, place: usize) -> bool {
        let before = place.checked_sub(1).and_then(|at| sentence.figures.counting(at + 1));
        let is_rank = |it: &&Quantity| {
            it.measure == Measure::Ordinal && it.value > 1.0 && it.at + it.length == place
        };
        let claimed = &self.claim.figures.quantities;
        before.filter(is_rank).is_some_and(|rank| {
            !claimed.iter().any(|own| own.measure == Measure::Ordinal && own.has_value(rank))
        })
    }

    /// Whether a word that the claim does not have stands between a superlative and what it is said of: `largest wooden tower`.
    fn is_narrowed(&self, sentence: &Sentence, place: usize, next: Term) -> bool {
        let term = |at: usize| sentence.terms.get(at).copied();
        let between = term(place + 1).filter(|it| *it != next && !self.own.contains(it));
        let is_name = is_among(&sentence.names, place + 1);
        let is_clause = is_among(&sentence.clauses, place + 1);
        between.is_some_and(|it| !self.index.is_small(it) && !is_name && !is_clause)
            && term(place + 2) == Some(next)
    }

    fn is_of_nearly_all(&self) -> bool {
        let has_all = self.says(&UNIVERSALS);
        has_all
            && self
                .sentences
                .iter()
                .any(|it| it.terms.iter().any(|it| self.index.is_of(*it, &NEARLY)))
            && UNIVERSALS.iter().filter(|it| self.says(&[it])).any(|word| {
                let term = self.index.term_of(word);
                term.is_some_and(|term| {
                    self.is_always(term, |sentence, place| {
                        self.is_foreign(sentence, place.checked_sub(1), &NEARLY)
                            && sentence
                                .terms
                                .get(place)
                                .is_some_and(|it| self.index.is_of(*it, &ALL))
                    })
                })
            })
    }

    /// Whether the passage says of few what the claim says without that. A few are some.
    fn is_of_few(&self) -> bool {
        const SMALL: [&str; 6] = ["barely", "few", "hardly", "not", "only", "some"];
        let Some(few) = self.index.term_of("few") else { return false };
        if self.says(&SMALL) || !self.claim.denied.is_empty() {
            return false;
        }
        let is_it = |sentence: &Sentence, at: usize| {
            let before = at.checked_sub(1).and_then(|at| sentence.terms.get(at));
            let is_many = before.is_some_and(|it| self.index.is_small(*it))
                && !is_among(&sentence.clauses, at);
            let counted = sentence.terms.get(at + 1);
            !is_many && counted.is_some_and(|it| self.own.contains(it) && !self.index.is_small(*it))
        };
        self.sentences.iter().any(|it| turned::places(it, few).any(|at| is_it(it, at)))
    }

    /// Whether each office, land or town of the claim that the passage has is another one there.
    fn is_of_other_office(&self) -> bool {
        let is_past = self.says(&["was", "were", "had", "until"]);
        let named = self.claim.names.iter().filter_map(|at| self.claim.tokens.get(*at as usize));
        let named: BTreeSet<Term> = named.filter_map(|it| self.index.term_of(&it.word)).gather();
        // Who "was mayor" may be a former one; `Mayor Reed` is not, whatever was done.
        let titles = self.claim.names.iter().filter_map(|at| {
            let at = *at as usize;
            self.claim.tokens.get(at).filter(|it| !it.opens)?;
            self.index.term_of(&self.claim.tokens.get(at.checked_sub(1)?)?.word)
        });
        let titles: BTreeSet<Term> = titles.gather();
        let is_title = |at: usize, sentence: &Sentence| {
            sentence.terms.get(at).is_some_and(|it| titles.contains(it))
                && is_among(&sentence.names, at + 1)
        };
        let is_other = |sentence: &Sentence, at: usize| {
            let before = at.checked_sub(1);
            let is_name = |at: usize| is_among(&sentence.names, at);
            let is_of_names = || {
                let term = before.and_then(|at| sentence.terms.get(at));
                term.is_some_and(|it| self.index.is_of(*it, &OF_NAMES))
                    && !before.is_some_and(is_name)
            };
            let is_side =
                is_name(at) && self.is_foreign(sentence, before, &SIDES) && !is_of_names();
            let is_named = || sentence.terms.get(at).is_some_and(|it| named.contains(it));
            is_side
                || (self.is_foreign(sentence, before, &OFFICES) && !is_named())
                || (self.is_foreign(sentence, before, &FORMER)
                    && ((!is_past && !is_named()) || (is_title(at, sentence) && !is_name(at))))
        };
        // By term: whether it stands somewhere as the claim has it.
        let mut found: BTreeMap<Term, bool> = BTreeMap::new();
        for sentence in self.sentences {
            for (at, term) in sentence.terms.iter().enumerate().skip(1) {
                if self.own.contains(term) && !self.index.is_small(*term) && is_other(sentence, at)
                {
                    found.insert(*term, false);
                }
            }
        }
        if found.is_empty() {
            return false;
        }
        for sentence in self.sentences {
            for (at, term) in sentence.terms.iter().enumerate() {
                if let Some(is_own) = found.get_mut(term) {
                    *is_own |= at == 0 || !is_other(sentence, at);
                }
            }
        }
        found.values().any(|is_own| !is_own)
    }

    /// Whether somebody does or has in the claim what the passage says of whose pupil or grandson they name there: `built by Ann
    /// Marsh, a pupil of Tom Reed`.
    fn is_of_kin(&self) -> bool {
        let tokens = &self.claim.tokens;
        let is_told = tokens.iter().any(|it| RELATIONS.has(&words::root(&it.word)));
        let mut beings = tokens.iter().zip(tokens.iter().skip(1)).filter(|(it, _)| is_being(it));
        if is_told || beings.any(|(_, it)| matches!(it.word.as_str(), "a" | "an" | "the")) {
            return false;
        }
        let Some(of) = self.index.term_of("of") else { return false };
        let names = roles::names(tokens).into_iter().take(MOST);
        let first = names.filter(|it| it.len() > 1).filter_map(|it| tokens.get(it.start));
        first.filter_map(|it| self.index.term_of(&it.word)).any(|name| {
            self.is_always(name, |sentence, place| {
                let near = sentence.terms_of(&(place.saturating_sub(RELATED + 2)..place));
                let joins = near.iter().rposition(|it| *it == of);
                let relation = joins.and_then(|at| at.checked_sub(1));
                let start = place - near.len();
                relation.is_some_and(|at| {
                    let mut between = start + at + 1..place;
                    self.is_foreign(sentence, Some(start + at), &RELATIONS)
                        && !between.any(|at| is_among(&sentence.names, at))
                        && !(start + at + 1..=place).any(|at| is_among(&sentence.clauses, at))
                })
            })
        })
    }

    /// Whether the claim says of somebody that they are what they only are somebody's brother of, or a candidate for.
    fn is_of_relation(&self) -> bool {
        let tokens = &self.claim.tokens;
        tokens.iter().enumerate().filter(|(_, it)| is_being(it)).take(MOST).any(|(at, _)| {
            let mut behind = tokens.iter().skip(at + 1).take(2);
            let office = behind.find(|it| !matches!(it.word.as_str(), "a" | "an" | "the"));
            let who = at.checked_sub(1).and_then(|at| tokens.get(at)).filter(|it| words::tells(it));
            let term = |it: Option<&Token>| it.and_then(|it| self.index.term_of(&it.word));
            let (Some(office), Some(who)) = (term(office), term(who)) else { return false };
            !self.index.is_small(office)
                && self.is_always(office, |sentence, place| {
                    let near = place.saturating_sub(RELATED)..place;
                    let mut near =
                        near.filter(|at| self.is_foreign(sentence, Some(*at), &RELATIONS));
                    near.next().is_some_and(|relation| {
                        let before = relation.saturating_sub(WHO)..relation;
                        sentence.terms_of(&before).contains(&who)
                    })
                })
        })
    }

    /// Whether a name with a number is that of something else, for a further name stands behind it: `Sker 14 Pro`.
    fn is_of_other_model(&self) -> bool {
        let numbers = self.claim.figures.quantities.iter();
        let models = numbers.filter(|it| {
            let before = it.at.checked_sub(1);
            it.measure == Measure::Plain && before.is_some_and(|at| is_among(&self.claim.names, at))
        });
        models.take(MOST).any(|model| {
            let (mut is_there, mut is_own) = (false, false);
            for sentence in self.sentences {
                let same = sentence.figures.quantities.iter().filter(|it| model.has_value(it));
                for it in same.filter(|it| it.at > 0 && is_among(&sentence.names, it.at - 1)) {
                    let behind = it.at + it.length;
                    let term = sentence.terms.get(behind);
                    let is_further = is_among(&sentence.names, behind)
                        && !is_among(&sentence.clauses, behind)
                        && term.is_some_and(|it| !self.own.contains(it));
                    is_there |= is_further;
                    is_own |= !is_further;
                }
            }
            is_there && !is_own
        })
    }
}

fn is_being(token: &Token) -> bool {
    matches!(token.word.as_str(), "are" | "is" | "was" | "were")
}

/// Whether a word says that nothing is more so.
fn is_superlative(token: &Token) -> bool {
    const GATE: Gate = Gate::of(NO_SUPERLATIVES);
    let word = token.word.as_str();
    let is_other = GATE.may_have(word) && NO_SUPERLATIVES.contains(&word);
    matches!(word, "best" | "worst") || (word.len() > 5 && word.ends_with("est") && !is_other)
}
