//! Values that payloads share: points in time, numbers of seconds.

use quarry_types::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A point in time as payloads write it: ISO 8601, UTC, to the millisecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transparent, inline))]
pub struct At(
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("format" = "date-time")))]
    pub  Timestamp,
);

impl Serialize for At {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.iso())
    }
}

impl<'de> Deserialize<'de> for At {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let read = Timestamp::parse_iso(&text).map(At);
        read.ok_or_else(|| de::Error::custom("a timestamp must be ISO 8601 with an offset"))
    }
}

impl At {
    /// When a payload was written, as its `timestamp` says; none where it has none.
    #[must_use]
    pub fn of(data: &str) -> Option<At> {
        #[derive(Deserialize)]
        struct Timed {
            timestamp: At,
        }
        Self::at_the_end(data)
            .or_else(|| serde_json::from_str(data).ok().map(|timed: Timed| timed.timestamp))
    }

    /// Most payloads have it last. In a text within one, quotes do not stand bare: what ends so is the payload's own.
    fn at_the_end(data: &str) -> Option<At> {
        let (before, text) = data.strip_suffix("\"}")?.rsplit_once('"')?;
        let before = before.strip_suffix("\"timestamp\":")?;
        let is_member = before.ends_with([',', '{']) && !text.contains('\\');
        is_member.then(|| Timestamp::parse_iso(text).map(At))?
    }
}

impl From<Timestamp> for At {
    fn from(at: Timestamp) -> Self {
        At(at)
    }
}

/// Seconds. Whole ones are written without a fraction, as JavaScript would.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Seconds(pub f64);

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if self.0.fract() == 0.0 && self.0.abs() < EXACT {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "checked to be whole and in range"
            )]
            return serializer.serialize_i64(self.0 as i64);
        }
        serializer.serialize_f64(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_back_and_nonsense_is_refused() {
        let at = At(Timestamp(1_792_532_100_007));
        let text = serde_json::to_string(&at).unwrap();
        assert_eq!(text, r#""2026-10-20T21:35:00.007Z""#);
        assert_eq!(serde_json::from_str::<At>(&text).unwrap(), at);
        assert!(serde_json::from_str::<At>(r#""yesterday""#).is_err());
    }

    #[test]
    fn the_time_of_a_payload_is_found_wherever_it_stands() {
        let time = "1970-01-01T00:00:00.007Z";
        let own = Some(At(Timestamp(7)));
        for (payload, found) in [
            (format!(r#"{{"timestamp":"{time}"}}"#), own),
            (format!(r#"{{"message":"a","timestamp":"{time}"}}"#), own),
            (format!(r#"{{"timestamp":"{time}","urls":["b"]}}"#), own),
            (format!(r#"{{"timestamp":"{time}","type":"timestamp\":\"1999"}}"#), own),
            (format!(r#"{{"message":"x,\"timestamp\":\"{time}"}}"#), None),
            (format!(r#"{{"in":{{"timestamp":"{time}"}}}}"#), None),
            (format!(r#"{{"in":{{"timestamp":"1999"}},"timestamp":"{time}"}}"#), own),
            (r#"{"message":"a","timestamp":"soon"}"#.to_owned(), None),
            ("{}".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(At::of(&payload), found, "{payload}");
        }
    }

    #[test]
    fn whole_seconds_have_no_fraction() {
        let text = |seconds| serde_json::to_string(&Seconds(seconds)).unwrap();
        assert_eq!([text(600.0), text(0.028), text(0.0)], ["600", "0.028", "0"]);
        assert_eq!(serde_json::from_str::<Seconds>("2").unwrap(), Seconds(2.0));
    }
}
