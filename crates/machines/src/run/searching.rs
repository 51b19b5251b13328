//! A node's queries: side by side, but taken in in their order, so that a run tells the same whichever answers
//! first.

use super::input::{Purpose, Reused, What};
use super::policy::retry;
use super::policy::search::{self, Decision, Freshness, Gain, Proposal};
use super::tree::SearchError;
use super::turn::Turn;
use super::{Brief, NodeId, Run, Stage, Step, Visit};
use crate::core::Reservation;
use quarry_events::run::{QueryExecuted, QueryRule, QuerySkippedCached, SearchedIn, WaitingFor};
use quarry_tools::{
    Errand, FailureKind, KnowledgeFilter, KnowledgeQuery, Outcome, Share, Sources, ToolFailure,
};
use quarry_types::Knobs;
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
    /// Where it is searched for.
    #[serde(default, skip_serializing_if = "SearchedIn::is_web")]
    place: SearchedIn,
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
    #[serde(default, skip_serializing_if = "SearchedIn::is_web")]
    place: SearchedIn,
}

/// A node's search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Search {
    queue: VecDeque<Wanted>,
    /// In the order in which they were sent, the first of them the next to be taken in.
    sent: VecDeque<Sent>,
    /// What came before its turn.
    early: BTreeMap<u32, Outcome>,
    /// Which of it was taken from another run of the caller's.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    reused: BTreeMap<u32, Reused>,
    /// Of the web; in runs of before revision 6 of every place together.
    gain: Gain,
    /// Of documents of one's own.
    #[serde(default, skip_serializing_if = "Gain::is_none")]
    own_gain: Gain,
    /// Numbers of the sources that it brought.
    brought: Vec<usize>,
    /// Queries that were sent.
    count: u32,
    /// Whether what it asks changes with time, as the model said.
    is_time_sensitive: bool,
    /// Whether what it asks is asked anew, as the model said.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_recheck: bool,
    /// Whether any query was answered, if only with nothing.
    #[serde(default)]
    is_answered: bool,
    /// Why the last that failed did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<SearchError>,
}

impl Search {
    /// A search for these, each in every place that evidence may come from.
    #[must_use]
    pub fn new(queries: Vec<String>, sources: Sources, proposal: &Proposal) -> Self {
        let wanted = |query: String| {
            places(sources).map(move |place| Wanted {
                first: query.clone(),
                query: query.clone(),
                attempt: 1,
                place,
            })
        };
        let queue = queries.into_iter().flat_map(wanted).collect();
        let is_time_sensitive = proposal.time_sensitive.unwrap_or_default();
        let is_recheck = proposal.recheck.unwrap_or_default();
        Search { queue, is_time_sensitive, is_recheck, ..Search::default() }
    }

    /// The sources that it brought, by number.
    #[must_use]
    pub fn brought(&self) -> &[usize] {
        &self.brought
    }

    /// Why nothing was searched: each of its queries failed. None where one was answered.
    #[must_use]
    pub fn error(&self) -> Option<&SearchError> {
        self.error.as_ref().filter(|_| !self.is_answered)
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

    /// A query of it is not sent, and none will be.
    pub fn fails_for_good(&mut self, error: SearchError) {
        self.error = Some(error);
    }

    /// Queries that were sent out, each one wherever it is searched for.
    #[must_use]
    pub fn queries(&self, sources: Sources) -> u32 {
        self.count.div_ceil(in_places(sources))
    }

    /// What was sent out and is sent again asks for no more results than these knobs have it.
    pub fn bound(&mut self, knobs: &Knobs) {
        for sent in &mut self.sent {
            sent.results = sent.results.min(search::wanted(knobs, sent.attempt));
        }
    }

    /// The same for what is under way of it.
    pub fn bound_errand(&self, at: u32, errand: &mut Errand, most_ms: u64) {
        let Some(sent) = self.sent.iter().find(|sent| sent.at == at) else { return };
        match errand {
            Errand::Search { limit, timeout_ms, .. } => {
                (*limit, *timeout_ms) = (sent.results, most_ms.min(*timeout_ms));
            }
            Errand::SearchKnowledge(query) => query.limit = sent.results,
            Errand::ReadPage { .. } | Errand::RunProgram { .. } => {}
        }
    }

    /// What was sent out is to be sent again, as if it never had been.
    fn take_back(&mut self) {
        self.early.clear();
        self.reused.clear();
        for sent in std::mem::take(&mut self.sent).into_iter().rev() {
            let Sent { query, first, attempt, place, .. } = sent;
            self.queue.push_front(Wanted { query, first, attempt, place });
            self.count -= 1;
        }
    }

    /// Notes what a query brought. In runs of before revision 6 every place was one, and a failure brought nothing.
    fn note_gain(&mut self, place: SearchedIn, (new, has_failed): (u64, bool), brief: &Brief) {
        match (place, brief.is_since(6)) {
            (SearchedIn::Knowledge, true) if !has_failed => self.own_gain.note(new),
            (SearchedIn::Web, true) if !has_failed => self.gain.note(new),
            (_, true) => {}
            (_, false) => self.gain.note(new),
        }
    }

    /// Searches no more where so many queries in a row brought nothing new.
    fn drop_barren(&mut self, knobs: &Knobs, brief: &Brief) {
        let (web, own) = (self.gain.is_over(knobs), self.own_gain.is_over(knobs));
        self.queue.retain(|wanted| match wanted.place {
            SearchedIn::Knowledge if brief.is_since(6) => !own,
            SearchedIn::Web | SearchedIn::Knowledge => !web,
        });
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
    /// The search that is under way, or was cut off.
    pub(super) fn search(&self) -> Option<&Search> {
        let under_way = match &self.stage {
            Stage::Visit(visit) => Some(visit),
            Stage::Pass | Stage::Writing(_) | Stage::Over(_) => self.cut_off.as_deref(),
        };
        match under_way {
            Some(Visit { step: Step::Search(search), .. }) => Some(search),
            _ => None,
        }
    }

    /// Holds the search under way, or that was cut off, to the knobs.
    pub(super) fn bound_search(&mut self) {
        let under_way = match &mut self.stage {
            Stage::Visit(visit) => Some(visit),
            Stage::Pass | Stage::Writing(_) | Stage::Over(_) => self.cut_off.as_deref_mut(),
        };
        if let Some(Visit { step: Step::Search(search), .. }) = under_way {
            search.bound(&self.brief.knobs);
        }
    }

    /// Sends queries out as far as they may be side by side. True when the search is over.
    pub(super) fn search_on(&mut self, node: NodeId, search: &mut Search, turn: &mut Turn) -> bool {
        let knobs = &self.brief.knobs.clone();
        let side_by_side = knobs.parallel_queries as usize;
        let most = knobs.max_queries_per_node.saturating_mul(in_places(self.brief.sources));
        while search.sent.len() < side_by_side {
            let is_full = self.gathered.evidence.sources().len() >= knobs.max_sources as usize;
            if is_full || search.count >= most {
                search.queue.clear();
            }
            search.drop_barren(knobs, &self.brief);
            let Some(Wanted { query, first, attempt, place }) = search.queue.pop_front() else {
                break;
            };
            // A broader form of it is no question of its own.
            let recheck = search.is_recheck && attempt == 1;
            let decision = self.gathered.memory_of(place).decide(&query, turn.now, knobs, recheck);
            let decision = if attempt > 1 { decision.of_broader() } else { decision };
            match decision {
                Decision::Cached { same_as, age, sources } => {
                    self.gathered.queries.1 += 1;
                    search.bring(&sources);
                    search.is_answered = true;
                    let rule = QueryRule::Cached;
                    let told = QuerySkippedCached {
                        query,
                        same_as,
                        rule,
                        age,
                        from_run_id: None,
                        searched_in: place,
                    };
                    turn.tell_of(node, &told);
                }
                Decision::Run(rule) => {
                    let asked = (place, query.as_str());
                    let Ok(vector) = self.calls.reserve_vector(&self.brief, asked, true) else {
                        self.leave_unasked(node, search, query, turn);
                        continue;
                    };
                    search.count += 1;
                    let results = search::wanted(knobs, attempt);
                    let at = search.count;
                    let sent = Sent { at, query, first, attempt, rule, results, place };
                    self.send(node, &sent, (search.is_time_sensitive, vector), turn);
                    search.sent.push_back(sent);
                }
            }
        }
        search.sent.is_empty()
    }

    /// Sends a query out; `says_so`: the model said that its answer changes with time. For its vector so much is
    /// reserved.
    fn send(
        &mut self,
        node: NodeId,
        sent: &Sent,
        (says_so, vector): (bool, Option<Reservation>),
        turn: &mut Turn,
    ) {
        let Sent { at, query, rule, results, place, .. } = sent;
        let knobs = &self.brief.knobs;
        let timeout_ms = knobs.timeouts.query.saturating_mul(1_000);
        let fresh_ms = Freshness::of(query, says_so, turn.now, knobs).ms();
        let reuse = match self.brief.shares_searches && place.is_web() {
            true => search::reuse(query, *rule, *results, fresh_ms),
            false => None,
        };
        let anew = self.brief.is_since(5) && rule.wants_anew();
        let errand = (errand(*place, query, *results, (timeout_ms, anew)), reuse, vector);
        self.calls.run(Purpose::Query(node, *at), errand, timeout_ms, turn);
    }

    /// Sends again what was sent out and let go of before anything came; what came is kept for its turn.
    pub(super) fn send_again(&mut self, node: NodeId, search: &Search, turn: &mut Turn) {
        for sent in search.sent.iter().filter(|sent| !search.early.contains_key(&sent.at)) {
            // It had room when it was sent first.
            let asked = (sent.place, sent.query.as_str());
            let vector = self.calls.reserve_vector(&self.brief, asked, false).unwrap_or_default();
            self.send(node, sent, (search.is_time_sensitive, vector), turn);
        }
    }

    /// Takes in what a query brought, when it is its turn, and what waited for that. Gives what the run is to
    /// wait for, when no provider answers.
    pub(super) fn searched(
        &mut self,
        node: NodeId,
        search: &mut Search,
        (at, outcome, reused): (u32, Outcome, Option<Reused>),
        turn: &mut Turn,
    ) -> Option<WaitingFor> {
        search.early.insert(at, outcome);
        search.reused.extend(reused.map(|reused| (at, reused)));
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
                    let what = format!("a search failed: {message}");
                    let place = search.sent.front().map(|sent| sent.place.as_str());
                    self.gathered.note_failure(what, self.away(place));
                    search.take_back();
                    return Some(waiting);
                }
            }
            let outcome = search.early.remove(&sent.at)?;
            let sent = search.sent.pop_front()?;
            let reused = search.reused.remove(&sent.at);
            self.take_in(node, search, (sent, reused), outcome, turn);
            // What is sent next follows from what was taken in until here, however much has come meanwhile: so it
            // does not matter which answered first. Runs of before looked once all that had come was taken in.
            if self.brief.is_since(4) {
                self.search_on(node, search, turn);
            }
        }
        None
    }

    /// Lets the caller's other runs find what a search brought.
    pub(super) fn share(&self, what: &What, search: &Search, outcome: &Outcome, turn: &mut Turn) {
        let What::Errand(Errand::Search { query, limit, .. }) = what else { return };
        if self.brief.shares_searches {
            let says_so = search.is_time_sensitive;
            let fresh = Freshness::of(query, says_so, turn.now, &self.brief.knobs).ms();
            let searched = search::shared(query, outcome, *limit, (turn.now, fresh));
            searched.into_iter().for_each(|searched| turn.searched(searched));
        }
    }

    fn take_in(
        &mut self,
        node: NodeId,
        search: &mut Search,
        (sent, reused): (Sent, Option<Reused>),
        outcome: Outcome,
        turn: &mut Turn,
    ) {
        let Sent { query, first, attempt, rule, results: wanted, place, .. } = sent;
        let is_away = retry::is_outage(&outcome);
        let (numbers, results, new_passages, error) = match bounded(outcome) {
            Outcome::Found(found) => {
                let results = found.results.len() as u64;
                let (numbers, new) = self.learn(&query, found.results);
                (numbers, results, new, None)
            }
            Outcome::Passages(found) => {
                let results = found.passages.len() as u64;
                let (numbers, new) = self.learn_own(&query, &found.passages);
                (numbers, results, new, None)
            }
            Outcome::Failed(ToolFailure { kind, message, .. }) => {
                let is_lasting = kind == FailureKind::NotConfigured;
                search.error = Some(SearchError { message: message.clone(), is_lasting });
                (Vec::new(), 0, 0, Some(message))
            }
            Outcome::Page(_) | Outcome::Program(_) => {
                (Vec::new(), 0, 0, Some("nothing was searched".to_owned()))
            }
        };
        if let Some(error) = &error {
            let what = format!("a search failed: {error}");
            self.gathered.note_failure(what, self.away(is_away.then(|| place.as_str())));
        }
        search.bring(&numbers);
        search.note_gain(place, (new_passages, error.is_some()), &self.brief);
        search.is_answered |= error.is_none();
        self.gathered.memory_of_mut(place).remember(search::Asked {
            query: query.clone(),
            at: reused.as_ref().map_or(turn.now, |reused| reused.at),
            failed: error.is_some(),
            sources: numbers,
            new_passages,
            time_sensitive: search.is_time_sensitive,
        });
        // A search that failed is not mended by fewer words.
        if new_passages == 0
            && error.is_none()
            && let Some(query) = search::broader(&first, attempt + 1)
        {
            search.queue.push_back(Wanted { query, first, attempt: attempt + 1, place });
        }
        let searched_in = place;
        let told = QueryExecuted {
            query,
            rule,
            attempt,
            wanted,
            results,
            new_passages,
            error,
            searched_in,
        };
        self.tell_searched(node, told, reused, turn);
    }

    /// Counts a query, and tells whether it was searched for or found in another run.
    fn tell_searched(
        &mut self,
        node: NodeId,
        told: QueryExecuted,
        reused: Option<Reused>,
        turn: &mut Turn,
    ) {
        let Some(Reused { at, query: same_as, run }) = reused else {
            self.gathered.queries.0 += 1;
            if let Some(node) = self.tree.get_mut(node) {
                node.attempts.queries += 1;
            }
            return turn.tell_of(node, &told);
        };
        self.gathered.queries.1 += 1;
        let age = turn.now.since(at) / 1_000;
        let QueryExecuted { query, searched_in, .. } = told;
        let (rule, from_run_id) = (QueryRule::Cached, Some(run));
        let told = QuerySkippedCached { query, same_as, rule, age, from_run_id, searched_in };
        turn.tell_of(node, &told);
    }
}

/// How often a query is searched for that is one wherever that is.
fn in_places(sources: Sources) -> u32 {
    u32::try_from(places(sources).count()).unwrap_or(1).max(1)
}

/// The places that evidence may come from, in the order in which they are searched.
pub(super) fn places(sources: Sources) -> impl Iterator<Item = SearchedIn> {
    let web = sources.web.then_some(SearchedIn::Web);
    web.into_iter().chain(sources.knowledge.then_some(SearchedIn::Knowledge))
}

fn errand(place: SearchedIn, query: &str, limit: u32, (timeout_ms, anew): (u64, bool)) -> Errand {
    let query = query.to_owned();
    match place {
        SearchedIn::Web => {
            let domains = Vec::new();
            Errand::Search { query, limit, timeout_ms, load_content: true, domains, anew }
        }
        SearchedIn::Knowledge => Errand::SearchKnowledge(KnowledgeQuery {
            text: query,
            collection: None,
            limit,
            threshold: Share::USUAL,
            filter: KnowledgeFilter::default(),
        }),
    }
}
