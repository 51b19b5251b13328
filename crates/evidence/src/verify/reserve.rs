//! Words by which a writer does not vouch for what it says, or says only what is wanted.
//!
//! Border: data and look-ups; no text. Tables are sorted for the search.

use crate::text::Gate;

/// Words by which a writer does not vouch for what follows.
const RESERVES: &[&str] = &[
    "alleged",
    "allegedly",
    "angeblich",
    "apparently",
    "auraient",
    "aurait",
    "believed",
    "could",
    "debunked",
    "disproved",
    "disproves",
    "doubt",
    "doubted",
    "doubts",
    "erroneously",
    "expected",
    "fallacy",
    "falsely",
    "hoax",
    "hypothesised",
    "hypothesized",
    "hypothetical",
    "likely",
    "may",
    "maybe",
    "might",
    "misconception",
    "misconceptions",
    "mistakenly",
    "myth",
    "overturned",
    "perhaps",
    "planned",
    "possibly",
    "potentially",
    "presumably",
    "probably",
    "proposed",
    "proposes",
    "purportedly",
    "refuted",
    "refutes",
    "reportedly",
    "rumor",
    "rumored",
    "rumors",
    "rumour",
    "rumoured",
    "rumours",
    "seemingly",
    "supposedly",
    "uncertain",
    "unclear",
    "unconfirmed",
    "unlikely",
    "wrongly",
];

/// Words by which a writer says that what somebody said is not so.
const REJECTIONS: &[&str] = &[
    "debunked",
    "disproved",
    "disproves",
    "doubt",
    "doubted",
    "doubts",
    "fallacy",
    "hoax",
    "hypothesised",
    "hypothesized",
    "misconception",
    "misconceptions",
    "overturned",
    "refuted",
    "refutes",
    "wrong",
];

/// Words that say before "to" that something is wanted, and not that it is so.
const WISHES: &[&str] = &[
    "aim",
    "aimed",
    "aims",
    "attempted",
    "hope",
    "hoped",
    "hopes",
    "intend",
    "intended",
    "intends",
    "planning",
    "plans",
    "strive",
    "strives",
    "want",
    "wanted",
    "wants",
    "wish",
    "wished",
    "wishes",
];

/// Words of a claim that keep what a source says with reserve or only wants, beside those words themselves. What "will" be
/// is none of them: who says that a bridge may close does not say that it will.
const KEEPERS: &[&str] = &[
    "aiming",
    "anticipated",
    "anything",
    "believe",
    "believes",
    "designed",
    "estimated",
    "estimates",
    "expect",
    "expecting",
    "expects",
    "far",
    "forecast",
    "goal",
    "hoping",
    "instead",
    "intention",
    "little",
    "meant",
    "plan",
    "predicted",
    "projected",
    "proposal",
    "rather",
    "scant",
    "scheduled",
    "seek",
    "seeking",
    "seeks",
    "sought",
    "target",
    "would",
    "wrong",
];

/// Whether a list has a folded word.
fn has(list: &[&str], gate: Gate, word: &str) -> bool {
    gate.may_have(word) && list.binary_search(&word).is_ok()
}

/// Whether a folded word says before "to" that something is wanted.
fn is_wish(word: &str) -> bool {
    const GATE: Gate = Gate::of(WISHES);
    has(WISHES, GATE, word)
}

/// Whether a claim that has this folded word states nothing outright.
pub fn keeps_reserve(word: &str) -> bool {
    const GATE: Gate = Gate::of(KEEPERS);
    is_reserve(word) || is_wish(word) || has(KEEPERS, GATE, word)
}

/// Whether by a folded word before this other one a writer does not vouch for what follows. Whoever proposed a theory
/// has done so.
pub fn is_reserve_before(word: &str, next: &str) -> bool {
    match word {
        "proposed" | "proposes" => !matches!(next, "a" | "an" | "the" | "that"),
        "rather" => next == "than",
        "instead" => next == "of",
        "anything" => next == "but",
        "little" | "scant" => matches!(next, "evidence" | "proof"),
        word if is_wish(word) => next == "to",
        word => is_reserve(word),
    }
}

/// Whether by a folded word a writer says that something is not so: what follows, or what stands before it.
pub fn is_rejection(word: &str) -> bool {
    const GATE: Gate = Gate::of(REJECTIONS);
    has(REJECTIONS, GATE, word)
}

/// Whether by a folded word a writer says that somebody else is mistaken.
pub fn is_mistake(word: &str) -> bool {
    matches!(word, "erroneously" | "falsely" | "mistakenly" | "wrongly")
}

/// Whether by a folded word a writer does not vouch for what follows.
pub fn is_reserve(word: &str) -> bool {
    const GATE: Gate = Gate::of(RESERVES);
    has(RESERVES, GATE, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_for_the_search() {
        assert!(RESERVES.is_sorted() && WISHES.is_sorted() && KEEPERS.is_sorted());
        assert!(REJECTIONS.is_sorted());
    }
}
