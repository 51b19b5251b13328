//! The same ask through other doors: what a client's protocol costs over `/ask`.

use crate::ask::{self, MODEL_CALLS};
use crate::client::{self, Target};
use crate::report::Report;
use crate::subject::{self, Subject};
use crate::{Arguments, Kept, Plan};
use anyhow::{Result, bail};
use quarry_test_provider::Script;
use serde_json::{Value, json};

/// The doors, with a request for the ask of [`ask::question`] and the words that end a whole answer. Those that take
/// a request that is sent again for a retry are not among them: each of theirs would need words of its own.
fn doors() -> [(&'static str, &'static str, Value, &'static str); 3] {
    let asked = ask::question();
    let of = |name: &str| asked.get(name).cloned().unwrap_or_default();
    let extension = json!({ "max_iterations": of("max_iterations") });
    let (text, model) = (of("query"), of("model"));
    let spoken = json!([{ "role": "user", "content": text }]);
    let shown = json!([{ "id": "m", "role": "user", "parts": [{ "type": "text", "text": text }] }]);
    [
        (
            "Chat Completions",
            "/v1/chat/completions",
            json!({ "model": model, "stream": true, "messages": spoken, "quarry": extension }),
            "data: [DONE]",
        ),
        (
            "Responses",
            "/v1/responses",
            json!({ "model": model, "stream": true, "input": text, "quarry": extension }),
            "event: response.completed",
        ),
        (
            "the AI SDK's pages",
            "/api/chat",
            json!({ "id": "bench", "model": model, "messages": shown, "quarry": extension }),
            "data: [DONE]",
        ),
    ]
}

/// Measures all of them by turns, where nothing but the ask takes time.
pub async fn measure(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let Arguments { program, manifest, plan, .. } = arguments;
    let provider = ask::ordinary(arguments).await?;
    provider.set_script(Script { unrecorded: true, ..Script::ordinary().in_frames() });
    let url = provider.openai_base_url();
    let quarry = program.prompt().quarry(manifest, &url, Kept::unless(program)).await?;
    let through_ask = Subject::ours("ask", &quarry, ask::asked(&quarry)).asking(&provider);
    let mut subjects = vec![through_ask];
    for (name, path, body, end) in doors() {
        let target = Target::post(quarry.address, path, &body);
        let before = provider.served();
        let seen = client::once(&target).await?.body;
        let calls = provider.served() - before;
        let told = String::from_utf8_lossy(&seen);
        if calls != MODEL_CALLS || !told.contains(end) {
            bail!("what {name} tells is not the ask to measure: {calls} calls\n{told}");
        }
        subjects.push(Subject::ours(name, &quarry, target).asking(&provider));
    }
    // As many as tell a tenth of a millisecond from the machine's mood.
    let plan = Plan { loaded: plan.loaded / 4, ..*plan };
    subject::measure(&mut subjects, plan).await?;
    if let Some((ask, doors)) = subjects.split_first() {
        doors.iter().for_each(|door| report.door(door, ask));
    }
    Ok(())
}
