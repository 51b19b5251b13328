//! Whether a value fits a schema, with a sentence for each thing that is wrong.

use super::{place, referred, step};
use crate::text::cut;
use serde_json::{Map, Value};

/// Sentences at most: whoever mends the first ones looks again.
const MOST: usize = 8;
/// Characters of a value that a sentence shows.
const SHOWN: usize = 60;
/// Schemas that are looked at for one value at most. Alternatives within alternatives double with each level.
const MOST_STEPS: u32 = 200_000;
/// Bytes of a text whose characters are counted in one step.
const COUNTED_AT_ONCE: usize = 64;
/// References and alternatives that may be followed without going deeper into the value.
const MOST_DEPTH: usize = 128;

/// What of a value does not fit a schema that was [admitted](super::admit); nothing, where it fits.
#[must_use]
pub fn misfits(schema: &Value, value: &Value) -> Vec<String> {
    let mut check = Check { root: schema, steps: 0 };
    let mut wrong = Vec::new();
    check.fit(schema, value, "", 0, &mut wrong);
    if check.steps > MOST_STEPS {
        return vec!["the value takes too long to be checked against the schema".to_owned()];
    }
    wrong.truncate(MOST);
    wrong
}

struct Check<'s> {
    root: &'s Value,
    steps: u32,
}

impl Check<'_> {
    fn fit(
        &mut self,
        schema: &Value,
        value: &Value,
        path: &str,
        depth: usize,
        wrong: &mut Vec<String>,
    ) {
        self.steps = self.steps.saturating_add(weight(schema));
        if self.steps > MOST_STEPS || wrong.len() >= MOST {
            return;
        }
        if depth > MOST_DEPTH {
            wrong.push(format!("{} is nested too deep", place(path)));
            return;
        }
        let rules = match schema {
            Value::Object(rules) => rules,
            Value::Bool(false) => {
                wrong.push(format!("{} must not be there", place(path)));
                return;
            }
            _ => return,
        };
        if let Some(kinds) = rules.get("type")
            && !is_of(kinds, value)
        {
            let shown = shown(value, SHOWN);
            wrong.push(format!("{} must be of type {}, and is {shown}", place(path), named(kinds)));
            return;
        }
        values(rules, value, path, wrong);
        match value {
            Value::Object(members) => self.members(rules, members, path, depth, wrong),
            Value::Array(items) => self.items(rules, items, path, depth, wrong),
            Value::String(text) => {
                // Its characters are counted by each schema that bounds them.
                let counted = u32::try_from(text.len() / COUNTED_AT_ONCE).unwrap_or(u32::MAX);
                self.steps = self.steps.saturating_add(counted);
                length(rules, text, path, wrong);
            }
            Value::Number(number) => {
                bounds(rules, number.as_f64().unwrap_or_default(), path, wrong);
            }
            Value::Null | Value::Bool(_) => {}
        }
        self.others(rules, value, path, depth, wrong);
    }

    fn members(
        &mut self,
        rules: &Map<String, Value>,
        members: &Map<String, Value>,
        path: &str,
        depth: usize,
        wrong: &mut Vec<String>,
    ) {
        let required = rules.get("required").and_then(Value::as_array).into_iter().flatten();
        for name in required.filter_map(Value::as_str).filter(|name| !members.contains_key(*name)) {
            wrong.push(format!("{} must have a member \"{name}\"", place(path)));
        }
        counted(rules, ["minProperties", "maxProperties"], members.len(), "members", path, wrong);
        let properties = rules.get("properties").and_then(Value::as_object);
        let others = rules.get("additionalProperties");
        for (name, member) in members {
            let at = step(path, name);
            match (properties.and_then(|known| known.get(name)), others) {
                (Some(schema), _) => self.fit(schema, member, &at, depth + 1, wrong),
                (None, Some(Value::Bool(false))) => {
                    wrong.push(format!(
                        "{} has a member \"{}\" that is not allowed",
                        place(path),
                        cut(name, SHOWN)
                    ));
                }
                (None, Some(schema)) => self.fit(schema, member, &at, depth + 1, wrong),
                (None, None) => {}
            }
        }
    }

    fn items(
        &mut self,
        rules: &Map<String, Value>,
        items: &[Value],
        path: &str,
        depth: usize,
        wrong: &mut Vec<String>,
    ) {
        counted(rules, ["minItems", "maxItems"], items.len(), "items", path, wrong);
        let first = rules.get("prefixItems").and_then(Value::as_array);
        let first = first.map(Vec::as_slice).unwrap_or_default();
        for (at, item) in items.iter().enumerate() {
            if let Some(schema) = first.get(at).or_else(|| rules.get("items")) {
                self.fit(schema, item, &format!("{path}/{at}"), depth + 1, wrong);
            }
        }
        let is_unique = rules.get("uniqueItems").and_then(Value::as_bool).unwrap_or_default();
        if is_unique && !all_differ(items, &mut self.steps) {
            wrong.push(format!("{} must not have an item twice", place(path)));
        }
    }

    /// Rules that are schemas for the same value.
    fn others(
        &mut self,
        rules: &Map<String, Value>,
        value: &Value,
        path: &str,
        depth: usize,
        wrong: &mut Vec<String>,
    ) {
        if let Some(reference) = rules.get("$ref").and_then(Value::as_str)
            && let Some(schema) = referred(self.root, reference)
        {
            self.fit(schema, value, path, depth + 1, wrong);
        }
        let listed = |name: &str| rules.get(name).and_then(Value::as_array);
        for schema in listed("allOf").into_iter().flatten() {
            self.fit(schema, value, path, depth + 1, wrong);
        }
        if let Some(all) = listed("anyOf") {
            let (fitting, nearest) = self.alternatives(all, value, path, depth);
            if fitting == 0 {
                wrong.push(format!("{} fits none of its alternatives", place(path)));
                wrong.extend(nearest);
            }
        }
        if let Some(all) = listed("oneOf") {
            let (fitting, nearest) = self.alternatives(all, value, path, depth);
            if fitting != 1 {
                let which = if fitting == 0 { "none" } else { "more than one" };
                wrong.push(format!("{} fits {which} of its alternatives", place(path)));
                wrong.extend(nearest);
            }
        }
        if let Some(schema) = rules.get("not") {
            let mut misfits = Vec::new();
            self.fit(schema, value, path, depth + 1, &mut misfits);
            if misfits.is_empty() {
                wrong.push(format!("{} is what it must not be", place(path)));
            }
        }
    }

    /// How many alternatives a value fits, and where it fits none what is wrong by the nearest.
    fn alternatives(
        &mut self,
        all: &[Value],
        value: &Value,
        path: &str,
        depth: usize,
    ) -> (usize, Vec<String>) {
        let mut fitting = 0;
        let mut nearest: Option<Vec<String>> = None;
        for schema in all {
            let mut misfits = Vec::new();
            self.fit(schema, value, path, depth + 1, &mut misfits);
            if misfits.is_empty() {
                fitting += 1;
            } else if nearest.as_ref().is_none_or(|known| misfits.len() < known.len()) {
                nearest = Some(misfits);
            }
        }
        (fitting, if fitting == 0 { nearest.unwrap_or_default() } else { Vec::new() })
    }
}

fn values(rules: &Map<String, Value>, value: &Value, path: &str, wrong: &mut Vec<String>) {
    if let Some(all) = rules.get("enum").and_then(Value::as_array)
        && !all.iter().any(|one| same(one, value))
    {
        let all = shown(all, 4 * SHOWN);
        wrong.push(format!("{} must be one of {all}", place(path)));
    }
    if let Some(one) = rules.get("const")
        && !same(one, value)
    {
        wrong.push(format!("{} must be {}", place(path), shown(one, SHOWN)));
    }
}

fn length(rules: &Map<String, Value>, text: &str, path: &str, wrong: &mut Vec<String>) {
    if rules.contains_key("minLength") || rules.contains_key("maxLength") {
        let characters = text.chars().count();
        counted(rules, ["minLength", "maxLength"], characters, "characters", path, wrong);
    }
}

fn counted(
    rules: &Map<String, Value>,
    [least, most]: [&str; 2],
    count: usize,
    what: &str,
    path: &str,
    wrong: &mut Vec<String>,
) {
    let count = count as u64;
    let bound = |name: &str| rules.get(name).and_then(Value::as_u64);
    if let Some(least) = bound(least).filter(|least| count < *least) {
        wrong.push(format!("{} must have at least {least} {what}, not {count}", place(path)));
    }
    if let Some(most) = bound(most).filter(|most| count > *most) {
        wrong.push(format!("{} must have at most {most} {what}, not {count}", place(path)));
    }
}

fn bounds(rules: &Map<String, Value>, number: f64, path: &str, wrong: &mut Vec<String>) {
    let rule = |name: &str| rules.get(name).and_then(Value::as_f64);
    let mut must = |is_wrong: bool, words: &str, bound: f64| {
        if is_wrong {
            wrong.push(format!("{} must be {words} {bound}, not {number}", place(path)));
        }
    };
    if let Some(bound) = rule("minimum") {
        must(number < bound, "at least", bound);
    }
    if let Some(bound) = rule("maximum") {
        must(number > bound, "at most", bound);
    }
    if let Some(bound) = rule("exclusiveMinimum") {
        must(number <= bound, "above", bound);
    }
    if let Some(bound) = rule("exclusiveMaximum") {
        must(number >= bound, "below", bound);
    }
    if let Some(unit) = rule("multipleOf") {
        let times = number / unit;
        must((times - times.round()).abs() > 1e-9 * times.abs().max(1.0), "a multiple of", unit);
    }
}

fn is_of(kinds: &Value, value: &Value) -> bool {
    let is = |kind: &Value| match (kind.as_str().unwrap_or_default(), value) {
        ("object", Value::Object(_))
        | ("array", Value::Array(_))
        | ("string", Value::String(_))
        | ("number", Value::Number(_))
        | ("boolean", Value::Bool(_))
        | ("null", Value::Null) => true,
        ("integer", Value::Number(number)) => {
            number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|n| n.fract() == 0.0)
        }
        _ => false,
    };
    match kinds {
        Value::Array(kinds) => kinds.iter().any(is),
        kind => is(kind),
    }
}

fn named(kinds: &Value) -> String {
    match kinds {
        Value::Array(kinds) => {
            kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or ")
        }
        kind => kind.as_str().unwrap_or_default().to_owned(),
    }
}

/// What a look at a schema costs: its lists are walked.
fn weight(schema: &Value) -> u32 {
    let listed = |name: &str| schema.get(name).and_then(Value::as_array).map_or(0, Vec::len);
    u32::try_from(1 + listed("enum") + listed("required")).unwrap_or(u32::MAX)
}

/// How a value begins; the rest of it is not written.
fn shown(value: &impl serde::Serialize, most: usize) -> String {
    // A character of JSON takes four bytes at most, and one more tells that there is more.
    let mut room = Room { taken: Vec::new(), left: 4 * (most + 1) };
    // Where the room ends is no failure.
    _ = serde_json::to_writer(&mut room, value);
    cut(&String::from_utf8_lossy(&room.taken), most)
}

/// Takes so many bytes and no more.
struct Room {
    taken: Vec<u8>,
    left: usize,
}

impl std::io::Write for Room {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let takes = bytes.len().min(self.left);
        self.taken.extend(bytes.iter().take(takes));
        self.left -= takes;
        Ok(takes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Equal as JSON is: 1 and 1.0 are one number, and the order of members says nothing.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => one == other,
    }
}

fn all_differ(items: &[Value], steps: &mut u32) -> bool {
    let mut rest = items;
    while let [first, behind @ ..] = rest {
        *steps = steps.saturating_add(u32::try_from(behind.len()).unwrap_or(u32::MAX));
        if *steps > MOST_STEPS || behind.iter().any(|other| same(first, other)) {
            return *steps > MOST_STEPS;
        }
        rest = behind;
    }
    true
}
