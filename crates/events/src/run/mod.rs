//! The events of a run, and the words that they use.
//!
//! Border: names and fields as clients see them. A new event is one line here and one type in
//! [`payload`]. Every event's data begins with the fields of its [`Envelope`]. Source: the reference's
//! section 7 (the first eighteen), and the contract of runs (the rest).

mod envelope;
pub mod payload;
mod snapshot;
mod words;

use crate::family::events;

pub use envelope::Envelope;
pub use payload::*;
pub use snapshot::*;
pub use words::*;

events! {
    /// The run has begun.
    RunStarted = "run_started" => RunStarted;
    /// Last event: the report is written.
    RunCompleted = "run_completed", last => RunCompleted;
    /// Last event: there is no report. The run can be resumed.
    RunFailed = "run_failed", last => RunFailed;
    /// Last event: somebody ended the run. It can be resumed.
    RunAborted = "run_aborted", last => RunAborted;
    /// A round begins with these nodes.
    RoundStarted = "round_started" => RoundStarted;
    /// A round is over.
    RoundCompleted = "round_completed" => RoundCompleted;
    /// A node is taken up.
    NodeStarted = "node_started" => NodeStarted;
    /// A node's question is answered.
    NodeResolved = "node_resolved" => NodeResolved;
    /// A node's question stays open, and why.
    NodeUnresolved = "node_unresolved" => NodeUnresolved;
    /// What a node will search for.
    QueriesGenerated = "queries_generated" => QueriesGenerated;
    /// A query was searched for, and what it brought.
    QueryExecuted = "query_executed" => QueryExecuted;
    /// A query was not searched for: what an earlier one brought is used.
    QuerySkippedCached = "query_skipped_cached" => QuerySkippedCached;
    /// The sources of a node, best first.
    SourcesRanked = "sources_ranked" => SourcesRanked;
    /// What a node's sources say.
    SynthesisCompleted = "synthesis_completed" => SynthesisCompleted;
    /// Whether a node's question is answered.
    NodeSufficiencyEvaluated = "node_sufficiency_evaluated" => NodeSufficiencyEvaluated;
    /// Whether another round is worth it.
    PassSufficiencyEvaluated = "pass_sufficiency_evaluated" => PassSufficiencyEvaluated;
    /// A node's question was parted.
    NodeDecomposed = "node_decomposed" => NodeDecomposed;
    /// The report is whole.
    ReportGenerated = "report_generated" => ReportGenerated;
    /// The next piece of the report.
    ReportDelta = "report_delta" => ReportDelta;
    /// A paid call ended, and what all have cost.
    CostUpdated = "cost_updated" => CostUpdated;
    /// Two findings contradict each other.
    ConflictFound = "conflict_found" => ConflictFound;
    /// A person steers.
    GuidanceReceived = "guidance_received" => GuidanceReceived;
    /// The run waits; it goes on by itself, or when it is resumed.
    RunWaiting = "run_waiting" => RunWaiting;
    /// The run goes on.
    RunResumed = "run_resumed" => RunResumed;
    /// A step failed for good; the run goes on without it.
    StepFailed = "step_failed" => StepFailed;
    /// The run's state was kept.
    CheckpointSaved = "checkpoint_saved" => CheckpointSaved;
}

impl Event {
    /// The event with this payload, and what stands before it.
    #[must_use]
    pub fn told<P: Payload>(envelope: &Envelope, payload: &P) -> Self {
        let data = serde_json::to_string(&envelope::Told { envelope, payload });
        let data = data.unwrap_or_else(|_| "{}".to_owned());
        Event { sequence: envelope.sequence, name: P::NAME, data }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::At;
    use quarry_types::{RunId, Timestamp};

    #[test]
    fn an_event_tells_where_it_belongs_before_what_it_says() {
        let envelope = Envelope {
            sequence: 3,
            run_id: RunId::new(0, 7),
            at: At(Timestamp(1)),
            node_id: Some("n1".to_owned()),
            round: None,
        };
        let event = Event::told(&envelope, &GuidanceReceived { text: "é".to_owned() });
        assert_eq!(
            event.data,
            r#"{"sequence":3,"run_id":"00000000000000000000000000000007","at":"1970-01-01T00:00:00.001Z","node_id":"n1","text":"é"}"#
        );
        let read = event.payload().unwrap();
        assert_eq!(read, AnyPayload::GuidanceReceived(GuidanceReceived { text: "é".to_owned() }));
        assert_eq!(serde_json::from_str::<Envelope>(&event.data).unwrap(), envelope);
    }

    #[test]
    fn the_eighteen_of_the_reference_come_first() {
        let last = EventName::ALL.into_iter().filter(|name| name.is_last());
        let last: Vec<&str> = last.map(EventName::as_str).collect();
        assert_eq!(last, ["run_completed", "run_failed", "run_aborted"]);
        assert_eq!(EventName::ALL[17], EventName::ReportGenerated);
    }
}
