//! What a caller wants beside its question: what was said before it, how the answer is to be, and whether
//! anything is researched at all.
//!
//! Border: plain data, kept with the ask. Doors check what they read; what does not fit the model's context is left
//! out here.

use quarry_types::{Json, ReasoningEffort, tokens};
use serde::{Deserialize, Serialize};

/// Tokens of a context that nobody knows the size of.
const USUAL_CONTEXT: u64 = 16_384;

/// What was said earlier may take up this part of the context.
const SHARE: u64 = 4;

/// Characters of turns that research is given at most: what its prompts take is 400,000 with the fence around it,
/// and what they cut off would be the newest turns and the fence's end.
const SHOWN: usize = 399_000;

/// Characters that stand around a turn.
const AROUND: usize = 16;

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// The one who asks.
    User,
    /// The one who answers.
    Assistant,
}

impl Speaker {
    const fn shown(self) -> &'static str {
        match self {
            Speaker::User => "User",
            Speaker::Assistant => "Assistant",
        }
    }
}

/// A turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// Who said it.
    pub by: Speaker,
    /// What.
    pub text: String,
}

/// The form of an answer that a program reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// One JSON object.
    JsonObject,
    /// One JSON object that fits a schema.
    JsonSchema {
        /// Letters, digits, `_` and `-`.
        name: String,
        /// JSON Schema; a door has seen that it can be checked.
        schema: Json,
        /// Whether the provider is to hold the model to it as it writes, where it can.
        strict: bool,
    },
}

/// What a caller wants beside its question.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Wish {
    /// What was said before the question, oldest first.
    pub history: Vec<Said>,
    /// Turns before those, for which there is no room.
    #[serde(skip_serializing_if = "crate::core::is_zero")]
    pub left_out: usize,
    /// How the caller wants to be answered, in its own words.
    pub instructions: Option<String>,
    /// For reasoning models; none: as configured.
    pub effort: Option<ReasoningEffort>,
    /// Output tokens that the answer may have at most; never more than configured.
    pub max_tokens: Option<u32>,
    /// 0 to 2, of the answer; none: as the set-up chooses.
    pub temperature: Option<f64>,
    /// The share of likely words that the answer is drawn from, 0 to 1; none: the provider's default.
    pub top_p: Option<f64>,
    /// The answer ends before the first of these.
    pub stop: Vec<String>,
    /// The form of the answer; none: words.
    pub form: Option<Form>,
    /// Whether the model answers at once, with one call and without any research.
    pub is_direct: bool,
    /// Whether it is refused rather than answered without the oldest of what was said.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub wants_all_said: bool,
}

impl Wish {
    /// What is not said here, as it was wished before.
    #[must_use]
    pub(super) fn or(self, before: Wish) -> Wish {
        let (history, left_out) = if self.history.is_empty() {
            (before.history, before.left_out)
        } else {
            (self.history, self.left_out)
        };
        Wish {
            history,
            left_out,
            instructions: self.instructions.or(before.instructions),
            effort: self.effort.or(before.effort),
            max_tokens: self.max_tokens.or(before.max_tokens),
            temperature: self.temperature.or(before.temperature),
            top_p: self.top_p.or(before.top_p),
            stop: if self.stop.is_empty() { before.stop } else { self.stop },
            form: self.form.or(before.form),
            is_direct: self.is_direct || before.is_direct,
            wants_all_said: self.wants_all_said,
        }
    }

    /// With the newest turns that a model with this context, and the prompt that shows them, can be given beside all
    /// else.
    #[must_use]
    pub fn within(mut self, context_window: Option<u64>) -> Self {
        let mut room = context_window.unwrap_or(USUAL_CONTEXT) / SHARE;
        // Whoever answers at once gets each turn as a message of its own, and no prompt of ours.
        let mut shown = if self.is_direct { usize::MAX } else { SHOWN };
        let fits = |said: &&Said| {
            let tokens = room.checked_sub(tokens::estimate(&said.text) + 4);
            let left = tokens.zip(shown.checked_sub(said.text.chars().count() + AROUND));
            (room, shown) = left.unwrap_or_default();
            left.is_some()
        };
        let kept = self.history.iter().rev().take_while(fits).count();
        self.left_out = self.history.len() - kept;
        self.history.drain(..self.left_out);
        self
    }

    /// The conversation as one text; empty where nothing was said before.
    #[must_use]
    pub fn conversation(&self) -> String {
        let said = |said: &Said| format!("{}: {}", said.by.shown(), said.text);
        self.history.iter().map(said).collect::<Vec<_>>().join("\n\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(by: Speaker, text: &str) -> Said {
        Said { by, text: text.to_owned() }
    }

    #[test]
    fn the_newest_turns_are_kept_and_none_from_between() {
        let history = vec![
            said(Speaker::User, "first"),
            said(Speaker::Assistant, &"long ".repeat(100)),
            said(Speaker::User, "last"),
        ];
        let wish = Wish { history, ..Wish::default() };
        let whole = wish.clone().within(Some(128_000));
        assert_eq!((whole.history.len(), whole.left_out), (3, 0));
        let short = wish.clone().within(Some(200));
        assert_eq!((short.conversation().as_str(), short.left_out), ("User: last", 2));
        let none = wish.clone().within(Some(0));
        assert_eq!((none.history.len(), none.left_out), (0, 3));
        assert_eq!(wish.within(None).history.len(), 3);
    }

    #[test]
    fn research_is_given_what_its_prompts_take_and_a_direct_answer_what_the_context_holds() {
        let history = vec![said(Speaker::User, &"word ".repeat(2_000)); 300];
        let wish = Wish { history, ..Wish::default() };
        let kept = |wish: Wish| wish.within(Some(1_050_000)).history.len();
        assert_eq!(kept(wish.clone()), 39);
        assert_eq!(kept(Wish { is_direct: true, ..wish }), 104);
    }

    #[test]
    fn who_goes_on_is_told_of_what_was_left_out_of_the_conversation_that_it_has() {
        let told = |texts: &[&str], left_out| Wish {
            history: texts.iter().map(|text| said(Speaker::User, text)).collect(),
            left_out,
            ..Wish::default()
        };
        let before = told(&["before"], 7);
        assert_eq!(told(&[], 0).or(before.clone()), before);
        assert_eq!(told(&["own"], 0).or(before), told(&["own"], 0));
    }

    #[test]
    fn what_was_kept_before_there_were_wishes_has_none() {
        assert_eq!(serde_json::from_str::<Wish>("{}").unwrap(), Wish::default());
    }
}
