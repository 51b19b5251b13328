//! What models cost and how much context they have.
//!
//! Border: price tables as bytes in, lookups out. Junk in a table is reported and left out, never
//! an error: a table with one bad line is better than no prices.

mod parse;
pub mod refresh;

pub use parse::{Issue, parse};

use quarry_types::{ModelId, Price, Provider};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What is known about a model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Tokens; none: unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_window: Option<u64>,
    /// US dollars per million tokens.
    #[serde(flatten)]
    pub price: Price,
}

/// Prices of many models, as of a date.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// `YYYY-MM-DD`.
    pub as_of: String,
    entries: BTreeMap<ModelKey, Entry>,
}

/// Provider first, so that one provider's models lie together.
type ModelKey = (Provider, String);

/// The snapshot in the build. Read once; nothing changes it.
static BUILT_IN: LazyLock<Table> =
    LazyLock::new(|| parse(include_bytes!("../data/prices.json"), "").0);

impl Table {
    /// The snapshot in the build.
    #[must_use]
    pub fn built_in() -> &'static Table {
        &BUILT_IN
    }

    /// A table without entries.
    #[must_use]
    pub const fn empty(as_of: String) -> Self {
        Table { as_of, entries: BTreeMap::new() }
    }

    /// Models in the table.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Puts a model in.
    pub fn insert(&mut self, model: ModelId, entry: Entry) {
        self.entries.insert((model.provider, model.name), entry);
    }

    /// The part of the table that is about one provider.
    #[must_use]
    pub fn of(&self, provider: Provider) -> Table {
        let entries = self
            .entries
            .iter()
            .filter(|((known, _), _)| *known == provider)
            .map(|(key, entry)| (key.clone(), *entry))
            .collect();
        Table { as_of: self.as_of.clone(), entries }
    }

    /// Looks a model up: by its exact name; else without the date or `latest` that providers
    /// append, the newest dated entry winning.
    #[must_use]
    pub fn find(&self, model: &ModelId) -> Option<&Entry> {
        let key = (model.provider, model.name.clone());
        if let Some(entry) = self.entries.get(&key) {
            return Some(entry);
        }
        let wanted = undated(&model.name);
        let stem = (model.provider, wanted.to_owned());
        if let Some(entry) = self.entries.get(&stem) {
            return Some(entry);
        }
        // Names with the stem as prefix lie together, the newest date last. A name that carries a
        // date itself is not given the price of another date.
        let asks_for_newest = wanted == model.name || model.name.ends_with("-latest");
        self.entries
            .range(stem..)
            .take_while(|((provider, name), _)| {
                asks_for_newest && *provider == model.provider && name.starts_with(wanted)
            })
            .filter(|((_, name), _)| undated(name) == wanted)
            .map(|(_, entry)| entry)
            .last()
    }

    /// The table in this crate's own format.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        #[derive(Serialize)]
        struct Row<'a> {
            model: String,
            #[serde(flatten)]
            entry: &'a Entry,
        }
        #[derive(Serialize)]
        struct File<'a> {
            as_of: &'a str,
            models: Vec<Row<'a>>,
        }
        let models = self
            .entries
            .iter()
            .map(|((provider, name), entry)| Row { model: format!("{provider}:{name}"), entry })
            .collect();
        serde_json::to_vec(&File { as_of: &self.as_of, models }).unwrap_or_default()
    }
}

/// A model's name without what tells its release: `-2024-07-18`, `-20250514`, `-2411`, `-latest`,
/// and without Gemini's `models/` before it.
fn undated(name: &str) -> &str {
    let name = name.strip_prefix("models/").unwrap_or(name);
    if let Some(stem) = name.strip_suffix("-latest") {
        return stem;
    }
    let digits = |text: &str, count: usize| {
        text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let dashed =
        name.len().checked_sub(11).and_then(|at| name.split_at_checked(at)).filter(|(_, date)| {
            let mut parts = date.split('-');
            parts.next() == Some("")
                && parts.next().is_some_and(|year| digits(year, 4))
                && parts.next().is_some_and(|month| digits(month, 2))
                && parts.next().is_some_and(|day| digits(day, 2))
                && parts.next().is_none()
        });
    if let Some((stem, _)) = dashed {
        return stem;
    }
    match name.rsplit_once('-') {
        Some((stem, date)) if !stem.is_empty() && (digits(date, 8) || digits(date, 4)) => stem,
        _ => name,
    }
}

#[cfg(test)]
mod tests;
