//! A node's queries: side by side, but taken in in their order, so that a run tells the same whichever answers
//! first.

use super::input::{Purpose, Reused, What};
use super::policy::retry;
use super::policy::search::{self, Decision, Freshness};
use super::queue::{Search, Sent, Wanted};
use super::tree::SearchError;
use super::turn::Turn;
use super::vectors::{NoRoom, without_room};
use super::{NodeId, Run, Stage, Step, Visit};
use crate::core::Reservation;
use quarry_events::run::{QueryExecuted, QueryRule, QuerySkippedCached, SearchedIn, WaitingFor};
use quarry_tools::{
    Errand, FailureKind, KnowledgeFilter, KnowledgeQuery, Outcome, Share, ToolFailure,
};

/// Characters of one page that a run keeps.
const PAGE_CHARACTERS: usize = 24_000;

/// What a query brought.
#[derive(Debug, Default)]
struct Brought {
    /// The numbers of its sources.
    numbers: Vec<usize>,
    results: u64,
    /// Passages that nobody had seen.
    new_passages: u64,
    /// Why it brought nothing.
    error: Option<String>,
}

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

    /// Holds the search under way, or that was cut off, to the knobs; what of it is not begun yet, or waits, too.
    pub(super) fn bound_search(&mut self) {
        let under_way = match &mut self.stage {
            Stage::Visit(visit) => Some(visit),
            Stage::Pass | Stage::Writing(_) | Stage::Over(_) => self.cut_off.as_deref_mut(),
        };
        if let Some(Visit { step: Step::Search(search), .. }) = under_way {
            search.bound(&self.brief.knobs);
        }
        if self.brief.is_since(13) {
            // Taken out, so that the search may be looked at.
            let mut calls = std::mem::take(&mut self.calls);
            calls.bound_unbegun(|purpose, errand| self.bound_errand(purpose, errand));
            self.calls = calls;
        }
    }

    /// Holds an errand of the search under way to the knobs.
    pub(super) fn bound_errand(&self, purpose: Purpose, errand: &mut Errand) {
        if let (Purpose::Query(_, at), Some(search)) = (purpose, self.search()) {
            search.bound_errand(at, errand, self.brief.knobs.timeouts.query.saturating_mul(1_000));
        }
    }

    /// Sends queries out as far as they may be side by side. True when the search is over.
    pub(super) fn search_on(&mut self, node: NodeId, search: &mut Search, turn: &mut Turn) -> bool {
        let knobs = &self.brief.knobs.clone();
        let side_by_side = knobs.parallel_queries as usize;
        while search.sent.len() < side_by_side {
            let is_full = self.gathered.evidence.sources().len() >= knobs.max_sources as usize;
            if is_full {
                search.queue.clear();
            }
            search.drop_done(knobs, &self.brief);
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
                    let at = search.count_sent(&query, place, &self.brief);
                    let results = search::wanted(knobs, attempt);
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
        let errand = errand(*place, query, *results, (timeout_ms, anew));
        let errand = errand.in_collection(self.brief.collection.as_ref());
        let errand = (errand, reuse, vector);
        self.calls.run(Purpose::Query(node, *at), errand, timeout_ms, turn);
    }

    /// Sends again what was sent out and let go of before anything came, and searches on; what came is kept for its turn.
    /// What was paid for the vector that was let go of is unknown, so there may be no room for another: that fails.
    pub(super) fn send_again(&mut self, node: NodeId, mut search: Box<Search>, turn: &mut Turn) {
        let must_fit = self.brief.is_since(10);
        for sent in search.sent.clone() {
            if search.early.contains_key(&sent.at) {
                continue;
            }
            let asked = (sent.place, sent.query.as_str());
            match self.calls.reserve_vector(&self.brief, asked, must_fit) {
                Ok(vector) => self.send(node, &sent, (search.is_time_sensitive, vector), turn),
                Err(NoRoom) => _ = search.early.insert(sent.at, without_room()),
            }
        }
        let next = if must_fit { search.take_next_early() } else { None };
        let waiting = next.and_then(|came| self.searched(node, &mut search, came, turn));
        self.go_on_behind(node, search, waiting, turn);
    }

    /// Searches on, unless the run is to wait.
    pub(super) fn go_on_behind(
        &mut self,
        node: NodeId,
        search: Box<Search>,
        waiting: Option<WaitingFor>,
        turn: &mut Turn,
    ) {
        let Some(waiting) = waiting else { return self.go_on_searching(node, search, turn) };
        self.stage = Stage::Visit(Visit { node, step: Step::Search(search) });
        self.wait(waiting, turn.now, turn);
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
        let Brought { numbers, results, new_passages, error } =
            self.brought(&query, search, outcome);
        if let Some(error) = &error {
            let what = format!("a search failed: {error}");
            self.gathered.note_failure(what, self.away(is_away.then(|| place.as_str())));
        }
        search.bring(&numbers);
        search.note_gain(place, (new_passages, error.is_some()), &self.brief);
        search.is_answered |= error.is_none();
        let results_then = match self.brief.revision {
            0..=10 => 0,
            11 => self.brief.knobs.search_results_per_query,
            // Not the knob: what an end cut off is sent again as it was, and the knob may have grown.
            _ => wanted,
        };
        let asked = search::Asked {
            query: query.clone(),
            at: reused.as_ref().map_or(turn.now, |reused| reused.at),
            failed: error.is_some(),
            sources: numbers,
            new_passages,
            time_sensitive: search.is_time_sensitive,
            results: results_then,
        };
        self.gathered.memory_of_mut(place).remember(asked, search::Older::of(&self.brief));
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

    /// Learns what a query brought.
    fn brought(&mut self, query: &str, search: &mut Search, outcome: Outcome) -> Brought {
        let failed = |message: String| Brought { error: Some(message), ..Brought::default() };
        let (results, (numbers, new_passages)) = match bounded(outcome) {
            Outcome::Found(found) => (found.results.len(), self.learn(query, found.results)),
            Outcome::Passages(found) => {
                (found.passages.len(), self.learn_own(query, &found.passages))
            }
            Outcome::Failed(ToolFailure { kind, message, .. }) => {
                let is_lasting = kind == FailureKind::NotConfigured;
                search.error = Some(SearchError { message: message.clone(), is_lasting });
                return failed(message);
            }
            Outcome::Page(_) | Outcome::Program(_) => {
                return failed("nothing was searched".to_owned());
            }
        };
        Brought { numbers, results: results as u64, new_passages, error: None }
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
