//! A question for yes or no, as the statements that would settle it.
//!
//! Border: a question that is understood alone in, statements out; none where it asks in a way that no rule
//! reads: with a denial, or about nothing that it names.

use super::clause::{Sentence, Tense};
use super::words;
use crate::extractive::degrees::DEGREES;
use quarry_evidence::text::Shape;
use quarry_evidence::verify::{Date, Measure, Quantity};

/// Words of a question that are read.
const MOST_WORDS: usize = 40;
/// Words of the second of two things that are asked for.
const MOST_OTHER: usize = 5;

/// With which word a question opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    Be(Tense),
    Do(Tense),
    /// `Can I …?`
    May,
    /// `Will it …?`
    Will,
}

/// A point in time as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment {
    pub year: u32,
    pub month: Option<u32>,
    pub day: Option<u32>,
}

impl Moment {
    pub(super) fn of_date(date: &Date) -> Option<Moment> {
        // Of `03/04/1823` only the year is sure.
        let known = |part: Option<u32>| part.filter(|_| !date.is_ambiguous);
        Some(Moment { year: date.year?, month: known(Some(date.month)), day: known(date.day) })
    }

    /// The year that a bare number is.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "years are small")]
    pub(super) fn of_year(quantity: &Quantity) -> Option<Moment> {
        let is_year = quantity.measure == Measure::Plain
            && quantity.value.fract() == 0.0
            && (1000.0..2100.0).contains(&quantity.value)
            && quantity.length == 1;
        is_year.then_some(Moment { year: quantity.value as u32, month: None, day: None })
    }

    /// Whether it is before another; none where what is known of both does not tell.
    pub(super) fn is_before(self, other: Moment) -> Option<bool> {
        if self.year != other.year {
            return Some(self.year < other.year);
        }
        let (month, others) = self.month.zip(other.month)?;
        if month != others {
            return Some(month < others);
        }
        let (day, others) = self.day.zip(other.day)?;
        (day != others).then_some(day < others)
    }
}

/// What else must hold of what a statement is about.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Limit {
    None,
    /// It happened before this, or after it.
    Time {
        is_before: bool,
        moment: Moment,
    },
    /// It is more than this, or less.
    Amount {
        is_more: bool,
        or_equal: bool,
        value: f64,
        measure: Measure,
    },
    /// When it happened is all that is wanted.
    When,
}

/// What a statement is to its question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// If it is so, yes.
    Whole,
    /// One of two things that happened.
    Event(usize),
    /// One of two answers; the reading is the same for both.
    Side(usize),
}

/// A statement that would settle a question, or a half of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reading {
    pub role: Role,
    pub opening: Opening,
    pub is_there: bool,
    /// Its words behind the opening.
    pub said: Sentence<'static>,
    pub limit: Limit,
}

impl Reading {
    /// Whether it asks for what is so now.
    pub(super) fn is_now(&self) -> bool {
        matches!(
            self.opening,
            Opening::Be(Tense::Present) | Opening::Do(Tense::Present) | Opening::May
        )
    }

    /// From where what is said of its subject may begin: of `the fog signal still work` the verb stands behind
    /// `still`.
    pub(super) fn first_split(&self) -> usize {
        let tells = |at: usize| matches!(self.said.word(at), "still" | "ever" | "also" | "already");
        let count = self.said.tokens.len();
        let is_before_verb = |at: &usize| {
            tells(*at)
                && (0..*at).any(|it| self.said.is_content(it))
                && (*at + 1..count).any(|it| self.said.is_content(it))
        };
        match self.opening {
            Opening::Do(_) => (1..count).find(is_before_verb).map_or(0, |at| at + 1),
            Opening::Be(_) | Opening::May | Opening::Will => 0,
        }
    }

    /// Whether a root is of one of its words.
    pub(super) fn has(&self, root: &str) -> bool {
        self.said.roots.iter().any(|it| it == root)
    }
}

/// What a question asks whether.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    pub(super) readings: Vec<Reading>,
    /// Of two events, whether the first is asked to be the earlier.
    pub(super) is_before: Option<bool>,
    /// The pairs of answers that an `or` may stand between.
    pub(super) sides: Vec<[String; 2]>,
    /// Its own words, folded.
    pub(super) words: Vec<String>,
    pub(super) has_quotation: bool,
}

impl Asked {
    /// Whether it asks for what is so now.
    pub(super) fn is_now(&self) -> bool {
        self.readings.iter().any(Reading::is_now)
    }

    /// Reads a question that is understood alone.
    pub(crate) fn new(question: &str) -> Option<Asked> {
        let text = question.trim().trim_end_matches(['?', ' ', '.']);
        let whole = Sentence::new(text);
        if whole.tokens.len() > MOST_WORDS || text.contains(['\n', ';']) {
            return None;
        }
        let mut from = 1;
        // `Isn't it open?` asks as `Is it open?` does.
        if whole.word(1) == "not" && whole.tokens.first()?.start == whole.tokens.get(1)?.start {
            from = 2;
        }
        if (from..whole.tokens.len()).any(|at| words::is_negation(whole.word(at))) {
            return None;
        }
        let begin = whole.tokens.get(from)?.start;
        let rest = text.get(begin..)?;
        let opening = opening(whole.word(0), rest)?;
        let mut asked = Asked {
            readings: Vec::new(),
            is_before: None,
            sides: Vec::new(),
            words: whole.tokens.iter().map(|token| token.word.clone()).collect(),
            has_quotation: text.contains(['"', '“', '„']),
        };
        asked.read(opening, rest);
        Some(asked).filter(|asked| !asked.readings.is_empty())
    }

    fn read(&mut self, opening: Opening, rest: &str) {
        let said = Sentence::new(rest);
        let count = said.tokens.len();
        if let Some(or) = (1..count).find(|at| said.word(*at) == "or") {
            self.read_sides(opening, &said, or);
            return;
        }
        if let Some(at) = (2..count).rfind(|at| matches!(said.word(*at), "before" | "after")) {
            self.read_order(opening, &said, at);
            return;
        }
        if let Some((rest, limit)) = amount(&said) {
            self.push(Role::Whole, opening, &rest, limit);
            return;
        }
        self.push(Role::Whole, opening, rest, Limit::None);
    }

    fn push(&mut self, role: Role, opening: Opening, text: &str, limit: Limit) {
        let said = owned(text);
        let has_content = (0..said.tokens.len()).any(|at| said.is_content(at));
        let is_there = said.word(0) == "there";
        // Whose subject is a pronoun that nothing explains asks about nothing.
        let is_bare = words::is_pronoun(said.word(0)) || words::is_relative(said.word(0));
        if has_content && !is_bare {
            self.readings.push(Reading { role, opening, is_there, said, limit });
        }
    }

    /// `the mill or the town`: where the second ends, what follows must tell.
    fn read_sides(&mut self, opening: Opening, said: &Sentence<'_>, or: usize) {
        let count = said.tokens.len();
        let opens = said.word(or + 1);
        let is_marked = words::is_determiner(opens) || words::is_preposition(opens);
        let from = match is_marked {
            true => (0..or).rfind(|at| said.word(*at) == opens).or_else(|| {
                let same = words::is_determiner(opens);
                (0..or).rfind(|at| same && words::is_determiner(said.word(*at)))
            }),
            // `steel or concrete`, `Tove Hallin or Ida Messel`
            false => {
                let is_name = |at: &usize| said.tokens.get(*at).is_some_and(|it| it.is_name());
                let names = (0..or).rev().take_while(is_name).last();
                names.or(or.checked_sub(1))
            }
        };
        let Some(from) = from else { return };
        let text = |from: usize, to: usize| part(said, from, to);
        for end in (or + 2..=count).take(MOST_OTHER) {
            let (before, behind) = (text(0, from), text(end, count));
            let (one, other) = (text(from, or), text(or + 1, end));
            if !(or + 1..end).any(|at| said.is_content(at)) {
                continue;
            }
            let pair = self.sides.len();
            for (side, named) in [one, other].into_iter().enumerate() {
                let statement = format!("{before} {named} {behind}");
                self.push(Role::Side(pair * 2 + side), opening, statement.trim(), Limit::None);
            }
            self.sides.push([one.to_owned(), other.to_owned()]);
        }
    }

    /// `before 1930`, `before the tunnel was finished`, `before the tunnel`.
    fn read_order(&mut self, opening: Opening, said: &Sentence<'_>, at: usize) {
        let is_before = said.word(at) == "before";
        let text = |from: usize, to: usize| part(said, from, to);
        let (first, second) = (text(0, at), text(at + 1, said.tokens.len()));
        let other = Sentence::new(second);
        if let Some(moment) = only_moment(&other) {
            self.push(Role::Whole, opening, first, Limit::Time { is_before, moment });
            return;
        }
        // In so many words, too: `It was built before the tunnel`.
        self.push(Role::Whole, opening, said.text, Limit::None);
        self.push(Role::Event(0), opening, first, Limit::When);
        let count = other.tokens.len();
        let verb = (1..count).find(|at| words::is_verb_like(other.word(*at)));
        match verb {
            Some(at) if words::is_be(other.word(at)) => {
                let rest = format!("{} {}", part(&other, 0, at), part(&other, at + 1, count));
                self.push(Role::Event(1), Opening::Be(Tense::Past), &rest, Limit::When);
            }
            Some(at) if !words::is_auxiliary(other.word(at)) => {
                self.push(Role::Event(1), Opening::Do(Tense::Past), second, Limit::When);
            }
            Some(_) => {}
            None => {
                let own = Sentence::new(first);
                let count = own.tokens.len();
                // What happened to the first is asked of the second.
                let verb = match opening {
                    Opening::Be(_) => (1..count).rfind(|at| words::is_verb_like(own.word(*at))),
                    _ => (1..count).rfind(|at| own.is_content(*at)),
                };
                if let Some(verb) = verb.filter(|verb| verb + 1 == count) {
                    let rest = format!("{second} {}", part(&own, verb, count));
                    self.push(Role::Event(1), opening, &rest, Limit::When);
                }
            }
        }
        self.is_before = Some(is_before);
    }
}

fn part<'s>(sentence: &Sentence<'s>, from: usize, to: usize) -> &'s str {
    let begin = sentence.tokens.get(from).map_or(sentence.text.len(), |token| token.start);
    let end = to.checked_sub(1).and_then(|at| sentence.tokens.get(at)).map_or(begin, |it| it.end);
    sentence.text.get(begin..end.max(begin)).unwrap_or_default()
}

/// A sentence that keeps no text: of a question only its words are looked at.
fn owned(text: &str) -> Sentence<'static> {
    let read = Sentence::new(text);
    Sentence {
        text: "",
        tokens: read.tokens,
        roots: read.roots,
        figures: read.figures,
        clauses: Vec::new(),
    }
}

fn opening(word: &str, rest: &str) -> Option<Opening> {
    let is_passive = rest.split_whitespace().any(|word| word == "been");
    Some(match word {
        "is" | "are" | "am" => Opening::Be(Tense::Present),
        "was" | "were" => Opening::Be(Tense::Past),
        "do" | "does" => Opening::Do(Tense::Present),
        "did" => Opening::Do(Tense::Past),
        "has" | "have" | "had" if is_passive => Opening::Be(Tense::Perfect),
        "has" | "have" | "had" => Opening::Do(Tense::Perfect),
        "can" | "may" | "could" => Opening::May,
        "will" => Opening::Will,
        _ => return None,
    })
}

/// The one moment that a few words name, if they name nothing else.
fn only_moment(said: &Sentence<'_>) -> Option<Moment> {
    if (0..said.tokens.len()).any(|at| said.is_content(at)) {
        return None;
    }
    match (said.figures.dates.as_slice(), said.figures.quantities.as_slice()) {
        ([date], []) => Moment::of_date(date),
        ([], [year]) => Moment::of_year(year),
        _ => None,
    }
}

/// `more than 10 million`, `longer than 60 metres`: the question without it, and the limit.
fn amount(said: &Sentence<'_>) -> Option<(String, Limit)> {
    let mut quantities =
        said.figures.quantities.iter().filter(|it| Moment::of_year(it).is_none() && !it.is_vague);
    let quantity = quantities.next()?;
    if quantities.next().is_some() {
        return None;
    }
    // A sign of a currency stands before its number.
    let has_sign =
        said.tokens.get(quantity.at.wrapping_sub(1)).is_some_and(|it| it.shape == Shape::Sign);
    let at = quantity.at - usize::from(has_sign);
    let word = |back: usize| at.checked_sub(back).map_or("", |at| said.word(at));
    let degree = DEGREES.iter().find(|degree| degree.word == word(2) && word(1) == "than");
    let (from, is_more, or_equal) = match (word(2), word(1)) {
        ("more", "than") => (at - 2, true, false),
        ("less" | "fewer", "than") => (at - 2, false, false),
        ("at", "least") => (at - 2, true, true),
        ("at", "most") => (at - 2, false, true),
        (_, "over" | "above") => (at - 1, true, false),
        (_, "under" | "below") => (at - 1, false, false),
        _ => (at.checked_sub(2)?, degree?.is_more, false),
    };
    let end = quantity.at + quantity.length + quantity.unit;
    let base = degree.map_or("", |degree| degree.of);
    let (before, behind) = (part(said, 0, from), part(said, end, said.tokens.len()));
    let (value, measure) = (quantity.value, quantity.measure);
    let limit = Limit::Amount { is_more, or_equal, value, measure };
    Some((format!("{before} {base} {behind}"), limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readings(question: &str) -> Vec<(Role, String)> {
        let asked = Asked::new(question);
        let readings = asked.into_iter().flat_map(|asked| asked.readings);
        let words = |it: &Reading| {
            it.said.tokens.iter().map(|token| token.word.clone()).collect::<Vec<_>>().join(" ")
        };
        readings.map(|it| (it.role, words(&it))).collect()
    }

    #[test]
    fn questions_are_read_as_what_would_settle_them() {
        for (question, expected) in [
            ("Is the dam open to cyclists?", &[(Role::Whole, "the dam open to cyclists")][..]),
            ("Isn't the dam open?", &[(Role::Whole, "the dam open")]),
            ("Was the dam built before 1930?", &[(Role::Whole, "the dam built")]),
            (
                "Was the dam built before the tunnel was finished?",
                &[
                    (Role::Whole, "the dam built before the tunnel was finished"),
                    (Role::Event(0), "the dam built"),
                    (Role::Event(1), "the tunnel finished"),
                ],
            ),
            (
                "Was the dam built after the tunnel?",
                &[
                    (Role::Whole, "the dam built after the tunnel"),
                    (Role::Event(0), "the dam built"),
                    (Role::Event(1), "the tunnel built"),
                ],
            ),
            ("Is the dam longer than 60 metres?", &[(Role::Whole, "the dam long")]),
            ("Did more than 500 people come?", &[(Role::Whole, "people come")]),
            ("Is it open?", &[]),
            ("Is the dam not open?", &[]),
        ] {
            let expected: Vec<(Role, String)> =
                expected.iter().map(|(role, words)| (*role, (*words).to_owned())).collect();
            assert_eq!(readings(question), expected, "{question}");
        }
    }

    #[test]
    fn of_two_things_each_is_asked_for() {
        let sides = |question: &str| Asked::new(question).unwrap().sides;
        let pair = |one: &str, other: &str| [one.to_owned(), other.to_owned()];
        assert!(
            sides("Did the mill or the town pay for it?").contains(&pair("the mill", "the town"))
        );
        assert!(
            sides("Was the dam built of steel or concrete?").contains(&pair("steel", "concrete"))
        );
        assert!(sides("Is the museum in Kiel or in Ulm?").contains(&pair("in Kiel", "in Ulm")));
    }

    #[test]
    fn moments_are_compared_as_far_as_they_are_known() {
        let moment = |year, month, day| Moment { year, month, day };
        let may = moment(1900, Some(5), None);
        assert_eq!(may.is_before(moment(1901, None, None)), Some(true));
        assert_eq!(may.is_before(moment(1900, None, None)), None);
        assert_eq!(may.is_before(moment(1900, Some(4), Some(2))), Some(false));
        assert_eq!(may.is_before(moment(1900, Some(5), Some(2))), None);
    }
}
