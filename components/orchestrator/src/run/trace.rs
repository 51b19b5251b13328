//! A run's journal, as it is: every input and effect, a JSON object a line.

use super::{Known, RunError};
use crate::bindings::{wit_future, wit_stream};
use quarry_events::run::Event;
use quarry_journal::run::Entry;
use quarry_machines::run::Run;
use quarry_types::Json;
use serde::Serialize;
use wit_bindgen::{FutureReader, StreamReader, StreamWriter};

type Told = (StreamReader<u8>, FutureReader<Result<(), RunError>>);

/// The first line of a bundle.
#[derive(Serialize)]
struct Head {
    bundle: &'static str,
    version: u32,
    run_id: String,
    machine: u32,
}

#[derive(Serialize)]
struct EntryLine<'e> {
    n: u64,
    at: String,
    at_ms: u64,
    kind: &'static str,
    body: &'e Json,
}

#[derive(Serialize)]
struct EventLine<'e> {
    event: &'static str,
    data: &'e Json,
}

pub fn trace(known: Known, bundle: bool) -> Told {
    let (writer, reader) = wit_stream::new();
    let (outcome, outcome_reader) = wit_future::new(|| {
        Err(RunError::Unavailable("the trace broke off; ask again".to_owned()))
    });
    wit_bindgen::spawn(async move {
        let result = write(known, bundle, writer).await;
        _ = outcome.write(result).await;
    });
    (reader, outcome_reader)
}

async fn write(
    known: Known,
    bundle: bool,
    mut writer: StreamWriter<u8>,
) -> Result<(), RunError> {
    if bundle {
        let run_id = known.id.to_string();
        let machine = Run::FORMAT.version;
        let head = Head { bundle: "quarry-run", version: 1, run_id, machine };
        if !sent(&mut writer, line(&head)).await {
            return Ok(());
        }
    }
    let mut last = 0;
    loop {
        let page = known.store.entries(known.id, last).await?;
        let Some(end) = page.last().map(|entry| entry.n) else { break };
        last = end;
        let lines: Vec<u8> = page.iter().flat_map(entry).collect();
        if !sent(&mut writer, lines).await {
            return Ok(());
        }
    }
    if !bundle {
        return Ok(());
    }
    let mut after = 0;
    while let Some(page) = known.store.events(known.id, after).await? {
        let Some(end) = page.events.last().map(|event| event.sequence) else { break };
        after = end;
        let lines: Vec<u8> = page.events.iter().flat_map(event).collect();
        if !sent(&mut writer, lines).await {
            return Ok(());
        }
    }
    Ok(())
}

fn entry(entry: &Entry) -> Vec<u8> {
    let Entry { n, at, kind, body } = entry;
    line(&EntryLine { n: *n, at: at.iso(), at_ms: at.0, kind: kind.as_str(), body })
}

fn event(event: &Event) -> Vec<u8> {
    let Some(data) = Json::from_text(event.data.clone()) else { return Vec::new() };
    line(&EventLine { event: event.name.as_str(), data: &data })
}

fn line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).unwrap_or_default();
    line.push(b'\n');
    line
}

async fn sent(writer: &mut StreamWriter<u8>, bytes: Vec<u8>) -> bool {
    writer.write_all(bytes).await.is_empty()
}
