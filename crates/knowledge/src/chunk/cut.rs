//! Where a long section is cut: behind a paragraph, a line, a sentence or a word.

use quarry_evidence::text::sentences;
use std::ops::Range;

/// Characters that a chunk has at most.
pub const CHUNK: usize = 1_000;
/// Characters at most that a piece of a section has in common with the one before.
pub const OVERLAP: usize = 150;

/// The pieces of a range, in order; each begins before the one before it ends.
pub fn pieces(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut next = Some(range.start);
    std::iter::from_fn(move || {
        let start = next?;
        let rest = text.get(start..range.end)?;
        let Some((limit, _)) = rest.char_indices().nth(CHUNK) else {
            next = None;
            return Some(start..range.end);
        };
        let window = rest.get(..limit)?;
        let cut = cut(window);
        let again = start + cut - overlap(window.get(..cut)?);
        next = Some(again.max(start + 1)).filter(|next| *next < range.end);
        Some(start..start + cut)
    })
}

/// Where a window is cut, in bytes: in its second half at the best place that there is.
fn cut(window: &str) -> usize {
    let half = window.len() / 2;
    let late = |at: &usize| *at > half;
    let paragraph = || window.rfind("\n\n").filter(late);
    let line = || window.rfind('\n').filter(late);
    // The last may go on behind the window.
    let sentence =
        || sentences(window).iter().rev().skip(1).map(|sentence| sentence.end).find(late);
    let word = || window.rfind(char::is_whitespace).filter(late);
    paragraph().or_else(line).or_else(sentence).or_else(word).unwrap_or(window.len())
}

/// How many bytes of a piece the next has again: from a sentence or a word within the last characters on.
fn overlap(piece: &str) -> usize {
    let Some((from, _)) = piece.char_indices().rev().nth(OVERLAP - 1) else { return 0 };
    let tail = piece.get(from..).unwrap_or_default();
    // What a cut through a word left is none of its own.
    let inner = sentences(tail).iter().skip(1).map(|sentence| sentence.start).next();
    let word = || tail.find(char::is_whitespace).map(|at| at + 1);
    let skipped = inner.or_else(word).filter(|at| tail.is_char_boundary(*at)).unwrap_or(0);
    tail.len() - skipped
}
