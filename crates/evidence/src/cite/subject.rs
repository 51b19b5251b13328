//! Of what words say something: whether they name it themselves, or what they follow does.
//!
//! Border: words of an answer in, yes or no and a name out. Knows words, and no grammar; where it cannot tell, it says
//! that the subject stands elsewhere: a claim with one name too many is found less often, one with a name too few wrongly.

use super::generic::GENERIC;
use super::words::{
    AUXILIARIES, CLAUSES, CONNECTIVES, DETERMINERS, NO_PARTICIPLES, PAST, PREPOSITIONS, PRONOUNS,
    RELATIVES,
};
use crate::text::{Shape, Token, is_stop_word, is_wide, tokens};

/// Words of a subject that is no name.
const MOST_HEAD: usize = 10;
/// Words of a heading that is a subject as a whole.
const MOST_HEADING: usize = 6;
/// Words before a colon that make a label of what they are.
const MOST_LABEL: usize = 3;

/// What a part of a sentence needs, so that it says what its sentence says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: it is a sentence itself.
    Nothing,
    /// The subject before it.
    Subject,
    /// All that stands before it.
    Whole,
}

/// What a part of a sentence needs that stands behind another.
pub fn needs(part: &str) -> Needs {
    let tokens = tokens(part);
    let Some(start) = tokens.iter().position(|token| !is_in(CONNECTIVES, &token.word)) else {
        return Needs::Whole;
    };
    needs_from(&tokens, start)
}

fn needs_from(tokens: &[Token], start: usize) -> Needs {
    let Some(first) = tokens.get(start) else { return Needs::Whole };
    let word = first.word.as_str();
    let sentence = |from| if acts(tokens, from) { Needs::Nothing } else { Needs::Whole };
    if !is_latin(word) && !first.is_number() {
        return Needs::Nothing;
    }
    match word {
        "that" | "whether" | "if" | "unless" | "than" | "dass" | "ob" | "que" => Needs::Whole,
        "there" | "i" | "we" | "you" | "es" => sentence(start + 1),
        _ if is_in(RELATIVES, word) || is_in(PRONOUNS, word) => Needs::Subject,
        _ if is_verb(tokens, start) => Needs::Subject,
        _ if first.is_name() && !is_in(DETERMINERS, word) => {
            if is_named_to_act(tokens, start) {
                Needs::Nothing
            } else {
                sentence(start + 1)
            }
        }
        _ if first.is_number() || is_in(DETERMINERS, word) => sentence(start + 1),
        _ if is_in(CLAUSES, word) => needs_from(tokens, start + 1),
        "of" | "for" | "with" | "by" | "von" | "mit" | "de" | "par" => Needs::Whole,
        _ if is_in(PREPOSITIONS, word) => behind_time(tokens, start),
        // What tells nouns from verbs is whether a verb follows.
        _ if acts(tokens, start + 1) => Needs::Nothing,
        _ => Needs::Subject,
    }
}

/// Whether a word that joins nothing stands right behind a name: "Ann Marsh lives …".
fn is_named_to_act(tokens: &[Token], start: usize) -> bool {
    let mut rest = tokens.iter().skip(start).skip_while(|token| token.is_name());
    rest.next().is_some_and(|token| {
        let word = token.word.as_str();
        !token.opens && token.is_word() && !is_stop_word(word) && !is_no_verb(word)
    })
}

/// "In 1990 the bridge …" has its subject behind the year, "in 1990 opened …" before it.
fn behind_time(tokens: &[Token], start: usize) -> Needs {
    let is_year = |at: usize| tokens.get(at).is_some_and(|token| token.shape == Shape::Number);
    let behind = start + 1 + usize::from(!is_year(start + 1));
    let next = tokens.get(behind + 1);
    let begins = |token: &Token| token.is_name() || is_in(DETERMINERS, &token.word);
    let has_subject = is_year(behind) && next.is_some_and(begins) && acts(tokens, behind + 2);
    if has_subject { Needs::Nothing } else { Needs::Subject }
}

/// Whether a verb follows before a comma.
fn acts(tokens: &[Token], from: usize) -> bool {
    let rest = tokens.iter().enumerate().skip(from);
    rest.take_while(|(at, token)| *at == from || !token.opens).any(|(at, _)| is_verb(tokens, at))
}

/// Whether a token looks like a verb.
fn is_verb(tokens: &[Token], at: usize) -> bool {
    // With a capital it is a name, or a month.
    let Some(token) = tokens.get(at).filter(|token| !token.is_name()) else { return false };
    let word = token.word.as_str();
    if is_in(AUXILIARIES, word) || is_in(PAST, word) {
        return true;
    }
    if !token.is_word() || is_stop_word(word) || is_no_verb(word) {
        return false;
    }
    let is_past = word.len() > 4 && word.ends_with("ed") && !is_in(NO_PARTICIPLES, word);
    let is_german = word.len() > 5 && (word.ends_with("te") || word.ends_with("ten"));
    let next = tokens.get(at + 1).filter(|next| !next.opens);
    let has_object = next.is_some_and(|it| is_in(DETERMINERS, &it.word) || it.is_number());
    is_past || has_object || is_german
}

fn is_no_verb(word: &str) -> bool {
    let lists = [DETERMINERS, PREPOSITIONS, CONNECTIVES, CLAUSES, PRONOUNS, RELATIVES];
    word.ends_with("ly") || lists.iter().any(|words| is_in(words, word))
}

/// Whether a line says something of what it does not name: `Opened the bridge in 1990`, `Length: 300 metres`.
pub fn lacks(line: &str) -> bool {
    let tokens = tokens(line);
    let Some(first) = tokens.first() else { return false };
    if !is_latin(&first.word) && !first.is_number() {
        return false;
    }
    let colon = line.find(':').unwrap_or(0);
    let label = tokens.iter().take_while(|token| token.end <= colon);
    let count = label.clone().count();
    if (1..=MOST_LABEL).contains(&count) {
        let mut telling = label.filter(|token| !is_stop_word(&token.word));
        return telling.all(|token| is_generic(&token.word));
    }
    if first.is_number() {
        return !acts(&tokens, 1);
    }
    if !first.is_name() {
        return needs_from(&tokens, 0) == Needs::Subject;
    }
    // What a participle begins with a capital may have its subject behind the comma.
    let behind = tokens.iter().skip(1).position(|token| token.opens).map(|at| at + 1);
    let named = behind.is_some_and(|at| needs_from(&tokens, at) == Needs::Nothing);
    begins_with_verb(&tokens) && !named
}

/// Whether a line begins with a verb, whose capital tells nothing.
fn begins_with_verb(tokens: &[Token]) -> bool {
    let Some(first) = tokens.first() else { return false };
    let (word, next) = (first.word.as_str(), tokens.get(1));
    if is_in(AUXILIARIES, word) {
        return true;
    }
    if is_no_verb(word) || is_stop_word(word) {
        return false;
    }
    let is_past = is_in(PAST, word) || (word.len() > 4 && word.ends_with("ed"));
    if is_past {
        return !is_in(NO_PARTICIPLES, word);
    }
    if is_in(GENERIC, word) {
        return false;
    }
    let is_present = word.ends_with('s') && !word.ends_with("ss");
    let is_before_place = next.is_some_and(|next| {
        matches!(next.word.as_str(), "in" | "at" | "near" | "as" | "on" | "to" | "under" | "with")
    });
    // Before an article of other languages stand prepositions that are not known here.
    let has_object = next.is_some_and(|next| {
        !next.opens
            && matches!(next.word.as_str(), "the" | "a" | "an" | "its" | "his" | "her" | "their")
    });
    has_object || (is_present && is_before_place && !acts(tokens, 2))
}

/// What a sentence says something of: the names that it begins with, or its first words up to the verb.
pub fn head(sentence: &str) -> String {
    let tokens = tokens(sentence);
    let start = introduced(&tokens);
    let skip = usize::from(tokens.get(start).is_some_and(|it| is_in(DETERMINERS, &it.word)));
    let is_pronoun = tokens.get(start).is_some_and(|it| is_stop_word(&it.word)) && skip == 0;
    let rest = tokens.iter().enumerate().skip(start + skip).take(MOST_HEAD);
    let named = |(at, token): &(usize, &Token)| {
        token.is_name() && !is_verb(&tokens, *at) && (!token.opens || *at == start + skip)
    };
    let names = rest.clone().take_while(named).last();
    let words = rest.take_while(|(at, token)| {
        let word = token.word.as_str();
        let joins = is_stop_word(word) || is_in(PREPOSITIONS, word);
        let is_part = word == "of" || word == "von" || !joins || is_in(DETERMINERS, word);
        is_part && !is_verb(&tokens, *at) && (!token.opens || *at == start + skip)
    });
    let last = if is_pronoun { None } else { names.or_else(|| words.last()) };
    let first = tokens.get(start + skip).map(|token| token.start);
    let range = first.zip(last).map(|(first, (_, last))| first..last.end);
    range.and_then(|range| sentence.get(range)).unwrap_or_default().to_owned()
}

/// Where a sentence begins behind what it is introduced with: "In 1990, Ann Marsh …".
fn introduced(tokens: &[Token]) -> usize {
    let is_place = |token: &Token| {
        is_in(PREPOSITIONS, &token.word)
            || is_in(CLAUSES, &token.word)
            || is_in(CONNECTIVES, &token.word)
    };
    let comma = tokens.iter().skip(1).take(MOST_HEAD * 2).position(|token| token.opens);
    let is_introduced = tokens.first().is_some_and(is_place);
    comma.filter(|_| is_introduced).map_or(0, |at| at + 1)
}

/// What the lines below a heading, or below a line that leads to a list, are about; empty where it only orders them.
pub fn topic(heading: &str) -> String {
    let tokens = tokens(heading);
    let tells = |token: &&Token| {
        !is_stop_word(&token.word) && !is_generic(&token.word) && !token.is_number()
    };
    let mut telling = tokens.iter().filter(tells);
    let is_short = tokens.len() <= MOST_HEADING;
    let names = tokens.iter().skip(1).filter(tells).filter(|token| token.is_name());
    let names: Vec<&Token> = names.collect();
    let (first, last) = if is_short {
        (telling.next(), tokens.iter().rev().find(tells))
    } else {
        (names.first().copied(), names.last().copied())
    };
    let range = first.zip(last).map(|(first, last)| first.start..last.end);
    range.and_then(|range| heading.get(range)).unwrap_or_default().to_owned()
}

/// A part without what joins it to the one before.
pub fn joined(part: &str) -> &str {
    let tokens = tokens(part);
    let first = tokens.iter().find(|token| !is_joining(&token.word));
    first.and_then(|token| part.get(token.start..)).unwrap_or(part)
}

fn is_joining(word: &str) -> bool {
    matches!(
        word,
        "and"
            | "but"
            | "or"
            | "so"
            | "then"
            | "yet"
            | "und"
            | "aber"
            | "oder"
            | "et"
            | "mais"
            | "ou"
            | "y"
            | "pero"
            | "e"
            | "which"
            | "who"
    )
}

/// Whether a word orders what is said and names nothing.
fn is_generic(word: &str) -> bool {
    let endings = ["tion", "tions", "ment", "ments", "ership"];
    is_in(GENERIC, word) || endings.iter().any(|ending| word.ends_with(ending))
}

/// Whether it is of a script whose words are known here.
fn is_latin(word: &str) -> bool {
    word.chars().next().is_some_and(|c| c.is_ascii() || (c < '\u{250}' && !is_wide(c)))
}

fn is_in(words: &[&str], word: &str) -> bool {
    words.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests;
