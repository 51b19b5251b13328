//! A question and its terms.
//!
//! Border: text in; terms, key words and search queries out.

use super::alone;
use super::kind::{Kind, is_asking, is_auxiliary};
use super::lexicon;
use super::members;
use super::must::Must;
use super::parts::{self, Leaning, is_pronoun};
use super::polar;
use super::words;
use super::years;
use quarry_types::order::{self, Gather};
use std::collections::{BTreeMap, BTreeSet};

/// Terms that a query is made of.
const QUERY_TERMS: usize = 10;
/// What a word counts that may answer for a word of the question, against that word.
const KIN: f64 = 0.6;
/// What a word of the part before counts in a part that leans on it: a name, and another word.
const CARRIED_NAME: f64 = 1.0;
const CARRIED: f64 = 0.4;
/// What words count that say little, and those that only ask for the newest.
const PALE: f64 = 0.4;
const NEWEST: f64 = 0.1;
/// What a name counts.
const NAME: f64 = 1.2;
/// What a number counts: the year that is asked for.
const NUMBER: f64 = 1.5;
/// Terms that a part has at most.
const MOST_TERMS: usize = 64;

/// A question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Question {
    /// As it was asked.
    pub text: String,
    /// How many of its words matter, each counted once.
    pub terms: usize,
    /// What it asks, one by one; one at least.
    pub parts: Vec<Part>,
    /// The number of the term that a stem is.
    own: BTreeMap<String, usize>,
    /// The terms that a stem speaks of, by number, and how plainly.
    index: BTreeMap<String, Vec<(usize, f64)>>,
    /// How words begin that may speak of a term: a bit for the second byte in the place of the first.
    beginnings: Vec<u64>,
}

/// A part of a question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    /// As one would ask it alone.
    pub text: String,
    pub kind: Kind,
    /// What it asks whether, as far as rules read it.
    pub polar: Option<polar::Asked>,
    /// What each term counts, by its number.
    pub weights: BTreeMap<usize, f64>,
    /// Its own terms, in order.
    pub sequence: Vec<usize>,
    /// Terms that say no more than what kind of answer is wanted.
    pub of_kind: BTreeSet<usize>,
    /// Names among the terms.
    pub names: BTreeSet<usize>,
    /// Names and the words beside them: `Orrin Head lighthouse`.
    subject: BTreeSet<usize>,
    /// The words of the whole question, lower case.
    pub asked: BTreeSet<String>,
    /// The years that it names, by their terms.
    pub years: BTreeMap<usize, u32>,
    /// Terms that are numbers of other things: `over 26 tonnes`.
    pub numbers: BTreeSet<usize>,
    /// What an answer must speak of.
    pub must: Must,
    /// Stems of what is to be counted.
    pub counted: BTreeSet<String>,
    /// Its terms among them.
    pub counted_terms: BTreeSet<usize>,
}

/// Words that only begin a question.
const COMMANDS: [&str; 8] =
    ["compare", "define", "describe", "enumerate", "explain", "give", "list", "name"];

impl Question {
    pub(super) fn new(text: &str) -> Self {
        let mut own = BTreeMap::new();
        let mut stems: Vec<String> = Vec::new();
        for stem in words::stems(text) {
            // `done` says no more than `do`, and `per year` no more than `a year`.
            let is_small = words::is_stop_word(&stem) || stem == "per";
            if !is_small && !own.contains_key(&stem) {
                own.insert(stem.clone(), own.len());
                stems.push(stem);
            }
        }
        let index = index(&stems);
        let beginnings = beginnings(&index);
        let terms = own.len();
        let text = text.trim().to_owned();
        let mut question = Question { text, terms, parts: Vec::new(), own, index, beginnings };
        question.parts = question.read_parts();
        question
    }

    fn read_parts(&self) -> Vec<Part> {
        let asked: BTreeSet<String> = words::words(&self.text).into_iter().gather();
        let mut parts: Vec<Part> = Vec::new();
        let alone = alone::parts(&self.text);
        for (at, text) in parts::split(&self.text).into_iter().enumerate() {
            let mut part = self.part(&text.text, &asked);
            part.keep_what_it_is_of();
            if part.kind == Kind::Polar {
                part.polar = alone.get(at).and_then(|alone| polar::Asked::new(alone));
            }
            if let Some(first) = parts.first() {
                part.lean_on(first, text.leaning);
            }
            parts.push(part);
        }
        parts
    }

    fn part(&self, text: &str, asked: &BTreeSet<String>) -> Part {
        let lower = words::words(text);
        let kind = Kind::of(&lower);
        let counted = Counted::of(&lower);
        let mut part = Part {
            text: text.to_owned(),
            kind,
            polar: None,
            weights: BTreeMap::new(),
            sequence: Vec::new(),
            of_kind: BTreeSet::new(),
            names: BTreeSet::new(),
            subject: BTreeSet::new(),
            asked: asked.clone(),
            years: BTreeMap::new(),
            numbers: BTreeSet::new(),
            must: Must::of(text, kind, &|stem: &str| self.own.get(stem).copied()),
            counted: counted.noun,
            counted_terms: BTreeSet::new(),
        };
        let mut place = 0;
        let mut follows_name = false;
        words::each_word(text, |word, at| {
            let begins_large =
                text.get(at).is_some_and(|word| word.starts_with(char::is_uppercase));
            let is_first = place == 0;
            let is_age = members::tells_age(&lower, place);
            let asks_for_newest = words::asks_for_newest(&lower, place);
            place += 1;
            let is_name = begins_large && !is_first;
            let follows = std::mem::replace(&mut follows_name, is_name);
            let is_command = is_first && COMMANDS.contains(&word.as_str());
            if is_command || words::is_stop_word(word) || is_asking(word) || is_pronoun(word) {
                return;
            }
            let is_of_kind = kind.is_said_by(word);
            let says = match (asks_for_newest, words::is_pale(word) || is_age) {
                (true, _) => NEWEST,
                (false, true) => PALE,
                (false, false) => 1.0,
            };
            words::to_stem(word);
            let Some(term) = self.own.get(word) else { return };
            if part.sequence.len() >= MOST_TERMS {
                return;
            }
            if is_name {
                part.names.insert(*term);
            }
            if is_name || (follows && !is_of_kind) {
                part.subject.insert(*term);
            }
            if is_of_kind {
                part.of_kind.insert(*term);
            }
            part.note_number(word, *term, is_age);
            if counted.all.contains(word.as_str()) {
                part.counted_terms.insert(*term);
            }
            part.sequence.push(*term);
            part.weights.entry(*term).or_insert(weight(word, is_name, says));
        });
        part
    }

    /// Whether a word, lower case, may speak of a term, by how it begins.
    pub(super) fn may_hit(&self, word: &str) -> bool {
        let mut bytes = word.bytes();
        let (first, second) = (bytes.next().unwrap_or_default(), bytes.next().unwrap_or_default());
        self.beginnings.get(usize::from(first)).is_some_and(|seconds| seconds & bit(second) != 0)
    }

    /// The terms that a stem speaks of, and how plainly: the term that it is, and those that it answers.
    pub(super) fn hits(&self, stem: &str) -> &[(usize, f64)] {
        self.index.get(stem).map(Vec::as_slice).unwrap_or_default()
    }

    /// The terms that a text speaks of, in order, and how plainly.
    pub(super) fn all_hits(&self, text: &str) -> BTreeMap<usize, f64> {
        let mut hits: BTreeMap<usize, f64> = BTreeMap::new();
        words::each_word(text, |word, _| {
            if self.may_hit(word) {
                words::to_stem(word);
                for (term, strength) in self.hits(word) {
                    let known = hits.entry(*term).or_default();
                    *known = known.max(*strength);
                }
            }
        });
        hits
    }

    /// The terms that a word of the question is.
    pub(super) fn own_terms(&self, word: &str) -> BTreeSet<usize> {
        words::stems(word).iter().filter_map(|stem| self.own.get(stem)).copied().gather()
    }

    /// Its words that matter, as they were written, each once.
    pub(super) fn key_words(&self) -> Vec<String> {
        let mut kept: Vec<String> = Vec::new();
        let mut known = BTreeSet::new();
        for word in self
            .text
            .split(|c: char| c.is_whitespace() || matches!(c, '?' | '!' | ';' | '"' | '(' | ')'))
        {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            let lower = word.to_lowercase();
            // `it's` is not a word to search for.
            let bare = lower.split(['\'', '’']).next().unwrap_or_default();
            if !word.is_empty() && !words::is_stop_word(bare) && known.insert(lower) {
                kept.push(word.to_owned());
            }
        }
        kept
    }

    /// What to search for: each part by itself, at least one. A part that a program works out is
    /// not searched for where others are.
    pub(super) fn queries(&self, is_worked_out: impl Fn(&Part) -> bool) -> Vec<String> {
        let mut queries: Vec<String> = Vec::new();
        if self.parts.len() > 1 {
            let parts = self.parts.iter().filter(|part| !is_worked_out(part));
            for query in parts.map(|part| part.query(self)) {
                if !query.is_empty() && !queries.contains(&query) {
                    queries.push(query);
                }
            }
        }
        if queries.is_empty() { vec![self.query()] } else { queries }
    }

    /// What to search for, as a whole.
    pub(super) fn query(&self) -> String {
        let mut words = self.key_words();
        words.truncate(QUERY_TERMS);
        if words.is_empty() { self.text.chars().take(200).collect() } else { words.join(" ") }
    }

    /// The same in other words, as far as that can be done without knowing any: the longest words,
    /// which are the rarest.
    pub(super) fn broader_query(&self) -> String {
        let words = self.key_words();
        let mut by_length: Vec<(usize, usize)> =
            words.iter().map(|word| word.chars().count()).enumerate().collect();
        order::sort_by_key(&mut by_length, |(_, length)| std::cmp::Reverse(*length));
        by_length.truncate(words.len().div_ceil(2).clamp(1, 4));
        by_length.sort_unstable();
        let kept: Vec<&str> =
            by_length.iter().filter_map(|(at, _)| words.get(*at)).map(String::as_str).collect();
        kept.join(" ")
    }
}

impl Part {
    /// Keeps a word that is a number.
    fn note_number(&mut self, word: &str, term: usize, is_age: bool) {
        match years::year(word) {
            _ if is_age => {}
            Some(year) => {
                self.years.insert(term, year);
            }
            None if word.starts_with(|c: char| c.is_ascii_digit()) => {
                self.numbers.insert(term);
            }
            None => {}
        }
    }

    /// Of `the toll in 2016` the toll is what is spoken of, though it says what kind of answer is wanted.
    fn keep_what_it_is_of(&mut self) {
        let is_other = |term: &usize| {
            !self.of_kind.contains(term)
                && !self.years.contains_key(term)
                && !self.numbers.contains(term)
        };
        if !self.years.is_empty() && !self.sequence.iter().any(is_other) {
            self.of_kind.retain(|term| !self.must.one_of.contains(term));
        }
    }

    /// Takes from the first part what this one leaves out.
    fn lean_on(&mut self, first: &Part, leaning: Leaning) {
        for (term, weight) in &first.weights {
            let is_name = first.names.contains(term);
            let is_subject = first.subject.contains(term);
            if first.of_kind.contains(term) {
                continue;
            }
            let share = match leaning {
                Leaning::None => continue,
                Leaning::Whole => 1.0,
                Leaning::Pronoun if is_subject => CARRIED_NAME,
                Leaning::Loose if is_subject => CARRIED_NAME / 2.0,
                Leaning::Pronoun => CARRIED,
                Leaning::Loose => CARRIED / 2.0,
            };
            self.weights.entry(*term).or_insert(weight * share);
            if is_name {
                self.names.insert(*term);
            }
            if is_subject {
                self.subject.insert(*term);
            }
        }
    }

    /// Whether a term says what it is about, and not only which kind of answer is wanted or what is counted.
    pub(super) fn is_about(&self, term: usize) -> bool {
        self.weights.contains_key(&term)
            && !self.of_kind.contains(&term)
            && !self.counted_terms.contains(&term)
    }

    /// Its own terms, and the names that it leans on; without names, all that it leans on.
    fn is_searched_for(&self, term: usize) -> bool {
        let leans = self.subject.is_empty() && self.weights.contains_key(&term);
        leans || self.subject.contains(&term) || self.sequence.contains(&term)
    }

    /// Its own words and those that it leans on.
    fn query(&self, question: &Question) -> String {
        let mut words = question.key_words();
        words
            .retain(|word| question.own_terms(word).iter().any(|term| self.is_searched_for(*term)));
        words.truncate(QUERY_TERMS);
        words.join(" ")
    }
}

/// What a word counts.
fn weight(word: &str, is_name: bool, says: f64) -> f64 {
    let is_number = says >= 1.0 && word.starts_with(|c: char| c.is_ascii_digit());
    if is_name { NAME } else { says * if is_number { NUMBER } else { 1.0 } }
}

/// What each stem speaks of.
fn index(stems: &[String]) -> BTreeMap<String, Vec<(usize, f64)>> {
    let mut index: BTreeMap<String, Vec<(usize, f64)>> = BTreeMap::new();
    for (term, stem) in stems.iter().enumerate() {
        index.entry(stem.clone()).or_default().push((term, 1.0));
    }
    let places: BTreeMap<&str, usize> =
        stems.iter().enumerate().map(|(term, stem)| (stem.as_str(), term)).gather();
    for group in lexicon::groups() {
        let group: Vec<String> = group.iter().map(|word| words::stem(word)).collect();
        for term in group.iter().filter_map(|stem| places.get(stem.as_str())) {
            for kin in &group {
                let terms = index.entry(kin.clone()).or_default();
                if terms.iter().all(|(known, _)| known != term) {
                    terms.push((*term, KIN));
                }
            }
        }
    }
    index.retain(|stem, _| !words::is_stop_word(stem));
    for terms in index.values_mut() {
        terms.sort_unstable_by_key(|(term, _)| *term);
    }
    index
}

const fn bit(byte: u8) -> u64 {
    1 << (byte & 63)
}

/// How the words begin that an index knows, irregular forms included.
fn beginnings(index: &BTreeMap<String, Vec<(usize, f64)>>) -> Vec<u64> {
    let mut beginnings = vec![0; 256];
    let mut note = |word: &str| {
        let mut bytes = word.bytes();
        let (first, second) = (bytes.next().unwrap_or_default(), bytes.next().unwrap_or_default());
        if let Some(seconds) = beginnings.get_mut(usize::from(first)) {
            *seconds |= bit(second);
            // Of a word of two letters the stem may have lost the second.
            if word.len() < 2 {
                *seconds = u64::MAX;
            }
        }
    };
    for stem in index.keys() {
        note(stem);
    }
    for (form, base) in lexicon::irregular() {
        if index.contains_key(&words::stem(base)) {
            note(form);
        }
    }
    beginnings
}

/// What `how many` counts.
#[derive(Default)]
struct Counted {
    /// Stems of all its words, and of what may stand for them.
    all: BTreeSet<String>,
    /// Those of the noun: `boats` of `rowing boats`.
    noun: BTreeSet<String>,
}

impl Counted {
    fn of(lower: &[String]) -> Counted {
        let many = lower
            .iter()
            .position(|word| word == "many" || word == "population" || word == "number");
        let Some(at) = many else { return Counted::default() };
        let behind = match lower.get(at).map(String::as_str) {
            Some("population") => at,
            Some("number") => at + 2,
            _ => at + 1,
        };
        let ends = |word: &&String| {
            // `How many people survived the …`
            words::is_stop_word(word) || is_auxiliary(word) || word.ends_with("ed")
        };
        let words = lower.iter().skip(behind).take_while(|word| !ends(word)).take(3);
        let words: Vec<&String> = words.collect();
        // `lorries cross the bridge`: what is counted is more than one, and no verb.
        let noun = words.iter().rfind(|word| words::is_many(word));
        let all: BTreeSet<String> = words.iter().flat_map(|word| kin(word)).gather();
        Counted { noun: noun.map_or_else(|| all.clone(), |noun| kin(noun)), all }
    }
}

/// The stem of a word, and of what may stand for it.
pub(super) fn kin(word: &str) -> BTreeSet<String> {
    let stem = words::stem(word);
    let mut stems = BTreeSet::new();
    let groups = lexicon::groups().map(|group| group.iter().map(|word| words::stem(word)));
    for group in groups.map(Iterator::collect::<Vec<String>>) {
        if group.contains(&stem) {
            stems.extend(group);
        }
    }
    stems.insert(stem);
    stems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_made_of_the_words_that_matter() {
        let question = Question::new(
            "How many steps does the Orrin Head lighthouse have, and when was it automated?",
        );
        assert_eq!(question.query(), "steps Orrin Head lighthouse automated");
        assert_eq!(question.broader_query(), "steps lighthouse automated");
        assert_eq!(
            question.queries(|_| false),
            ["steps Orrin Head lighthouse", "Orrin Head lighthouse automated"]
        );
        assert_eq!(Question::new("what is this?").query(), "what is this?");
        assert_eq!(Question::new("").broader_query(), "");
    }

    #[test]
    fn a_stem_speaks_of_the_term_that_it_is_and_of_those_that_it_answers() {
        let question = Question::new("How tall and how high is the tall tower?");
        assert_eq!(question.terms, 3);
        assert_eq!(question.hits("tall"), [(0, 1.0), (1, KIN)]);
        assert_eq!(question.hits("height"), [(0, KIN), (1, KIN)]);
        assert_eq!(question.hits("tower"), [(2, 1.0)]);
        assert!(question.hits("width").is_empty());
        for word in ["tall", "height", "towers"] {
            assert!(question.may_hit(word), "{word}");
        }
        assert!(Question::new("Who builds?").may_hit("built"));
        assert!(!question.may_hit("zebra"));
        assert_eq!(Question::new("What is the rent per month?").terms, 2);
    }
}
