//! Text in the lines of a terminal, which would break them within a word: they are broken at spaces.
//!
//! Border: text in, as it comes and with its colours; text out. The last word waits until it is known to be whole.

/// Columns that a tabulator takes.
const TAB: usize = 4;
/// From this character on scripts have no spaces, and each of theirs takes two columns.
const WIDE: char = '\u{2e80}';

/// Breaks what is written on one terminal.
#[derive(Default)]
pub struct Flow {
    /// Columns; none: lines are as long as they are.
    room: Option<usize>,
    /// Columns that are written of the line at the cursor.
    column: usize,
    /// Spaces that come before the next word.
    gap: usize,
    /// The word that waits, as it is written, and without its colours.
    word: String,
    bare: String,
    /// Whether the word ends within an escape sequence.
    is_escape: bool,
    line: Line,
    /// Whether lines are those of a program's text.
    is_code: bool,
}

/// What is known of the line at the cursor.
#[derive(Clone, Copy, Default)]
enum Line {
    /// It has no word yet.
    #[default]
    Empty,
    /// What does not fit goes on behind so many spaces.
    Text(usize),
    /// It stays as it is: a row of a table, a program's text.
    Kept,
}

impl Flow {
    /// On a terminal of so many columns.
    pub fn within(room: Option<usize>) -> Flow {
        Flow { room, ..Flow::default() }
    }

    /// The columns that there are.
    pub const fn room(&self) -> Option<usize> {
        self.room
    }

    /// What to print for a piece, which may end anywhere.
    pub fn push(&mut self, piece: &str) -> String {
        let Some(room) = self.room else { return piece.to_owned() };
        let mut out = String::with_capacity(piece.len());
        for c in piece.chars() {
            self.take(c, room, &mut out);
        }
        out
    }

    /// The word that waits, and an end of the text: what follows is another, whatever that left open.
    pub fn rest(&mut self) -> String {
        self.is_code = false;
        self.waiting()
    }

    /// The word that waits, and an end of the line, where others write now.
    pub fn broken(&mut self) -> String {
        let rest = self.waiting();
        let is_within = std::mem::take(&mut self.column) > 0;
        (self.gap, self.line) = (0, Line::Empty);
        rest + if is_within { "\n" } else { "" }
    }

    fn waiting(&mut self) -> String {
        let mut out = String::new();
        if let Some(room) = self.room {
            self.place(room, &mut out);
        }
        out
    }

    fn take(&mut self, c: char, room: usize, out: &mut String) {
        if self.is_escape || c == '\x1b' {
            self.word.push(c);
            self.is_escape = !c.is_ascii_alphabetic();
            return;
        }
        match c {
            '\n' | '\r' => {
                self.place(room, out);
                out.push(c);
                (self.column, self.gap, self.line) = (0, 0, Line::Empty);
            }
            ' ' | '\t' => {
                self.place(room, out);
                self.gap += if c == ' ' { 1 } else { TAB };
            }
            _ if c >= WIDE => {
                self.place(room, out);
                self.word.push(c);
                self.bare.push(c);
                self.place(room, out);
            }
            _ => {
                self.word.push(c);
                self.bare.push(c);
            }
        }
    }

    /// Writes the word that waits, on this line or the next.
    fn place(&mut self, room: usize, out: &mut String) {
        let (word, bare) = (std::mem::take(&mut self.word), std::mem::take(&mut self.bare));
        // Colours alone take no place.
        if bare.is_empty() {
            out.push_str(&word);
            return;
        }
        let columns = bare.chars().map(|c| if c >= WIDE { 2 } else { 1 }).sum::<usize>();
        match self.line {
            Line::Empty => self.line = self.begun(&bare, room),
            Line::Text(hang) if self.column > hang && self.column + self.gap + columns > room => {
                out.push('\n');
                (self.column, self.gap) = (0, hang);
            }
            Line::Text(_) | Line::Kept => {}
        }
        out.extend(std::iter::repeat_n(' ', self.gap));
        out.push_str(&word);
        self.column += self.gap + columns;
        self.gap = 0;
    }

    /// A line that has this word first.
    fn begun(&mut self, first: &str, room: usize) -> Line {
        let is_fence = first.starts_with("```");
        if is_fence || self.is_code || first.starts_with('|') {
            self.is_code ^= is_fence;
            return Line::Kept;
        }
        let mark = if is_mark(first) { first.chars().count() + 1 } else { 0 };
        Line::Text((self.gap + mark).min(room / 3))
    }
}

/// Whether a first word is the mark of an item: what does not fit goes on behind it.
fn is_mark(word: &str) -> bool {
    let number = word.strip_suffix(['.', ')']).unwrap_or_default();
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_source = word.starts_with('[') && word.ends_with(']');
    is_number || is_source || matches!(word, "-" | "*" | "+" | "•" | "·" | "✓" | "✗" | "…")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text in pieces of so many characters, on a terminal of 20 columns.
    fn broken(text: &str, size: usize) -> String {
        let mut flow = Flow::within(Some(20));
        let characters: Vec<char> = text.chars().collect();
        let pieces = characters.chunks(size).map(|piece| piece.iter().collect::<String>());
        let out: String = pieces.map(|piece| flow.push(&piece)).collect();
        out + &flow.rest()
    }

    #[test]
    fn lines_break_at_spaces_however_the_text_is_cut() {
        let text = "It cost \x1b[1m186 million euros\x1b[0m, says one.\n\n- Another says it is more\n  12. a toll road it is not\n      https://x.example/a-long-one\nends";
        let expected = "It cost \x1b[1m186 million\neuros\x1b[0m, says one.\n\n- Another says it is\n  more\n  12. a toll road it\n      is not\n      https://x.example/a-long-one\nends";
        for size in [1, 2, 3, 7, 400] {
            assert_eq!(broken(text, size), expected, "{size}");
        }
    }

    #[test]
    fn what_has_its_own_lines_stays_as_it_is() {
        let text = "| a row | that is | longer |\n```sh\n  a  program that is long\n```\nand behind it again text\n";
        let shown = broken(text, 3);
        assert_eq!(shown, text.replace("again text", "again\ntext"), "{shown}");
        assert_eq!(Flow::default().push("long ".repeat(9).as_str()), "long ".repeat(9));
    }

    #[test]
    fn a_script_without_spaces_is_written_as_it_comes() {
        let mut flow = Flow::within(Some(20));
        assert_eq!(flow.push("桥花了一亿八千六百万"), "桥花了一亿八千六百万");
        assert_eq!(flow.push("欧元"), "\n欧元");
    }

    #[test]
    fn who_writes_between_has_a_line_of_their_own() {
        let mut flow = Flow::within(Some(20));
        assert_eq!([flow.push("It co"), flow.broken(), flow.broken()], ["It", " co\n", ""]);
        assert_eq!(flow.push("st 186 "), "st 186");
    }

    #[test]
    fn what_a_text_left_open_ends_with_it() {
        let mut flow = Flow::within(Some(20));
        flow.push("```\na program");
        assert_eq!(
            [flow.rest(), flow.push("\nand a longer text behind it\n")],
            [" program", "\nand a longer text\nbehind it\n"]
        );
    }
}
