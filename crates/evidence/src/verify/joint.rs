//! Whether a small word before a number says something else in the passage: `rose by 20`, `rose to 20`; `until 1990`, `since
//! 1990`; and whether the passage speaks of a part of a year only.
//!
//! Border: a claim and sentences in, yes or no out. English, and what German has of it.

use super::bound::is_year;
use super::claim::Claim;
use super::index::{Index, Sentence};
use super::lexicon::Term;
use super::quantity::{Measure, Quantity};
use super::roots::Roots;
use std::sync::LazyLock;

/// Numbers of a claim that are looked at.
const MOST: usize = 16;
/// Tokens between such a word and its number: `by more than $`.
const BETWEEN: usize = 4;

/// What may stand between a small word and a number.
static NEAR: LazyLock<Roots> = LazyLock::new(|| {
    Roots::of([
        "a",
        "about",
        "almost",
        "approximately",
        "around",
        "just",
        "least",
        "more",
        "nearly",
        "only",
        "over",
        "roughly",
        "some",
        "than",
        "$",
        "€",
        "£",
        "us",
    ])
});
/// Verbs that say how much something changed, where no small word stands between.
static CHANGES: LazyLock<Roots> = LazyLock::new(|| {
    Roots::of([
        "climbed",
        "declined",
        "decreased",
        "dropped",
        "fell",
        "gained",
        "grew",
        "grown",
        "increased",
        "jumped",
        "lost",
        "rose",
        "surged",
    ])
});

/// The small words, by their roots.
static JOINTS: LazyLock<Vec<(String, Joint)>> = LazyLock::new(|| {
    let words = [
        ("after", Joint::After),
        ("auf", Joint::To),
        ("before", Joint::Before),
        ("by", Joint::By),
        ("from", Joint::From),
        ("in", Joint::In),
        ("since", Joint::Since),
        ("till", Joint::Until),
        ("to", Joint::To),
        ("um", Joint::By),
        ("until", Joint::Until),
    ];
    words.map(|(word, joint)| (super::words::root(word).into_owned(), joint)).into()
});

/// What a small word says of the number behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    By,
    To,
    From,
    Since,
    Until,
    Before,
    After,
    In,
}

impl Joint {
    /// What a word says by its root.
    fn of(root: &str, is_time: bool) -> Option<Joint> {
        let (_, joint) = JOINTS.iter().find(|(word, _)| word == root)?;
        let is_of_times = !matches!(joint, Joint::By | Joint::To | Joint::From);
        let fits = match joint {
            Joint::To | Joint::From => true,
            _ => is_of_times == is_time,
        };
        fits.then_some(*joint)
    }

    /// Whether both can be true of one number.
    const fn agrees(self, other: Joint) -> bool {
        use Joint::{After, Before, By, From, In, Since, To, Until};
        !matches!(
            (self, other),
            (By, To | From)
                | (To, By | From | Since)
                | (From, By | To | Until | Before)
                | (Since, Until | Before | To)
                | (Until, Since | From | After)
                | (Before, Since | From | After | In)
                | (After, Until | Before | In)
                | (In, Before | After)
        )
    }
}

/// Whether each number of the passage with the value of one of the claim stands behind a small word that says something else.
pub fn is_other(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    let numbers = claim.figures.quantities.iter().filter(|it| is_joined(it)).take(MOST);
    let own = |at: usize| claim.tokens.get(at).map(|it| it.word.as_str());
    let root = |at: usize| own(at).map(super::words::root);
    numbers.filter_map(|it| Some((it, joint(it, root)?))).any(|(number, joint)| {
        let (mut is_there, mut is_said) = (false, false);
        for sentence in sentences {
            for it in sentence.figures.quantities.iter().filter(|it| number.has_value(it)) {
                let root = |at: usize| Some(index.root(*sentence.terms.get(at)?).into());
                let other = self::joint(it, root);
                is_there = true;
                is_said |= other.is_none_or(|other| joint.agrees(other));
            }
            let mut dates = sentence.figures.dates.iter().filter_map(|it| it.year);
            is_said |= dates.any(|year| number.has_year(year));
        }
        is_there && !is_said
    })
}

/// Whether a word of this root may stand between a small word and a number.
pub fn is_near(root: &str) -> bool {
    NEAR.has(root)
}

/// Whether small words before a number tell what it is.
fn is_joined(number: &Quantity) -> bool {
    let is_amount = matches!(number.measure, Measure::Of(_) | Measure::Plain);
    is_amount && !number.is_vague && number.clock.is_none()
}

/// The small word before a number, given the roots of the tokens around it.
fn joint<'t>(
    number: &Quantity,
    root: impl Fn(usize) -> Option<std::borrow::Cow<'t, str>>,
) -> Option<Joint> {
    let is_time = is_year(number);
    for back in 1..=BETWEEN {
        let word = root(number.at.checked_sub(back)?)?;
        if let Some(joint) = Joint::of(&word, is_time) {
            return Some(joint);
        }
        if !is_time && matches!(number.measure, Measure::Of(_)) && CHANGES.has(&word) {
            return Some(Joint::By);
        }
        if is_time || !NEAR.has(&word) {
            return None;
        }
    }
    None
}

/// Whether the claim gives as the number of today what the passage gives only of an earlier time: `$1.5 billion a year earlier`.
pub fn is_of_before(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    const BEFORE: [&str; 4] = ["ago", "before", "earlier", "previously"];
    const SPANS: [&str; 5] = ["year", "month", "quarter", "week", "decade"];
    const TIMES: [&str; 5] = ["from", "last", "previous", "prior", "year"];
    let term = |word: &&str| index.term_of(word);
    let (before, spans) = (BEFORE.each_ref().map(term), SPANS.each_ref().map(term));
    let is = |list: &[Option<Term>], it: &Term| list.contains(&Some(*it));
    let is_told = claim.tokens.iter().any(|it| {
        let is_time = TIMES.contains(&&*it.word);
        is_time || BEFORE.contains(&&*it.word)
    });
    let has_year = claim.figures.quantities.iter().any(is_year);
    if is_told || has_year || !claim.figures.dates.is_empty() {
        return false;
    }
    let is_then = |sentence: &Sentence, it: &Quantity| {
        let end = it.noun().map_or(it.at + it.own_tokens(), |noun| noun + 1);
        let behind = sentence.terms.get(end..).unwrap_or_default();
        let span = behind.iter().take(2).position(|it| is(&spans, it));
        span.and_then(|at| behind.get(at + 1)).is_some_and(|it| is(&before, it))
    };
    let mut numbers = claim.figures.quantities.iter().filter(|it| is_joined(it)).take(MOST);
    numbers.any(|number| {
        let of = |it: &&Sentence| it.figures.quantities.iter().any(|it| number.has_value(it));
        let mut there = sentences.iter().filter(of).peekable();
        there.peek().is_some()
            && there.all(|sentence| {
                let mut same = sentence.figures.quantities.iter();
                same.all(|it| !number.has_value(it) || is_then(sentence, it))
            })
    })
}

/// Whether the claim gives for a year what the passage gives for a part of it: `in the first quarter of 2020`.
pub fn is_of_part(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    const PARTS: [&str; 7] = ["half", "months", "q1", "q2", "q3", "q4", "quarter"];
    let has_part = claim.tokens.iter().any(|it| PARTS.contains(&&*it.word) || it.word == "month");
    let quantities = &claim.figures.quantities;
    let has_amount = quantities.iter().any(|it| matches!(it.measure, Measure::Of(_)));
    if has_part || !has_amount {
        return false;
    }
    let parts: Vec<_> = PARTS.iter().filter_map(|word| index.term_of(word)).collect();
    if parts.is_empty() {
        return false;
    }
    quantities.iter().filter(|it| is_year(it)).take(MOST).any(|year| {
        let (mut is_part, mut is_whole) = (false, false);
        for sentence in sentences {
            for it in sentence.figures.quantities.iter().filter(|it| year.has_value(it)) {
                let before = sentence.terms.get(it.at.saturating_sub(2)..it.at);
                let is_it = before.is_some_and(|it| it.iter().any(|it| parts.contains(it)));
                is_part |= is_it;
                is_whole |= !is_it;
            }
        }
        is_part && !is_whole
    })
}
