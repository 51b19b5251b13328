//! Responses that are runs.

use super::*;

#[test]
fn a_run_is_wanted_in_the_background_and_for_what_a_run_can_do() {
    let opened = |more: Value| {
        let mut body = json!({ "model": "quarry-run", "input": "Why?", "background": true });
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        opened("POST", "/v1/responses", None, &body).order
    };
    let wished = json!({
        "reasoning": { "effort": "high" }, "temperature": 0.5, "instructions": "Be brief.",
        "tools": [{ "type": "file_search" }], "quarry": { "budget": { "usd": 0.5 } },
    });
    let AnyOrder::Response(Order::Begin(begin)) = opened(wished).unwrap() else {
        panic!("no run is begun")
    };
    let (run, begun) = begin.run().unwrap();
    assert_eq!((run.task.as_str(), run.guidance.as_deref()), ("Why?", Some("Be brief.")));
    assert_eq!((run.budget.usd, run.sources.knowledge, run.sources.web), (Some(0.5), true, false));
    assert_eq!(
        run.config,
        crate::runs::knobs::complete(Some(quarry_types::RunEffort::Deep), json!({})).unwrap()
    );
    assert!(run.keeps.is_some() && !begun.streams);
    let reply = begun.reply(ID);
    assert!(reply.headers.contains(&("x-quarry-ignored", "temperature".into())));
    for (more, field) in [
        (json!({ "background": false }), "background"),
        (json!({ "tool_choice": "none" }), "tool_choice"),
        (json!({ "text": { "format": { "type": "json_object" } } }), "text.format"),
        (
            json!({ "tools": [{ "type": "web_search", "filters": { "allowed_domains": ["a.test"] } }] }),
            "tools",
        ),
        (json!({ "tools": [{ "type": "code_interpreter" }] }), "tools"),
        (json!({ "max_tool_calls": 3 }), "max_tool_calls"),
        (json!({ "quarry": { "max_iterations": 2 } }), "quarry.max_iterations"),
        (json!({ "instructions": "x".repeat(8_193) }), "instructions"),
        (json!({ "input": "", "previous_response_id": "resp_run_x" }), "input"),
    ] {
        match opened(more).unwrap_err() {
            Refusal::InvalidField { field: told, .. } => assert_eq!(told, field),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_response_of_a_run_is_known_by_its_id() {
    let id = || ID.to_owned();
    let path = format!("/v1/responses/resp_run_{ID}");
    for (method, path, query, expected) in [
        ("GET", path.clone(), None, Of::Show),
        ("GET", path.clone(), Some("stream=true&starting_after=4"), Of::Stream(Some(4))),
        ("DELETE", path.clone(), None, Of::Delete),
        ("POST", format!("{path}/cancel"), None, Of::Cancel),
    ] {
        let order = opened(method, &path, query, &Value::Null).order;
        assert_eq!(order, Ok(AnyOrder::Response(Order::OfRun(id(), expected))), "{method} {path}");
    }
    let nobodys = opened("GET", "/v1/responses/resp_run_0af3", None, &Value::Null).order;
    assert_eq!(nobodys, Ok(AnyOrder::Response(Order::Show("run_0af3".to_owned()))));
}

#[test]
fn a_name_that_the_operator_gave_may_mean_a_run() {
    let body = |more: Value| {
        let mut body = json!({ "input": "why?", "model": "deep" });
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    };
    let meant = |more: Value, aliases: &str| {
        let order = opened("POST", "/v1/responses", None, &body(more)).order.unwrap();
        let AnyOrder::Response(Order::Aliased(aliased)) = order else { panic!("{order:?}") };
        aliased.meant(aliases)
    };
    let background = || json!({ "background": true, "temperature": 0.5 });
    let begun = meant(background(), "fast=quarry, deep=quarry-run").unwrap();
    let AnyOrder::Response(Order::Begin(begin)) = begun else { panic!("{begun:?}") };
    let (_, begun) = begin.run().unwrap();
    let reply = begun.reply(ID);
    assert!(reply.headers.contains(&("x-quarry-ignored", "temperature".into())));
    let shown: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!((&shown["model"], &shown["id"]), (&json!("deep"), &json!(format!("resp_run_{ID}"))));
    // It is refused what `quarry-run` is.
    let refused = meant(json!({}), "deep=quarry-run").unwrap_err();
    assert!(matches!(refused, Refusal::InvalidField { field, .. } if field == "background"));
    // What means something else, or nothing, is an ask's affair.
    for aliases in ["deep=quarry", "other=quarry-run", "", "broken"] {
        assert!(matches!(meant(background(), aliases), Ok(AnyOrder::Start(_))), "{aliases}");
    }
}
