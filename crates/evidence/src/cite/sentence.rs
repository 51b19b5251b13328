//! The sentence that an answer is in the middle of.
//!
//! Border: characters that a reader sees in; claims out. What a model writes may have no end, so what is kept
//! of a sentence has one.

use super::stated::{LEAST_CONTENT, Unmarked};
use crate::text::{ends_sentence, is_abbreviation, tokens};
use crate::verify::Claim;
use serde::{Deserialize, Serialize};

/// Bytes of a sentence that are kept: what is checked of a longer one is its end.
const MOST_BYTES: usize = 1_024;

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
    /// The subject of the sentence before.
    subject: String,
    /// The whole of it, where it was read before it was shown.
    #[serde(default)]
    whole: Option<Whole>,
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
        self.is_over = match c {
            _ if ends_sentence(c) => true,
            '.' => !is_abbreviation(self.text.get(..self.text.len() - 1).unwrap_or_default()),
            '*' | '_' => self.is_over,
            _ if c.is_whitespace() || closes(c) => self.is_over,
            _ => false,
        };
    }

    /// Takes in a character of code: its stops end no sentence.
    pub fn push_code(&mut self, c: char) {
        self.keep(c);
        self.is_over = false;
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
        if !self.is_over {
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

    /// Whether it ends with something that has parts, as `a[0]`, `x_1[2]`, `m[1][2]` and `\sqrt[3]`. Behind a word a number
    /// is a marker as often as an index, so it is none that a reader may take for a citation.
    pub fn has_parts(&self) -> bool {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let name = self.text.trim_end_matches(is_name);
        let (before, name) = self.text.split_at(name.len());
        if name.is_empty() {
            return self.text.ends_with([']', '}']);
        }
        name.contains('_') || name.chars().nth(1).is_none() || before.ends_with('\\')
    }

    /// Whether it has nothing that a reader sees.
    pub fn is_empty(&self) -> bool {
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

    /// Whether a marker here stands behind too few words to be checked, and more of them may follow.
    pub fn is_early(&self) -> bool {
        self.whole.is_none()
            && !self.is_over
            && Claim::new(&self.with_subject()).content() < LEAST_CONTENT
    }

    /// Takes in what the sentence will be: that is what a marker stands for behind too few words of it, unless
    /// something holds of these words alone.
    pub fn foresee(&mut self, whole: &Sentence, holds: impl Fn(&Claim) -> bool) {
        let words = whole.with_subject();
        // Where a marker stood is a blank before the sign that ends the sentence.
        let mut words = words.strip_suffix(" .").unwrap_or(&words).replace(" , ", ", ");
        if !holds(&Claim::new(&words)) && holds(&Claim::new(&self.with_subject())) {
            words.clear();
        }
        self.whole = Some(Whole { words, end: whole.text.len() });
    }

    /// What a marker here stands for: what follows the last marker, if that says enough, else all.
    pub fn claim(&mut self) -> (String, Claim) {
        self.is_cited = true;
        let before = self.after_marker;
        self.after_marker = before.max(self.text.len());
        if before > 0 {
            let part = shown(self.text.get(before..).unwrap_or_default());
            let claim = Claim::new(&part);
            if claim.content() >= LEAST_CONTENT {
                return (part, claim);
            }
        }
        let so_far = self.with_subject();
        let claim = Claim::new(&so_far);
        match &self.whole {
            Some(Whole { words, end }) if claim.content() < LEAST_CONTENT && !words.is_empty() => {
                self.after_marker = self.after_marker.max(*end);
                (words.clone(), Claim::new(words))
            }
            _ => (so_far, claim),
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
        let whole = self.with_subject();
        let claim = Claim::new(&whole);
        let is_put_in = whole.len() > shown(&self.text).len();
        let put_in = if is_put_in { tokens(&self.subject).len() } else { 0 };
        let is_row = self.line() == Line::Row;
        let unmarked = Unmarked { claim: &claim, put_in, is_over: self.is_over, is_row, leads };
        unmarked.states().then_some(Uncited { words: whole, claim, is_whole: true })
    }

    /// What stands behind the last marker, if it says enough by itself or has a figure.
    fn behind_marker(&self) -> Option<Uncited> {
        let start = self.text.ceil_char_boundary(self.after_marker);
        let words = shown(self.text.get(start..).unwrap_or_default());
        let claim = Claim::new(&words);
        if claim.content() >= LEAST_CONTENT {
            return Some(Uncited { words, claim, is_whole: true });
        }
        let figures = &claim.figures;
        (!figures.quantities.is_empty() || !figures.dates.is_empty()).then(|| {
            let words = self.with_subject();
            let claim = Claim::new(&words);
            Uncited { words, claim, is_whole: false }
        })
    }

    /// What a reader sees of it; in the place of a pronoun that it begins with, the subject of the sentence
    /// before.
    fn with_subject(&self) -> String {
        let shown = shown(&self.text);
        let mut words = shown.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut word = || words.next().unwrap_or_default().to_lowercase();
        let (first, _, third) = (word(), word(), word());
        let is_pronoun = matches!(
            first.as_str(),
            "it" | "he" | "she" | "they" | "this" | "these" | "its" | "his" | "her" | "their"
        );
        // "It was in 1823 that …" stands for nothing.
        let is_empty = first == "it"
            && matches!(
                third.as_str(),
                "in" | "on" | "at" | "not" | "only" | "during" | "until" | "there"
            );
        if is_pronoun && !is_empty && !self.subject.is_empty() {
            format!("{} {shown}", self.subject)
        } else {
            shown
        }
    }

    /// Begins the next one.
    pub fn end(&mut self) {
        let subject = subject(&shown(&self.text));
        // Sentences go on about one thing: "It … It …".
        let subject = if subject.is_empty() { std::mem::take(&mut self.subject) } else { subject };
        *self = Sentence { subject, ..Sentence::default() };
    }

    /// Begins the next one, of which nothing before is the subject.
    pub fn end_block(&mut self) {
        *self = Sentence::default();
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

/// A sentence without the signs that begin its line.
fn begun(text: &str) -> &str {
    text.trim().trim_start_matches(['#', '>', '-', '*', '+', '|', ' '])
}

/// A sentence without the signs of Markdown.
fn shown(text: &str) -> String {
    let text = begun(text);
    let cells: String = text.chars().map(|c| if c == '|' { ',' } else { c }).collect();
    cells.replace(['*', '`'], "").replace("__", "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sentence(text: &str) -> Sentence {
        let mut sentence = Sentence::default();
        text.chars().for_each(|c| sentence.push(c));
        sentence
    }

    #[test]
    fn a_sentence_ends_where_people_end_it() {
        assert!(sentence("It is lit.").ends_before('T', true));
        assert!(sentence("\"It is lit.\"").ends_before('T', true));
        assert!(sentence("一つ。").ends_before('二', false));
        for (text, next) in [
            ("वह गया।", 'व'),
            ("वह गया॥", 'व'),
            ("أين هو؟", 'ه'),
            ("သူသွားသည်။", 'သ'),
            ("ሄደ።", 'መ'),
            ("他说：“一。”", '二'),
            ("一つ？！", '二'),
        ] {
            assert!(sentence(text).ends_before(next, false), "{text}");
        }
        for (text, next, has_blank) in [
            ("It is 2.", '4', false),
            ("Dr.", 'M', true),
            ("approx.", '4', true),
            ("so.", 'a', true),
            ("他说：“一。", '”', false),
            ("一つ？", '！', false),
            ("वह गया।", '।', false),
            ("ایم۔", 'ا', false),
            ("ժամը 10։", '3', false),
        ] {
            assert!(!sentence(text).ends_before(next, has_blank), "{text}");
        }
    }

    #[test]
    fn a_pronoun_stands_for_the_subject_before_it() {
        let mut it = sentence("The Eiffel Tower was built by Gustave Eiffel.");
        it.end();
        "It has three floors.".chars().for_each(|c| it.push(c));
        assert_eq!(it.with_subject(), "Eiffel Tower It has three floors.");
        it.end();
        "It was in 1889 that it opened.".chars().for_each(|c| it.push(c));
        assert_eq!(it.with_subject(), "It was in 1889 that it opened.");
        it.end();
        "Floors have stairs.".chars().for_each(|c| it.push(c));
        assert_eq!(it.with_subject(), "Floors have stairs.");
    }

    #[test]
    fn only_what_states_something_needs_a_source() {
        for text in [
            "# The tower of Sker is high",
            "Is the tower of Sker high?",
            "Yes.",
            "I hope that helps you with the tower.",
            "## How the lighthouse of Sker was built in 1823",
            "## The lighthouse of Sker in 1823",
            "These are the 3 largest harbours of Norway:",
            "The largest harbours of Norway in 2024 are:",
            "The lighthouse of Sker has the following 3 rooms:",
        ] {
            assert!(sentence(text).uncited().is_none(), "{text}");
        }
        assert!(sentence("- The **tower** of Sker has 196 steps.").uncited().is_some());
        assert!(sentence("| Sker tower | 196 steps | 38 m |").uncited().is_some());
        for text in [
            "The lighthouse of Sker was built by Tom Reed in 1950 and has 300 steps:",
            "## The lighthouse of Sker was built by Tom Reed in 1950",
        ] {
            assert!(sentence(text).uncited().is_some(), "{text}");
        }
    }

    #[test]
    fn what_follows_a_marker_is_checked_by_itself_if_it_says_enough() {
        let mut it = sentence("The tower of Sker has 196 steps");
        assert_eq!(it.claim().1.words.len(), 3);
        " and its keeper wrote letters about bread".chars().for_each(|c| it.push(c));
        let words: Vec<String> = it.claim().1.words.into_iter().map(|word| word.shown).collect();
        assert_eq!(words, ["keeper", "wrote", "letters", "bread"]);
        " too".chars().for_each(|c| it.push(c));
        assert!(it.claim().1.words.len() > 6);
    }

    proptest! {
        #[test]
        fn it_is_empty_where_nothing_of_it_is_shown(text in "[ _*`#|>\n-]{0,9}[a_ *`]{0,6}") {
            prop_assert_eq!(sentence(&text).is_empty(), shown(&text).trim().is_empty(), "{}", text);
        }
    }

    #[test]
    fn a_sentence_without_end_keeps_its_end() {
        let it = sentence(&"é word ".repeat(2_000));
        assert!(it.text.len() <= MOST_BYTES + 4);
    }
}
