//! The sentence that an answer is in the middle of.
//!
//! Border: characters that a reader sees in; claims out. What a model writes may have no end, so what is kept
//! of a sentence has one.

use super::indexed::{has_list, has_parts, is_numbered};
use super::plain::{begins_question, begins_with_pronoun, begun, element, shown};
use super::stated::{LEAST_CONTENT, Unmarked};
use super::subject::{Needs, head, joined, lacks, needs};
use super::topic::{Part, Topic};
use crate::text::{Stop, ends_sentence, goes_on, stop, tokens};
use crate::verify::Claim;
use serde::{Deserialize, Serialize};

/// Bytes of a sentence that are kept: what is checked of a longer one is its end.
const MOST_BYTES: usize = 1_024;

/// Levels of headings.
const MOST_LEVEL: usize = 6;

/// A sentence, as far as it is written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sentence {
    text: String,
    /// Where what follows the last marker begins.
    after_marker: usize,
    /// Whether it has a marker.
    pub is_cited: bool,
    /// Whether it may be over: it ended with a stop.
    pub is_over: bool,
    /// Whether the next word tells that.
    #[serde(default)]
    pub is_open: bool,
    /// The same, before the element of markup that was written last.
    #[serde(default)]
    was_over: bool,
    /// Whether it asks, though its question mark is not written yet.
    #[serde(default)]
    pub asks: bool,
    /// The subject of the sentence before.
    subject: String,
    /// The whole of it, where it was read before it was shown.
    #[serde(default)]
    whole: Option<Whole>,
    /// Where in the answer it stands.
    #[serde(default)]
    pub topic: Topic,
}

/// What a sentence will be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Whole {
    /// Empty where a marker does not stand for all of it.
    words: String,
    /// Where it ends.
    end: usize,
}

/// What a sentence states without a marker.
#[derive(Debug, Clone)]
pub struct Uncited {
    /// In its words.
    pub words: String,
    /// To be checked.
    pub claim: Claim,
    /// Whether none of it has a marker already: else it gets none of ours.
    pub is_whole: bool,
}

/// What a line of an answer is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Line {
    /// A paragraph or an item of a list.
    #[default]
    Prose,
    /// A row of a table.
    Row,
    /// The same, below the table's head.
    Below,
    /// A heading.
    Heading,
}

impl Line {
    /// The kind of line that begins with this.
    pub const fn of(first: char) -> Line {
        match first {
            '|' => Line::Row,
            '#' => Line::Heading,
            _ => Line::Prose,
        }
    }

    /// Whether it is a row of a table.
    pub const fn is_row(self) -> bool {
        matches!(self, Line::Row | Line::Below)
    }
}

impl Sentence {
    /// Takes in a character.
    pub fn push(&mut self, c: char) {
        self.keep(c);
        let before = || self.text.get(..self.text.len() - 1).unwrap_or_default();
        match c {
            '.' => {
                let stop = stop(before());
                self.is_over = stop != Stop::GoesOn;
                self.is_open = stop == Stop::Open;
            }
            _ if ends_sentence(c) => {
                self.is_over = true;
                self.is_open = false;
            }
            '*' | '_' => {}
            _ if c.is_whitespace() || closes(c) => {}
            '<' => {
                self.was_over = self.is_over && !self.is_open;
                self.is_over = false;
            }
            '>' => self.is_over = self.was_over && element(before()).is_some(),
            _ => self.is_over = false,
        }
        self.is_open &= self.is_over;
    }

    /// Takes in a character of code: its stops end no sentence.
    pub fn push_code(&mut self, c: char) {
        self.keep(c);
        self.is_over = false;
        self.is_open = false;
    }

    /// The next word is this one, or none: whether it is over is known then.
    pub fn settle(&mut self, next: &str) {
        self.is_over &= !self.goes_on(next);
        self.is_open = false;
    }

    /// Whether the stop that it ends with belongs to the word before it.
    fn goes_on(&self, next: &str) -> bool {
        let text = self
            .text
            .trim_end_matches(|c: char| c.is_whitespace() || closes(c) || matches!(c, '*' | '_'));
        self.is_open && goes_on(text.strip_suffix('.').unwrap_or(text), next)
    }

    fn keep(&mut self, c: char) {
        if self.text.len() >= MOST_BYTES {
            let half = self.text.ceil_char_boundary(MOST_BYTES / 2);
            self.text.drain(..half);
            self.after_marker = self.after_marker.saturating_sub(half);
            if let Some(whole) = &mut self.whole {
                whole.end = whole.end.saturating_sub(half);
            }
        }
        self.text.push(c);
    }

    /// Whether it ends before this character, which follows it after blanks or none.
    pub fn ends_before(&self, c: char, has_blank: bool) -> bool {
        if !self.is_over || self.goes_on("") {
            return false;
        }
        // A stop behind a stop, or what closes a quotation, belongs to what it follows.
        let goes_on = closes(c) || c == '.' || ends_sentence(c);
        let stop = self.text.chars().rev().find(|c| !closes(*c));
        let needs_no_blank = stop.is_some_and(stands_alone) && !goes_on;
        needs_no_blank || (has_blank && !c.is_lowercase())
    }

    /// What kind of line it began.
    pub fn line(&self) -> Line {
        let text = self.text.trim_start();
        text.chars().next().map_or(Line::Prose, Line::of)
    }

    /// Whether it is the line between the head of a table and its rows.
    pub fn is_rule(&self) -> bool {
        let is_part = |c: char| matches!(c, '|' | '-' | ':') || c.is_whitespace();
        self.text.contains('-') && self.text.chars().all(is_part)
    }

    /// Whether a number in brackets that stands here, behind a blank or none and before this character, belongs to what
    /// stands before it: it has parts, or is numbered itself.
    pub fn is_counted(&self, next: Option<char>, has_blank: bool) -> bool {
        if has_blank { is_numbered(&self.text) } else { has_parts(&self.text, next) }
    }

    /// Whether numbers in brackets that stand here are no citations: what stands before them has them.
    pub fn lists(&self) -> bool {
        has_list(&self.text)
    }

    /// Whether it has nothing that a reader sees.
    pub fn is_empty(&self) -> bool {
        if self.text.contains('<') {
            return shown(&self.text).trim().is_empty();
        }
        // As what is shown of it, without making that: this is asked at each blank.
        let mut underscores = 0;
        for c in begun(&self.text).chars() {
            match c {
                '*' | '`' => {}
                '_' => underscores += 1,
                _ if c.is_whitespace() && underscores % 2 == 0 => underscores = 0,
                _ => return false,
            }
        }
        underscores % 2 == 0
    }

    /// Whether it is only the number of an item.
    pub fn is_number(&self) -> bool {
        let number = begun(&self.text).strip_suffix(['.', ')']).unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Whether it begins as a question does, so that its end tells what it is.
    pub fn may_ask(&self) -> bool {
        self.whole.is_none() && !self.is_over && begins_question(&shown(&self.text))
    }

    /// Whether it ends as one.
    pub fn is_question(&self) -> bool {
        self.text.trim_end().ends_with(['?', '？', '؟'])
    }

    /// Whether a marker here stands behind too few words to be checked, and more of them may follow.
    pub fn is_early(&self) -> bool {
        self.whole.is_none()
            && !self.is_over
            && Claim::new(&self.with_subject().0).content() < LEAST_CONTENT
    }

    /// Takes in what the sentence will be: that is what a marker stands for behind too few words of it, unless
    /// something holds of these words alone.
    pub fn foresee(&mut self, whole: &Sentence, holds: impl Fn(&Claim) -> bool) {
        let (words, _) = whole.with_subject();
        // Where a marker stood is a blank before the sign that ends the sentence.
        let mut words = words.strip_suffix(" .").unwrap_or(&words).replace(" , ", ", ");
        if !holds(&Claim::new(&words)) && holds(&Claim::new(&self.with_subject().0)) {
            words.clear();
        }
        self.whole = Some(Whole { words, end: whole.text.len() });
    }

    /// What a marker here stands for: what follows the last marker, if that says enough, else all.
    pub fn claim(&mut self) -> (String, Claim) {
        self.is_cited = true;
        let before = self.after_marker;
        self.after_marker = before.max(self.text.len());
        if let Some(part) = self.part(before) {
            return self.asked(part);
        }
        let (so_far, _) = self.with_subject();
        let claim = Claim::new(&so_far);
        match &self.whole {
            Some(Whole { words, end }) if claim.content() < LEAST_CONTENT && !words.is_empty() => {
                self.after_marker = self.after_marker.max(*end);
                self.asked((words.clone(), Claim::new(words)))
            }
            _ => self.asked((so_far, claim)),
        }
    }

    /// A claim, or what is asked and so claims nothing.
    fn asked(&self, (words, claim): (String, Claim)) -> (String, Claim) {
        if !self.asks || claim.is_question {
            return (words, claim);
        }
        let words = format!("{}?", words.trim_end());
        let claim = Claim::new(&words);
        (words, claim)
    }

    /// What stands behind this place, with the subject that it has before it, if it says enough by itself.
    fn part(&self, start: usize) -> Option<(String, Claim)> {
        let start = self.text.ceil_char_boundary(start);
        let part = shown(self.text.get(start..).unwrap_or_default());
        let claim = Claim::new(&part);
        let is_denied = self.topic.denial().is_some();
        if start == 0 || is_denied || claim.content() < LEAST_CONTENT {
            return None;
        }
        let needs = if self.line().is_row() { Needs::Subject } else { needs(&part) };
        match needs {
            Needs::Nothing => Some((part, claim)),
            Needs::Whole => None,
            Needs::Subject => {
                let words = match self.head() {
                    head if head.is_empty() => return Some((part, claim)),
                    head if self.line().is_row() => format!("{head}, {}", joined(&part)),
                    head => format!("{head} {}", joined(&part)),
                };
                let claim = Claim::new(&words);
                Some((words, claim))
            }
        }
    }

    /// What it says something of: of a row its first cell.
    fn head(&self) -> String {
        if self.line().is_row() {
            let mut cells = self.text.split('|').map(shown);
            return cells.find(|cell| !cell.is_empty()).unwrap_or_default();
        }
        let (words, put_in) = self.with_subject();
        match words.get(..put_in).map(str::trim_end) {
            Some(subject) if !subject.is_empty() => subject.to_owned(),
            _ => head(&words),
        }
    }

    /// What it states, if it states something and nothing vouches for it: no question, no word to the reader, and
    /// of headings and of what leads to a list only what is a sentence itself.
    pub fn uncited(&self) -> Option<Uncited> {
        let text = self.text.trim_end().trim_end_matches(['*', '_', '"', '”', ')']);
        let leads = self.line() == Line::Heading || text.ends_with([':', '：']);
        if text.ends_with(['?', '？']) || (leads && self.is_cited) {
            return None;
        }
        if self.is_cited {
            return self.behind_marker();
        }
        let (whole, put_in) = self.with_subject();
        let claim = Claim::new(&whole);
        let put_in = claim.tokens.iter().take_while(|token| token.end <= put_in).count();
        let is_row = self.line() == Line::Row;
        let unmarked = Unmarked { claim: &claim, put_in, is_over: self.is_over, is_row, leads };
        unmarked.states().then_some(Uncited { words: whole, claim, is_whole: true })
    }

    /// What stands behind the last marker, if it says enough by itself or has a figure.
    fn behind_marker(&self) -> Option<Uncited> {
        if let Some((words, claim)) = self.part(self.after_marker) {
            return Some(Uncited { words, claim, is_whole: true });
        }
        let start = self.text.ceil_char_boundary(self.after_marker);
        let claim = Claim::new(&shown(self.text.get(start..).unwrap_or_default()));
        let figures = &claim.figures;
        let says = claim.content() >= LEAST_CONTENT
            || !figures.quantities.is_empty()
            || !figures.dates.is_empty();
        says.then(|| {
            let (words, _) = self.with_subject();
            let claim = Claim::new(&words);
            Uncited { words, claim, is_whole: false }
        })
    }

    /// What a reader sees of it, behind what it is about where it does not say so, and how many bytes that has: the subject
    /// of the sentence before in the place of a pronoun, what it stands below, and what denies it.
    fn with_subject(&self) -> (String, usize) {
        let shown = shown(&self.text);
        let subject = match begins_with_pronoun(&shown) {
            true if self.subject.is_empty() => self.topic.subject(),
            true => self.subject.clone(),
            false if self.line().is_row() || !lacks(&shown) => String::new(),
            // Notes go on about one thing, too.
            false if !self.topic.is_first && !self.subject.is_empty() => self.subject.clone(),
            false => self.topic.subject(),
        };
        let denial = self.topic.denial().filter(|denial| *denial != subject);
        let denial = denial.map(|denial| format!("{denial}: ")).unwrap_or_default();
        let blank = if subject.is_empty() { "" } else { " " };
        let before = format!("{denial}{subject}{blank}");
        (format!("{before}{shown}"), before.len())
    }

    /// Begins the next one; whether the line ends, too.
    pub fn end(&mut self, ends_line: bool) {
        let (words, _) = self.with_subject();
        let shown = shown(&self.text);
        self.pass_line(&shown, ends_line);
        let subject = if begins_with_pronoun(&shown) || lacks(&shown) {
            String::new()
        } else {
            subject(&words)
        };
        // Sentences go on about one thing: "It … It …".
        let subject = if subject.is_empty() { std::mem::take(&mut self.subject) } else { subject };
        let topic = std::mem::take(&mut self.topic);
        *self = Sentence { subject, topic, ..Sentence::default() };
    }

    /// Begins the next one, of which nothing before is the subject, unless it leads to it.
    pub fn end_block(&mut self) {
        self.pass_line(&shown(&self.text), true);
        let topic = std::mem::take(&mut self.topic);
        *self = Sentence { topic, ..Sentence::default() };
    }

    fn pass_line(&mut self, shown: &str, ends_line: bool) {
        let line = self.line();
        let text = self.text.trim_start();
        let level = text.len() - text.trim_start_matches('#').len();
        let level = if level <= MOST_LEVEL { level } else { 0 };
        let is_open = !self.is_over && !self.is_cited && !line.is_row();
        let with_subject = shown.ends_with(':').then(|| self.with_subject().0);
        let words = with_subject.as_deref().unwrap_or(shown);
        let is_bold = text.starts_with("**") || text.starts_with("__");
        self.topic.pass(&Part { words, level, is_bold, is_open, ends_line });
    }
}

/// Whether it may close what a sentence ends within.
const fn closes(c: char) -> bool {
    matches!(c, '"' | '”' | '’' | '\'' | ')')
}

/// Whether the next sentence needs no blank behind this stop. Urdu writes its own within abbreviations, too, and Armenian
/// within times of day.
const fn stands_alone(stop: char) -> bool {
    !stop.is_ascii() && ends_sentence(stop) && !matches!(stop, '۔' | '։')
}

/// The names that a sentence begins with: `The Eiffel Tower is` gives `Eiffel Tower`.
fn subject(text: &str) -> String {
    let tokens = tokens(text);
    let start = usize::from(
        tokens.first().is_some_and(|first| matches!(first.word.as_str(), "the" | "a" | "an")),
    );
    let names = tokens.iter().skip(start).take(6).take_while(|token| token.is_name());
    let ends: Vec<(usize, usize)> = names.map(|token| (token.start, token.end)).collect();
    let is_pronoun =
        tokens.first().is_some_and(|first| crate::text::is_stop_word(&first.word)) && start == 0;
    match (ends.first(), ends.last()) {
        (Some((start, _)), Some((_, end))) if !is_pronoun => {
            text.get(*start..*end).unwrap_or_default().to_owned()
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests;
