//! `local:extractive`.

use crate::reply::{Reply, estimate_usage};
use quarry_types::{ChatError, ChatRequest, Completion, FinishReason};

/// Completes.
///
/// # Errors
/// none
pub fn complete(request: &ChatRequest) -> Result<Completion, ChatError> {
    let reply = Reply {
        text: String::new(),
        tool_calls: vec![],
        usage: None,
        finish_reason: FinishReason::Stop,
        model: "extractive".into(),
    };
    let usage = estimate_usage(request, &reply);
    Ok(Reply { usage: Some(usage), ..reply }.into_completion(request, 1))
}
