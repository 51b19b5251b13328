//! What providers want back of what their models thought.

use super::*;

/// What a model said, as it is sent to it again.
fn sent_back(model: &str, reply: Reply) -> Value {
    let mut asked = request(model);
    let done = reply.into_completion(&asked, 1);
    asked.messages[2] =
        Message { reasoning: done.reasoning, ..Message::assistant(done.text, done.tool_calls) };
    written(&asked)["messages"][2].clone()
}

#[test]
fn a_signature_goes_back_to_who_signed() {
    let call = |id: &str, extra: Value| {
        json!({ "index": 0, "id": id, "type": "function", "extra_content": extra,
            "function": { "name": "search_web", "arguments": "{}" } })
    };
    let signed = json!({ "google": { "thought_signature": "c2ln" } });
    let reply = |extra: Value| {
        let calls = [call("a", extra), call("b", Value::Null)];
        read(&[stream(&[delta(json!({ "tool_calls": calls })), ending("stop")]).as_bytes()])
            .unwrap()
    };
    let back = sent_back("gemini:gemini-3.5-flash-lite", reply(signed.clone()));
    assert_eq!(back["tool_calls"][0]["extra_content"], signed);
    assert_eq!(back["tool_calls"][1].get("extra_content"), None);
    let custom = sent_back("custom:m", reply(signed.clone()));
    assert_eq!(custom["tool_calls"][0]["extra_content"], signed);
    let other = sent_back("openai:gpt-4o", reply(signed));
    assert_eq!(other["tool_calls"][0].get("extra_content"), None);
    // Calls that another model made, or whose first was forgotten.
    for odd in [Value::Null, json!({ "google": 7 }), json!("x")] {
        let back = sent_back("gemini:gemini-4-flash", reply(odd.clone()));
        let unsigned = "skip_thought_signature_validator";
        assert_eq!(back["tool_calls"][0]["extra_content"]["google"]["thought_signature"], unsigned);
        assert_eq!(back["tool_calls"][1].get("extra_content"), None);
        let older = sent_back("gemini:gemini-2.5-flash", reply(odd));
        assert_eq!(older["tool_calls"][0].get("extra_content"), None);
    }
}

#[test]
fn thoughts_go_back_to_who_wants_them_beside_calls() {
    let thinking = |call: Value| {
        let text = stream(&[
            delta(json!({ "reasoning_content": "Let me " })),
            delta(json!({ "reasoning_content": "look.", "content": null })),
            delta(json!({ "tool_calls": call })),
            ending("tool_calls"),
        ]);
        read(&[text.as_bytes()]).unwrap()
    };
    let call =
        || json!([{ "index": 0, "id": "a", "function": { "name": "x", "arguments": "{}" } }]);
    for (model, thoughts) in [
        ("deepseek:deepseek-flash", Some("Let me look.")),
        ("custom:kimi", Some("Let me look.")),
        ("groq:openai/gpt-oss-20b", None),
        ("openai:gpt-4o", None),
    ] {
        let back = sent_back(model, thinking(call()));
        assert_eq!(back.get("reasoning_content").and_then(Value::as_str), thoughts, "{model}");
    }
    let without_calls = sent_back("deepseek:deepseek-flash", thinking(json!([])));
    assert_eq!(without_calls.get("reasoning_content"), None);
    // A turn without thoughts is refused without the word for them.
    let body = written(&request("deepseek:deepseek-flash"));
    assert_eq!(body["messages"][2]["reasoning_content"], "");
    assert_eq!(written(&request("custom:kimi"))["messages"][2].get("reasoning_content"), None);
}
