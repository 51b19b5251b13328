//! What every event of a run says of itself.

use crate::At;
use quarry_types::RunId;
use serde::{Deserialize, Serialize};

/// What every event of a run says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RunEvent"))]
pub struct Envelope {
    /// 1 for the first event of a run, then without gaps.
    pub sequence: u64,
    /// Of which run.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub run_id: RunId,
    /// ISO 8601, UTC.
    pub at: At,
    /// Of which node, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_id: Option<String>,
    /// In which round, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
}

#[derive(Serialize)]
pub(super) struct Told<'t, P> {
    #[serde(flatten)]
    pub envelope: &'t Envelope,
    #[serde(flatten)]
    pub payload: &'t P,
}
