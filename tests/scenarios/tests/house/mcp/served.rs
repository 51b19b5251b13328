//! The built components: greeted, asked, waited for, stopped, left, joined again, read, refused.

use super::{Frame, frames};
use quarry_scenarios::client::{self, Open};
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Match, Phase, Reply, Script, Split};
use serde_json::{Value, json};

const QUESTION: &str = "What is six times seven?";
const BOTH: &str = "application/json, text/event-stream";

/// A client of one version.
struct Host<'q> {
    quarry: &'q Quarry,
    version: &'static str,
    session: Option<String>,
    bearer: Option<&'static str>,
}

impl<'q> Host<'q> {
    fn modern(quarry: &'q Quarry) -> Host<'q> {
        Host { quarry, version: "2026-07-28", session: None, bearer: None }
    }

    /// After the handshake.
    async fn greeted(quarry: &'q Quarry, version: &'static str) -> Host<'q> {
        let mut host = Host { quarry, version, session: None, bearer: None };
        let params = json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        let open = host
            .send(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }))
            .await;
        host.session = open.header("mcp-session-id").map(str::to_owned);
        assert_eq!(host.session.as_ref().unwrap().len(), 32);
        let greeting = open.json().await.unwrap();
        assert_eq!(greeting["result"]["protocolVersion"], version);
        let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(host.send(&told).await.status, 202);
        host
    }

    fn is_modern(&self) -> bool {
        self.version == "2026-07-28"
    }

    async fn send(&self, message: &Value) -> Open {
        let bearer = self.bearer.map(|token| format!("Bearer {token}"));
        let mut headers = vec![("accept", BOTH), ("content-type", "application/json")];
        headers.push(("mcp-protocol-version", self.version));
        headers.extend(bearer.as_deref().map(|bearer| ("authorization", bearer)));
        headers.extend(self.session.as_deref().map(|session| ("mcp-session-id", session)));
        let params = &message["params"];
        if self.is_modern() {
            headers.push(("mcp-method", message["method"].as_str().unwrap()));
            let name = params["name"].as_str().or(params["uri"].as_str());
            headers.extend(name.map(|name| ("mcp-name", name)));
        }
        let url = format!("{}/mcp", self.quarry.url);
        let answer = client::send("POST", &url, &headers, message.to_string()).await;
        answer.unwrap_or_else(|error| panic!("{error:#}\n{}", self.quarry.output()))
    }

    fn message(&self, id: i64, method: &str, mut params: Value) -> Value {
        if self.is_modern() {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(self.version);
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
        }
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    }

    async fn request(&self, method: &str, params: Value) -> Value {
        let open = self.send(&self.message(1, method, params)).await;
        assert!(open.status == 200 || open.status == 404, "{method}: {}", open.status);
        open.json().await.unwrap()
    }

    async fn open(&self, id: i64, tool: &str, arguments: Value) -> Open {
        let params =
            json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": "t" } });
        self.send(&self.message(id, "tools/call", params)).await
    }

    /// What a tool gives, in a stream or at once, with how often progress was told.
    async fn call(&self, tool: &str, arguments: Value) -> (Value, usize) {
        let open = self.open(7, tool, arguments).await;
        assert_eq!(open.status, 200, "{tool}");
        if open.header("content-type") == Some("application/json") {
            return (open.json().await.unwrap()["result"].clone(), 0);
        }
        ended(&frames(&open.text().await.unwrap()))
    }
}

/// The result of a stream, with how often progress was told before it.
fn ended(frames: &[Frame]) -> (Value, usize) {
    let (last, before) = frames.split_last().unwrap();
    assert!(before.iter().all(|frame| frame.data["method"] == "notifications/progress"));
    assert_eq!(last.data["id"], 7, "{last:?}");
    (last.data["result"].clone(), before.len())
}

fn status(result: &Value) -> &str {
    result["structuredContent"]["status"].as_str().unwrap_or_else(|| panic!("{result}"))
}

fn id(result: &Value) -> String {
    result["structuredContent"]["id"].as_str().unwrap().to_owned()
}

async fn started(script: Script) -> Quarry {
    Setup::new(script).start().await.unwrap()
}

fn held(phase: Phase, name: &str) -> Script {
    Script::ordinary().first(Match::Phase(phase), [Reply::text("late").hold(name)])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_of_either_era_researches_and_reads_what_came_of_it() {
    let quarry = started(Script::ordinary()).await;
    for host in [
        Host::greeted(&quarry, "2025-11-25").await,
        Host::greeted(&quarry, "2025-06-18").await,
        Host::modern(&quarry),
    ] {
        let tools = host.request("tools/list", json!({})).await;
        assert_eq!(tools["result"]["tools"][0]["name"], "research");
        let (given, told) =
            host.call("research", json!({ "question": QUESTION, "effort": "low" })).await;
        assert_eq!(status(&given), "completed", "{given}");
        assert!(told > 0, "{}", host.version);
        let answer = given["structuredContent"]["answer"].as_str().unwrap();
        assert!(answer.contains("31.2 percent"), "{answer}");
        assert_eq!(given["content"][0]["text"], answer);
        assert!(given["structuredContent"]["usage"]["total_tokens"].as_u64().unwrap() > 0);
        assert_eq!(given.get("resultType").is_some(), host.is_modern());
        let (again, told) = host.call("research_result", json!({ "id": id(&given) })).await;
        assert_eq!((&again["structuredContent"], told), (&given["structuredContent"], 0));
        let uri = given["content"][1]["uri"].as_str().unwrap().to_owned();
        let mut texts = Vec::new();
        for rest in ["", "/sources", "/events"] {
            let read =
                host.request("resources/read", json!({ "uri": format!("{uri}{rest}") })).await;
            assert_eq!(
                read["result"].get("cacheScope"),
                host.is_modern().then_some(&json!("private"))
            );
            texts.push(read["result"]["contents"][0]["text"].as_str().unwrap().to_owned());
        }
        assert!(texts[0].contains(answer) && texts[0].contains(QUESTION));
        assert_eq!(
            serde_json::from_str::<Value>(&texts[1]).unwrap(),
            given["structuredContent"]["sources"]
        );
        let lines = texts[2].lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let names: Vec<String> =
            lines.map(|line| line["event"].as_str().unwrap().to_owned()).collect();
        assert_eq!(names.last().map(String::as_str), Some("complete"));
        assert!(!names.iter().any(|name| name.starts_with("llm_")), "{names:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_research_that_takes_longer_is_waited_for_by_its_id() {
    let quarry = started(Script::ordinary()).await;
    for host in [Host::greeted(&quarry, "2025-11-25").await, Host::modern(&quarry)] {
        // What is released stays so: each has a name of its own.
        let name = host.version;
        quarry.provider.set_script(held(Phase::Planning, name));
        let (given, _) =
            host.call("research", json!({ "question": QUESTION, "wait_seconds": 1 })).await;
        assert_eq!(status(&given), "running", "{given}");
        let text = given["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("research_result") && text.contains(&id(&given)), "{text}");
        let next = given["structuredContent"]["next"].clone();
        assert_eq!(next["tool"], "research_result");
        let mut look = next["arguments"].clone();
        look["wait_seconds"] = json!(0);
        assert_eq!(status(&host.call("research_result", look).await.0), "running");
        quarry.provider.release(name);
        // What went on before it looked is not told again, and it may all have gone on.
        let (given, _) = host.call("research_result", next["arguments"].clone()).await;
        assert_eq!(status(&given), "completed", "{given}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_research_is_stopped_by_a_tool_and_by_word_of_its_session() {
    let quarry = started(held(Phase::Iteration(1), "iteration")).await;
    let host = Host::greeted(&quarry, "2025-11-25").await;
    let first = host.call("research", json!({ "question": QUESTION, "wait_seconds": 0 })).await.0;
    quarry.provider.holding("iteration", 1).await;
    let (stopped, _) = host.call("research_stop", json!({ "id": id(&first) })).await;
    assert_eq!(status(&stopped), "stopped", "{stopped}");
    quarry.provider.release("iteration");
    // Now by word: the request's id and the session are all that its client knows.
    quarry.provider.set_script(held(Phase::Iteration(1), "second"));
    let open = host.open(7, "research", json!({ "question": QUESTION })).await;
    quarry.provider.holding("second", 1).await;
    let stranger = Host::greeted(&quarry, "2025-11-25").await;
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
    assert_eq!(stranger.send(&told).await.status, 202);
    assert_eq!(host.send(&told).await.status, 202);
    let (given, _) = ended(&frames(&open.text().await.unwrap()));
    assert_eq!(status(&given), "stopped");
    quarry.provider.release("second");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_handshake_closing_the_stream_ends_the_research() {
    let planning = Reply::text("no plan").hold("planning");
    let late = Reply::text("late").hold("iteration");
    let script = Script::ordinary()
        .first(Match::Phase(Phase::Planning), [planning])
        .first(Match::Phase(Phase::Iteration(1)), [late]);
    let quarry = started(script).await;
    let host = Host::modern(&quarry);
    let open = host.open(7, "research", json!({ "question": QUESTION })).await;
    let ask = open.header("x-quarry-ask").unwrap().to_owned();
    quarry.provider.holding("planning", 1).await;
    drop(open);
    // What is told next shows that nobody is there.
    quarry.provider.release("planning");
    quarry.until_stored("\"ended\":\"stopped\"").await.unwrap();
    // Whether its call is answered before it is let go of or not, nobody else is harmed.
    quarry.provider.release("iteration");
    let (given, _) = host.call("research_result", json!({ "id": ask })).await;
    assert_eq!(status(&given), "stopped");
    assert!(!quarry.output().contains("instance ended"), "{}", quarry.output());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_handshake_a_lost_stream_is_joined_again_and_the_research_goes_on() {
    let answer = "Six times seven is forty-two, as every table says. ".repeat(8);
    let held = Reply::text(answer).split(Split::Frames).hold_midway("answer");
    let script = Script::ordinary().first(Match::Phase(Phase::Synthesis), [held]);
    let quarry = Setup::new(script).variable("on_disconnect", "stop").start().await.unwrap();
    let host = Host::greeted(&quarry, "2025-11-25").await;
    let mut open = host.open(7, "research", json!({ "question": QUESTION })).await;
    let mut seen = String::new();
    while frames_in(&seen).len() < 3 {
        seen.push_str(&String::from_utf8_lossy(&open.chunk().await.unwrap().unwrap()));
    }
    quarry.provider.holding("answer", 1).await;
    drop(open);
    quarry.provider.release("answer");
    let all = frames_in(&seen);
    let url = format!("{}/mcp", quarry.url);
    let mut rests = Vec::new();
    for frame in &all[..3] {
        let last = frame.lines().find_map(|line| line.strip_prefix("id: ")).unwrap();
        let headers = [
            ("accept", "text/event-stream"),
            ("mcp-protocol-version", "2025-11-25"),
            ("last-event-id", last),
        ];
        let rest = client::get(&url, &headers).await.unwrap().text().await.unwrap();
        let (given, _) = ended(&frames(&rest));
        assert_eq!(status(&given), "completed");
        rests.push(rest);
    }
    // Each rest is what is behind the frame, byte for byte.
    assert_eq!(rests[0], format!("{}\n\n{}", all[1], rests[1]));
    assert_eq!(rests[1], format!("{}\n\n{}", all[2], rests[2]));
}

/// Whole frames as they were written.
fn frames_in(sent: &str) -> Vec<String> {
    let whole = sent.rfind("\n\n").map_or("", |at| &sent[..at]);
    whole.split("\n\n").filter(|frame| !frame.is_empty()).map(str::to_owned).collect()
}

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
async fn several_messages_are_answered_together_and_waited_for_by_none() {
    let quarry = started(held(Phase::Planning, "planning")).await;
    let host = Host::greeted(&quarry, "2025-03-26").await;
    let batch = json!([
        { "jsonrpc": "2.0", "id": 1, "method": "ping" },
        { "jsonrpc": "2.0", "method": "notifications/initialized" },
        { "jsonrpc": "2.0", "id": 2, "method": "tools/call",
          "params": { "name": "research", "arguments": { "question": QUESTION } } },
        { "jsonrpc": "2.0", "id": 3, "method": "tools/call",
          "params": { "name": "research_result", "arguments": { "id": "0".repeat(32) } } },
    ]);
    let answers = host.send(&batch).await.json().await.unwrap();
    assert_eq!(answers.as_array().unwrap().len(), 3);
    assert_eq!(answers[0]["result"], json!({}));
    let text = answers[1]["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("research_result"), "{text}");
    assert_eq!(answers[2]["result"]["isError"], true);
    quarry.provider.release("planning");
}

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
