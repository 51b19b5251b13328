//! The knobs of a run: bounds, waits and thresholds, all with their defaults.
//!
//! Border: plain values; who may set which, and how a wrong one is refused, is a door's. Source: the
//! reference's configuration surface (section 11), and the contract of runs for what goes beyond it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Everything about a run that can be set. Serialised, every knob is there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RunConfig"))]
#[serde(default, deny_unknown_fields)]
pub struct Knobs {
    /// How deep the tree may grow below its root.
    pub max_depth: u32,
    /// Rounds at most.
    pub max_rounds: u32,
    /// Different queries at most that a node sends in one turn, broader forms counted and those that the cache answers not.
    /// One that is looked up in the web and in documents is one query. It has one turn a round.
    pub max_queries_per_node: u32,
    /// Results that a search of the web or of documents asks for at its first attempt; at the second twice and at the third
    /// three times as many, up to 50. Where a run goes on with more, what was searched for is searched for again, should
    /// it be asked once more.
    pub search_results_per_query: u32,
    /// Seconds for which what a query brought is good for another of the same intent.
    pub cache_ttl: u64,
    /// Queries in a row without a new passage after which a node's search ends: that of the web and that of documents each
    /// by itself. What failed does not count, and what is under way by then is waited for.
    pub max_no_gain_retries: u32,
    /// Children at most for one decomposition.
    pub decompose_max_children: u32,
    /// Seconds after which something is given up.
    pub timeouts: Timeouts,
    /// How a model's call that failed at no cost is tried again. One that may have been paid for is made once more at
    /// most, at once, where `attempts` is 2 or more.
    pub retry_policy: Backoff,
    /// How the report is written.
    pub report_style: ReportStyle,
    /// Nodes at most in the whole tree.
    pub max_nodes: u32,
    /// Sources at most in the whole run.
    pub max_sources: u32,
    /// Searches of a node side by side; a query that is looked up in the web and in documents is two.
    pub parallel_queries: u32,
    /// What the mean of a node's sufficiency scores must reach, 0 to 1.
    pub sufficiency_threshold: f64,
    /// What becomes of a run whose time is over.
    pub on_timeout: OnTimeout,
}

impl Default for Knobs {
    fn default() -> Self {
        Knobs {
            max_depth: 2,
            max_rounds: 3,
            max_queries_per_node: 4,
            search_results_per_query: 6,
            cache_ttl: 86_400,
            max_no_gain_retries: 2,
            decompose_max_children: 3,
            timeouts: Timeouts::default(),
            retry_policy: Backoff::default(),
            report_style: ReportStyle::Technical,
            max_nodes: 40,
            max_sources: 200,
            parallel_queries: 4,
            sufficiency_threshold: 0.7,
            on_timeout: OnTimeout::Partial,
        }
    }
}

impl Knobs {
    /// The knobs with those of a JSON object in the place of theirs; what it does not name stays.
    ///
    /// # Errors
    /// In words, when it is no object or a value is not of its knob's kind.
    pub fn with(&self, given: &str) -> Result<Knobs, String> {
        let given: Value = serde_json::from_str(given).map_err(|error| error.to_string())?;
        let mut all = serde_json::to_value(self).map_err(|error| error.to_string())?;
        overlay(&mut all, given);
        serde_json::from_value(all).map_err(|error| error.to_string())
    }

    /// The same, where only bounds may grow and what is no bound is free.
    ///
    /// # Errors
    /// The knob that would shrink, or nothing, and why.
    pub fn grown(&self, given: &str) -> Result<Knobs, (&'static str, String)> {
        let grown = self.with(given).map_err(|why| ("", why))?;
        let pairs = self.bounds().into_iter().zip(grown.bounds());
        let shrunk = pairs.into_iter().find(|((_, before), (_, after))| after < before);
        match shrunk {
            Some(((knob, before), _)) => {
                Err((knob, format!("must be at least {before}: bounds of a run may only grow")))
            }
            None => Ok(grown),
        }
    }

    /// What only grows, by name.
    fn bounds(&self) -> [(&'static str, u64); 9] {
        [
            ("max_depth", u64::from(self.max_depth)),
            ("max_rounds", u64::from(self.max_rounds)),
            ("max_queries_per_node", u64::from(self.max_queries_per_node)),
            ("decompose_max_children", u64::from(self.decompose_max_children)),
            ("max_nodes", u64::from(self.max_nodes)),
            ("max_sources", u64::from(self.max_sources)),
            ("timeouts.query", self.timeouts.query),
            ("timeouts.model", self.timeouts.model),
            ("timeouts.run", self.timeouts.run),
        ]
    }

    /// Whether research may come to more with these than with others: a bound is larger, or a search asks for more.
    #[must_use]
    pub fn is_wider_than(&self, others: &Knobs) -> bool {
        let asks = |knobs: &Knobs| {
            [knobs.search_results_per_query, knobs.max_no_gain_retries].map(u64::from)
        };
        let bounds = |knobs: &Knobs| knobs.bounds().map(|(_, bound)| bound);
        let all = |knobs: &Knobs| bounds(knobs).into_iter().chain(asks(knobs));
        all(self).zip(all(others)).any(|(own, other)| own > other)
    }

    /// The same, where a bound that would shrink stays: whoever asked for less has it.
    ///
    /// # Errors
    /// As of [`with`](Self::with).
    pub fn at_least(&self, given: &str) -> Result<Knobs, String> {
        let given = self.with(given)?;
        Ok(Knobs {
            max_depth: given.max_depth.max(self.max_depth),
            max_rounds: given.max_rounds.max(self.max_rounds),
            max_queries_per_node: given.max_queries_per_node.max(self.max_queries_per_node),
            decompose_max_children: given.decompose_max_children.max(self.decompose_max_children),
            max_nodes: given.max_nodes.max(self.max_nodes),
            max_sources: given.max_sources.max(self.max_sources),
            timeouts: Timeouts {
                query: given.timeouts.query.max(self.timeouts.query),
                model: given.timeouts.model.max(self.timeouts.model),
                run: given.timeouts.run.max(self.timeouts.run),
            },
            ..given
        })
    }
}

/// Puts what one object has in the place of what another has, object by object.
fn overlay(all: &mut Value, given: Value) {
    match (all, given) {
        (Value::Object(all), Value::Object(given)) => {
            for (name, value) in given {
                overlay(all.entry(name).or_insert(Value::Null), value);
            }
        }
        (all, given) => *all = given,
    }
}

/// Seconds after which something is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RunTimeouts"))]
#[serde(default, deny_unknown_fields)]
pub struct Timeouts {
    /// A search with the pages that it reads.
    pub query: u64,
    /// A call to a model.
    pub model: u64,
    /// The run's research; its report has 60 s of its own.
    pub run: u64,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts { query: 15, model: 120, run: 1_800 }
    }
}

/// How a call that failed at no cost is tried again, because its provider limits or fails or cannot be reached: after a
/// wait that doubles. In a run, one that timed out or broke off may have been paid for, and is made once more at most,
/// at once, where `attempts` is 2 or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RunRetryPolicy"))]
#[serde(default, deny_unknown_fields)]
pub struct Backoff {
    /// Tries, the first included.
    pub attempts: u32,
    /// Milliseconds before the second.
    pub base_ms: u64,
    /// Milliseconds at most between two.
    pub max_ms: u64,
}

impl Backoff {
    /// The knob whose value is unusable beside the others.
    pub const LONGEST: &str = "retry_policy.max_ms";

    /// Why that is so; none: it is usable.
    #[must_use]
    pub fn why_not(&self) -> Option<String> {
        let Backoff { base_ms, max_ms, .. } = self;
        (max_ms < base_ms).then(|| format!("must be at least base_ms, which is {base_ms}"))
    }
}

impl Default for Backoff {
    fn default() -> Self {
        Backoff { attempts: 3, base_ms: 1_000, max_ms: 10_000 }
    }
}

/// How one call is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// After which waits, where the provider names none.
    pub backoff: Backoff,
    /// Milliseconds: a wait that the provider names is slept through up to this, and a longer one is the caller's.
    pub longest_named_ms: u64,
    /// Tries that may have been paid for and are followed by another, at most. At 0 only what cannot have been paid for is
    /// tried again: who has each try on the record decides on the rest.
    pub lost_tries: u32,
}

impl Retries {
    /// For callers who can go on later from where they are.
    #[must_use]
    pub const fn of(backoff: Backoff) -> Retries {
        Retries { backoff, longest_named_ms: 2_000, lost_tries: u32::MAX }
    }
}

impl Retries {
    /// The same for callers who have to know of each try that may have been paid for.
    #[must_use]
    pub const fn of_unpaid(backoff: Backoff) -> Retries {
        Retries { lost_tries: 0, ..Retries::of(backoff) }
    }
}

impl Default for Retries {
    fn default() -> Self {
        Retries::of(Backoff::default())
    }
}

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReportStyle {
    /// For who wants the answer.
    Concise,
    /// For who wants to check it.
    Technical,
}

/// What becomes of a run whose time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OnTimeout {
    /// The report is written from what there is.
    Partial,
    /// It fails.
    Fail,
}

/// Several knobs set together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RunEffort"))]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// One look.
    Quick,
    /// The defaults.
    Standard,
    /// All that seems worth its cost.
    Deep,
}

impl Effort {
    /// The knobs that it stands for.
    #[must_use]
    pub fn knobs(self) -> Knobs {
        let usual = Knobs::default();
        match self {
            Effort::Quick => Knobs {
                max_depth: 0,
                max_rounds: 1,
                max_queries_per_node: 3,
                report_style: ReportStyle::Concise,
                timeouts: Timeouts { run: 300, ..usual.timeouts },
                ..usual
            },
            Effort::Standard => usual,
            Effort::Deep => Knobs {
                max_depth: 3,
                max_rounds: 4,
                search_results_per_query: 8,
                decompose_max_children: 4,
                max_nodes: 80,
                max_sources: 400,
                timeouts: Timeouts { run: 3_600, ..usual.timeouts },
                ..usual
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_has_its_default() {
        let set: Knobs = serde_json::from_str(r#"{"max_depth":1,"timeouts":{"run":60}}"#).unwrap();
        let timeouts = Timeouts { run: 60, ..Timeouts::default() };
        assert_eq!(set, Knobs { max_depth: 1, timeouts, ..Knobs::default() });
        assert!(serde_json::from_str::<Knobs>(r#"{"max_dept":1}"#).is_err());
    }

    #[test]
    fn what_is_given_takes_the_place_of_what_was_and_bounds_only_grow() {
        let knobs = Knobs::default();
        let with = knobs.with(r#"{"max_depth":1,"timeouts":{"run":60}}"#).unwrap();
        assert_eq!((with.max_depth, with.timeouts.run, with.timeouts.query), (1, 60, 15));
        assert!(knobs.with(r#"{"max_dept":1}"#).unwrap_err().contains("max_dept"));
        assert_eq!(knobs.grown(r#"{"max_depth":1}"#).unwrap_err().0, "max_depth");
        assert_eq!(knobs.grown(r#"{"timeouts":{"run":60}}"#).unwrap_err().0, "timeouts.run");
        let grown = knobs.grown(r#"{"max_rounds":9,"cache_ttl":0}"#).unwrap();
        assert_eq!((grown.max_rounds, grown.cache_ttl), (9, 0));
    }

    #[test]
    fn knobs_are_wider_where_research_may_come_to_more() {
        let usual = Knobs::default();
        let with = |given: &str| usual.with(given).unwrap();
        for wider in [
            r#"{"max_depth":3}"#,
            r#"{"timeouts":{"run":1801}}"#,
            r#"{"search_results_per_query":7}"#,
            r#"{"max_no_gain_retries":3,"max_nodes":39}"#,
        ] {
            assert!(with(wider).is_wider_than(&usual), "{wider}");
        }
        for other in
            ["{}", r#"{"max_depth":1}"#, r#"{"report_style":"concise"}"#, r#"{"cache_ttl":0}"#]
        {
            assert!(!with(other).is_wider_than(&usual), "{other}");
        }
    }

    #[test]
    fn who_asks_for_at_least_so_much_makes_no_bound_smaller() {
        let deep = serde_json::to_string(&Effort::Deep.knobs()).unwrap();
        let quick = serde_json::to_string(&Effort::Quick.knobs()).unwrap();
        let least = Knobs {
            max_queries_per_node: 1,
            max_nodes: 1,
            max_sources: 1,
            ..Effort::Quick.knobs()
        };
        let least = Knobs {
            decompose_max_children: 1,
            timeouts: Timeouts { query: 1, model: 1, run: 1 },
            ..least
        };
        let both = Knobs::default().at_least(&deep).unwrap();
        assert_eq!(both, Effort::Deep.knobs());
        for less in [quick, serde_json::to_string(&least).unwrap()] {
            let kept = both.at_least(&less).unwrap();
            assert_eq!(both.grown(&serde_json::to_string(&kept).unwrap()), Ok(kept.clone()));
            let free = Effort::Quick.knobs();
            let expected = Knobs {
                report_style: free.report_style,
                search_results_per_query: free.search_results_per_query,
                ..both.clone()
            };
            assert_eq!(kept, expected, "what is no bound is free");
        }
        assert!(both.at_least(r#"{"max_dept":1}"#).is_err());
    }

    #[test]
    fn more_effort_never_means_tighter_bounds() {
        let [quick, standard, deep] =
            [Effort::Quick, Effort::Standard, Effort::Deep].map(Effort::knobs);
        for (less, more) in [(&quick, &standard), (&standard, &deep)] {
            assert!(less.max_depth <= more.max_depth && less.max_rounds <= more.max_rounds);
            assert!(less.max_nodes <= more.max_nodes && less.timeouts.run <= more.timeouts.run);
        }
    }
}
