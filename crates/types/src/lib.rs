//! Words that every part of Quarry shares: models, messages, tool calls, usage, cost.
//!
//! Border: plain data and arithmetic. No I/O, no clock, no wire format of any provider.

pub mod chat;
pub mod cost;
pub mod id;
pub mod json;
pub mod model;
pub mod text;
pub mod time;
pub mod tokens;

pub use chat::{
    ChatError, ChatRequest, Completion, Credential, FinishReason, Message, ReasoningEffort, Role,
    ToolCall, ToolSpec,
};
pub use cost::{Price, Usage, Usd};
pub use id::AskId;
pub use model::{ModelId, ModelIdError, Provider};
pub use time::Timestamp;
