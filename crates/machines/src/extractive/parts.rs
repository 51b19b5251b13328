//! The parts of a question: what is asked in one breath is answered one by one.
//!
//! Border: a question in, its parts as they were written out.

use super::degrees::{DEGREES, Degree};
use super::kind::{is_asking, is_auxiliary};
use super::words;
use quarry_evidence::verify::is_negation;
use quarry_types::text::first_bytes;
use std::ops::Range;

/// Parts that are answered; what is asked beyond them stays with the last.
const MOST: usize = 4;
/// Bytes of a question in which parts are looked for.
const READ_BYTES: usize = 4_000;

/// How much of what was asked before a part needs to be understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaning {
    /// It stands by itself.
    None,
    /// It names things of its own, but not whose.
    Loose,
    /// It says *it* or *they*.
    Pronoun,
    /// It is only a word that asks: *and when?*
    Whole,
}

/// A part of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PartText {
    /// With a capital and a question mark.
    pub text: String,
    pub leaning: Leaning,
}

struct Word {
    lower: String,
    at: Range<usize>,
}

/// The parts of a question, in order; one at least.
pub(super) fn split(question: &str) -> Vec<PartText> {
    let whole = question.trim();
    if let Some(sides) = comparison(whole) {
        let part = |text: String| PartText { text, leaning: Leaning::None };
        return sides.into_iter().map(part).collect();
    }
    let read = first_bytes(whole, READ_BYTES);
    let mut words = Vec::new();
    words::each_word(read, |word, at| words.push(Word { lower: std::mem::take(word), at }));
    let starts = starts(read, &words);
    let mut pieces: Vec<&str> = Vec::new();
    for (at, start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).map_or(whole.len(), |next| next.end_before);
        pieces.push(whole.get(start.begin..end).unwrap_or_default());
    }
    let texts = shared(&pieces);
    if texts.len() < 2 {
        return vec![PartText { text: whole.to_owned(), leaning: Leaning::None }];
    }
    let parts = texts.into_iter().enumerate();
    parts
        .map(|(at, text)| {
            let leaning = if at == 0 { Leaning::None } else { leaning(&text) };
            PartText { text: spoken(&text), leaning }
        })
        .collect()
}

/// A question which of two is more of something: `Which is higher, the tower or the mast?`
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Comparing<'q> {
    pub degree: Degree,
    /// As they were asked for.
    pub sides: [&'q str; 2],
}

/// What a question compares, where it does.
pub(super) fn comparing(question: &str) -> Option<Comparing<'_>> {
    let (asks, sides) = question.trim().split_once([',', ':'])?;
    let asks = asks.to_lowercase();
    let is_word = |rest: &str| !rest.ends_with(char::is_alphanumeric);
    let ends_with = |degree: &&Degree| asks.strip_suffix(degree.word).is_some_and(is_word);
    let degree = *DEGREES.iter().find(ends_with)?;
    let begins = asks.starts_with("which") || asks.starts_with("what") || asks.starts_with("who");
    let is_denied = words::words(&asks).iter().any(|word| is_negation(word) || word == "t");
    let (one, other) = sides.split_once(" or ").filter(|_| begins && !is_denied)?;
    let (other, behind) = other.split_once([',', ';']).unwrap_or((other, ""));
    let sides = [one, other].map(|side| side.trim().trim_end_matches([',', '?', ' ']));
    // Of three nobody says how high each is, and what else is asked is a part of its own.
    let is_of_two = !sides.iter().any(|side| side.contains([',', '?']) || side.contains(" or "));
    let asks_more = words::words(other).iter().any(|word| is_asking(word))
        || words::words(behind).iter().any(|word| is_asking(word) || word == "and");
    (is_of_two && !asks_more).then_some(Comparing { degree, sides })
}

/// It asks how high each is.
fn comparison(question: &str) -> Option<[String; 2]> {
    let Comparing { degree, sides } = comparing(question)?;
    Some(sides.map(|side| spoken(&format!("How {} is {side}", degree.of))))
}

/// Where a part begins, and where the one before it ends.
struct Start {
    begin: usize,
    end_before: usize,
}

fn starts(text: &str, words: &[Word]) -> Vec<Start> {
    let mut starts = vec![Start { begin: 0, end_before: 0 }];
    for (at, word) in words.iter().enumerate().skip(1) {
        if starts.len() >= MOST {
            break;
        }
        let before = words.get(at - 1).map_or(0, |before| before.at.end);
        let gap = text.get(before..word.at.start).unwrap_or_default();
        if gap.contains(['?', ';', '!']) {
            let begin = if word.lower == "and" {
                words.get(at + 1).map_or(word.at.start, |next| next.at.start)
            } else {
                word.at.start
            };
            starts.push(Start { begin, end_before: before });
            continue;
        }
        let next = words.get(at + 1);
        if word.lower == "and"
            && next
                .is_some_and(|_| asks(words.get(at + 1..).unwrap_or_default(), gap.contains(',')))
        {
            let begin = next.map_or(word.at.end, |next| next.at.start);
            starts.push(Start { begin, end_before: before });
        } else if gap.contains(',')
            && is_asking(&word.lower)
            && at > 2
            && (behind_is_question(words, at) || goes_on_asking(text, words, at))
        {
            starts.push(Start { begin: word.at.start, end_before: before });
        }
    }
    starts
}

/// Whether these words begin a question: `when …`, `by whom …`, after a comma also `is …`.
fn asks(words: &[Word], after_comma: bool) -> bool {
    let word = |at: usize| words.get(at).map(|word| word.lower.as_str()).unwrap_or_default();
    let preposition =
        matches!(word(0), "by" | "with" | "to" | "for" | "from" | "in" | "at" | "of" | "on");
    is_asking(word(0))
        || (preposition && is_asking(word(1)))
        || (after_comma && is_auxiliary(word(0)))
}

/// `…, when did …`, but not `the man, who was …`.
fn behind_is_question(words: &[Word], at: usize) -> bool {
    let word = |at: usize| words.get(at).map(|word| word.lower.as_str()).unwrap_or_default();
    word(at) == "how"
        || (matches!(word(at), "when" | "where" | "why" | "what") && is_auxiliary(word(at + 1)))
}

/// `…, who paid for it, and when …`: a list whose last member asks has members that ask.
fn goes_on_asking(text: &str, words: &[Word], at: usize) -> bool {
    words.iter().enumerate().skip(at + 1).any(|(later, word)| {
        let before = words.get(later - 1).map_or(0, |before| before.at.end);
        let gap = text.get(before..word.at.start).unwrap_or_default();
        let behind = words.get(later + 1..).unwrap_or_default();
        word.lower == "and" && gap.contains(',') && asks(behind, false)
    })
}

/// `When and where was she born?` asks twice about one thing.
fn shared(pieces: &[&str]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let count = words::words(piece).len();
        if count == 0 {
            continue;
        }
        let next = pieces.get(at + 1).copied().unwrap_or_default().trim_start();
        let rest = next.split_once(char::is_whitespace).map(|(_, rest)| rest);
        let is_bare = count == 1 && words::words(piece).iter().all(|word| is_asking(word));
        match rest {
            Some(rest) if is_bare && at == 0 => texts.push(format!("{} {rest}", piece.trim())),
            _ => texts.push((*piece).to_owned()),
        }
    }
    texts
}

fn leaning(text: &str) -> Leaning {
    let words = words::words(text);
    let matters = |word: &&String| {
        !words::is_stop_word(word)
            && !is_asking(word)
            && !is_pronoun(word)
            && word.as_str() != "whom"
    };
    let has_name = text.split_whitespace().skip(1).any(|word| word.starts_with(char::is_uppercase));
    let matter = words.iter().filter(matters).count();
    if matter == 0 || (matter == 1 && says_what_was_said(&words)) {
        Leaning::Whole
    } else if words.iter().any(|word| is_pronoun(word)) {
        Leaning::Pronoun
    } else if has_name {
        Leaning::None
    } else {
        Leaning::Loose
    }
}

/// `How has that changed?`: the subject is all that was asked before.
pub(super) fn says_what_was_said(words: &[String]) -> bool {
    words.windows(2).any(|pair| match pair {
        [before, word] => is_auxiliary(before) && matches!(word.as_str(), "this" | "that"),
        _ => false,
    })
}

/// Whether a word, lower case, stands for another.
pub(super) fn is_pronoun(word: &str) -> bool {
    matches!(
        word,
        "it" | "its"
            | "they"
            | "them"
            | "their"
            | "he"
            | "him"
            | "his"
            | "she"
            | "her"
            | "this"
            | "these"
            | "that"
            | "those"
    )
}

/// A part as one would ask it alone.
fn spoken(text: &str) -> String {
    let text = text.trim().trim_end_matches([',', ';', '.', '?', '!', ' ']);
    let mut characters = text.chars();
    let first = characters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(characters).chain(['?']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(question: &str) -> Vec<String> {
        split(question).into_iter().map(|part| part.text).collect()
    }

    #[test]
    fn questions_are_split_where_the_next_begins() {
        for (question, parts) in [
            ("How tall is it?", &["How tall is it?"][..]),
            ("What did it cost, and who paid for it?", &["What did it cost?", "Who paid for it?"]),
            (
                "How long is the dam and who designed it?",
                &["How long is the dam?", "Who designed it?"],
            ),
            ("Is it open? When does it close?", &["Is it open?", "When does it close?"]),
            ("When and where was Ada born?", &["When was Ada born?", "Where was Ada born?"]),
            ("When was it built, and by whom?", &["When was it built?", "By whom?"]),
            ("Who are Tom and Jerry?", &["Who are Tom and Jerry?"]),
            ("Who was the man, who was the poet?", &["Who was the man, who was the poet?"]),
            (
                "Why was the limit lowered, who decided it, and what did the bridge cost?",
                &["Why was the limit lowered?", "Who decided it?", "What did the bridge cost?"],
            ),
            ("salt and pepper", &["salt and pepper"]),
            (
                "Which is deeper, the lake or the bay?",
                &["How deep is the lake?", "How deep is the bay?"],
            ),
            ("Which is nicer, the lake or the bay?", &["Which is nicer, the lake or the bay?"]),
            ("Who is the holder, Ada or Olaf?", &["Who is the holder, Ada or Olaf?"]),
            (
                "Which is not older, the mill or the inn?",
                &["Which is not older, the mill or the inn?"],
            ),
            (
                "Which isn't older, the mill or the inn?",
                &["Which isn't older, the mill or the inn?"],
            ),
            (
                "Which is older, the mill, the inn or the barn?",
                &["Which is older, the mill, the inn or the barn?"],
            ),
            (
                "Which is older, the mill or the inn, by the way?",
                &["How old is the mill?", "How old is the inn?"],
            ),
            (
                "Which is older, the mill or the inn, and who built it?",
                &["Which is older, the mill or the inn?", "Who built it?"],
            ),
            ("", &[""]),
        ] {
            assert_eq!(shown(question), parts, "{question}");
        }
    }

    #[test]
    fn later_parts_lean_on_what_was_asked_before() {
        let leanings = |question: &str| -> Vec<Leaning> {
            split(question).into_iter().map(|part| part.leaning).collect()
        };
        for (question, leaning) in [
            ("Who built the dam, and when?", Leaning::Whole),
            ("How many people live in Ulm, and how has that changed?", Leaning::Whole),
            ("Who built the dam, and what did it cost?", Leaning::Pronoun),
            ("Who built the dam, and how long is the tunnel?", Leaning::Loose),
            ("Who built the dam, and who is mayor of Ulm?", Leaning::None),
        ] {
            assert_eq!(leanings(question), [Leaning::None, leaning], "{question}");
        }
    }

    proptest! {
        #[test]
        fn any_question_has_few_parts(text in "(\\PC|and | who|, and when|\\? | is){0,40}") {
            let parts = split(&text);
            prop_assert!((1..=MOST).contains(&parts.len()));
        }
    }
}
