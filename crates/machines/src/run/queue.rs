//! What a node searches for: what is still to be sent, what was, what came, and when a place has nothing more to give.

use super::Brief;
use super::input::Reused;
use super::policy::retry;
use super::policy::search::{self, Gain, Proposal};
use super::tree::SearchError;
use quarry_events::run::{QueryRule, SearchedIn};
use quarry_tools::{Errand, Outcome, Sources};
use quarry_types::Knobs;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// A query and how often it was widened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Wanted {
    pub(super) query: String,
    /// What it was before it was widened.
    pub(super) first: String,
    pub(super) attempt: u32,
    /// Where it is searched for.
    #[serde(default, skip_serializing_if = "SearchedIn::is_web")]
    pub(super) place: SearchedIn,
}

/// A query that was sent out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Sent {
    pub(super) at: u32,
    pub(super) query: String,
    pub(super) first: String,
    pub(super) attempt: u32,
    pub(super) rule: QueryRule,
    pub(super) results: u32,
    #[serde(default, skip_serializing_if = "SearchedIn::is_web")]
    pub(super) place: SearchedIn,
}

/// A node's search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Search {
    pub(super) queue: VecDeque<Wanted>,
    /// In the order in which they were sent, the first of them the next to be taken in.
    pub(super) sent: VecDeque<Sent>,
    /// What came before its turn.
    pub(super) early: BTreeMap<u32, Outcome>,
    /// Which of it was taken from another run of the caller's.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) reused: BTreeMap<u32, Reused>,
    /// Of the web; in runs of before revision 6 of every place together.
    pub(super) gain: Gain,
    /// Of documents of one's own.
    #[serde(default, skip_serializing_if = "Gain::is_default")]
    pub(super) own_gain: Gain,
    /// Numbers of the sources that it brought.
    pub(super) brought: Vec<usize>,
    /// Queries that were sent.
    pub(super) count: u32,
    /// Those of them to documents; in runs of before revision 6 nobody counted.
    #[serde(default, skip_serializing_if = "crate::core::is_zero")]
    pub(super) own_count: u32,
    /// How often each text was sent: it is one query wherever that was. In runs of before revision 15 nobody kept them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) texts: BTreeMap<String, u32>,
    /// Whether what it asks changes with time, as the model said.
    pub(super) is_time_sensitive: bool,
    /// Whether what it asks is asked anew, as the model said.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_recheck: bool,
    /// Whether any query was answered, if only with nothing.
    #[serde(default)]
    pub(super) is_answered: bool,
    /// Why the last that failed did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<SearchError>,
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
    pub(super) fn outage(&self) -> Option<&str> {
        match self.sent.front().and_then(|sent| self.early.get(&sent.at)) {
            Some(outcome @ Outcome::Failed(failure)) if retry::is_outage(outcome) => {
                Some(&failure.message)
            }
            _ => None,
        }
    }

    /// What came of the query whose turn it is; none: nothing did yet.
    pub(super) fn take_next_early(&mut self) -> Option<(u32, Outcome, Option<Reused>)> {
        let at = self.sent.front()?.at;
        let outcome = self.early.remove(&at)?;
        Some((at, outcome, self.reused.remove(&at)))
    }

    /// A query of it is not sent, and none will be.
    pub fn fails_for_good(&mut self, error: SearchError) {
        self.error = Some(error);
    }

    /// Queries that were sent out, each one wherever it is searched for. In runs of before revision 15 the most that one
    /// place had.
    #[must_use]
    pub fn queries(&self, sources: Sources) -> u32 {
        let of_a_place = match self.own_count {
            0 if self.texts.is_empty() => self.count.div_ceil(in_places(sources)),
            own => own.max(self.count - own),
        };
        of_a_place.max(self.different())
    }

    /// Different queries that were sent out.
    fn different(&self) -> u32 {
        u32::try_from(self.texts.len()).unwrap_or(u32::MAX)
    }

    /// Counts a query that is sent to this place, and gives which it is.
    pub(super) fn count_sent(&mut self, query: &str, place: SearchedIn, brief: &Brief) -> u32 {
        self.count += 1;
        self.own_count += u32::from(!place.is_web() && brief.is_since(6));
        if brief.is_since(15) {
            *self.texts.entry(query.to_owned()).or_default() += 1;
        }
        self.count
    }

    /// What was sent out and is sent again, or waits, asks for no more results than these knobs have it.
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
    pub(super) fn take_back(&mut self) {
        self.early.clear();
        self.reused.clear();
        for sent in std::mem::take(&mut self.sent).into_iter().rev() {
            let Sent { query, first, attempt, place, .. } = sent;
            self.count -= 1;
            self.own_count = self.own_count.saturating_sub(u32::from(!place.is_web()));
            if let Some(times) = self.texts.get_mut(&query) {
                *times = times.saturating_sub(1);
            }
            self.queue.push_front(Wanted { query, first, attempt, place });
        }
        self.texts.retain(|_, times| *times > 0);
    }

    /// Notes what a query brought. In runs of before revision 6 every place was one, and a failure brought nothing.
    pub(super) fn note_gain(
        &mut self,
        place: SearchedIn,
        (new, has_failed): (u64, bool),
        brief: &Brief,
    ) {
        let is_by_place = brief.is_since(6);
        let gain = if is_by_place && !place.is_web() { &mut self.own_gain } else { &mut self.gain };
        if !(is_by_place && has_failed) {
            gain.note(new);
        }
    }

    /// Searches no more where so many queries in a row brought nothing new, or as many were sent as may be. One that is
    /// sent to both places is one: where all that may be asked is asked, each place still gets what only the other had.
    pub(super) fn drop_done(&mut self, knobs: &Knobs, brief: &Brief) {
        let most = knobs.max_queries_per_node;
        if !brief.is_since(6) {
            if self.gain.is_over(knobs)
                || self.count >= most.saturating_mul(in_places(brief.sources))
            {
                self.queue.clear();
            }
            return;
        }
        let own = self.own_gain.is_over(knobs) || self.own_count >= most;
        let web = self.gain.is_over(knobs) || self.count - self.own_count >= most;
        let is_all = brief.is_since(15) && self.different() >= most;
        let texts = &self.texts;
        self.queue.retain(|wanted| {
            let is_done = if wanted.place.is_web() { web } else { own };
            !is_done && (!is_all || texts.contains_key(&wanted.query))
        });
    }

    pub(super) fn bring(&mut self, numbers: &[usize]) {
        for n in numbers {
            if !self.brought.contains(n) {
                self.brought.push(*n);
            }
        }
    }
}

/// How often a query is searched for that is one wherever that is.
pub(super) fn in_places(sources: Sources) -> u32 {
    u32::try_from(places(sources).count()).unwrap_or(1).max(1)
}

/// The places that evidence may come from, in the order in which they are searched.
pub(super) fn places(sources: Sources) -> impl Iterator<Item = SearchedIn> {
    let web = sources.web.then_some(SearchedIn::Web);
    web.into_iter().chain(sources.knowledge.then_some(SearchedIn::Knowledge))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: Sources = Sources { web: true, knowledge: true, program: true };

    fn sent(at: u32, place: SearchedIn) -> Sent {
        let query = "alder tower".to_owned();
        let first = query.clone();
        Sent { at, query, first, attempt: 1, rule: QueryRule::New, results: 6, place }
    }

    fn under_way(count: u32, sent: impl Into<VecDeque<Sent>>) -> Search {
        let texts = [("alder tower".to_owned(), count)].into();
        Search { count, own_count: 1, texts, sent: sent.into(), ..Search::default() }
    }

    #[test]
    fn what_is_taken_back_counts_no_more_unless_another_place_has_answered_it() {
        let (web, own) = (sent(1, SearchedIn::Web), sent(2, SearchedIn::Knowledge));
        let mut search = under_way(2, [web, own.clone()]);
        assert_eq!(search.queries(BOTH), 1);
        search.take_back();
        assert_eq!((search.count, search.own_count, search.queries(BOTH)), (0, 0, 0));
        assert_eq!(search.queue.len(), 2);
        let mut search = under_way(2, [own]);
        search.take_back();
        assert_eq!((search.count, search.own_count, search.queries(BOTH)), (1, 0, 1));
    }

    #[test]
    fn queries_that_one_of_two_places_had_alone_are_as_many_as_it_had() {
        let texts = ["elm", "oak", "yew"].map(|text| (text.to_owned(), 1)).into();
        let search = Search { count: 3, texts, ..Search::default() };
        assert_eq!(search.queries(BOTH), 3, "no vector had room, say");
        let of_before = Search { count: 3, ..Search::default() };
        assert_eq!(of_before.queries(BOTH), 2, "nobody knew where they went");
    }
}
