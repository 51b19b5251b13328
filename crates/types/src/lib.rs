//! Words that every part of Quarry shares: providers, models, messages, tool calls, usage, cost.
//!
//! Border: plain data, arithmetic, and who does what several want. No I/O, no clock; which wire format a provider speaks is
//! named here and known in `quarry-providers`.

pub mod chat;
pub mod collection;
pub mod cost;
pub mod fnv;
pub mod id;
pub mod in_head;
pub mod json;
pub mod knobs;
pub mod model;
pub mod order;
pub mod places;
pub mod provider;
pub mod raw;
pub mod setting;
pub mod signal;
pub mod single_flight;
pub mod text;
pub mod time;
pub mod tokens;
pub mod word;

pub use chat::{
    ChatError, ChatRequest, Completion, Credential, FinishReason, Message, ReasoningEffort,
    ReplySchema, Role, ToolCall, ToolSpec,
};
pub use collection::{CollectionName, CollectionNameError};
pub use cost::{Price, Usage, Usd};
pub use id::{AskId, RunId};
pub use knobs::{Backoff, Effort as RunEffort, Knobs, OnTimeout, ReportStyle, Retries, Timeouts};
pub use model::{ModelId, ModelIdError};
pub use provider::{Effort, Key, Provider, ProviderSheet, Thoughts, UnknownProvider, Wire};
pub use raw::{Json, KnownJson};
pub use setting::SettingError;
pub use signal::Signal;
pub use time::Timestamp;
