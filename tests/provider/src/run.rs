//! A script while it is played: which replies are used up, and what was asked.
//!
//! Border: requests in, replies as they go over the wire out. No socket and no clock: the server
//! plays them over HTTP, whoever has virtual time plays them as it likes.

use crate::playback::Playback;
use crate::record::{Recorded, Wire};
use crate::script::{Reply, Script};
use serde_json::Value;
use std::sync::Arc;

/// A script while it is played.
#[derive(Debug, Default)]
pub struct ScriptRun {
    script: Arc<Script>,
    /// Replies taken from each rule.
    used: Vec<usize>,
    requests: Vec<Recorded>,
}

impl ScriptRun {
    /// A script that nobody has asked anything yet.
    #[must_use]
    pub fn new(script: Script) -> ScriptRun {
        ScriptRun { script: Arc::new(script), ..ScriptRun::default() }
    }

    /// Puts another script in place; its rules start afresh.
    pub fn begin(&mut self, script: Script) {
        self.script = Arc::new(script);
        self.used.clear();
    }

    /// The script.
    #[must_use]
    pub fn script(&self) -> Arc<Script> {
        self.script.clone()
    }

    /// Everything that was asked so far, in the order of arrival.
    #[must_use]
    pub fn requests(&self) -> &[Recorded] {
        &self.requests
    }

    /// Forgets what was recorded.
    pub fn forget(&mut self) {
        self.requests.clear();
    }

    /// Records a request and takes its reply from the script; none for what is no model call.
    pub fn answer(&mut self, request: Recorded) -> Option<Playback> {
        let unscripted = || Reply::status(418, "the script has no reply for this request");
        let playback = request.call.map(|(wire, _)| {
            let scripted = self.script.reply(&request, &mut self.used);
            let scripted = scripted.or_else(|| wire.embeds().then(Reply::default));
            let refused = refusal(&self.script, wire, &request);
            let reply = refused.or(scripted).unwrap_or_else(unscripted);
            Playback::of(&reply, wire, &request.body)
        });
        if !self.script.unrecorded {
            self.requests.push(request);
        }
        playback
    }
}

/// What every provider refuses, whatever the script says.
fn refusal(script: &Script, wire: Wire, request: &Recorded) -> Option<Reply> {
    let sent = match wire {
        Wire::OpenAi | Wire::Responses | Wire::Embeddings | Wire::OllamaEmbed => {
            request.header("authorization").and_then(|value| value.strip_prefix("Bearer "))
        }
        Wire::Anthropic => request.header("x-api-key"),
    };
    if script.key.is_some() && script.key.as_deref() != sent {
        return Some(Reply::status(401, "Incorrect API key provided"));
    }
    if !wire.embeds() && request.body.get("stream") != Some(&Value::Bool(true)) {
        return Some(Reply::status(400, "this provider streams only: set `stream`"));
    }
    None
}
