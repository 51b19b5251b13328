//! What a line begins with, before its words: blanks, signs of items and of quotations.
//!
//! Border: that in; whether a fence begins behind it for all who show Markdown, out.

use serde::{Deserialize, Serialize};

/// Bytes of it that are looked at.
pub(super) const MOST: usize = 64;
/// Items and quotations within each other in which a fence is seen.
const DEEPEST: usize = 4;

/// The line before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Above {
    /// It is empty, or ends a fence, or there is none: no paragraph goes on.
    #[default]
    Empty,
    /// It begins an item, whose words stand this far in.
    Item(usize),
    Other,
}

/// How far in the words of the item stand that a line begins.
pub(super) fn item(lead: &str, above: Above) -> Option<usize> {
    let marks = marks(lead, above)?;
    let is_item = !marks.is_empty() && !marks.contains('>') && are_marks(marks, above);
    is_item.then_some(lead.len())
}

/// Whether a fence begins behind this, whoever shows it. Far in it may go on a paragraph instead.
pub(super) fn is_sure(lead: &str, above: Above) -> bool {
    // Behind an empty line that is code of another kind, and ends where the fence would.
    let is_code = above == Above::Empty && lead.len() < MOST && lead.bytes().all(|it| it == b' ');
    is_code || marks(lead, above).is_some_and(|marks| are_marks(marks, above))
}

/// What stands behind the first blanks, unless they are too many.
fn marks(lead: &str, above: Above) -> Option<&str> {
    let marks = lead.trim_start_matches(' ');
    let indent = lead.len() - marks.len();
    let is_near = match above {
        Above::Item(at) => indent <= 3 || (at..=at + 3).contains(&indent),
        Above::Empty | Above::Other => indent <= 3,
    };
    (is_near && lead.len() < MOST).then_some(marks)
}

fn are_marks(marks: &str, above: Above) -> bool {
    let mut rest = marks;
    for _ in 0..DEEPEST {
        match behind_mark(rest, above) {
            Some(behind) => rest = behind,
            None => break,
        }
    }
    rest.is_empty()
}

/// What stands behind the first sign of an item or a quotation and its blanks.
fn behind_mark(marks: &str, above: Above) -> Option<&str> {
    if let Some(behind) = marks.strip_prefix('>') {
        let rest = behind.trim_start_matches(' ');
        return (behind.len() - rest.len() <= 4).then_some(rest);
    }
    let digits = marks.bytes().take_while(u8::is_ascii_digit).count();
    let (number, behind) = marks.split_at(digits);
    let behind = if number.is_empty() {
        behind.strip_prefix(['-', '*', '+'])?
    } else {
        // Within a paragraph a list begins with 1 or not at all.
        let may_begin = digits <= 9 && (number == "1" || above != Above::Other);
        behind.strip_prefix(['.', ')']).filter(|_| may_begin)?
    };
    let rest = behind.trim_start_matches(' ');
    (1..=4).contains(&(behind.len() - rest.len())).then_some(rest)
}
