//! Verbs that say what somebody wants, tries, agrees or is asked to do, might do or nearly did: not that it was done.
//!
//! Border: tokens of a sentence in, places of such verbs out; and whether a claim states one of them. English.

use super::claim::{Claim, Step};
use super::index::Sentence;
use super::lexicon::Term;
use super::roots::Roots;
use super::window::Sought;
use super::{reserve, words};
use crate::text::{Gate, Shape, Token};
use quarry_types::order::Gather;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Tokens before "to" within which stands what makes it a wish: `urged the mayor of Orrin to resign`.
const WISH: usize = 6;
/// Tokens before a verb in "-ing" within which stands what keeps from it: `prevented the firm from buying`.
const HINDRANCE: usize = 6;
/// Tokens behind "to" or "would" that may stand before the verb: `to have been`.
const AUXILIARIES: usize = 4;

/// Words before "to" with a verb behind it, in all their forms: what they speak of may never have been done.
static WISHES: LazyLock<Roots> = LazyLock::new(|| {
    let verbs = "accused advised afraid agreed aimed alleged applied asked attempted authorised \
        authority bid budgeted called campaign chance claimed competing declined deal \
        demanded due duty eager effort encouraged expected failed forgot hesitated hoped impatient \
        inability instructed intended invited keen licence likely mandate mission neglected \
        negotiating offered opportunity opposed option ordered permission persuading petition \
        planned pleaded pledged poised power prepared pressed pressure pretended promised proposal \
        proposed ready recommended refused reluctant requested right scheduled seemed slated sought \
        suspected talks targeted tasked tempted threatened threat tried unable unwilling urged \
        volunteered vowed vying wanted warned willing wished";
    Roots::of(verbs.split_whitespace().chain(["agreement", "seek", "try", "plea"]))
});
/// The same before a verb in "-ing".
static HINDRANCES: LazyLock<Roots> = LazyLock::new(|| {
    let verbs = "avoided considered contemplated delayed discussed forbidden mulled opposed postponed \
        proposed quit recommended resisted ruled stopped suggested";
    Roots::of(verbs.split_whitespace())
});
/// The same with "from" between.
static KEEPS_FROM: LazyLock<Roots> = LazyLock::new(|| {
    let verbs = "banned barred blocked deterred discouraged dissuaded excluded excused exempt \
        exempted forbidden hindered kept precluded prevented prohibited refrained restrained stopped";
    Roots::of(verbs.split_whitespace())
});
/// The same with "of" or "with" between.
static ACCUSES: LazyLock<Roots> =
    LazyLock::new(|| Roots::of(["accused", "charged", "suspected", "suspicion"]));

const MODALS: &[&str] =
    &["can", "could", "may", "might", "must", "shall", "should", "will", "would"];
/// Words behind "would" and "was to" with which a story tells what came to be.
const CAME_TO_BE: &[&str] = &[
    "again",
    "become",
    "be",
    "come",
    "continue",
    "eventually",
    "go",
    "later",
    "remain",
    "serve",
    "soon",
    "subsequently",
    "then",
];
/// Verbs behind "can" with which a writer does what they say: `the club can announce that`.
const ANNOUNCES: &[&str] = &["announce", "confirm", "report", "reveal", "say"];
const NEARLY: [&str; 3] = ["almost", "nearly", "virtually"];

/// A verb that does not say that something was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreal {
    /// Its token.
    pub at: u32,
    /// Whether nothing else can be meant: what would or can be done may have been done.
    pub is_certain: bool,
}

/// The verbs of a sentence that do not say that something was done, in order.
pub fn of(tokens: &[Token]) -> Vec<Unreal> {
    let mut found: Vec<Unreal> = Vec::new();
    for at in 0..tokens.len() {
        let Some((verb, is_certain)) = begins(tokens, at) else { continue };
        let Ok(verb) = u32::try_from(verb) else { continue };
        if found.last().is_none_or(|last| last.at < verb) {
            found.push(Unreal { at: verb, is_certain });
        }
    }
    found
}

/// The verb of which a token says that it may never have been done, and whether that is certain.
fn begins(tokens: &[Token], at: usize) -> Option<(usize, bool)> {
    let token = tokens.get(at)?;
    let word = token.word.as_str();
    if word == "to" {
        let verb = verb_behind(tokens, at)?;
        let before = before(tokens, at, WISH);
        let is_wish = before.iter().any(|it| WISHES.has(&words::root(&it.word)));
        let is_too = before.iter().rev().take(3).any(|it| it.word == "too");
        let last = before.last().map_or("", |it| it.word.as_str());
        if is_wish || is_too || last == "set" {
            return Some((verb, true));
        }
        let is_to_be = matches!(last, "is" | "are" | "was" | "were") && !comes_to_be(tokens, at);
        return is_to_be.then_some((verb, false));
    }
    if NEARLY.contains(&word) {
        let is_past = tokens.get(at + 1).is_some_and(|it| goes_on(it) && is_past(it));
        return is_past.then_some((at + 1, false));
    }
    if MODALS.contains(&word) && token.shape == Shape::Lower {
        let is_story = word == "would" && comes_to_be(tokens, at);
        let is_done = |verb: &usize| {
            let verb = tokens.get(*verb).map_or("", |it| it.word.as_str());
            matches!(word, "can" | "could") && ANNOUNCES.contains(&verb)
        };
        let verb = verb_behind(tokens, at).filter(|verb| !is_story && !is_done(verb));
        return verb.map(|verb| (verb, false));
    }
    let is_gerund = word.len() > 5 && word.ends_with("ing") && token.shape == Shape::Lower;
    if !is_gerund || !goes_on(token) || !is_kept_from(before(tokens, at, HINDRANCE)) {
        return None;
    }
    let is_helper = matches!(word, "having" | "being");
    let verb = if is_helper { verb_behind(tokens, at)? } else { at };
    Some((verb, true))
}

/// Whether these words before a verb in "-ing" keep somebody from it.
fn is_kept_from(before: &[Token]) -> bool {
    let [ahead @ .., last] = before else { return false };
    let has = |list: &Roots| ahead.iter().any(|it| list.has(&words::root(&it.word)));
    match last.word.as_str() {
        "from" => has(&KEEPS_FROM),
        "of" | "with" => has(&ACCUSES),
        "out" => ahead.last().is_some_and(|it| it.word.starts_with("rul")),
        _ => HINDRANCES.has(&words::root(&last.word)),
    }
}

/// So many tokens before this one in its clause.
fn before(tokens: &[Token], at: usize, most: usize) -> &[Token] {
    let all = tokens.get(at.saturating_sub(most)..at).unwrap_or_default();
    if !tokens.get(at).is_some_and(goes_on) {
        return &[];
    }
    let start = all.iter().rposition(|it| !goes_on(it)).unwrap_or(0);
    all.get(start..).unwrap_or_default()
}

/// The verb behind "to" or a word such as "would": what stands before it only helps it.
fn verb_behind(tokens: &[Token], at: usize) -> Option<usize> {
    let helps = |it: &Token| {
        matches!(it.word.as_str(), "be" | "been" | "being" | "have" | "not" | "never" | "also")
            || (it.word.len() > 4 && it.word.ends_with("ly"))
    };
    for place in at + 1..=at + AUXILIARIES {
        let token = tokens.get(place).filter(|it| goes_on(it))?;
        if helps(token) {
            continue;
        }
        let is_many = token.word.ends_with('s') && !token.word.ends_with("ss");
        let is_verb = token.shape == Shape::Lower && words::tells(token) && !token.is_number();
        return (is_verb && !is_many).then_some(place);
    }
    None
}

/// Whether a story goes on behind a word such as "would": `would later become`.
fn comes_to_be(tokens: &[Token], at: usize) -> bool {
    tokens.get(at + 1).is_some_and(|it| CAME_TO_BE.contains(&it.word.as_str()))
}

/// Whether a token is a verb in the past, as far as its form tells.
fn is_past(token: &Token) -> bool {
    token.shape == Shape::Lower
        && ((token.word.len() > 3 && token.word.ends_with("ed")) || words::is_past(&token.word))
}

/// Whether a token goes on with the clause of the one before.
const fn goes_on(token: &Token) -> bool {
    !token.opens && !token.begins
}

/// Whether a word of a claim keeps what a source only wants.
fn keeps(token: &Token) -> bool {
    const GATES: [Gate; 2] = [Gate::of(MODALS), Gate::of(&NEARLY)];
    let word = token.word.as_str();
    let is_known = GATES.iter().any(|gate| gate.may_have(word))
        && (MODALS.contains(&word) || NEARLY.contains(&word));
    is_known || reserve::keeps_reserve(word) || {
        let root = words::root(word);
        [&WISHES, &HINDRANCES, &KEEPS_FROM, &ACCUSES].iter().any(|list| list.has(&root))
    }
}

/// Whether a claim states as done what the passage says nowhere to be done.
pub fn is_stated(sought: &Sought<'_>, sentences: &[Sentence]) -> bool {
    let claim = sought.claim;
    if sentences.iter().all(|it| it.unreal.is_empty()) {
        return false;
    }
    let mut verbs = verbs(claim, sought);
    let has_any = sentences.iter().any(|sentence| {
        let term = |it: &Unreal| sentence.terms.get(it.at as usize);
        sentence.unreal.iter().filter_map(term).any(|term| verbs.contains_key(term))
    });
    if !has_any || !claim.denied.is_empty() || claim.said().any(keeps) {
        return false;
    }
    for sentence in sentences {
        let mut unreal = sentence.unreal.iter().peekable();
        for (term, at) in sentence.terms.iter().zip(0_u32..) {
            while unreal.next_if(|it| it.at < at).is_some() {}
            let Some(verb) = verbs.get_mut(term) else { continue };
            match unreal.peek().filter(|it| it.at == at) {
                Some(found) => verb.is_unreal |= found.is_certain || verb.is_past,
                None => verb.is_real = true,
            }
        }
    }
    verbs.values().any(|verb| verb.is_unreal && !verb.is_real)
}

/// A verb of a claim, and how the passage has it.
#[derive(Default)]
struct Verb {
    is_past: bool,
    is_unreal: bool,
    is_real: bool,
}

/// What may be verbs of a claim that it states, by their terms.
fn verbs(claim: &Claim, sought: &Sought<'_>) -> BTreeMap<Term, Verb> {
    let steps = claim.steps.iter().zip(&claim.at);
    let verbs = steps.filter_map(|(step, at)| {
        let Step::Word(word) = step else { return None };
        let term = sought.terms.get(*word).copied().flatten()?;
        let before = at.checked_sub(1).and_then(|at| claim.tokens.get(at));
        let is_aim = before.is_some_and(|it| it.word == "to");
        let token = claim.tokens.get(*at).filter(|it| !it.is_name() && !is_aim)?;
        Some((term, Verb { is_past: is_past(token), ..Verb::default() }))
    });
    verbs.gather()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens;

    #[test]
    fn verbs_that_say_nothing_is_done_stand_behind_what_says_so() {
        for (text, expected) in [
            ("they agreed to buy the mill", Some(("buy", true))),
            ("they were asked by the town to buy it", Some(("buy", true))),
            ("the town kept them from buying the mill", Some(("buying", true))),
            ("they would have bought the mill", Some(("bought", false))),
            ("they nearly bought the mill", Some(("bought", false))),
            ("they considered buying the mill", Some(("buying", true))),
            ("they would later buy the mill", None),
            ("they managed to buy the mill", None),
            ("they began to buy mills", None),
            ("they used the loan to buy the mill", None),
            ("they were offered to members", None),
        ] {
            let tokens = tokens(text);
            let found = of(&tokens);
            let word = |it: &Unreal| (tokens[it.at as usize].word.as_str(), it.is_certain);
            assert_eq!(found.first().map(word), expected, "{text}");
        }
    }
}
