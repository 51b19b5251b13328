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

/// Adds a character as comparisons see it. Marks that combine with a letter leave nothing.
pub fn fold_into(character: char, out: &mut String) {
    match character {
        _ if character.is_ascii() => out.push(character.to_ascii_lowercase()),
        '\u{300}'..='\u{36f}' | '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => {}
        // Full-width forms stand at a fixed distance from ASCII.
        '\u{ff01}'..='\u{ff5e}' => {
            let plain = u32::from(character) - 0xfee0;
            out.extend(char::from_u32(plain).map(|plain| plain.to_ascii_lowercase()));
        }
        _ => {
            for lower in character.to_lowercase() {
                match PLAIN.iter().find(|(letters, _)| letters.contains(lower)) {
                    Some((_, plain)) => out.push_str(plain),
                    // The dot that `İ` leaves behind.
                    None if lower == '\u{307}' => {}
                    None => out.push(lower),
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

    proptest! {
        #[test]
        fn folding_twice_is_folding_once(text in "\\PC{0,40}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }
    }
}
