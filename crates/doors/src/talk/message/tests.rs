//! What clients send as messages, and what is read of it.

use super::*;
use serde_json::json;

fn read(value: Value) -> Result<Talk, String> {
    Messages::read(value).map(|read| read.map(|Messages(talk)| talk).unwrap_or_default())
}

fn said(by: Speaker, text: &str) -> Said {
    Said { by, text: text.to_owned() }
}

#[test]
fn a_conversation_becomes_question_history_and_instructions() {
    let talk = read(json!([
        { "role": "system", "content": "Answer in French." },
        { "role": "user", "content": [{ "type": "text", "text": "Who?" },
            { "type": "image_url", "image_url": { "url": "data:" } }] },
        { "role": "assistant", "content": "<think>hm\n</think>\n\nAda.", "tool_calls": [] },
        { "role": "assistant", "content": null, "tool_calls": [{}] },
        { "role": "user", "content": " " },
        { "role": "tool", "content": "7", "tool_call_id": "a" },
        { "role": "developer", "content": "Be brief." },
        { "role": "user", "content": [{ "type": "text", "text": "And" }, { "type": "text", "text": "when?" }], "name": "x" },
    ]))
    .unwrap();
    assert_eq!(talk.question, "And\nwhen?");
    assert_eq!(talk.instructions.as_deref(), Some("Answer in French.\n\nBe brief."));
    let instructing = talk.instructing.iter().map(|it| (it.by, it.text.as_str(), it.at));
    assert_eq!(
        instructing.collect::<Vec<_>>(),
        [(Instructor::System, "Answer in French.", 0), (Instructor::Developer, "Be brief.", 2)]
    );
    let first = format!("Who?\n{LEFT_OUT}");
    assert_eq!(talk.history, [said(Speaker::User, &first), said(Speaker::Assistant, "Ada.")]);
    assert_eq!(
        talk.ignored,
        ["messages.user", "messages.tool_calls", "messages.tool", "messages.name"]
    );
}

#[test]
fn what_a_message_has_beside_its_text_is_named() {
    let said = |more: Value| {
        let mut message = json!({ "role": "assistant", "content": "Ada.", "annotations": [] });
        message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        read(json!([message, { "role": "user", "content": "When?" }])).unwrap().ignored
    };
    // As the protocol's own answers have it.
    assert!(said(json!({ "refusal": null, "audio": null, "function_call": null })).is_empty());
    for name in ["name", "refusal", "audio", "function_call"] {
        assert_eq!(said(json!({ name: "x" })), [format!("messages.{name}")]);
    }
}

#[test]
fn what_cannot_be_read_of_a_message_is_named_and_takes_nothing_else_with_it() {
    let question = json!({ "role": "user", "content": [{ "text": "When?" }] });
    for (content, text, is_whole) in [
        (json!([{ "text": "Be brief." }]), "Be brief.", true),
        (json!([{ "type": null, "text": "Be brief." }]), "Be brief.", true),
        (json!([{ "type": "text", "text": { "value": "Be brief." } }]), "Be brief.", true),
        (json!({ "type": "text", "text": "Be brief." }), "Be brief.", true),
        (json!(["Be", "brief."]), "Be\nbrief.", true),
        (json!([{ "text": "Be brief." }, { "type": 7 }]), "Be brief.\n-", false),
        (
            json!([{ "type": "text", "text": ["x"] }, { "text": "Be brief." }]),
            "-\nBe brief.",
            false,
        ),
        (json!([{ "type": "text" }]), "-", false),
        (json!({ "text": 7 }), "-", false),
        (json!(7), "-", false),
    ] {
        for (role, name) in [("system", "messages.system"), ("assistant", "messages.assistant")] {
            let talk = read(json!([{ "role": role, "content": content }, question])).unwrap();
            let said = talk.history.into_iter().map(|said| said.text).next();
            let expected = text.replace('-', LEFT_OUT);
            assert_eq!(talk.instructions.or(said), Some(expected), "{role}: {content}");
            let ignored: &[&str] = if is_whole { &[] } else { &[name] };
            assert_eq!(talk.ignored, ignored, "{role}: {content}");
            assert_eq!(talk.question, "When?");
        }
        let asked = read(json!([{ "role": "user", "content": content }]));
        assert_eq!(asked.is_ok(), is_whole, "{content}");
    }
}

#[test]
fn what_is_no_question_says_why() {
    for (messages, why) in [
        (json!("hello"), "wants a list"),
        (json!([{ "role": "wizard", "content": "x" }]), "wants a list"),
        (
            json!([{ "role": "user", "content": "x" }, { "role": "assistant", "content": "It" }]),
            "must end with",
        ),
        (json!([{ "role": "system", "content": "x" }]), "must end with"),
        (json!([{ "role": "user", "content": [{ "type": "image_url" }] }]), "unsupported content"),
    ] {
        let told = read(messages.clone()).unwrap_err();
        assert!(told.contains(why), "{messages}: {told}");
    }
    assert_eq!(Messages::read(json!([])), Ok(None));
}

#[test]
fn instructions_have_an_end_that_is_told() {
    let long = "ü".repeat(MAX_INSTRUCTIONS);
    let system = |text: &str| json!({ "role": "system", "content": text });
    let question = json!({ "role": "user", "content": "x" });
    let talk = read(json!([system(&long), question])).unwrap();
    assert_eq!(talk.ignored, Vec::<&str>::new());
    let talk = read(json!([system(&long), system("more"), question])).unwrap();
    assert_eq!(talk.instructions.map(|text| text.chars().count()), Some(MAX_INSTRUCTIONS));
    assert_eq!(talk.ignored, ["messages.system"]);
    // They end where there is no room, and not between two.
    let half = "ü".repeat(MAX_INSTRUCTIONS / 2);
    let talk = read(json!([system(&half), system(" "), system(&half), question])).unwrap();
    let all = talk.instructions.unwrap();
    assert_eq!(all.chars().count(), MAX_INSTRUCTIONS);
    assert!(all.ends_with('ü') && all.contains("ü\n\nü"));
    assert_eq!(talk.ignored, ["messages.system"]);
}

#[test]
fn thoughts_are_no_part_of_an_earlier_answer() {
    assert_eq!(without_thoughts("a<think>b</think>c<think>d"), "ac");
    assert_eq!(without_thoughts("plain"), "plain");
}
