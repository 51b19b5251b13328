//! Words, stems and sentences, as far as counting words needs them.
//!
//! Border: text in, pieces of text out. Made for English, harmless for other languages.

pub(super) use quarry_evidence::text::{is_stop_word, sentences};

use super::lexicon;
use std::ops::Range;

/// Words that matter in few questions.
const PALE_WORDS: [&str; 45] = [
    "actually",
    "amount",
    "call",
    "come",
    "compare",
    "currently",
    "date",
    "day",
    "describe",
    "different",
    "exactly",
    "explain",
    "find",
    "get",
    "give",
    "go",
    "happen",
    "kind",
    "know",
    "list",
    "make",
    "name",
    "need",
    "needed",
    "now",
    "number",
    "people",
    "percent",
    "percentage",
    "person",
    "place",
    "reason",
    "say",
    "still",
    "take",
    "tell",
    "thing",
    "time",
    "today",
    "type",
    "use",
    "way",
    "without",
    "work",
    "year",
];

/// Calls for each word of a text with the word in lower case and where it stands. Numbers stay whole:
/// `1,284`, `2.4`.
pub(super) fn each_word(text: &str, mut call: impl FnMut(&mut String, Range<usize>)) {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut buffer = String::new();
    let mut tell = |at: Range<usize>| {
        let word = text.get(at.clone()).unwrap_or_default();
        buffer.clear();
        if word.is_ascii() {
            buffer.push_str(word);
            buffer.make_ascii_lowercase();
        } else {
            buffer.extend(word.chars().flat_map(char::to_lowercase));
        }
        call(&mut buffer, at);
    };
    let mut start = None;
    for (at, character) in text.char_indices() {
        let inside_number = matches!(character, ',' | '.')
            && at.checked_sub(1).is_some_and(is_digit)
            && is_digit(at + 1);
        if character.is_alphanumeric() || inside_number {
            start = start.or(Some(at));
        } else if let Some(start) = start.take() {
            tell(start..at);
        }
    }
    if let Some(start) = start {
        tell(start..text.len());
    }
}

/// Whether a word, lower case, says little in a question.
pub(super) fn is_pale(word: &str) -> bool {
    PALE_WORDS.contains(&word)
}

/// The words of a text, lower case.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, |word, _| words.push(std::mem::take(word)));
    words
}

/// The stem of a word: common English endings taken off, so that `lighthouses` meets `lighthouse`.
pub(super) fn stem(word: &str) -> String {
    let mut stem = word.to_owned();
    to_stem(&mut stem);
    stem
}

/// Makes a word, lower case, its stem.
pub(super) fn to_stem(word: &mut String) {
    if let Some(base) = lexicon::base(word) {
        word.clear();
        word.push_str(base);
    }
    if word.bytes().any(|byte| byte.is_ascii_digit()) {
        return;
    }
    // All endings are ASCII, so bytes count well enough.
    let ends = |word: &str, ending: &str, least: usize| {
        word.len() >= ending.len() + least && word.ends_with(ending)
    };
    if ends(word, "ies", 2) {
        word.truncate(word.len() - 3);
        word.push('y');
    } else if ends(word, "sses", 2) {
        word.truncate(word.len() - 2);
    } else if ends(word, "s", 3) && !word.ends_with("ss") && !word.ends_with("us") {
        word.truncate(word.len() - 1);
    }
    for ending in ["ing", "ed"] {
        if ends(word, ending, 3) && has_vowel(word, ending.len()) {
            word.truncate(word.len() - ending.len());
            undouble(word);
            break;
        }
    }
    for (ending, least) in
        [("ness", 4), ("ment", 4), ("ance", 5), ("ence", 5), ("ly", 4), ("li", 4)]
    {
        if ends(word, ending, least) {
            word.truncate(word.len() - ending.len());
        }
    }
    if ends(word, "tion", 3) || ends(word, "sion", 3) {
        word.truncate(word.len() - 3);
    }
    // `recommendation`, `recommend`; `automated`, `automation`.
    if ends(word, "ate", 5) {
        word.truncate(word.len() - 3);
    } else if ends(word, "at", 5) {
        word.truncate(word.len() - 2);
    }
    if ends(word, "e", 3) {
        word.truncate(word.len() - 1);
    }
    if ends(word, "y", 3) {
        word.truncate(word.len() - 1);
        word.push('i');
    }
}

/// Whether a vowel stands before the last bytes.
fn has_vowel(word: &str, last: usize) -> bool {
    let rest = word.len() - last;
    word.bytes().take(rest).any(|byte| matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y'))
}

/// `stopp` to `stop`, but not `fill` to `fil`.
fn undouble(word: &mut String) {
    let mut last = word.bytes().rev();
    let (last, before) = (last.next(), last.next());
    if last == before && matches!(last, Some(b'b' | b'd' | b'g' | b'm' | b'n' | b'p' | b'r' | b't'))
    {
        word.pop();
    }
}

/// Whether a text has cells beside each other, as a row of a page's table has, or one of Markdown.
pub(super) fn has_cells(text: &str) -> bool {
    text.contains(['\t', '|'])
}

/// The words of a text, and the piece that each stands in: a word with what stands before it says whether one begins.
pub(super) fn in_pieces(
    text: &str,
    begins: impl Fn(&str, &str) -> bool,
) -> (Vec<String>, Vec<usize>) {
    let (mut words, mut pieces) = (Vec::new(), Vec::new());
    let (mut piece, mut end) = (0, 0);
    each_word(text, |word, at| {
        piece += usize::from(begins(word, text.get(end..at.start).unwrap_or_default()));
        end = at.end;
        words.push(std::mem::take(word));
        pieces.push(piece);
    });
    (words, pieces)
}

/// The cells of a row with the blanks around them; those without words, too, since they hold their column's place.
pub(super) fn cells(row: &str) -> impl Iterator<Item = &str> {
    let bar = if row.contains('\t') { '\t' } else { '|' };
    let mut before = ' ';
    row.split(move |character: char| {
        // `\|` is written within a cell.
        let is_bar = character == bar && (bar == '\t' || before != '\\');
        before = character;
        is_bar
    })
}

/// Whether a word is all that a cell of a row holds; the first cell is not looked at, which names the row.
pub(super) fn fills_cell(row: &str, word: &Range<usize>) -> bool {
    let before = row.get(..word.start).unwrap_or_default().trim_end_matches(' ');
    let behind = row.get(word.end..).unwrap_or_default().trim_start_matches(' ');
    before.ends_with(['|', '\t']) && (behind.is_empty() || behind.starts_with(['|', '\t']))
}

/// Whether a word is the number of a year.
pub(super) fn is_year(word: &str) -> bool {
    word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a word of a question, lower case, only asks for what is so now, or was so last; no text need say it: `the
/// current toll`, `when was it last raised`, but not `the last ferry`.
pub(super) fn asks_for_newest(question: &[String], at: usize) -> bool {
    let word = |at: usize| question.get(at).map(String::as_str).unwrap_or_default();
    let stands_before_noun = !word(at + 1).is_empty() && !is_stop_word(word(at + 1));
    match word(at) {
        "currently" | "nowadays" | "presently" => true,
        "current" | "latest" | "present" => stands_before_noun,
        "recent" => at > 0 && word(at - 1) == "most" && stands_before_noun,
        "last" => word(0) == "when" && (word(at + 1).is_empty() || lexicon::is_done(word(at + 1))),
        _ => false,
    }
}

/// Whether a word of a question, lower case, asks for what was before.
pub(super) fn asks_before(word: &str) -> bool {
    matches!(word, "before" | "earlier" | "previously")
}

/// Whether a word, lower case, looks like a noun of more than one.
pub(super) fn is_many(word: &str) -> bool {
    matches!(word, "people" | "children" | "men" | "women")
        || (word.len() > 3 && word.ends_with('s') && !word.ends_with("ss"))
}

/// The stems of a text's words that matter, in order, repeated ones included.
pub(super) fn stems(text: &str) -> Vec<String> {
    words(text).iter().filter(|word| !is_stop_word(word)).map(|word| stem(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_cell_is_a_cell() {
        for (row, cells) in [
            ("Eggs | | 4", &["Eggs", "", "4"][..]),
            ("|Eggs||4|", &["", "Eggs", "", "4", ""]),
            ("\tEggs\t4", &["", "Eggs", "4"]),
            ("Eggs | or | milk\t4\t", &["Eggs | or | milk", "4", ""]),
            ("a \\| b | 4", &["a \\| b", "4"]),
        ] {
            assert_eq!(super::cells(row).map(str::trim).collect::<Vec<_>>(), cells, "{row}");
        }
    }

    #[test]
    fn some_words_ask_only_for_the_newest() {
        for (question, word, asks) in [
            ("What is the current toll?", "current", true),
            ("How strong is the current in the sound?", "current", false),
            ("When was the toll last raised?", "last", true),
            ("When does the last ferry leave?", "last", false),
            ("How long did the war last?", "last", false),
            ("Who is the present mayor?", "present", true),
            ("What is the most recent count of boats?", "recent", true),
        ] {
            let all = words(question);
            let at = all.iter().position(|it| it == word).unwrap();
            assert_eq!(asks_for_newest(&all, at), asks, "{question}");
        }
    }

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
            ("automation", "automated"),
            ("constructed", "construction"),
            ("stopped", "stop"),
            ("recommendation", "recommended"),
            ("loneliness", "lonely"),
            ("built", "building"),
            ("disturbance", "disturbs"),
            ("use", "used"),
        ] {
            assert_eq!(stem(one), stem(other), "{one} {other}");
        }
        assert_eq!(stem("glass"), "glass");
    }
}
