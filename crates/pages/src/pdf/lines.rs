//! Letters at places to lines and paragraphs.

use crate::plain;

/// What parts paragraphs.
const BETWEEN: &str = "\n\n";

/// Where a letter stands.
#[derive(Debug, Clone, Copy)]
pub struct Letter {
    /// Its left end.
    pub x: f64,
    /// Its base line; upwards.
    pub y: f64,
    /// The height of its font.
    pub size: f64,
    /// How wide it is.
    pub width: f64,
    /// Where its line leads, as a step of length 1: what is turned on its side is read so.
    pub way: (f64, f64),
}

/// How far two lines may lead apart and be one, as the cosine of the angle between them: what was scanned lies aslant.
const SAME_WAY: f64 = 0.9;

/// Collects letters in the order in which they are written, which is the order of reading in nearly
/// every file.
#[derive(Debug, Default)]
pub struct Lines {
    paragraphs: Vec<String>,
    /// Bytes of the paragraphs with what parts them.
    joined: usize,
    /// Where pages begin.
    pages: Vec<usize>,
    open: String,
    length: usize,
    letters: usize,
    last: Option<Letter>,
}

impl Lines {
    /// A letter, or several that are one; empty for one whose name is not known.
    pub fn write(&mut self, text: &str, letter: Letter) {
        let Letter { x, y, size, width, way } = letter;
        if ![x, y, size, width, way.0, way.1].iter().all(|value| value.is_finite()) {
            return;
        }
        // A font may say that one of its letters is a whole book.
        self.letters += text.chars().count().max(1);
        if let Some(last) = self.last {
            self.part(last, letter);
        }
        self.last = Some(letter);
        for char in text.chars() {
            if char.is_whitespace() {
                self.space();
            } else if let Some(letters) = ligature(char) {
                self.open.push_str(letters);
                self.length += letters.len();
            } else if !char.is_control() && !matches!(char, '\u{AD}' | '\u{FEFF}') {
                self.open.push(char);
                self.length += char.len_utf8();
            }
        }
    }

    /// Puts what stands between two letters: nothing, a space, a line, or a paragraph.
    fn part(&mut self, last: Letter, next: Letter) {
        let height = last.size.max(next.size);
        let (x, y) = (next.x - last.x, next.y - last.y);
        let (right, up) = last.way;
        let down = (y * right - x * up).abs();
        let gap = x * right + y * up - last.width;
        let is_turned = right * next.way.0 + up * next.way.1 < SAME_WAY;
        if is_turned || down > 1.75 * height {
            self.end_paragraph();
        } else if down > 0.5 * height {
            self.end_line();
        } else if gap > 0.15 * height || gap < -0.5 * height - last.width {
            // A gap, or a jump back within the line.
            self.space();
        }
    }

    fn space(&mut self) {
        if !self.open.is_empty() && !self.open.ends_with([' ', '\n']) {
            self.open.push(' ');
        }
    }

    fn end_line(&mut self) {
        // A word that was parted at the end of a line is one word again.
        let parted = self.open.ends_with('-')
            && self.open.trim_end_matches('-').ends_with(char::is_alphabetic);
        if parted {
            self.open.pop();
        } else {
            self.space();
        }
    }

    fn end_paragraph(&mut self) {
        let text = std::mem::take(&mut self.open);
        if !text.trim().is_empty() {
            let text = plain::paragraph(text.trim());
            self.joined = self.next() + text.len();
            self.paragraphs.push(text);
        }
    }

    /// Where the next paragraph will begin.
    fn next(&self) -> usize {
        if self.paragraphs.is_empty() { 0 } else { self.joined + BETWEEN.len() }
    }

    /// A page begins here, perhaps within a sentence.
    pub fn begin_page(&mut self) {
        self.pages.push(self.next() + self.open.len());
    }

    /// A paragraph ends with its page, unless its sentence goes on.
    pub fn end_page(&mut self) {
        let goes_on =
            self.open.trim_end().ends_with(|char: char| char.is_lowercase() || char == ',');
        if goes_on {
            self.end_line();
        } else {
            self.end_paragraph();
        }
        self.last = None;
    }

    /// Bytes so far.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Letters so far, those without a name included.
    pub fn letters(&self) -> usize {
        self.letters
    }

    /// The paragraphs, apart by blank lines, and where pages begin in them. Pages without text begin where the next
    /// one does.
    pub fn finish(mut self) -> (String, Vec<usize>) {
        self.end_paragraph();
        let text = self.paragraphs.join(BETWEEN);
        let within = |start: usize| text.ceil_char_boundary(start.min(text.len()));
        let pages = self.pages.into_iter().map(within).collect();
        (text, pages)
    }
}

/// The letters of a ligature: it is a matter of fonts, and nobody searches for it.
fn ligature(char: char) -> Option<&'static str> {
    Some(match char {
        'ﬀ' => "ff",
        'ﬁ' => "fi",
        'ﬂ' => "fl",
        'ﬃ' => "ffi",
        'ﬄ' => "ffl",
        'ﬅ' | 'ﬆ' => "st",
        _ => return None,
    })
}
