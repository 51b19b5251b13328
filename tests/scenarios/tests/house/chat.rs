//! Chat completions on the built components, read as the official clients read them.

use quarry_scenarios::client::{self, Open};
use quarry_scenarios::invariants;
use quarry_scenarios::quarry::{KEY, Quarry, Setup};
use quarry_test_provider::{Match, Phase, Reply, Script, Split};
use serde_json::{Value, json};

const QUESTION: &str = "What is six times seven?";
const CHAT: &str = "/v1/chat/completions";

fn body(more: Value) -> Value {
    let mut body =
        json!({ "model": "quarry", "messages": [{ "role": "user", "content": QUESTION }] });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

async fn post(quarry: &Quarry, headers: &[(&str, &str)], body: &Value) -> Open {
    let headers = [&[("content-type", "application/json")], headers].concat();
    client::send("POST", &format!("{}{CHAT}", quarry.url), &headers, body.to_string())
        .await
        .unwrap()
}

async fn started(script: Script) -> Quarry {
    Setup::new(script).start().await.unwrap()
}

/// What a client makes of a stream.
#[derive(Debug, Default)]
struct Answer {
    content: String,
    reasoning: String,
    annotations: Vec<Value>,
    finish: Option<String>,
    usage: Value,
    error: Option<Value>,
}

/// Reads a stream and asserts what the official clients do.
fn read(sent: &str) -> Answer {
    let mut answer = Answer::default();
    let mut is_done = false;
    for frame in sent.split_terminator("\n\n") {
        let data = frame.strip_prefix("data: ").unwrap_or_else(|| panic!("no data alone: {frame}"));
        assert!(!is_done && !data.contains('\n'), "{frame}");
        if data == "[DONE]" {
            is_done = true;
            continue;
        }
        let chunk: Value = serde_json::from_str(data).unwrap();
        if !chunk["error"].is_null() {
            answer.error = Some(chunk["error"].clone());
            continue;
        }
        assert_eq!(chunk["object"], "chat.completion.chunk");
        let choices = chunk["choices"].as_array().unwrap();
        let Some(choice) = choices.first() else {
            answer.usage = chunk["usage"].clone();
            continue;
        };
        assert_eq!((choices.len(), &choice["index"]), (1, &json!(0)));
        let delta = &choice["delta"];
        answer.content += delta["content"].as_str().unwrap_or_default();
        answer.reasoning += delta["reasoning_content"].as_str().unwrap_or_default();
        if let Some(annotations) = delta["annotations"].as_array() {
            assert!(answer.annotations.is_empty(), "the Python helper fails at a second list");
            answer.annotations.clone_from(annotations);
        }
        if let Some(reason) = choice["finish_reason"].as_str() {
            assert!(!reason.is_empty() && answer.finish.is_none());
            answer.finish = Some(reason.to_owned());
        }
    }
    assert!(is_done, "no [DONE]: {sent}");
    assert_eq!(answer.finish.is_some(), answer.error.is_none());
    answer
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_has_progress_answer_finish_and_usage() {
    let quarry = started(Script::ordinary()).await;
    let asked = body(
        json!({ "stream": true, "stream_options": { "include_usage": true }, "seed": 7, "top_p": 1 }),
    );
    let open = post(&quarry, &[], &asked).await;
    assert_eq!(open.status, 200);
    assert!(open.header("content-type").unwrap().starts_with("text/event-stream"));
    assert_eq!(open.header("x-quarry-ignored"), Some("seed"));
    assert!(open.header("x-request-id").unwrap().starts_with("req_"));
    let ask = open.header("x-quarry-ask").unwrap().to_owned();
    let sent = open.text().await.unwrap();
    assert!(!sent.contains(&ask));
    let answer = read(&sent);
    assert!(answer.content.contains("31.2 percent"), "{}", answer.content);
    assert!(answer.reasoning.contains("Planning the research\n"), "{}", answer.reasoning);
    assert_eq!(answer.finish.as_deref(), Some("stop"));
    assert!(answer.usage["total_tokens"].as_u64().unwrap() > 0, "{}", answer.usage);
    // Our own clients can read the ask behind it.
    let url = format!("{}/ask/{ask}/events", quarry.url);
    let events = client::get(&url, &[]).await.unwrap().events().await.unwrap();
    assert_eq!(invariants::of_stream(&events), Vec::<String>::new());
    // Who did not ask for usage has one choice in every chunk.
    let open = post(&quarry, &[], &body(json!({ "stream": true }))).await;
    let sent = open.text().await.unwrap();
    assert!(read(&sent).usage.is_null() && !sent.contains("\"usage\""));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_stream_there_is_one_completion() {
    let quarry = started(Script::ordinary()).await;
    // As users write it: an address with a slash at its end, and a path.
    let url = format!("{}//v1/chat/completions", quarry.url);
    let asked = body(json!({})).to_string();
    let open = client::send("POST", &url, &[], asked).await.unwrap();
    assert_eq!(open.status, 200);
    let answer = serde_json::from_str::<Value>(&open.text().await.unwrap()).unwrap();
    let choice = &answer["choices"][0];
    assert_eq!(
        (&answer["object"], &choice["finish_reason"]),
        (&json!("chat.completion"), &json!("stop"))
    );
    let message = &choice["message"];
    assert!(message["content"].as_str().unwrap().contains("31.2 percent"));
    assert_eq!((&message["role"], &message["refusal"]), (&json!("assistant"), &Value::Null));
    assert!(answer["id"].as_str().unwrap().starts_with("chatcmpl-") && answer["usage"].is_object());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_conversation_and_wishes_reach_the_model() {
    let quarry = started(Script::ordinary()).await;
    let messages = json!([
        { "role": "system", "content": "Answer like a pirate." },
        { "role": "user", "content": "Who built the Orrin Bridge?" },
        { "role": "assistant", "content": "<think>hm</think>Ada Orrin." },
        { "role": "user", "content": "What is six times seven?" },
    ]);
    let asked = body(
        json!({ "messages": messages, "temperature": 0.125, "max_tokens": 99, "stop": ["percent"] }),
    );
    let answer = post(&quarry, &[], &asked).await.json().await.unwrap();
    let content = answer["choices"][0]["message"]["content"].as_str().unwrap();
    assert!(content.contains("31.2") && !content.contains("percent"), "{content}");
    let calls = quarry.provider.calls();
    let of = |phase| calls.iter().find(|call| call.phase() == Some(phase)).unwrap();
    let setup = of(Phase::Setup).text();
    assert!(
        setup.contains("Who built the Orrin Bridge?") && setup.contains("Assistant: Ada Orrin.")
    );
    let last = of(Phase::Synthesis);
    assert!(last.text().contains("Answer like a pirate."));
    assert_eq!(last.body["temperature"], 0.125);
    let most = last.body.get("max_completion_tokens").or_else(|| last.body.get("max_tokens"));
    assert_eq!(most, Some(&json!(99)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn models_are_listed_and_a_direct_one_costs_one_call() {
    let quarry =
        started(Script::default().first_always(Match::Any, Reply::text("Forty-two [q1]."))).await;
    let list = client::get(&format!("{}/v1/models", quarry.url), &[]).await.unwrap();
    let list = list.json().await.unwrap();
    let ids: Vec<&str> = list["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|model| model["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["quarry", "quarry-direct", "quarry-openai"]);
    for (id, status) in [
        ("quarry-direct", 200),
        ("quarry-run", 200),
        ("openai%3Ascripted", 200),
        ("o3-deep-research", 200),
        ("gpt-4o", 404),
    ] {
        let url = format!("{}/v1/models/{id}", quarry.url);
        assert_eq!(client::get(&url, &[]).await.unwrap().status, status, "{id}");
    }
    assert!(quarry.provider.calls().is_empty());
    let asked = body(json!({ "model": "quarry-direct" }));
    let answer = post(&quarry, &[], &asked).await.json().await.unwrap();
    assert_eq!(answer["choices"][0]["message"]["content"], "Forty-two [q1].");
    assert_eq!(quarry.provider.calls().len(), 1);
    // What chat programs ask for beside their users' questions costs no more.
    let title = json!([{ "role": "user", "content": "### Task:\nGenerate a concise title" }]);
    assert_eq!(post(&quarry, &[], &body(json!({ "messages": title }))).await.status, 200);
    assert_eq!(quarry.provider.calls().len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_side_task_that_is_not_wanted_is_told_why() {
    let setup = Setup::new(Script::ordinary()).variable("chat_side_tasks", "refuse");
    let quarry = setup.start().await.unwrap();
    let title = json!([{ "role": "user", "content": "### Task:\nGenerate a concise title" }]);
    let open = post(&quarry, &[], &body(json!({ "messages": title }))).await;
    assert_eq!(open.status, 400);
    let error = open.json().await.unwrap()["error"].clone();
    assert_eq!(
        (&error["code"], &error["param"]),
        (&json!("unsupported_value"), &json!("messages"))
    );
    let told = error["message"].as_str().unwrap();
    assert!(told.contains("title, tags or follow-up questions"), "{told}");
    assert!(quarry.provider.calls().is_empty());
    assert_eq!(post(&quarry, &[], &body(json!({}))).await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mistakes_are_told_in_the_protocols_words() {
    let quarry = started(Script::ordinary()).await;
    for (more, status, code, param) in [
        (json!({ "n": 2 }), 400, "unsupported_value", json!("n")),
        (json!({ "logprobs": true }), 400, "unsupported_parameter", json!("logprobs")),
        (json!({ "tool_choice": "required" }), 400, "unsupported_value", json!("tool_choice")),
        (
            json!({ "messages": [{ "role": "user", "content": [{ "type": "image_url" }] }] }),
            400,
            "unsupported_content",
            json!("messages"),
        ),
        (json!({ "messages": [] }), 400, "missing_required_parameter", json!("messages")),
        (
            json!({ "messages": [{ "role": "user", "content": "q".repeat(32_769) }] }),
            400,
            "string_above_max_length",
            json!("messages"),
        ),
        (json!({ "model": "gpt-4o" }), 404, "model_not_found", json!("model")),
        (json!({ "model": "nobody:x" }), 404, "model_not_found", json!("model")),
        (
            json!({ "quarry": { "budget": { "usd": 1 } } }),
            400,
            "invalid_value",
            json!("quarry.budget.usd"),
        ),
    ] {
        // Refusals have a status also where a stream was asked for.
        for stream in [false, true] {
            let mut asked = body(more.clone());
            asked["stream"] = json!(stream);
            let open = post(&quarry, &[], &asked).await;
            assert_eq!(open.status, status, "{more}");
            assert_eq!(open.header("x-should-retry"), Some("false"), "{more}");
            let error = open.json().await.unwrap()["error"].clone();
            assert_eq!((&error["code"], &error["param"]), (&json!(code), &param), "{error}");
        }
    }
    let open = client::get(&format!("{}/v1/conversations", quarry.url), &[]).await.unwrap();
    assert_eq!(open.status, 404);
    let told: Value = serde_json::from_str(&open.text().await.unwrap()).unwrap();
    assert_eq!(told["error"]["type"], "invalid_request_error");
    assert!(quarry.provider.calls().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_fails_is_a_status_or_a_frame() {
    let no_credit = Reply {
        code: Some("insufficient_quota".into()),
        ..Reply::status(429, "You exceeded your current quota, please check your billing details.")
    };
    for (phase, reply, status, code) in [
        (Phase::Setup, Reply::status(401, "Incorrect API key"), 401, "invalid_api_key"),
        (Phase::Setup, no_credit, 429, "insufficient_quota"),
        (Phase::Iteration(2), Reply::rate_limited("60"), 429, "rate_limit_exceeded"),
        (Phase::Synthesis, Reply::status(400, "out of order"), 500, "provider_error"),
    ] {
        let quarry = started(Script::ordinary().first_always(Match::Phase(phase), reply)).await;
        let open = post(&quarry, &[], &body(json!({}))).await;
        assert_eq!(open.status, status, "{code}");
        let is_limit = code == "rate_limit_exceeded";
        assert_eq!(open.header("x-should-retry").is_none(), is_limit, "{code}");
        assert_eq!(open.header("retry-after").is_some(), status == 429, "{code}");
        assert_eq!(open.json().await.unwrap()["error"]["code"], code);
        let sent = post(&quarry, &[], &body(json!({ "stream": true }))).await.text().await.unwrap();
        assert_eq!(read(&sent).error.unwrap()["code"], code);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bearer_is_the_secret_where_there_is_one() {
    let setup = Setup::new(Script::ordinary()).variable("access_secret", "open sesame");
    let quarry = setup.start().await.unwrap();
    let models = format!("{}/v1/models", quarry.url);
    for (header, value, status) in [
        ("authorization", "Bearer open sesame", 200),
        ("api-key", "open sesame", 200),
        ("authorization", "Bearer sk-wrong", 401),
        ("accept", "*/*", 401),
    ] {
        let open = post(&quarry, &[(header, value)], &body(json!({}))).await;
        assert_eq!(open.status, status, "{value}");
        if status == 401 {
            let error = open.json().await.unwrap()["error"].clone();
            assert_eq!(
                (&error["code"], error["type"].as_str()),
                (&json!("invalid_api_key"), Some("invalid_request_error"))
            );
        }
        assert_eq!(
            client::get(&models, &[(header, value)]).await.unwrap().status,
            status,
            "{value}"
        );
    }
}

/// Clients that need no key send one all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_an_open_server_a_bearer_pays_only_where_the_operator_does_not() {
    let own = "sk-own-canary-71c2";
    let bearer = format!("Bearer {own}");
    let paid_by = |quarry: &Quarry| {
        let calls = quarry.provider.calls();
        calls
            .iter()
            .map(|call| call.header("authorization").unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let quarry = started(Script::ordinary()).await;
    assert_eq!(post(&quarry, &[("authorization", &bearer)], &body(json!({}))).await.status, 200);
    let keys = paid_by(&quarry);
    assert!(!keys.is_empty() && keys.iter().all(|key| *key == format!("Bearer {KEY}")), "{keys:?}");
    let keyless = Setup::new(Script::ordinary()).variable("openai_api_key", "");
    let quarry = keyless.start().await.unwrap();
    assert_eq!(post(&quarry, &[], &body(json!({}))).await.status, 401);
    for header in [("authorization", bearer.as_str()), ("x-provider-key", own)] {
        quarry.provider.forget();
        assert_eq!(post(&quarry, &[header], &body(json!({}))).await.status, 200);
        let keys = paid_by(&quarry);
        assert!(!keys.is_empty() && keys.iter().all(|key| *key == bearer), "{keys:?}");
    }
    let stored = quarry.stored().unwrap();
    assert!(!stored.windows(own.len()).any(|bytes| bytes == own.as_bytes()), "a key was kept");
    assert!(!quarry.output().contains(own));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_operator_says_what_a_bearer_is() {
    let own = "sk-own-canary-5d11";
    let bearer = format!("Bearer {own}");
    let header = [("authorization", bearer.as_str())];
    // A key, though the operator has one.
    let setup = Setup::new(Script::ordinary()).variable("bearer", "provider-key");
    let quarry = setup.start().await.unwrap();
    assert_eq!(post(&quarry, &header, &body(json!({}))).await.status, 200);
    let calls = quarry.provider.calls();
    assert!(!calls.is_empty(), "somebody was asked");
    assert!(calls.iter().all(|call| call.header("authorization") == Some(&*bearer)));
    // A secret, and never a key, though there is none of either.
    let setup = Setup::new(Script::ordinary()).variable("bearer", "secret");
    let quarry = setup.variable("openai_api_key", "").start().await.unwrap();
    let refused = post(&quarry, &header, &body(json!({}))).await;
    assert_eq!(refused.status, 401);
    assert_eq!(refused.json().await.unwrap()["error"]["code"], "missing_provider_key");
    assert!(quarry.provider.calls().is_empty());
    let paying = [("authorization", bearer.as_str()), ("x-provider-key", own)];
    assert_eq!(post(&quarry, &paying, &body(json!({}))).await.status, 200);
    // Another word is the operator's mistake.
    let setup = Setup::new(Script::ordinary()).variable("bearer", "token");
    let quarry = setup.start().await.unwrap();
    assert_eq!(post(&quarry, &header, &body(json!({}))).await.status, 503);
    // So is one that would keep everybody out, at every door that reads it.
    let setup = Setup::new(Script::ordinary()).variable("bearer", "provider-key");
    let quarry = setup.variable("access_secret", "open sesame").start().await.unwrap();
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let page = json!([{ "role": "user", "parts": [{ "type": "text", "text": "Why?" }] }]);
    let app = json!([{ "id": "m1", "role": "user", "content": "Why?" }]);
    for (path, asked) in [
        (CHAT, body(json!({}))),
        ("/v1/responses", json!({ "model": "quarry", "input": "Why?" })),
        ("/api/chat", json!({ "messages": page })),
        ("/agui", json!({ "threadId": "t1", "runId": "r1", "messages": app })),
        ("/mcp", ping),
    ] {
        let accept = ("accept", "application/json, text/event-stream");
        let headers = [("authorization", "Bearer open sesame"), accept];
        let url = format!("{}{path}", quarry.url);
        let open = client::send("POST", &url, &headers, asked.to_string()).await.unwrap();
        assert_eq!(open.status, 503, "{path}");
        let told = open.text().await.unwrap();
        assert!(told.contains("bearer") && told.contains("access_secret"), "{path}: {told}");
    }
}

fn long_answer() -> Reply {
    Reply::text("Six times seven is forty-two, as every table says. ".repeat(8))
        .split(Split::Frames)
}

/// Reads until the answer begins, and goes away.
async fn cut(mut open: Open) -> String {
    let mut sent = String::new();
    while !sent.contains("Six times") {
        let chunk = open.chunk().await.unwrap().expect("the stream goes on");
        sent.push_str(&String::from_utf8_lossy(&chunk));
    }
    sent
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn retries_of_a_request_that_was_cut_are_one_ask() {
    let held = long_answer().hold_midway("answer");
    let script = Script::ordinary().first(Match::Phase(Phase::Synthesis), [held]);
    let quarry = started(script).await;
    let asked = body(json!({ "stream": true }));
    let tried = |count: &'static str| {
        let (quarry, asked) = (&quarry, &asked);
        async move { post(quarry, &[("x-stainless-retry-count", count)], asked).await }
    };
    let first = tried("0").await;
    let ask = first.header("x-quarry-ask").unwrap().to_owned();
    let before = cut(first).await;
    let second = tried("1").await;
    assert_eq!(second.header("x-quarry-ask"), Some(ask.as_str()));
    let again = cut(second).await;
    let third = tried("2").await;
    assert_eq!(third.header("x-quarry-ask"), Some(ask.as_str()));
    quarry.provider.release("answer");
    let whole = third.text().await.unwrap();
    let answer = read(&whole);
    assert!(answer.content.ends_with("as every table says."), "{}", answer.content);
    // Whoever joined was told the same from the beginning.
    assert!(
        whole.starts_with(&before) || before.starts_with(&whole[..before.len().min(whole.len())])
    );
    assert!(whole.starts_with(&again[..again.rfind("\n\n").unwrap()]));
    let phases: Vec<_> = quarry.provider.calls().iter().map(|call| call.phase().unwrap()).collect();
    for phase in [Phase::Setup, Phase::Planning, Phase::Synthesis] {
        assert_eq!(phases.iter().filter(|made| **made == phase).count(), 1, "{phases:?}");
    }
    // What has ended is told again, and paid for no more.
    let calls = quarry.provider.calls().len();
    assert_eq!(tried("1").await.text().await.unwrap(), whole);
    assert_eq!(quarry.provider.calls().len(), calls);
    // A first try is a question of its own, whatever was asked before.
    let other = tried("0").await;
    assert_ne!(other.header("x-quarry-ask"), Some(ask.as_str()));
    assert_eq!(read(&other.text().await.unwrap()).finish.as_deref(), Some("stop"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_after_a_rate_limit_goes_on_and_pays_for_nothing_twice() {
    let limited = Reply::rate_limited("20");
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), [limited]);
    let quarry = started(script).await;
    let asked = body(json!({}));
    let key = [("idempotency-key", "9c2f6f0e-6d1e-4a65-8d7e-0c8c6f5b1f2a")];
    let first = post(&quarry, &key, &asked).await;
    assert_eq!((first.status.as_u16(), first.header("retry-after")), (429, Some("20")));
    let before = quarry.provider.calls().len();
    let second = post(&quarry, &key, &asked).await;
    assert_eq!(second.status, 200);
    let calls = quarry.provider.calls();
    let phases: Vec<_> = calls[before..].iter().map(|call| call.phase().unwrap()).collect();
    assert!(!phases.contains(&Phase::Setup) && !phases.contains(&Phase::Planning), "{phases:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ask_that_nobody_reads_ends_after_its_grace() {
    let planning = Reply::text("no plan").hold("planning");
    let late = Reply::text("late").hold("iteration");
    let script = Script::ordinary()
        .first(Match::Phase(Phase::Planning), [planning])
        .first(Match::Phase(Phase::Iteration(1)), [late]);
    let quarry = Setup::new(script).variable("chat_grace_seconds", "1").start().await.unwrap();
    let open = post(&quarry, &[], &body(json!({ "stream": true }))).await;
    let ask = open.header("x-quarry-ask").unwrap().to_owned();
    quarry.provider.holding("planning", 1).await;
    drop(open);
    // What it is told next shows the ask that nobody is there.
    quarry.provider.release("planning");
    // The provider never answers: nothing but the grace ends the ask. Whoever read its log now would be a reader, so
    // it is looked for in the store.
    quarry.until_stored("\"ended\":\"stopped\"").await.unwrap();
    let url = format!("{}/ask/{ask}/events", quarry.url);
    let events = client::get(&url, &[]).await.unwrap().events().await.unwrap();
    assert_eq!(invariants::of_stream(&events), Vec::<String>::new());
    assert_eq!(events.last().unwrap().data["ended"], "stopped");
    quarry.provider.release("iteration");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_may_send_what_its_client_sends() {
    let quarry = started(Script::ordinary()).await;
    let wanted = "authorization,content-type,x-stainless-lang,x-stainless-retry-count";
    let headers = [("origin", "https://front.example"), ("access-control-request-headers", wanted)];
    let url = format!("{}{CHAT}", quarry.url);
    let open = client::send("OPTIONS", &url, &headers, String::new()).await.unwrap();
    assert_eq!(open.header("access-control-allow-headers"), Some(wanted));
    let open = post(&quarry, &[("origin", "https://front.example")], &body(json!({}))).await;
    let exposed = open.header("access-control-expose-headers").unwrap().to_ascii_lowercase();
    let of_retries = ["retry-after", "retry-after-ms", "x-should-retry"];
    for name in ["x-request-id", "x-quarry-ask", "x-quarry-ignored"].into_iter().chain(of_retries) {
        assert!(exposed.split(", ").any(|known| known == name), "{name}: {exposed}");
    }
}
