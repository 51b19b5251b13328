//! Whether a schema can be checked here: said before anything is paid for.

use super::{place, referred, step};
use serde_json::Value;
use std::collections::BTreeSet;

/// Nesting deeper than this is refused.
const MAX_DEPTH: usize = 32;
/// Schemas within one schema at most.
const MAX_SCHEMAS: usize = 5_000;

/// Keywords that would have to be checked, and are not.
const REFUSED: [&str; 17] = [
    "patternProperties",
    "propertyNames",
    "contains",
    "minContains",
    "maxContains",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "if",
    "then",
    "else",
    "unevaluatedItems",
    "unevaluatedProperties",
    "additionalItems",
    "$dynamicRef",
    "$recursiveRef",
    "$anchor",
];

/// What a schema says that models are told and nobody checks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Unchecked {
    /// Whether a text must match an expression somewhere.
    pub pattern: bool,
    /// Whether a text must have a named form somewhere.
    pub format: bool,
}

struct Walk<'s> {
    root: &'s Value,
    seen: usize,
    unchecked: Unchecked,
    /// Where the schemas are that were looked at.
    known: BTreeSet<*const Value>,
    /// What references lead to, and where these stand.
    meant: Vec<(*const Value, String)>,
}

/// Whether every rule of a schema can be checked, but for those that are named.
///
/// # Errors
/// The first that cannot, in words that follow the name of the field.
pub fn admit(schema: &Value) -> Result<Unchecked, String> {
    if !schema.is_object() {
        return Err("wants an object".to_owned());
    }
    if schema.get("type").is_some_and(|kind| !admits_objects(kind)) {
        return Err("must describe an object: its `type` is another".to_owned());
    }
    let mut walk = Walk {
        root: schema,
        seen: 0,
        unchecked: Unchecked::default(),
        known: BTreeSet::new(),
        meant: Vec::new(),
    };
    walk.schema(schema, "", 0)?;
    if let Some((_, at)) = walk.meant.iter().find(|(to, _)| !walk.known.contains(to)) {
        return Err(wrong(at, "refers to what is no schema; put that into `$defs`"));
    }
    Ok(walk.unchecked)
}

fn admits_objects(kind: &Value) -> bool {
    match kind {
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "object"),
        kind => kind == "object",
    }
}

const KINDS: [&str; 7] = ["object", "array", "string", "number", "integer", "boolean", "null"];

impl Walk<'_> {
    fn schema(&mut self, schema: &Value, path: &str, depth: usize) -> Result<(), String> {
        self.seen += 1;
        self.known.insert(std::ptr::from_ref(schema));
        if depth > MAX_DEPTH {
            return Err(format!("is nested deeper than {MAX_DEPTH} levels"));
        }
        if self.seen > MAX_SCHEMAS {
            return Err(format!("has more than {MAX_SCHEMAS} schemas in it"));
        }
        let members = match schema {
            Value::Bool(_) => return Ok(()),
            Value::Object(members) => members,
            _ => return Err(wrong(path, "is no schema")),
        };
        for (name, rule) in members {
            self.rule(name, rule, path, depth)?;
        }
        Ok(())
    }

    fn rule(&mut self, name: &str, rule: &Value, path: &str, depth: usize) -> Result<(), String> {
        let at = step(path, name);
        match name {
            "properties" | "$defs" | "definitions" => {
                let members = rule.as_object().ok_or_else(|| wrong(&at, "wants an object"))?;
                for (name, member) in members {
                    self.schema(member, &step(&at, name), depth + 1)?;
                }
                Ok(())
            }
            "items" | "additionalProperties" | "not" => self.schema(rule, &at, depth + 1),
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
                let all = rule.as_array().filter(|all| !all.is_empty());
                let all = all.ok_or_else(|| wrong(&at, "wants a list of schemas"))?;
                for (n, one) in all.iter().enumerate() {
                    self.schema(one, &format!("{at}/{n}"), depth + 1)?;
                }
                Ok(())
            }
            "$ref" => {
                let reference = rule.as_str().filter(|reference| !reference.contains('%'));
                let found = reference.and_then(|reference| referred(self.root, reference));
                let found =
                    found.ok_or_else(|| wrong(&at, "refers to nothing within the schema"))?;
                self.meant.push((std::ptr::from_ref(found), at));
                Ok(())
            }
            "pattern" => {
                self.unchecked.pattern = true;
                Ok(())
            }
            "format" => {
                self.unchecked.format = true;
                Ok(())
            }
            // As libraries write it of objects with any names: it says nothing.
            "propertyNames" if is_any_name(rule) => Ok(()),
            name if REFUSED.contains(&name) => Err(format!(
                "uses `{name}` at {}, which is not supported; say it in a `description` instead",
                place(path)
            )),
            name => worded(name, rule).map_err(|wants| wrong(&at, &wants)),
        }
    }
}

/// What a rule without schemas in it has to be, where it is not.
fn worded(name: &str, rule: &Value) -> Result<(), String> {
    let (is_so, wants) = match name {
        "type" if !known_type(rule) => {
            return Err(format!("names no type; there are {}", KINDS.join(", ")));
        }
        "required" => {
            let names = rule.as_array().is_some_and(|all| all.iter().all(Value::is_string));
            (names, "wants a list of names")
        }
        "enum" => (rule.is_array(), "wants a list"),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
            (rule.is_u64(), "wants a whole number that is not negative")
        }
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
            (rule.is_number(), "wants a number")
        }
        "multipleOf" => {
            (rule.as_f64().is_some_and(|number| number > 0.0), "wants a number above 0")
        }
        "uniqueItems" => (rule.is_boolean(), "wants true or false"),
        // By the standard a word that is no rule says nothing about what fits.
        _ => return Ok(()),
    };
    is_so.then_some(()).ok_or_else(|| wants.to_owned())
}

fn is_any_name(rule: &Value) -> bool {
    match rule {
        Value::Bool(any) => *any,
        Value::Object(rules) => rules.iter().all(|(name, rule)| name == "type" && rule == "string"),
        _ => false,
    }
}

fn known_type(rule: &Value) -> bool {
    let is_known = |kind: &Value| kind.as_str().is_some_and(|kind| KINDS.contains(&kind));
    match rule {
        Value::Array(kinds) => !kinds.is_empty() && kinds.iter().all(is_known),
        kind => is_known(kind),
    }
}

fn wrong(path: &str, what: &str) -> String {
    format!("is no usable schema: {} {what}", place(path))
}
