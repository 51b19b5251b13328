//! The door of responses: every golden log through its fold, and the built components, read by the rules that the
//! official clients hold.

mod golden;
pub(crate) mod kept;
mod served;

use serde_json::{Value, json};

/// A frame as it came.
#[derive(Debug, Clone, PartialEq)]
struct Frame {
    kind: String,
    number: u64,
    data: Value,
}

/// What a client puts together of a stream.
#[derive(Debug, Default)]
struct Assembled {
    output: Vec<Value>,
    open: Vec<usize>,
    last: Option<Value>,
}

/// The frames of a stream. Signs of life stand before one, on a line of their own.
fn frames(sent: &str) -> Vec<Frame> {
    let rest = sent.strip_suffix("data: [DONE]\n\n").unwrap_or_else(|| panic!("no [DONE]: {sent}"));
    let frame = |frame: &str| {
        let frame = frame.trim_start_matches(":\n");
        let (name, data) = frame.split_once('\n').unwrap_or_else(|| panic!("{frame}"));
        let name = name.strip_prefix("event: ").unwrap_or_else(|| panic!("{frame}"));
        let data = data.strip_prefix("data: ").unwrap_or_else(|| panic!("{frame}"));
        let data: Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["type"], name);
        Frame { kind: name.to_owned(), number: data["sequence_number"].as_u64().unwrap(), data }
    };
    rest.split_terminator("\n\n").map(frame).collect()
}

/// Reads a whole stream and asserts what the official clients do. Gives the last response.
fn assembled(frames: &[Frame]) -> Value {
    let mut all = Assembled::default();
    assert_eq!(frames[0].kind, "response.created", "clients want it first");
    for (at, frame) in frames.iter().enumerate() {
        assert_eq!(frame.number, u64::try_from(at).unwrap());
        assert!(all.last.is_none(), "a frame behind the last: {frame:?}");
        all.take(frame);
    }
    let last = all.last.expect("no last frame");
    assert_eq!(all.open, Vec::<usize>::new(), "items that are never closed");
    assert_eq!(
        last["output"],
        json!(all.output),
        "the last response has the items as they were told"
    );
    last
}

impl Assembled {
    fn take(&mut self, frame: &Frame) {
        let data = &frame.data;
        let index = || usize::try_from(data["output_index"].as_u64().unwrap()).unwrap();
        match frame.kind.as_str() {
            "response.created" | "response.queued" | "response.in_progress" => {
                assert_eq!(data["response"]["output"], json!([]));
            }
            "response.completed" | "response.incomplete" | "response.failed" => {
                self.last = Some(data["response"].clone());
            }
            "response.output_item.added" => {
                assert_eq!(index(), self.output.len());
                self.open.push(index());
                self.output.push(data["item"].clone());
            }
            "response.output_item.done" => {
                let at =
                    self.open.iter().position(|open| *open == index()).expect("it is not open");
                self.open.swap_remove(at);
                let (added, done) = (&self.output[index()], &data["item"]);
                assert_eq!((&added["id"], &added["type"]), (&done["id"], &done["type"]));
                assert_ne!(done["status"], "in_progress");
                let parts = ["content", "summary"].map(|name| done[name].clone());
                for (told, whole) in [&added["content"], &added["summary"]].iter().zip(parts) {
                    assert_eq!(**told, whole, "what was told piece by piece is what is whole");
                }
                self.output[index()] = done.clone();
            }
            _ => self.part(frame, index()),
        }
    }

    fn part(&mut self, frame: &Frame, at: usize) {
        assert!(self.open.contains(&at), "a frame of an item that is not open: {frame:?}");
        let (data, item) = (&frame.data, &mut self.output[at]);
        assert_eq!(data["item_id"], item["id"]);
        match frame.kind.as_str() {
            "response.content_part.added" => item["content"] = json!([data["part"]]),
            "response.reasoning_summary_part.added" => item["summary"] = json!([data["part"]]),
            "response.output_text.delta" => {
                let text = item["content"][0]["text"].as_str().unwrap().to_owned();
                item["content"][0]["text"] = json!(text + data["delta"].as_str().unwrap());
            }
            "response.reasoning_summary_text.delta" => {
                let text = item["summary"][0]["text"].as_str().unwrap().to_owned();
                item["summary"][0]["text"] = json!(text + data["delta"].as_str().unwrap());
            }
            "response.output_text.annotation.added" => {
                let all = item["content"][0]["annotations"].as_array_mut().unwrap();
                assert_eq!(data["annotation_index"], all.len());
                all.push(data["annotation"].clone());
            }
            "response.output_text.done" => assert_eq!(data["text"], item["content"][0]["text"]),
            "response.content_part.done" => assert_eq!(data["part"], item["content"][0]),
            "response.reasoning_summary_text.done" => {
                assert_eq!(data["text"], item["summary"][0]["text"]);
            }
            "response.reasoning_summary_part.done" => assert_eq!(data["part"], item["summary"][0]),
            kind => {
                let of_call = kind.split('.').nth(1).unwrap();
                let name = item["type"].as_str().unwrap();
                assert!(of_call.starts_with(name), "{kind} of {name}");
            }
        }
    }
}

/// The answer's text.
fn text(response: &Value) -> String {
    let items = response["output"].as_array().unwrap().iter();
    let texts = items.filter(|item| item["type"] == "message");
    texts.map(|item| item["content"][0]["text"].as_str().unwrap()).collect()
}
