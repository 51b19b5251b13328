//! A run's journal, as it is: every input and effect, and behind them every event, which say what each call cost. A
//! JSON object a line.

use super::{Known, RunError, unknown};
use crate::bindings::{wit_future, wit_stream};
use quarry_journal::run::Position;
use quarry_journal::run::trace::Line;
use quarry_machines::run::Run;
use std::collections::BTreeSet;
use wit_bindgen::{FutureReader, StreamReader, StreamWriter};

type Told = (StreamReader<u8>, FutureReader<Result<(), RunError>>);

pub fn trace(known: Known, bundle: bool) -> Told {
    let (writer, reader) = wit_stream::new();
    let (outcome, outcome_reader) =
        wit_future::new(|| Err(RunError::Unavailable("the trace broke off; ask again".to_owned())));
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
        if !sent(&mut writer, head.write()).await {
            return Ok(());
        }
    }
    match entries(&known, n, bundle, &mut writer).await? {
        true => events(&known, sequence, &mut writer).await,
        false => Ok(()),
    }
}

/// Every entry up to this one, in a bundle with the states that are kept. Whether somebody still reads.
async fn entries(
    known: &Known,
    most: u64,
    bundle: bool,
    writer: &mut StreamWriter<u8>,
) -> Result<bool, RunError> {
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
                if !sent(writer, std::mem::take(&mut lines)).await {
                    return Ok(false);
                }
            }
        }
        if !sent(writer, lines).await {
            return Ok(false);
        }
    }
    Ok(true)
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
        let lines = page.events.into_iter().map(|event| Line::Event(event).write()).collect();
        if !sent(writer, lines).await {
            break;
        }
    }
    Ok(())
}

async fn sent(writer: &mut StreamWriter<u8>, lines: String) -> bool {
    writer.write_all(lines.into_bytes()).await.is_empty()
}
