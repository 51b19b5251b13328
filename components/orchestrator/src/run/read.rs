//! What is told of a run: its snapshot, its events, its report, the list of them.

use super::steer::take_up_if_left;
use super::store::StoreError;
use super::{Known, RunError, conflict, load, settings, unknown, wrong};
use crate::bindings::exports::quarry::agent::run::{
    Caller, Event, Filter, Form, Known as WitKnown,
};
use crate::bindings::{wit_future, wit_stream};
use crate::follow::has_left;
use quarry_events::run::RunStatus;
use quarry_events::run::{RunList, RunRecord};
use quarry_journal::run::{self as journal, Page, Record};
use quarry_machines::run::Run;
use quarry_rim::clock::{self, now};
use quarry_types::Timestamp;
use std::time::Duration;
use wit_bindgen::{FutureReader, StreamReader, StreamWriter};

/// Between two looks for events: at first, and at most.
const LOOKS_MS: (u64, u64) = (20, 250);

/// The same of a run that waits.
const LOOK_AT_WAITING_MS: u64 = 2_000;

/// How long a database may fail before a reader is told: on a network it does so now and then.
const PATIENCE: Duration = Duration::from_secs(10);

/// Looks that found nothing before it is asked whether anybody drives the run.
const DOUBT: u32 = 20;

/// A run that was worked on up to then as clients see it, one JSON object.
pub fn shown(run: &Run, findings: bool, until: Timestamp) -> String {
    serde_json::to_string(&run.snapshot(until, findings)).unwrap_or_else(|_| "{}".to_owned())
}

/// The same of a run that nobody drives yet.
pub fn queued(run: &Run, findings: bool, until: Timestamp) -> String {
    let mut snapshot = run.snapshot(until, findings);
    snapshot.record.status = run.first_status();
    serde_json::to_string(&snapshot).unwrap_or_else(|_| "{}".to_owned())
}

/// What is shown of a run, with a sentence about what becomes of it.
pub fn with_message(shown: &str, message: &str) -> String {
    match serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(shown) {
        Ok(mut fields) => {
            fields.insert("message".to_owned(), message.into());
            serde_json::Value::Object(fields).to_string()
        }
        Err(_) => shown.to_owned(),
    }
}

async fn loaded(known: &Known) -> Result<Run, RunError> {
    let run = load::run(&known.store, known.whose(), u64::MAX).await?;
    run.map(|(run, _)| run).ok_or_else(unknown)
}

/// The run and its tree. Without findings the journal is not read, as far as the run's steps have kept its nodes.
pub async fn snapshot(known: &Known, findings: bool) -> Result<String, RunError> {
    let until = known.record.driven_until(now());
    if !findings && let Some(shown) = known.store.shown(known.id, until).await? {
        return Ok(shown);
    }
    let run = loaded(known).await?;
    Ok(match known.record.status {
        RunStatus::Queued => queued(&run, findings, until),
        _ => shown(&run, findings, until),
    })
}

/// What is known of it without its journal.
pub async fn known(known: &Known) -> Result<WitKnown, RunError> {
    let lasts_ms = settings::read().await?.retention_ms;
    known.store.known(known.id, lasts_ms).await?.ok_or_else(unknown)
}

pub async fn report(known: &Known, form: Form, partial: bool) -> Result<String, RunError> {
    let run = loaded(known).await?;
    let report = match (run.kept_report(), partial) {
        (Some(report), _) => report.clone(),
        (None, true) => run.report_so_far(now(), known.record.driven_until(now())),
        (None, false) => {
            let message = match run.has_ended() {
                true => {
                    "the run ended without a report; ask with ?partial=true for what it had found"
                }
                false => {
                    "the report is not written yet; ask with ?partial=true for what can be said now"
                }
            };
            return Err(conflict(message, run.status()));
        }
    };
    Ok(match form {
        Form::Markdown => report.markdown,
        Form::Html => report.html,
        Form::Json => report.json,
    })
}

pub async fn list(filter: Filter, caller: &Caller) -> Result<String, RunError> {
    let store = super::RunStore::open().await?;
    let status = match filter.status.as_deref() {
        None => None,
        Some(text) => {
            let words = RunStatus::ALL.map(RunStatus::as_str).join(", ");
            let message = || format!("must be one of {words}");
            Some(RunStatus::parse(text).ok_or_else(|| wrong("status", message()))?)
        }
    };
    let behind = match filter.cursor.as_deref() {
        None => None,
        Some(text) => {
            let message = "must be the cursor of a page before";
            Some(journal::behind(text).ok_or_else(|| wrong("cursor", message))?)
        }
    };
    let email = caller.email.as_deref();
    // Who knows the id of a run that is nobody's may do with it what they like.
    let mut records = match email.is_some() || settings::read().await?.lists_nameless {
        true => store.list(email, status, behind, filter.limit + 1).await?,
        false => Vec::new(),
    };
    let more = records.len() > filter.limit as usize;
    records.truncate(filter.limit as usize);
    let next = records.last().filter(|_| more);
    let next_cursor = next.map(Record::cursor);
    let runs = records.iter().filter_map(listed).collect();
    let list = RunList { runs, next_cursor };
    Ok(serde_json::to_string(&list).unwrap_or_else(|_| "{}".to_owned()))
}

/// As the run's last step wrote it.
fn listed(record: &Record) -> Option<RunRecord> {
    let mut record: RunRecord = serde_json::from_str(record.summary.text()).ok()?;
    record.settle_report();
    Some(record)
}

type Told = (StreamReader<Event>, FutureReader<Result<(), RunError>>);

pub fn events(known: Known, after: u64) -> Told {
    let (writer, reader) = wit_stream::new();
    let (outcome, outcome_reader) = wit_future::new(|| {
        Err(RunError::Unavailable("the stream broke off; join again".to_owned()))
    });
    wit_bindgen::spawn(async move {
        let result = follow(known, after, writer).await;
        _ = outcome.write(result).await;
    });
    (reader, outcome_reader)
}

/// Passes events on until there will be no more, or nobody reads them.
async fn follow(
    mut known: Known,
    mut after: u64,
    mut writer: StreamWriter<Event>,
) -> Result<(), RunError> {
    let (mut wait, mut barren, mut failing) = (LOOKS_MS.0, 0, None);
    loop {
        let page = match known.store.events(known.id, after).await {
            Ok(page) => page.ok_or_else(unknown)?,
            Err(StoreError::Failed(_))
                if !clock::is_older_than(PATIENCE, failing.unwrap_or(now()), now()) =>
            {
                failing.get_or_insert_with(now);
                if has_left(&mut writer).await {
                    return Ok(());
                }
                clock::sleep(Duration::from_millis(LOOKS_MS.1)).await;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        failing = None;
        if page.events.is_empty() {
            if page.is_over(after) || waits_for_somebody(&page, after, &known).await? {
                return Ok(());
            }
            // Most only want to know what has happened so far.
            if has_left(&mut writer).await {
                return Ok(());
            }
            barren += 1;
            if barren % DOUBT == 0
                && let Some(record) = known.store.record(known.id).await?
            {
                known.record = record;
                take_up_if_left(&known).await;
            }
            clock::sleep(Duration::from_millis(wait)).await;
            let most = match page.status {
                RunStatus::Queued => LOOK_AT_WAITING_MS,
                _ => LOOKS_MS.1,
            };
            wait = (wait * 2).min(most);
            continue;
        }
        (wait, barren) = (LOOKS_MS.0, 0);
        let Page { events, .. } = page;
        after = events.last().map_or(after, |event| event.sequence);
        let events = events.into_iter().map(|event| Event {
            sequence: event.sequence,
            name: event.name.as_str().to_owned(),
            data: event.data,
        });
        if !writer.write_all(events.collect()).await.is_empty() {
            return Ok(());
        }
    }
}

/// Whether nothing more comes before somebody does something: the run waits, and not for a time.
async fn waits_for_somebody(page: &Page, after: u64, known: &Known) -> Result<bool, RunError> {
    if page.status != RunStatus::Queued || after < page.last {
        return Ok(false);
    }
    let record = known.store.record(known.id).await?;
    Ok(record.is_some_and(|record| record.waits_for_somebody()))
}
