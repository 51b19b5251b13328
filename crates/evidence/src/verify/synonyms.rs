//! Which English words can stand for which, and which cannot be true together.
//!
//! Border: data and look-ups of roots; no text. Every table is read once.

use super::words::root;
use crate::text::Gate;
use std::collections::BTreeMap;
use std::sync::LazyLock;

static SYNONYMS: LazyLock<Table> =
    LazyLock::new(|| Table::new(include_str!("../../data/synonyms.txt"), false));

static OPPOSITES: LazyLock<Table> =
    LazyLock::new(|| Table::new(include_str!("../../data/opposites.txt"), true));

/// Rows of roots, found by root.
#[derive(Default)]
struct Table {
    rows: Vec<Vec<String>>,
    gate: Gate,
    /// By root: the rows that say what goes with it.
    places: BTreeMap<String, Vec<usize>>,
}

impl Table {
    /// Reads rows of words: each for each, or behind a colon each for the word before it, and the reverse.
    fn new(text: &str, and_reverse: bool) -> Table {
        let roots = |words: &str| -> Vec<String> {
            words.split_whitespace().map(|word| root(word).into_owned()).collect()
        };
        let mut table = Table::default();
        for row in text.lines().filter(|row| !row.starts_with('#')) {
            let Some((general, particular)) = row.split_once(':') else {
                let row = roots(row);
                table.add(row.clone(), row);
                continue;
            };
            let (general, particular) = (roots(general), roots(particular));
            if and_reverse {
                table.add(particular.clone(), general.clone());
            }
            table.add(general, particular);
        }
        table
    }

    fn add(&mut self, ones: Vec<String>, others: Vec<String>) {
        for one in ones {
            self.gate = self.gate.with(&one);
            self.places.entry(one).or_default().push(self.rows.len());
        }
        self.rows.push(others);
    }

    fn others(&self, root: &str) -> impl Iterator<Item = &str> {
        let places = if self.gate.may_have(root) { self.places.get(root) } else { None };
        let places = places.into_iter().flatten();
        let others = places.filter_map(|place| self.rows.get(*place)).flatten();
        others.map(String::as_str).filter(move |other| *other != root)
    }
}

/// The roots that can stand for this one.
pub fn synonyms(root: &str) -> impl Iterator<Item = &'static str> {
    SYNONYMS.others(root)
}

/// The roots that cannot be true together with this one.
pub fn opposites(root: &str) -> impl Iterator<Item = &'static str> {
    OPPOSITES.others(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stands_for_others_and_what_is_particular_for_what_is_general() {
        let can =
            |one: &str, other: &str| synonyms(&root(one)).any(|synonym| synonym == root(other));
        assert!(can("movie", "picture") && can("picture", "movie"));
        assert!(can("siblings", "brothers") && !can("brother", "sibling"));
        assert!(!can("win", "award"));
    }

    #[test]
    fn no_word_stands_for_its_opposite() {
        for one in SYNONYMS.places.keys() {
            let is_opposite = |other: &&str| opposites(one).any(|it| it == *other);
            let both: Vec<&str> = synonyms(one).filter(is_opposite).collect();
            assert!(both.is_empty(), "{one} {both:?}");
        }
    }
}
