//! The golden logs, as doors are told them.
//!
//! Border: what a door makes of them is its tests' to say.

use crate::native::{self, Log};
use crate::scenario::{self, Scenario};
use anyhow::{Result, ensure};
use quarry_doors::Event;
use quarry_doors::door::Voice;
use quarry_events::EventName;

/// The scenario whose ask is also stopped.
const STOPPED: &str = "001-ordinary";

/// The logs of all scenarios that run natively, by name; of one also those of an ask that somebody stops while a program
/// runs, and while the answer is written.
///
/// # Errors
/// Where a scenario cannot be read or run.
pub fn logs() -> Result<Vec<(String, Log)>> {
    let mut logs = Vec::new();
    for directory in scenario::directories()? {
        let read = Scenario::read(&directory)?;
        let name = scenario::name(&directory);
        if name == STOPPED {
            for behind in [EventName::Tools, EventName::AnswerDelta] {
                let log = native::log(&read, Some(behind))?;
                logs.push((format!("{name}, stopped behind {}", behind.as_str()), log));
            }
        }
        if read.components_only.is_none() {
            logs.push((name, native::log(&read, None)?));
        }
    }
    ensure!(logs.iter().any(|(name, _)| name == STOPPED), "there is no {STOPPED} any more");
    Ok(logs)
}

/// A log's events.
#[must_use]
pub fn events(log: &Log) -> Vec<Event> {
    let event = |event: &quarry_events::Event| Event {
        sequence: Some(event.sequence),
        name: event.name,
        data: event.data.clone(),
    };
    log.events.iter().map(event).collect()
}

/// What is sent when events come in batches of this size.
///
/// # Errors
/// Where it has no end, or is no text.
pub fn told(voice: &mut dyn Voice, log: &Log, batch: usize) -> Result<String> {
    let mut sent = Vec::new();
    let mut has_ended = false;
    for batch in events(log).chunks(batch) {
        let told = voice.tell(batch.to_vec());
        sent.extend(told.bytes);
        has_ended |= told.last;
    }
    ensure!(has_ended, "the last event did not end it");
    Ok(String::from_utf8(sent)?)
}
