//! What a sentence says only on a condition, only of what somebody claims, with an exception, or as the most that it may
//! be: without that it says something else.
//!
//! Border: tokens of a sentence in, where its provisos stand out; and whether a claim leaves one out. English.

use super::claim::Claim;
use super::index::{Index, Sentence};
use super::lexicon::Term;
use super::quantity::Quantity;
use super::window::{Sought, Window};
use super::{bound, reserve, turned};
use crate::text::{Gate, Token};
use quarry_types::order::Gather;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Tokens of a clause with "if" that are looked at.
const CLAUSE: usize = 30;
/// Tokens before "claimed" that say who does.
const SPEAKER: usize = 3;
/// Tokens behind "claimed" within which a verb shows that it is a statement that was claimed, and no throne.
const STATED: usize = 6;
/// Tokens behind "according to" within which those stand whom nobody trusts.
const NAMED: usize = 3;
/// Tokens between "every" and its exception.
const EXCEPTED: usize = 12;
/// Tokens before a number that may say that it is the most.
const BEFORE_NUMBER: usize = 3;
/// Of four parts of what a window has of a claim, those that a sentence has of it that says it with a proviso.
const MOST_OF_IT: usize = 3;

/// Words that may begin a proviso, beside those below.
const BEGINS: &[&str] = &[
    "according",
    "apart",
    "but",
    "except",
    "excepting",
    "excluding",
    "had",
    "if",
    "other",
    "unless",
    "were",
    "whether",
];
/// Words before "if" that make it no condition.
const NO_CONDITION: &[&str] = &[
    "as",
    "ask",
    "asked",
    "asks",
    "check",
    "checked",
    "checks",
    "decide",
    "decided",
    "determine",
    "even",
    "find",
    "found",
    "know",
    "knows",
    "learn",
    "question",
    "see",
    "sure",
    "tell",
    "test",
    "tested",
    "tests",
    "what",
    "wonder",
    "wondered",
];
/// Words behind "if" that make it no condition.
const NO_CLAUSE: &[&str] =
    &["any", "anything", "ever", "necessary", "needed", "not", "only", "possible", "so"];
/// Words of a claim that keep a condition.
const CONDITIONAL: &[&str] = &[
    "assuming",
    "can",
    "case",
    "conditional",
    "could",
    "depend",
    "depending",
    "depends",
    "if",
    "once",
    "only",
    "provided",
    "should",
    "subject",
    "unless",
    "until",
    "upon",
    "when",
    "whenever",
    "whether",
    "without",
];

/// Those who say what others deny, or what nobody vouches for.
const DOUBTED: &[&str] = &[
    "critics",
    "detractors",
    "folklore",
    "gossip",
    "hearsay",
    "legend",
    "legends",
    "myth",
    "myths",
    "opponents",
    "rumor",
    "rumors",
    "rumour",
    "rumours",
    "sceptics",
    "skeptics",
    "tradition",
];
/// What they do.
const SAYS: &[&str] = &[
    "argue", "argued", "believe", "believed", "claim", "claimed", "fear", "feared", "say", "said",
    "says", "think", "thought",
];
/// Verbs before "that" with which nobody vouches for what follows.
const CLAIMS: &[&str] = &[
    "argue",
    "argued",
    "argues",
    "assert",
    "asserted",
    "asserts",
    "claim",
    "claimed",
    "claims",
    "contend",
    "contended",
    "contends",
    "speculate",
    "speculated",
    "speculates",
];
/// Forms of verbs that make a statement of what was claimed.
const IS: &[&str] = &["are", "had", "has", "have", "is", "was", "were", "would"];
/// Words before which what was claimed is no statement.
const ENDS_CLAIMED: &[&str] = &[
    "after", "and", "as", "at", "but", "by", "for", "from", "in", "on", "or", "when", "which",
    "who",
];
/// Words of a claim that keep who says it.
const ATTRIBUTING: &[&str] = &[
    "accord",
    "according",
    "accused",
    "argue",
    "argued",
    "argues",
    "assert",
    "asserted",
    "asserts",
    "claim",
    "claimed",
    "claiming",
    "claims",
    "contend",
    "contended",
    "contends",
    "opinion",
    "report",
    "reported",
    "reports",
    "said",
    "say",
    "saying",
    "says",
    "speculated",
    "stated",
    "states",
    "suggest",
    "suggested",
    "suggests",
    "thought",
    "told",
    "view",
];

/// Words that leave no exception.
const UNIVERSALS: &[&str] = &[
    "all",
    "always",
    "any",
    "each",
    "entire",
    "every",
    "everybody",
    "everyone",
    "everything",
    "whole",
];
/// Words of a claim that keep an exception.
const EXCEPTING: &[&str] = &[
    "almost",
    "apart",
    "aside",
    "besides",
    "but",
    "except",
    "excepting",
    "excluding",
    "mostly",
    "nearly",
    "other",
    "save",
    "without",
];
/// Words of a claim that keep "up to", or say what can be and not what is.
const LIMITING: &[&str] = &[
    "almost", "can", "capacity", "carries", "carry", "could", "held", "hold", "holds", "limit",
    "limited", "max", "maximum", "may", "most", "nearly", "reach", "reached", "reaches", "room",
    "seat", "seats", "up", "within",
];

/// What restricts a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proviso {
    /// These tokens say when it holds.
    Condition(Range<usize>),
    /// These ask, or tell what would be if it were so.
    Question(Range<usize>),
    /// These say whose words it is.
    Attribution(Range<usize>),
    /// This one says that there is an exception.
    Exception(usize),
}

/// The provisos of a sentence, in order; whether it asks is told by its end.
pub fn of(tokens: &[Token], asks: bool) -> Vec<Proviso> {
    let all = asks.then_some(Proviso::Question(0..tokens.len()));
    all.into_iter().chain((0..tokens.len()).filter_map(|at| begins(tokens, at))).collect()
}

/// The proviso whose first word of that kind this token is.
fn begins(tokens: &[Token], at: usize) -> Option<Proviso> {
    const GATES: [Gate; 3] = [Gate::of(BEGINS), Gate::of(DOUBTED), Gate::of(CLAIMS)];
    let word = tokens.get(at)?.word.as_str();
    if !GATES.iter().any(|gate| gate.may_have(word)) {
        return None;
    }
    match word {
        "if" | "unless" => condition(tokens, at),
        "whether" => Some(Proviso::Question(at..at + 1 + clause(tokens, at, CLAUSE).count())),
        "had" | "were" => inverted(tokens, at),
        "except" | "excepting" | "excluding" => Some(Proviso::Exception(at)),
        "apart" if next(tokens, at) == "from" => Some(Proviso::Exception(at)),
        "other" if next(tokens, at) == "than" => Some(Proviso::Exception(at)),
        "but" if at.checked_sub(1).is_some_and(|at| UNIVERSALS.contains(&said(tokens, at))) => {
            Some(Proviso::Exception(at))
        }
        _ => attribution(tokens, at),
    }
}

/// The word of a token; nothing, where there is none.
pub fn said(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| token.word.as_str())
}

/// The word behind a token.
fn next(tokens: &[Token], at: usize) -> &str {
    said(tokens, at + 1)
}

/// The tokens behind this one in its clause, so many at most.
fn clause(tokens: &[Token], at: usize, most: usize) -> impl Iterator<Item = &Token> {
    let behind = tokens.iter().skip(at + 1).take(most);
    behind.take_while(|token| !token.opens && !token.begins)
}

/// A clause with "if", where it is one that says when the rest holds.
fn condition(tokens: &[Token], at: usize) -> Option<Proviso> {
    let before = at.checked_sub(1).map_or("", |at| said(tokens, at));
    let length = clause(tokens, at, CLAUSE).count();
    let is_one =
        length > 1 && !NO_CONDITION.contains(&before) && !NO_CLAUSE.contains(&next(tokens, at));
    is_one.then(|| Proviso::Condition(at..at + 1 + length))
}

/// A condition without "if": `Had the company bought it, prices would have risen`.
fn inverted(tokens: &[Token], at: usize) -> Option<Proviso> {
    let length = clause(tokens, at, CLAUSE).count();
    let mut behind = tokens.iter().skip(at + 1 + length).take(CLAUSE);
    let is_one = tokens.get(at).is_some_and(|it| it.opens || it.begins)
        && behind.any(|it| matches!(it.word.as_str(), "could" | "might" | "would"));
    (length > 1 && is_one).then(|| Proviso::Question(at..at + 1 + length))
}

/// Who says it, where that is somebody who does not vouch for it.
fn attribution(tokens: &[Token], at: usize) -> Option<Proviso> {
    let word = said(tokens, at);
    let next = next(tokens, at);
    let speaker = at.saturating_sub(SPEAKER);
    if word == "according" && next == "to" {
        let found = clause(tokens, at + 1, NAMED).position(|it| DOUBTED.contains(&&*it.word))?;
        return Some(Proviso::Attribution(at..at + 3 + found));
    }
    let is_legend = (word, next, said(tokens, at + 2)) == ("legend", "has", "it");
    if is_legend || (DOUBTED.contains(&word) && SAYS.contains(&next)) {
        return Some(Proviso::Attribution(at..at + 2));
    }
    if !CLAIMS.contains(&word) {
        return None;
    }
    // Claims that are paid say nothing.
    let is_that = next == "that" && !IS.contains(&said(tokens, at + 2));
    let before = at.checked_sub(1).map_or("", |at| said(tokens, at));
    // What who claimed it is, is no statement of theirs.
    let is_of_somebody = matches!(before, "that" | "which" | "who") || IS.contains(&next);
    let mut stated = clause(tokens, at, STATED).take_while(|it| !ends_what_is_claimed(it));
    let is_stated = word == "claimed"
        && (next == "to" || (!is_of_somebody && stated.any(|it| IS.contains(&&*it.word))));
    (is_that || is_stated).then(|| Proviso::Attribution(speaker..at + 1))
}

/// Whether what was claimed is a thing that ends before this token: `claimed victory and`, `claimed 12 lives`.
fn ends_what_is_claimed(token: &Token) -> bool {
    token.is_number() || ENDS_CLAIMED.contains(&&*token.word)
}

/// Whether a sentence of the window says the claim only on a condition, or only of what somebody claims, of which the
/// claim says nothing.
pub fn is_dropped(sought: &Sought<'_>, window: &Window, sentences: &[Sentence]) -> bool {
    let claim = sought.claim;
    if sentences.iter().all(|sentence| sentence.provisos.is_empty())
        || claim.said().any(|token| reserve::keeps_reserve(&token.word))
    {
        return false;
    }
    let has = |list: &[&str]| claim.tokens.iter().any(|token| list.contains(&&*token.word));
    let (is_conditional, is_attributed) = (has(CONDITIONAL), has(ATTRIBUTING));
    let terms: BTreeSet<Term> = sought.terms.iter().flatten().copied().gather();
    let is_there = |term: &&Term| !sought.index.places(**term, &window.sentences).is_empty();
    let there = terms.iter().filter(is_there).count();
    let said: Vec<Said> = sentences.iter().map(|it| Said::of(&it.terms, &terms)).collect();
    sentences.iter().zip(&said).enumerate().any(|(at, (sentence, own))| {
        let mut others = said.iter().enumerate().filter(|(other, _)| *other != at);
        let is_said_elsewhere = others.any(|(_, said)| is_most(said.0.len(), there));
        sentence.provisos.iter().any(|proviso| {
            let (part, is_dropped) = match proviso {
                Proviso::Condition(part) => (part, !is_conditional),
                Proviso::Question(part) => (part, !is_conditional),
                Proviso::Attribution(part) => (part, !is_attributed),
                Proviso::Exception(_) => return false,
            };
            let inside = Said::of(sentence.terms_of(part), &terms);
            let is_question = matches!(proviso, Proviso::Question(_));
            let is_condition = is_question || matches!(proviso, Proviso::Condition(_));
            let is_assumed = is_condition && !is_said_elsewhere && own.assumes(&inside, there);
            is_dropped && ((!is_question && own.leaves(&inside, there)) || is_assumed)
        })
    })
}

/// Whether so many terms are most of what is there of a claim.
const fn is_most(count: usize, there: usize) -> bool {
    count * 4 >= there * MOST_OF_IT
}

/// The terms of a claim that some tokens have, and how often: a sentence may have many provisos, and is gone through once.
#[derive(Default)]
struct Said(BTreeMap<Term, usize>);

impl Said {
    fn of(tokens: &[Term], terms: &BTreeSet<Term>) -> Said {
        let mut said = Said::default();
        for term in tokens.iter().copied().filter(|term| terms.contains(term)) {
            *said.0.entry(term).or_insert(0) += 1;
        }
        said
    }

    /// How many of its terms stand outside of a part of it.
    fn outside(&self, part: &Said) -> usize {
        self.0.iter().filter(|(term, count)| part.0.get(*term) != Some(*count)).count()
    }

    /// Whether it says most of what is there of a claim, and the claim nothing of this part of it alone.
    fn leaves(&self, part: &Said, there: usize) -> bool {
        let rest = self.outside(part);
        rest > 0 && is_most(rest, there) && rest == self.0.len()
    }

    /// Whether it says most of what is there of a claim in this part of it alone: nobody says that it is so.
    fn assumes(&self, part: &Said, there: usize) -> bool {
        there > 1 && is_most(part.0.len(), there) && !is_most(self.outside(part), there)
    }
}

/// Whether a claim says "every" where the passage names an exception.
pub fn drops_exception(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    let is_exception = |proviso: &Proviso| matches!(proviso, Proviso::Exception(_));
    let mut provisos = sentences.iter().flat_map(|sentence| &sentence.provisos);
    let mut words = claim.tokens.iter().map(|token| &*token.word);
    if !provisos.any(is_exception) || words.any(|word| EXCEPTING.contains(&word)) {
        return false;
    }
    claim.tokens.iter().zip(0..).filter(|(it, _)| UNIVERSALS.contains(&&*it.word)).any(
        |(universal, at)| {
            let own = index.term_of(&universal.word);
            let behind = index.term_of(next(&claim.tokens, at));
            own.is_some_and(|own| sentences.iter().any(|it| excepts(it, own, behind)))
        },
    )
}

/// Whether a sentence excepts something of what stands behind this term as in the claim.
fn excepts(sentence: &Sentence, universal: Term, behind: Option<Term>) -> bool {
    sentence.provisos.iter().any(|proviso| {
        let Proviso::Exception(at) = *proviso else { return false };
        let first = at.saturating_sub(EXCEPTED);
        let before = sentence.terms.get(first..at).unwrap_or_default();
        before.iter().enumerate().any(|(place, term)| {
            let next = sentence.terms.get(first + place + 1).copied();
            let is_of_same = first + place + 1 == at || (next.is_some() && next == behind);
            *term == universal && is_of_same
        })
    })
}

/// Whether a claim gives a number as it is that the passage only gives as the most that it may be: `up to 5,000`.
pub fn takes_limit(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    let (Some(up), Some(to)) = (index.term("up"), index.term("to")) else { return false };
    let is_limit = |sentence: &Sentence, quantity: &Quantity| {
        let before = sentence.terms.get(quantity.at.saturating_sub(BEFORE_NUMBER)..quantity.at);
        before.is_some_and(|before| {
            matches!(before, [.., one, other] if (*one, *other) == (up, to))
                || matches!(before, [one, other, _] if (*one, *other) == (up, to))
        })
    };
    let mut words = claim.said().map(|token| &*token.word);
    if words.any(|word| LIMITING.contains(&word)) || says_as_many_as(claim) {
        return false;
    }
    let there = sentences.iter().flat_map(|sentence| {
        let quantities = sentence.figures.quantities.iter();
        quantities.map(move |it| (it, is_limit(sentence, it)))
    });
    let there: Vec<(&Quantity, bool)> = there.collect();
    if !there.iter().any(|(_, is_limit)| *is_limit) {
        return false;
    }
    // What went on up to a year went on until it.
    let is_amount = |it: &&Quantity| !it.is_vague && it.covers.is_none() && !bound::is_year(it);
    claim.figures.quantities.iter().filter(is_amount).any(|it| {
        // What grows to 5 metres grows up to them.
        let is_end = it.at.checked_sub(1).is_some_and(|at| said(&claim.tokens, at) == "to");
        !is_end && turned::is_only_marked(it, &there)
    })
}

/// Whether a claim says `as many as`, which is "up to".
fn says_as_many_as(claim: &Claim) -> bool {
    claim.tokens.windows(3).any(|three| {
        let [first, word, last] = three else { return false };
        let is_how_much = matches!(word.word.as_str(), "high" | "long" | "many" | "much");
        is_how_much && first.word == "as" && last.word == "as"
    })
}
