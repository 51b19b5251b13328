//! Which queries a node searches for.

use super::time::names_year;
use super::{Intent, is_time_sensitive};
use crate::core::reply;
use crate::extractive;
use quarry_events::run::By;
use quarry_types::{Knobs, Timestamp};
use std::collections::BTreeSet;

/// Characters of a query.
const QUERY_CHARACTERS: usize = 400;
/// Queries that are read of a reply.
const MOST_READ: usize = 32;
/// What stands around a query in a list, and is none of it.
const AROUND: &[char] = &['-', '*', '•', '`', ' '];

/// What a model wants to be searched for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proposal {
    /// The queries; none where it named none.
    pub queries: Vec<String>,
    /// Whether what they ask changes with time, where it said so.
    pub time_sensitive: Option<bool>,
    /// Whether they are to be searched for though their like was, where it said so.
    pub recheck: Option<bool>,
}

/// What a model's reply proposes.
#[must_use]
pub fn read_reply(text: &str) -> Proposal {
    let Some(value) = reply::object(text, "queries") else { return Proposal::default() };
    let named = |name| reply::texts_of(&value, name, MOST_READ);
    Proposal {
        queries: named("queries").or_else(|| named("query")).unwrap_or_default(),
        time_sensitive: reply::flag_of(&value, "time_sensitive"),
        recheck: reply::flag_of(&value, "recheck"),
    }
}

/// The queries of a node, 1 to `max_queries_per_node`, and who chose them: the proposed ones, or those of the
/// question's own words, and of what a person added last, where no proposed one can be used. None only for a question
/// without any word.
#[must_use]
pub fn choose(
    proposed: &[String],
    (question, added): (&str, Option<&str>),
    knobs: &Knobs,
    now: Timestamp,
) -> (Vec<String>, By) {
    let mut chosen = Chosen::with_room(knobs.max_queries_per_node);
    proposed.iter().for_each(|query| chosen.add(query));
    if !chosen.queries.is_empty() {
        return (chosen.queries, By::Model);
    }
    let own = extractive::queries(question);
    let added = added.map(extractive::queries).unwrap_or_default();
    let (first, rest) = own.split_at(own.len().min(1));
    first.iter().chain(added.first()).chain(rest).for_each(|query| chosen.add(query));
    // Search engines rank what is old and much linked to first, unless a year is named.
    if let Some(first) =
        own.first().filter(|_| is_time_sensitive(question, now) && !names_year(question))
    {
        chosen.add(&format!("{first} {}", now.year().floor()));
    }
    if chosen.queries.is_empty() {
        chosen.add(question);
    }
    (chosen.queries, By::Rule)
}

struct Chosen {
    queries: Vec<String>,
    intents: BTreeSet<Intent>,
    room: usize,
}

impl Chosen {
    fn with_room(most: u32) -> Self {
        let room = usize::try_from(most.max(1)).unwrap_or(usize::MAX);
        Chosen { queries: Vec::new(), intents: BTreeSet::new(), room }
    }

    fn add(&mut self, query: &str) {
        if self.queries.len() >= self.room {
            return;
        }
        let query = trimmed(query);
        if query.contains(char::is_alphanumeric) && self.intents.insert(Intent::of(&query)) {
            self.queries.push(query);
        }
    }
}

/// On one line, without what stands around it in a list, not longer than a query may be.
fn trimmed(query: &str) -> String {
    let query = query.trim_start_matches(AROUND).trim_end_matches(['`', ' ']);
    let mut kept = String::new();
    let mut characters = 0;
    for word in query.split(|c: char| c.is_whitespace() || c.is_control()) {
        let blank = usize::from(!kept.is_empty());
        let length = word.chars().count();
        if word.is_empty() {
            continue;
        }
        if characters + blank + length > QUERY_CHARACTERS {
            if kept.is_empty() {
                kept.extend(word.chars().take(QUERY_CHARACTERS));
            }
            break;
        }
        if blank > 0 {
            kept.push(' ');
        }
        kept.push_str(word);
        characters += blank + length;
    }
    kept
}
