//! A report that is read while the model still writes it, by the process that began it and by the next.

use super::{begin, events, report, send, start, task};
use quarry_scenarios::client::{self, Event, Open};
use quarry_scenarios::quarry::Quarry;
use quarry_scenarios::research::{ASKED, asked, script};
use quarry_test_provider::{Reply, Split};
use serde_json::{Value, json};

/// A report of two sentences, of which the provider says one and a half before it is held up.
fn two_sentences() -> Reply {
    let reply = json!({
        "answer": "The bridge cost 186 million euros [q1]. The bridge cost 186 million euros, as the accounts say [q1].",
        "follow_up": [],
    });
    Reply::json(&reply).split(Split::Frames).pieces_of(80)
}

async fn watched(quarry: &Quarry, id: &str) -> Open {
    let url = format!("{}/runs/{id}/events", quarry.url);
    let headers = [("accept", "text/event-stream")];
    client::send("GET", &url, &headers, String::new()).await.unwrap()
}

fn text(event: &Event) -> &str {
    event.data["text"].as_str().unwrap()
}

/// What all pieces of a report come to; none of them begins it anew.
fn told(events: &[Event]) -> String {
    let pieces = events.iter().filter(|event| event.name == "report_delta");
    let text = |event: &Event| {
        assert!(event.data.get("anew").is_none(), "{event:?}");
        text(event).to_owned()
    };
    pieces.map(text).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sentence_is_read_before_the_model_has_written_the_next() {
    let quarry = start(&[]).await;
    quarry
        .provider
        .set_script(script().first(asked(ASKED[3]), [two_sentences().hold_midway("half")]));
    let id = begin(&quarry, &task()).await;
    let piece = watched(&quarry, &id).await.until("report_delta").await.unwrap();
    let first = text(&piece);
    assert!(first.ends_with(").") && first.contains("186 million euros [1](http"), "{first}");
    let (_, shown) = send(&quarry, &format!("GET /runs/{id}"), &Value::Null).await;
    assert_eq!(
        (&shown["status"], &shown["report"]),
        (&json!("running"), &json!("writing")),
        "{shown}"
    );
    quarry.provider.release("half");
    let report = report_of(&quarry, &id).await;
    assert!(report.starts_with(first) && report.contains("as the accounts say"), "{report}");
    assert_eq!(quarry.provider.calls().len(), ASKED.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_whose_process_died_is_told_on_by_the_next() {
    let quarry = start(&[]).await;
    quarry
        .provider
        .set_script(script().first(asked(ASKED[3]), [two_sentences().hold_midway("half")]));
    let id = begin(&quarry, &task()).await;
    let piece = watched(&quarry, &id).await.until("report_delta").await.unwrap();
    let quarry = super::dies(quarry).await;
    quarry.provider.set_script(script().first(asked(ASKED[3]), [two_sentences()]));
    let report = report_of(&quarry, &id).await;
    assert!(report.starts_with(text(&piece)) && report.contains("as the accounts say"), "{report}");
    assert_eq!(quarry.provider.calls().len(), ASKED.len() + 1);
}

/// The report of a run that ends, which is what its events tell and what a replay makes of its journal.
async fn report_of(quarry: &Quarry, id: &str) -> String {
    let events = events(quarry, id).await;
    assert_eq!(events.last().unwrap().name, "run_completed");
    let report = report(quarry, id).await;
    assert_eq!(told(&events), report);
    super::replays(quarry, id).await;
    report
}
