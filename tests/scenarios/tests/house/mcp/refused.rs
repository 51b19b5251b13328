//! The built components: what goes wrong and how it is told, who may call, and whose key pays.

use super::host::{BOTH, Host, QUESTION, started, status};
use quarry_scenarios::client;
use quarry_scenarios::quarry::Setup;
use quarry_test_provider::{Match, Phase, Reply, Script};
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trouble_of_a_research_is_a_result() {
    let quarry = started(Script::ordinary()).await;
    let host = Host::modern(&quarry);
    let none = json!({ "id": "0".repeat(32) });
    for (tool, arguments, word) in [
        ("research", json!({ "question": QUESTION, "effort": "most" }), "effort"),
        ("research", json!({ "question": QUESTION, "depth": 3 }), "depth"),
        ("research_result", none.clone(), "no such ask"),
        ("research_stop", none, "no such ask"),
    ] {
        let (given, _) = host.call(tool, arguments).await;
        assert_eq!(given["isError"], true, "{given}");
        assert!(given["content"][0]["text"].as_str().unwrap().contains(word), "{given}");
    }
    let refused = Reply::status(401, "Incorrect API key");
    quarry
        .provider
        .set_script(Script::ordinary().first_always(Match::Phase(Phase::Setup), refused));
    let (given, _) = host.call("research", json!({ "question": QUESTION })).await;
    assert_eq!((status(&given), &given["isError"]), ("failed", &json!(true)));
    let limited =
        Script::ordinary().first_always(Match::Phase(Phase::Setup), Reply::rate_limited("60"));
    quarry.provider.set_script(limited);
    let (given, _) = host.call("research", json!({ "question": QUESTION })).await;
    assert_eq!((status(&given), &given["isError"]), ("rate_limited", &json!(true)));
    assert_eq!(given["structuredContent"]["next"]["after_seconds"], 60.0);
    let unknown = host.request("tools/call", json!({ "name": "browse", "arguments": {} })).await;
    assert_eq!(unknown["error"]["code"], -32602);
    let gone = json!({ "uri": format!("quarry://asks/{}", "0".repeat(32)) });
    assert_eq!(host.request("resources/read", gone).await["error"]["code"], -32602);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_may_not_call_is_told_by_a_status() {
    let setup = Setup::new(Script::ordinary()).variable("access_secret", "open sesame");
    let quarry =
        setup.variable("mcp_allowed_origins", "https://app.example").start().await.unwrap();
    let url = format!("{}/mcp", quarry.url);
    let mut host = Host::modern(&quarry);
    let list = host.message(1, "tools/list", json!({}));
    let call = host.message(
        1,
        "tools/call",
        json!({ "name": "research", "arguments": { "question": QUESTION } }),
    );
    for message in [&list, &call] {
        let open = host.send(message).await;
        assert_eq!((open.status.as_u16(), open.header("www-authenticate")), (401, Some("Bearer")));
        assert!(open.json().await.unwrap()["error"]["message"].is_string());
    }
    host.bearer = Some("close sesame");
    let open = host.send(&list).await;
    assert_eq!((open.status.as_u16(), open.header("www-authenticate")), (401, Some("Bearer")));
    let told = open.json().await.unwrap()["error"]["message"].to_string();
    assert!(told.contains("the Bearer token is not the right one"), "{told}");
    host.bearer = Some("open sesame");
    assert_eq!(host.send(&list).await.status, 200);
    assert_eq!(
        status(&host.call("research", json!({ "question": QUESTION })).await.0),
        "completed"
    );
    let from = |origin: &'static str| {
        let headers =
            [("accept", BOTH), ("origin", origin), ("authorization", "Bearer open sesame")];
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
        let url = &url;
        async move { client::send("POST", url, &headers, body).await.unwrap() }
    };
    for (origin, status) in [
        ("http://evil.example", 403),
        ("null", 403),
        ("https://app.example", 200),
        ("http://localhost:6274", 200),
    ] {
        assert_eq!(from(origin).await.status, status, "{origin}");
    }
    let calls = quarry.provider.calls().len();
    let mut wrong = host.message(
        1,
        "tools/call",
        json!({ "name": "research", "arguments": { "question": QUESTION } }),
    );
    wrong["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2025-11-25");
    let open = host.send(&wrong).await;
    assert_eq!(open.status, 400);
    assert_eq!(open.json().await.unwrap()["error"]["code"], -32020);
    host.version = "1999-01-01";
    let open = host.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })).await;
    assert_eq!(open.status, 400);
    assert_eq!(open.json().await.unwrap()["error"]["code"], -32022);
    assert_eq!(quarry.provider.calls().len(), calls);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_callers_own_key_pays_and_is_kept_nowhere() {
    let quarry =
        Setup::new(Script::ordinary()).variable("openai_api_key", "").start().await.unwrap();
    let mut host = Host::modern(&quarry);
    // Without any key a model is told so; a status would make its host sign in.
    let (given, _) = host.call("research", json!({ "question": QUESTION })).await;
    assert_eq!(given["isError"], true, "{given}");
    let own = "sk-own-canary-77ab";
    host.bearer = Some(own);
    assert_eq!(
        status(&host.call("research", json!({ "question": QUESTION })).await.0),
        "completed"
    );
    let stored = quarry.stored().unwrap();
    assert!(!stored.windows(own.len()).any(|bytes| bytes == own.as_bytes()));
}

/// Which pages may call `/mcp` is one setting, and which may call all else another: neither has a say in the other's.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_may_call_may_read_the_answer_in_its_browser() {
    let setup = Setup::new(Script::ordinary())
        .variable("cors_allowed_origins", "https://other.example")
        .variable("mcp_allowed_origins", "https://app.example");
    let quarry = setup.start().await.unwrap();
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
    let sent = async |method: &str, path: &str, origin: &str, body: &str| {
        let headers = [
            ("accept", BOTH),
            ("origin", origin),
            ("access-control-request-headers", "authorization,mcp-protocol-version"),
        ];
        let url = format!("{}{path}", quarry.url);
        let open = client::send(method, &url, &headers, body.to_owned()).await.unwrap();
        let let_in = open.header("access-control-allow-origin").map(str::to_owned);
        (open.status.as_u16(), let_in)
    };
    for path in ["/mcp", "/mcp/connector"] {
        for (origin, may) in [
            ("http://localhost:6274", true),
            ("https://app.example", true),
            ("https://other.example", false),
            ("http://evil.example", false),
        ] {
            let told = may.then(|| origin.to_owned());
            let asked = sent("OPTIONS", path, origin, "").await;
            assert_eq!(asked, (204, told.clone()), "{path}: {origin}");
            let status = if may { 200 } else { 403 };
            let answered = sent("POST", path, origin, ping.as_str()).await;
            assert_eq!(answered, (status, told), "{path}: {origin}");
        }
    }
    for (origin, may) in [
        ("http://localhost:6274", false),
        ("https://app.example", false),
        ("https://other.example", true),
    ] {
        let told = may.then(|| origin.to_owned());
        assert_eq!(sent("GET", "/v1/models", origin, "").await, (200, told), "{origin}");
    }
}
