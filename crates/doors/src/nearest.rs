//! Which known word an unknown one is nearest to, for errors that say what was meant.
//!
//! Border: words in, words for people out. Of a long word only the beginning counts: whoever sends a megabyte as a
//! name gets its error as fast as others.

/// Characters that are looked at, and shown, of an unknown word.
pub(crate) const LOOKED_AT: usize = 64;

/// Letters of a beginning that tell what it is the beginning of.
const TELLING: usize = 3;

/// The beginning of a word that may be long, to be shown.
pub(crate) fn shown(word: &str) -> &str {
    word.char_indices().nth(LOOKED_AT).map_or(word, |(at, _)| word.get(..at).unwrap_or_default())
}

/// What was meant by an unknown word, or what there is where none of that is near: a word that has nothing in common with
/// it would mislead.
pub(crate) fn hint(word: &str, known: &[&str]) -> String {
    match nearest(word, known) {
        Some(near) => format!("the nearest is `{near}`"),
        None => format!("there are `{}`", known.join("`, `")),
    }
}

/// The known word that takes the fewest changes of a character, where these are few; of several the first.
fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let word: Vec<char> = shown(word).chars().map(|letter| letter.to_ascii_lowercase()).collect();
    let near = known.iter().filter_map(|known| Some((changes(&word, known)?, *known)));
    near.min_by_key(|(changes, _)| *changes).map(|(_, known)| known)
}

/// How many changes of a character there are between two words, where one begins the other or at most two letters of
/// five are changed.
fn changes(word: &[char], known: &str) -> Option<usize> {
    let (length, changes) = (known.chars().count(), distance(word, known));
    let alike = |(one, other): (&char, char)| *one == other.to_ascii_lowercase();
    let begins = word.len().min(length) >= TELLING && word.iter().zip(known.chars()).all(alike);
    (begins || changes * 5 <= word.len().max(length) * 2).then_some(changes)
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
            assert_eq!(hint(word, &KNOWN), format!("the nearest is `{meant}`"), "{word}");
        }
        let letters = |word: &str| word.chars().collect::<Vec<_>>();
        assert_eq!(distance(&letters("kitten"), "sitting"), 3);
        assert_eq!(distance(&[], "abc"), 3);
        assert_eq!(distance(&letters("abc"), ""), 3);
    }

    #[test]
    fn a_beginning_means_the_whole_word() {
        for (word, meant) in
            [("max", "max_depth"), ("cache", "cache_ttl"), ("timeouts_of", "timeouts")]
        {
            assert_eq!(nearest(word, &KNOWN), Some(meant), "{word}");
        }
        assert_eq!(nearest("ma", &KNOWN), None);
    }

    #[test]
    fn where_nothing_is_near_it_is_said_what_there_is() {
        let known = ["question", "context", "budget_usd"];
        for word in ["max_iterations", "guidance", "", "x"] {
            let all = "there are `question`, `context`, `budget_usd`";
            assert_eq!(hint(word, &known), all, "{word}");
        }
    }

    #[test]
    fn of_a_long_word_only_the_beginning_counts() {
        let long = "ü".repeat(1_000_000);
        assert_eq!(nearest(&long, &KNOWN), None);
        assert_eq!(shown(&long).chars().count(), LOOKED_AT);
        assert_eq!(shown("short"), "short");
    }
}
