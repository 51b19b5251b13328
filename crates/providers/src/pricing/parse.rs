//! Reading price tables: our own format, and the `model_prices_and_context_window.json` that the
//! LiteLLM project keeps.
//!
//! Border: bytes in, a table and a list of what was left out. No table is refused as a whole.

use super::{Entry, Table};
use quarry_types::{ModelId, Price, Provider};
use serde_json::{Map, Value};

/// Something in a table that was left out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Issue {
    /// The whole file is no JSON object.
    #[error("the price table is no JSON object: {0}")]
    NotATable(String),
    /// A model of one of our providers has no usable price.
    #[error("no usable price for {model}: {reason}")]
    NoPrice {
        /// The model, as the table names it.
        model: String,
        /// What is wrong.
        reason: &'static str,
    },
    /// A model's name is not `provider:name`.
    #[error("not a model: {0}")]
    NotAModel(String),
}

/// Dollars per million tokens above which a figure is taken for a mistake in the unit.
const HIGHEST: f64 = 10_000.0;
/// Issues that are kept; a table of another kind would give thousands.
const ISSUE_LIMIT: usize = 50;

/// Reads a table. `today` (`YYYY-MM-DD`) is its date when it does not say one.
#[must_use]
pub fn parse(bytes: &[u8], today: &str) -> (Table, Vec<Issue>) {
    match serde_json::from_slice(bytes) {
        Ok(value) => from_value(&value, today),
        Err(error) => (Table::empty(today.to_owned()), vec![Issue::NotATable(error.to_string())]),
    }
}

/// Reads a table that is JSON already.
pub(super) fn from_value(value: &Value, today: &str) -> (Table, Vec<Issue>) {
    let mut table = Table::empty(today.to_owned());
    let mut issues = Vec::new();
    match value {
        Value::Object(file) => {
            if let Some(Value::Array(rows)) = file.get("models") {
                if let Some(date) = file.get("as_of").and_then(Value::as_str).filter(is_date) {
                    date.clone_into(&mut table.as_of);
                }
                rows.iter().for_each(|row| own_row(row, &mut table, &mut issues));
            } else {
                file.iter().for_each(|(name, row)| {
                    litellm_row(name, row, &mut table, &mut issues);
                });
            }
        }
        _ => issues.push(Issue::NotATable("it is other JSON".to_owned())),
    }
    issues.truncate(ISSUE_LIMIT);
    (table, issues)
}

fn is_date(text: &&str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

fn own_row(row: &Value, table: &mut Table, issues: &mut Vec<Issue>) {
    let named = row.get("model").and_then(Value::as_str).unwrap_or_default();
    let Ok(model) = named.parse::<ModelId>() else {
        issues.push(Issue::NotAModel(named.chars().take(80).collect()));
        return;
    };
    let figure = |key: &str| figure(row.get(key), 1.0);
    let entry = entry(
        figure("input"),
        figure("output"),
        figure("cached_input"),
        figure("reasoning"),
        row.get("context_window").and_then(Value::as_u64),
    );
    match entry {
        Ok(entry) => table.insert(model, entry),
        Err(reason) => issues.push(Issue::NoPrice { model: named.to_owned(), reason }),
    }
}

fn litellm_row(name: &str, row: &Value, table: &mut Table, issues: &mut Vec<Issue>) {
    let Value::Object(row) = row else { return };
    let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default();
    let theirs = text("litellm_provider");
    // The table is about many providers that Quarry does not speak to.
    let Some(provider) =
        Provider::ALL.into_iter().find(|provider| provider.sheet().prices == Some(theirs))
    else {
        return;
    };
    // Pictures, sound.
    if !matches!(text("mode"), "" | "chat" | "responses" | "embedding") {
        return;
    }
    let bare = name.strip_prefix(theirs).and_then(|rest| rest.strip_prefix('/')).unwrap_or(name);
    let name = bare.trim();
    if name.is_empty() {
        issues.push(Issue::NotAModel(format!("{theirs}/")));
        return;
    }
    match litellm_entry(row) {
        Ok(entry) => table.insert(ModelId { provider, name: name.to_owned() }, entry),
        Err(reason) => issues.push(Issue::NoPrice { model: format!("{provider}:{name}"), reason }),
    }
}

fn litellm_entry(row: &Map<String, Value>) -> Result<Entry, &'static str> {
    // This table counts in dollars per token.
    let figure = |key: &str| figure(row.get(key), 1_000_000.0);
    let context =
        ["max_input_tokens", "max_tokens"].into_iter().find_map(|key| match row.get(key) {
            Some(Value::String(text)) => text.parse().ok(),
            Some(value) => value.as_u64(),
            None => None,
        });
    entry(
        figure("input_cost_per_token"),
        figure("output_cost_per_token"),
        figure("cache_read_input_token_cost"),
        figure("output_cost_per_reasoning_token"),
        context,
    )
}

fn entry(
    input: Option<f64>,
    output: Option<f64>,
    cached_input: Option<f64>,
    reasoning: Option<f64>,
    context_window: Option<u64>,
) -> Result<Entry, &'static str> {
    let input = input.ok_or("no input price")?;
    let output = output.ok_or("no output price")?;
    if [Some(input), Some(output), cached_input, reasoning]
        .into_iter()
        .flatten()
        .any(|figure| figure > HIGHEST)
    {
        return Err("a price above 10,000 dollars per million tokens");
    }
    Ok(Entry {
        context_window: context_window.filter(|tokens| *tokens > 0),
        price: Price { input, output, cached_input, reasoning },
    })
}

/// A number, or a text that is one; not negative.
fn figure(value: Option<&Value>, factor: f64) -> Option<f64> {
    let number = match value? {
        Value::String(text) => text.trim().parse().ok()?,
        other => other.as_f64()?,
    };
    // Rounded to a millionth of a dollar, so that 1.5e-7 times a million is 0.15.
    let figure = (number * factor * 1e6).round() / 1e6;
    (figure.is_finite() && figure >= 0.0).then_some(figure)
}
