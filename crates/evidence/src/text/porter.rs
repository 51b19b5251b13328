//! Porter's stemmer for English.
//!
//! Source: M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with the two changes of
//! its author's later programs (`bli` and `logi` in step 2).

use std::borrow::Cow;

/// Longer words are names of nothing, and looking for vowels in them would not stay linear.
const LONGEST: usize = 40;

/// Step 2: endings of a word whose stem has a measure above 0.
const SECOND: &[(&str, &str)] = &[
    ("ational", "ate"),
    ("ization", "ize"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("tional", "tion"),
    ("biliti", "ble"),
    ("entli", "ent"),
    ("ousli", "ous"),
    ("ation", "ate"),
    ("alism", "al"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("alli", "al"),
    ("ator", "ate"),
    ("logi", "log"),
    ("bli", "ble"),
    ("eli", "e"),
];

/// Step 3: the same.
const THIRD: &[(&str, &str)] = &[
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ness", ""),
    ("ful", ""),
];

/// Step 4: endings of a word whose stem has a measure above 1.
const FOURTH: &[&str] = &[
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous",
    "ive", "ize", "ion", "al", "er", "ic", "ou",
];

/// The stem of a folded word. Words with anything but the letters a to z stay as they are.
#[must_use]
pub fn stem(word: &str) -> Cow<'_, str> {
    let is_plain = word.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_plain || !(3..=LONGEST).contains(&word.len()) {
        return Cow::Borrowed(word);
    }
    let mut stem = Stem(word.to_owned());
    stem.plurals();
    stem.past_and_gerund();
    if stem.0.strip_suffix('y').is_some_and(has_vowel) {
        stem.replace(1, "i");
    }
    stem.replace_first(SECOND);
    stem.replace_first(THIRD);
    stem.fourth();
    stem.fifth();
    Cow::Owned(stem.0)
}

struct Stem(String);

impl Stem {
    /// Puts another ending in the place of the last bytes.
    fn replace(&mut self, bytes: usize, ending: &str) {
        self.0.truncate(self.0.len().saturating_sub(bytes));
        self.0.push_str(ending);
    }

    /// Step 1a.
    fn plurals(&mut self) {
        if self.0.ends_with("sses") || self.0.ends_with("ies") {
            self.replace(2, "");
        } else if self.0.ends_with('s') && !self.0.ends_with("ss") {
            self.replace(1, "");
        }
    }

    /// Step 1b.
    fn past_and_gerund(&mut self) {
        if let Some(rest) = self.0.strip_suffix("eed") {
            if measure(rest) > 0 {
                self.replace(1, "");
            }
            return;
        }
        let rest = self.0.strip_suffix("ed").or_else(|| self.0.strip_suffix("ing"));
        let Some(rest) = rest.filter(|rest| has_vowel(rest)).map(str::len) else { return };
        self.0.truncate(rest);
        if ["at", "bl", "iz"].iter().any(|ending| self.0.ends_with(ending)) {
            self.0.push('e');
        } else if is_double(&self.0) && !self.0.ends_with(['l', 's', 'z']) {
            self.replace(1, "");
        } else if measure(&self.0) == 1 && is_short(&self.0) {
            self.0.push('e');
        }
    }

    /// Steps 2 and 3: the longest ending that fits decides, whether or not it is replaced.
    fn replace_first(&mut self, endings: &[(&str, &str)]) {
        let fits = endings.iter().find(|(ending, _)| self.0.ends_with(ending));
        let Some((ending, replacement)) = fits else { return };
        if self.0.strip_suffix(ending).is_some_and(|rest| measure(rest) > 0) {
            self.replace(ending.len(), replacement);
        }
    }

    /// Step 4.
    fn fourth(&mut self) {
        let Some(ending) = FOURTH.iter().find(|ending| self.0.ends_with(*ending)) else { return };
        let Some(rest) = self.0.strip_suffix(ending) else { return };
        if measure(rest) > 1 && (*ending != "ion" || rest.ends_with(['s', 't'])) {
            self.replace(ending.len(), "");
        }
    }

    /// Step 5.
    fn fifth(&mut self) {
        if let Some(rest) = self.0.strip_suffix('e') {
            let syllables = measure(rest);
            if syllables > 1 || (syllables == 1 && !is_short(rest)) {
                self.replace(1, "");
            }
        }
        if self.0.ends_with("ll") && measure(&self.0) > 1 {
            self.replace(1, "");
        }
    }
}

/// Whether each letter is a consonant; `y` is one at the beginning and behind a vowel.
fn consonants(word: &str) -> impl Iterator<Item = bool> + '_ {
    word.bytes().scan(false, |after_consonant, letter| {
        *after_consonant = match letter {
            b'a' | b'e' | b'i' | b'o' | b'u' => false,
            b'y' => !*after_consonant,
            _ => true,
        };
        Some(*after_consonant)
    })
}

/// How often a consonant follows a vowel.
fn measure(word: &str) -> usize {
    let mut after_vowel = false;
    let turns = consonants(word).filter(|is_consonant| {
        let turn = after_vowel && *is_consonant;
        after_vowel = !is_consonant;
        turn
    });
    turns.count()
}

fn has_vowel(word: &str) -> bool {
    consonants(word).any(|is_consonant| !is_consonant)
}

fn is_double(word: &str) -> bool {
    match word.as_bytes() {
        [.., one, other] => one == other && consonants(word).last() == Some(true),
        _ => false,
    }
}

/// Consonant, vowel, consonant at the end, the last none of `w`, `x`, `y`.
fn is_short(word: &str) -> bool {
    let mut last = [None; 3];
    for is_consonant in consonants(word) {
        last = [last[1], last[2], Some(is_consonant)];
    }
    last == [Some(true), Some(false), Some(true)] && !word.ends_with(['w', 'x', 'y'])
}

#[cfg(test)]
mod tests {
    use super::stem;
    use proptest::prelude::*;

    #[test]
    fn stems_are_those_of_the_paper() {
        let pairs = "caresses caress ponies poni ties ti cats cat feed feed agreed agre plastered plaster \
            bled bled motoring motor sing sing conflated conflat troubled troubl sized size hopping hop \
            tanned tan falling fall hissing hiss fizzed fizz failing fail filing file happy happi sky sky \
            relational relat conditional condit rational ration valenci valenc digitizer digit \
            radicalli radic differentli differ vileli vile vietnamization vietnam predication predic \
            operator oper feudalism feudal decisiveness decis hopefulness hope callousness callous \
            formaliti formal sensitiviti sensit triplicate triplic formative form formalize formal \
            electriciti electr electrical electr hopeful hope goodness good revival reviv allowance allow \
            inference infer airliner airlin adjustable adjust defensible defens irritant irrit \
            replacement replac adjustment adjust dependent depend adoption adopt homologou homolog \
            communism commun activate activ angulariti angular effective effect bowdlerize bowdler \
            probate probat rate rate cease ceas controll control roll roll generalizations gener";
        let words: Vec<&str> = pairs.split_whitespace().collect();
        for pair in words.chunks(2) {
            assert_eq!(stem(pair[0]), pair[1], "{}", pair[0]);
        }
    }

    #[test]
    fn what_is_no_english_word_stays() {
        for word in ["1823", "émigrés", "b2b", "as", "灯台"] {
            assert_eq!(stem(word), word);
        }
    }

    proptest! {
        #[test]
        fn any_word_has_a_stem_not_much_longer(word in "[a-z]{0,50}") {
            let stem = stem(&word);
            prop_assert!(stem.len() <= word.len());
            prop_assert!(word.is_empty() || !stem.is_empty() || word == "s");
        }
    }
}
