//! A run as clients see it, without its journal: its record, and its nodes as its steps wrote them.

use super::Damaged;
use super::packed::read;
use quarry_events::run::{RunRecord, RunStatus};
use quarry_types::Timestamp;
use serde::Deserialize;

/// The snapshot, one JSON object, of a record and as many nodes in a JSON array. None where the nodes are not all
/// there: nobody has driven the run since they are kept, and its journal has to be folded.
///
/// # Errors
/// [`Damaged`] when one of them is not what was written.
pub fn snapshot(
    record: &str,
    count: u64,
    nodes: &str,
    until: Timestamp,
) -> Result<Option<String>, Damaged> {
    #[derive(Deserialize)]
    struct Root {
        question: String,
    }
    let mut record: RunRecord = read("record", record)?;
    if record.summary_metrics.nodes != count {
        return Ok(None);
    }
    let first = nodes.strip_prefix('[').unwrap_or_default();
    let mut roots = serde_json::Deserializer::from_str(first).into_iter::<Root>();
    let Some(Ok(root)) = roots.next() else {
        return Err(Damaged::Shape { what: "nodes", why: "there is no root".to_owned() });
    };
    record.settle_report();
    // Of a list it has the beginning of its task.
    record.task = root.question;
    if record.status == RunStatus::Running {
        // Its last step says how long it had worked then.
        let since = until.since(record.updated_at.0);
        record.summary_metrics.latency = record.summary_metrics.latency.saturating_add(since);
    }
    let mut shown = serde_json::to_string(&record)
        .map_err(|error| Damaged::Shape { what: "record", why: error.to_string() })?;
    shown.pop();
    Ok(Some(format!("{shown},\"nodes\":{nodes}}}")))
}
