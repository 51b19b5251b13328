//! The closed lists of words that a run's record, events and report share.

use serde::{Deserialize, Serialize};

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It waits to be driven.
    Queued,
    /// It is driven.
    Running,
    /// Its report is written.
    Completed,
    /// It ended without a report.
    Failed,
    /// Somebody ended it.
    Aborted,
}

impl RunStatus {
    /// Every status.
    pub const ALL: [RunStatus; 5] = [
        RunStatus::Queued,
        RunStatus::Running,
        RunStatus::Completed,
        RunStatus::Failed,
        RunStatus::Aborted,
    ];

    /// As it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            RunStatus::Queued => "queued",
            RunStatus::Running => "running",
            RunStatus::Completed => "completed",
            RunStatus::Failed => "failed",
            RunStatus::Aborted => "aborted",
        }
    }

    /// The status that is written so.
    #[must_use]
    pub fn parse(text: &str) -> Option<RunStatus> {
        RunStatus::ALL.into_iter().find(|status| status.as_str() == text)
    }

    /// Whether nothing more happens unless it is resumed.
    #[must_use]
    pub const fn has_ended(self) -> bool {
        matches!(self, RunStatus::Completed | RunStatus::Failed | RunStatus::Aborted)
    }
}

/// Where a node stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NodeState {
    /// Not taken up yet.
    Pending,
    /// Being worked on, or waiting for its children.
    Running,
    /// Answered.
    Resolved,
    /// Open.
    Unresolved,
}

/// Why a node is as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ResolutionReason {
    /// Resolved: its own evidence answers it.
    Direct,
    /// Resolved: its children's outcomes answer it.
    Children,
    /// Unresolved: it may not be parted further.
    Depth,
    /// Unresolved: the bound on nodes forbids to part it.
    Policy,
    /// Unresolved: searching brought nothing new.
    NoGain,
    /// Unresolved: its parts are asked elsewhere in the tree.
    Duplicate,
    /// Unresolved: the budget is used up.
    Budget,
    /// Unresolved: the run's time is over.
    Timeout,
    /// Unresolved: a step failed for good.
    Error,
    /// Unresolved: somebody ended the run.
    Aborted,
}

/// Why a run waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RunWaitReason"))]
#[serde(rename_all = "snake_case")]
pub enum WaitReason {
    /// A provider of models makes it wait.
    RateLimit,
    /// A key is missing or refused, or the caller's own is gone with the instance that had it.
    NeedsKey,
    /// The budget has no room for the next call, and a report without it would be empty, or is not wanted.
    Budget,
    /// No search could be made so far, so that a report would be empty.
    ProviderDown,
    /// A policy has another version than when the run began.
    PolicyChanged,
}

/// What a run waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RunWaitingFor"))]
pub struct WaitingFor {
    /// Why.
    pub reason: WaitReason,
    /// When it goes on by itself; none: when it is resumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<crate::At>,
    /// What to do.
    pub hint: String,
}

/// Why a query is searched for, or is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum QueryRule {
    /// Nobody asked it before.
    New,
    /// An equal one is fresh enough.
    Cached,
    /// What it asks changes too often.
    TimeSensitive,
    /// It was asked for anew.
    Recheck,
    /// What is kept is too old.
    Stale,
    /// The one before failed.
    FailedBefore,
    /// The one before brought nothing new; this one is broader.
    Broadened,
    /// The one before was asked for fewer results than the run wants by now.
    MoreResults,
}

impl QueryRule {
    /// Whether it is asked although an answer is known: one that somebody kept does not do.
    #[must_use]
    pub const fn wants_anew(self) -> bool {
        match self {
            QueryRule::TimeSensitive
            | QueryRule::Recheck
            | QueryRule::Stale
            | QueryRule::MoreResults => true,
            QueryRule::New | QueryRule::Cached | QueryRule::FailedBefore | QueryRule::Broadened => {
                false
            }
        }
    }
}

/// Who said or chose something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// A language model.
    Model,
    /// A rule.
    Rule,
}

/// What a model call of a run is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RunRole"))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Chooses queries and parts questions.
    Plan,
    /// Reads sources and states findings.
    Read,
    /// Judges whether a question is answered.
    Judge,
    /// Writes the report.
    Write,
}

/// Why a run that completed is partial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CutShort {
    /// The run's time was over.
    Timeout,
    /// The budget was used up.
    Budget,
}

/// Why no further round follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The task is answered.
    Sufficient,
    /// The round brought no new verified finding, and no node changed its state.
    NoProgress,
    /// A bound is reached.
    Bounds,
    /// Nothing that is open could change the conclusion.
    NotMaterial,
}
