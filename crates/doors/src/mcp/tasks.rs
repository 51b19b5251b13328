//! The extension of tasks: a research that is answered at once with a handle, looked at until it has a result.
//!
//! Border: what is known of an ask or a run in, tasks as the protocol writes them out. Every research can be looked at so,
//! however it was begun. Nothing is ever asked back, so there is never any input to wait for.

use quarry_types::Timestamp;
use quarry_types::json::put;
use serde_json::{Value, json};

use super::deep;
use super::era::Version;
use super::failure::Failure;
use super::fold::{Fold, Standing};
use super::message::Id;
use super::reply;
use super::shown;
use super::voice::Call;
use crate::Reply;
use crate::responses::{Earlier, EarlierRun, born_at};
use crate::talk::RUN_PREFIX;

/// The extension's name.
pub(super) const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// How long whoever holds a task waits between two looks, in milliseconds: an ask takes minutes at most.
const LOOKS_MS: u64 = 2_000;
const LOOKS_AT_RUN_MS: u64 = 5_000;
/// And at most, where a pause is known to be longer.
const LOOKS_MOST_MS: u64 = 600_000;

/// What is to be done with a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// Say how it stands.
    Get,
    /// End it.
    Cancel,
    /// Take what was asked back: nothing ever is.
    Update,
}

/// Something that is to be done with a task.
#[derive(Debug, Clone, PartialEq)]
pub struct OfTask {
    /// The research's id.
    pub id: String,
    /// What.
    pub doing: Doing,
    pub(super) call: Call,
}

/// What is known of a research besides its events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// How long it is kept from its birth on, in milliseconds.
    pub lasts_ms: u64,
    /// Now.
    pub now: Timestamp,
}

/// A task as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Task(pub(super) Value);

/// A task, its members in the order of the protocol.
pub(super) fn task(id: &str, fold: &Fold, facts: Facts) -> Value {
    let iso = |ms: u64| Timestamp(ms).iso();
    let created = born_at(id);
    let mut task = json!({ "taskId": id });
    let mut set = |name: &str, value: Value| put(&mut task, name, value);
    let standing = fold.standing();
    set(
        "status",
        match standing {
            Standing::Working => "working".into(),
            Standing::Completed => "completed".into(),
            Standing::Cancelled => "cancelled".into(),
        },
    );
    let waits = fold.waits().filter(|_| standing == Standing::Working);
    let message = match (waits, standing) {
        (Some((why, until)), _) if id.starts_with(RUN_PREFIX) => {
            Some(format!("{why}; it goes on at {}", iso(until)))
        }
        (Some((why, until)), _) if until <= facts.now.0 => {
            Some(format!("{why}; it goes on with the next tasks/get"))
        }
        // Nobody drives an ask that a limit ended: whoever looks does.
        (Some((why, until)), _) => {
            Some(format!("{why}; it goes on with the first tasks/get from {} on", iso(until)))
        }
        (None, Standing::Working) => fold.line().map(str::to_owned),
        (None, Standing::Completed | Standing::Cancelled) => None,
    };
    if let Some(message) = message {
        set("statusMessage", message.into());
    }
    set("createdAt", iso(created).into());
    set("lastUpdatedAt", iso(fold.at().max(created)).into());
    set("ttlMs", facts.lasts_ms.into());
    let looks = if id.starts_with(RUN_PREFIX) { LOOKS_AT_RUN_MS } else { LOOKS_MS };
    let until = waits.map_or(0, |(_, until)| until.saturating_sub(facts.now.0));
    set("pollIntervalMs", until.clamp(looks, LOOKS_MOST_MS).into());
    if standing == Standing::Completed {
        set("result", fold.result(Version::July2026));
    }
    task
}

/// A task of an ask as it stands.
#[must_use]
pub fn of_ask(id: &str, named: &str, earlier: &Earlier, facts: Facts) -> Task {
    let mut task = task(id, &shown::folded(named, earlier), facts);
    // Whoever holds a task knows it by the name that it was given first.
    put(&mut task, "taskId", id);
    Task(task)
}

/// A task of a run as it stands.
#[must_use]
pub fn of_run(run: &str, earlier: EarlierRun, facts: Facts) -> Task {
    Task(task(&format!("{RUN_PREFIX}{run}"), &deep::folded(run, deep::now(earlier)), facts))
}

/// The answer to a call whose result is had by this task.
#[must_use]
pub fn created(id: Option<&Id>, task: Task) -> Reply {
    let (Some(id), Task(mut task)) = (id, task) else { return reply::accepted() };
    // One that has a result already gives it to whoever looks.
    if let Some(members) = task.as_object_mut() {
        members.shift_remove("result");
    }
    put(&mut task, "status", "working");
    Reply::json(200, reply::message_of(id, Version::July2026, "task", task))
}

impl OfTask {
    /// The answer to whoever looked at it.
    #[must_use]
    pub fn shown(&self, task: Task) -> Reply {
        self.reply(task.0)
    }

    /// What was wanted is known.
    #[must_use]
    pub fn acknowledged(&self) -> Reply {
        self.reply(json!({}))
    }

    /// Nobody knows such a task.
    #[must_use]
    pub fn unknown(&self) -> Reply {
        no_task(&self.id).reply(self.call.id.as_ref())
    }

    fn reply(&self, result: Value) -> Reply {
        let Call { version, id, .. } = &self.call;
        id.as_ref().map_or_else(reply::accepted, |id| reply::result(id, *version, result))
    }
}

pub(super) fn no_task(id: &str) -> Failure {
    let known: String = id.chars().take(64).collect();
    Failure::params(format!("there is no task `{known}`: it is unknown, or has expired"))
}
