//! A front end as people wrote it for the original backend, used here unchanged: it knows the
//! original's requests, frames, events and continuation, and nothing that Quarry added.

mod browser;
mod page;

use browser::Browser;
use page::Page;
use quarry_scenarios::client;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Match, Phase, Recorded, Reply, Script, sign};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

const ORIGIN: &str = "https://ui.example";
const QUESTION: &str = "What is six times seven, and what is the capacity factor?";

async fn start(script: Script, variables: &[(&str, &str)]) -> Quarry {
    let mut setup = Setup::new(script);
    for (name, value) in variables {
        setup = setup.variable(name, value);
    }
    setup.start().await.unwrap()
}

/// What the page's form sends: everything it has a field for, empty ones too.
fn form() -> Value {
    json!({
        "query": QUESTION, "model": "openai:scripted", "apiKey": "", "accessSecret": "",
        "google_token": null,
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ask_is_shown_from_plan_to_answer() {
    let quarry = start(Script::ordinary(), &[("max_tool_iterations", "2")]).await;
    let browser = Browser::new(ORIGIN, &quarry.url);
    let page = Page::of(&browser.post("/", &form()).await.unwrap());
    assert_eq!(page.problems, Vec::<String>::new());
    assert_eq!(page.last, "complete");
    assert_eq!(page.query, QUESTION);
    assert_eq!(page.model, "openai:scripted");
    assert!(page.persona.contains("engineer"));
    assert_eq!(page.questions.len(), 2);
    assert_eq!(page.asked_for, ["execute_javascript"; 2]);
    assert_eq!(page.results.len(), 2);
    assert!(page.results.iter().any(|output| output.contains("42")), "{:?}", page.results);
    assert!(page.answer.contains("31.2 percent"));
    assert!(page.cost.is_some(), "cost_summary comes before final_answer");
    assert_eq!(
        page.phases,
        ["initial_setup", "planning", "tool_iteration", "tool_iteration", "final_synthesis"]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_address_may_ask_for_the_stream_and_the_body_be_plain_text() {
    let quarry = start(Script::ordinary(), &[]).await;
    let browser = Browser::new(ORIGIN, &quarry.url);
    // No header that needs a preflight.
    let frames = browser.simple_post("/?stream=true", &form()).await.unwrap();
    let page = Page::of(&frames);
    assert_eq!((page.problems, page.last.as_str()), (Vec::new(), "complete"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_listed_origins_get_through() {
    let origins = ("cors_allowed_origins", "https://ui.example");
    let quarry = start(Script::ordinary(), &[origins]).await;
    let page = Page::of(&Browser::new(ORIGIN, &quarry.url).post("/", &form()).await.unwrap());
    assert_eq!(page.last, "complete");
    let calls = quarry.provider.calls().len();
    let refused = Browser::new("https://elsewhere.example", &quarry.url).post("/", &form()).await;
    assert!(refused.unwrap_err().contains("preflight"));
    // What needs none is not done either: not to read the answer would come too late.
    let elsewhere = Browser::new("https://elsewhere.example", &quarry.url);
    assert!(elsewhere.simple_post("/?stream=true", &form()).await.is_err());
    let (url, page) = (format!("{}/ask", quarry.url), ("origin", "https://elsewhere.example"));
    let open = client::send("POST", &url, &[page], form().to_string()).await.unwrap();
    assert_eq!(open.status, 403);
    assert!(open.text().await.unwrap().contains("cors_allowed_origins"));
    assert_eq!(quarry.provider.calls().len(), calls);
    // A browser says of our own page that it is ours.
    let own = ("sec-fetch-site", "same-origin");
    let open = client::send("POST", &url, &[page, own], form().to_string()).await.unwrap();
    assert_eq!(open.status, 200);
    open.text().await.unwrap();
}

fn phases(calls: &[Recorded]) -> Vec<Phase> {
    calls.iter().filter_map(Recorded::phase).collect()
}

/// A rate limit, and then what the original page does: it waits, and sends its form again with
/// the state that it was given, which has gone through its JSON.
async fn interrupted_in(phase: Phase, variables: &[(&str, &str)]) {
    let limited = Reply::rate_limited("20");
    let script = Script::ordinary().first(Match::Phase(phase), [limited]);
    let quarry = start(script, variables).await;
    let browser = Browser::new(ORIGIN, &quarry.url);
    let page = Page::of(&browser.post("/", &form()).await.unwrap());
    assert_eq!(page.problems, Vec::<String>::new());
    assert_eq!((page.last.as_str(), page.wait), ("quota_exceeded", Some(20.0)));
    let before = quarry.provider.calls().len();
    // Another process: nothing is left but what the page has.
    let quarry = quarry.restart().await.unwrap();
    let browser = Browser::new(ORIGIN, &quarry.url);
    let mut again = form();
    again["continuation"] = json!(true);
    again["continuationContext"] = browser::through_javascript(&page.state);
    let resumed = Page::of(&browser.post("/", &again).await.unwrap());
    assert_eq!(resumed.problems, Vec::<String>::new());
    assert_eq!(resumed.last, "complete");
    assert!(resumed.answer.contains("31.2 percent"));
    // What was there is shown again, and paid for once.
    assert!(resumed.results.len() >= page.results.len());
    assert_eq!(resumed.results[..page.results.len()], page.results[..]);
    assert!(resumed.restored >= 2, "{}", resumed.restored);
    let made = phases(&quarry.provider.calls()[before..]);
    assert_eq!((made.first(), made.last()), (Some(&phase), Some(&Phase::Synthesis)), "{made:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rate_limit_in_the_tool_loop_is_waited_out_and_resumed() {
    interrupted_in(Phase::Iteration(2), &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rate_limit_in_the_synthesis_is_waited_out_and_resumed() {
    interrupted_in(Phase::Synthesis, &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signed_state_survives_a_browser() {
    interrupted_in(Phase::Synthesis, &[("continuation_secret", "sealed")]).await;
    interrupted_in(Phase::Iteration(1), &[("continuation_secret", "sealed")]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_seven_fields_alone_are_enough() {
    let limited = Reply::rate_limited("20");
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), [limited]);
    let quarry = start(script, &[]).await;
    let browser = Browser::new(ORIGIN, &quarry.url);
    let page = Page::of(&browser.post("/", &form()).await.unwrap());
    let seven = page::SEVEN.map(|name| (name.to_owned(), page.state[name].clone()));
    let mut again = form();
    again["continuation"] = json!(true);
    again["continuationContext"] = Value::Object(seven.into_iter().collect());
    let before = quarry.provider.calls().len();
    let resumed = Page::of(&browser.post("/", &again).await.unwrap());
    assert_eq!((resumed.problems, resumed.last.as_str()), (Vec::new(), "complete"));
    let made = phases(&quarry.provider.calls()[before..]);
    assert_eq!(made.first(), Some(&Phase::Iteration(2)), "{made:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mistakes_and_missing_rights_are_error_events() {
    let settings = [("access_secret", "open sesame"), ("openai_api_key", "")];
    let quarry = start(Script::ordinary(), &settings).await;
    let browser = Browser::new(ORIGIN, &quarry.url);
    let with = |name: &str, value: &str| {
        let mut form = form();
        form["accessSecret"] = json!("open sesame");
        form[name] = json!(value);
        form
    };
    for (form, words) in [
        (form(), "accessSecret"),
        (with("accessSecret", "wrong"), "accessSecret"),
        (with("query", ""), "query"),
        // No key of the operator's, none of the caller's.
        (with("model", "openai:scripted"), "apiKey"),
    ] {
        let page = Page::of(&browser.post("/", &form).await.unwrap());
        assert_eq!((page.problems, page.last.as_str()), (Vec::new(), "error"));
        assert!(page.error.contains(words), "{}", page.error);
        // A page that has seen no `init` shows nothing; of a missing key it must tell.
        if words == "apiKey" {
            assert_eq!((page.query.as_str(), page.model.as_str()), (QUESTION, "openai:scripted"));
        }
    }
    assert!(quarry.provider.calls().is_empty());
    // With a key of the caller's own it goes.
    let page = Page::of(&browser.post("/", &with("apiKey", "own-key-77")).await.unwrap());
    assert_eq!(page.last, "complete");
    let calls = quarry.provider.calls();
    assert!(!calls.is_empty(), "somebody was asked");
    assert!(calls.iter().all(|call| call.header("authorization") == Some("Bearer own-key-77")));
    // Anything but POST is told so in the stream.
    let page = Page::of(&browser.get("/").await.unwrap());
    assert_eq!((page.last.as_str(), page.error.contains("POST")), ("error", true));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_listed_account_may_use_the_operators_keys_under_either_name() {
    let settings =
        [("google_client_id", "ui.apps.example.com"), ("allowed_emails", "ada@example.com")];
    let quarry = start(Script::ordinary(), &settings).await;
    let browser = Browser::new(ORIGIN, &quarry.url);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let token = sign(&json!({
        "iss": "accounts.google.com", "aud": "ui.apps.example.com", "sub": "1", "name": "Ada",
        "email": "ada@example.com", "email_verified": true, "iat": now, "exp": now + 600,
    }))
    .unwrap();
    for name in ["google_token", "googleToken"] {
        let mut form = form();
        form[name] = json!(token);
        let page = Page::of(&browser.post("/", &form).await.unwrap());
        assert_eq!((page.problems, page.last.as_str()), (Vec::new(), "complete"));
        assert_eq!(page.user, json!({ "email": "ada@example.com", "name": "Ada" }));
    }
    let page = Page::of(&browser.post("/", &form()).await.unwrap());
    assert_eq!((page.last.as_str(), page.error.contains("apiKey")), ("error", true));
}
