//! The knobs of a run as requests give them: which there are, and within which ranges.
//!
//! Border: one table is the check and the schema of the document. What a knob does, and what it is when
//! nobody sets it, `quarry_types::Knobs` says.

use quarry_types::{Backoff, Knobs, RunEffort};
use serde_json::{Map, Value};

use crate::Refusal;
use crate::json_field::whole;
use crate::nearest::{hint, shown};

/// A knob.
struct Knob {
    name: &'static str,
    takes: Takes,
}

/// What a knob may be.
enum Takes {
    /// A whole number from the first to the second.
    Whole(u64, u64),
    /// A number from 0 to 1.
    Share,
    /// One of these.
    Word(&'static [&'static str]),
    /// An object of these.
    Several(&'static [Knob]),
}

const fn knob(name: &'static str, takes: Takes) -> Knob {
    Knob { name, takes }
}

const DAY: u64 = 86_400;

const KNOBS: &[Knob] = &[
    knob("max_depth", Takes::Whole(0, 6)),
    knob("max_rounds", Takes::Whole(1, 10)),
    knob("max_queries_per_node", Takes::Whole(1, 10)),
    knob("search_results_per_query", Takes::Whole(1, 20)),
    knob("cache_ttl", Takes::Whole(0, 30 * DAY)),
    knob("max_no_gain_retries", Takes::Whole(1, 10)),
    knob("decompose_max_children", Takes::Whole(1, 8)),
    knob(
        "timeouts",
        Takes::Several(&[
            knob("query", Takes::Whole(1, 120)),
            knob("model", Takes::Whole(5, 600)),
            knob("run", Takes::Whole(10, DAY)),
        ]),
    ),
    knob(
        "retry_policy",
        Takes::Several(&[
            knob("attempts", Takes::Whole(1, 8)),
            knob("base_ms", Takes::Whole(0, 60_000)),
            knob("max_ms", Takes::Whole(0, 600_000)),
        ]),
    ),
    knob("report_style", Takes::Word(&["concise", "technical"])),
    knob("max_nodes", Takes::Whole(1, 2_000)),
    knob("max_sources", Takes::Whole(1, 2_000)),
    knob("parallel_queries", Takes::Whole(1, 8)),
    knob("sufficiency_threshold", Takes::Share),
    knob("on_timeout", Takes::Word(&["partial", "fail"])),
];

/// The field of a body that has them.
pub(super) const CONFIG: &str = "config";

/// The knobs that were given, checked. Null means: not given.
pub(super) fn given(config: Option<Map<String, Value>>) -> Result<Value, Refusal> {
    config.map_or_else(|| Ok(Map::new().into()), |config| checked(config, KNOBS, CONFIG))
}

/// Every knob, one JSON object: those of the effort, and over them those that were given.
pub(crate) fn complete(effort: Option<RunEffort>, given: Value) -> Result<String, Refusal> {
    let broken = |error: serde_json::Error| Refusal::Internal(error.to_string());
    let knobs = effort.unwrap_or(RunEffort::Standard).knobs();
    let mut all = serde_json::to_value(knobs).map_err(broken)?;
    lay_over(&mut all, given);
    let all: Knobs = serde_json::from_value(all).map_err(broken)?;
    if let Some(why) = all.retry_policy.why_not() {
        return Err(Refusal::field(&format!("{CONFIG}.{}", Backoff::LONGEST), &why));
    }
    serde_json::to_string(&all).map_err(broken)
}

fn lay_over(below: &mut Value, above: Value) {
    match (below, above) {
        (Value::Object(below), Value::Object(above)) => {
            for (name, value) in above {
                lay_over(below.entry(name).or_insert(Value::Null), value);
            }
        }
        (below, above) => *below = above,
    }
}

fn checked(given: Map<String, Value>, knobs: &[Knob], path: &str) -> Result<Value, Refusal> {
    let mut checked = Map::new();
    for (name, value) in given {
        let Some(knob) = knobs.iter().find(|knob| knob.name == name) else {
            let known: Vec<&str> = knobs.iter().map(|knob| knob.name).collect();
            let field = format!("{path}.{}", shown(&name));
            let wants = format!("is no knob; {}", hint(&name, &known));
            return Err(Refusal::field(&field, &wants));
        };
        if !value.is_null() {
            let path = format!("{path}.{name}");
            checked.insert(name, knob.takes.read(value, &path)?);
        }
    }
    Ok(checked.into())
}

impl Takes {
    fn read(&self, value: Value, path: &str) -> Result<Value, Refusal> {
        let read = match (self, value) {
            (Takes::Whole(least, most), value) => {
                whole(&value).filter(|number| (least..=most).contains(&number)).map(Value::from)
            }
            (Takes::Share, value) => {
                let share = value.as_f64().filter(|share| (0.0..=1.0).contains(share));
                share.map(Value::from)
            }
            (Takes::Word(words), Value::String(word)) => {
                words.contains(&word.as_str()).then_some(Value::String(word))
            }
            (Takes::Several(knobs), Value::Object(given)) => return checked(given, knobs, path),
            (Takes::Word(_) | Takes::Several(_), _) => None,
        };
        read.ok_or_else(|| Refusal::field(path, &self.wanted()))
    }

    fn wanted(&self) -> String {
        match self {
            Takes::Whole(least, most) => format!("wants a whole number from {least} to {most}"),
            Takes::Share => "wants a number from 0 to 1".to_owned(),
            Takes::Word(words) => format!("wants \"{}\"", words.join("\" or \"")),
            Takes::Several(knobs) => {
                let names: Vec<&str> = knobs.iter().map(|knob| knob.name).collect();
                format!("wants an object of {}", names.join(", "))
            }
        }
    }
}

/// What the document says of them: the ranges of the table, and the words and defaults of the type.
#[cfg(feature = "schema")]
pub(super) fn schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    use schemars::JsonSchema as _;
    // A generator that is thrown away: the document has the same types, as they are written.
    let mut told = quarry_events::schema::read();
    let whole = Knobs::json_schema(&mut told).to_value();
    let parts = Value::Object(told.take_definitions(true));
    let defaults = serde_json::to_value(Knobs::default()).unwrap_or_default();
    described(KNOBS, &whole, &parts, &defaults).try_into().unwrap_or_default()
}

#[cfg(feature = "schema")]
fn described(knobs: &[Knob], told: &Value, parts: &Value, defaults: &Value) -> Value {
    use quarry_types::json::put;
    use serde_json::json;
    let member = |value: &Value, name: &str| value.get(name).cloned().unwrap_or_default();
    let told = member(told, "properties");
    let mut properties = Map::new();
    for Knob { name, takes } in knobs {
        let (told, default) = (member(&told, name), member(defaults, name));
        let mut schema = match takes {
            Takes::Whole(least, most) => {
                json!({ "type": ["integer", "null"], "minimum": least, "maximum": most })
            }
            Takes::Share => json!({ "type": ["number", "null"], "minimum": 0, "maximum": 1 }),
            Takes::Word(words) => {
                let words = words.iter().map(|word| json!(word)).chain([Value::Null]);
                json!({ "enum": words.collect::<Vec<_>>() })
            }
            Takes::Several(knobs) => {
                let reference = member(&told, "$ref");
                let part = reference.as_str().and_then(|part| part.rsplit('/').next());
                described(knobs, &member(parts, part.unwrap_or_default()), parts, &default)
            }
        };
        put(&mut schema, "description", member(&told, "description"));
        if !default.is_object() {
            put(&mut schema, "default", default);
        }
        properties.insert((*name).to_owned(), schema);
    }
    json!({ "type": ["object", "null"], "properties": properties, "additionalProperties": false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(config: Value) -> Result<Value, Refusal> {
        let Value::Object(config) = config else { panic!("{config} is no object") };
        given(Some(config))
    }

    fn refused(config: Value) -> (String, String) {
        match read(config) {
            Err(Refusal::InvalidField { field, message }) => (field, message),
            other => panic!("{other:?}"),
        }
    }

    /// Every knob with its path, objects opened.
    fn all(knobs: &'static [Knob], path: &str, found: &mut Vec<(String, &'static Takes)>) {
        for Knob { name, takes } in knobs {
            match takes {
                Takes::Several(knobs) => all(knobs, &format!("{path}/{name}"), found),
                takes => found.push((format!("{path}/{name}"), takes)),
            }
        }
    }

    fn every() -> Vec<(String, &'static Takes)> {
        let mut found = Vec::new();
        all(KNOBS, "", &mut found);
        found
    }

    /// A body's `config` with one knob.
    fn with(pointer: &str, value: Value) -> Value {
        pointer
            .rsplit('/')
            .filter(|part| !part.is_empty())
            .fold(value, |value, name| json!({ name: value }))
    }

    #[test]
    fn the_table_has_every_knob_of_the_type_and_no_other() {
        let told = serde_json::to_value(Knobs::default()).unwrap();
        let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&told), KNOBS.iter().map(|knob| knob.name).collect::<Vec<_>>());
        for Knob { name, takes } in KNOBS {
            if let Takes::Several(knobs) = takes {
                let inner = knobs.iter().map(|knob| knob.name).collect::<Vec<_>>();
                assert_eq!(names(&told[name]), inner, "{name}");
            }
        }
    }

    #[test]
    fn every_effort_is_within_the_ranges() {
        for effort in [RunEffort::Quick, RunEffort::Standard, RunEffort::Deep] {
            let knobs = serde_json::to_value(effort.knobs()).unwrap();
            assert_eq!(read(knobs.clone()).as_ref(), Ok(&knobs), "{effort:?}");
        }
    }

    #[test]
    fn every_range_ends_where_its_error_says() {
        for (pointer, takes) in every() {
            let path = format!("{CONFIG}{}", pointer.replace('/', "."));
            let (taken, wrong): (Vec<Value>, Vec<Value>) = match takes {
                Takes::Whole(least, most) => (
                    vec![json!(least), json!(most), json!(*most as f64)],
                    vec![json!(most + 1), json!(-1), json!(1.5), json!("3"), json!([])],
                ),
                Takes::Share => (
                    vec![json!(0), json!(0.5), json!(1)],
                    vec![json!(1.01), json!(-0.1), json!("1")],
                ),
                Takes::Word(words) => {
                    (words.iter().map(|word| json!(word)).collect(), vec![json!("no"), json!(1)])
                }
                Takes::Several(_) => continue,
            };
            for value in taken {
                let read = read(with(&pointer, value.clone())).unwrap();
                let number = read.pointer(&pointer).unwrap();
                assert_eq!(number.as_f64(), value.as_f64(), "{pointer}");
                // The two waits are held to each other, too.
                let is_wait = pointer.starts_with("/retry_policy") && pointer.ends_with("_ms");
                assert!(is_wait || complete(None, read).is_ok(), "{pointer}: {value}");
            }
            for value in wrong {
                let (field, message) = refused(with(&pointer, value.clone()));
                assert_eq!((field, message), (path.clone(), takes.wanted()), "{value}");
            }
            if let Takes::Whole(least @ 1.., _) = takes {
                assert_eq!(refused(with(&pointer, json!(least - 1))).0, path);
            }
        }
        assert_eq!(refused(json!({ "timeouts": { "run": 9 } })).0, "config.timeouts.run");
        let whole = refused(json!({ "timeouts": 9 }));
        assert_eq!(whole.1, "wants an object of query, model, run");
    }

    #[test]
    fn no_wait_is_shorter_than_the_first() {
        for policy in [json!({ "base_ms": 20_000 }), json!({ "max_ms": 999 })] {
            let given = read(json!({ "retry_policy": policy })).unwrap();
            let refused = complete(None, given).unwrap_err();
            assert!(
                matches!(&refused, Refusal::InvalidField { field, message, .. }
                    if field == "config.retry_policy.max_ms" && message.contains("base_ms")),
                "{refused:?}"
            );
        }
        let same =
            read(json!({ "retry_policy": { "base_ms": 20_000, "max_ms": 20_000 } })).unwrap();
        assert!(complete(None, same).is_ok());
    }

    #[test]
    fn an_unknown_knob_names_the_nearest() {
        for (config, field, near) in [
            (json!({ "maxdepth": 1 }), "config.maxdepth", "max_depth"),
            (
                json!({ "max_nodes": 3, "paralel_queries": 1 }),
                "config.paralel_queries",
                "parallel_queries",
            ),
            (json!({ "timeouts": { "runs": 60 } }), "config.timeouts.runs", "run"),
            (json!({ "retry_policy": { "max": null } }), "config.retry_policy.max", "max_ms"),
        ] {
            let (named, message) = refused(config);
            assert_eq!(named, field);
            assert_eq!(message, format!("is no knob; the nearest is `{near}`"));
        }
    }

    #[test]
    fn single_knobs_win_over_the_effort_and_what_was_not_given_stays_out() {
        let config = json!({ "max_rounds": 7, "timeouts": { "query": 5, "model": null }, "max_nodes": null });
        let given = read(config).unwrap();
        assert_eq!(given, json!({ "max_rounds": 7, "timeouts": { "query": 5 } }));
        let all = complete(Some(RunEffort::Quick), given).unwrap();
        let all: Knobs = serde_json::from_str(&all).unwrap();
        let quick = RunEffort::Quick.knobs();
        assert_eq!(
            (all.max_rounds, all.timeouts.query, all.timeouts.run),
            (7, 5, quick.timeouts.run)
        );
        assert_eq!(all.max_depth, quick.max_depth);
        let usual = complete(None, super::given(None).unwrap()).unwrap();
        assert_eq!(serde_json::from_str::<Knobs>(&usual).unwrap(), Knobs::default());
    }
}
