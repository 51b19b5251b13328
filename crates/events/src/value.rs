//! Values that payloads share: points in time, numbers of seconds, JSON that is passed through.

use quarry_types::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;
use serde_json::value::RawValue;

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

/// JSON that is passed through as text: large bodies are written once and never become a tree.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Json(#[cfg_attr(feature = "schema", schemars(with = "Value"))] Box<RawValue>);

impl Json {
    /// Writes a value. One that does not serialise (none should) becomes null.
    #[must_use]
    pub fn of(value: &(impl Serialize + ?Sized)) -> Self {
        Json(serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned()))
    }

    /// Takes JSON text as it is; none when it is not one JSON value.
    #[must_use]
    pub fn from_text(text: String) -> Option<Self> {
        RawValue::from_string(text).ok().map(Json)
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.get()
    }

    /// The value as a tree.
    #[must_use]
    pub fn value(&self) -> Value {
        serde_json::from_str(self.text()).unwrap_or_default()
    }
}

impl PartialEq for Json {
    /// By the text: equal values written differently are unequal.
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn times_read_back_and_nonsense_is_refused() {
        let at = At(Timestamp(1_792_532_100_007));
        let text = serde_json::to_string(&at).unwrap();
        assert_eq!(text, r#""2026-10-20T21:35:00.007Z""#);
        assert_eq!(serde_json::from_str::<At>(&text).unwrap(), at);
        assert!(serde_json::from_str::<At>(r#""yesterday""#).is_err());
    }

    #[test]
    fn whole_seconds_have_no_fraction() {
        let text = |seconds| serde_json::to_string(&Seconds(seconds)).unwrap();
        assert_eq!([text(600.0), text(0.028), text(0.0)], ["600", "0.028", "0"]);
        assert_eq!(serde_json::from_str::<Seconds>("2").unwrap(), Seconds(2.0));
    }

    #[test]
    fn json_stays_the_text_that_it_was() {
        let json = Json::from_text(r#"{ "b":1.50, "a":[] }"#.to_owned()).unwrap();
        assert_eq!(serde_json::to_string(&json).unwrap(), r#"{ "b":1.50, "a":[] }"#);
        assert_eq!(serde_json::from_str::<Json>(json.text()).unwrap(), json);
        assert_eq!(json.value(), json!({ "b": 1.5, "a": [] }));
        assert_eq!(Json::from_text("{".to_owned()), None);
    }
}
