//! When to fetch a price table, and what is kept of it.
//!
//! Border: decisions and bytes; the store, the clock and HTTP are the component's. One value a
//! provider, so that a look-up reads little and no value comes near a store's limit.

use super::parse::from_value;
use super::{Issue, Table, parse};
use quarry_types::Provider;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Bytes of a table that are read at most.
pub const FILE_LIMIT: usize = 16 * 1024 * 1024;
/// Bytes that a stored value has at most: stores refuse more than 1 MB.
const VALUE_LIMIT: usize = 900_000;
const HOUR: u64 = 3_600;
/// Seconds between two fetches.
const FRESH: u64 = 24 * HOUR;
/// Seconds after which a table that could not be refreshed is worse than the one in the build.
const USABLE: u64 = 30 * 24 * HOUR;
/// Seconds until a failed fetch is tried again; doubled with each failure, a day at most.
const FIRST_PAUSE: u64 = 600;

/// The key-value key of the [`Status`].
pub const STATUS_KEY: &str = "pricing:v1:status";

/// The key-value key of one provider's prices.
#[must_use]
pub fn provider_key(provider: Provider) -> String {
    format!("pricing:v1:{provider}")
}

/// What is known about refreshing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// Where the table came from.
    pub origin: String,
    /// The table's date; none: nothing was fetched yet.
    pub as_of: Option<String>,
    /// Unix seconds until which the stored tables may be used.
    pub expires_at: u64,
    /// Unix seconds before which nothing is fetched.
    pub next_fetch_at: u64,
    /// Failed fetches in a row.
    pub failures: u32,
}

impl Status {
    /// Reads a stored status; what is none counts as nothing known.
    #[must_use]
    pub fn read(bytes: Option<&[u8]>) -> Self {
        bytes.and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default()
    }

    /// The status as it is stored.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Whether to fetch now. Another address than before is due at once.
    #[must_use]
    pub fn is_due(&self, url: &str, now: u64) -> bool {
        self.origin != url || now >= self.next_fetch_at
    }

    /// Whether the stored tables may be used.
    #[must_use]
    pub fn is_usable(&self, url: &str, now: u64) -> bool {
        self.origin == url && self.as_of.is_some() && now < self.expires_at
    }

    /// To store before a fetch begins: a failure until it is known to be none. So a fetch that dies
    /// is remembered, too, and others leave it alone meanwhile.
    #[must_use]
    pub fn begun(&self, url: &str, now: u64) -> Status {
        let known = if self.origin == url { self.clone() } else { Status::default() };
        let pause = FIRST_PAUSE.saturating_mul(1 << known.failures.min(16)).min(FRESH);
        Status {
            origin: url.to_owned(),
            next_fetch_at: now.saturating_add(pause),
            failures: known.failures.saturating_add(1),
            ..known
        }
    }

    /// To store after a fetch brought a table.
    #[must_use]
    pub fn fetched(url: &str, as_of: &str, now: u64) -> Status {
        Status {
            origin: url.to_owned(),
            as_of: Some(as_of.to_owned()),
            expires_at: now.saturating_add(USABLE),
            next_fetch_at: now.saturating_add(FRESH),
            failures: 0,
        }
    }
}

/// A fetched table, cut into values to store.
#[derive(Debug)]
pub struct Fetched {
    /// The table's date.
    pub as_of: String,
    /// Models with a price.
    pub models: usize,
    /// Keys and values.
    pub values: Vec<(String, Vec<u8>)>,
    /// What was left out.
    pub issues: Vec<Issue>,
}

/// Reads a fetched table. None when it holds no price at all: then the old one is better.
#[must_use]
pub fn take_in(bytes: &[u8], url: &str, now: u64) -> Option<Fetched> {
    let (table, issues) = parse(bytes, &date(now));
    let values: Vec<(String, Vec<u8>)> = Provider::ALL
        .into_iter()
        .map(|provider| (provider_key(provider), stored(&table.of(provider), url, now)))
        .filter(|(_, value)| value.len() <= VALUE_LIMIT)
        .collect();
    (!table.is_empty()).then(|| Fetched {
        models: table.len(),
        as_of: table.as_of.clone(),
        values,
        issues,
    })
}

fn stored(table: &Table, url: &str, now: u64) -> Vec<u8> {
    let mut file: Value = serde_json::from_slice(&table.to_json()).unwrap_or_default();
    if let Value::Object(fields) = &mut file {
        fields.insert("origin".to_owned(), url.into());
        fields.insert("expires_at".to_owned(), now.saturating_add(USABLE).into());
    }
    serde_json::to_vec(&file).unwrap_or_default()
}

/// A stored table, if it is from this address and has not expired.
#[must_use]
pub fn read_stored(bytes: &[u8], url: &str, now: u64) -> Option<Table> {
    let file: Value = serde_json::from_slice(bytes).ok()?;
    let is_ours = file.get("origin").and_then(Value::as_str) == Some(url);
    let expires_at = file.get("expires_at").and_then(Value::as_u64)?;
    (is_ours && now < expires_at).then(|| from_value(&file, "").0)
}

/// The date of a point in Unix seconds, `YYYY-MM-DD`.
#[must_use]
pub fn date(unix_seconds: u64) -> String {
    // Days since 0000-03-01 in the Gregorian calendar, years counted from March.
    let days = unix_seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "https://prices.example/table.json";
    const TABLE: &[u8] = br#"{"gpt-9":{"litellm_provider":"openai","input_cost_per_token":1e-6,"output_cost_per_token":2e-6}}"#;

    #[test]
    fn dates_are_the_calendars() {
        for (seconds, expected) in [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (1_709_164_799, "2024-02-28"),
            (1_735_689_600, "2025-01-01"),
        ] {
            assert_eq!(date(seconds), expected);
        }
    }

    #[test]
    fn a_table_is_fetched_once_a_day() {
        let nothing = Status::read(None);
        assert!(nothing.is_due(URL, 1_000) && !nothing.is_usable(URL, 1_000));
        let status = Status::fetched(URL, "2026-01-01", 1_000);
        let status = Status::read(Some(&status.write()));
        assert!(!status.is_due(URL, 1_000 + FRESH - 1) && status.is_due(URL, 1_000 + FRESH));
        assert!(status.is_usable(URL, 1_000 + FRESH) && !status.is_usable(URL, 1_000 + USABLE));
        assert!(status.is_due("https://other.example/", 1_001));
        assert!(!status.is_usable("https://other.example/", 1_001));
    }

    #[test]
    fn a_broken_address_is_left_alone_for_longer_and_longer() {
        let mut status = Status::fetched(URL, "2026-01-01", 0);
        let mut pauses = Vec::new();
        let mut now = FRESH;
        for _ in 0..10 {
            assert!(status.is_due(URL, now));
            status = status.begun(URL, now);
            assert!(!status.is_due(URL, now));
            pauses.push(status.next_fetch_at - now);
            now = status.next_fetch_at;
        }
        assert_eq!(pauses[..3], [600, 1_200, 2_400]);
        assert_eq!(pauses[9], FRESH);
        assert!(status.is_usable(URL, now), "the old table outlives failures");
    }

    #[test]
    fn what_is_stored_is_read_until_it_expires() {
        let fetched = take_in(TABLE, URL, 1_735_689_600).unwrap();
        assert_eq!((fetched.models, fetched.as_of.as_str()), (1, "2025-01-01"));
        let (_, value) = &fetched.values[0];
        assert_eq!(fetched.values[0].0, "pricing:v1:openai");
        let table = read_stored(value, URL, 1_735_689_601).unwrap();
        let model = "openai:gpt-9".parse().unwrap();
        assert!((table.find(&model).unwrap().price.output - 2.0).abs() < 1e-9);
        assert!(read_stored(value, URL, 1_735_689_600 + USABLE).is_none());
        assert!(read_stored(value, "https://other.example/", 1_735_689_601).is_none());
        let long = "m".repeat(199);
        let rows = (0..9_999).map(|at| format!("\"{at}{long}\":{{\"litellm_provider\":\"groq\",\"input_cost_per_token\":0,\"output_cost_per_token\":0}}"));
        let large = format!("{{{}}}", rows.collect::<Vec<_>>().join(","));
        let values = take_in(large.as_bytes(), URL, 0).unwrap().values;
        assert!(
            values.iter().all(|(key, value)| value.len() <= 1_000_000 && !key.ends_with("groq"))
        );
        assert!(read_stored(b"junk", URL, 0).is_none());
        assert!(take_in(b"<html>", URL, 0).is_none());
    }
}
