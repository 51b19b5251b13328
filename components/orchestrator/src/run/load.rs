//! A run out of its journal: its newest checkpoint, and the entries behind it.

use super::store::{RunStore, StoreError};
use quarry_events::run::Event;
use quarry_journal::run::{Entry, Kind};
use quarry_machines::run::{Run, RunInput, Whose};
use quarry_rim::diagnostics::note;
use quarry_types::RunId;

/// The run as it was after this entry, or its last, and that entry's number; none: there is none.
pub async fn run(
    store: &RunStore,
    whose: Whose,
    most: u64,
) -> Result<Option<(Run, u64)>, StoreError> {
    let id = whose.id;
    let (mut run, mut last) = match kept(store, id, most).await? {
        Some((run, last)) => (Some(run), last),
        None => (None, 0),
    };
    'pages: loop {
        let page = store.entries(id, last).await?;
        if page.is_empty() {
            break;
        }
        for entry in page {
            if entry.n > most {
                break 'pages;
            }
            last = entry.n;
            fold(whose, &mut run, &entry)?;
        }
    }
    Ok(run.map(|run| (run, last)))
}

/// The run after its last entry, to be gone on with; none: there is none. One that is told otherwise here than it was
/// told, or that newer rules tell, is none of these: nothing of it could be written.
pub async fn to_drive(store: &RunStore, whose: Whose) -> Result<Option<(Run, u64)>, StoreError> {
    let Some((run, last)) = run(store, whose, u64::MAX).await? else { return Ok(None) };
    if let Some(stands) = store.position(whose.id).await? {
        run.goes_on_at(last, &stands)?;
    }
    Ok(Some((run, last)))
}

/// Whether the run was told behind this entry whose key pays: one that came before pays for nothing any more.
pub async fn is_rekeyed(store: &RunStore, id: RunId, behind: u64) -> Result<bool, StoreError> {
    let mut last = behind;
    loop {
        let page = store.entries(id, last).await?;
        let Some(end) = page.last().map(|entry| entry.n) else { return Ok(false) };
        let says = |entry: &Entry| {
            let input = serde_json::from_str::<RunInput>(entry.body.text());
            input.is_ok_and(|input| input.says_who_pays())
        };
        if page.iter().filter(|entry| entry.kind == Kind::Input).any(says) {
            return Ok(true);
        }
        last = end;
    }
}

/// The newest checkpoint that can be read. What cannot be is told, and the journal read instead.
async fn kept(store: &RunStore, id: RunId, most: u64) -> Result<Option<(Run, u64)>, StoreError> {
    let mut most = most;
    while let Some(kept) = store.checkpoint(id, most).await? {
        let n = kept.n;
        let read = Run::FORMAT.open(kept).map_err(|error| error.to_string());
        let read = read.and_then(|state| {
            serde_json::from_str(&state).map_err(|error| format!("it cannot be read: {error}"))
        });
        match read {
            Ok(run) => return Ok(Some((run, n))),
            Err(why) => note(format_args!("the checkpoint of run {id} at {n} is left out: {why}")),
        }
        most = n.saturating_sub(1);
    }
    Ok(None)
}

/// The run as it was after this entry of another's journal, folded as its own, with all that it told on the way
/// and the entries of which it told it.
pub async fn replayed(
    store: &RunStore,
    (from, whose): (RunId, Whose),
    most: u64,
) -> Result<(Option<Run>, Vec<(u64, Event)>), StoreError> {
    let (mut run, mut events, mut last) = (None, Vec::new(), 0);
    loop {
        let page = store.entries(from, last).await?;
        let Some(end) = page.last().map(|entry| entry.n) else { break };
        for entry in page.iter().filter(|entry| entry.n <= most) {
            let told = fold(whose, &mut run, entry)?;
            events.extend(told.into_iter().map(|event| (entry.n, event)));
        }
        last = end;
        if last >= most {
            break;
        }
    }
    Ok((run, events))
}

/// Takes an entry in, and gives what the run told of it.
fn fold(whose: Whose, run: &mut Option<Run>, entry: &Entry) -> Result<Vec<Event>, StoreError> {
    if entry.kind == Kind::Note {
        return Ok(Vec::new());
    }
    let input = serde_json::from_str(entry.body.text());
    let input = input.map_err(|error| unreadable(run.as_ref(), entry.n, error.to_string()))?;
    Run::fold(run, whose, input, entry.at)
        .map_err(|error| StoreError::Unreadable { n: entry.n, why: error.to_string() })
}

/// Why an entry cannot be read: a newer Quarry may write what this one never heard of.
fn unreadable(run: Option<&Run>, n: u64, why: String) -> StoreError {
    match run.map(Run::is_known) {
        Some(Err(newer)) => newer.into(),
        Some(Ok(())) | None => StoreError::Unreadable { n, why },
    }
}
