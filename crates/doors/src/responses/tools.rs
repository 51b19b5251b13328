//! `tools`: where evidence may come from, said as this protocol says it.
//!
//! Border: the named tools are ours, whoever's they are in the protocol; functions of the caller's are never called.

use serde_json::{Value, json};

use crate::Sources;
use crate::json_field::Field;

/// Tools at most; clients of whole tool sets send dozens.
const MAX_TOOLS: usize = 128;

/// What tools were named.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(super) struct Tools {
    /// None: all of ours.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Value>"))]
    pub sources: Option<Sources>,
    /// As they are shown again.
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub echo: Vec<Value>,
    /// Names of what is ignored of them.
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub ignored: Vec<&'static str>,
}

/// Settings of tools that nobody here reads.
const SETTINGS: [(&str, &str); 6] = [
    ("search_context_size", "tools.search_context_size"),
    ("user_location", "tools.user_location"),
    ("vector_store_ids", "tools.vector_store_ids"),
    ("max_num_results", "tools.max_num_results"),
    ("ranking_options", "tools.ranking_options"),
    ("container", "tools.container"),
];

impl Field for Tools {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let Value::Array(all) = value else { return Err("wants a list of tools".to_owned()) };
        if all.len() > MAX_TOOLS {
            return Err(format!("has too many tools; send at most {MAX_TOOLS}"));
        }
        let mut tools = Tools::default();
        let mut sources = Sources { web: false, knowledge: false };
        let mut names_ours = false;
        for tool in &all {
            let kind = tool.get("type").and_then(Value::as_str).unwrap_or_default();
            let shown = match kind {
                "function" | "custom" => {
                    tools.ignore("tools.function");
                    continue;
                }
                kind if kind == "web_search" || kind.starts_with("web_search_") => {
                    sources.web = true;
                    refuse_limits(tool)?;
                    kind
                }
                "file_search" => {
                    sources.knowledge = true;
                    kind
                }
                "code_interpreter" => kind,
                _ => {
                    return Err("has a tool that is not supported; name web_search, file_search or code_interpreter, or none".to_owned());
                }
            };
            names_ours = true;
            tools.echo.push(json!({ "type": shown.chars().take(64).collect::<String>() }));
            for (field, name) in SETTINGS {
                if tool.get(field).is_some_and(|value| !value.is_null()) {
                    tools.ignore(name);
                }
            }
        }
        if names_ours && !sources.web && !sources.knowledge {
            return Err("is not supported with code_interpreter alone; name web_search or file_search beside it".to_owned());
        }
        tools.sources = names_ours.then_some(sources);
        Ok(Some(tools))
    }
}

impl Tools {
    fn ignore(&mut self, name: &'static str) {
        if !self.ignored.contains(&name) {
            self.ignored.push(name);
        }
    }
}

/// Limits that an answer would break in silence.
fn refuse_limits(tool: &Value) -> Result<(), String> {
    let domains = |name: &str| {
        let listed = tool.pointer(&format!("/filters/{name}")).and_then(Value::as_array);
        listed.is_some_and(|listed| !listed.is_empty())
    };
    if domains("allowed_domains") || domains("blocked_domains") {
        return Err("has `filters`, which is not supported; leave it out and name the sites in the question".to_owned());
    }
    if tool.get("external_web_access") == Some(&Value::Bool(false)) {
        return Err("has `external_web_access: false`, which is not supported; name file_search alone instead".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_tools_say_where_evidence_comes_from() {
        let read = |tools: Value| Tools::read(tools).unwrap().unwrap();
        assert_eq!(read(json!([])).sources, None);
        let functions = read(json!([{ "type": "function", "name": "f" }, { "type": "function" }]));
        assert_eq!((functions.sources, functions.ignored), (None, vec!["tools.function"]));
        let web = read(
            json!([{ "type": "web_search_preview_2025_03_11", "search_context_size": "low" }]),
        );
        assert_eq!(web.sources, Some(Sources { web: true, knowledge: false }));
        assert_eq!(web.ignored, ["tools.search_context_size"]);
        let both = read(json!([{ "type": "file_search" }, { "type": "web_search" }]));
        assert_eq!(both.sources, Some(Sources { web: true, knowledge: true }));
        assert_eq!(both.echo, [json!({ "type": "file_search" }), json!({ "type": "web_search" })]);
    }

    #[test]
    fn limits_that_would_not_be_kept_are_refused() {
        for tools in [
            json!({}),
            json!([{ "type": "mcp" }]),
            json!(["web_search"]),
            json!([{ "type": "code_interpreter" }]),
            json!([{ "type": "web_search", "filters": { "allowed_domains": ["a.example"] } }]),
            json!([{ "type": "web_search", "external_web_access": false }]),
        ] {
            assert!(Tools::read(tools.clone()).is_err(), "{tools}");
        }
    }
}
