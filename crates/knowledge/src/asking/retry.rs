//! How often a model is asked again. Which failures pass by themselves is `ChatError`'s to say, and the waits are made
//! where models are called (`quarry-providers`).

/// How often a call is tried again.
pub const MAX_RETRIES: u32 = 3;

/// A call that failed for good.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("LLM request failed: {0}")]
pub struct LlmFailed(pub String);
