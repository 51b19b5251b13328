//! Calls as models write them: read, refused with a sentence, made presentable.

use crate::{FailureKind, Job, ToolFailure, ToolName};
use quarry_types::text::cut;
use quarry_types::{ToolCall, json};
use serde_json::{Map, Value, json};

/// A call as read: its arguments for events, and the job or why it is refused.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The arguments as far as they could be read; an object.
    pub arguments: Value,
    /// What to run, or why not.
    pub job: Result<Job, ToolFailure>,
}

/// Characters of a tool's name that providers allow.
const NAME_CHARACTERS: usize = 64;

/// Reads a call against the tools on offer.
#[must_use]
pub fn read_call(call: &ToolCall, offered: &[ToolName]) -> Call {
    let text = if call.arguments.trim().is_empty() { "{}" } else { &call.arguments };
    let Some(arguments) = json::read_whole(text) else {
        let job = Err(refused("the arguments are not one whole JSON object".to_owned()));
        return Call { arguments: json!({}), job };
    };
    let tool = offered.iter().find(|tool| tool.as_str() == call.name);
    let Some((tool, schema)) = tool.and_then(|tool| Some((tool, tool.schema()?))) else {
        let names: Vec<&str> = offered.iter().map(|tool| tool.as_str()).collect();
        let message = format!("there is no tool \"{}\"; there are {}", call.name, names.join(", "));
        let job = Err(ToolFailure::new(FailureKind::UnknownTool, message));
        return Call { arguments, job };
    };
    let job = json::check(schema, &arguments)
        .map_err(|problems| problems.join("; "))
        .and_then(|accepted| tool.job(accepted))
        .map_err(refused);
    Call { arguments, job }
}

/// A call in one line for people; of a refused one, the name that the model gave.
#[must_use]
pub fn line(name: &str, job: &Result<Job, ToolFailure>) -> String {
    let line = match job {
        Ok(job) => job.line(),
        Err(_) => format!("Calling {}", cut(name, NAME_CHARACTERS)),
    };
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

const fn refused(message: String) -> ToolFailure {
    ToolFailure::new(FailureKind::RefusedArguments, message)
}

/// A call as later requests carry it. Providers refuse a whole conversation for a name or for
/// arguments in it that are malformed, even where the model wrote them.
#[must_use]
pub fn presentable(call: &ToolCall) -> ToolCall {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let allowed = |c: char| if is_allowed(c) { c } else { '_' };
    let mut name: String = call.name.chars().map(allowed).take(NAME_CHARACTERS).collect();
    if name.is_empty() {
        name.push('_');
    }
    let arguments = match serde_json::from_str::<Map<String, Value>>(&call.arguments) {
        Ok(_) => call.arguments.clone(),
        Err(_) => json::read_whole(&call.arguments).unwrap_or_else(|| json!({})).to_string(),
    };
    ToolCall { id: call.id.clone(), name, arguments, signature: call.signature.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ExecuteJavascript, SearchWeb};

    fn call(name: &str, arguments: &str) -> ToolCall {
        let (id, name, arguments) = ("c1".into(), name.into(), arguments.into());
        ToolCall { id, name, arguments, signature: None }
    }

    fn read(name: &str, arguments: &str) -> Result<Job, ToolFailure> {
        read_call(&call(name, arguments), ToolName::ALL).job
    }

    #[test]
    fn defaults_and_clamps_are_the_contracts() {
        let search = SearchWeb {
            query: "x".into(),
            limit: 50,
            timeout: 15,
            load_content: false,
            generate_summary: false,
        };
        let given = r#"{"query":"x","limit":99}"#;
        assert_eq!(read("search_web", given), Ok(Job::SearchWeb(search)));
        let program = ExecuteJavascript { code: "1".into(), timeout: 5 };
        assert_eq!(
            read("execute_javascript", r#"{"code":"1"}"#),
            Ok(Job::ExecuteJavascript(program))
        );
    }

    #[test]
    fn a_call_that_does_not_fit_says_what_is_wrong() {
        let refused = |name: &str, arguments: &str| read(name, arguments).unwrap_err();
        let extra = refused("search_web", r#"{"query":"x","count":3}"#);
        assert!(extra.message.contains("unknown property \"count\""));
        assert_eq!(extra.kind, FailureKind::RefusedArguments);
        let invented = refused("browse", "{}");
        assert!(invented.message.contains("there is no tool \"browse\""));
        assert_eq!(invented.kind, FailureKind::UnknownTool);
        let broken = refused("search_web", "query=x");
        assert!(broken.message.contains("not one whole JSON object"));
        assert!(read("search_web", r#"{"query": "x",}"#).is_ok());
    }

    #[test]
    fn every_call_is_told_in_one_line() {
        let told = |name: &str, arguments: &str| line(name, &read(name, arguments));
        for (name, arguments, expected) in [
            ("search_web", r#"{"query":"Orrin\nBridge"}"#, "Searching: Orrin Bridge"),
            ("scrape_web_content", r#"{"url":"https://a.example/"}"#, "Reading https://a.example/"),
            ("execute_javascript", r#"{"code":"1 +\n  1"}"#, "Running a program: 1 + 1"),
            ("search_web", "{}", "Calling search_web"),
            ("browse\nit", "{}", "Calling browse it"),
        ] {
            assert_eq!(told(name, arguments), expected);
        }
        assert!(told(&"x".repeat(999), "{}").chars().count() < 80);
        let long = json!({ "query": "é ".repeat(400) }).to_string();
        assert!(told("search_web", &long).chars().count() < 140);
    }

    #[test]
    fn what_a_provider_would_refuse_does_not_go_back_to_it() {
        let odd = presentable(&call("read page\n", "{\"url\": 'x'}"));
        assert_eq!((odd.name.as_str(), odd.arguments.as_str()), ("read_page_", r#"{"url":"x"}"#));
        let cut_off = presentable(&call("", r#"{"code": "for"#));
        assert_eq!((cut_off.name.as_str(), cut_off.arguments.as_str()), ("_", "{}"));
        let fine = call("search_web", r#"{ "query": "x" }"#);
        assert_eq!(presentable(&fine), fine);
    }
}
