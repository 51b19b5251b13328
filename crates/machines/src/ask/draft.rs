//! The answer as it is written. What is shown piece by piece is the answer, byte for byte.

use crate::core::Turn;
use quarry_events::AnswerDelta;
use serde::{Deserialize, Serialize};

/// An answer under way.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    shown: String,
    /// Code points of what was shown.
    characters: usize,
    /// White space that is shown only when something follows: an answer has none at its ends.
    held: String,
}

impl Draft {
    /// Whether nothing was shown yet.
    pub const fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// The answer so far.
    pub fn text(&self) -> &str {
        &self.shown
    }

    /// Adds a piece and shows it.
    pub fn push(&mut self, piece: &str, turn: &mut Turn) {
        self.held.push_str(piece);
        if self.is_empty() {
            self.held = self.held.trim_start().to_owned();
        }
        let ready = self.held.trim_end().len();
        let rest = self.held.split_off(ready);
        let text = std::mem::replace(&mut self.held, rest);
        if !text.is_empty() {
            let (at, timestamp) = (self.characters, turn.at());
            self.characters += text.chars().count();
            self.shown.push_str(&text);
            turn.emit(&AnswerDelta { text, at, timestamp });
        }
    }

    /// Adds what of the whole text was not shown yet, when the text begins as it was shown.
    pub fn complete(&mut self, whole: &str, turn: &mut Turn) {
        if let Some(rest) = whole.trim().strip_prefix(self.shown.as_str()) {
            self.held.clear();
            self.push(rest, turn);
        }
    }

    /// Adds a remark of ours below the answer.
    pub fn note(&mut self, note: &str, turn: &mut Turn) {
        let gap = if self.is_empty() { "" } else { "\n\n" };
        self.held.clear();
        self.push(&format!("{gap}*{note}*"), turn);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Numbering;
    use proptest::prelude::*;
    use quarry_events::AnyPayload;
    use quarry_types::Timestamp;

    fn shown(turn: Turn) -> String {
        let (_, reaction) = turn.end(false);
        let mut text = String::new();
        for event in reaction.events {
            let AnyPayload::AnswerDelta(delta) = event.payload().unwrap() else { panic!() };
            assert_eq!(delta.at, text.chars().count());
            text.push_str(&delta.text);
        }
        text
    }

    proptest! {
        #[test]
        fn the_pieces_are_the_answer_without_blanks_at_its_ends(
            pieces in prop::collection::vec("[ \n]{0,2}[a-zé]{0,3}[ \n]{0,2}", 0..8),
            is_noted in any::<bool>(),
        ) {
            let mut turn = Turn::new(Timestamp(0), Numbering::default());
            let mut draft = Draft::default();
            pieces.iter().for_each(|piece| draft.push(piece, &mut turn));
            let mut expected = pieces.concat().trim().to_owned();
            draft.complete(&pieces.concat(), &mut turn);
            if is_noted {
                draft.note("cut", &mut turn);
                expected = format!("{expected}\n\n*cut*").trim_start().to_owned();
            }
            prop_assert_eq!(draft.text(), &expected);
            prop_assert_eq!(shown(turn), expected);
        }
    }
}
