//! Which known word an unknown one is nearest to, for errors that say what was meant.
//!
//! Border: words in, a word out. Of a long word only the beginning counts: whoever sends a megabyte as a
//! name gets its error as fast as others.

/// Characters that are looked at, and shown, of an unknown word.
pub(crate) const LOOKED_AT: usize = 64;

/// The beginning of a word that may be long, to be shown.
pub(crate) fn shown(word: &str) -> &str {
    word.char_indices().nth(LOOKED_AT).map_or(word, |(at, _)| word.get(..at).unwrap_or_default())
}

/// The known word that takes the fewest changes of a character; of several the first.
pub(crate) fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> &'k str {
    let word: Vec<char> = shown(word).chars().map(|letter| letter.to_ascii_lowercase()).collect();
    known.into_iter().min_by_key(|known| distance(&word, known)).unwrap_or_default()
}

/// Insertions, deletions and exchanges that make one of the other (Levenshtein's distance).
fn distance(word: &[char], known: &str) -> usize {
    let mut row: Vec<usize> = (0..=word.len()).collect();
    for (so_far, letter) in known.chars().map(|letter| letter.to_ascii_lowercase()).enumerate() {
        let (mut diagonal, mut left) = (so_far, so_far + 1);
        let mut next = vec![left];
        for (other, above) in word.iter().zip(row.iter().skip(1)) {
            left = (diagonal + usize::from(*other != letter)).min(left + 1).min(above + 1);
            diagonal = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 4] = ["max_depth", "max_rounds", "cache_ttl", "timeouts"];

    #[test]
    fn what_was_meant_is_found() {
        for (word, meant) in [
            ("maxdepth", "max_depth"),
            ("max_round", "max_rounds"),
            ("MAX_ROUNDS", "max_rounds"),
            ("timeout", "timeouts"),
            ("cache-time", "cache_ttl"),
        ] {
            assert_eq!(nearest(word, KNOWN), meant, "{word}");
        }
        let letters = |word: &str| word.chars().collect::<Vec<_>>();
        assert_eq!(distance(&letters("kitten"), "sitting"), 3);
        assert_eq!(distance(&[], "abc"), 3);
        assert_eq!(distance(&letters("abc"), ""), 3);
    }

    #[test]
    fn of_a_long_word_only_the_beginning_counts() {
        let long = "ü".repeat(1_000_000);
        assert!(KNOWN.contains(&nearest(&long, KNOWN)));
        assert_eq!(shown(&long).chars().count(), LOOKED_AT);
        assert_eq!(shown("short"), "short");
    }
}
