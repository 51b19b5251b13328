//! What was searched for in a run, and whether it is searched for again.

use super::{Freshness, Intent};
use crate::run::Brief;
use quarry_events::run::QueryRule;
use quarry_types::{Knobs, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A query that was searched for, and what it brought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// As it was asked.
    pub query: String,
    /// When it ended.
    pub at: Timestamp,
    /// Whether nothing came because of an error.
    pub failed: bool,
    /// The numbers of the sources that it brought.
    pub sources: Vec<usize>,
    /// Passages that nobody had seen.
    pub new_passages: u64,
    /// Whether the model said that its answer changes with time; its words are looked at anyway.
    pub time_sensitive: bool,
    /// Results that it asked for: of what an end cut off, what it had asked for before. In runs of revision 11
    /// `search_results_per_query` when it ended, and 0 in those of before, which kept neither.
    #[serde(default, skip_serializing_if = "crate::core::is_zero")]
    pub results: u32,
}

/// Whether a query is searched for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// It is, by this rule.
    Run(QueryRule),
    /// It is not: an earlier one of the same intent is fresh enough.
    Cached {
        /// The earlier one.
        same_as: String,
        /// Seconds since.
        age: u64,
        /// What it brought.
        sources: Vec<usize>,
    },
}

impl Decision {
    /// The same for a query that is a broader form of one that brought nothing new.
    #[must_use]
    pub fn of_broader(self) -> Decision {
        match self {
            Decision::Run(QueryRule::New) => Decision::Run(QueryRule::Broadened),
            other => other,
        }
    }
}

/// What becomes of an answer that is older than the one that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Older {
    /// It is not kept: in runs of before revision 13.
    Yields,
    /// It is kept where more results were asked for.
    StandsIfFuller,
}

impl Older {
    /// In this run.
    #[must_use]
    pub const fn of(brief: &Brief) -> Older {
        if brief.is_since(13) { Older::StandsIfFuller } else { Older::Yields }
    }
}

/// What was searched for in a run: the last query of each intent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Memory {
    asked: BTreeMap<Intent, Asked>,
}

impl Memory {
    /// Whether a query is searched for. `recheck`: it is wanted anew, however fresh the last answer is.
    #[must_use]
    pub fn decide(&self, query: &str, now: Timestamp, knobs: &Knobs, recheck: bool) -> Decision {
        let Some(before) = self.asked.get(&Intent::of(query)) else {
            return Decision::Run(QueryRule::New);
        };
        let age = now.since(before.at);
        if recheck {
            return Decision::Run(QueryRule::Recheck);
        }
        if before.failed {
            return Decision::Run(QueryRule::FailedBefore);
        }
        let wants_more = (1..knobs.search_results_per_query).contains(&before.results);
        match Freshness::of(query, before.time_sensitive, now, knobs).is_over(age) {
            Some(rule) => Decision::Run(rule),
            None if wants_more => Decision::Run(QueryRule::MoreResults),
            None => {
                let (same_as, sources) = (before.query.clone(), before.sources.clone());
                Decision::Cached { same_as, age: age / 1_000, sources }
            }
        }
    }

    /// Keeps what a query brought, in the place of an earlier one of its intent. What another run found may be older
    /// than a failure here, and than fewer results: by these it would be searched for again and again.
    pub fn remember(&mut self, asked: Asked, older: Older) {
        let intent = Intent::of(&asked.query);
        let has_more = |before: &Asked| {
            older == Older::StandsIfFuller && !asked.failed && before.results < asked.results
        };
        let yields = |before: &Asked| before.failed || before.at <= asked.at || has_more(before);
        if self.asked.get(&intent).is_none_or(yields) {
            self.asked.insert(intent, asked);
        }
    }

    /// The queries that it has, then those that only another has. Equal queries are of one intent.
    #[must_use]
    pub fn queries_with<'m>(&'m self, other: &'m Memory) -> Vec<&'m str> {
        let others = other.asked.iter().filter(|(intent, asked)| {
            self.asked.get(*intent).is_none_or(|known| known.query != asked.query)
        });
        let all = self.asked.values().chain(others.map(|(_, asked)| asked));
        all.map(|asked| asked.query.as_str()).collect()
    }

    /// The last query of each intent, in the order of the intents.
    pub fn asked(&self) -> impl Iterator<Item = &Asked> {
        self.asked.values()
    }
}

/// Whether searching still brings something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gain {
    barren: u32,
}

impl Gain {
    /// Notes what a query brought. One that failed brought nothing.
    pub const fn note(&mut self, new_passages: u64) {
        self.barren = if new_passages > 0 { 0 } else { self.barren.saturating_add(1) };
    }

    /// Whether it is as at the beginning: the last query brought something, or there was none.
    #[must_use]
    pub const fn is_default(&self) -> bool {
        self.barren == 0
    }

    /// Queries in a row that brought no new passage.
    #[must_use]
    pub const fn barren(&self) -> u32 {
        self.barren
    }

    /// Whether a node's search ends here; never before its first query.
    #[must_use]
    pub fn is_over(&self, knobs: &Knobs) -> bool {
        self.barren >= knobs.max_no_gain_retries.max(1)
    }
}
