//! What cargo writes to standard error, cut into what is said once and what is drawn over.

/// A piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// A line, as it is.
    Line(String),
    /// From a progress bar: how many of how many, and what is under way.
    Place(String),
}

/// Cuts bytes that come in any portions.
#[derive(Debug, Default)]
pub struct Pieces {
    rest: Vec<u8>,
}

impl Pieces {
    /// Takes the next bytes and gives what they complete.
    pub fn push(&mut self, bytes: &[u8], mut take: impl FnMut(Piece)) {
        for byte in bytes {
            match byte {
                b'\n' => take(Piece::Line(self.text())),
                b'\r' => {
                    if let Some(place) = place(&self.text()) {
                        take(Piece::Place(place));
                    }
                }
                other => self.rest.push(*other),
            }
        }
    }

    /// Gives what no end of line completed.
    pub fn end(&mut self, mut take: impl FnMut(Piece)) {
        if !self.rest.is_empty() {
            take(Piece::Line(self.text()));
        }
    }

    fn text(&mut self) -> String {
        let bytes = std::mem::take(&mut self.rest);
        let text = String::from_utf8_lossy(&bytes);
        // Cargo wipes its bar away before it writes a line.
        text.strip_prefix("\x1b[K").unwrap_or(&text).to_owned()
    }
}

/// Whether the line is of no use to somebody who saw nothing being built: that cargo is done, or that
/// it waits for another one to look at what there is.
pub fn is_idle_talk(line: &str) -> bool {
    let line = plain(line);
    let line = line.trim_start();
    line.starts_with("Finished `") || line.starts_with("Blocking waiting for file lock")
}

/// `    Building [====>      ] 12/300: syn, serde` in short.
fn place(bar: &str) -> Option<String> {
    let bar = plain(bar);
    let (_, after) = bar.split_once("] ")?;
    let after = after.trim();
    let (count, names) = after.split_once(": ").unwrap_or((after, ""));
    let (done, all) = count.split_once('/')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(done) || !is_number(all) {
        return None;
    }
    let comma = if names.is_empty() { "" } else { ": " };
    Some(format!("{done} of {all}{comma}{names}"))
}

/// The text without the escape sequences that colour it.
fn plain(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut plain, part| {
        let end = part.find(|c: char| c.is_ascii_alphabetic()).map_or(part.len(), |end| end + 1);
        plain.push_str(part.get(end..).unwrap_or_default());
        plain
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITTEN: &str = "   Compiling syn v3.0.9\n    Building [=>   ] 12/300: syn, serde(build)   \r\
                           \x1b[K\x1b[1m\x1b[92m   Compiling\x1b[0m serde v1.0.0\n\
                           \x1b[1m\x1b[96m    Building\x1b[0m [==>  ] 13/300: ring\rwarning: unused\n";

    fn cut(portion: usize) -> Vec<Piece> {
        let mut pieces = Pieces::default();
        let mut all = Vec::new();
        for bytes in WRITTEN.as_bytes().chunks(portion) {
            pieces.push(bytes, |piece| all.push(piece));
        }
        pieces.end(|piece| all.push(piece));
        all
    }

    #[test]
    fn lines_stay_as_they_are_and_bars_become_places() {
        let line = |text: &str| Piece::Line(text.to_owned());
        let place = |text: &str| Piece::Place(text.to_owned());
        let expected = [
            line("   Compiling syn v3.0.9"),
            place("12 of 300: syn, serde(build)"),
            line("\x1b[1m\x1b[92m   Compiling\x1b[0m serde v1.0.0"),
            place("13 of 300: ring"),
            line("warning: unused"),
        ];
        for portion in [1, 2, 7, 1000] {
            assert_eq!(cut(portion), expected);
        }
    }

    #[test]
    fn what_is_no_bar_is_no_place() {
        assert_eq!(place("    Building [=====] 300/300"), Some("300 of 300".to_owned()));
        for other in ["", "  Downloading 3 crates", "info: [x] half/way: there", "[ ] /: a"] {
            assert_eq!(place(other), None, "{other}");
        }
    }

    #[test]
    fn idle_talk_is_known_with_and_without_colour() {
        assert!(is_idle_talk("    Finished `dev` profile [optimized] target(s) in 0.30s"));
        assert!(is_idle_talk("\x1b[1m\x1b[92m    Finished\x1b[0m `quick` profile"));
        assert!(is_idle_talk("    Blocking waiting for file lock on package cache"));
        assert!(!is_idle_talk("   Compiling finished v1.0.0"));
    }
}
