//! What is sent again with a key, or begun by one and gone on with by another, is paid once.

use super::{AGUI, CHAT, KEY, QUESTION, RESPONSES, body, limited, paid, post, started};
use quarry_scenarios::client;
use quarry_scenarios::quarry::Quarry;
use quarry_test_provider::{Match, Phase, Reply, Script};
use serde_json::{Value, json};

const STREAMED: (&str, &str) = ("accept", "text/event-stream");

/// Two tries of the same, each to its end.
pub(super) async fn twice(quarry: &Quarry, path: &str, headers: &[(&str, &str)], asked: &Value) {
    for _ in 0..2 {
        let open = post(quarry, path, headers, asked).await;
        assert_eq!(open.status, 200, "{path}");
        open.text().await.unwrap();
    }
}

/// Looks until a response has ended.
async fn ended(quarry: &Quarry, id: &str) -> Value {
    let url = format!("{}{RESPONSES}/{id}?stream=true", quarry.url);
    client::get(&url, &[]).await.unwrap().text().await.unwrap();
    let url = format!("{}{RESPONSES}/{id}", quarry.url);
    client::get(&url, &[]).await.unwrap().json().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_tries_with_one_key_are_one_ask_in_every_form() {
    let ask = json!({ "query": QUESTION });
    for (path, headers, asked, without) in [
        ("/ask", vec![], ask.clone(), 2),
        ("/ask", vec![STREAMED], ask, 2),
        (CHAT, vec![], body(CHAT, json!({})), 2),
        (CHAT, vec![], body(CHAT, json!({ "stream": true })), 2),
        (RESPONSES, vec![], body(RESPONSES, json!({})), 2),
        (RESPONSES, vec![], body(RESPONSES, json!({ "stream": true })), 2),
        (RESPONSES, vec![], body(RESPONSES, json!({ "store": false })), 2),
        // A run of an app has names of its own, by which it is told again.
        (AGUI, vec![], body(AGUI, json!({})), 1),
    ] {
        let quarry = started(Script::ordinary()).await;
        twice(&quarry, path, &[headers.as_slice(), &[KEY]].concat(), &asked).await;
        assert_eq!(paid(&quarry, Phase::Setup), 1, "{path}: {asked}");
        quarry.provider.forget();
        let anew = started(Script::ordinary()).await;
        twice(&anew, path, &headers, &asked).await;
        assert_eq!(paid(&anew, Phase::Setup), without, "without a key, {path}: {asked}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_try_that_comes_by_another_path_of_its_door_is_paid_once() {
    let quarry = started(Script::ordinary()).await;
    for path in ["/", "/ask", "/"] {
        let open = post(&quarry, path, &[KEY], &json!({ "query": QUESTION })).await;
        assert_eq!(open.status, 200, "{path}");
        open.text().await.unwrap();
        assert_eq!(paid(&quarry, Phase::Setup), 1, "{path}");
    }
}

/// The same with its fields the other way round, and with spaces.
fn written_anew(asked: &Value) -> String {
    let fields = asked.as_object().unwrap().iter().rev();
    let fields: Vec<String> = fields.map(|(name, value)| format!("\"{name}\" : {value}")).collect();
    format!("{{ {} }}", fields.join(" , "))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_its_client_writes_anew_is_paid_once() {
    let headers = [("content-type", "application/json"), KEY];
    let ask = json!({ "query": QUESTION, "stream": false });
    for (path, asked) in [
        ("/ask", ask),
        (CHAT, body(CHAT, json!({}))),
        (RESPONSES, body(RESPONSES, json!({}))),
        (AGUI, body(AGUI, json!({}))),
    ] {
        let quarry = started(Script::ordinary()).await;
        let again = written_anew(&asked);
        assert_ne!(again, asked.to_string());
        for text in [asked.to_string(), again] {
            let url = format!("{}{path}", quarry.url);
            let open = client::send("POST", &url, &headers, text).await.unwrap();
            assert_eq!(open.status, 200, "{path}");
            open.text().await.unwrap();
        }
        assert_eq!(paid(&quarry, Phase::Setup), 1, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_joins_one_form_of_an_answer_to_the_other() {
    let planning = Reply::text("no plan").hold("planning");
    let quarry = started(Script::ordinary().first(Match::Phase(Phase::Planning), [planning])).await;
    let asked = json!({ "query": QUESTION });
    let first = post(&quarry, "/ask", &[KEY, STREAMED], &asked).await;
    quarry.provider.holding("planning", 1).await;
    drop(first);
    let url = format!("{}/ask", quarry.url);
    let asking = tokio::spawn(async move {
        client::send("POST", &url, &[KEY], asked.to_string()).await.unwrap().json().await.unwrap()
    });
    quarry.provider.release("planning");
    let answer: Value = asking.await.unwrap();
    assert!(answer.to_string().contains("42"), "{answer}");
    assert_eq!(paid(&quarry, Phase::Setup), 1);
    // Nothing of a background response's way is paid twice either.
    quarry.provider.forget();
    let asked = body(RESPONSES, json!({ "background": true }));
    let mut ids = Vec::new();
    for _ in 0..2 {
        let begun = post(&quarry, RESPONSES, &[KEY], &asked).await.json().await.unwrap();
        ids.push(begun["id"].as_str().unwrap().to_owned());
    }
    assert_eq!(ids[0], ids[1]);
    assert_eq!(ended(&quarry, &ids[0]).await["status"], "completed");
    assert_eq!(paid(&quarry, Phase::Setup), 1);
}

/// A response in the background that a limit ends, and the answer to a page that goes on with it.
async fn gone_on_by_a_page(quarry: &Quarry, asked: &Value) -> (String, client::Open) {
    let count = [("x-stainless-retry-count", "0")];
    let first = post(quarry, RESPONSES, &count, asked).await.json().await.unwrap();
    let id = first["id"].as_str().unwrap();
    ended(quarry, id).await;
    let ask = id.strip_prefix("resp_").unwrap();
    let resume = json!([{ "interruptId": ask, "status": "resolved" }]);
    let more = json!({ "runId": "r2", "messages": [], "resume": resume });
    let page = post(quarry, AGUI, &[], &body(AGUI, more)).await;
    (page.header("x-quarry-ask").unwrap().to_owned(), page)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_retry_went_on_with_is_joined_by_a_page_that_goes_on() {
    let asked = body(CHAT, json!({ "stream": true }));
    let rounds = [Reply::rate_limited("20"), Reply::text("late").hold("iteration")];
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), rounds);
    let quarry = started(script).await;
    let first = post(&quarry, CHAT, &[("x-stainless-retry-count", "0")], &asked).await;
    let ask = first.header("x-quarry-ask").unwrap().to_owned();
    first.text().await.unwrap();
    let retry = post(&quarry, CHAT, &[("x-stainless-retry-count", "1")], &asked).await;
    let gone_on = retry.header("x-quarry-ask").unwrap().to_owned();
    quarry.provider.holding("iteration", 1).await;
    let resume = json!([{ "interruptId": ask, "status": "resolved" }]);
    let more = json!({ "runId": "r2", "messages": [], "resume": resume });
    let page = post(&quarry, AGUI, &[], &body(AGUI, more)).await;
    assert_eq!(page.header("x-quarry-ask"), Some(gone_on.as_str()));
    quarry.provider.release("iteration");
    assert!(page.text().await.unwrap().contains("\"success\""));
    assert!(retry.text().await.unwrap().ends_with("data: [DONE]\n\n"));
    assert_eq!(paid(&quarry, Phase::Synthesis), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_of_a_response_that_a_page_went_on_with_is_that_continuation() {
    let again = [("x-stainless-retry-count", "1")];
    let asked = body(RESPONSES, json!({ "background": true, "metadata": { "a": "b" } }));
    let rounds = [Reply::rate_limited("20"), Reply::text("late").hold("iteration")];
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), rounds);
    let quarry = started(script).await;
    let (gone_on, page) = gone_on_by_a_page(&quarry, &asked).await;
    quarry.provider.holding("iteration", 1).await;
    let open = post(&quarry, RESPONSES, &again, &asked).await;
    let (status, response) = (open.status.as_u16(), open.json().await.unwrap());
    assert_eq!((status, &response["id"]), (200, &json!(format!("resp_{gone_on}"))), "{response}");
    assert_eq!(response["background"], true);
    // It can be fetched, and needs no reader from now on: the page's leaving ends nothing.
    let url = format!("{}{RESPONSES}/resp_{gone_on}", quarry.url);
    let shown = client::get(&url, &[]).await.unwrap().json().await.unwrap();
    assert_eq!(shown["metadata"], json!({ "a": "b" }));
    // The first until something of it is on record.
    assert!(["queued", "in_progress"].map(Value::from).contains(&shown["status"]), "{shown}");
    let held = "SELECT count(*) FROM log_value WHERE CAST(value AS TEXT) = 'holds'";
    let held = quarry.sqlite().unwrap().query_row(held, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(held, 1);
    drop(page);
    quarry.provider.release("iteration");
    let last = ended(&quarry, &format!("resp_{gone_on}")).await;
    assert_eq!(last["status"], "completed", "{last}");
    // Once more it is the same, with its answer.
    let once_more = post(&quarry, RESPONSES, &again, &asked).await.json().await.unwrap();
    assert_eq!(once_more, last);
    for phase in [Phase::Setup, Phase::Planning, Phase::Synthesis] {
        assert_eq!(paid(&quarry, phase), 1, "{phase:?}");
    }
}

/// Goes on with an ask by its id alone.
fn going_on(ask: &str) -> Value {
    json!({ "continuation": true, "continuationContext": { "id": ask } })
}

async fn streamed(quarry: &Quarry, asked: &Value) -> client::Open {
    client::ask_at(&format!("{}/ask", quarry.url), asked).await.unwrap()
}

/// An ask that a provider's limit ends.
async fn limited_ask(quarry: &Quarry, asked: &Value) -> String {
    let events = streamed(quarry, asked).await.events().await.unwrap();
    assert_eq!(events.last().unwrap().name, "quota_exceeded");
    events.iter().find_map(|event| event.data["id"].as_str()).unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_goes_on_twice_with_an_ask_by_its_id_pays_once() {
    let rounds = [Reply::rate_limited("20"), Reply::text("late").hold("iteration")];
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), rounds);
    let quarry = started(script).await;
    let ask = limited_ask(&quarry, &json!({ "query": QUESTION })).await;
    let one = streamed(&quarry, &going_on(&ask)).await;
    quarry.provider.holding("iteration", 1).await;
    let other = streamed(&quarry, &going_on(&ask)).await;
    quarry.provider.release("iteration");
    let mut ids = Vec::new();
    for open in [one, other] {
        let events = open.events().await.unwrap();
        assert_eq!(events.last().unwrap().name, "complete");
        ids.push(events.iter().find_map(|event| event.data["id"].as_str()).unwrap().to_owned());
    }
    assert_eq!(ids[0], ids[1]);
    assert_eq!(paid(&quarry, Phase::Iteration(2)), 2, "the limited one and one more");
    assert_eq!(paid(&quarry, Phase::Synthesis), 1);
}

/// An ask that is told as a stream: its id, and what it was asked.
async fn told(open: client::Open) -> (String, String) {
    let events = open.events().await.unwrap();
    assert_eq!(events.last().unwrap().name, "complete");
    let init = &events.iter().find(|event| event.name == "init").unwrap().data;
    let of = |field: &str| init[field].as_str().unwrap().to_owned();
    (of("id"), of("query"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_asks_something_else_of_an_ask_gets_an_answer_of_its_own_which_its_retry_joins() {
    let late = || Reply::text("late").hold("iteration");
    let rounds = [Reply::rate_limited("20"), late(), late()];
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), rounds);
    let quarry = started(script).await;
    let ask = limited_ask(&quarry, &json!({ "query": QUESTION })).await;
    let asking = async |query: &str| {
        let mut asked = going_on(&ask);
        asked["query"] = json!(query);
        streamed(&quarry, &asked).await
    };
    let other = "And what is seven times eight?";
    let first = asking(other).await;
    quarry.provider.holding("iteration", 1).await;
    // Who asks nothing of its own, and who asks what was asked, go on with it: through whichever door, there is one.
    let same = asking("").await;
    quarry.provider.holding("iteration", 2).await;
    let spelt = asking(" What is six\n times seven? ").await;
    let resume = json!([{ "interruptId": ask, "status": "resolved" }]);
    let more = json!({ "runId": "r2", "messages": [], "resume": resume });
    let page = post(&quarry, AGUI, &[], &body(AGUI, more)).await;
    let again = asking(" And what is  seven times eight?").await;
    quarry.provider.release("iteration");
    let (first, again) = (told(first).await, told(again).await);
    assert_eq!((&first, first.1.as_str()), (&again, other));
    let (same, spelt) = (told(same).await, told(spelt).await);
    assert_eq!((&same, same.1.as_str()), (&spelt, QUESTION));
    assert_ne!(same.0, first.0);
    // Whoever wishes the same otherwise is not told an answer of another manner.
    let mut bounded = going_on(&ask);
    bounded["query"] = json!(other);
    bounded["max_iterations"] = json!(3);
    let bounded = told(streamed(&quarry, &bounded).await).await;
    assert!(bounded.0 != first.0 && bounded.1 == other, "{bounded:?}");
    assert_eq!(page.header("x-quarry-ask"), Some(same.0.as_str()));
    assert!(page.text().await.unwrap().contains("\"success\""));
    // So it is when all has ended.
    assert_eq!([told(asking(other).await).await, told(asking("").await).await], [first, same]);
    let iterations = paid(&quarry, Phase::Iteration(2));
    assert_eq!(iterations, 4, "the limited one, and one for each question and what is wished");
    assert_eq!([Phase::Setup, Phase::Synthesis].map(|phase| paid(&quarry, phase)), [1, 3]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_is_not_told_what_somebody_else_asked_of_its_ask() {
    let count = [("x-stainless-retry-count", "1")];
    for headers in [vec![KEY], count.to_vec()] {
        let quarry = started(limited()).await;
        let asked = body(CHAT, json!({}));
        let first = post(&quarry, CHAT, &headers, &asked).await;
        assert_eq!(first.status, 429);
        let mut other = going_on(first.header("x-quarry-ask").unwrap());
        other["query"] = json!("And what is seven times eight?");
        let (other, query) = told(streamed(&quarry, &other).await).await;
        let retry = post(&quarry, CHAT, &headers, &asked).await;
        assert_eq!(retry.status, 200, "{headers:?}");
        let ask = retry.header("x-quarry-ask").unwrap().to_owned();
        assert_ne!(ask, other, "{headers:?}");
        retry.json().await.unwrap();
        let url = format!("{}/ask/{ask}/events", quarry.url);
        let own = told(client::get(&url, &[]).await.unwrap()).await;
        assert!(own.1 == QUESTION && own.1 != query, "{headers:?}: {own:?}");
        assert_eq!(paid(&quarry, Phase::Synthesis), 2, "{headers:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_goes_on_with_what_others_went_on_with_until_a_limit_came_again() {
    for headers in [vec![], vec![KEY]] {
        let rounds = [Reply::rate_limited("20"), Reply::rate_limited("20")];
        let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), rounds);
        let quarry = started(script).await;
        let asked = body(CHAT, json!({}));
        let first = post(&quarry, CHAT, &headers, &asked).await;
        assert_eq!(first.status, 429);
        let ask = first.header("x-quarry-ask").unwrap().to_owned();
        let next = limited_ask(&quarry, &going_on(&ask)).await;
        assert_ne!(next, ask);
        let retry = post(&quarry, CHAT, &headers, &asked).await;
        assert_eq!(retry.status, 200, "{headers:?}");
        retry.json().await.unwrap();
        for phase in [Phase::Setup, Phase::Planning, Phase::Synthesis] {
            assert_eq!(paid(&quarry, phase), 1, "{headers:?}: {phase:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_asked_anew_is_noted_though_the_clock_of_the_one_before_was_ahead() {
    let quarry = started(Script::ordinary()).await;
    let asked = body(CHAT, json!({}));
    let first = post(&quarry, CHAT, &[], &asked).await;
    let ask = first.header("x-quarry-ask").unwrap().to_owned();
    first.text().await.unwrap();
    // An id begins with the time of day, in milliseconds: this process was ten seconds ahead.
    let ahead = u128::from_str_radix(&ask, 16).unwrap() + (10_000_u128 << 80);
    let ahead = format!("{ahead:032x}");
    let file = quarry.sqlite().unwrap();
    let moved = "UPDATE log_value SET value = CAST(?1 AS BLOB)
         WHERE place = 'begun' AND CAST(value AS TEXT) = ?2";
    assert_eq!(file.execute(moved, [&ahead, &ask]).unwrap(), 1);
    let second = post(&quarry, CHAT, &[], &asked).await;
    let ask = second.header("x-quarry-ask").unwrap().to_owned();
    second.text().await.unwrap();
    // Whoever says that it came before is told of the newest.
    let again = [("x-stainless-retry-count", "1")];
    let third = post(&quarry, CHAT, &again, &asked).await;
    assert_eq!(third.header("x-quarry-ask"), Some(ask.as_str()));
    third.text().await.unwrap();
    assert_eq!(paid(&quarry, Phase::Setup), 2);
}
