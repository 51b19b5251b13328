//! Which English words can stand for which, and which cannot be true together.
//!
//! Border: data and look-ups of roots; no text. Every table is read once.

use super::words::root;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// By root, other roots.
type Table = BTreeMap<String, Vec<String>>;

static SYNONYMS: LazyLock<Table> =
    LazyLock::new(|| table(include_str!("../../data/synonyms.txt"), false));

static OPPOSITES: LazyLock<Table> =
    LazyLock::new(|| table(include_str!("../../data/opposites.txt"), true));

/// Reads rows of words: each for each, or behind a colon each for the word before it, and the reverse.
fn table(rows: &str, and_reverse: bool) -> Table {
    let roots = |words: &str| -> Vec<String> {
        words.split_whitespace().map(|word| root(word).into_owned()).collect()
    };
    let mut table = Table::new();
    for row in rows.lines().filter(|row| !row.starts_with('#')) {
        let (ones, others) = match row.split_once(':') {
            Some((general, particular)) => (roots(general), roots(particular)),
            None => (roots(row), roots(row)),
        };
        for other in others.iter().filter(|_| and_reverse && row.contains(':')) {
            table.entry(other.clone()).or_default().extend(ones.iter().cloned());
        }
        for one in ones {
            let others: Vec<String> = others.iter().filter(|it| **it != one).cloned().collect();
            table.entry(one).or_default().extend(others);
        }
    }
    table
}

/// The roots that can stand for this one.
pub fn synonyms(root: &str) -> &'static [String] {
    SYNONYMS.get(root).map_or(&[], Vec::as_slice)
}

/// The roots that cannot be true together with this one.
pub fn opposites(root: &str) -> &'static [String] {
    OPPOSITES.get(root).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stands_for_others_and_what_is_particular_for_what_is_general() {
        let can = |one: &str, other: &str| {
            synonyms(&root(one)).iter().any(|synonym| *synonym == root(other))
        };
        assert!(can("movie", "picture") && can("picture", "movie"));
        assert!(can("siblings", "brothers") && !can("brother", "sibling"));
        assert!(!can("win", "award"));
    }

    #[test]
    fn no_word_stands_for_its_opposite() {
        for (one, others) in SYNONYMS.iter() {
            let both: Vec<&String> =
                others.iter().filter(|other| opposites(one).contains(other)).collect();
            assert!(both.is_empty(), "{one} {both:?}");
        }
    }
}
