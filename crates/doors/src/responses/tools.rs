//! `tools`: where evidence may come from, said as this protocol says it.
//!
//! Border: the named tools are ours, whoever's they are in the protocol; functions of the caller's are shown again and
//! never called.

use std::collections::BTreeSet;

use quarry_types::json::put;
use quarry_types::order::Gather;
use serde_json::{Value, json};

use crate::json_field::Field;
use crate::{Sources, talk};

/// Tools at most; clients of whole tool sets send dozens.
const MAX_TOOLS: usize = 128;

/// Sites that a search may be kept to.
const MAX_DOMAINS: usize = 100;
/// Bytes of a setting that are shown again: as many domains as may be, with long names. Of all functions together as many.
const MAX_SHOWN: usize = 32 * 1024;
/// Bytes that the name of a function has.
const MAX_FUNCTION_NAME: usize = 128;

/// Whether a value is of the kind that a field wants.
type IsOfKind = fn(&Value) -> bool;

/// What a function says besides its name, each time: clients of strict languages want all of it.
const FUNCTION: [(&str, IsOfKind); 3] = [
    ("description", Value::is_string),
    ("parameters", Value::is_object),
    ("strict", Value::is_boolean),
];

/// Tools that the caller would have to run, and what belongs to such.
const CALLERS: [&str; 5] =
    ["function", "custom", "namespace", "tool_search", "programmatic_tool_calling"];

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
        let (mut names_ours, mut room) = (false, MAX_SHOWN);
        for tool in &all {
            let kind = kind(tool);
            match kind {
                kind if CALLERS.contains(&kind) => {
                    tools.ignore(kind);
                    tools.echo.extend(callers(tool, &mut room));
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
                }
                "file_search" => sources.knowledge = true,
                "code_interpreter" => sources.program = true,
                _ => {
                    return Err("has a tool that is not supported; name web_search, file_search or code_interpreter, or none".to_owned());
                }
            }
            names_ours = true;
            tools.show(tool, kind);
        }
        tools.sources = names_ours.then_some(sources);
        Ok(Some(tools))
    }
}

impl Tools {
    /// Whether nothing is used that is not among these kinds, and nothing is among them that is not there.
    pub fn are_all_of(&self, among: &[String]) -> bool {
        let ours = |kind: &&str| !CALLERS.contains(kind);
        let named: BTreeSet<&str> = self.echo.iter().map(kind).filter(ours).gather();
        let allowed: BTreeSet<&str> = among.iter().map(String::as_str).filter(ours).gather();
        named == allowed
    }

    /// Takes one of ours over, as it is shown again.
    fn show(&mut self, tool: &Value, kind: &str) {
        let mut echo = json!({ "type": kind.chars().take(64).collect::<String>() });
        if let Some((name, value)) = wanted_of(tool, kind) {
            put(&mut echo, name, value);
        }
        let counts = |name: &str| kind.starts_with("web_search") && SEARCH_SETTINGS.contains(&name);
        let settings = tool.as_object().into_iter().flatten().filter(|(name, _)| *name != "type");
        for (name, value) in settings.filter(|(_, value)| !value.is_null()) {
            if counts(name)
                && let Some(shown) = shown_again(name, value)
            {
                put(&mut echo, name, shown);
            } else if talk::says(value) {
                self.ignore(&talk::plain(name));
            }
        }
        self.echo.push(echo);
    }

    fn ignore(&mut self, what: &str) {
        let name = format!("tools.{what}");
        let is_new = !what.is_empty() && !self.ignored.contains(&name);
        if is_new && self.ignored.len() < talk::MAX_NAMED {
            self.ignored.push(name);
        }
    }
}

const WANTED_CHOICE: &str =
    "is not supported beyond \"auto\", \"none\" and allowed_tools with the mode auto";

/// Whether tools are used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Choice {
    /// As it is best.
    Auto,
    /// No.
    Never,
    /// The same of those of these kinds.
    Among(Vec<String>),
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(super) struct ToolChoice(#[cfg_attr(feature = "schema", schemars(with = "Value"))] pub Choice);

impl Field for ToolChoice {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let among = value.get("tools").and_then(Value::as_array);
        let choice = match (value.as_str(), kind(&value), among) {
            (Some("auto"), ..) => Choice::Auto,
            (Some("none"), ..) => Choice::Never,
            (None, "allowed_tools", Some(all)) if value.get("mode") == Some(&json!("auto")) => {
                Choice::Among(all.iter().map(|tool| kind(tool).to_owned()).collect())
            }
            _ => return Err(WANTED_CHOICE.to_owned()),
        };
        Ok(Some(ToolChoice(choice)))
    }
}

/// What a tool, or a choice of tools, calls itself.
fn kind(value: &Value) -> &str {
    value.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// Whether it is one of ours, as it is shown again.
pub(super) fn is_ours(tool: &Value) -> bool {
    !CALLERS.contains(&kind(tool))
}

/// What the protocol has of one of its tools each time, whatever it means here: as it was sent, where it has room.
fn wanted_of(tool: &Value, kind: &str) -> Option<(&'static str, Value)> {
    let (name, otherwise) = match kind {
        "code_interpreter" => ("container", json!({ "type": "auto" })),
        "file_search" => ("vector_store_ids", json!([])),
        _ => return None,
    };
    let fits = |said: &&Value| match said {
        Value::Array(_) => otherwise.is_array(),
        Value::Object(_) | Value::String(_) => otherwise.is_object(),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    };
    let said = tool.get(name).filter(fits).filter(|said| said.to_string().len() <= MAX_SHOWN);
    Some((name, said.cloned().unwrap_or(otherwise)))
}

/// A function of the caller's as it is shown again, without what has no room. None: the protocol knows no such function.
fn callers(tool: &Value, room: &mut usize) -> Option<Value> {
    let kind = kind(tool);
    let name = tool.get("name").and_then(Value::as_str)?;
    let is_known = matches!(kind, "function" | "custom");
    if !is_known || name.is_empty() || name.len() > MAX_FUNCTION_NAME {
        return None;
    }
    let mut shown = json!({ "type": kind, "name": name });
    let has = |field: &str| kind == "function" || field == "description";
    for (field, fits) in FUNCTION.iter().filter(|(field, _)| has(field)) {
        let said = tool.get(field).filter(|said| fits(said) && takes(room, said));
        put(&mut shown, field, said.cloned());
    }
    Some(shown)
}

fn takes(room: &mut usize, said: &Value) -> bool {
    let left = room.checked_sub(said.to_string().len());
    *room = left.unwrap_or(*room);
    left.is_some()
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
        assert_eq!(functions.sources, None);
        assert_eq!(functions.ignored, ["tools.function"]);
        assert!(functions.echo.len() == 1, "{:?}", functions.echo);
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
        let shown = json!({ "type": "file_search", "vector_store_ids": [] });
        assert_eq!(both.echo, [shown, json!({ "type": "web_search" })]);
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
    fn what_the_protocol_has_of_a_tool_is_shown_again_though_it_means_nothing_here() {
        let read = |tools: Value| Tools::read(tools).unwrap().unwrap();
        let tools = json!([
            { "type": "file_search", "vector_store_ids": ["vs_1"] },
            { "type": "code_interpreter", "container": "cntr_1" },
        ]);
        let both = read(tools.clone());
        assert_eq!(json!(both.echo), tools);
        assert_eq!(both.ignored, ["tools.vector_store_ids", "tools.container"]);
        let otherwise = json!([
            { "type": "file_search", "vector_store_ids": [] },
            { "type": "code_interpreter", "container": { "type": "auto" } },
        ]);
        let long = "x".repeat(MAX_SHOWN);
        for (ids, container) in
            [(json!(null), json!(7)), (json!("vs_1"), json!([])), (json!([long]), json!(long))]
        {
            let odd = read(json!([
                { "type": "file_search", "vector_store_ids": ids },
                { "type": "code_interpreter", "container": container },
            ]));
            assert_eq!(json!(odd.echo), otherwise);
        }
    }

    #[test]
    fn functions_are_never_called_and_shown_again() {
        let read = |tools: Value| Tools::read(tools).unwrap().unwrap();
        let parameters = json!({ "type": "object", "properties": {} });
        let tools = read(json!([
            { "type": "function", "name": "f", "description": "d", "parameters": parameters, "strict": true, "x": 1 },
            { "type": "function", "name": "g", "parameters": "none" },
            { "type": "custom", "name": "h", "format": { "type": "text" } },
            { "type": "namespace", "name": "n", "description": "", "tools": [] },
            { "type": "function", "function": { "name": "as Chat Completions has it" } },
        ]));
        assert_eq!(
            tools.echo,
            [
                json!({ "type": "function", "name": "f", "description": "d", "parameters": parameters, "strict": true }),
                json!({ "type": "function", "name": "g", "description": null, "parameters": null, "strict": null }),
                json!({ "type": "custom", "name": "h", "description": null }),
            ]
        );
        assert_eq!(tools.ignored, ["tools.function", "tools.custom", "tools.namespace"]);
        assert_eq!(tools.sources, None, "of ours, none was named");
        let long = json!({ "type": "function", "name": "f", "description": "x".repeat(MAX_SHOWN) });
        let shown =
            read(json!([long, { "type": "function", "name": "g", "description": "d" }])).echo;
        assert_eq!(
            (&shown[0]["description"], &shown[1]["description"]),
            (&Value::Null, &json!("d"))
        );
    }

    #[test]
    fn of_a_choice_among_all_tools_nothing_is_asked_that_is_not_done() {
        let read = |choice: Value| ToolChoice::read(choice).map(|read| read.unwrap().0);
        let among = |mode: &str, tools: Value| {
            read(json!({ "type": "allowed_tools", "mode": mode, "tools": tools }))
        };
        let function = json!({ "type": "function", "name": "f" });
        let web = json!({ "type": "web_search" });
        let Ok(Choice::Among(functions)) = among("auto", json!([function])) else { panic!() };
        let Ok(Choice::Among(both)) = among("auto", json!([function, web])) else { panic!() };
        let tools = |tools: Value| Tools::read(tools).unwrap().unwrap();
        let (alone, beside) = (tools(json!([function])), tools(json!([web, function])));
        assert!(alone.are_all_of(&functions) && beside.are_all_of(&both));
        assert!(!alone.are_all_of(&both) && !beside.are_all_of(&functions));
        assert_eq!(
            (read(json!("auto")), read(json!("none"))),
            (Ok(Choice::Auto), Ok(Choice::Never))
        );
        for refused in [json!("required"), json!({ "type": "web_search" }), json!(7)] {
            assert!(read(refused.clone()).is_err(), "{refused}");
        }
        assert!(among("required", json!([function])).is_err() && among("auto", json!(7)).is_err());
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
