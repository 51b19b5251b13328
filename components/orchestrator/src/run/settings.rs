//! What an operator set about runs.

use futures::try_join;
use quarry_journal::{SHORT_WAIT_MS, SliceLimits};
use quarry_rim::clock::now;
use quarry_rim::variables::{SettingError, Variables};

/// Runs that are driven at once, when nothing else is set.
const MOST_DRIVEN: u32 = 64;

/// What an operator set about runs.
#[derive(Debug, Clone, Copy)]
pub struct RunSettings {
    pub limits: SliceLimits,
    /// How long runs are kept that have ended, in milliseconds.
    pub retention_ms: u64,
    /// Runs that one request to drive takes up at most.
    pub parallel: u32,
    /// Runs that are driven at once, over all instances; 0: no bound.
    pub most_driven: u32,
    /// Whether runs of callers without a name are listed for whoever may ask.
    pub lists_nameless: bool,
}

/// A lease that is over before a step is written drives nothing, and one of more than an hour counts as nobody's.
const LEAST_LEASE_MS: u64 = 1_000;
const MOST_LEASE_MS: u64 = 3_600_000;

pub async fn read() -> Result<RunSettings, SettingError> {
    let variables = Variables::current(now());
    let (slice, lease_ms, days, parallel, most_driven, lists_nameless) = try_join!(
        variables.number::<u64>("run_slice_seconds", 20),
        variables.number::<u64>("run_lease_ms", 15_000),
        variables.number::<u64>("run_retention_days", 30),
        variables.number::<u32>("run_drive_parallel", 4),
        variables.number::<u32>("run_max_driven", MOST_DRIVEN),
        variables.choice("run_list_nameless", &[("yes", true), ("no", false)]),
    )?;
    let slice_ms = slice.saturating_mul(1_000);
    let limits = SliceLimits {
        slice_ms,
        lease_ms: lease_ms.clamp(LEAST_LEASE_MS, MOST_LEASE_MS),
        wait_ms: SHORT_WAIT_MS,
    };
    Ok(RunSettings {
        limits,
        retention_ms: days.max(1).saturating_mul(86_400_000),
        parallel,
        most_driven,
        lists_nameless: lists_nameless.unwrap_or(false),
    })
}
