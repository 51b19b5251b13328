//! What waits for the part behind it: a word that tells whether a sentence is over, and a marker, behind which a question
//! mark may stand.
//!
//! Border: parts of an answer in, until what they wait for is there; some of them at most.

use super::scan::Scanned;
use serde::{Deserialize, Serialize};

/// Bytes of a word that is waited for: none that tells anything is longer.
const MOST_WORD: usize = 16;
/// Signs before it.
const MOST_SIGNS: usize = 4;
/// Markers and blanks that wait together.
const MOST_PARTS: usize = 16;

/// Parts that wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Peek {
    /// They, in order.
    pub parts: Vec<Scanned>,
    /// The word, as far as it is written; none: what waits is a marker.
    pub word: Option<String>,
}

impl Peek {
    /// Waits from this part on, which begins a word where the sentence may be over.
    pub fn of(part: &Scanned, may_be_over: bool) -> Option<Peek> {
        let word = match part {
            Scanned::Bracket { .. } => None,
            Scanned::Text(c) if may_be_over && (c.is_alphanumeric() || is_sign(*c)) => {
                Some(c.is_alphanumeric().then_some(*c).into_iter().collect())
            }
            _ => return None,
        };
        Some(Peek { parts: vec![part.clone()], word })
    }

    /// Takes in the next part, and gives back the one that it waited for.
    pub fn take(&mut self, part: Scanned) -> Option<Scanned> {
        let stays = match (&mut self.word, &part) {
            (Some(word), Scanned::Text(c)) if c.is_alphanumeric() && word.len() < MOST_WORD => {
                word.push(*c);
                true
            }
            (Some(word), Scanned::Text(c)) => {
                word.is_empty() && is_sign(*c) && self.parts.len() < MOST_SIGNS
            }
            (None, Scanned::Text(c)) => *c == ' ' && self.parts.len() < MOST_PARTS,
            (None, Scanned::Bracket { .. }) => self.parts.len() < MOST_PARTS,
            _ => false,
        };
        if !stays {
            return Some(part);
        }
        self.parts.push(part);
        None
    }
}

/// Whether it may stand between a sentence and its first word.
const fn is_sign(c: char) -> bool {
    matches!(c, '*' | '_' | '"' | '“' | '„' | '«' | '‘' | '(')
}

/// The character that a part begins with; none of an address or what is no text.
pub fn first(part: &Scanned) -> Option<char> {
    match part {
        Scanned::Text(c)
        | Scanned::Code(c)
        | Scanned::Span(c)
        | Scanned::Dead(c)
        | Scanned::Escaped(c) => Some(*c),
        Scanned::Bracket { raw, .. } | Scanned::Tail { raw, .. } => raw.chars().next(),
        Scanned::Address(_) => None,
    }
}

/// Whether a part asks.
pub fn asks(part: &Scanned) -> bool {
    matches!(part, Scanned::Text('?' | '？' | '؟'))
}
