//! Whether two names are of one person or one place.
//!
//! Border: the words that answer in; yes or no out. It knows no names: who is called otherwise is another.

use super::occupations::is_occupation;
use super::words;
use quarry_types::order::Gather;
use std::collections::BTreeSet;

/// Words, lower case, that stand before names and are none.
const TITLES: [&str; 15] = [
    "dame", "doctor", "dr", "lady", "lord", "madam", "miss", "mr", "mrs", "ms", "prof", "saint",
    "sir", "st", "the",
];

/// Whether both name the same, the one more fully than the other: `Holm`, `Ada Holm` and `Captain A. Holm`.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (names(one), names(other));
    let (few, many) = if one.len() <= other.len() { (&one, &other) } else { (&other, &one) };
    few.iter().all(|name| many.iter().any(|known| is_one(name, known)))
}

/// Whether a text says a name, or the last word of it.
pub(super) fn is_named(text: &str, name: &str) -> bool {
    let said: BTreeSet<String> = words::words(text).into_iter().gather();
    names(name).last().is_none_or(|last| said.contains(last))
}

fn names(answer: &str) -> Vec<String> {
    let mut names = words::words(answer);
    names.retain(|word| {
        !TITLES.contains(&word.as_str()) && !words::is_stop_word(word) && !is_occupation(word)
    });
    names
}

/// Whether a word is another one, or the letter that it begins with.
fn is_one(one: &str, other: &str) -> bool {
    let is_letter = |letter: &str, word: &str| {
        let mut letters = letter.chars();
        letters.next().is_some_and(|first| word.starts_with(first)) && letters.next().is_none()
    };
    one == other || is_letter(one, other) || is_letter(other, one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fuller_name_is_the_same() {
        for (one, other, same) in [
            ("Ada Holm", "Holm", true),
            ("Captain Ada Holm", "A. Holm", true),
            ("Dr Ada Holm", "Ada Holm", true),
            ("Ada Holm", "Olaf Holm", false),
            ("Ada Holm", "Olaf Berg", false),
            ("Kiel, Germany", "Kiel", true),
            ("Kiel", "Ulm", false),
        ] {
            assert_eq!(is_same(one, other), same, "{one} {other}");
            assert_eq!(is_same(other, one), same, "{other} {one}");
        }
        assert!(
            is_named("Holm built it.", "Ada Holm") && !is_named("Ada Berg built it.", "Ada Holm")
        );
    }
}
