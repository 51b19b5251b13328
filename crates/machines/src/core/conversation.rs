//! The conversation of the tool loop: what goes in, and what is pruned from it.
//!
//! Source: the reference's memory controls (cut each result on entry; above a threshold keep
//! system, user, the last assistant message with calls, and the last two results).

use super::Fence;
use quarry_tools::presentable;
use quarry_types::text::cut;
use quarry_types::{Message, Role, ToolCall};
use serde::{Deserialize, Serialize};

/// Tool results kept when a conversation is pruned.
const RESULTS_KEPT: usize = 2;

/// Messages, with the rules for what enters and what stays.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Conversation {
    messages: Vec<Message>,
}

impl Conversation {
    /// A conversation that begins with the researcher's role and task.
    #[must_use]
    pub fn new(system: String, user: String) -> Self {
        Conversation { messages: vec![Message::system(system), Message::user(user)] }
    }

    /// The messages, for a request.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Adds the model's turn with its calls, and what it thought before them where that is wanted back.
    pub fn push_calls<'c>(
        &mut self,
        text: &str,
        reasoning: Option<String>,
        calls: impl Iterator<Item = &'c ToolCall>,
    ) {
        let said = Message::assistant(text, calls.map(presentable).collect());
        self.messages.push(Message { reasoning, ..said });
    }

    /// Adds the result of a call, cut and fenced.
    pub fn push_result(&mut self, call: &ToolCall, output: &str, limit: usize, fence: &Fence) {
        let content = fence.around(&format!("result of {}", call.name), &cut(output, limit));
        self.messages.push(Message::tool_result(&call.id, content));
    }

    /// Estimated tokens of all messages.
    #[must_use]
    pub fn estimate(&self) -> u64 {
        estimate(&self.messages)
    }

    /// Prunes when the estimate is above the threshold; says whether it did.
    ///
    /// Calls whose results are dropped are dropped with them: a provider refuses a result
    /// without its call, and a call without its result.
    pub fn prune(&mut self, above: u64) -> bool {
        if self.estimate() <= above {
            return false;
        }
        let last_calls = self
            .messages
            .iter()
            .rposition(|m| m.role == Role::Assistant && !m.tool_calls.is_empty());
        let Some(last_calls) = last_calls else { return false };
        let before = self.messages.len();
        let mut tail = self.messages.split_off(last_calls).into_iter();
        let turn = tail.next();
        let mut results: Vec<Message> = tail.filter(|m| m.role == Role::Tool).collect();
        results.drain(..results.len().saturating_sub(RESULTS_KEPT));
        let first = |role| self.messages.iter().position(|message| message.role == role);
        let framing = [first(Role::System), first(Role::User)];
        let mut at = 0..;
        self.messages.retain(|_| framing.contains(&at.next()));
        if let Some(mut turn) = turn {
            turn.tool_calls.retain(|call| {
                results.iter().any(|result| result.tool_call_id.as_deref() == Some(&call.id))
            });
            self.messages.push(turn);
        }
        self.messages.append(&mut results);
        self.messages.len() < before
    }
}

/// Estimated tokens of some messages.
#[must_use]
pub fn estimate(messages: &[Message]) -> u64 {
    messages.iter().map(Message::estimate).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: &str) -> ToolCall {
        let (id, name, arguments) = (id.into(), "search_web".into(), "{}".into());
        ToolCall { id, name, arguments, signature: None }
    }

    fn conversation() -> Conversation {
        let mut conversation = Conversation::new("role".into(), "task".into());
        for turn in ["a", "b"] {
            let calls: Vec<ToolCall> = (1..4).map(|n| call(&format!("{turn}{n}"))).collect();
            conversation.push_calls("", Some(format!("about {turn}")), calls.iter());
            for call in &calls {
                conversation.push_result(call, &"x".repeat(400), 300, &Fence("<<f>>".into()));
            }
        }
        conversation
    }

    #[test]
    fn results_are_cut_on_entry() {
        let conversation = conversation();
        let result = &conversation.messages()[3].content;
        assert_eq!(result.matches('x').count(), 299);
        assert!(result.contains('…'));
    }

    #[test]
    fn pruning_keeps_the_working_set_and_no_orphans() {
        let mut conversation = conversation();
        assert!(!conversation.prune(u64::MAX));
        assert!(conversation.prune(100));
        let kept = conversation.messages();
        let roles: Vec<Role> = kept.iter().map(|message| message.role).collect();
        assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::Tool, Role::Tool]);
        let calls: Vec<&str> = kept[2].tool_calls.iter().map(|call| call.id.as_str()).collect();
        let results: Vec<&str> =
            kept[3..].iter().map(|m| m.tool_call_id.as_deref().unwrap()).collect();
        assert_eq!((calls, results), (vec!["b2", "b3"], vec!["b2", "b3"]));
        assert_eq!(kept[2].reasoning.as_deref(), Some("about b"), "a turn is nothing without");
    }

    #[test]
    fn a_conversation_without_calls_is_left_alone() {
        let mut conversation = Conversation::new("r".repeat(9_000), "task".into());
        assert!(!conversation.prune(100));
        assert_eq!(conversation.messages().len(), 2);
    }
}
