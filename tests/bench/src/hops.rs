//! Calls from one component to another over the host's own network: what the smallest program costs
//! there, in a head as asks send it, beside a hello world that is called in the same way.

use crate::client::{self, Target};
use crate::host::Host;
use crate::report::{Report, percentile};
use anyhow::{Context as _, Result};
use std::time::Duration;

/// Calls of one turn.
const CALLS: usize = 100;

/// Measures both by turns; `floor` has all three components.
pub async fn measure(floor: &Host, turns: usize, report: &mut Report) -> Result<()> {
    let (mut hello, mut sandbox) = (Vec::new(), Vec::new());
    for turn in 0..=turns {
        let (to_hello, to_sandbox) = (hops(floor, "hello").await?, hops(floor, "sandbox").await?);
        // The first turn is not measured.
        if turn > 0 {
            hello.extend(to_hello);
            sandbox.extend(to_sandbox);
        }
    }
    let floor = percentile(hello.iter().copied(), 50);
    report.hop("a private hello world", &hello, floor);
    report.hop("the sandbox with `6 * 7`", &sandbox, floor);
    Ok(())
}

/// How long each of some calls took, as the calling component saw it.
async fn hops(floor: &Host, to: &str) -> Result<Vec<Duration>> {
    let target = Target::get(floor.address, format!("/hop?{to},{CALLS}"));
    let told = String::from_utf8(client::once(&target).await?.body)?;
    let nanoseconds = |line: &str| line.parse().map(Duration::from_nanos);
    told.lines().map(|line| nanoseconds(line).context("the guest tells no time")).collect()
}
