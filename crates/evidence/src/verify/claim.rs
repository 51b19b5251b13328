//! A sentence that is to be checked, taken apart once.

use super::kin::Abbreviation;
use super::quantity::Figures;
use super::synonyms::synonyms;
use super::{kin, negation, words};
use crate::text::{Shape, Token, fold, is_wide, tokens};
use quarry_types::order::Gather;
use std::collections::BTreeMap;

/// Quotations of one sentence that are looked for; a sentence with more is not called supported.
pub const MOST_QUOTATIONS: usize = 8;

/// What closes a quotation that a plain single mark opens.
const PLAIN_SINGLE: &[char] = &['\''];

/// Words and numbers of one sentence that are looked for; a sentence with more is not called supported.
const MOST_STEPS: usize = 256;

/// A content word of a claim.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Word {
    /// As the claim has it.
    pub shown: String,
    /// Its root.
    pub root: String,
    /// Whether it is (part of) a name.
    pub is_name: bool,
    /// Whether it begins the claim with a capital, so that it may be a name.
    pub may_be_name: bool,
    /// Whether it tells less than others.
    pub is_light: bool,
    /// Of a name, the abbreviation that could stand for it.
    pub initials: Option<Abbreviation>,
}

/// What a claim says, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A word, among those of the claim.
    Word(usize),
    /// A number, among those of the claim.
    Quantity(usize),
    /// A date, among those of the claim.
    Date(usize),
}

/// A sentence that is to be checked.
#[derive(Debug, Clone)]
pub struct Claim {
    /// Its tokens.
    pub tokens: Vec<Token>,
    /// Its content words, each root once, numbers left out.
    pub words: Vec<Word>,
    /// Its words, numbers and dates as they follow each other.
    pub steps: Vec<Step>,
    /// By step: its first token.
    pub at: Vec<usize>,
    /// By step: whether the next is the next token, and written as a name is.
    pub joined: Vec<bool>,
    /// Its numbers and dates.
    pub figures: Figures,
    /// What it says to be quoted, folded.
    pub quotations: Vec<String>,
    /// What each of its negations turns around: roots.
    pub denied: Vec<Vec<String>>,
    /// Whether it asks.
    pub is_question: bool,
    /// Whether it is longer than what is looked for.
    pub is_cut: bool,
}

impl Claim {
    /// Takes a sentence apart.
    #[must_use]
    pub fn new(text: &str) -> Claim {
        let tokens = tokens(text);
        let figures = Figures::of(&tokens);
        let mut claim = Claim {
            quotations: quotations(text),
            denied: negation::roots(&tokens),
            words: Vec::new(),
            steps: Vec::new(),
            at: Vec::new(),
            joined: Vec::new(),
            is_question: text.trim_end().ends_with(['?', '？']),
            is_cut: false,
            figures,
            tokens,
        };
        claim.walk(text);
        if claim.is_cut {
            claim.figures.quantities.truncate(MOST_STEPS);
            claim.figures.dates.truncate(MOST_STEPS);
            claim.denied.truncate(MOST_STEPS);
        }
        claim
    }

    /// Finds the words, and in which order all stands.
    fn walk(&mut self, text: &str) {
        let quantities = self.figures.quantities.iter().enumerate();
        let quantities = quantities.map(|(n, it)| (it.at, (Step::Quantity(n), it.own_tokens())));
        let dates = self.figures.dates.iter().enumerate();
        let dates = dates.map(|(n, it)| (it.at, (Step::Date(n), it.length)));
        let figures: BTreeMap<usize, (Step, usize)> = quantities.chain(dates).gather();
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        let mut at = 0;
        while let Some(token) = self.tokens.get(at) {
            if self.steps.len() >= MOST_STEPS {
                self.is_cut = true;
                break;
            }
            if let Some((step, length)) = figures.get(&at) {
                self.steps.push(*step);
                self.at.push(at);
                self.joined.push(false);
                at += (*length).max(1);
                continue;
            }
            let is_letter = self.is_letter_of_name(at);
            if is_content(token) || is_letter {
                let root = words::root(&token.word).into_owned();
                let n = *known.entry(root.clone()).or_insert(self.words.len());
                if n == self.words.len() {
                    let found = word(text, &self.tokens, at, root);
                    self.words.push(Word { is_name: found.is_name || is_letter, ..found });
                }
                self.steps.push(Step::Word(n));
                self.at.push(at);
                self.joined.push(token.is_name() && self.goes_on_as_name(at + 1));
            }
            at += 1;
        }
    }

    /// Whether a token is the capital behind a name that tells it from others: `Hepatitis C`. That of a person's second
    /// name, which another name follows, is left out as often as not.
    fn is_letter_of_name(&self, at: usize) -> bool {
        let token = |at: usize| self.tokens.get(at);
        let is_letter =
            |it: &Token| it.word.is_ascii() && it.word.len() == 1 && it.is_name() && !it.opens;
        let before = at.checked_sub(1).and_then(token);
        token(at).is_some_and(is_letter)
            && before.is_some_and(|it| it.is_name() && it.word.len() > 2)
            && !token(at + 1).is_some_and(Token::is_name)
    }

    /// Whether a token is a further part of the name that stands before it.
    fn goes_on_as_name(&self, at: usize) -> bool {
        let is_part = |it: &Token| it.is_name() && !it.opens && is_content(it);
        self.tokens.get(at).is_some_and(is_part) || self.is_letter_of_name(at)
    }

    /// How many things it says that can be looked for.
    #[must_use]
    pub fn content(&self) -> usize {
        let numbers = self.figures.quantities.iter().filter(|quantity| !quantity.is_vague).count();
        self.words.len() + numbers + self.figures.dates.len()
    }
}

/// The word that a token is.
fn word(text: &str, tokens: &[Token], at: usize, root: String) -> Word {
    let Some(token) = tokens.get(at) else { return Word::default() };
    let is_name = is_name(tokens, at);
    let is_light = !is_name && (words::is_light(&root) || is_adverb(token));
    let is_known = is_light || words::is_filler(&token.word) || synonyms(&root).next().is_some();
    Word {
        shown: text.get(token.start..token.end).unwrap_or_default().to_owned(),
        is_name,
        may_be_name: at == 0 && token.is_name() && !is_known,
        is_light,
        initials: if is_name { kin::abbreviation(tokens, at) } else { None },
        root,
    }
}

/// Whether a word says how. With a capital it may be a name, unless it is long: `Emily`, `Sicily`.
fn is_adverb(token: &Token) -> bool {
    let least = if token.is_name() { 9 } else { 6 };
    token.word.len() >= least && token.word.ends_with("ly")
}

/// Whether a token is a word that can be looked for. A single letter is none, but for who says "I".
fn is_content(token: &Token) -> bool {
    let is_letter = token.word.is_ascii() && token.word.len() < 2 && token.word != "i";
    let is_known = token.shape == Shape::Upper || token.word == "i";
    token.is_word() && !is_letter && (is_known || !words::is_function_word(&token.word))
}

/// Whether a word is written as a name is. At the beginning of a sentence every word has a capital:
/// there it is one only before another.
fn is_name(tokens: &[Token], at: usize) -> bool {
    let named = |at: usize| tokens.get(at).is_some_and(Token::is_name);
    let opens = tokens.get(at).is_some_and(|token| token.begins);
    let is_filler = tokens.get(at).is_some_and(|token| words::is_filler(&token.word));
    named(at)
        && !is_filler
        && (!opens
            || named(at + 1)
            || tokens.get(at).is_some_and(|token| token.shape == Shape::Upper))
}

/// What stands between quotation marks; around what is left out, each part. A title is no quotation, nor a word with a
/// capital: they are names, and looked for as such.
fn quotations(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<(usize, &[char])> = None;
    let mut before = ' ';
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let is_apostrophe =
            matches!(character, '’' | '\'') && characters.peek().is_some_and(|it| is_joined(it.1));
        match open {
            Some((start, closing)) if closing.contains(&character) && !is_apostrophe => {
                let inner = text.get(start..at).unwrap_or_default().replace('…', "...");
                let inner = if is_title(&inner) { "" } else { inner.as_str() };
                let parts = inner.split("...").map(squeezed);
                let is_said =
                    |part: &String| part.contains(|c: char| c == ' ' || c.is_alphabetic());
                found.extend(parts.filter(is_said));
                open = None;
            }
            // Within others a single one opens none. What a plain single one seems to open may be no quotation.
            Some((_, closing)) if is_inner(character, closing) => {}
            _ => {
                let next = characters.peek().map(|it| it.1);
                if let Some(closing) = closing(character, before, next) {
                    open = Some((at + character.len_utf8(), closing));
                }
            }
        }
        before = character;
    }
    found
}

/// Whether a letter behind an apostrophe makes one word with what stands before it. Where each character counts by
/// itself, none does.
fn is_joined(next: char) -> bool {
    next.is_alphabetic() && !is_wide(next)
}

/// Whether a mark within a quotation opens none.
fn is_inner(mark: char, closing: &[char]) -> bool {
    matches!(mark, '‘' | '\'' | '»' | '『') || (mark == '"' && closing != PLAIN_SINGLE)
}

/// What closes a quotation that this mark opens, by what stands around it; none: it opens none.
fn closing(mark: char, before: char, next: Option<char>) -> Option<&'static [char]> {
    let is_outside = before.is_whitespace() || before == '(';
    match mark {
        '“' => Some(&['”', '"']),
        '„' => Some(&['“', '”', '"']),
        '«' => Some(&['»']),
        '»' if is_outside => Some(&['«']),
        // That of `‘90s` or `Hawai‘i` is none.
        '‘' if (is_outside || is_wide(before)) && next.is_some_and(char::is_alphabetic) => {
            Some(&['’'])
        }
        '\'' if is_outside && next.is_some_and(char::is_alphabetic) => Some(PLAIN_SINGLE),
        '「' => Some(&['」']),
        '『' => Some(&['』']),
        '"' => Some(&['"']),
        _ => None,
    }
}

/// Whether its words have capitals, but for small ones as `of`; two at least, or the only one.
fn is_title(text: &str) -> bool {
    let (mut words, mut capitals) = (0, 0);
    let mut is_written_so = true;
    for word in text.split_whitespace() {
        words += 1;
        let letters = word.trim_start_matches(|c: char| !c.is_alphanumeric());
        match letters.chars().next() {
            Some(first) if first.is_uppercase() => capitals += 1,
            Some(first) if first.is_lowercase() => is_written_so &= letters.len() < 4,
            _ => {}
        }
    }
    is_written_so && (capitals > 1 || (capitals, words) == (1, 1))
}

/// A text as quotations are compared: folded, with single blanks, without the stop or comma that
/// writers put inside the marks.
#[must_use]
pub fn squeezed(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let folded = fold(&words.join(" ")).replace('&', "and");
    folded.trim_matches(|c: char| matches!(c, '.' | ',' | ';' | ' ' | '"' | '[' | ']')).to_owned()
}
