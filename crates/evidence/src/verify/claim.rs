//! A sentence that is to be checked, taken apart once.

use super::kin::Abbreviation;
use super::quantity::{Figures, Measure};
use super::synonyms::synonyms;
use super::unit::{self, Unit};
use super::{clause, kin, negation, voice, words};
use crate::text::{Shape, Token, fold, is_wide, tokens};
use quarry_types::order::Gather;
use std::collections::BTreeMap;
use std::ops::Range;

/// Quotations of one sentence that are looked for; a sentence with more is not called supported.
pub const MOST_QUOTATIONS: usize = 8;

/// Words that begin with an apostrophe, which looks like a mark that opens a quotation: `'Twas`, `'t Hart`, `'N Sync`.
const CLIPPED: [&str; 11] =
    ["cause", "em", "n", "s", "t", "til", "tis", "twas", "twere", "twill", "twould"];

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
    /// In whose mouth it puts what it says, in tokens.
    pub voices: Vec<Range<usize>>,
    /// Roots of words that tell what its numbers count from others: `three old keepers`.
    pub narrowing: Vec<String>,
    /// The tokens that are written as names are.
    pub names: Vec<u32>,
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
            voices: voice::stated(&tokens),
            narrowing: narrowing(&tokens, &figures),
            names: clause::names(text, &tokens),
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
            let is_sign = self.is_sign_of_money(at);
            let is_spare = is_sign || self.is_answer(at) || self.is_title_of_person(at);
            if (is_content(token) || is_letter) && !is_spare {
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

    /// Whether a token only answers what was asked before, `No, more than 200 came`, or denies what stands behind it: `No dogs
    /// are allowed`. What is denied is compared by itself. Who goes on with "it" may answer what nobody knows.
    fn is_answer(&self, at: usize) -> bool {
        let Some(first) = self.tokens.first().filter(|_| at == 0) else { return false };
        let next = self.tokens.get(1).filter(|it| it.opens);
        let is_pointing = next.is_none_or(|it| {
            matches!(
                it.word.as_str(),
                "and" | "he" | "it" | "its" | "she" | "that" | "they" | "this"
            )
        });
        match first.word.as_str() {
            "no" => true,
            "nein" => next.is_some(),
            word => !is_pointing && words::is_filler(word),
        }
    }

    /// Whether a token only says how somebody is addressed: `Dr. Marsh`.
    fn is_title_of_person(&self, at: usize) -> bool {
        let title = self.tokens.get(at).filter(|it| it.is_name());
        let next = self.tokens.get(at + 1).filter(|it| it.is_name());
        next.is_some()
            && title
                .is_some_and(|it| matches!(it.word.as_str(), "dr" | "mr" | "mrs" | "ms" | "prof"))
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

    /// Whether a token is part of the sign of the money behind it: `HK$40`, `CAD 40`. Who writes `40 Canadian dollars` has
    /// no such word.
    fn is_sign_of_money(&self, at: usize) -> bool {
        let token = |at: usize| self.tokens.get(at);
        let is_before_sign = token(at)
            .zip(token(at + 1))
            .is_some_and(|(it, next)| it.is_name() && next.word == "$" && it.touches(next));
        let number = at + 1 + usize::from(is_before_sign);
        let quantity = self.figures.beginning(number).map(|it| it.measure);
        let is_us = token(at).is_some_and(|it| matches!(it.word.as_str(), "us" | "usd"));
        let before = || self.tokens.get(..number).unwrap_or_default();
        let is_known = |it: Unit| is_us || !is_before_sign || it != Unit::Dollar;
        matches!(quantity, Some(Measure::Of(unit)) if unit.is_currency() && is_known(unit))
            && unit::currency(before()).is_some()
    }

    /// Whether a token is a further part of the name that stands before it.
    fn goes_on_as_name(&self, at: usize) -> bool {
        let is_part = |it: &Token| it.is_name() && !it.opens && is_content(it);
        (self.tokens.get(at).is_some_and(is_part) && !self.is_sign_of_money(at))
            || self.is_letter_of_name(at)
    }

    /// Its tokens without those that only look like other words: the month of May.
    pub fn said(&self) -> impl Iterator<Item = &Token> {
        let tokens = self.tokens.iter().enumerate();
        let tokens =
            tokens.filter(move |(at, _)| !negation::is_may(&self.tokens, *at, &self.figures));
        tokens.map(|(_, token)| token)
    }

    /// How many things it says that can be looked for.
    #[must_use]
    pub fn content(&self) -> usize {
        let numbers = self.figures.quantities.iter().filter(|quantity| !quantity.is_vague).count();
        self.words.len() + numbers + self.figures.dates.len()
    }
}

/// The roots between numbers and the nouns that they count.
fn narrowing(tokens: &[Token], figures: &Figures) -> Vec<String> {
    let between = figures.quantities.iter().filter_map(|it| Some(it.at + it.length..it.noun()?));
    let between = between.flat_map(|between| tokens.get(between).unwrap_or_default());
    between.take(MOST_STEPS).map(|token| words::root(&token.word).into_owned()).collect()
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
    let mut open: Option<(usize, Ending)> = None;
    let mut before = ' ';
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let is_apostrophe =
            matches!(character, '’' | '\'') && characters.peek().is_some_and(|it| is_joined(it.1));
        match open {
            Some((start, ending)) if ending.is_at(at, character) && !is_apostrophe => {
                let inner = text.get(start..at).unwrap_or_default().replace('…', "...");
                let inner = if is_title(&inner) { "" } else { inner.as_str() };
                let inner = without_insertions(inner);
                let parts = inner.split("...").map(squeezed);
                let is_said =
                    |part: &String| part.contains(|c: char| c == ' ' || c.is_alphabetic());
                found.extend(parts.filter(is_said));
                open = None;
            }
            // Within others a single one opens none. What a plain single one seems to open may be no quotation.
            Some((_, ending)) if is_inner(character, ending) => {}
            _ => {
                let start = at + character.len_utf8();
                let behind = text.get(start..).unwrap_or_default();
                if let Some(ending) = ending(character, before, start, behind) {
                    open = Some((start, ending));
                }
            }
        }
        before = character;
    }
    found
}

/// A quotation without what the one who quotes has put in: `30 [euros] a day`.
fn without_insertions(quoted: &str) -> String {
    let mut rest = quoted;
    let mut said = String::new();
    while let Some((before, behind)) = rest.split_once('[') {
        let Some((_, behind)) = behind.split_once(']') else { break };
        said.push_str(before);
        said.push_str("...");
        rest = behind;
    }
    said + rest
}

/// Where a quotation ends.
#[derive(Debug, Clone, Copy)]
enum Ending {
    /// With the first of these marks.
    Marks(&'static [char]),
    /// With the mark at this place.
    At(usize),
}

impl Ending {
    /// Whether it is this mark at this place.
    fn is_at(self, at: usize, mark: char) -> bool {
        match self {
            Ending::Marks(marks) => marks.contains(&mark),
            Ending::At(end) => end == at,
        }
    }
}

/// Whether a letter behind an apostrophe makes one word with what stands before it. Where each character counts by
/// itself, none does.
fn is_joined(next: char) -> bool {
    next.is_alphabetic() && !is_wide(next)
}

/// Whether a mark within a quotation opens none.
const fn is_inner(mark: char, ending: Ending) -> bool {
    let is_plain_single = matches!(ending, Ending::At(_));
    matches!(mark, '‘' | '\'' | '»' | '『') || (mark == '"' && !is_plain_single)
}

/// Where a quotation ends that this mark opens, by what stands around it; none: it opens none.
fn ending(mark: char, before: char, start: usize, behind: &str) -> Option<Ending> {
    let is_outside = is_outside(before);
    let marks: &'static [char] = match mark {
        '“' => &['”', '"'],
        '„' => &['“', '”', '"'],
        '«' => &['»'],
        '»' if is_outside => &['«'],
        // That of `‘90s` or `Hawai‘i` is none.
        '‘' if (is_outside || is_wide(before)) && begins_word(behind) => &['’'],
        '\'' if is_outside && begins_word(behind) => {
            return plain_end(behind).map(|end| Ending::At(start + end));
        }
        '「' => &['」'],
        '『' => &['』'],
        '"' => &['"'],
        _ => return None,
    };
    Some(Ending::Marks(marks))
}

/// Whether a mark behind this character may open a quotation.
fn is_outside(before: char) -> bool {
    before.is_whitespace() || before == '('
}

/// Whether what stands behind a mark is a word that needs no apostrophe before it.
fn begins_word(behind: &str) -> bool {
    let end = behind.find(|c: char| !c.is_alphabetic()).unwrap_or(behind.len());
    let word = behind.get(..end).unwrap_or_default();
    !word.is_empty() && !CLIPPED.iter().any(|it| it.eq_ignore_ascii_case(word))
}

/// Whether a mark behind this character is more often no end of a quotation: `the keepers' lamp`, `5' above`.
const fn may_be_other(before: char) -> bool {
    matches!(before, 's' | 'S' | '0'..='9')
}

/// Where a quotation ends that a plain single mark opens before this text; none, where another opens first. A mark that
/// may be another ends it only where no other does.
fn plain_end(text: &str) -> Option<usize> {
    let mut of_many = None;
    let mut before = ' ';
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map(|it| it.1);
        let begins = || begins_word(text.get(at + character.len_utf8()..).unwrap_or_default());
        match next {
            _ if character != '\'' => {}
            Some(next) if is_joined(next) && is_outside(before) && begins() => break,
            // An apostrophe, or `'90s`.
            Some(next) if is_joined(next) || (is_outside(before) && next.is_numeric()) => {}
            Some(next) if next.is_whitespace() && may_be_other(before) => {
                of_many = of_many.or(Some(at));
            }
            _ => return Some(at),
        }
        before = character;
    }
    of_many
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
