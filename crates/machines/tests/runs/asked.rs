//! What runs are asked for in most tests.

use crate::drive::START;
use crate::models::sheet;
use quarry_machines::core::{Budget, Fence, ModelSheet};
use quarry_machines::run::{Brief, Models, Owner, policy};
use quarry_tools::Sources;
use quarry_types::{Knobs, RunId};

/// What a run is asked for in most tests.
pub fn brief(knobs: Knobs) -> Brief {
    Brief {
        id: RunId::new(START.0, 7),
        task: "What is the history of Brankmoor?".to_owned(),
        knobs,
        models: Models::all(&sheet("openai:scripted")),
        budget: Budget::default(),
        sources: Sources { web: true, knowledge: false, program: true },
        collection: None,
        reasoning_effort: None,
        fence: Fence::of(7),
        guidance: None,
        paid_by_caller: Vec::new(),
        policies: policy::versions(),
        replaced: Vec::new(),
        shares_searches: false,
        operator_keys: false,
        keeps_visits: true,
        revision: Brief::REVISION,
        origin: None,
    }
}

/// Whose a run is.
pub fn owner(caller: Option<&str>) -> Owner {
    Owner { caller: caller.map(str::to_owned), key: None }
}

pub fn with_models(brief: Brief, models: &[ModelSheet]) -> Brief {
    let all = || models.to_vec();
    Brief { models: Models { plan: all(), read: all(), judge: all(), write: all() }, ..brief }
}
