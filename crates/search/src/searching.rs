//! Asking providers: the first ones at once when results are fused, then one after the other until
//! one answers. A machine without I/O: outcomes and the time that is left go in, whom to ask comes out.

use crate::answer::{Hit, Issue, ProviderError};
use crate::fuse::fuse;
use crate::providers::{Provider, Reach};
use crate::query::Query;
use crate::rank::{self, Ranked};
use crate::standing::Wait;

/// Bytes of a provider's answer that are read.
pub const MAX_ANSWER: usize = 2 * 1024 * 1024;

/// Why a provider brought nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It is not asked now.
    #[error(transparent)]
    Wait(Wait),
    /// It answered, but brought no results.
    #[error(transparent)]
    Answer(ProviderError),
    /// It did not answer in its time.
    #[error("did not answer in time")]
    Timeout,
    /// The host does not let us call it.
    #[error("may not be called: add its address to allowed_outbound_hosts in spin.toml")]
    Denied,
    /// No connection, or it broke.
    #[error("could not be reached: {0}")]
    Unreachable(String),
}

/// What a provider brought.
pub type Outcome = Result<(Vec<Hit>, Vec<Issue>), Failure>;

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The providers that answered, joined by `+`.
    pub provider: String,
    /// The results, each with the providers that found it.
    pub results: Vec<(Ranked, String)>,
    /// What went wrong on the way, a sentence each.
    pub notes: Vec<String>,
    /// Whether nobody may know better: all that were asked answered, and where nothing was found, all were.
    pub certain: bool,
}

/// Why a search found nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SearchFailed {
    /// Nobody is configured; says what to set.
    NotConfigured(String),
    /// The time is over.
    Timeout,
    /// Nobody answered; a sentence each.
    AllFailed(Vec<String>),
}

/// What to do next.
#[derive(Debug, Clone, PartialEq)]
pub enum Next<'a> {
    /// Ask these at the same time, no longer than so many milliseconds, then [`Searching::heard`].
    Ask {
        /// Whom.
        providers: &'a [Reach],
        /// For how long at most.
        within_ms: u64,
    },
    /// The search has ended.
    Ended(Result<Found, SearchFailed>),
}

/// A search under way.
#[derive(Debug)]
pub struct Searching<'a> {
    query: &'a Query,
    /// Who was not asked yet.
    left: &'a [Reach],
    /// How many are asked at once next.
    at_once: usize,
    notes: Vec<String>,
    /// The first that answered with nothing.
    found_nothing: Option<Provider>,
    /// Whether all that were asked answered.
    certain: bool,
    lists: Vec<(Provider, Vec<Ranked>)>,
}

impl<'a> Searching<'a> {
    /// A search that asks the providers of `plan`, the first `fusion` of them at once.
    ///
    /// # Errors
    /// When there are none.
    pub fn new(query: &'a Query, plan: &'a [Reach], fusion: usize) -> Result<Self, SearchFailed> {
        if plan.is_empty() {
            return Err(SearchFailed::NotConfigured(not_configured()));
        }
        Ok(Self {
            query,
            left: plan,
            at_once: fusion.max(1),
            notes: Vec::new(),
            found_nothing: None,
            certain: true,
            lists: Vec::new(),
        })
    }

    /// What to do next, with so many milliseconds left.
    pub fn next(&mut self, remaining_ms: u64) -> Next<'a> {
        if !self.lists.is_empty() || self.left.is_empty() || remaining_ms == 0 {
            return Next::Ended(self.end(remaining_ms));
        }
        let within_ms = attempt_ms(remaining_ms, self.left.len());
        let (providers, left) = self.left.split_at(self.at_once.min(self.left.len()));
        (self.left, self.at_once) = (left, 1);
        Next::Ask { providers, within_ms }
    }

    /// Takes what a provider brought.
    pub fn heard(&mut self, provider: Provider, outcome: Outcome) {
        let name = provider.name();
        match outcome {
            Ok((hits, issues)) => {
                self.notes.extend(issues.iter().map(|issue| format!("{name}: {issue}")));
                let ranked = rank::rank(hits, self.query);
                self.lists.push((provider, ranked));
            }
            Err(why) => {
                if why == Failure::Answer(ProviderError::Nothing) {
                    self.found_nothing.get_or_insert(provider);
                } else {
                    self.certain = false;
                }
                self.notes.push(format!("{name} {why}"));
            }
        }
    }

    fn end(&mut self, remaining_ms: u64) -> Result<Found, SearchFailed> {
        let notes = std::mem::take(&mut self.notes);
        let lists = std::mem::take(&mut self.lists);
        let certain = self.certain;
        if !lists.is_empty() {
            let names: Vec<&str> = lists.iter().map(|(provider, _)| provider.name()).collect();
            let provider = names.join("+");
            return Ok(Found { provider, results: fuse(lists, self.query.limit), notes, certain });
        }
        match self.found_nothing {
            // To find nothing is an answer, when nobody after it knew better.
            Some(provider) => {
                let provider = provider.name().to_owned();
                let certain = certain && self.left.is_empty();
                Ok(Found { provider, results: Vec::new(), notes, certain })
            }
            None if remaining_ms == 0 => Err(SearchFailed::Timeout),
            None => Err(SearchFailed::AllFailed(notes)),
        }
    }
}

/// How long one provider may take: the rest of the time for the last one, half of it for the
/// others (a second at least), so that one that hangs leaves time for the next.
fn attempt_ms(remaining_ms: u64, providers_left: usize) -> u64 {
    if providers_left <= 1 { remaining_ms } else { (remaining_ms / 2).max(1_000).min(remaining_ms) }
}

/// What to set, from what the providers need.
fn not_configured() -> String {
    let (mut switches, mut open) = (Vec::new(), Vec::new());
    for provider in Provider::all() {
        match provider.row().switch() {
            Some(variable) => switches.push(variable),
            None => open.push(provider.name()),
        }
    }
    format!(
        "no search provider is configured: set {}, or let search_providers name {}",
        any_of(&switches),
        any_of(&open)
    )
}

fn any_of(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::Access;
    use url::Url;

    fn plan(names: &[&str]) -> Vec<Reach> {
        let url = Url::parse("https://search.example/").unwrap();
        let reach = |name: &&str| Reach {
            provider: Provider::named(name).unwrap(),
            access: Access { url: url.clone(), key: None },
        };
        names.iter().map(reach).collect()
    }

    fn hits(names: &[&str]) -> Outcome {
        let hit = |name: &&str| Hit {
            title: (*name).to_owned(),
            url: format!("https://example.com/{name}"),
            ..Hit::default()
        };
        Ok((names.iter().map(hit).collect(), vec![Issue::NoTitle(1)]))
    }

    const NOTHING: Outcome = Err(Failure::Answer(ProviderError::Nothing));

    /// Runs a search in which each provider brings what is listed; gives who was asked, by rounds.
    fn run(
        plan: &[Reach],
        fusion: usize,
        brings: &[(&str, Outcome)],
    ) -> (Vec<Vec<&'static str>>, Result<Found, SearchFailed>) {
        let query = Query::new("q", 5).unwrap();
        let mut searching = Searching::new(&query, plan, fusion).unwrap();
        let mut rounds = Vec::new();
        loop {
            match searching.next(15_000) {
                Next::Ended(end) => return (rounds, end),
                Next::Ask { providers, .. } => {
                    rounds.push(providers.iter().map(|reach| reach.provider.name()).collect());
                    for reach in providers {
                        let name = reach.provider.name();
                        let (_, outcome) = brings.iter().find(|(known, _)| *known == name).unwrap();
                        searching.heard(reach.provider, outcome.clone());
                    }
                }
            }
        }
    }

    #[test]
    fn the_first_that_answers_ends_it_and_the_failures_before_are_told() {
        let plan = plan(&["brave", "tavily", "serper"]);
        let brings = [("brave", Err(Failure::Timeout)), ("tavily", hits(&["a"]))];
        let (rounds, end) = run(&plan, 1, &brings);
        assert_eq!(rounds, [["brave"], ["tavily"]]);
        let found = end.unwrap();
        assert_eq!((found.provider.as_str(), found.results.len()), ("tavily", 1));
        assert_eq!(found.notes, ["brave did not answer in time", "tavily: result 1 has no title"]);
    }

    #[test]
    fn with_fusion_the_first_are_asked_at_once_and_the_others_one_by_one() {
        let plan = plan(&["searxng", "brave", "tavily", "serper"]);
        let brings =
            [("searxng", hits(&["a", "b"])), ("brave", hits(&["b"])), ("tavily", hits(&["c"]))];
        let (rounds, end) = run(&plan, 2, &brings);
        assert_eq!(rounds, [["searxng", "brave"]]);
        let found = end.unwrap();
        assert_eq!(found.provider, "searxng+brave");
        assert_eq!(found.results[0].0.title, "b");
        let blocked = || Err(Failure::Answer(ProviderError::Blocked));
        let brings = [("searxng", blocked()), ("brave", blocked()), ("tavily", hits(&["c"]))];
        let (rounds, end) = run(&plan, 2, &brings);
        assert_eq!(rounds, [vec!["searxng", "brave"], vec!["tavily"]]);
        assert_eq!(end.unwrap().notes.len(), 3);
    }

    #[test]
    fn to_find_nothing_is_an_answer_when_nobody_knows_better() {
        let plan = plan(&["brave", "tavily"]);
        let (rounds, end) = run(&plan, 1, &[("brave", NOTHING), ("tavily", hits(&["a"]))]);
        assert_eq!((rounds.len(), end.unwrap().provider.as_str()), (2, "tavily"));
        let wait = Err(Failure::Wait(Wait::Pause(7)));
        let (_, end) = run(&plan, 1, &[("brave", NOTHING), ("tavily", wait.clone())]);
        let found = end.unwrap();
        assert_eq!((found.provider.as_str(), found.results.len()), ("brave", 0));
        assert!(!found.certain, "who was not asked may know");
        let (_, end) = run(&plan, 1, &[("brave", NOTHING), ("tavily", NOTHING)]);
        let found = end.unwrap();
        assert_eq!((found.provider.as_str(), found.certain), ("brave", true), "the first counts");
        let (_, end) = run(&plan, 1, &[("brave", wait.clone()), ("tavily", wait)]);
        let Err(SearchFailed::AllFailed(notes)) = end else { panic!("{end:?}") };
        assert!(notes[1].starts_with("tavily blocked us"), "{notes:?}");
    }

    #[test]
    fn time_is_left_for_the_next_provider_and_none_for_a_search_that_has_none() {
        assert_eq!(attempt_ms(15_000, 3), 7_500);
        assert_eq!(attempt_ms(15_000, 1), 15_000);
        assert_eq!(attempt_ms(500, 2), 500);
        let (plan, query) = (plan(&["brave", "tavily"]), Query::new("q", 5).unwrap());
        let mut searching = Searching::new(&query, &plan, 1).unwrap();
        assert!(matches!(searching.next(10_000), Next::Ask { within_ms: 5_000, .. }));
        searching.heard(plan[0].provider, Err(Failure::Timeout));
        assert_eq!(searching.next(0), Next::Ended(Err(SearchFailed::Timeout)));
    }

    #[test]
    fn nobody_to_ask_is_told_with_what_to_set() {
        let query = Query::new("q", 5).unwrap();
        let Err(SearchFailed::NotConfigured(why)) = Searching::new(&query, &[], 1) else {
            panic!("somebody was asked")
        };
        assert!(why.starts_with("no search provider is configured: set searxng_url, "), "{why}");
        assert!(why.ends_with(", or let search_providers name duckduckgo"), "{why}");
        for switch in Provider::all().iter().filter_map(|provider| provider.row().switch()) {
            assert!(why.contains(switch), "{why}");
        }
    }
}
