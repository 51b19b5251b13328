//! The built components: single steps without a model, and a connector's pair of them.

use super::host::{BOTH, Host, QUESTION, started};
use quarry_scenarios::client;
use quarry_scenarios::quarry::Setup;
use quarry_test_provider::Script;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn single_steps_are_done_without_a_model() {
    let quarry = started(Script::ordinary()).await;
    let document = json!({ "title": "Lamp", "text": "The beacon burns whale oil." });
    let url = format!("{}/knowledge/documents", quarry.url);
    let json = [("content-type", "application/json"), ("accept", "application/json")];
    let loaded = client::send("POST", &url, &json, document.to_string()).await.unwrap();
    assert!(loaded.status.is_success(), "{}", loaded.text().await.unwrap());
    drop(loaded.json().await.unwrap());
    for host in [Host::greeted(&quarry, "2025-11-25").await, Host::modern(&quarry)] {
        let (found, _) =
            host.call("search_web", json!({ "query": "Orrin Bridge cost", "limit": 2 })).await;
        assert_eq!(found["isError"], false, "{found}");
        let results = found["structuredContent"]["results"].as_array().unwrap();
        assert_eq!(results.len(), 2, "{found}");
        let text: Value =
            serde_json::from_str(found["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, found["structuredContent"]);
        let (page, _) = host.call("read_page", json!({ "url": results[0]["url"] })).await;
        assert_eq!(page["isError"], false, "{page}");
        assert!(!page["structuredContent"]["content"].as_str().unwrap().is_empty(), "{page}");
        let (ran, _) = host.call("run_javascript", json!({ "code": "6 * 7" })).await;
        assert!(ran["structuredContent"]["result"].to_string().contains("42"), "{ran}");
        let (known, _) =
            host.call("search_knowledge", json!({ "query": "What does the beacon burn?" })).await;
        assert!(
            known["structuredContent"]["passages"][0]["content"]
                .as_str()
                .unwrap()
                .contains("whale oil"),
            "{known}"
        );
        for (tool, arguments, word) in [
            ("run_javascript", json!({ "code": "throw new Error('no')" }), "no"),
            ("read_page", json!({ "url": "http://10.0.0.1/" }), "private"),
            ("search_web", json!({ "query": "x", "count": 3 }), "count"),
            ("search_web", json!({ "query": "x", "generate_summary": true }), "research"),
        ] {
            let (given, _) = host.call(tool, arguments).await;
            assert_eq!(given["isError"], true, "{given}");
            assert!(given["content"][0]["text"].as_str().unwrap().contains(word), "{given}");
        }
    }
    assert!(quarry.provider.calls().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whom_the_operator_does_not_pay_for_gets_no_search_by_itself() {
    let setup = Setup::new(Script::ordinary()).variable("google_client_id", "app");
    let quarry = setup.variable("allowed_emails", "*@example.com").start().await.unwrap();
    let host = Host::modern(&quarry);
    let (refused, _) = host.call("search_web", json!({ "query": "Orrin Bridge cost" })).await;
    assert_eq!(refused["isError"], true, "{refused}");
    let why = refused["content"][0]["text"].as_str().unwrap();
    assert!(why.contains("may not use its keys") && why.contains("`research`"), "{why}");
    // What costs no key is for anybody.
    let (ran, _) = host.call("run_javascript", json!({ "code": "6 * 7" })).await;
    assert_eq!(ran["isError"], false, "{ran}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn single_steps_are_counted_and_words_are_not() {
    let setup = Setup::new(Script::ordinary()).variable("rate_limit_requests", "1");
    let quarry = setup.variable("rate_limit_window_seconds", "3600").start().await.unwrap();
    let host = Host::modern(&quarry);
    for _ in 0..3 {
        host.request("tools/list", json!({})).await;
    }
    assert_eq!(host.call("run_javascript", json!({ "code": "1" })).await.0["isError"], false);
    for (tool, arguments) in
        [("run_javascript", json!({ "code": "1" })), ("research", json!({ "question": QUESTION }))]
    {
        let open = host.open(7, tool, arguments).await;
        assert_eq!(open.status, 429, "{tool}");
        assert!(open.header("retry-after").is_some());
    }
    host.request("tools/list", json!({})).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connector_finds_pages_and_reads_them() {
    let quarry = started(Script::ordinary()).await;
    let url = format!("{}/mcp/connector", quarry.url);
    let headers = [("accept", BOTH), ("mcp-protocol-version", "2025-11-25")];
    let call = |name: &'static str, arguments: Value| {
        let params = json!({ "name": name, "arguments": arguments });
        let body = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params });
        let (url, headers) = (&url, &headers);
        async move {
            let open = client::send("POST", url, headers, body.to_string()).await.unwrap();
            open.json().await.unwrap()["result"].clone()
        }
    };
    let found = call("search", json!({ "query": "Orrin Bridge cost" })).await;
    let text: Value = serde_json::from_str(found["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, found["structuredContent"]);
    let first = &text["results"][0];
    assert!(!first["title"].as_str().unwrap().is_empty(), "{found}");
    let page = call("fetch", json!({ "id": first["id"] })).await["structuredContent"].clone();
    assert_eq!(page["id"], first["id"]);
    assert!(!page["text"].as_str().unwrap().is_empty() && page["metadata"].is_object(), "{page}");
    let wrong = call("fetch", json!({ "id": "not an address" })).await;
    assert_eq!(wrong["isError"], true, "{wrong}");
    assert!(quarry.provider.calls().is_empty());
}
