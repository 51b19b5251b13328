//! What was heard of sources so far: what is new is compared with it, and is a copy of it or is none.
//!
//! Border: citations with their sources in, copies out.

use super::{Originals, canonical, is_original, is_primary, number, numbered};
use crate::run::policy::shingles::{Likeness, Shingles, Text};
use quarry_events::run::Citation;
use quarry_evidence::{Published, Source};
use quarry_types::fnv::bits64;
use quarry_types::order;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What was heard so far, in the order of the numbers: what copies it is told by this.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// Each with its number and what it said, by which a change is noticed.
    texts: Vec<(usize, u64)>,
    /// Its name and its voice.
    names: Vec<(String, String)>,
    addresses: BTreeMap<String, (String, String)>,
    shingles: Shingles,
    /// Citations that were looked at.
    citations: usize,
    /// Changes of sources that were looked at.
    changes: usize,
}

/// What a source says.
fn body(source: Option<&Source>) -> Cow<'_, str> {
    source.map(Source::body).unwrap_or_default()
}

/// The same, as far as that tells whether it says otherwise now. Its length would not: what is read may be as long as what
/// was known of it, and whoever takes the run up hears what is there.
fn mark(body: &str) -> u64 {
    bits64(body.bytes())
}

impl Heard {
    /// Takes in what was described since, or all anew where what was heard is no longer what is there. `changed` are the
    /// numbers of sources that came to say otherwise, each time they did.
    pub fn take_in(&mut self, citations: &[Citation], (sources, changed): (&[Source], &[usize])) {
        let is_as_heard = |n: &usize| {
            let heard = self.texts.binary_search_by_key(n, |(n, _)| *n);
            let heard = heard.ok().and_then(|at| self.texts.get(at));
            heard.is_none_or(|(_, heard)| *heard == mark(&body(numbered(sources, *n))))
        };
        let changes = changed.get(self.changes..);
        // What is described stays a copy, or none.
        let stays = self.citations <= citations.len()
            && changes.is_some_and(|changes| changes.iter().all(is_as_heard));
        let mut new = if stays { originals(citations, self.citations) } else { Vec::new() };
        let last = self.texts.last().map(|(n, _)| *n);
        // They are heard in the order of their numbers.
        if !stays || new.first().zip(last).is_some_and(|((first, _), last)| *first < last) {
            *self = Heard::default();
            new = originals(citations, 0);
        }
        for (n, place) in new {
            let Some(citation) = citations.get(place) else { continue };
            let body = body(numbered(sources, n));
            self.hear(citation, (n, mark(&body)), &Shingles::of(&body));
        }
        (self.citations, self.changes) = (citations.len(), changed.len());
    }

    fn hear(&mut self, citation: &Citation, text: (usize, u64), shingles: &Text) {
        let name = (citation.citation_id.clone(), citation.voice.clone());
        self.addresses.entry(canonical(&citation.url)).or_insert_with(|| name.clone());
        self.names.push(name);
        self.shingles.keep(shingles);
        self.texts.push(text);
    }

    fn unhear_last(&mut self, citation: &Citation, shingles: &Text) {
        self.texts.pop();
        self.names.pop();
        self.shingles.forget_last(shingles);
        let address = canonical(&citation.url);
        if self.addresses.get(&address).is_some_and(|(id, _)| *id == citation.citation_id) {
            self.addresses.remove(&address);
        }
    }

    /// Finds what is said twice: equal addresses, and texts that are alike. What was described before was heard
    /// first, so that none of it becomes a copy of what is new; of that, the original, as far as they say.
    pub fn judge_copies<'c>(
        &mut self,
        candidates: &mut [Citation],
        new: Vec<usize>,
        sources: &[Source],
        originals: Originals,
        known: &dyn Fn(&str) -> Option<&'c Citation>,
    ) {
        let mut new: Vec<(usize, Citation)> =
            new.into_iter().filter_map(|at| Some((at, candidates.get(at)?.clone()))).collect();
        order::sort_by(&mut new, |(_, one), (_, other)| {
            let date = |it: &Citation| it.published.as_deref().and_then(Published::parse);
            // What has no date that can be read comes last.
            let is_other = |it: &Citation| originals == Originals::Oldest && !is_primary(it);
            let key = |it: &Citation| (is_other(it), date(it).is_none(), date(it), number(it));
            key(one).cmp(&key(other))
        });
        let mut heard: Vec<(Citation, Text)> = Vec::new();
        for (at, mut citation) in new {
            let body = body(numbered(sources, number(&citation)));
            let text = Shingles::of(&body);
            let found = self.origin(&citation, &text);
            // Of what was described before it may be the original: then it is read, and they are one voice.
            let found = found.map(|((id, voice), is_copy)| {
                let is_original = originals == Originals::Oldest
                    && known(&id).is_some_and(|known| is_original(&citation, known));
                ((id, voice), is_copy && !is_original)
            });
            let is_copy = matches!(found, Some((_, true)));
            if let Some(((id, voice), is_copy)) = found {
                citation.voice = voice;
                citation.duplicate_of = is_copy.then_some(id);
            }
            if !is_copy {
                self.hear(&citation, (number(&citation), mark(&body)), &text);
                heard.push((citation.clone(), text));
            }
            if let Some(candidate) = candidates.get_mut(at) {
                *candidate = citation;
            }
        }
        // They count in the order of their numbers once they are described.
        for (citation, text) in heard.iter().rev() {
            self.unhear_last(citation, text);
        }
    }

    /// What says the same: its name and its voice, and whether the citation is its copy.
    fn origin(&self, citation: &Citation, text: &Text) -> Option<((String, String), bool)> {
        if let Some(same) = self.addresses.get(&canonical(&citation.url)) {
            return Some((same.clone(), true));
        }
        let (at, is_copy) = match self.shingles.like(text) {
            Likeness::Copy(at) => (at, true),
            Likeness::Extends(at) => (at, false),
            Likeness::None => return None,
        };
        Some((self.names.get(at)?.clone(), is_copy))
    }
}

/// What is no copy, from this place on: numbers and places, in the order of the numbers.
fn originals(citations: &[Citation], from: usize) -> Vec<(usize, usize)> {
    let new = citations.iter().enumerate().skip(from);
    let originals = new.filter(|(_, it)| it.duplicate_of.is_none());
    let mut originals: Vec<(usize, usize)> =
        originals.map(|(place, it)| (number(it), place)).collect();
    originals.sort_unstable();
    originals
}
