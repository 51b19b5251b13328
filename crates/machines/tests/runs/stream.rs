//! What holds of every event stream, and streams without what two runs of the same may differ in.

use crate::drive::Sim;
use quarry_events::run::{Event, EventName};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What an event says.
pub fn data(event: &Event) -> Value {
    serde_json::from_str(&event.data).unwrap()
}

/// The nodes of all events with this name, in order.
pub fn nodes_of(events: &[Event], name: EventName) -> Vec<String> {
    let of = events.iter().filter(|event| event.name == name);
    of.map(|event| data(event)["node_id"].as_str().unwrap().to_owned()).collect()
}

/// Events with this name.
pub fn all_of(events: &[Event], name: EventName) -> Vec<Value> {
    events.iter().filter(|event| event.name == name).map(data).collect()
}

/// Checks what holds of every stream of a run that has ended or waits for somebody, however often it was killed
/// or resumed.
pub fn check(sim: &Sim) {
    let (run, events) = (sim.run(), sim.events());
    assert_eq!(events[0].name, EventName::RunStarted);
    let mut open = BTreeSet::new();
    let mut round = 0;
    let mut is_over = false;
    let mut report = String::new();
    let (mut ids, mut claims) = (BTreeMap::new(), BTreeSet::new());
    for (n, event) in (1_u64..).zip(&events) {
        let told = data(event);
        assert_eq!((event.sequence, &told["sequence"]), (n, &n.into()));
        assert_eq!(told["run_id"], run.brief().id.to_string());
        assert!(!is_over || event.name == EventName::RunResumed, "{event:?} follows the end");
        is_over = event.name.is_last();
        let of = told["round"].as_u64().unwrap_or(round);
        assert!(of >= round, "{event:?} is of an earlier round");
        round = of;
        let node = told["node_id"].as_str().unwrap_or_default().to_owned();
        match event.name {
            EventName::NodeStarted => assert!(open.insert(node), "{event:?} is open"),
            EventName::NodeResolved | EventName::NodeUnresolved => _ = open.remove(&node),
            EventName::SynthesisCompleted => {
                for finding in told["findings"].as_array().unwrap() {
                    let text = |name: &str| finding[name].as_str().unwrap().to_owned();
                    let claim = (text("claim"), finding["verified"] == true);
                    let sources = finding["citation_ids"].as_array().unwrap().len();
                    // It is told again when it rests on more sources, and not else.
                    match ids.insert(text("finding_id"), (claim.clone(), sources)) {
                        None => assert!(claims.insert(claim), "{finding} was told before"),
                        Some((before, fewer)) => {
                            assert_eq!(before, claim, "{finding} has another's name");
                            assert!(claim.1 && sources > fewer, "{finding} was told before");
                        }
                    }
                }
            }
            EventName::RunResumed => report.clear(),
            EventName::ReportDelta => {
                if told["anew"] == true {
                    assert!(!report.is_empty(), "{event:?}: there was nothing before it");
                    report.clear();
                }
                report.push_str(told["text"].as_str().unwrap());
            }
            _ => {}
        }
        assert!(!is_over || open.is_empty(), "{open:?} are open at the end");
    }
    let waits = run.standing_now().waiting.is_some_and(|waiting| waiting.until.is_none());
    assert!(is_over && run.has_ended() || waits && !is_over);
    assert_eq!(run.sequence(), events.len() as u64);
    if let Some(kept) = run.kept_report() {
        assert_eq!(report, kept.markdown);
        for n in 1..=8 {
            assert!(report.contains(&format!("\n## {n}. ")), "section {n}: {report}");
        }
    }
}

/// Fields in which two runs of the same may differ: times, and what calls cost that nobody settled.
const LEFT_OUT: [&str; 7] =
    ["at", "run_id", "latency", "cost_known", "unsettled_calls", "retrieved_at", "age"];

/// Events without what two runs of the same may differ in.
pub fn plain(events: &[Event]) -> Vec<Value> {
    let plain = |event: &Event| {
        let mut told = data(event);
        strip(&mut told);
        told["event"] = event.name.as_str().into();
        told
    };
    let mut plain: Vec<Value> = events.iter().map(plain).collect();
    // A call that is unsettled is a line, and so a piece, more: the report itself is compared.
    plain.retain(|event| event["event"] != "report_delta");
    for event in &mut plain {
        event.as_object_mut().unwrap().remove("sequence");
        event.as_object_mut().unwrap().remove("characters");
    }
    plain
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !LEFT_OUT.contains(&name.as_str()));
            fields.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

/// A report without the lines that tell times and costs.
pub fn plain_report(sim: &Sim) -> String {
    let kept = sim.run().kept_report().unwrap().markdown.clone();
    let tells = ["- **Time:", "- **Cost:", "- **Paid calls whose use is unknown:"];
    let lines = kept.lines().filter(|line| !tells.iter().any(|tells| line.starts_with(tells)));
    lines.collect::<Vec<_>>().join("\n")
}
