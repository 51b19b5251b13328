//! A node's queries: side by side, but taken in in their order, so that a run tells the same whichever answers
//! first.

use super::input::Purpose;
use super::policy::retry;
use super::policy::search::{self, Decision, Gain};
use super::turn::Turn;
use super::{NodeId, Run};
use quarry_events::run::{QueryExecuted, QueryRule, QuerySkippedCached, WaitingFor};
use quarry_evidence::{Content, Finding, Source};
use quarry_tools::{Errand, Hit, Outcome, Page};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// Characters of one page that a run keeps.
const PAGE_CHARACTERS: usize = 24_000;

/// What an errand brought, without what a run would not keep: it goes into the journal as it is.
#[must_use]
pub fn bounded(mut outcome: Outcome) -> Outcome {
    if let Outcome::Found(found) = &mut outcome {
        let pages = found.results.iter_mut().filter_map(|hit| hit.page.as_mut());
        for page in pages.filter_map(|page| page.as_mut().ok()) {
            page.cut(PAGE_CHARACTERS);
            if !page.passages.is_empty() {
                // The passages say it all.
                page.content.clear();
            }
        }
    }
    outcome
}

/// A query and how often it was widened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Wanted {
    query: String,
    /// What it was before it was widened.
    first: String,
    attempt: u32,
}

/// A query that was sent out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Sent {
    at: u32,
    query: String,
    first: String,
    attempt: u32,
    rule: QueryRule,
    results: u32,
}

/// A node's search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Search {
    queue: VecDeque<Wanted>,
    /// In the order in which they were sent, the first of them the next to be taken in.
    sent: VecDeque<Sent>,
    /// What came before its turn.
    early: BTreeMap<u32, Outcome>,
    gain: Gain,
    /// Numbers of the sources that it brought.
    brought: Vec<usize>,
    /// Queries that were sent.
    count: u32,
    /// Whether what it asks changes with time, as the model said.
    is_time_sensitive: bool,
    /// Whether any query was answered, if only with nothing.
    #[serde(default)]
    is_answered: bool,
    /// Why the last that failed did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Search {
    /// A search for these.
    #[must_use]
    pub fn new(queries: Vec<String>, is_time_sensitive: bool) -> Self {
        let wanted = |query: String| Wanted { first: query.clone(), query, attempt: 1 };
        let queue = queries.into_iter().map(wanted).collect();
        Search { queue, is_time_sensitive, ..Search::default() }
    }

    /// The sources that it brought, by number.
    #[must_use]
    pub fn brought(&self) -> &[usize] {
        &self.brought
    }

    /// Why nothing was searched: each of its queries failed. None where one was answered.
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref().filter(|_| !self.is_answered)
    }

    /// Whether any query was sent out that is not taken in yet.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        !self.sent.is_empty()
    }

    /// The message of an outage that is the next to be taken in; none: something else is.
    fn outage(&self) -> Option<&str> {
        match self.sent.front().and_then(|sent| self.early.get(&sent.at)) {
            Some(outcome @ Outcome::Failed(failure)) if retry::is_outage(outcome) => {
                Some(&failure.message)
            }
            _ => None,
        }
    }

    /// What was sent out is to be sent again, as if it never had been.
    fn take_back(&mut self) {
        self.early.clear();
        for Sent { query, first, attempt, .. } in std::mem::take(&mut self.sent).into_iter().rev() {
            self.queue.push_front(Wanted { query, first, attempt });
            self.count -= 1;
        }
    }

    fn bring(&mut self, numbers: &[usize]) {
        for n in numbers {
            if !self.brought.contains(n) {
                self.brought.push(*n);
            }
        }
    }
}

impl Run {
    /// Sends queries out as far as they may be side by side. True when the search is over.
    pub(super) fn search_on(&mut self, node: NodeId, search: &mut Search, turn: &mut Turn) -> bool {
        let knobs = &self.brief.knobs;
        let (side_by_side, most) = (knobs.parallel_queries as usize, knobs.max_queries_per_node);
        while search.sent.len() < side_by_side {
            let is_full = self.gathered.evidence.sources().len() >= knobs.max_sources as usize;
            if is_full || search.gain.is_over(knobs) || search.count >= most {
                search.queue.clear();
            }
            let Some(Wanted { query, first, attempt }) = search.queue.pop_front() else { break };
            let decision = self.gathered.memory.decide(&query, turn.now, knobs, false);
            let decision = if attempt > 1 { decision.of_broader() } else { decision };
            match decision {
                Decision::Cached { same_as, age, sources } => {
                    self.gathered.queries.1 += 1;
                    search.bring(&sources);
                    search.is_answered = true;
                    let rule = QueryRule::Cached;
                    turn.tell_of(node, &QuerySkippedCached { query, same_as, rule, age });
                }
                Decision::Run(rule) => {
                    search.count += 1;
                    let results = search::wanted(knobs, attempt);
                    let at = search.count;
                    let timeout_ms = knobs.timeouts.query.saturating_mul(1_000);
                    let errand = Errand::Search {
                        query: query.clone(),
                        limit: results,
                        timeout_ms,
                        load_content: true,
                    };
                    self.calls.run(Purpose::Query(node, at), errand, timeout_ms, turn);
                    search.sent.push_back(Sent { at, query, first, attempt, rule, results });
                }
            }
        }
        search.sent.is_empty()
    }

    /// Takes in what a query brought, when it is its turn, and what waited for that. Gives what the run is to
    /// wait for, when no provider answers.
    pub(super) fn searched(
        &mut self,
        node: NodeId,
        search: &mut Search,
        (at, outcome): (u32, Outcome),
        turn: &mut Turn,
    ) -> Option<WaitingFor> {
        search.early.insert(at, outcome);
        while let Some(sent) = search.sent.front() {
            if let Some(message) = search.outage()
                && !self.gathered.was_answered()
                && let Some(waiting) = retry::after_outage(message, self.gathered.waits, turn.now)
            {
                // Whether nothing is answered shows when everything has come back.
                if search.early.len() < search.sent.len() {
                    return None;
                }
                if search.early.values().all(retry::is_outage) {
                    self.gathered.waits += 1;
                    self.gathered.note_outage(format!("a search failed: {message}"));
                    search.take_back();
                    return Some(waiting);
                }
            }
            let outcome = search.early.remove(&sent.at)?;
            let sent = search.sent.pop_front()?;
            self.take_in(node, search, sent, outcome, turn);
        }
        None
    }

    fn take_in(
        &mut self,
        node: NodeId,
        search: &mut Search,
        sent: Sent,
        outcome: Outcome,
        turn: &mut Turn,
    ) {
        let Sent { query, first, attempt, rule, results: wanted, .. } = sent;
        let (numbers, results, new_passages, error) = match bounded(outcome) {
            Outcome::Found(found) => {
                let results = found.results.len() as u64;
                let (numbers, new) = self.learn(&query, found.results);
                (numbers, results, new, None)
            }
            Outcome::Failed(failure) => (Vec::new(), 0, 0, Some(failure.message)),
            Outcome::Page(_) | Outcome::Program(_) => {
                (Vec::new(), 0, 0, Some("nothing was searched".to_owned()))
            }
        };
        self.gathered.queries.0 += 1;
        if let Some(error) = &error {
            self.gathered.note_outage(format!("a search failed: {error}"));
        }
        search.bring(&numbers);
        search.gain.note(new_passages);
        search.is_answered |= error.is_none();
        search.error = error.clone().or(search.error.take());
        self.gathered.memory.remember(search::Asked {
            query: query.clone(),
            at: turn.now,
            failed: error.is_some(),
            sources: numbers,
            new_passages,
            time_sensitive: search.is_time_sensitive,
        });
        if let Some(node) = self.tree.get_mut(node) {
            node.attempts.queries += 1;
        }
        // A search that failed is not mended by fewer words.
        if new_passages == 0
            && error.is_none()
            && let Some(query) = search::broader(&first, attempt + 1)
        {
            search.queue.push_back(Wanted { query, first, attempt: attempt + 1 });
        }
        turn.tell_of(
            node,
            &QueryExecuted { query, rule, attempt, wanted, results, new_passages, error },
        );
    }

    fn learn(&mut self, query: &str, hits: Vec<Hit>) -> (Vec<usize>, u64) {
        let evidence = &mut self.gathered.evidence;
        let most = self.brief.knobs.max_sources as usize;
        let before = (pieces(evidence.sources()), evidence.seen());
        let mut numbers = Vec::new();
        for mut hit in hits {
            let is_known = evidence.number(&hit.url).is_some();
            if hit.url.is_empty() || (!is_known && evidence.sources().len() >= most) {
                continue;
            }
            let read = hit.page.as_mut().and_then(|page| page.as_mut().ok());
            let read = read.map(|page| {
                (page.date.clone(), std::mem::take(&mut page.signals), Page::take_content(page))
            });
            let (date, signals, content) = read.unwrap_or((None, Vec::new(), Content::Unread));
            numbers.push(evidence.find(Finding {
                url: hit.url,
                title: Some(hit.title),
                date,
                query: Some(query.to_owned()),
                description: hit.description,
                signals,
                content,
            }));
        }
        let new = pieces(evidence.sources()).saturating_sub(before.0);
        (numbers, new.min(evidence.seen() - before.1) as u64)
    }
}

/// Pieces of text that sources have, what a search said of those that were not read included.
fn pieces(sources: &[Source]) -> usize {
    sources.iter().map(|source| source.content.pieces().count().max(1)).sum()
}
