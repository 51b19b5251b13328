//! Points in time as JSON shows them.

use time::OffsetDateTime;
use time::format_description::well_known::iso8601::{
    Config, EncodedConfig, Iso8601, TimePrecision,
};

const MILLISECONDS: EncodedConfig = Config::DEFAULT
    .set_time_precision(TimePrecision::Second { decimal_digits: core::num::NonZeroU8::new(3) })
    .encode();

/// `2026-11-20T21:35:00.000Z` for milliseconds since 1970.
#[must_use]
pub fn iso(unix_ms: u64) -> String {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(unix_ms) * 1_000_000)
        .unwrap_or(OffsetDateTime::UNIX_EPOCH)
        .format(&Iso8601::<MILLISECONDS>)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[test]
    fn milliseconds_are_shown() {
        assert_eq!(super::iso(1_792_532_100_007), "2026-10-20T21:35:00.007Z");
    }
}
