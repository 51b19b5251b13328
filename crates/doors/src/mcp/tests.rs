//! Which message is answered how, in each version.

mod streams;

use serde_json::{Value, json};

use super::{Doing, Facts, Id, Order, Task, What, batched};
use crate::head::McpHead;
use crate::order::{Continuation, Order as AnyOrder, Seeks};
use crate::responses::Earlier;
use crate::{Entrance, Head, Refusal, Reply, enter};
use quarry_types::Timestamp;

const NOW: Timestamp = Timestamp(0);

fn head(method: &str, version: Option<&str>) -> Head {
    let mcp = McpHead { version: version.map(str::to_owned), ..McpHead::default() };
    Head { method: method.into(), path: "/mcp".into(), mcp, ..Head::default() }
}

fn opened(head: &Head, body: &str) -> (Order, Box<dyn super::AnyVoice>) {
    let Entrance::Open(visit) = enter(head, NOW) else { panic!("no door") };
    let opened = visit.open(head, body.as_bytes());
    let AnyOrder::Mcp(order) = opened.order.unwrap() else { panic!("no message") };
    (*order, opened.voice)
}

fn json(reply: &Reply) -> Value {
    serde_json::from_slice(&reply.body).unwrap()
}

fn known(head: &Head, body: &str) -> (u16, Value) {
    match opened(head, body).0 {
        Order::Known(reply) | Order::Greet(reply) | Order::Public(reply) => {
            (reply.status, if reply.body.is_empty() { Value::Null } else { json(&reply) })
        }
        other => panic!("{other:?}"),
    }
}

/// A request of a version with a handshake.
fn old(method: &str, params: Value) -> (u16, Value) {
    known(&head("POST", Some("2025-11-25")), &request(method, params))
}

fn request(method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }).to_string()
}

/// A request of the version without one, with its headers.
fn modern(method: &str, mut params: Value) -> (Head, String) {
    let mut head = head("POST", Some("2026-07-28"));
    head.mcp.method = Some(method.to_owned());
    let name = params.get("name").or_else(|| params.get("uri")).or_else(|| params.get("taskId"));
    head.mcp.name = name.and_then(Value::as_str).map(str::to_owned);
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    (head, request(method, params))
}

fn new(method: &str, params: Value) -> (u16, Value) {
    let (head, body) = modern(method, params);
    known(&head, &body)
}

#[test]
fn a_handshake_is_greeted_in_a_version_that_has_one() {
    let body =
        request("initialize", json!({ "protocolVersion": "2025-06-18", "capabilities": {} }));
    let (order, _) = opened(&head("POST", None), &body);
    let Order::Greet(reply) = order else { panic!("{order:?}") };
    let greeting = json(&reply);
    assert_eq!(greeting["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(greeting["result"]["serverInfo"]["name"], "quarry");
    let named = super::greeted(reply, 255);
    let session = named.headers.iter().find(|(name, _)| *name == "mcp-session-id").unwrap();
    assert_eq!(session.1, format!("{:032x}", 255));
    assert_eq!(
        known(&head("POST", None), &request("initialize", json!({}))).1["error"]["code"],
        -32602
    );
}

#[test]
fn each_era_has_its_own_methods_and_statuses() {
    assert_eq!(old("ping", json!({})), (200, json!({ "jsonrpc": "2.0", "id": 7, "result": {} })));
    let (status, unknown) = old("logging/setLevel", json!({}));
    assert_eq!((status, &unknown["error"]["code"]), (200, &json!(-32601)));
    for method in [
        "initialize",
        "ping",
        "logging/setLevel",
        "completion/complete",
        "tasks/list",
        "tasks/result",
    ] {
        let (status, unknown) = new(method, json!({}));
        assert_eq!((status, &unknown["error"]["code"]), (404, &json!(-32601)), "{method}");
        assert_eq!(unknown["id"], 7);
    }
    for method in
        ["subscriptions/listen", "completion/complete", "tasks/get", "tasks/cancel", "tasks/update"]
    {
        assert_eq!(old(method, json!({})).1["error"]["code"], -32601, "{method}");
    }
    let (status, discovered) = new("server/discover", json!({}));
    let extensions = &discovered["result"]["capabilities"]["extensions"];
    assert_eq!(extensions, &json!({ "io.modelcontextprotocol/tasks": {} }));
    let versions = &discovered["result"]["supportedVersions"];
    assert_eq!(status, 200);
    assert_eq!(versions, &json!(["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"]));
    assert_eq!(discovered["result"]["resultType"], "complete");
    let (status, refused) = known(&head("POST", Some("2031-01-01")), &request("ping", json!({})));
    assert_eq!((status, &refused["error"]["code"]), (400, &json!(-32022)));
    assert_eq!(refused["error"]["data"]["requested"], "2031-01-01");
    assert_eq!(&refused["error"]["data"]["supported"], versions);
}

#[test]
fn a_parameter_that_is_no_text_is_told_from_one_that_is_not_there() {
    for (method, name) in [
        ("tools/call", "name"),
        ("prompts/get", "name"),
        ("resources/read", "uri"),
        ("initialize", "protocolVersion"),
    ] {
        for (params, why) in [
            (json!({}), "is missing"),
            (json!({ name: null }), "is missing"),
            (json!({ name: 5 }), "wants a text"),
        ] {
            let (status, told) = old(method, params);
            assert_eq!((status, &told["error"]["code"]), (200, &json!(-32602)), "{method}");
            assert_eq!(told["error"]["message"], format!("`{name}` {why}"), "{method}");
        }
    }
    let told = new("tools/call", json!({ "name": 5 })).1;
    assert_eq!(told["error"]["message"], "`name` wants a text");
    let arguments = json!({ "question": "Why?", "max_iterations": 3 });
    let told = old("tools/call", json!({ "name": "research", "arguments": arguments })).1;
    let text = told["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("`max_iterations`; there are `question`, `context`, `effort`"), "{text}");
}

#[test]
fn lists_are_the_same_in_both_and_may_be_kept_in_the_new() {
    for (method, name, count) in [
        ("tools/list", "tools", 7),
        ("prompts/list", "prompts", 1),
        ("resources/list", "resources", 1),
        ("resources/templates/list", "resourceTemplates", 3),
    ] {
        let (before, after) = (old(method, json!({})).1, new(method, json!({})).1);
        assert_eq!(before["result"][name].as_array().unwrap().len(), count, "{method}");
        assert_eq!(before["result"][name], after["result"][name], "{method}");
        assert_eq!(after["result"]["cacheScope"], "public");
        assert_eq!(before["result"].get("ttlMs"), None);
        let (_, wrong) = old(method, json!({ "cursor": "x" }));
        assert_eq!(wrong["error"]["code"], -32602, "{method}");
    }
}

#[test]
fn prompts_and_resources_are_read() {
    let prompt =
        json!({ "name": "deep_research", "arguments": { "question": "Why?", "context": "So." } });
    let text = old("prompts/get", prompt).1["result"]["messages"][0]["content"]["text"].to_string();
    assert!(text.contains("Why?") && text.contains("So."));
    for wrong in [json!({ "name": "other" }), json!({ "name": "deep_research" })] {
        assert_eq!(old("prompts/get", wrong).1["error"]["code"], -32602);
    }
    let guide = json!({ "uri": "quarry://guide" });
    let contents = &new("resources/read", guide).1["result"]["contents"][0];
    assert_eq!(contents["mimeType"], "text/markdown");
    assert!(contents["text"].as_str().unwrap().contains("research_result"));
    let nowhere = json!({ "uri": "quarry://elsewhere" });
    assert_eq!(old("resources/read", nowhere.clone()).1["error"]["code"], -32002);
    assert_eq!(new("resources/read", nowhere).1["error"]["code"], -32602);
    let ask = json!({ "uri": "quarry://asks/0af3" });
    let (head, body) = modern("resources/read", ask);
    let (order, voice) = opened(&head, &body);
    assert!(matches!(order, Order::Read(reading) if reading.ask == "0af3"));
    // One that is not kept any more is like one that never was.
    let gone = json(&voice.refuse(&Refusal::NotFound("gone".into()), NOW));
    assert_eq!(gone["error"]["data"]["uri"], "quarry://asks/0af3");
}

#[test]
fn an_ask_ends_with_its_stream_in_the_new_era_alone() {
    let call = json!({ "name": "research", "arguments": { "question": "Why?" } });
    let mut with_session = head("POST", Some("2025-11-25"));
    with_session.mcp.session = Some("s".into());
    let (Order::Ask(before), voice) = opened(&with_session, &request("tools/call", call.clone()))
    else {
        panic!("nothing is asked")
    };
    assert!(voice.streams() && before.manners.goes_on && before.manners.grace_seconds.is_none());
    let key = before.manners.join.unwrap();
    assert_eq!(key.seeks, Seeks::Nothing);
    let cancelled = |id: Value| {
        let params = json!({ "requestId": id });
        let told =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
        opened(&with_session, &told.to_string()).0
    };
    let (Order::Cancel(same), Order::Cancel(other)) = (cancelled(json!(7)), cancelled(json!("7")))
    else {
        panic!("nothing is cancelled")
    };
    assert_eq!(same.key(), key.key);
    assert_ne!(other.key(), key.key);
    let (head, body) = modern("tools/call", call);
    let (Order::Ask(after), _) = opened(&head, &body) else { panic!("nothing is asked") };
    assert!(!after.manners.goes_on && after.manners.grace_seconds == Some(0));
    assert_eq!(after.manners.join, None);
}

/// A request of a client that says that it knows tasks.
fn knowing(method: &str, params: Value) -> (Head, String) {
    let (head, body) = modern(method, params);
    let mut body: Value = serde_json::from_str(&body).unwrap();
    body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
        json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    (head, body.to_string())
}

#[test]
fn a_client_that_knows_tasks_is_given_one() {
    let call = |effort: &str| {
        let arguments = json!({ "question": "Why?", "effort": effort });
        json!({ "name": "research", "arguments": arguments })
    };
    let (head, body) = knowing("tools/call", call("low"));
    let (Order::Task(ask, id), voice) = opened(&head, &body) else { panic!("no task") };
    assert_eq!((id, voice.streams()), (Id::Number(7), false));
    assert!(
        ask.manners.goes_on && ask.manners.grace_seconds.is_none() && ask.manners.keeps.is_some()
    );
    let (head, body) = knowing("tools/call", call("deep"));
    let (Order::ForRun(run), _) = opened(&head, &body) else { panic!("no run") };
    assert!(run.is_task() && !run.ends_when_left());
    let What::Begin(deep) = run.what else { panic!("nothing is begun") };
    assert!(deep.run().unwrap().keeps.is_some());
    // One that does not is told of it, and what it leaves ends.
    let (head, body) = modern("tools/call", call("deep"));
    let (Order::ForRun(run), _) = opened(&head, &body) else { panic!("no run") };
    assert!(!run.is_task() && run.ends_when_left());
}

#[test]
fn tasks_are_for_clients_that_know_them() {
    let named = || json!({ "taskId": "0af3" });
    for (method, doing) in [
        ("tasks/get", Doing::Get),
        ("tasks/cancel", Doing::Cancel),
        ("tasks/update", Doing::Update),
    ] {
        let (status, refused) = new(method, named());
        assert_eq!((status, &refused["error"]["code"]), (400, &json!(-32021)), "{method}");
        let needs = &refused["error"]["data"]["requiredCapabilities"]["extensions"];
        assert!(needs["io.modelcontextprotocol/tasks"].is_object(), "{refused}");
        let (head, body) = knowing(method, named());
        let Order::OfTask(of) = opened(&head, &body).0 else { panic!("{method}") };
        assert_eq!((of.id.as_str(), of.doing), ("0af3", doing));
        assert_eq!(json(&of.unknown())["error"]["code"], -32602);
        let unnamed = Head { mcp: McpHead { name: None, ..head.mcp.clone() }, ..head };
        assert_eq!(known(&unnamed, &body).1["error"]["code"], -32020, "{method}");
        let (head, body) = knowing(method, json!({}));
        assert_eq!(known(&head, &body).1["error"]["code"], -32602, "{method}");
    }
}

#[test]
fn a_stream_of_tasks_says_first_what_it_will_tell() {
    let wanted = |notifications: Value| json!({ "notifications": notifications });
    let tasks = json!({ "taskIds": ["0af3", "0af3", "run_7"], "toolsListChanged": true });
    assert_eq!(new("subscriptions/listen", wanted(tasks.clone())).1["error"]["code"], -32021);
    let (head, body) = knowing("subscriptions/listen", wanted(tasks));
    let Order::Listen(listen) = opened(&head, &body).0 else { panic!("nobody listens") };
    assert_eq!(listen.tasks, ["0af3", "run_7"]);
    let first = String::from_utf8(listen.acknowledged()).unwrap();
    let first: Value = serde_json::from_str(first.strip_prefix("data: ").unwrap()).unwrap();
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(first["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 7);
    assert_eq!(first["params"]["notifications"], json!({ "taskIds": ["0af3", "run_7"] }));
    // Nothing is told of what nobody asked for, and nothing else ever changes.
    let (head, body) = modern("subscriptions/listen", wanted(json!({ "toolsListChanged": true })));
    let Order::Listen(listen) = opened(&head, &body).0 else { panic!("nobody listens") };
    assert!(listen.tasks.is_empty());
    for wrong in [json!({}), json!({ "notifications": [] })] {
        assert_eq!(new("subscriptions/listen", wrong).1["error"]["code"], -32602);
    }
}

#[test]
fn an_ask_whose_limit_is_over_goes_on_and_one_that_was_stopped_does_not() {
    let event = |name, data: Value| crate::Event { sequence: None, name, data: data.to_string() };
    let limited =
        json!({ "message": "slow", "waitTime": 60, "resumeAfter": "1970-01-01T00:01:00Z" });
    let mut earlier = Earlier {
        events: vec![event(quarry_events::EventName::QuotaExceeded, limited)],
        has_ended: true,
        kept: Some("kept".into()),
    };
    assert_eq!(super::goes_on("0af3", &earlier, Timestamp(59_999)), None);
    let request = super::goes_on("0af3", &earlier, Timestamp(60_000)).unwrap();
    assert_eq!(request.resume, Some(Continuation::Kept("0af3".into())));
    let again = super::goes_on("0af3", &earlier, Timestamp(70_000)).unwrap();
    assert_eq!(request.manners.join, again.manners.join);
    assert!(request.manners.join.unwrap().seeks == Seeks::Anything && request.manners.goes_on);
    let facts = Facts { lasts_ms: 9, now: Timestamp(20_000) };
    let Task(task) = super::of_ask("0af3", "0af3", &earlier, facts);
    assert_eq!((&task["status"], &task["ttlMs"]), (&json!("working"), &json!(9)));
    assert_eq!(task["pollIntervalMs"], 40_000);
    assert!(
        task["statusMessage"]
            .as_str()
            .unwrap()
            .starts_with("slow; it goes on with the first tasks/get from 1970")
    );
    super::stopped(&mut earlier);
    assert_eq!(super::goes_on("0af3", &earlier, Timestamp(90_000)), None);
    let Task(task) = super::of_ask("0af3", "0af3", &earlier, facts);
    assert_eq!((&task["status"], task.get("result")), (&json!("cancelled"), None));
}

#[test]
fn what_is_wanted_of_a_run_is_known_by_its_id() {
    let run = "019a00000000abcdef00000000000000";
    let id = format!("run_{run}");
    let tool = |name: &str| json!({ "name": name, "arguments": { "id": id } });
    for (params, expected) in [
        (tool("research_result"), What::Look(run.into())),
        (tool("research_stop"), What::Stop(run.into())),
    ] {
        let (head, body) = modern("tools/call", params);
        let (Order::ForRun(of), voice) = opened(&head, &body) else { panic!("{expected:?}") };
        assert_eq!((of.what, voice.streams()), (expected, true));
    }
    let (head, body) = modern("resources/read", json!({ "uri": format!("quarry://asks/{id}") }));
    let Order::ForRun(of) = opened(&head, &body).0 else { panic!("nothing is read") };
    assert!(matches!(of.what, What::Read(ref id, _) if id == run));
}

#[test]
fn what_a_model_does_wrong_is_a_result_and_what_a_client_does_is_an_error() {
    let call = |name: &str, arguments: Value| {
        old("tools/call", json!({ "name": name, "arguments": arguments })).1
    };
    for (name, arguments, word) in [
        ("research", json!({}), "question"),
        ("research", json!({ "question": "?", "wait_seconds": 90 }), "wait_seconds"),
        ("research", json!({ "query": "?" }), "question"),
        ("research_result", json!({ "id": "a b" }), "id"),
        ("research_stop", json!({}), "id"),
    ] {
        let told = call(name, arguments);
        assert_eq!(told["result"]["isError"], true, "{told}");
        assert!(told["result"]["content"][0]["text"].as_str().unwrap().contains(word), "{told}");
    }
    assert_eq!(call("search", json!({}))["error"]["code"], -32602);
    assert_eq!(call("research", json!([]))["error"]["code"], -32602);
    let (_, voice) = opened(
        &head("POST", Some("2025-11-25")),
        &request("tools/call", json!({ "name": "research_result", "arguments": { "id": "0af3" } })),
    );
    let gone = voice.refuse(&Refusal::NotFound("gone".into()), NOW);
    assert_eq!((gone.status, &json(&gone)["result"]["isError"]), (200, &json!(true)));
    let unpriced = voice.refuse(&Refusal::field("budget.usd", "use budget.tokens"), NOW);
    let unpriced = json(&unpriced)["result"]["content"][0]["text"].to_string();
    assert!(unpriced.contains("`budget_usd`") && !unpriced.contains("tokens"), "{unpriced}");
    let away = voice.refuse(&Refusal::Unavailable("away".into()), NOW);
    assert_eq!((away.status, &json(&away)["id"]), (503, &json!(7)));
    let limited = voice.refuse(&Refusal::RateLimited { retry_after: 9 }, NOW);
    assert!(limited.headers.contains(&("retry-after", "9".into())));
}

#[test]
fn a_single_tool_has_the_name_by_which_the_agent_knows_it() {
    for (name, tool) in [
        ("search_web", "search_web"),
        ("read_page", "scrape_web_content"),
        ("run_javascript", "execute_javascript"),
        ("search_knowledge", "search_knowledge"),
    ] {
        let params = json!({ "name": name, "arguments": { "query": "x" } });
        let (head, body) = modern("tools/call", params);
        let (Order::Call(call), voice) = opened(&head, &body) else { panic!("{name}") };
        assert_eq!((call.tool, call.arguments.as_str()), (tool, r#"{"query":"x"}"#));
        assert!(!voice.streams());
        let given = json(&call.reply(r#"{"results":[]}"#, None));
        assert_eq!(given["result"]["structuredContent"], json!({ "results": [] }));
        assert_eq!((&given["id"], &given["result"]["isError"]), (&json!(7), &json!(false)));
        let failed = json(&call.reply(r#"{"error":"away"}"#, Some("away")));
        assert_eq!(failed["result"]["content"][0]["text"], "away");
        assert_eq!(failed["result"]["isError"], true);
    }
    let digest =
        json!({ "name": "search_web", "arguments": { "query": "x", "generate_summary": true } });
    assert_eq!(old("tools/call", digest).1["result"]["isError"], true);
}

#[test]
fn a_connector_has_two_tools_and_nothing_else() {
    let at = |method: &str, params: Value| {
        let head = Head { path: "/mcp/connector".into(), ..head("POST", Some("2025-11-25")) };
        opened(&head, &request(method, params)).0
    };
    let known = |order: Order| match order {
        Order::Known(reply) | Order::Greet(reply) => json(&reply),
        other => panic!("{other:?}"),
    };
    let greeting = known(at("initialize", json!({ "protocolVersion": "2025-11-25" })));
    assert_eq!(greeting["result"]["capabilities"], json!({ "tools": {} }));
    assert_eq!(known(at("tools/list", json!({})))["result"]["tools"][1]["name"], "fetch");
    for method in ["resources/list", "prompts/list"] {
        assert_eq!(known(at(method, json!({})))["error"]["code"], -32601, "{method}");
    }
    let call = |name: &str, arguments: Value| {
        at("tools/call", json!({ "name": name, "arguments": arguments }))
    };
    let Order::Call(search) = call("search", json!({ "query": "x" })) else { panic!("no search") };
    assert_eq!(search.tool, "search_web");
    let found = json!({ "results": [{ "title": "T", "url": "https://a.example/" }] });
    let given = json(&search.reply(&found.to_string(), None));
    let text: Value =
        serde_json::from_str(given["result"]["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(
        (&text["results"][0]["id"], &text),
        (&json!("https://a.example/"), &given["result"]["structuredContent"])
    );
    assert_eq!(json(&search.reply("{}", Some("away")))["result"]["content"][0]["text"], "away");
    assert_eq!(known(call("research", json!({ "question": "?" })))["error"]["code"], -32602);
    assert_eq!(known(call("fetch", json!({})))["result"]["isError"], true);
}

#[test]
fn several_messages_are_for_the_version_that_has_batches() {
    let both = json!([
        { "jsonrpc": "2.0", "id": 1, "method": "ping" },
        { "jsonrpc": "2.0", "method": "notifications/initialized" },
        { "jsonrpc": "2.0", "id": 2, "method": "initialize", "params": { "protocolVersion": "2025-03-26" } },
        { "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": { "name": "research", "arguments": { "question": "?" } } },
        7,
    ]);
    let (order, _) = opened(&head("POST", None), &both.to_string());
    let Order::Several(all) = order else { panic!("{order:?}") };
    let patience = all[3].voice().patience(Timestamp(0));
    assert_eq!(patience, Some(std::time::Duration::ZERO), "none is waited for");
    let replies = all.into_iter().filter_map(|one| match one.order {
        Order::Known(reply) => Some(reply),
        _ => None,
    });
    let answers = json(&batched(replies.collect()));
    assert_eq!(answers.as_array().unwrap().len(), 3);
    assert_eq!((&answers[0]["id"], &answers[1]["error"]["code"]), (&json!(1), &json!(-32600)));
    for version in ["2025-06-18", "2026-07-28"] {
        assert_eq!(known(&head("POST", Some(version)), "[{}]").0, 400, "{version}");
    }
}

#[test]
fn what_is_told_is_accepted_and_what_cannot_be_read_is_not() {
    for body in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    ] {
        assert_eq!(known(&head("POST", Some("2025-06-18")), body), (202, Value::Null), "{body}");
    }
    let (status, wrong) = known(&head("POST", None), "{");
    assert_eq!((status, &wrong["error"]["code"], wrong.get("id")), (400, &json!(-32700), None));
    for (accept, status) in [
        (None, 200),
        (Some("*/*"), 200),
        (Some("application/json, text/event-stream"), 200),
        (Some("application/json"), 406),
        (Some("text/event-stream"), 406),
    ] {
        let accept = accept.map(str::to_owned);
        let head = Head { accept, ..head("POST", None) };
        assert_eq!(known(&head, &request("ping", json!({}))).0, status);
    }
}

#[test]
fn a_page_of_another_origin_is_refused_in_words() {
    let from =
        |origin: Option<&str>| Head { origin: origin.map(str::to_owned), ..head("POST", None) };
    assert_eq!(super::foreign(&from(None), ""), None);
    assert_eq!(super::foreign(&from(Some("http://localhost:6274")), ""), None);
    let refused = super::foreign(&from(Some("http://evil.example")), "").unwrap();
    assert_eq!(refused.status, 403);
    assert!(json(&refused)["error"]["message"].as_str().unwrap().contains("mcp_allowed_origins"));
}
