//! A run as it is shown: its record, its tree, its place in a list.
//!
//! Border: what clients see. The machine makes it, a door describes it, and neither changes a field. Source:
//! the reference's data model (section 5), and the contract of runs for what goes beyond it.

use super::{Citation, CutShort, Finding, NodeState, ResolutionReason, RunStatus, Sufficiency};
use super::{SearchedIn, SummaryMetrics, WaitingFor};
use crate::At;
use quarry_types::{CollectionName, Knobs, RunId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is known of a run without its tree. Source: the reference's *Run*.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunRecord {
    /// Names it.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub run_id: RunId,
    /// What is to be found out.
    pub task: String,
    /// `provider:name` of the run's model.
    pub model: String,
    /// Where it stands.
    pub status: RunStatus,
    /// When it was asked for.
    pub started_at: At,
    /// When anything last happened.
    pub updated_at: At,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<At>,
    /// Every knob.
    pub config: Knobs,
    /// The version of each policy, by its name.
    pub policies: BTreeMap<String, u32>,
    /// Hard limits.
    pub budget: RunBudget,
    /// Where evidence may come from; absent: from the web alone.
    #[serde(default = "web_alone", skip_serializing_if = "is_web_alone")]
    pub sources: Vec<SearchedIn>,
    /// Which collection of documents is searched, where one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection: Option<CollectionName>,
    /// Who does what, where that is not all the run's model's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub models: Option<RunModels>,
    /// The root of its tree.
    pub root_node_id: String,
    /// What it did and used.
    pub summary_metrics: SummaryMetrics,
    /// What it waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<WaitingFor>,
    /// Whether research was cut short.
    pub partial: bool,
    /// Why it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<CutShort>,
    /// Why it failed; or, where it was just resumed, from when on it goes on: in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What there is of its report.
    pub report: ReportState,
    /// The number of its last event: who joins its stream after it misses nothing.
    pub sequence: u64,
    /// The run whose beginning it shares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub forked_from: Option<RunId>,
}

impl RunRecord {
    /// Says that no report comes of what ended without one. As runs of before wrote it down, it was still to come.
    pub const fn settle_report(&mut self) {
        if self.status.has_ended() && matches!(self.report, ReportState::Pending) {
            self.report = ReportState::None;
        }
    }
}

fn web_alone() -> Vec<SearchedIn> {
    vec![SearchedIn::Web]
}

fn is_web_alone(sources: &[SearchedIn]) -> bool {
    sources == [SearchedIn::Web]
}

/// For each role of a run its models, `provider:name`, in order of preference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunModels {
    /// Choose queries and part questions.
    pub plan: Vec<String>,
    /// Read sources and state findings.
    pub read: Vec<String>,
    /// Judge whether a question is answered.
    pub judge: Vec<String>,
    /// Write the report.
    pub write: Vec<String>,
}

/// Hard limits of a run; what is not there is not limited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunBudget {
    /// US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
    /// Input and output together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
}

/// What there is of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReportState {
    /// Nothing yet; what can be said now has to be asked for.
    Pending,
    /// It is being written.
    Writing,
    /// It is whole.
    Ready,
    /// The run ended without one, and none comes unless somebody resumes it; what can be said now has to be asked for.
    None,
}

/// How often what was tried for a node. Source: the reference's `attempt_counters`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RunAttempts"))]
pub struct AttemptCounters {
    /// Times it was taken up.
    pub visits: u32,
    /// Queries that were searched for; one that is looked up in the web and in documents counts twice.
    pub queries: u32,
    /// Times it was parted.
    pub decompositions: u32,
}

/// A question of the tree. Source: the reference's *Node*.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RunNode"))]
pub struct NodeSnapshot {
    /// Names it in the run.
    pub node_id: String,
    /// The node that it is a part of; null for the root.
    pub parent_id: Option<String>,
    /// Steps below the root.
    pub depth: u32,
    /// What it asks.
    pub question: String,
    /// Where it stands.
    pub state: NodeState,
    /// Why it is resolved or not, once it was worked on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution_reason: Option<ResolutionReason>,
    /// Findings that it rests on.
    pub finding_count: u64,
    /// These findings, where they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub findings: Option<Vec<Finding>>,
    /// Its sources, by their names in the run.
    pub citations: Vec<String>,
    /// How well it is answered, once that was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sufficiency: Option<Sufficiency>,
    /// Its parts, in the order in which they are taken up.
    pub children: Vec<String>,
    /// How often what was tried.
    pub attempt_counters: AttemptCounters,
}

/// A run as it stands: its record and its tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunSnapshot {
    /// The run itself.
    #[serde(flatten)]
    pub record: RunRecord,
    /// Every node, in the order of their making; the first is the root.
    pub nodes: Vec<NodeSnapshot>,
    /// The sources that nodes and findings name, where findings were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citations: Option<Vec<Citation>>,
}

/// A page of the caller's runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunList {
    /// Newest first.
    pub runs: Vec<RunRecord>,
    /// For the next page: letters, digits, `-` and `_`. None: this is the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_types::Timestamp;

    fn record() -> RunRecord {
        let at = At(Timestamp(1));
        RunRecord {
            run_id: RunId::new(0, 7),
            task: "why?".to_owned(),
            model: "local:extractive".to_owned(),
            status: RunStatus::Queued,
            started_at: at,
            updated_at: at,
            completed_at: None,
            config: Knobs::default(),
            policies: [("search".to_owned(), 1)].into(),
            budget: RunBudget::default(),
            sources: web_alone(),
            collection: None,
            models: None,
            root_node_id: "n1".to_owned(),
            summary_metrics: SummaryMetrics::default(),
            waiting: None,
            partial: false,
            reason: None,
            message: None,
            report: ReportState::Pending,
            sequence: 1,
            forked_from: None,
        }
    }

    #[test]
    fn a_snapshot_has_the_records_fields_beside_its_tree_and_reads_back() {
        let node = NodeSnapshot {
            node_id: "n1".to_owned(),
            parent_id: None,
            depth: 0,
            question: "why?".to_owned(),
            state: NodeState::Pending,
            resolution_reason: None,
            finding_count: 0,
            findings: None,
            citations: Vec::new(),
            sufficiency: None,
            children: Vec::new(),
            attempt_counters: AttemptCounters::default(),
        };
        let snapshot = RunSnapshot { record: record(), nodes: vec![node], citations: None };
        let value = serde_json::to_value(&snapshot).unwrap();
        assert_eq!(value["run_id"], "00000000000000000000000000000007");
        assert_eq!((&value["status"], &value["report"]), (&"queued".into(), &"pending".into()));
        assert_eq!(value["config"]["timeouts"]["run"], 1_800);
        assert!(value["nodes"][0]["parent_id"].is_null(), "null for the root");
        assert!(value["nodes"][0].get("findings").is_none() && value.get("waiting").is_none());
        assert!(value.get("sources").is_none() && value.get("models").is_none());
        assert_eq!(serde_json::from_value::<RunSnapshot>(value).unwrap(), snapshot);
    }

    #[test]
    fn a_run_of_before_that_ended_without_a_report_has_none_to_come() {
        let settled = |status, report| {
            let mut record = RunRecord { status, report, ..record() };
            record.settle_report();
            record.report
        };
        for status in [RunStatus::Failed, RunStatus::Aborted] {
            assert_eq!(settled(status, ReportState::Pending), ReportState::None);
        }
        assert_eq!(settled(RunStatus::Running, ReportState::Pending), ReportState::Pending);
        assert_eq!(settled(RunStatus::Completed, ReportState::Ready), ReportState::Ready);
    }

    #[test]
    fn where_a_run_looks_and_with_what_is_shown_where_it_is_not_the_usual() {
        let models = |name: &str| vec![format!("openai:{name}")];
        let models = RunModels {
            plan: models("a"),
            read: models("b"),
            judge: models("a"),
            write: models("a"),
        };
        let sources = vec![SearchedIn::Web, SearchedIn::Knowledge];
        let record = RunRecord { sources, models: Some(models), ..record() };
        let value = serde_json::to_value(&record).unwrap();
        assert_eq!(value["sources"], serde_json::json!(["web", "knowledge"]));
        assert_eq!(value["models"]["read"], serde_json::json!(["openai:b"]));
        assert_eq!(serde_json::from_value::<RunRecord>(value).unwrap(), record);
    }
}
