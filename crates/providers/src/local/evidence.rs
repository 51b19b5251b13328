//! Sources in prompts and tool results.
//!
//! Border: messages in, addresses with their text out. Reads our own evidence block, JSON of the
//! search and page tools (also when it was cut off), and failing that any address followed by text.

use quarry_types::{Message, Role};
use serde_json::Value;

/// A source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Source {
    pub url: String,
    pub title: String,
    /// `YYYY-MM-DD`, or as much of it as is known.
    pub date: Option<String>,
    /// What the search engine said of it.
    pub description: String,
    /// What was read of it; empty when nothing was.
    pub text: String,
    /// Whether reading it failed.
    pub failed: bool,
}

/// What a conversation holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Evidence {
    pub sources: Vec<Source>,
    /// What programs printed.
    pub results: Vec<String>,
}

impl Evidence {
    fn add(&mut self, source: Source) {
        if !is_address(&source.url) {
            return;
        }
        match self.sources.iter_mut().find(|known| known.url == source.url) {
            Some(known) => {
                if known.text.len() < source.text.len() {
                    known.text = source.text;
                    known.failed = false;
                }
                known.failed |= source.failed && known.text.is_empty();
                known.date = known.date.take().or(source.date);
                if known.description.is_empty() {
                    known.description = source.description;
                }
            }
            None => self.sources.push(source),
        }
    }
}

fn is_address(url: &str) -> bool {
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    host.is_some_and(|host| !host.is_empty()) && !url.contains(|c: char| c.is_whitespace())
}

/// The results of the tool calls in a conversation.
pub(super) fn of_tools(messages: &[Message]) -> Evidence {
    let fence = fence(messages);
    let mut evidence = Evidence::default();
    for message in messages.iter().filter(|message| message.role == Role::Tool) {
        read_json(&unfenced(&message.content, fence.as_deref()), &mut evidence);
    }
    evidence
}

/// The evidence in the prompt for the answer.
pub(super) fn of_prompt(messages: &[Message]) -> Evidence {
    let fence = fence(messages);
    let mut evidence = Evidence::default();
    for message in messages.iter().filter(|m| matches!(m.role, Role::User | Role::Tool)) {
        let content = unfenced(&message.content, fence.as_deref());
        read_results(&content, &mut evidence);
        let before = evidence.sources.len();
        read_blocks(&content, &mut evidence);
        if evidence.sources.len() == before {
            read_json(&content, &mut evidence);
        }
        if evidence.sources.len() == before {
            read_addresses(&content, &mut evidence);
        }
    }
    evidence
}

/// The mark that fences outside text, as the system prompt names it.
fn fence(messages: &[Message]) -> Option<String> {
    let system = messages.iter().find(|message| message.role == Role::System)?;
    let (_, rest) = system.content.split_once("lines that begin with ")?;
    let mark = rest.split_whitespace().next()?.trim_matches([',', '.', '`', '"']);
    (mark.len() >= 4).then(|| mark.to_owned())
}

/// What stands inside the fences; everything when there are none.
fn unfenced(content: &str, fence: Option<&str>) -> String {
    let Some(fence) = fence.filter(|fence| content.contains(*fence)) else {
        return content.to_owned();
    };
    let mut inside = false;
    let mut out = String::new();
    for line in content.lines() {
        if line.starts_with(fence) {
            inside = !inside;
        } else if inside {
            out.push_str(line);
            out.push('\n');
        } else {
            // `Data: <mark> evidence`: a block may begin after a label.
            inside = line.contains(fence);
        }
    }
    out
}

fn read_results(content: &str, evidence: &mut Evidence) {
    const LABEL: &str = "Calculation result:";
    for line in content.lines().filter_map(|line| line.strip_prefix(LABEL)) {
        evidence.results.push(line.trim().to_owned());
    }
}

/// `[n] title — url (date)`, then text up to the next such line.
fn read_blocks(content: &str, evidence: &mut Evidence) {
    let mut open: Option<Source> = None;
    for line in content.lines() {
        if let Some(source) = block_head(line) {
            if let Some(done) = open.replace(source) {
                evidence.add(done);
            }
        } else if let Some(source) = &mut open {
            source.text.push_str(line);
            source.text.push('\n');
        }
    }
    if let Some(done) = open {
        evidence.add(done);
    }
}

fn block_head(line: &str) -> Option<Source> {
    let (number, rest) = line.strip_prefix('[')?.split_once("] ")?;
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (title, address) = rest.rsplit_once(" — ").or_else(|| rest.rsplit_once(" - "))?;
    let (url, date) = match address.trim().split_once(" (") {
        Some((url, date)) => (url, Some(date.trim_end_matches(')').to_owned())),
        None => (address.trim(), None),
    };
    let (url, title) = (url.to_owned(), title.trim().to_owned());
    is_address(&url).then(|| Source { url, title, date, ..Source::default() })
}

/// Outputs of the tools: one JSON object, several on lines of their own, or one that was cut off.
fn read_json(content: &str, evidence: &mut Evidence) {
    let content = content.trim();
    if let Ok(value) = serde_json::from_str::<Value>(content) {
        read_output(&value, evidence);
        return;
    }
    for line in content.lines() {
        let start = line.find('{').unwrap_or(line.len());
        let line = line.get(start..).unwrap_or_default();
        match serde_json::from_str::<Value>(line) {
            Ok(value) => read_output(&value, evidence),
            Err(_) => read_torn(line, evidence),
        }
    }
}

fn read_output(output: &Value, evidence: &mut Evidence) {
    let text = |value: &Value, key: &str| {
        value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let source = |value: &Value| Source {
        url: text(value, "url"),
        title: text(value, "title"),
        date: value.get("date").and_then(Value::as_str).map(str::to_owned),
        description: text(value, "description"),
        text: text(value, "content"),
        failed: value.get("error").is_some() || text(value, "state") == "failed",
    };
    if let Some(results) = output.get("results").and_then(Value::as_array) {
        results.iter().for_each(|result| evidence.add(source(result)));
    } else if output.get("url").is_some() {
        evidence.add(source(output));
    }
    if let Some(result) = output.get("result").and_then(Value::as_str) {
        evidence.results.push(result.to_owned());
    }
}

/// JSON that was cut off: its text fields, as far as they go, each belonging to the address that
/// stands nearest.
fn read_torn(line: &str, evidence: &mut Evidence) {
    let mut source = Source::default();
    let mut rest = line;
    while let Some((key, value, after)) = next_field(rest) {
        rest = after;
        let is_repeated = match key {
            "url" => !source.url.is_empty(),
            "title" => !source.title.is_empty(),
            _ => false,
        };
        if is_repeated {
            evidence.add(std::mem::take(&mut source));
        }
        match key {
            "url" => source.url = value,
            "title" => source.title = value,
            "description" => source.description = value,
            "content" => source.text = value,
            "date" => source.date = Some(value),
            "error" => source.failed = true,
            "result" => evidence.results.push(value),
            _ => {}
        }
    }
    evidence.add(source);
}

/// The next `"key":"value"`, its value unescaped; a value that was cut off counts as far as it goes.
fn next_field(text: &str) -> Option<(&str, String, &str)> {
    let at = text.find("\":\"").or_else(|| text.find("\": \""))?;
    let key_start = text.get(..at)?.rfind('"')? + 1;
    let key = text.get(key_start..at)?;
    let value_at = at + if text.get(at..)?.starts_with("\":\"") { 3 } else { 4 };
    let body = text.get(value_at..)?;
    let mut escaped = false;
    let end = body.char_indices().find_map(|(at, character)| {
        let ends = character == '"' && !escaped;
        escaped = character == '\\' && !escaped;
        ends.then_some(at)
    });
    let raw = body.get(..end.unwrap_or(body.len()))?;
    let whole = raw.trim_end_matches(['\\', '…']);
    let value = serde_json::from_str(&format!("\"{whole}\"")).unwrap_or_else(|_| whole.to_owned());
    Some((key, value, body.get(end.map_or(body.len(), |end| end + 1)..)?))
}

/// The last resort: each address, with the text that follows it.
fn read_addresses(content: &str, evidence: &mut Evidence) {
    let starts: Vec<usize> = content
        .match_indices("http")
        .map(|(at, _)| at)
        .filter(|at| {
            content
                .get(*at..)
                .is_some_and(|rest| rest.starts_with("http://") || rest.starts_with("https://"))
        })
        .collect();
    for (position, start) in starts.iter().enumerate() {
        let end = starts.get(position + 1).copied().unwrap_or(content.len());
        let block = content.get(*start..end).unwrap_or_default();
        let stop = block
            .find(|c: char| c.is_whitespace() || matches!(c, ')' | ']' | '>' | '"' | '\''))
            .unwrap_or(block.len());
        let (url, text) = block.split_at_checked(stop).unwrap_or((block, ""));
        let url = url.trim_end_matches(['.', ',', ';', ':']);
        let text = text.trim_start_matches([')', ']', '>', '"', '\'', ':', ' ']);
        evidence.add(Source {
            url: url.to_owned(),
            title: url.to_owned(),
            text: text.to_owned(),
            ..Source::default()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn our_own_evidence_block() {
        let messages = [
            Message::system("Text between lines that begin with <<7f>> comes from the outside."),
            Message::user(
                "Question: q\n\nEvidence:\n<<7f>> evidence\nCalculation result: 4\n\n[1] A — b — https://a.example/ (2024-01-02)\nFirst.\nSecond.\n\n[2] B — https://b.example/\nThird.\n<<7f>> end\n\nAnswer.",
            ),
        ];
        let evidence = of_prompt(&messages);
        assert_eq!(evidence.results, ["4"]);
        let [a, b] = &evidence.sources[..] else { panic!("two sources: {evidence:?}") };
        assert_eq!((a.title.as_str(), a.date.as_deref()), ("A — b", Some("2024-01-02")));
        assert_eq!(a.text.trim(), "First.\nSecond.");
        assert_eq!((b.url.as_str(), b.text.trim()), ("https://b.example/", "Third."));
    }

    #[test]
    fn tool_results_whole_and_torn() {
        let whole = r#"{"query":"q","results":[{"title":"T","url":"https://a.example/","description":"D","content":"C \"x\""},{"title":"U","url":"https://b.example/","description":"E","error":"gone"}]}"#;
        for content in
            [whole.to_owned(), format!("<<7f>> result of search_web\n{whole}\n<<7f>> end")]
        {
            let messages = [
                Message::system("lines that begin with <<7f>> are outside"),
                Message::tool_result("c1", content),
            ];
            let evidence = of_tools(&messages);
            assert_eq!(evidence.sources.len(), 2);
            assert_eq!(evidence.sources[0].text, "C \"x\"");
            assert!(evidence.sources[1].failed);
        }
        let torn = whole.get(..95).unwrap();
        let evidence = of_tools(&[Message::tool_result("c1", format!("{torn}…"))]);
        assert_eq!(evidence.sources[0].url, "https://a.example/");
        assert!(evidence.sources[0].description == "D", "{evidence:?}");
    }

    #[test]
    fn any_address_with_text_will_do() {
        let messages =
            [Message::user("See https://a.example/x, it says one. And (https://b.example) two.")];
        let evidence = of_prompt(&messages);
        let urls: Vec<&str> = evidence.sources.iter().map(|s| s.url.as_str()).collect();
        assert_eq!(urls, ["https://a.example/x", "https://b.example"]);
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "(\\PC|\n|\\[1\\] a — https://x.y|\"url\":\"http://|\\\\){0,60}") {
            let _ = of_prompt(&[Message::user(text.clone())]);
            let _ = of_tools(&[Message::tool_result("c", text)]);
        }
    }
}
