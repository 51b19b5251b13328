//! What is written of a run, as the parameters of its statements, and what to do when that fails.

use super::{Blob, Checkpoint, Pack, Position, Searched, Value};
use quarry_events::run::{Event, RunStatus};
use quarry_types::{Json, RunId, Timestamp};
use serde::Serialize;
use std::mem;

/// Bytes that one statement carries. More is split, as far as it need not be whole.
pub const MOST_BYTES: usize = 900_000;

/// Characters of a task that its record shows.
pub const MOST_TASK: usize = 300;

/// A run to create.
#[derive(Debug, Clone, PartialEq)]
pub struct Birth {
    /// Its id.
    pub run: RunId,
    /// Whose it is; none: whoever knows the id.
    pub caller: Option<String>,
    /// Where it stands.
    pub status: RunStatus,
    /// Its task, of which the record shows the beginning.
    pub task: String,
    /// The model that it was asked for with.
    pub model: String,
    /// Now.
    pub now: Timestamp,
    /// When it is to be driven; none: not by itself.
    pub due_at: Option<Timestamp>,
    /// The idempotency key of the request, and a hash of what it asks.
    pub key: Option<(String, String)>,
    /// For lists.
    pub summary: Json,
    /// Where its first entries come from; none: it has none but its own.
    pub origin: Option<Origin>,
    /// Its own first entries.
    pub entries: Pack,
    /// Its first events, each with the last entry that was in the journal when it happened.
    pub events: Vec<(u64, Event)>,
    /// The state after its own first entries, if it is kept.
    pub checkpoint: Option<Checkpoint>,
}

/// A run that another shares its first entries with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The run.
    pub run: RunId,
    /// The last entry that both have.
    pub n: u64,
}

impl Birth {
    /// The parameters of the statement that creates it.
    #[must_use]
    pub fn values(self) -> [Value; 19] {
        let (key, request_hash) = self.key.unzip();
        let [state, machine, version, sum] = kept(self.checkpoint);
        [
            self.run.to_string().into(),
            self.caller.into(),
            self.status.as_str().into(),
            self.task.chars().take(MOST_TASK).collect::<String>().into(),
            self.model.into(),
            self.now.into(),
            self.due_at.into(),
            key.into(),
            request_hash.into(),
            self.summary.into_text().into(),
            self.origin.map(|origin| origin.run.to_string()).into(),
            self.origin.map(|origin| origin.n).into(),
            json(&self.entries.entries),
            json(&born(&self.events)),
            json(&self.entries.blobs),
            state,
            machine,
            version,
            sum,
        ]
    }
}

/// What one wake-up of a run brought.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Of which run.
    pub run: RunId,
    /// Who drives it. Nobody else ever has the same name.
    pub holder: String,
    /// Now.
    pub now: Timestamp,
    /// Until when it is theirs then.
    pub until: Timestamp,
    /// The number of the first entry, or of the next when there are none.
    pub first: u64,
    /// The entries.
    pub entries: Pack,
    /// What clients are shown.
    pub events: Vec<Event>,
    /// The state after the last of the entries, if it is to be kept.
    pub checkpoint: Option<Checkpoint>,
    /// Where the run stands then.
    pub status: RunStatus,
    /// When it is to be driven if this driver is gone; none: not by itself.
    pub due_at: Option<Timestamp>,
    /// For lists; none: it stays as it is.
    pub summary: Option<Json>,
    /// The ids of what was taken from the inbox.
    pub taken: Vec<String>,
    /// The nodes that changed, as clients see them, by number.
    pub nodes: Vec<(u64, Json)>,
    /// What others of the caller's runs may find again, by the entry that it is in.
    pub searches: Vec<(u64, Searched)>,
}

/// A statement to run, with its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "it lives until it is written")]
pub enum Write {
    /// Long bodies that are not readable yet.
    Blobs([Value; 2]),
    /// The step itself, or a checkpoint that follows it.
    Step([Value; 18]),
}

impl Step {
    /// What is to be written, in this order: one statement unless it would carry more than [`MOST_BYTES`].
    /// Then the blobs go first, and a checkpoint that is too much follows. Entries and events stay together
    /// whatever they weigh.
    #[must_use]
    pub fn writes(mut self) -> Vec<Write> {
        let blobs: usize = self.entries.blobs.iter().map(|blob| blob.body.len()).sum();
        let mut writes = Vec::new();
        if blobs + self.weight() > MOST_BYTES {
            let run = self.run;
            let groups = grouped(mem::take(&mut self.entries.blobs));
            let put = |group: Vec<Blob>| Write::Blobs([run.to_string().into(), json(&group)]);
            writes.extend(groups.into_iter().map(put));
        }
        let large = match self.weight() > MOST_BYTES {
            true => self.checkpoint.take(),
            false => None,
        };
        let after = large.map(|checkpoint| Step {
            first: self.last() + 1,
            entries: Pack::default(),
            events: Vec::new(),
            checkpoint: Some(checkpoint),
            taken: Vec::new(),
            nodes: Vec::new(),
            searches: Vec::new(),
            ..self.clone()
        });
        writes.push(Write::Step(self.values()));
        writes.extend(after.map(|step| Write::Step(step.values())));
        writes
    }

    /// The number of the last entry once this is in.
    #[must_use]
    pub const fn last(&self) -> u64 {
        self.first.saturating_sub(1).saturating_add(self.entries.len() as u64)
    }

    /// Whether a run that is so far has this step: an earlier try may have worked without saying so.
    #[must_use]
    pub fn is_in(&self, position: &Position) -> bool {
        let is_shown = self.events.last().is_none_or(|event| event.sequence == position.sequence);
        position.holder.as_deref() == Some(&self.holder) && position.n == self.last() && is_shown
    }

    /// Bytes without blobs, less what is small.
    fn weight(&self) -> usize {
        let entries: usize = self.entries.entries.iter().map(super::entry::Packed::weight).sum();
        let events: usize = self.events.iter().map(|event| event.data.len()).sum();
        let nodes: usize = self.nodes.iter().map(|(_, body)| body.text().len()).sum();
        entries + events + nodes + self.checkpoint.as_ref().map_or(0, |kept| kept.state.len())
    }

    fn values(self) -> [Value; 18] {
        let (nodes, searches) = (shown(&self.nodes), findable(&self.searches));
        let [state, machine, version, sum] = kept(self.checkpoint);
        [
            self.run.to_string().into(),
            self.holder.into(),
            self.now.into(),
            self.until.into(),
            self.first.into(),
            json(&self.entries.entries),
            json(&told(&self.events)),
            json(&self.entries.blobs),
            state,
            machine,
            version,
            sum,
            self.status.as_str().into(),
            self.due_at.into(),
            self.summary.map(Json::into_text).into(),
            json(&self.taken),
            nodes,
            searches,
        ]
    }
}

/// A state as it is written, with its machine, version and sum; nothing where there is none.
fn kept(checkpoint: Option<Checkpoint>) -> [Value; 4] {
    match checkpoint {
        None => [const { Value::Null }; 4],
        Some(kept) => [
            kept.state.into(),
            kept.machine.into(),
            u64::from(kept.version).into(),
            kept.sum.as_str().into(),
        ],
    }
}

/// Nodes as they are written; nothing where there are none.
fn shown(nodes: &[(u64, Json)]) -> Value {
    #[derive(Serialize)]
    struct Shown<'n> {
        n: u64,
        body: &'n str,
    }
    if nodes.is_empty() {
        return Value::Null;
    }
    let nodes = nodes.iter().map(|(n, body)| Shown { n: *n, body: body.text() });
    json(&nodes.collect::<Vec<_>>())
}

/// Searches as they are written; nothing where there are none.
fn findable(searches: &[(u64, Searched)]) -> Value {
    #[derive(Serialize)]
    struct Findable<'s> {
        n: u64,
        #[serde(flatten)]
        searched: &'s Searched,
    }
    if searches.is_empty() {
        return Value::Null;
    }
    let searches = searches.iter().map(|(n, searched)| Findable { n: *n, searched });
    json(&searches.collect::<Vec<_>>())
}

#[derive(Serialize)]
struct Told<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    n: Option<u64>,
    sequence: u64,
    name: &'static str,
    size: usize,
    data: &'t str,
}

impl<'t> Told<'t> {
    fn of(n: Option<u64>, event: &'t Event) -> Self {
        let (name, size) = (event.name.as_str(), event.data.len());
        Told { n, sequence: event.sequence, name, size, data: &event.data }
    }
}

fn told(events: &[Event]) -> Vec<Told<'_>> {
    events.iter().map(|event| Told::of(None, event)).collect()
}

fn born(events: &[(u64, Event)]) -> Vec<Told<'_>> {
    events.iter().map(|(n, event)| Told::of(Some(*n), event)).collect()
}

/// In groups of at most [`MOST_BYTES`], or of one that alone has more.
fn grouped(blobs: Vec<Blob>) -> Vec<Vec<Blob>> {
    let mut groups: Vec<Vec<Blob>> = Vec::new();
    let mut room = 0;
    for blob in blobs {
        let size = blob.body.len();
        match groups.last_mut() {
            Some(group) if size <= room => {
                room -= size;
                group.push(blob);
            }
            _ => {
                room = MOST_BYTES.saturating_sub(size);
                groups.push(vec![blob]);
            }
        }
    }
    groups
}

fn json(value: &impl Serialize) -> Value {
    Json::of(value).into_text().into()
}
