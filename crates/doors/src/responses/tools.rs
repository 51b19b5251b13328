//! `tools`: where evidence may come from, said as this protocol says it.
//!
//! Border: the named tools are ours, whoever's they are in the protocol; functions of the caller's are never called.

use quarry_types::json::put;
use serde_json::{Value, json};

use crate::json_field::Field;
use crate::{Sources, talk};

/// Tools at most; clients of whole tool sets send dozens.
const MAX_TOOLS: usize = 128;

/// Sites that a search may be kept to.
const MAX_DOMAINS: usize = 100;
/// Bytes of a setting that are shown again: as many domains as may be, with long names.
const MAX_SHOWN: usize = 32 * 1024;

/// What tools were named.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(super) struct Tools {
    /// None: as the request says elsewhere, or all.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Value>"))]
    pub sources: Option<Sources>,
    /// Sites of the web that count; none: all.
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub domains: Vec<String>,
    /// As they are shown again.
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub echo: Vec<Value>,
    /// Names of what is ignored of them.
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub ignored: Vec<String>,
}

/// What counts, for searches of the web alone.
const SEARCH_SETTINGS: [&str; 2] = ["filters", "external_web_access"];

impl Field for Tools {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let Value::Array(all) = value else { return Err("wants a list of tools".to_owned()) };
        if all.len() > MAX_TOOLS {
            return Err(format!("has too many tools; send at most {MAX_TOOLS}"));
        }
        let mut tools = Tools::default();
        let mut sources = Sources { web: false, knowledge: false, program: false };
        let mut names_ours = false;
        for tool in &all {
            let kind = tool.get("type").and_then(Value::as_str).unwrap_or_default();
            let shown = match kind {
                "function" | "custom" => {
                    tools.ignore("function");
                    continue;
                }
                kind if kind == "web_search" || kind.starts_with("web_search_") => {
                    let domains = domains(tool)?;
                    if sources.web && tools.domains != domains {
                        return Err(
                            "names web_search twice with different `filters`; name it once"
                                .to_owned(),
                        );
                    }
                    tools.domains = domains;
                    if goes_out(tool)? {
                        sources.web = true;
                    } else {
                        // What is left are documents of one's own.
                        sources.knowledge = true;
                    }
                    kind
                }
                "file_search" => {
                    sources.knowledge = true;
                    kind
                }
                "code_interpreter" => {
                    sources.program = true;
                    kind
                }
                _ => {
                    return Err("has a tool that is not supported; name web_search, file_search or code_interpreter, or none".to_owned());
                }
            };
            names_ours = true;
            let mut echo = json!({ "type": shown.chars().take(64).collect::<String>() });
            let counts =
                |name: &str| kind.starts_with("web_search") && SEARCH_SETTINGS.contains(&name);
            let settings =
                tool.as_object().into_iter().flatten().filter(|(name, _)| *name != "type");
            for (name, value) in settings.filter(|(_, value)| !value.is_null()) {
                if counts(name)
                    && let Some(shown) = shown_again(name, value)
                {
                    put(&mut echo, name, shown);
                } else if talk::says(value) {
                    tools.ignore(&talk::plain(name));
                }
            }
            tools.echo.push(echo);
        }
        tools.sources = names_ours.then_some(sources);
        Ok(Some(tools))
    }
}

impl Tools {
    fn ignore(&mut self, what: &str) {
        let name = format!("tools.{what}");
        let is_new = !what.is_empty() && !self.ignored.contains(&name);
        if is_new && self.ignored.len() < talk::MAX_NAMED {
            self.ignored.push(name);
        }
    }
}

/// A setting as it is shown again; none: it is too long for that.
fn shown_again(name: &str, value: &Value) -> Option<Value> {
    let shown = match name {
        // What else stands there says nothing, as was looked at before, and may be long.
        "filters" => json!({ "allowed_domains": value.get("allowed_domains") }),
        _ => value.clone(),
    };
    (shown.to_string().len() <= MAX_SHOWN).then_some(shown)
}

/// The sites that a search of the web keeps to; none: all.
fn domains(tool: &Value) -> Result<Vec<String>, String> {
    let Some(filters) = tool.get("filters").filter(|filters| !filters.is_null()) else {
        return Ok(Vec::new());
    };
    let filters = filters.as_object().ok_or("has `filters` that are no object")?;
    let says =
        |value: &Value| !value.is_null() && value.as_array().is_none_or(|all| !all.is_empty());
    let others = filters.iter().filter(|(name, value)| *name != "allowed_domains" && says(value));
    if let Some((name, _)) = others.into_iter().next() {
        let name: String = name.chars().filter(char::is_ascii_graphic).take(64).collect();
        return Err(format!(
            "has `filters.{name}`, which is not supported; there is `filters.allowed_domains`"
        ));
    }
    let wants = || {
        format!(
            "has `filters.allowed_domains` that cannot be used; it wants at most {MAX_DOMAINS} names of sites, such as example.org"
        )
    };
    let Some(all) = filters.get("allowed_domains").filter(|all| !all.is_null()) else {
        return Ok(Vec::new());
    };
    let all = all.as_array().filter(|all| all.len() <= MAX_DOMAINS).ok_or_else(wants)?;
    let names = all.iter().map(|name| site(name.as_str()?));
    names.collect::<Option<_>>().ok_or_else(wants)
}

/// A site's name as addresses write it; none where it is no name.
fn site(name: &str) -> Option<String> {
    let name = name.trim().to_ascii_lowercase();
    let is_label = |label: &str| {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-';
        !label.is_empty() && label.len() <= 63 && label.chars().all(fits)
    };
    (name.len() <= 253 && name.split('.').all(is_label)).then_some(name)
}

/// Whether the web is looked into at all.
fn goes_out(tool: &Value) -> Result<bool, String> {
    match tool.get("external_web_access") {
        None | Some(Value::Null) => Ok(true),
        Some(Value::Bool(goes_out)) => Ok(*goes_out),
        Some(_) => Err("has `external_web_access`, which wants true or false".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_tools_say_where_evidence_comes_from() {
        let read = |tools: Value| Tools::read(tools).unwrap().unwrap();
        assert_eq!(read(json!([])).sources, None);
        let functions = read(json!([{ "type": "function", "name": "f" }, { "type": "function" }]));
        assert_eq!(
            (functions.sources, functions.ignored),
            (None, vec!["tools.function".to_owned()])
        );
        let web = read(
            json!([{ "type": "web_search_preview_2025_03_11", "search_context_size": "low" }]),
        );
        assert_eq!(web.sources, Some(Sources { web: true, knowledge: false, program: false }));
        assert_eq!(web.ignored, ["tools.search_context_size"]);
        let both = read(json!([{ "type": "file_search" }, { "type": "web_search" }]));
        assert_eq!(both.sources, Some(Sources { web: true, knowledge: true, program: false }));
        let all = json!([{ "type": "code_interpreter", "container": { "type": "auto" } }, { "type": "web_search" }]);
        let all = read(all);
        assert_eq!(all.sources, Some(Sources { web: true, knowledge: false, program: true }));
        assert_eq!(all.ignored, ["tools.container"]);
        let programs = read(json!([{ "type": "code_interpreter" }]));
        let programs_alone = Sources { web: false, knowledge: false, program: true };
        assert_eq!(programs.sources, Some(programs_alone), "of ours none but what is named");
        assert_eq!(both.echo, [json!({ "type": "file_search" }), json!({ "type": "web_search" })]);
    }

    #[test]
    fn the_web_is_kept_to_what_is_allowed_of_it() {
        let read = |tools: Value| Tools::read(tools).unwrap().unwrap();
        let filters =
            json!({ "allowed_domains": ["A.example", " data.gov "], "blocked_domains": [] });
        let some = read(json!([{ "type": "web_search", "filters": filters }]));
        assert_eq!(some.domains, ["a.example", "data.gov"]);
        let shown = json!({ "allowed_domains": ["A.example", " data.gov "] });
        assert_eq!(some.echo[0]["filters"], shown, "what says nothing may be long");
        let none = json!([{ "type": "web_search", "filters": { "allowed_domains": [] } }]);
        assert!(read(none).domains.is_empty());
        let inside = read(json!([{ "type": "web_search", "external_web_access": false }]));
        assert_eq!(inside.sources, Some(Sources { web: false, knowledge: true, program: false }));
        assert_eq!(inside.echo[0]["external_web_access"], false);
        let outside = read(json!([{ "type": "web_search", "external_web_access": true }]));
        assert_eq!(outside.sources, Some(Sources { web: true, knowledge: false, program: false }));
    }

    #[test]
    fn limits_that_would_not_be_kept_are_refused() {
        for tools in [
            json!({}),
            json!([{ "type": "mcp" }]),
            json!(["web_search"]),
            json!([{ "type": "web_search", "filters": { "allowed_domains": ["https://a.example"] } }]),
            json!([{ "type": "web_search", "filters": { "allowed_domains": ["a..example"] } }]),
            json!([{ "type": "web_search", "filters": { "allowed_domains": "a.example" } }]),
            json!([{ "type": "web_search", "filters": { "allowed_domains": vec!["a.example"; 101] } }]),
            json!([{ "type": "web_search", "filters": { "blocked_domains": ["a.example"] } }]),
            json!([{ "type": "web_search", "filters": 7 }]),
            json!([{ "type": "web_search", "external_web_access": "no" }]),
            json!([{ "type": "web_search", "filters": { "allowed_domains": ["a.example"] } }, { "type": "web_search" }]),
        ] {
            assert!(Tools::read(tools.clone()).is_err(), "{tools}");
        }
    }
}
