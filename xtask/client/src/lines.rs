//! Texts in colours, in lines of so many columns.

use crate::show::Style;
use crate::show::words::clean;

/// A text in one colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The colour's code; empty: none.
    pub code: &'static str,
    /// The text.
    pub text: String,
}

/// A text without a colour.
pub fn plain(text: impl Into<String>) -> Span {
    Span { code: "", text: text.into() }
}

/// A text in a colour.
pub fn painted(code: &'static str, text: impl Into<String>) -> Span {
    Span { code, text: text.into() }
}

/// What stands between two spaces.
#[derive(Default)]
struct Word {
    columns: usize,
    parts: Vec<Span>,
}

/// Lines of at most so many columns, broken at spaces; a longer word has a line of its own. What would move the
/// cursor is left out.
pub fn lines(spans: &[Span], room: usize, style: Style) -> Vec<String> {
    let (mut lines, mut line, mut used) = (Vec::new(), Vec::new(), 0);
    for word in words(spans) {
        if used > 0 && used + 1 + word.columns > room {
            lines.push(shown(&std::mem::take(&mut line), style));
            used = 0;
        }
        if used > 0 {
            // Within a colour the space has it too: fewer escape sequences.
            let code = |span: Option<&Span>| span.map(|span| span.code);
            let (before, after) = (code(line.last()), code(word.parts.first()));
            let within = after.filter(|_| before == after).unwrap_or_default();
            add(&mut line, within, " ");
            used += 1;
        }
        used += word.columns;
        word.parts.iter().for_each(|part| add(&mut line, part.code, &part.text));
    }
    if used > 0 || lines.is_empty() {
        lines.push(shown(&line, style));
    }
    lines
}

fn add(line: &mut Vec<Span>, code: &'static str, text: &str) {
    match line.last_mut().filter(|last| last.code == code) {
        Some(last) => last.text.push_str(text),
        None => line.push(painted(code, text)),
    }
}

fn shown(line: &[Span], style: Style) -> String {
    let shown = |Span { code, text }: &Span| {
        if code.is_empty() { text.clone() } else { style.paint(code, text) }
    };
    line.iter().map(shown).collect()
}

fn words(spans: &[Span]) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut is_open = false;
    for Span { code, text } in spans {
        for (at, piece) in text.split(char::is_whitespace).enumerate() {
            is_open &= at == 0;
            let piece = clean(piece);
            if piece.is_empty() {
                continue;
            }
            if !is_open {
                words.push(Word::default());
            }
            is_open = true;
            let Some(word) = words.last_mut() else { continue };
            word.columns += piece.chars().count();
            word.parts.push(painted(code, piece));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(spans: &[Span], room: usize) -> Vec<String> {
        lines(spans, room, Style::Plain)
    }

    #[test]
    fn lines_break_at_spaces_and_long_words_stand_alone() {
        let text = [plain("one two"), painted("2", "three, four-and-a-half"), plain(" five")];
        assert_eq!(broken(&text, 12), ["one", "twothree,", "four-and-a-half", "five"]);
        assert_eq!(broken(&text, usize::MAX), ["one twothree, four-and-a-half five"]);
        assert_eq!(broken(&[], 12), [""]);
        assert_eq!(broken(&[plain("a\u{1b}[2Jb\n c\u{202e}")], 12), ["a[2Jb c"]);
    }

    #[test]
    fn colours_take_no_columns() {
        let text = [painted("1", "one two"), plain(" three")];
        let shown = lines(&text, 9, Style::Terminal);
        assert_eq!(shown, ["\x1b[1mone two\x1b[0m", "three"]);
    }
}
