//! What a run has found so far: sources, findings, conflicts, and what was searched for.

use super::Brief;
use super::found::Claims;
use super::policy::search::{Asked, Memory};
use super::policy::{contradiction, decomposition, quality};
use quarry_events::run::{Citation, ConflictFound, Finding, Role, SearchedIn};
use quarry_evidence::cite::Room;
use quarry_evidence::{Evidence, Source};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Bytes of what was read that a run keeps of all its sources together.
const MOST_BYTES: usize = 1024 * 1024;

/// Bytes that it keeps of each source though there is no more room.
const OF_EACH: usize = 4 * 1024;

/// What follows from the rest of a run, kept so that a step costs the same however long the run is. It is made
/// anew where it is lost: it is no part of the state, and a copy begins without it.
#[derive(Debug, Default)]
pub struct Derived {
    /// The citations.
    pub known: quality::Known,
    /// The sentences of the findings.
    pub heard: contradiction::Heard,
    /// The questions of the tree.
    pub questions: decomposition::Questions,
    /// What was claimed.
    pub(super) claims: Claims,
    /// What a model is shown of what it reads now.
    pub(super) excerpts: Option<Excerpts>,
    /// What contradicts what, and how many conflicts that was taken from.
    quotes: (usize, BTreeSet<[String; 2]>),
}

/// Of which sources, for which question and in which room a text shows the best passages.
#[derive(Debug)]
pub(super) struct Excerpts {
    pub question: String,
    pub numbers: Vec<usize>,
    pub room: Room,
    pub text: String,
}

impl Excerpts {
    pub fn are_of(&self, question: &str, numbers: &[usize], room: Room) -> bool {
        self.question == question && self.numbers == numbers && self.room == room
    }
}

impl Clone for Derived {
    fn clone(&self) -> Self {
        Derived::default()
    }
}

impl PartialEq for Derived {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Who was away when something failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Away<'a> {
    /// A provider, or a place that is searched. Each counts once.
    Provider(&'a str),
    /// Nobody: it failed for another reason.
    Nobody,
    /// Whatever is said of it is another one: in runs of before revision 6.
    AsOften,
}

/// What a run has found so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gathered {
    /// The sources, by number.
    pub evidence: Evidence,
    /// Those of them that were ranked, as events show them.
    pub citations: Vec<Citation>,
    /// Every finding, in the order of their making.
    pub findings: Vec<Finding>,
    /// Findings that contradict each other.
    pub conflicts: Vec<ConflictFound>,
    /// What the web was searched for.
    pub memory: Memory,
    /// What documents of one's own were searched for.
    #[serde(default)]
    pub own_memory: Memory,
    /// What was down or had to be replaced, a sentence each.
    pub penalties: Vec<String>,
    /// Providers that were away.
    pub outages: u32,
    /// Their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub away: Vec<String>,
    /// Waits for a provider, when nothing could be searched for.
    #[serde(default)]
    pub waits: usize,
    /// Steps that rules did because a model could not.
    pub fallbacks: u32,
    /// Models that a step took a reply of, with what for, in the order of their first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub used: Vec<(Role, String)>,
    /// Queries that were searched for, and those that an earlier one answered.
    pub queries: (u64, u64),
    /// What follows from it.
    #[serde(skip)]
    pub derived: Derived,
}

impl Default for Gathered {
    fn default() -> Self {
        Gathered {
            evidence: Evidence::with_room(MOST_BYTES),
            citations: Vec::new(),
            findings: Vec::new(),
            conflicts: Vec::new(),
            memory: Memory::default(),
            own_memory: Memory::default(),
            penalties: Vec::new(),
            outages: 0,
            away: Vec::new(),
            waits: 0,
            fallbacks: 0,
            used: Vec::new(),
            queries: (0, 0),
            derived: Derived::default(),
        }
    }
}

impl Gathered {
    /// Nothing yet. In the evidence of runs of before, what was read last counted as not read.
    #[must_use]
    pub fn of(brief: &Brief) -> Self {
        let evidence = Evidence::with_room(MOST_BYTES);
        let evidence = match brief.is_since(1) {
            true => evidence.keeping_of_each(OF_EACH),
            false => evidence,
        };
        Gathered { evidence, ..Gathered::default() }
    }

    /// The sources with these numbers, in this order.
    #[must_use]
    pub fn sources(&self, numbers: &[usize]) -> Vec<Source> {
        numbers.iter().filter_map(|n| self.source(*n)).cloned().collect()
    }

    fn source(&self, n: usize) -> Option<&Source> {
        n.checked_sub(1).and_then(|at| self.evidence.sources().get(at))
    }

    /// Bytes of what is kept of a source.
    #[must_use]
    pub fn bytes(&self, n: usize) -> usize {
        self.source(n).map_or(0, |source| source.content.bytes())
    }

    /// The citation of this name.
    #[must_use]
    pub fn citation(&self, id: &str) -> Option<&Citation> {
        let is_it = |citation: &&Citation| citation.citation_id == id;
        let known = self.derived.known.place(id).and_then(|place| self.citations.get(place));
        known.filter(is_it).or_else(|| self.citations.iter().find(is_it))
    }

    /// Describes a source, or anew.
    pub fn cite(&mut self, citation: &Citation) {
        self.derived.known.take_in(&self.citations);
        let place = self.derived.known.place(&citation.citation_id);
        match place.and_then(|place| self.citations.get_mut(place)) {
            Some(known) => *known = citation.clone(),
            None => self.citations.push(citation.clone()),
        }
    }

    /// Whether any search was answered, be it with nothing.
    #[must_use]
    pub fn was_answered(&self) -> bool {
        self.asked().any(|asked| !asked.failed)
    }

    /// What was searched for, wherever.
    pub fn asked(&self) -> impl Iterator<Item = &Asked> {
        self.memory.asked().chain(self.own_memory.asked())
    }

    /// What was searched for in this place.
    #[must_use]
    pub const fn memory_of(&self, place: SearchedIn) -> &Memory {
        match place {
            SearchedIn::Web => &self.memory,
            SearchedIn::Knowledge => &self.own_memory,
        }
    }

    /// The same, to be added to.
    pub const fn memory_of_mut(&mut self, place: SearchedIn) -> &mut Memory {
        match place {
            SearchedIn::Web => &mut self.memory,
            SearchedIn::Knowledge => &mut self.own_memory,
        }
    }

    /// Whether nobody has found yet that these two contradict each other.
    pub fn is_new_conflict(&mut self, found: &ConflictFound) -> bool {
        let quotes = |it: &ConflictFound| {
            let mut both = [it.conflict.one.quote.clone(), it.conflict.other.quote.clone()];
            both.sort_unstable();
            both
        };
        let (count, known) = &mut self.derived.quotes;
        known.extend(self.conflicts.iter().skip(*count).map(quotes));
        *count = self.conflicts.len();
        !known.contains(&quotes(found))
    }

    /// Findings that rest on evidence.
    #[must_use]
    pub fn verified(&self) -> u64 {
        self.derived.claims.verified(&self.findings)
    }

    /// Notes what failed or had to be replaced, once, and who was away then.
    pub fn note_failure(&mut self, what: String, away: Away<'_>) {
        let is_new = !self.penalties.contains(&what);
        self.outages += match away {
            Away::Nobody => 0,
            Away::AsOften => u32::from(is_new),
            Away::Provider(name) if self.away.iter().any(|it| it == name) => 0,
            Away::Provider(name) => {
                self.away.push(name.to_owned());
                1
            }
        };
        if is_new {
            self.penalties.push(what);
        }
    }

    /// Notes that a step took a model's reply, once.
    pub fn note_used(&mut self, role: Role, model: String) {
        let used = (role, model);
        if !self.used.contains(&used) {
            self.used.push(used);
        }
    }

    /// The sources that the run described, with what was read of them.
    #[must_use]
    pub fn cited_sources(&self) -> Vec<Source> {
        let numbers: Vec<usize> = self
            .citations
            .iter()
            .filter_map(|citation| quality::source_number(&citation.citation_id))
            .collect();
        self.sources(&numbers)
    }
}
