//! A run's journal, as it is: every input and effect, and behind them every event, which say what each call cost. A
//! JSON object a line.

use super::{Known, RunError, unknown};
use crate::bindings::{wit_future, wit_stream};
use quarry_journal::run::Position;
use quarry_journal::run::trace::Line;
use quarry_machines::run::Run;
use quarry_rim::stream::{PATIENCE, written_within};
use std::collections::BTreeSet;
use wit_bindgen::{FutureReader, StreamReader, StreamWriter};

const BROKE_OFF: &str = "the trace broke off; ask again";

type Told = (StreamReader<u8>, FutureReader<Result<(), RunError>>);

pub fn trace(known: Known, bundle: bool) -> Told {
    let (writer, reader) = wit_stream::new();
    let (outcome, outcome_reader) =
        wit_future::new(|| Err(RunError::Unavailable(BROKE_OFF.to_owned())));
    wit_bindgen::spawn(async move {
        let result = write(known, bundle, writer).await;
        _ = outcome.write(result).await;
    });
    (reader, outcome_reader)
}

/// Up to where the run stands now. Who drives it goes on meanwhile: its entries and events would end at different places.
async fn write(known: Known, bundle: bool, mut writer: StreamWriter<u8>) -> Result<(), RunError> {
    let Position { n, sequence, .. } = known.store.position(known.id).await?.ok_or_else(unknown)?;
    if bundle {
        let head =
            Line::Head { run: known.id, machine: Run::FORMAT.version, origin: known.record.origin };
        send(&mut writer, &head.write()).await?;
    }
    entries(&known, n, bundle, &mut writer).await?;
    events(&known, sequence, &mut writer).await
}

/// Every entry up to this one, in a bundle with the states that are kept.
async fn entries(
    known: &Known,
    most: u64,
    bundle: bool,
    writer: &mut StreamWriter<u8>,
) -> Result<(), RunError> {
    let mut last = 0;
    while last < most {
        let mut page = known.store.entries(known.id, last).await?;
        page.retain(|entry| entry.n <= most);
        let Some(end) = page.last().map(|entry| entry.n) else { break };
        let kept = match bundle {
            true => known.store.checkpoints(known.id, last, end).await?,
            false => BTreeSet::new(),
        };
        last = end;
        let mut lines = String::new();
        for entry in page {
            let n = entry.n;
            lines.push_str(&Line::Entry(entry).write());
            if kept.contains(&n) {
                // A state of a long run has megabytes: one at a time.
                let state = known.store.checkpoint(known.id, n).await?;
                let state = state.filter(|state| state.n == n);
                lines.extend(state.map(|state| Line::Checkpoint(state).write()));
                send(writer, &std::mem::take(&mut lines)).await?;
            }
        }
        send(writer, &lines).await?;
    }
    Ok(())
}

/// Every event up to this one.
async fn events(known: &Known, most: u64, writer: &mut StreamWriter<u8>) -> Result<(), RunError> {
    let mut after = 0;
    while after < most
        && let Some(mut page) = known.store.events(known.id, after).await?
    {
        page.events.retain(|event| event.sequence <= most);
        let Some(end) = page.events.last().map(|event| event.sequence) else { break };
        after = end;
        let lines: String =
            page.events.into_iter().map(|event| Line::Event(event).write()).collect();
        send(writer, &lines).await?;
    }
    Ok(())
}

/// Whoever has left learns nothing of the error; who reads again one day must not take a part for the whole.
async fn send(writer: &mut StreamWriter<u8>, lines: &str) -> Result<(), RunError> {
    match written_within(PATIENCE, writer, lines.as_bytes()).await {
        true => Ok(()),
        false => Err(RunError::Unavailable(BROKE_OFF.to_owned())),
    }
}
