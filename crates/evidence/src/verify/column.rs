//! Whether a claim takes a number of a table from another column or row than it names.
//!
//! Border: a claim and a window in, yes or no out. A table is lines with `|`, of which the first names the columns.

use super::index::{Index, Sentence};
use super::lexicon::Term;
use super::quantity::{Figures, Quantity};
use super::window::{Sought, Window};
use crate::text::tokens;
use quarry_types::order::Gather;
use std::collections::BTreeSet;

const BAR: char = '|';
/// Columns of a table that are looked at, and lines above a row in which its head is sought.
const MOST: usize = 12;
const MOST_LINES: usize = 100;

/// A column in one row.
struct Cell {
    /// The words of its head.
    head: BTreeSet<Term>,
    figures: Figures,
}

/// Whether a row has a number of the claim below words that it does not have, and another below words that it has.
pub fn is_of_another(sought: &Sought<'_>, window: &Window, sentences: &[Sentence]) -> bool {
    let Sought { claim, index, .. } = *sought;
    let text = index.text(window.passage);
    let is_row = |it: &&Sentence| text.get(it.range.clone()).is_some_and(|it| it.contains(BAR));
    let mut rows = sentences.iter().filter(is_row).peekable();
    if rows.peek().is_none() || claim.figures.quantities.is_empty() {
        return false;
    }
    let own: BTreeSet<Term> = claim.tokens.iter().filter_map(|it| index.term_of(&it.word)).gather();
    let rows: Vec<Vec<Cell>> = rows.filter_map(|it| cells(index, text, it.range.start)).collect();
    let claimed = claim.figures.quantities.get(..MOST).unwrap_or(&claim.figures.quantities);
    claimed.iter().filter(|it| !it.is_vague).any(|number| {
        let is_in = |it: &Cell| has(&it.figures, number);
        let mut there = rows.iter().filter(|row| row.iter().any(is_in)).peekable();
        there.peek().is_some() && there.all(|row| is_displaced(row, number, claimed, &own))
    }) || is_of_other_row(sought, text, sentences, &own)
}

/// Whether each row with a number of the claim is named by words that the claim does not have, and one near it by words that it
/// has: `Sker II` and `Sker III`.
fn is_of_other_row(
    sought: &Sought<'_>,
    text: &str,
    sentences: &[Sentence],
    own: &BTreeSet<Term>,
) -> bool {
    let Sought { claim, index, .. } = *sought;
    let own_name = |line: &str| {
        let name = line.trim_start().trim_start_matches(BAR).split(BAR).next()?;
        let mut terms = tokens(name).into_iter().map(|it| index.term_of(&it.word)).peekable();
        terms.peek()?;
        Some(terms.all(|it| it.is_some_and(|it| own.contains(&it))))
    };
    let is_foreign = |sentence: &Sentence| {
        let Some((above, below)) = text.split_at_checked(sentence.range.start) else {
            return false;
        };
        let start = above.rfind('\n').map_or(0, |at| at + 1);
        let is_row = |it: &&str| it.contains(BAR);
        let above = above.get(..start).unwrap_or_default().lines().rev().take(MOST_LINES);
        let mut above: Vec<&str> = above.take_while(is_row).collect();
        // The head names no row, and is none.
        if above.pop().is_none() {
            return false;
        }
        let behind = below.lines().skip(1).take(MOST_LINES).take_while(is_row);
        let mut others = above.into_iter().chain(behind);
        let row = text.get(start..).and_then(|it| it.lines().next()).filter(is_row);
        row.and_then(own_name) == Some(false) && others.any(|it| own_name(it) == Some(true))
    };
    let mut numbers = claim.figures.quantities.iter().filter(|it| !it.is_vague).take(MOST);
    numbers.any(|number| {
        let mut there = sentences.iter().filter(|it| has(&it.figures, number)).peekable();
        there.peek().is_some() && there.all(is_foreign)
    })
}

fn has(figures: &Figures, number: &Quantity) -> bool {
    figures.quantities.iter().any(|it| number.has_value(it))
}

/// Whether another column of a row is named, and its number is not.
fn is_displaced(
    row: &[Cell],
    number: &Quantity,
    claimed: &[Quantity],
    own: &BTreeSet<Term>,
) -> bool {
    let mut its = row.iter().filter(|it| has(&it.figures, number));
    its.all(|it| {
        let is_named_otherwise = |other: &Cell| {
            other.head.difference(&it.head).any(|it| own.contains(it))
                && !other.figures.quantities.is_empty()
                && !claimed.iter().any(|own| has(&other.figures, own))
        };
        it.head.difference(own).next().is_some() && row.iter().any(is_named_otherwise)
    })
}

/// The cells of the row at a place, below their heads. None: it is the head itself, or no row.
fn cells(index: &Index, text: &str, at: usize) -> Option<Vec<Cell>> {
    let (above, below) = text.split_at_checked(at)?;
    let start = above.rfind('\n')? + 1;
    let row = text.get(start..at + below.find('\n').unwrap_or(below.len()))?;
    let lines = above.get(..start)?.lines().rev().take(MOST_LINES + 1);
    let lines: Vec<&str> = lines.take_while(|it| it.contains(BAR)).collect();
    let head = lines.last().filter(|_| lines.len() <= MOST_LINES)?;
    let split = |line: &'_ str| -> Vec<String> {
        let line = line.trim().trim_start_matches(BAR).trim_end_matches(BAR);
        line.split(BAR).take(MOST).map(str::to_owned).collect()
    };
    let (heads, parts) = (split(head), split(row));
    let terms = |text: &str| -> BTreeSet<Term> {
        let terms = tokens(text).into_iter().filter_map(|it| index.term_of(&it.word));
        terms.filter(|it| !index.is_small(*it)).gather()
    };
    let cell = |(head, part): (&String, &String)| Cell {
        head: terms(head),
        figures: Figures::of(&tokens(part)),
    };
    (heads.len() == parts.len()).then(|| heads.iter().zip(&parts).map(cell).collect())
}
