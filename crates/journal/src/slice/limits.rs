//! How long a driver may do what with its run.

/// Milliseconds that a driver waits with its run, if it has nothing that the next would lack.
pub const SHORT_WAIT_MS: u64 = 10_000;

/// The same of one that has: it and those that it hands over to keep what they alone have so long.
pub const KEPT_WAIT_MS: u64 = 600_000;

/// How long a driver may do what, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SliceLimits {
    /// Until it begins nothing more and hands over.
    pub slice_ms: u64,
    /// For which others leave the run alone.
    pub lease_ms: u64,
    /// For which it waits with its run: [`SHORT_WAIT_MS`] or [`KEPT_WAIT_MS`].
    pub wait_ms: u64,
}
