//! Words, numbers and signs of a text, where they stand.

use super::fold::{fold_into, is_left_out};
use super::number::small_number;

/// What a token is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A word in lower case.
    Lower,
    /// A word that begins with a capital.
    Capital,
    /// A word of capitals, two at least: `UN`, `U.S.`.
    Upper,
    /// Digits; a sign, grouping and decimals belong to them.
    Number,
    /// A sign that changes what a number means, such as `%` or `€`.
    Sign,
}

/// A word, a number, or a sign beside a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Characters from its beginning to its end.
    pub characters: usize,
    /// Folded; of a number the digits without grouping.
    pub word: String,
    /// What it is made of.
    pub shape: Shape,
    /// The character before it; a blank at the beginning.
    pub before: char,
    /// The character behind it; a blank at the end. A raised figure is no token: `m²`.
    pub after: char,
    /// Whether it is the first, or a comma, bracket or the like stands between it and the one before.
    pub opens: bool,
    /// Whether it is the first, or the first of a sentence, a quotation or behind a colon: there each word
    /// has a capital.
    pub begins: bool,
}

/// Letters with stops that are looked at together: who has more is no name, and each would be looked at once more for every
/// one before it.
const MOST_INITIALS: usize = 16;

impl Token {
    /// Whether nothing stands between this token and the next.
    #[must_use]
    pub const fn touches(&self, next: &Token) -> bool {
        self.end == next.start
    }

    /// Whether it is a word.
    #[must_use]
    pub const fn is_word(&self) -> bool {
        !matches!(self.shape, Shape::Number | Shape::Sign)
    }

    /// Whether it is a number, in digits or in a word.
    #[must_use]
    pub fn is_number(&self) -> bool {
        self.shape == Shape::Number || small_number(&self.word).is_some()
    }

    /// Whether it is written as names are.
    #[must_use]
    pub const fn is_name(&self) -> bool {
        matches!(self.shape, Shape::Capital | Shape::Upper)
    }
}

/// The tokens of a text, in order. `don't` gives `do` and `not`; a possessive loses its ending.
#[must_use]
pub fn tokens(text: &str) -> Vec<Token> {
    let characters = if text.is_ascii() {
        Characters::Plain(text.as_bytes())
    } else {
        Characters::Any(text.char_indices().collect())
    };
    Scan::over(text, characters)
}

/// The characters of a text by their number.
enum Characters<'t> {
    /// Of a text in ASCII its bytes.
    Plain(&'t [u8]),
    /// Of any other, with where they begin.
    Any(Vec<(usize, char)>),
}

impl Characters<'_> {
    /// A character, and where it begins, in bytes.
    fn get(&self, at: usize) -> Option<(usize, char)> {
        match self {
            Characters::Plain(bytes) => bytes.get(at).map(|byte| (at, char::from(*byte))),
            Characters::Any(characters) => characters.get(at).copied(),
        }
    }
}

/// Whether a script without blanks between words writes this character: then each counts by itself.
#[must_use]
pub const fn is_wide(character: char) -> bool {
    matches!(
        character,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{20000}'..='\u{3134f}'
    )
}

/// What a character is in a script that writes no blanks between words, and marks around a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A vowel that is written before its letter.
    Before,
    /// A letter.
    Letter,
    /// A vowel, a tone, or whatever else belongs to the letter before it.
    Behind,
    /// What puts the next letter below the one before.
    Joins,
}

impl Part {
    /// Of Thai, Lao, Burmese and Khmer; none of any other script.
    const fn of(character: char) -> Option<Part> {
        Some(match character {
            '\u{e40}'..='\u{e44}' | '\u{ec0}'..='\u{ec4}' => Part::Before,
            '\u{e30}'..='\u{e3a}' | '\u{e45}'..='\u{e4e}' => Part::Behind,
            '\u{eb0}'..='\u{ebc}' | '\u{ec6}'..='\u{ece}' => Part::Behind,
            '\u{102b}'..='\u{1038}' | '\u{103a}'..='\u{103e}' => Part::Behind,
            '\u{17b4}'..='\u{17d1}' | '\u{17d3}' | '\u{17d7}' | '\u{17dd}' => Part::Behind,
            '\u{1039}' | '\u{17d2}' => Part::Joins,
            '\u{e01}'..='\u{e2f}' | '\u{e81}'..='\u{eaf}' | '\u{ebd}' => Part::Letter,
            '\u{edc}'..='\u{edf}' | '\u{1000}'..='\u{102a}' | '\u{103f}' => Part::Letter,
            '\u{1780}'..='\u{17b3}' => Part::Letter,
            _ => return None,
        })
    }
}

/// The digit that a character is, in whatever script.
const fn digit_of(character: char) -> Option<char> {
    let zero = match character {
        '0'..='9' => return Some(character),
        '\u{660}'..='\u{669}' => '\u{660}',
        '\u{6f0}'..='\u{6f9}' => '\u{6f0}',
        '\u{966}'..='\u{96f}' => '\u{966}',
        '\u{9e6}'..='\u{9ef}' => '\u{9e6}',
        '\u{e50}'..='\u{e59}' => '\u{e50}',
        '\u{ed0}'..='\u{ed9}' => '\u{ed0}',
        '\u{1040}'..='\u{1049}' => '\u{1040}',
        '\u{17e0}'..='\u{17e9}' => '\u{17e0}',
        '\u{ff10}'..='\u{ff19}' => '\u{ff10}',
        _ => return None,
    };
    char::from_digit(character as u32 - zero as u32, 10)
}

/// Whether a clause may end with this character.
const fn is_break(character: char) -> bool {
    matches!(
        character,
        ',' | ';'
            | ':'
            | '('
            | ')'
            | '['
            | ']'
            | '"'
            | '“'
            | '”'
            | '!'
            | '?'
            | '–'
            | '—'
            | '|'
            | '\n'
    )
}

/// Whether a stop behind it ends no sentence, for a name follows.
fn is_abbreviation(token: &Token) -> bool {
    token.shape == Shape::Capital
        && matches!(
            token.word.as_str(),
            "dr" | "st" | "prof" | "gen" | "col" | "capt" | "lt" | "sgt" | "rev" | "mt"
        )
}

struct Scan<'t> {
    text: &'t str,
    characters: Characters<'t>,
    at: usize,
    out: Vec<Token>,
    opens: bool,
    begins: bool,
}

impl<'t> Scan<'t> {
    fn over(text: &'t str, characters: Characters<'t>) -> Vec<Token> {
        let out = Vec::with_capacity(text.len() / 6);
        let mut scan = Scan { text, characters, at: 0, out, opens: true, begins: true };
        while let Some((_, character)) = scan.peek(0) {
            if scan.digit(0).is_some() {
                scan.number();
            } else if is_wide(character) {
                scan.take(1, Shape::Lower);
            } else if Part::of(character).is_some() {
                scan.take(scan.about_a_letter(), Shape::Lower);
            } else if character.is_alphabetic() {
                scan.word();
            } else if matches!(character, '%' | '$' | '€' | '£' | '¥' | '₹' | '°') {
                scan.take(1, Shape::Sign);
            } else {
                scan.opens |= is_break(character);
                let is_short = character == '.' && scan.out.last().is_some_and(is_abbreviation);
                scan.begins |= !is_short
                    && matches!(
                        character,
                        '.' | '!' | '?' | ':' | '"' | '“' | '„' | '«' | '(' | '*' | '\n'
                    );
                scan.at += 1;
            }
        }
        scan.out
    }

    fn peek(&self, ahead: usize) -> Option<(usize, char)> {
        self.characters.get(self.at + ahead)
    }

    /// So many characters from here on.
    fn next(&self, length: usize) -> impl Iterator<Item = char> {
        (self.at..self.at + length).map_while(|at| self.characters.get(at)).map(|(_, c)| c)
    }

    fn letter(&self, ahead: usize) -> bool {
        // What has no blanks around it begins a token of its own behind a word of another script.
        let is_own = |c: char| is_wide(c) || Part::of(c).is_some();
        self.peek(ahead).is_some_and(|(_, c)| is_mark(c) || c.is_alphabetic() && !is_own(c))
    }

    fn digit(&self, ahead: usize) -> Option<char> {
        digit_of(self.peek(ahead)?.1)
    }

    /// How much is written about a letter, in a script of [`Part`]s: about a syllable.
    fn about_a_letter(&self) -> usize {
        let part = |at: usize| self.peek(at).and_then(|(_, c)| Part::of(c));
        let mut length = 0;
        while part(length) == Some(Part::Before) {
            length += 1;
        }
        length += usize::from(part(length) == Some(Part::Letter));
        loop {
            length += match part(length) {
                Some(Part::Behind) => 1,
                Some(Part::Joins) => 1 + usize::from(part(length + 1) == Some(Part::Letter)),
                Some(Part::Before | Part::Letter) | None => return length,
            };
        }
    }

    fn offset(&self, at: usize) -> usize {
        self.characters.get(at).map_or(self.text.len(), |(offset, _)| offset)
    }

    fn before(&self) -> char {
        self.at.checked_sub(1).and_then(|at| self.characters.get(at)).map_or(' ', |(_, c)| c)
    }

    /// A token of so many characters.
    fn take(&mut self, length: usize, shape: Shape) {
        let mut word = String::with_capacity(length);
        self.next(length).for_each(|character| fold_into(character, &mut word));
        self.push(length, word, shape);
    }

    fn push(&mut self, length: usize, word: String, shape: Shape) {
        let (start, end) = (self.offset(self.at), self.offset(self.at + length));
        let before = self.before();
        let after = self.peek(length).map_or(' ', |(_, c)| c);
        if !word.is_empty() {
            let opens = std::mem::take(&mut self.opens);
            let begins = std::mem::take(&mut self.begins);
            let characters = length;
            let token = Token { start, end, characters, word, shape, before, after, opens, begins };
            self.out.push(token);
        }
        self.at += length;
    }

    fn number(&mut self) {
        let mut word = String::new();
        let mut length = 0;
        let mut has_point = false;
        if self.follows_blank() {
            match self.before() {
                '-' | '−' | '–' => word.push('-'),
                '.' => word.push_str("0."),
                _ => {}
            }
        }
        while let Some(digit) = self.digit(length) {
            word.push(digit);
            length += 1;
            match self.peek(length).map(|(_, c)| c) {
                Some(',' | '٬' | '\u{a0}' | '\u{202f}' | '\u{2009}')
                    if self.is_group(length + 1) =>
                {
                    length += 1
                }
                Some('.' | '٫') if !has_point && self.digit(length + 1).is_some() => {
                    has_point = true;
                    word.push('.');
                    length += 1;
                }
                _ => {}
            }
        }
        self.push(length, word, Shape::Number);
    }

    /// Whether a blank or nothing stands before the character before this one.
    fn follows_blank(&self) -> bool {
        let before = self.at.checked_sub(2).and_then(|at| self.characters.get(at));
        before.is_none_or(|(_, c)| c.is_whitespace() || c == '(')
    }

    /// Whether exactly three digits stand there.
    fn is_group(&self, ahead: usize) -> bool {
        (0..3).all(|digit| self.digit(ahead + digit).is_some()) && self.digit(ahead + 3).is_none()
    }

    fn word(&mut self) {
        if let Some(length) = self.initials() {
            let letters = self.next(length).filter(|c| *c != '.');
            let word = letters.map(|c| c.to_ascii_lowercase()).collect();
            return self.push(length, word, Shape::Upper);
        }
        let mut length = 0;
        while self.letter(length)
            || (length > 0 && self.digit(length).is_some())
            || (self.is_apostrophe(length) && self.letter(length + 1))
        {
            length += 1;
        }
        let first = self.at;
        self.take(length, self.shape(length));
        let Some(token) = self
            .out
            .last_mut()
            .filter(|token| token.start == self.characters.get(first).map_or(0, |c| c.0))
        else {
            return;
        };
        if let Some(bare) = token.word.strip_suffix("'s") {
            token.word = bare.to_owned();
        } else if token.word.ends_with("n't") {
            let bare = match token.word.as_str() {
                "can't" => "can",
                "won't" => "will",
                word => word.get(..word.len() - 3).unwrap_or_default(),
            };
            let not = Token {
                word: "not".to_owned(),
                shape: Shape::Lower,
                opens: false,
                begins: false,
                ..token.clone()
            };
            token.word = bare.to_owned();
            self.out.push(not);
            return;
        }
        token.word.retain(|c| c != '\'');
    }

    fn is_apostrophe(&self, ahead: usize) -> bool {
        self.peek(ahead).is_some_and(|(_, c)| matches!(c, '\'' | '’'))
    }

    /// `U.S.`, `U.S`: how long it is.
    fn initials(&self) -> Option<usize> {
        let capital = |at: usize| self.peek(at).is_some_and(|(_, c)| c.is_ascii_uppercase());
        let stop = |at: usize| self.peek(at).is_some_and(|(_, c)| c == '.');
        let mut length = 0;
        while length < MOST_INITIALS * 2 && capital(length) && stop(length + 1) {
            length += 2;
        }
        let last = usize::from(capital(length) && !self.letter(length + 1));
        // A single letter with a stop is an initial of a person's name.
        (length + last > 2 && (last == 1 || !self.letter(length))).then_some(length + last)
    }

    fn shape(&self, length: usize) -> Shape {
        let mut letters = self.next(length).filter(|c| c.is_alphabetic());
        let first = letters.next().is_some_and(char::is_uppercase);
        match letters.next() {
            _ if !first => Shape::Lower,
            Some(second) if second.is_uppercase() && letters.all(char::is_uppercase) => {
                Shape::Upper
            }
            _ => Shape::Capital,
        }
    }
}

/// Whether it parts no word, though it is no letter: marks that are left out, what takes a letter of India its vowel or
/// changes its sound, and what keeps letters of Persian apart or joins others.
const fn is_mark(character: char) -> bool {
    let is_of_india = matches!(character, '\u{900}'..='\u{dff}')
        && matches!(character as u32 % 0x80, 0x3c | 0x4d)
        || character == '\u{dca}';
    is_left_out(character) || is_of_india || matches!(character, '\u{200c}' | '\u{200d}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> Vec<String> {
        tokens(text).into_iter().map(|token| token.word).collect()
    }

    #[test]
    fn words_numbers_and_signs_are_told_apart() {
        let text = "The U.S. didn't pay Ann’s $1,200,000.50 (3.5%) on 2026-03-03, O'Brien's 5km.";
        let expected = "the us did not pay ann $ 1200000.50 3.5 % on 2026 03 03 obrien 5 km";
        assert_eq!(shown(text).join(" "), expected);
        assert_eq!(
            shown("it is -5 °C, 10-12, 1,2,3 and 1 200"),
            "it is -5 ° c 10 12 1 2 3 and 1 200".split(' ').collect::<Vec<_>>()
        );
        assert_eq!(shown("１２ 灯台"), ["12", "灯", "台"]);
        let initials = format!("{}Ax", "A.".repeat(20_000));
        assert!(tokens(&initials).len() < 2_000, "each is looked at once");
    }

    #[test]
    fn scripts_without_blanks_are_parted_about_their_letters() {
        for (text, parts) in
            [("เมืองท่า", "เมื อ ง ท่า"), ("ເມືອງ", "ເມື ອ ງ"), ("မြန်မာ", "မြ န် မာ"), ("ភ្នំពេញ", "ភ្នំ ពេ ញ")]
        {
            assert_eq!(shown(text), parts.split(' ').collect::<Vec<_>>(), "{text}");
        }
        assert_eq!(
            shown("Wi-Fiฟรี 使用Python编程"),
            ["wi", "fi", "ฟ", "รี", "使", "用", "python", "编", "程"]
        );
        assert!(shown("ค่าธรรมเนียม ๒๕ บาท").contains(&"25".to_owned()));
    }

    #[test]
    fn marks_part_no_word_and_digits_are_those_of_all_scripts() {
        assert_eq!(shown("हिन्दी में ज़मीन"), ["हिन्दी", "में", "जमीन"]);
        assert_eq!(shown("می\u{200c}شود"), ["ميشود"]);
        assert_eq!(shown("٣٫٥ ١٬٢٠٠ ۱۲ २०२४"), ["3.5", "1200", "12", "2024"]);
    }

    #[test]
    fn what_stands_around_a_token_is_known() {
        let around: Vec<_> = tokens("38 m² (5%)").iter().map(|it| (it.before, it.after)).collect();
        assert_eq!(around, [(' ', ' '), (' ', '²'), ('(', '%'), ('5', ')')]);
    }

    #[test]
    fn shapes_tell_names() {
        let shapes: Vec<Shape> = tokens("the Lamp of NATO").into_iter().map(|t| t.shape).collect();
        assert_eq!(shapes, [Shape::Lower, Shape::Capital, Shape::Lower, Shape::Upper]);
    }

    proptest! {
        #[test]
        fn tokens_of_ascii_are_those_of_any_text(text in "([ -~]|[0-9.,]|'s|n't|U\\.S\\.|\n){0,40}") {
            let any = Scan::over(&text, Characters::Any(text.char_indices().collect()));
            prop_assert_eq!(tokens(&text), any);
        }

        #[test]
        fn any_text_gives_tokens_in_order_within_it(text in "(\\PC|[0-9.,]|'|n't|U\\.S\\.|\u{301}){0,40}") {
            let mut last = 0;
            for token in tokens(&text) {
                prop_assert!(token.start < token.end && token.end <= text.len());
                prop_assert!(text.is_char_boundary(token.start) && text.is_char_boundary(token.end));
                prop_assert!(token.start >= last || token.word == "not");
                last = token.start;
            }
        }
    }
}
