//! Points in time as arguments, and how they read.

use ::time::OffsetDateTime;
use ::time::format_description::well_known::iso8601::{
    Config, EncodedConfig, Iso8601, TimePrecision,
};
use serde::{Deserialize, Serialize};

const MILLISECONDS: EncodedConfig = Config::DEFAULT
    .set_time_precision(TimePrecision::Second { decimal_digits: core::num::NonZeroU8::new(3) })
    .encode();

/// How often a place among the loads of documents is to be kept, in milliseconds, by whoever has it.
pub const LOAD_KEPT_EVERY_MS: u64 = 20 * 1_000;

/// Milliseconds since 1970, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub u64);

impl Timestamp {
    /// `2026-11-20T21:35:00.000Z`. A time after the year 9999 reads as the beginning of 1970.
    #[must_use]
    pub fn iso(self) -> String {
        self.date_time().format(&Iso8601::<MILLISECONDS>).unwrap_or_default()
    }

    /// The point in time that an ISO 8601 text with an offset names. None before 1970.
    #[must_use]
    pub fn parse_iso(text: &str) -> Option<Self> {
        let at = OffsetDateTime::parse(text, &Iso8601::DEFAULT).ok()?;
        u64::try_from(at.unix_timestamp_nanos() / 1_000_000).ok().map(Timestamp)
    }

    /// `Friday, 2026-11-20 21:35:00 UTC`: what prompts say about the present.
    #[must_use]
    pub fn spoken(self) -> String {
        let at = self.date_time();
        let (date, clock) = (at.date(), at.time());
        format!(
            "{}, {date} {:02}:{:02}:{:02} UTC",
            at.weekday(),
            clock.hour(),
            clock.minute(),
            clock.second()
        )
    }

    /// The year with the part of it that has passed: 2026.5.
    #[must_use]
    pub fn year(self) -> f64 {
        let at = self.date_time();
        f64::from(at.year()) + (f64::from(at.ordinal()) - 1.0) / 366.0
    }

    /// Milliseconds from `earlier` to this; 0 when it is not later.
    #[must_use]
    pub const fn since(self, earlier: Timestamp) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    fn date_time(self) -> OffsetDateTime {
        // Not by nanoseconds, which take 128 bits: to divide those is dear where words have 32.
        let seconds = i64::try_from(self.0 / 1_000).unwrap_or(i64::MAX);
        let millisecond = u16::try_from(self.0 % 1_000).unwrap_or_default();
        OffsetDateTime::from_unix_timestamp(seconds)
            .and_then(|at| at.replace_millisecond(millisecond))
            .unwrap_or(OffsetDateTime::UNIX_EPOCH)
    }
}

#[cfg(test)]
mod tests {
    use super::Timestamp;

    #[test]
    fn reads_as_iso_and_in_words() {
        let at = Timestamp(1_792_532_100_007);
        assert_eq!(at.iso(), "2026-10-20T21:35:00.007Z");
        assert_eq!(at.spoken(), "Tuesday, 2026-10-20 21:35:00 UTC");
    }

    #[test]
    fn iso_reads_back() {
        for at in [0, 7, 1_792_532_100_007, 253_402_300_799_999].map(Timestamp) {
            assert_eq!(Timestamp::parse_iso(&at.iso()), Some(at));
        }
        let read = |text: &str| Timestamp::parse_iso(text).map(Timestamp::iso);
        let expected = Some("2026-10-20T21:35:00.000Z".to_owned());
        assert_eq!(read("2026-10-20T23:35:00+02:00"), expected);
        assert_eq!(read("2026-10-20T21:35:00Z"), expected);
        for wrong in ["", "2026-10-20", "2026-10-20T21:35:00", "1969-12-31T23:59:59Z", "soon"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
