//! The door of the Model Context Protocol: every golden log through its fold, and the built components, by the rules
//! that the official clients hold, in both of its eras.

mod golden;
mod host;
mod refused;
mod served;
mod steps;

use serde_json::{Value, json};

/// A frame with a message.
#[derive(Debug, Clone, PartialEq)]
struct Frame {
    id: Option<String>,
    data: Value,
}

/// The frames of a stream, without the first one that is an id alone. Signs of life stand on lines of their own.
fn frames(sent: &str) -> Vec<Frame> {
    assert!(sent.ends_with("\n\n"), "{sent}");
    let frame = |frame: &str| {
        let mut read = Frame { id: None, data: Value::Null };
        for line in frame.lines().filter(|line| *line != ":") {
            match line.split_once(": ").unwrap_or_else(|| panic!("{line}")) {
                ("id", id) => read.id = Some(id.to_owned()),
                ("retry", _) | ("data", "") => {}
                ("data", data) => read.data = serde_json::from_str(data).unwrap(),
                _ => panic!("{line}"),
            }
        }
        read
    };
    let all = sent.split_terminator("\n\n").map(frame);
    all.filter(|frame| !frame.data.is_null()).collect()
}

/// A call of the tool in an old version.
fn old(token: bool) -> Value {
    let meta = if token { json!({ "progressToken": "t" }) } else { json!({}) };
    json!({
        "jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": { "name": "research", "arguments": { "question": "Why?" }, "_meta": meta },
    })
}
