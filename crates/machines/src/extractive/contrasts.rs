//! Which of several figures, days and names goes with the side of two opposites that was asked for: the old bridge or
//! the new one, summer or winter.
//!
//! Border: a sentence with what may answer in, what is not said of the other side out.

use super::kind::{Kind, is_auxiliary};
use super::offers::Span;
use super::question::Part;
use super::words;
use quarry_types::order::Gather;
use std::collections::BTreeSet;

/// Words of each side of what cannot be so at once.
const OPPOSITES: &[&[&[&str]]] = &[
    &[
        &["adult", "adults"],
        &["child", "children", "kids"],
        &["pensioner", "pensioners", "senior", "seniors"],
        &["student", "students"],
    ],
    &[&["after", "afterwards", "thereafter"], &["before", "until"]],
    &[&["afternoon", "afternoons"], &["evening", "evenings"], &["morning", "mornings"]],
    &[&["autumn"], &["spring"], &["summer", "summers"], &["winter", "winters"]],
    &[&["back"], &["there"]],
    &[&["birth", "born"], &["dead", "death", "die", "died", "dies"]],
    &[&["boy", "boys"], &["girl", "girls"]],
    &[&["closed", "closes", "shut"], &["open", "opened", "opening", "opens"]],
    &[&["east", "eastern"], &["north", "northern"], &["south", "southern"], &["west", "western"]],
    &[&["export", "exported", "exports"], &["import", "imported", "imports"]],
    &[
        &[
            "decline",
            "declined",
            "decrease",
            "decreased",
            "drop",
            "dropped",
            "fall",
            "fallen",
            "fell",
        ],
        &["grew", "grow", "grown", "increase", "increased", "rise", "risen", "rose"],
    ],
    &[&["female", "women"], &["male", "men"]],
    &[&["guest", "guests"], &["member", "members"]],
    &[&["indoor", "indoors"], &["outdoor", "outdoors"]],
    &[&["inner"], &["outer"]],
    &[&["inside"], &["outside"]],
    &[&["local", "locals", "resident", "residents"], &["visitor", "visitors"]],
    &[&["lower"], &["upper"]],
    &[&["maximum"], &["minimum"]],
    &[&["new", "newer"], &["old", "older"]],
    &[&["return"], &["single"]],
    &[&["weekday", "weekdays"], &["weekend", "weekends"]],
];

/// Words of a question that are read.
const READ: usize = 64;

/// On which side of opposites a word stands.
fn side(sides: &[&[&str]], words: &[String], at: usize) -> Option<usize> {
    let word = words.get(at)?;
    let side = sides.iter().position(|side| side.contains(&word.as_str()))?;
    (!has_another_sense(words, at)).then_some(side)
}

/// `how old`, `12 years old`, `there are`
fn has_another_sense(words: &[String], at: usize) -> bool {
    let word =
        |at: Option<usize>| at.and_then(|at| words.get(at)).map(String::as_str).unwrap_or_default();
    let (before, behind) = (word(at.checked_sub(1)), word(Some(at + 1)));
    match word(Some(at)) {
        _ if matches!(before, "no" | "non" | "not") => true,
        "old" => matches!(before, "how" | "month" | "months" | "year" | "years"),
        "there" => is_auxiliary(before) || is_auxiliary(behind),
        _ => false,
    }
}

/// Whether words stand on one side of something, and others on another side of it.
pub(super) fn are_opposed(words: &[String], others: &[String]) -> bool {
    let sides_of = |sides: &[&[&str]], words: &[String]| -> BTreeSet<usize> {
        (0..words.len()).filter_map(|at| side(sides, words, at)).gather()
    };
    OPPOSITES.iter().any(|&sides| {
        let (one, other) = (sides_of(sides, words), sides_of(sides, others));
        !one.is_empty() && !other.is_empty() && one.is_disjoint(&other)
    })
}

/// Of what may answer, what goes with the side that was asked for; all of it where a sentence tells no other side.
pub(super) fn fitting(text: &str, mut spans: Vec<Span>, part: &Part) -> Vec<Span> {
    // The cells of a row are told apart by their columns.
    if spans.is_empty() || words::has_cells(text) {
        return spans;
    }
    let mut asked = words::words(&part.text);
    asked.truncate(READ);
    spans = but_for_excluded(text, spans, &asked);
    for sides in OPPOSITES {
        let wanted: BTreeSet<usize> =
            (0..asked.len()).filter_map(|at| side(sides, &asked, at)).gather();
        let mut wanted = wanted.into_iter();
        if let (Some(wanted), None) = (wanted.next(), wanted.next()) {
            spans = on_side(text, spans, sides, wanted);
        }
    }
    spans
}

/// Whether a sentence tells when the opposite of what was asked for was so: `was born in 1950` of who died.
pub(super) fn is_of_other_end(text: &str, part: &Part) -> bool {
    part.kind == Kind::Time && are_opposed(&words::words(&part.text), &words::words(text))
}

/// Of what may answer, where it is asked what is so, that which is said to be so now: `had 5,000 in 1900 and has 7,000
/// today`. All of it where nothing is.
pub(super) fn of_now(text: &str, mut spans: Vec<Span>, part: &Part) -> Vec<Span> {
    let is_past = |word: &str| matches!(word, "did" | "had" | "was" | "were");
    let is_open = part.years.is_empty() && !part.asked.iter().any(|word| is_past(word));
    if spans.len() < 2 || !is_open || !part.kind.is_figure() || words::has_cells(text) {
        return spans;
    }
    let (words, pieces) = pieces(text);
    let now = |word: &str| matches!(word, "currently" | "now" | "nowadays" | "today");
    let of_now: BTreeSet<usize> =
        words.iter().zip(&pieces).filter(|(word, _)| now(word)).map(|(_, piece)| *piece).gather();
    let is_now =
        |span: &Span| pieces.get(span.words.start).is_some_and(|piece| of_now.contains(piece));
    if spans.iter().any(is_now) {
        spans.retain(is_now);
    }
    spans
}

/// The words of a text, and of what stands beside each other the piece that each is in.
pub(super) fn pieces(text: &str) -> (Vec<String>, Vec<usize>) {
    words::in_pieces(text, |word, gap| {
        gap.contains([',', ';', ':', '–', '—'])
            || matches!(word, "against" | "and" | "but" | "or" | "whereas" | "while")
    })
}

/// Of what may answer, what is not said of those whom the question leaves out: `What do non-members pay?`
fn but_for_excluded(text: &str, mut spans: Vec<Span>, asked: &[String]) -> Vec<Span> {
    let denies = |word: &String| matches!(word.as_str(), "no" | "non" | "not");
    let denied = |words: &[String]| -> BTreeSet<usize> {
        (1..words.len()).filter(|at| words.get(at - 1).is_some_and(denies)).gather()
    };
    let excluded: BTreeSet<String> = denied(asked)
        .into_iter()
        .filter_map(|at| asked.get(at))
        .map(|word| words::stem(word))
        .gather();
    if excluded.is_empty() {
        return spans;
    }
    let (words, pieces) = pieces(text);
    let is_denied = denied(&words);
    let said = words
        .iter()
        .enumerate()
        .filter(|(at, word)| !is_denied.contains(at) && excluded.contains(&words::stem(word)));
    let of_them: BTreeSet<usize> = said.filter_map(|(at, _)| owner(&spans, &pieces, at)).gather();
    let mut place = 0;
    spans.retain(|_| {
        place += 1;
        !of_them.contains(&(place - 1))
    });
    spans
}

fn on_side(text: &str, mut spans: Vec<Span>, sides: &[&[&str]], wanted: usize) -> Vec<Span> {
    let (words, pieces) = pieces(text);
    let told: Vec<(usize, usize)> =
        (0..words.len()).filter_map(|at| Some((at, side(sides, &words, at)?))).collect();
    if told.iter().all(|(_, side)| *side == wanted) {
        return spans;
    }
    let owned = |of_wanted: bool| -> BTreeSet<usize> {
        let own = told.iter().filter(|(_, side)| (*side == wanted) == of_wanted);
        own.filter_map(|(at, _)| owner(&spans, &pieces, *at)).gather()
    };
    let (fitting, others) = (owned(true), owned(false));
    let mut place = 0;
    spans.retain(|_| {
        let is_open = fitting.is_empty() && !others.contains(&place);
        let is_kept = fitting.contains(&place) || is_open;
        place += 1;
        is_kept
    });
    spans
}

/// Of what may answer, that which a word is said of: what stands before it in the same piece, else what follows.
fn owner(spans: &[Span], pieces: &[usize], at: usize) -> Option<usize> {
    let before = spans.iter().rposition(|span| span.words.start <= at);
    let is_said_of = |place: usize| {
        let span = spans.get(place)?;
        let last = span.words.end.checked_sub(1)?;
        (span.words.contains(&at) || pieces.get(last) == pieces.get(at)).then_some(place)
    };
    let next = || spans.iter().position(|span| span.words.start > at);
    before.and_then(is_said_of).or_else(next)
}

#[cfg(test)]
mod tests {
    use super::super::offers::{Wanted, offer, said};
    use super::super::question::Question;
    use super::*;

    fn found(question: &str, text: &str) -> Vec<String> {
        let question = Question::new(question);
        let part = &question.parts[0];
        let is_of_change = part.must.is_of_change;
        let (asked, counted) = (&part.asked, &part.counted);
        let wanted = Wanted { kind: part.kind, asked, counted, is_of_change };
        let spans = fitting(text, offer(text, &wanted).spans, part);
        said(text, &spans)
    }

    #[test]
    fn what_is_said_of_the_other_side_is_no_answer() {
        let bridges = "The old bridge is 180 metres long, the new one is 240 metres long.";
        let pool = "In summer the pool is open 10 hours a day, in winter for 6 hours.";
        let fares = "Adults pay 12 crowns, and for children it is 6 crowns.";
        let years = "The museum is open from 1 April to 31 October and closed on Mondays.";
        for (question, text, expected) in [
            ("How long is the old bridge?", bridges, &["180 metres"][..]),
            ("How long is the new bridge?", bridges, &["240 metres"]),
            ("How long is the pool open in summer?", pool, &["10 hours a day"]),
            ("How long is the pool open in winter?", pool, &["6 hours"]),
            ("How much does a child pay?", fares, &["6 crowns"]),
            ("How much does an adult pay?", fares, &["12 crowns"]),
            ("How much does a child pay?", "Adults pay 12 crowns, children half.", &[]),
            (
                "How much does a guest pay?",
                "It costs 18 crowns for members and 30 crowns for guests.",
                &["30 crowns"],
            ),
            (
                "How old is the new bridge?",
                "The old bridge is 40 years old, the new one is 3 years old.",
                &["3 years old"],
            ),
            ("When is the museum open?", years, &["1 April to 31 October"]),
            ("When is the museum closed?", years, &[]),
            (
                "How many women are in the choir?",
                "The choir has 12 women and 9 men.",
                &["12 women"],
            ),
            ("How much did the fare rise?", "The fare fell by 2 crowns.", &[]),
            ("How much do non-members pay?", "It is 35 crowns for members.", &[]),
            (
                "How much do non-members pay?",
                "It is 35 crowns for members and 50 crowns for others.",
                &["50 crowns"],
            ),
            (
                "How much is it after May?",
                "It is 75 crowns until May and 95 crowns afterwards.",
                &["95 crowns"],
            ),
            (
                "How much is it before May?",
                "It is 75 crowns until May and 95 crowns afterwards.",
                &["75 crowns"],
            ),
        ] {
            assert_eq!(found(question, text), expected, "{question} {text}");
        }
    }

    #[test]
    fn words_may_be_opposed() {
        let are = |one: &str, other: &str| are_opposed(&words::words(one), &words::words(other));
        assert!(are("in summer", "in winter") && are("the way there", "the way back"));
        assert!(!are("in summer", "in summer") && !are("there are two", "on the way back"));
        assert!(!are("in summer and winter", "in winter"));
    }
}
