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

/// Words, lower case, that part a place from another: `New York` is not `York`.
const PARTING: [&str; 14] = [
    "central", "east", "eastern", "great", "greater", "little", "lower", "new", "north",
    "northern", "old", "south", "upper", "west",
];

/// Whether both name the same, the one more fully than the other: `Holm`, `Ada Holm` and `Captain A. Holm`.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    compared(one, other) == Some(true)
}

/// Whether they name different ones for sure: of `Ada Holm` and `Ada Holm and Olaf Berg` it cannot be told.
pub(super) fn is_another(one: &str, other: &str) -> bool {
    compared(one, other) == Some(false)
}

fn compared(one: &str, other: &str) -> Option<bool> {
    let has_region = |more: &str, name: &str| {
        more.split_once(',').is_some_and(|(place, _)| place.eq_ignore_ascii_case(name))
    };
    if has_region(one, other) || has_region(other, one) {
        return Some(true);
    }
    let (one, other) = (names(one), names(other));
    let (few, many) = if one.len() <= other.len() { (&one, &other) } else { (&other, &one) };
    let (last, before) = few.split_last()?;
    let (end, fuller) = many.split_last()?;
    if last != end {
        let is_part = few.iter().all(|name| many.contains(name));
        return (!is_part).then_some(false);
    }
    let is_parted = fuller.len() > before.len()
        && fuller.first().is_some_and(|first| PARTING.contains(&first.as_str()));
    let is_told = |name: &String| fuller.iter().any(|known| is_one(name, known));
    (!is_parted).then(|| before.iter().all(is_told))
}

/// Whether a text says a name, or the last word of it.
pub(super) fn is_named(text: &str, name: &str) -> bool {
    let said: BTreeSet<String> = words::words(text).into_iter().gather();
    names(name).last().is_none_or(|last| said.contains(last))
}

/// The words that name. An occupation is one where it stands last: `James Cook` and `Captain Cook`.
fn names(answer: &str) -> Vec<String> {
    let mut names = words::words(answer);
    let is_letter = |word: &str| word.chars().nth(1).is_none();
    names.retain(|word| {
        is_letter(word) || (!TITLES.contains(&word.as_str()) && !words::is_stop_word(word))
    });
    // Alone it may be anybody's.
    let last = names.pop().filter(|last| !names.is_empty() || !is_occupation(last));
    names.retain(|word| !is_occupation(word));
    names.extend(last);
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
            ("Ada Holm", "Holm", Some(true)),
            ("Captain Ada Holm", "A. Holm", Some(true)),
            ("Dr Ada Holm", "Ada Holm", Some(true)),
            ("Captain Cook", "James Cook", Some(true)),
            ("Kiel, Germany", "Kiel", Some(true)),
            ("Ada Holm", "Olaf Holm", Some(false)),
            ("A. Holm", "Olaf Holm", Some(false)),
            ("Ada Holm", "Olaf Berg", Some(false)),
            ("Kiel", "Ulm", Some(false)),
            ("James Cook", "James Baker", Some(false)),
            ("Captain Cook", "Abel Tasman", Some(false)),
            ("Henry V", "Henry VI", Some(false)),
            ("New York", "York", None),
            ("Ada Holm", "Ada Holm and Olaf Berg", None),
            ("Henry", "Henry V", None),
            ("Captain", "Abel Tasman", None),
            ("the", "Abel Tasman", None),
        ] {
            assert_eq!(compared(one, other), same, "{one} {other}");
            assert_eq!(compared(other, one), same, "{other} {one}");
        }
        assert!(
            is_named("Holm built it.", "Ada Holm") && !is_named("Ada Berg built it.", "Ada Holm")
        );
    }
}
