//! What a sentence says only on a condition, only of what somebody claims, with an exception, or as the most that it may
//! be: without that it says something else.
//!
//! Border: tokens of a sentence in, where its provisos stand out; and whether a claim leaves one out. English.

use super::claim::Claim;
use super::index::{Index, Sentence};
use super::lexicon::Term;
use super::quantity::Quantity;
use super::window::{Sought, Window};
use super::{reserve, words};
use crate::text::{Gate, Token};
use quarry_types::order::Gather;
use std::collections::BTreeSet;
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
const BEGINS: &[&str] =
    &["according", "apart", "but", "except", "excepting", "excluding", "if", "other", "unless"];
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
    /// These say whose words it is.
    Attribution(Range<usize>),
    /// This one says that there is an exception.
    Exception(usize),
}

/// The provisos of a sentence, in order.
pub fn of(tokens: &[Token]) -> Vec<Proviso> {
    (0..tokens.len()).filter_map(|at| begins(tokens, at)).collect()
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
fn said(tokens: &[Token], at: usize) -> &str {
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
    let is_stated = word == "claimed"
        && (next == "to" || clause(tokens, at, STATED).any(|it| IS.contains(&&*it.word)));
    (is_that || is_stated).then(|| Proviso::Attribution(speaker..at + 1))
}

/// Whether a sentence of the window says the claim only on a condition, or only of what somebody claims, of which the
/// claim says nothing.
pub fn is_dropped(sought: &Sought<'_>, window: &Window, sentences: &[Sentence]) -> bool {
    let claim = sought.claim;
    if sentences.iter().all(|sentence| sentence.provisos.is_empty())
        || claim.tokens.iter().any(|token| reserve::keeps_reserve(&token.word))
    {
        return false;
    }
    let has = |list: &[&str]| claim.tokens.iter().any(|token| list.contains(&&*token.word));
    let (is_conditional, is_attributed) = (has(CONDITIONAL), has(ATTRIBUTING));
    let terms: BTreeSet<Term> = sought.terms.iter().flatten().copied().gather();
    let is_there = |term: &&Term| !sought.index.places(**term, &window.sentences).is_empty();
    let there = terms.iter().filter(is_there).count();
    sentences.iter().any(|sentence| {
        sentence.provisos.iter().any(|proviso| {
            let part = match proviso {
                Proviso::Condition(part) => Some(part).filter(|_| !is_conditional),
                Proviso::Attribution(part) => Some(part).filter(|_| !is_attributed),
                Proviso::Exception(_) => None,
            };
            part.is_some_and(|part| leaves(sentence, part, &terms, there))
        })
    })
}

/// Whether a sentence says most of what is there of a claim, and the claim nothing of this part of the sentence.
fn leaves(sentence: &Sentence, part: &Range<usize>, terms: &BTreeSet<Term>, there: usize) -> bool {
    let rest = sentence.terms.iter().enumerate().filter(|(at, _)| !part.contains(at));
    let rest: BTreeSet<Term> =
        rest.map(|(_, term)| *term).filter(|term| terms.contains(term)).gather();
    let is_kept =
        sentence.terms_of(part).iter().any(|term| terms.contains(term) && !rest.contains(term));
    !rest.is_empty() && rest.len() * 4 >= there * MOST_OF_IT && !is_kept
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
            let term = |word: &str| index.term(&words::root(word));
            let (own, behind) = (term(&universal.word), term(next(&claim.tokens, at)));
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
    let mut words = claim.tokens.iter().map(|token| &*token.word);
    if words.any(|word| LIMITING.contains(&word)) {
        return false;
    }
    claim.figures.quantities.iter().filter(|it| !it.is_vague && it.covers.is_none()).any(|it| {
        // What grows to 5 metres grows up to them.
        let is_end = it.at.checked_sub(1).is_some_and(|at| said(&claim.tokens, at) == "to");
        let mut there = sentences
            .iter()
            .flat_map(|sentence| sentence.figures.quantities.iter().map(move |q| (sentence, q)))
            .filter(|(_, other)| it.has_value(other))
            .peekable();
        !is_end && there.peek().is_some() && there.all(|(sentence, q)| is_limit(sentence, q))
    })
}
