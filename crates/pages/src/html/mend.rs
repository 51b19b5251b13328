//! Text that was encoded twice: UTF-8 that some program took for a Western character set and wrote as
//! UTF-8 again (`Ã©` for `é`). What is written so all through is never meant.

use encoding_rs::WINDOWS_1252;

/// The text as it was before, if it was encoded twice.
pub fn twice_encoded(text: &str) -> Option<String> {
    let next = text.chars().skip(1).chain([' ']);
    // Nearly every text is done with here.
    if !text.chars().zip(next).any(|(one, next)| tells(one, next)) {
        return None;
    }
    let bytes: Option<Vec<u8>> = text.chars().map(byte).collect();
    String::from_utf8(bytes?).ok()
}

/// Whether a character and the next are hardly ever written one after the other, but are when letters of
/// Western languages or their punctuation are encoded twice.
fn tells(one: char, next: char) -> bool {
    // A word in capitals may end before a space, a quotation mark or a sign of a brand.
    let ends_word = matches!(next, '\u{a0}' | '«' | '»' | '®');
    let trail = byte(next).is_some_and(|byte| (0x80..0xc0).contains(&byte));
    match one {
        'Â' => trail && !matches!(next, '\u{a0}' | '«' | '»'),
        'Ã' => trail && !ends_word,
        'â' => trail && !ends_word && !next.is_alphabetic(),
        _ => false,
    }
}

/// The byte that a character was made of.
fn byte(char: char) -> Option<u8> {
    if let Ok(byte) = u8::try_from(u32::from(char)) {
        return Some(byte);
    }
    let mut buffer = [0; 4];
    let (bytes, _, failed) = WINDOWS_1252.encode(char.encode_utf8(&mut buffer));
    bytes.first().copied().filter(|_| !failed && bytes.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn text_that_was_encoded_twice_is_read_as_it_was() {
        let mended = |text: &str| twice_encoded(text);
        assert_eq!(mended("cafÃ© au lait").as_deref(), Some("café au lait"));
        assert_eq!(mended("mouseâ\u{80}\u{99}s grip, 57Â°").as_deref(), Some("mouse’s grip, 57°"));
        assert_eq!(mended("itâ€™s").as_deref(), Some("it’s"));
    }

    #[test]
    fn text_that_was_encoded_once_stays() {
        for text in [
            "",
            "plain",
            "café",
            "CAFÉ®",
            "Ça, là",
            "Â",
            "日本語 Ã©",
            "naïve “Ã©” and 日",
            "AMANHÃ\u{a0}NÃO",
            "«MAÇû",
        ] {
            assert_eq!(twice_encoded(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_encoded_twice_comes_back(text in "[a-z é’°日]{0,20}") {
            let twice: String = text.bytes().map(char::from).collect();
            let known = text.contains(['é', '’', '°']);
            prop_assert_eq!(twice_encoded(&twice), known.then_some(text));
        }
    }
}
