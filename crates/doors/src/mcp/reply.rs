//! Results, as each version wraps them, and what the server says of itself.
//!
//! Border: values in, JSON texts and replies out.

use quarry_types::json::{put, text};
use serde_json::{Map, Value, json};

use super::Set;
use super::address;
use super::era::Version;
use super::message::Id;
use super::tasks::EXTENSION;
use crate::{Refusal, Reply};

const TOOLS: &str = include_str!("tools.json");
const CONNECTOR: &str = include_str!("connector.json");
const OUTPUT: &str = include_str!("output.json");
const GUIDE: &str = include_str!("guide.md");

/// The prompt's name.
pub(super) const PROMPT: &str = "deep_research";

/// What begins the names of tools that give the state of a research.
const RESEARCH: &str = "research";

/// How long lists may be kept, in milliseconds: they change with the program alone.
const LISTS_LAST: u64 = 3_600_000;

/// Whether others may be given what one was answered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Public,
    Private,
}

/// By what a result says which server gave it.
pub(super) const SERVER: &str = "io.modelcontextprotocol/serverInfo";

/// The server, as it names itself.
pub(super) fn server() -> Value {
    json!({ "name": "quarry", "title": "Quarry", "version": env!("CARGO_PKG_VERSION") })
}

/// The extension of tasks is of the new era alone.
fn capabilities(set: Set, is_modern: bool) -> Value {
    match set {
        Set::Whole if is_modern => {
            let extensions = Map::from_iter([(EXTENSION.to_owned(), json!({}))]);
            json!({ "tools": {}, "resources": {}, "prompts": {}, "extensions": extensions })
        }
        Set::Whole => json!({ "tools": {}, "resources": {}, "prompts": {} }),
        Set::Connector => json!({ "tools": {} }),
    }
}

const fn instructions(set: Set) -> &'static str {
    match set {
        Set::Whole => INSTRUCTIONS,
        Set::Connector => "search finds pages of the web, and fetch reads one by its id.",
    }
}

/// A model cannot help it; whoever set its host up can.
const NO_KEY: &str = "nobody's key pays for the model's provider: the operator has set none, and this host sends none as `Authorization: Bearer` or `X-Provider-Key`";

/// The tool's own words for a bound that cannot be held.
const NO_PRICE: &str = "`budget_usd` cannot be held: nobody knows a price for the model that would answer; leave it out";

const INSTRUCTIONS: &str = "Quarry researches questions and answers with cited sources. Call research; where its result is running, call research_result with its id until it is not.";

/// A JSON text with the answer to the request with this id.
pub(super) fn message(id: &Id, version: Version, result: Value) -> String {
    message_of(id, version, "complete", result)
}

/// The same with a result of this type, where the version tells types apart.
pub(super) fn message_of(id: &Id, version: Version, kind: &str, mut result: Value) -> String {
    if version.is_modern() {
        put(&mut result, "resultType", kind);
        put(&mut result, "_meta", json!({ SERVER: server() }));
    }
    let mut message = json!({ "jsonrpc": "2.0", "id": id });
    // As it is: it may be long.
    put(&mut message, "result", result);
    text(&message).unwrap_or_default()
}

/// The same as a reply.
pub(super) fn result(id: &Id, version: Version, result: Value) -> Reply {
    Reply::json(200, message(id, version, result))
}

/// How long a result may be kept, and by whom, where the version has words for it.
pub(super) fn kept(version: Version, scope: Scope, mut result: Value) -> Value {
    if version.is_modern() {
        let (last, name) = match scope {
            Scope::Public => (LISTS_LAST, "public"),
            Scope::Private => (0, "private"),
        };
        put(&mut result, "ttlMs", last);
        put(&mut result, "cacheScope", name);
    }
    result
}

/// What a notification is answered with.
pub(super) fn accepted() -> Reply {
    Reply { status: 202, ..Reply::empty() }
}

/// The result of a handshake.
pub(super) fn greeting(version: Version, set: Set) -> Value {
    json!({
        "protocolVersion": version.as_str(), "capabilities": capabilities(set, false),
        "serverInfo": server(), "instructions": instructions(set),
    })
}

/// The result of `server/discover`.
pub(super) fn discovered(version: Version, set: Set) -> Value {
    let supported = Version::ALL.map(Version::as_str);
    let result = json!({
        "supportedVersions": supported, "capabilities": capabilities(set, version.is_modern()),
        "serverInfo": server(), "instructions": instructions(set),
    });
    kept(version, Scope::Public, result)
}

/// The tools, always in the same order.
pub(super) fn tools() -> Value {
    let mut tools: Value = serde_json::from_str(TOOLS).unwrap_or_default();
    let output: Value = serde_json::from_str(OUTPUT).unwrap_or_default();
    for tool in tools.as_array_mut().into_iter().flatten() {
        if tool.get("name").and_then(Value::as_str).is_some_and(|name| name.starts_with(RESEARCH)) {
            put(tool, "outputSchema", output.clone());
        }
    }
    tools
}

/// A connector's pair of tools.
pub(super) fn pair() -> Value {
    serde_json::from_str(CONNECTOR).unwrap_or_default()
}

/// The prompts.
pub(super) fn prompts() -> Value {
    json!([{
        "name": PROMPT, "title": "Deep research",
        "description": "Research a question thoroughly and report with citations.",
        "arguments": [
            { "name": "question", "description": "What is to be researched.", "required": true },
            { "name": "context", "description": "What is known already.", "required": false },
        ],
    }])
}

/// The prompt, filled in.
pub(super) fn prompt(question: &str, context: Option<&str>) -> Value {
    let known = context.map(|context| format!("\n\nWhat is known already:\n{context}"));
    let text = format!(
        "Research this question with the tool research of Quarry, with effort high. While its result is running, call research_result. Then report the answer with its citations as links, and say what stayed open.\n\n{question}{}",
        known.unwrap_or_default()
    );
    json!({
        "description": "Research a question thoroughly and report with citations.",
        "messages": [{ "role": "user", "content": { "type": "text", "text": text } }],
    })
}

/// The contents of a resource.
pub(super) fn contents(uri: &str, kind: &str, text: &str) -> Value {
    json!({ "contents": [{ "uri": uri, "mimeType": kind, "text": text }] })
}

/// The guide.
pub(super) fn guide(uri: &str) -> Value {
    contents(uri, address::MARKDOWN, GUIDE)
}

/// A tool's result that says what is wrong with its call.
pub(super) fn trouble(refusal: &Refusal) -> Value {
    let mut text = match refusal {
        Refusal::MissingKey(_) | Refusal::NeedsKey(_) => NO_KEY.to_owned(),
        // In this tool's own words: it takes no bound in tokens, and may name no model.
        Refusal::InvalidField { field, .. } if field == "budget.usd" => NO_PRICE.to_owned(),
        other => other.to_string(),
    };
    if let Some(seconds) = refusal.retry_after() {
        text.push_str(&format!("; try again in {seconds} s"));
    }
    json!({ "content": [{ "type": "text", "text": text }], "isError": true })
}

/// Several answers in one, without those that say nothing.
pub(super) fn batched(replies: Vec<Reply>) -> Reply {
    let bodies = replies.iter().filter(|reply| !reply.body.is_empty());
    let bodies: Vec<&[u8]> = bodies.map(|reply| &*reply.body).collect();
    if bodies.is_empty() {
        return accepted();
    }
    let joined = [b"[".to_vec(), bodies.join(&b','), b"]".to_vec()].concat();
    Reply::json(200, String::from_utf8(joined).unwrap_or_default())
}

/// An object's parameters that are an object themselves.
pub(super) fn arguments(params: &Map<String, Value>) -> Option<Map<String, Value>> {
    match params.get("arguments") {
        None | Some(Value::Null) => Some(Map::new()),
        Some(Value::Object(arguments)) => Some(arguments.clone()),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_have_schemas_that_are_schemas() {
        let tools = tools();
        let names: Vec<&str> =
            tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        let researches = ["research", "research_result", "research_stop"];
        let single = ["search_web", "read_page", "run_javascript", "search_knowledge"];
        assert_eq!(names, [researches.as_slice(), &single].concat());
        for tool in tools.as_array().unwrap() {
            assert_eq!(tool["inputSchema"]["additionalProperties"], false);
            let output = tool.get("outputSchema");
            assert_eq!(output.is_some(), researches.contains(&tool["name"].as_str().unwrap()));
            for schema in output.into_iter().chain([&tool["inputSchema"]]) {
                assert!(jsonschema::draft202012::options().build(schema).is_ok(), "{schema}");
            }
        }
    }

    #[test]
    fn a_connector_has_a_pair_of_tools() {
        let pair = pair();
        let names = pair.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap());
        assert_eq!(names.collect::<Vec<_>>(), ["search", "fetch"]);
    }

    #[test]
    fn only_the_new_era_wraps_results() {
        let id = Id::Number(1);
        let old = message(
            &id,
            Version::November2025,
            kept(Version::November2025, Scope::Public, json!({})),
        );
        assert_eq!(old, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
        let new =
            message(&id, Version::July2026, kept(Version::July2026, Scope::Private, json!({})));
        let new: Value = serde_json::from_str(&new).unwrap();
        assert_eq!(
            (&new["result"]["resultType"], &new["result"]["ttlMs"]),
            (&json!("complete"), &json!(0))
        );
        assert_eq!(new["result"]["cacheScope"], "private");
        assert_eq!(new["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "quarry");
    }

    #[test]
    fn a_batch_has_the_answers_alone() {
        let one = Reply::json(200, "{}");
        let body = batched(vec![one.clone(), accepted(), one]).body;
        assert_eq!(&*body, b"[{},{}]");
        assert_eq!(batched(vec![accepted()]).status, 202);
    }
}
