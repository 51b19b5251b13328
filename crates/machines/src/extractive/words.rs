//! Words, stems and sentences, as far as counting words needs them.
//!
//! Border: text in, pieces of text out. Made for English, harmless for other languages.

pub(super) use quarry_evidence::text::{is_stop_word, sentences};

/// The words of a text, lower case. Numbers stay whole: `1,284`, `2.4`.
pub(super) fn words(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut words = Vec::new();
    let mut word = String::new();
    for (at, character) in characters.iter().enumerate() {
        let is_digit = |c: Option<&char>| c.is_some_and(char::is_ascii_digit);
        let inside_number = matches!(character, ',' | '.')
            && is_digit(at.checked_sub(1).and_then(|before| characters.get(before)))
            && is_digit(characters.get(at + 1));
        if character.is_alphanumeric() || inside_number {
            word.extend(character.to_lowercase());
        } else if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// The stem of a word: common English endings taken off, so that `lighthouses` meets `lighthouse`.
pub(super) fn stem(word: &str) -> String {
    let cut = |ending: &str, least: usize| {
        word.strip_suffix(ending).filter(|rest| rest.chars().count() >= least)
    };
    if word.chars().any(|c| c.is_ascii_digit()) {
        return word.to_owned();
    }
    if let Some(rest) = cut("ies", 2) {
        return format!("{rest}y");
    }
    let rest = cut("ing", 4)
        .or_else(|| cut("ed", 4))
        .or_else(|| cut("es", 4))
        .or_else(|| if word.ends_with("ss") { None } else { cut("s", 3) })
        .unwrap_or(word);
    rest.strip_suffix('e').filter(|rest| rest.chars().count() >= 3).unwrap_or(rest).to_owned()
}

/// The stems of a text's words that matter, in order, repeated ones included.
pub(super) fn stems(text: &str) -> Vec<String> {
    words(text).iter().filter(|word| !is_stop_word(word)).map(|word| stem(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_stems() {
        assert_eq!(
            words("It's 1,284 metres, e.g. 2.4 bar."),
            ["it", "s", "1,284", "metres", "e", "g", "2.4", "bar"]
        );
        for (one, other) in [
            ("lighthouses", "lighthouse"),
            ("ferries", "ferry"),
            ("opened", "opening"),
            ("metres", "metre"),
            ("steps", "step"),
        ] {
            assert_eq!(stem(one), stem(other), "{one} {other}");
        }
        assert_eq!(stem("glass"), "glass");
    }
}
