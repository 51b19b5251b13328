//! What fits and what does not, held against the reference checker where that is at hand in words of its own.

use super::*;
use proptest::prelude::*;
use serde_json::json;

/// What pydantic and zod make of nested models.
fn nested() -> Value {
    json!({
        "$defs": { "Place": {
            "type": "object",
            "properties": { "name": { "type": "string", "minLength": 1 }, "metres": { "type": ["number", "null"], "minimum": 0 } },
            "required": ["name", "metres"], "additionalProperties": false,
        } },
        "type": "object",
        "properties": {
            "kind": { "enum": ["lighthouse", "bridge"] },
            "places": { "type": "array", "items": { "$ref": "#/$defs/Place" }, "minItems": 1, "maxItems": 2 },
            "year": { "anyOf": [{ "type": "integer" }, { "type": "null" }] },
        },
        "required": ["kind", "places", "year"], "additionalProperties": false,
    })
}

#[test]
fn what_fits_has_nothing_wrong() {
    let schema = nested();
    assert_eq!(admit(&schema), Ok(Unchecked::default()));
    for value in [
        json!({ "kind": "bridge", "places": [{ "name": "Orrin", "metres": 212.5 }], "year": 1936 }),
        json!({ "places": [{ "metres": null, "name": "x" }, { "name": "y", "metres": 0 }], "year": null, "kind": "lighthouse" }),
        json!({ "kind": "bridge", "places": [{ "name": "é", "metres": 1 }], "year": 1936.0 }),
    ] {
        assert_eq!(misfits(&schema, &value), Vec::<String>::new(), "{value}");
    }
}

#[test]
fn each_misfit_is_said_with_its_place() {
    let schema = nested();
    let place = |name: Value, metres: Value| json!({ "name": name, "metres": metres });
    let value = |kind: &str, places: Value, year: Value| json!({ "kind": kind, "places": places, "year": year });
    for (value, said) in [
        (json!([]), "the value must be of type object, and is []"),
        (
            json!({ "kind": "bridge", "places": [place(json!("x"), json!(1))] }),
            "the value must have a member \"year\"",
        ),
        (
            value("ship", json!([place(json!("x"), json!(1))]), json!(1)),
            "/kind must be one of [\"lighthouse\",\"bridge\"]",
        ),
        (value("bridge", json!([]), json!(1)), "/places must have at least 1 items, not 0"),
        (
            value("bridge", json!([place(json!(""), json!(1))]), json!(1)),
            "/places/0/name must have at least 1 characters, not 0",
        ),
        (
            value("bridge", json!([place(json!("x"), json!(-1))]), json!(1)),
            "/places/0/metres must be at least 0, not -1",
        ),
        (
            value("bridge", json!([place(json!("x"), json!("1"))]), json!(1)),
            "/places/0/metres must be of type number or null, and is \"1\"",
        ),
        (
            value("bridge", json!([place(json!("x"), json!(1))]), json!(1.5)),
            "/year fits none of its alternatives",
        ),
        (
            json!({ "kind": "bridge", "places": [place(json!("x"), json!(1))], "year": 1, "more": 1 }),
            "the value has a member \"more\" that is not allowed",
        ),
    ] {
        let wrong = misfits(&schema, &value);
        assert_eq!(wrong.first().map(String::as_str), Some(said), "{value}: {wrong:?}");
    }
}

#[test]
fn every_rule_that_is_admitted_is_a_rule() {
    for (schema, fits, does_not) in [
        (json!({ "const": { "a": 1 } }), json!({ "a": 1.0 }), json!({ "a": 2 })),
        (
            json!({ "allOf": [{ "required": ["a"] }, { "required": ["b"] }] }),
            json!({ "a": 1, "b": 1 }),
            json!({ "a": 1 }),
        ),
        (
            json!({ "oneOf": [{ "required": ["a"] }, { "required": ["b"] }] }),
            json!({ "a": 1 }),
            json!({ "a": 1, "b": 1 }),
        ),
        (json!({ "not": { "required": ["a"] } }), json!({}), json!({ "a": 1 })),
        (json!({ "minProperties": 1 }), json!({ "a": 1 }), json!({})),
        (json!({ "maxProperties": 1 }), json!({ "a": 1 }), json!({ "a": 1, "b": 1 })),
        (
            json!({ "additionalProperties": { "type": "string" } }),
            json!({ "a": "x" }),
            json!({ "a": 1 }),
        ),
        (json!({ "properties": { "a": false } }), json!({}), json!({ "a": 1 })),
        (
            json!({ "properties": { "a": { "maxLength": 2 } } }),
            json!({ "a": "éé" }),
            json!({ "a": "ééé" }),
        ),
        (
            json!({ "properties": { "a": { "maximum": 2 } } }),
            json!({ "a": 2 }),
            json!({ "a": 2.1 }),
        ),
        (
            json!({ "properties": { "a": { "exclusiveMaximum": 2 } } }),
            json!({ "a": 1.9 }),
            json!({ "a": 2 }),
        ),
        (
            json!({ "properties": { "a": { "exclusiveMinimum": 2 } } }),
            json!({ "a": 2.1 }),
            json!({ "a": 2 }),
        ),
        (
            json!({ "properties": { "a": { "multipleOf": 0.1 } } }),
            json!({ "a": 0.3 }),
            json!({ "a": 0.35 }),
        ),
        (
            json!({ "properties": { "a": { "maxItems": 1 } } }),
            json!({ "a": [1] }),
            json!({ "a": [1, 2] }),
        ),
        (
            json!({ "properties": { "a": { "uniqueItems": true } } }),
            json!({ "a": [1, "1"] }),
            json!({ "a": [1, 1.0] }),
        ),
        (
            json!({ "properties": { "a": { "prefixItems": [{ "type": "string" }], "items": { "type": "integer" } } } }),
            json!({ "a": ["x", 1] }),
            json!({ "a": ["x", "y"] }),
        ),
        (
            json!({ "properties": { "a": { "$ref": "#" } }, "additionalProperties": false }),
            json!({ "a": { "a": {} } }),
            json!({ "a": { "b": 1 } }),
        ),
        (
            json!({ "properties": { "a": { "type": "boolean" } } }),
            json!({ "a": true }),
            json!({ "a": "true" }),
        ),
    ] {
        assert_eq!(admit(&schema), Ok(Unchecked::default()), "{schema}");
        assert_eq!(misfits(&schema, &fits), Vec::<String>::new(), "{schema}");
        assert_ne!(misfits(&schema, &does_not), Vec::<String>::new(), "{schema}");
    }
}

#[test]
fn what_could_not_be_checked_is_refused_by_its_name_or_named() {
    for (schema, said) in [
        (json!([]), "wants an object"),
        (json!({ "type": "array" }), "must describe an object"),
        (json!({ "type": "thing" }), "must describe an object"),
        (json!({ "properties": { "a": { "type": "thing" } } }), "/properties/a/type names no type"),
        (json!({ "properties": { "a": { "if": {} } } }), "uses `if` at /properties/a"),
        (json!({ "patternProperties": {} }), "uses `patternProperties` at the value"),
        (json!({ "$ref": "https://elsewhere.example/schema" }), "refers to nothing"),
        (json!({ "$ref": "#/$defs/A" }), "refers to nothing"),
        (json!({ "properties": { "a": 7 } }), "is no schema"),
        (json!({ "anyOf": [] }), "wants a list of schemas"),
        (json!({ "required": "a" }), "wants a list of names"),
        (json!({ "properties": { "a": { "minLength": -1 } } }), "wants a whole number"),
        (json!({ "properties": { "a": { "multipleOf": 0 } } }), "wants a number above 0"),
        (json!({ "properties": { "a": { "items": [{}] } } }), "is no schema"),
    ] {
        let told = admit(&schema).unwrap_err();
        assert!(told.contains(said), "{schema}: {told}");
    }
    let mut deep = json!({});
    for _ in 0..40 {
        deep = json!({ "properties": { "a": deep } });
    }
    assert!(admit(&deep).unwrap_err().contains("nested deeper"));
    let wide: serde_json::Map<String, Value> =
        (0..6_000).map(|n| (n.to_string(), json!({}))).collect();
    assert!(admit(&json!({ "properties": wide })).unwrap_err().contains("more than"));
    let named = admit(
        &json!({ "properties": { "a": { "type": "string", "format": "date", "pattern": "^x" } } }),
    );
    assert_eq!(named, Ok(Unchecked { pattern: true, format: true }));
    // A member of this name is none of the rules.
    let member = json!({ "properties": { "pattern": { "type": "string" }, "if": {} } });
    assert_eq!(admit(&member), Ok(Unchecked::default()));
}

#[test]
fn a_schema_cannot_make_us_work_without_end() {
    let twice = json!([{ "$ref": "#/$defs/a" }, { "$ref": "#/$defs/a" }]);
    let schema = json!({ "$defs": { "a": { "anyOf": twice } }, "$ref": "#/$defs/a" });
    assert!(admit(&schema).is_ok());
    assert_eq!(misfits(&schema, &json!({})).len(), 1);
    let itself = json!({ "$ref": "#" });
    assert!(misfits(&itself, &json!({}))[0].contains("nested too deep"));
    let many: Vec<u32> = (0..2_000).collect();
    let unique = json!({ "properties": { "a": { "uniqueItems": true } } });
    assert_eq!(misfits(&unique, &json!({ "a": many })).len(), 1);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-9i64..9).prop_map(Value::from),
        "[a-z#/$~%]{0,6}".prop_map(Value::from),
    ];
    let name = prop_oneof![
        prop::sample::select(vec![
            "type",
            "properties",
            "required",
            "items",
            "anyOf",
            "oneOf",
            "allOf",
            "not",
            "enum",
            "const",
            "$ref",
            "additionalProperties",
            "minLength",
            "maxItems",
            "minimum",
            "multipleOf",
            "uniqueItems",
            "prefixItems",
        ])
        .prop_map(str::to_owned),
        "[a-c]",
    ];
    leaf.prop_recursive(4, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name.clone(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn whatever_is_a_schema_and_whatever_is_a_value_is_looked_at_without_a_panic(schema in any_json(), value in any_json()) {
        let _ = admit(&schema);
        prop_assert!(misfits(&schema, &value).len() <= 8);
    }
}

#[test]
fn long_lists_within_alternatives_cost_what_they_are_long() {
    let words: Vec<_> = (0..4_000).map(|n| format!("w{n}")).collect();
    let mut defs = serde_json::Map::new();
    defs.insert("a0".to_owned(), json!({ "enum": words }));
    for n in 1..=15 {
        let below = json!({ "$ref": format!("#/$defs/a{}", n - 1) });
        defs.insert(format!("a{n}"), json!({ "anyOf": [below.clone(), below] }));
    }
    let schema = json!({
        "$defs": defs, "type": "object", "required": ["x"],
        "properties": { "x": { "type": "integer", "$ref": "#/$defs/a15" } },
    });
    assert_eq!(admit(&schema), Ok(Unchecked::default()));
    let told = misfits(&schema, &json!({ "x": 1 }));
    assert_eq!(told, ["the value takes too long to be checked against the schema"]);
}

#[test]
fn a_reference_leads_to_a_schema_that_was_looked_at() {
    let schema = json!({
        "type": "object", "properties": { "a": { "$ref": "#/x" } },
        "x": { "type": "array", "contains": { "const": 1 } },
    });
    let refused = admit(&schema).unwrap_err();
    assert!(refused.contains("$defs"), "{refused}");
    let recursive = json!({
        "type": "object", "properties": { "child": { "$ref": "#" }, "again": { "$ref": "#/properties/child" } },
    });
    assert_eq!(admit(&recursive), Ok(Unchecked::default()));
}

#[test]
fn large_amounts_are_multiples_of_a_cent() {
    let schema = json!({ "type": "object", "properties": { "sum": { "multipleOf": 0.01 } } });
    for sum in [84_693_897.32, 79_304_621.43, 0.07] {
        assert_eq!(misfits(&schema, &json!({ "sum": sum })), [""; 0]);
    }
    assert_eq!(misfits(&schema, &json!({ "sum": 0.015 })).len(), 1);
}
