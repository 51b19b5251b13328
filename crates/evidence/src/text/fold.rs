//! Letters as comparisons see them: lower case, without accents, one kind of quotation mark and dash.

/// Letters of Latin-1 and Latin Extended-A that differ from a plain one by a mark, by that one.
const PLAIN: &[(&str, &str)] = &[
    ("àáâãäåāăą", "a"),
    ("çćĉċč", "c"),
    ("ďđð", "d"),
    ("èéêëēĕėęě", "e"),
    ("ĝğġģ", "g"),
    ("ĥħ", "h"),
    ("ìíîïĩīĭįı", "i"),
    ("ĵ", "j"),
    ("ķ", "k"),
    ("ĺļľŀł", "l"),
    ("ñńņňŉ", "n"),
    ("òóôõöøōŏő", "o"),
    ("ŕŗř", "r"),
    ("śŝşšș", "s"),
    ("ţťŧț", "t"),
    ("ùúûüũūŭůűų", "u"),
    ("ŵ", "w"),
    ("ýÿŷ", "y"),
    ("źżž", "z"),
    ("ß", "ss"),
    ("æ", "ae"),
    ("œ", "oe"),
    ("þ", "th"),
    ("‘’‚‛ʼ`´", "'"),
    ("“”„‟«»", "\""),
    ("‐‑‒–—―−", "-"),
    ("…", "..."),
];

/// Whether [`PLAIN`] may have a character: most of the world's letters need not be looked for there.
const fn may_be_plain(lower: char) -> bool {
    matches!(lower, '\0'..='\u{17f}' | '\u{218}'..='\u{21b}' | '\u{2bc}' | '\u{2010}'..='\u{2212}')
}

/// The letter that one of another alphabet stands for: with a mark, at the end of a word, or as a neighbour's keyboard
/// has it. People leave marks out when they ask.
const fn without_mark(lower: char) -> Option<char> {
    Some(match lower {
        // Vietnamese, where letters have two marks.
        '\u{1ea0}'..='\u{1eb7}' => 'a',
        '\u{1eb8}'..='\u{1ec7}' => 'e',
        '\u{1ec8}'..='\u{1ecb}' => 'i',
        '\u{1ecc}'..='\u{1ee3}' | 'ơ' => 'o',
        '\u{1ee4}'..='\u{1ef1}' | 'ư' => 'u',
        '\u{1ef2}'..='\u{1ef9}' => 'y',
        'ё' => 'е',
        'ά' => 'α',
        'έ' => 'ε',
        'ή' => 'η',
        'ί' | 'ϊ' | 'ΐ' => 'ι',
        'ό' => 'ο',
        'ύ' | 'ϋ' | 'ΰ' => 'υ',
        'ώ' => 'ω',
        'ς' => 'σ',
        'أ' | 'إ' | 'آ' | 'ٱ' => 'ا',
        'ى' | 'ی' => 'ي',
        'ة' => 'ه',
        'ک' => 'ك',
        // Letters of India with a dot below, which are also written as two characters.
        '\u{929}' => 'न',
        '\u{931}' => 'र',
        '\u{934}' => 'ळ',
        '\u{958}' => 'क',
        '\u{959}' => 'ख',
        '\u{95a}' => 'ग',
        '\u{95b}' => 'ज',
        '\u{95c}' => 'ड',
        '\u{95d}' => 'ढ',
        '\u{95e}' => 'फ',
        '\u{95f}' => 'य',
        '\u{9dc}' => 'ড',
        '\u{9dd}' => 'ঢ',
        '\u{9df}' => 'য',
        '\u{a33}' => 'ਲ',
        '\u{a36}' => 'ਸ',
        '\u{a59}' => 'ਖ',
        '\u{a5a}' => 'ਗ',
        '\u{a5b}' => 'ਜ',
        '\u{a5e}' => 'ਫ',
        '\u{b5c}' => 'ଡ',
        '\u{b5d}' => 'ଢ',
        _ => return None,
    })
}

/// Whether it is a mark that a word may as well be written without: accents that combine, vowels of Hebrew and Arabic,
/// what draws Arabic out, and the dot below letters of India.
pub(super) const fn is_left_out(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36f}'
            | '\u{591}'..='\u{5bd}'
            | '\u{5bf}'
            | '\u{5c1}'
            | '\u{5c2}'
            | '\u{5c4}'
            | '\u{5c5}'
            | '\u{640}'
            | '\u{64b}'..='\u{65f}'
            | '\u{670}'
            | '\u{93c}'
            | '\u{9bc}'
            | '\u{a3c}'
            | '\u{abc}'
            | '\u{b3c}'
    )
}

/// Adds a character as comparisons see it. Marks that combine with a letter leave nothing.
pub fn fold_into(character: char, out: &mut String) {
    match character {
        _ if character.is_ascii() => out.push(character.to_ascii_lowercase()),
        _ if is_left_out(character) => {}
        '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => {}
        // Full-width forms stand at a fixed distance from ASCII.
        '\u{ff01}'..='\u{ff5e}' => {
            let plain = u32::from(character) - 0xfee0;
            out.extend(char::from_u32(plain).map(|plain| plain.to_ascii_lowercase()));
        }
        _ => {
            // The dot that `İ` leaves behind.
            for lower in character.to_lowercase().filter(|lower| *lower != '\u{307}') {
                let mut table = PLAIN.iter().filter(|_| may_be_plain(lower));
                match table.find(|(letters, _)| letters.contains(lower)) {
                    Some((_, plain)) => out.push_str(plain),
                    None => out.push(without_mark(lower).unwrap_or(lower)),
                }
            }
        }
    }
}

/// A text as comparisons see it.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|character| fold_into(character, &mut out));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn accents_marks_and_forms_are_folded() {
        assert_eq!(
            fold("Čapek’s “Ｒ.Ｕ.Ｒ.” – Straße, e\u{301}, İ"),
            "capek's \"r.u.r.\" - strasse, e, i"
        );
    }

    #[test]
    fn other_alphabets_are_compared_without_their_marks() {
        for (written, asked) in [
            ("Việt Nam, phở", "viet nam, pho"),
            ("București, Constanța", "bucuresti, constanta"),
            ("Ёлка", "елка"),
            ("Ναύτης, Ναϋτεσ", "ναυτησ, ναυτεσ"),
            ("مُحَمَّد أحمد مدرسة", "محمد احمد مدرسه"),
            ("كـــتاب", "كتاب"),
            ("שָׁלוֹם", "שלום"),
            ("स\u{95c}क, सड\u{93c}क", "सडक, सडक"),
            ("প\u{9dc}া, পড\u{9bc}া", "পডা, পডা"),
        ] {
            assert_eq!(fold(written), asked);
        }
        let all = PLAIN.iter().flat_map(|(letters, _)| letters.chars());
        assert!(all.filter(|c| !c.is_ascii()).all(may_be_plain), "none of the table is passed by");
    }

    proptest! {
        #[test]
        fn folding_twice_is_folding_once(text in "\\PC{0,40}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }
    }
}
