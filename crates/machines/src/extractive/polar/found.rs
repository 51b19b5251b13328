//! How a clause says what a question asks of its subject.
//!
//! Border: a clause that is about the same, and what is asked of it; where its words stand, and whether they
//! are denied, out. Words besides that would restrict what is said leave it open.

use super::trial::Trial;
use super::words;
use std::ops::Range;

/// Where the words of a question stand in a clause.
#[derive(Default)]
pub(super) struct Found {
    /// Behind the last of them.
    pub next: usize,
    /// Whether the last of them are in a part that denies them.
    pub is_denied: bool,
}

impl Trial<'_> {
    /// Finds what the question says of its subject, in order. What is not said there may stand above, but for
    /// the first word. Words besides restrict what is said, unless they are members of one list.
    pub(super) fn find(
        &self,
        asked: &mut Vec<usize>,
        region: Range<usize>,
        is_state: bool,
    ) -> Option<Found> {
        let said = &self.reading.said;
        let mut found = Found { next: region.start, ..Found::default() };
        let mut from = region.start;
        let mut is_first = true;
        // `closed` for `open` denies it.
        let mut is_opposite = false;
        // `refused to sign it`
        let stands_for =
            region.clone().take(2).find(|at| words::is_object(self.sentence.word(*at)));
        if let Some(at) = stands_for.filter(|_| !is_state && !asked.is_empty())
            && asked.iter().all(|at| self.is_above(*at))
        {
            return Some(Found { next: at + 1, is_denied: false });
        }
        for at in asked.drain(..) {
            let place = (from..region.end).find(|it| self.is_word(at, *it, is_first && is_state));
            let Some(place) = place else {
                if is_first || !self.is_above(at) {
                    return None;
                }
                continue;
            };
            let floor = region.start;
            let is_loose = !is_state && !self.is_asked_now() && !self.is_denied();
            if !self.is_same_role(at, place, floor) || !self.is_next(from..place, place, is_loose) {
                return None;
            }
            found.is_denied = self.is_denied_word(place, &region, found.is_denied)?;
            if is_first && words::are_opposite(said.both(at), self.sentence.both(place)) {
                is_opposite = true;
            }
            from = place + 1;
            found.next = place + 1;
            is_first = false;
        }
        found.is_denied ^= is_opposite;
        Some(found)
    }

    fn is_denied(&self) -> bool {
        self.clause.group.as_ref().is_some_and(|group| group.is_denied)
    }

    fn is_word(&self, asked: usize, at: usize, may_be_opposite: bool) -> bool {
        let said = &self.reading.said;
        (self.sentence.root(at) == said.root(asked) && !self.sentence.is_figure(at))
            || (may_be_opposite && words::are_opposite(said.both(asked), self.sentence.both(at)))
    }

    /// Whether a word is denied where it stands; none where it no longer is, though one before it was.
    fn is_denied_word(&self, at: usize, region: &Range<usize>, before: bool) -> Option<bool> {
        let is_in_end = at >= self.clause.denied_from;
        let no = (region.start..at).any(|at| self.sentence.word(at) == "no");
        let is_denied = is_in_end || no;
        (is_denied || !before).then_some(is_denied)
    }

    /// Whether nothing stands between two words of the question that changes what is said.
    /// Of what happened once, more may be said: `moved from Kiel to Ulm`.
    fn is_next(&self, between: Range<usize>, place: usize, is_loose: bool) -> bool {
        // What `not` stands against is not asked for.
        let is_against =
            place >= self.clause.denied_from && between.start < self.clause.denied_from;
        let is_listed = |at: usize| {
            self.sentence.gap(at + 1).contains(',')
                || matches!(self.sentence.word(at + 1), "and" | "or")
        };
        let from = between.start;
        let is_aside = |at: usize| is_loose && self.sentence.preposition(at, from).is_some();
        let mut between = between;
        is_against
            || between.all(|at| {
                let is_small =
                    !self.sentence.is_content(at) && !words::is_auxiliary(self.sentence.word(at));
                is_small || is_listed(at) || is_aside(at)
            })
    }

    /// Whether a word depends on the preposition that it depends on in the question.
    fn is_same_role(&self, asked: usize, at: usize, floor: usize) -> bool {
        let said = &self.reading.said;
        let one = said.preposition(asked, self.split);
        let other = self.sentence.preposition(at, floor);
        match (one, other) {
            (Some(one), Some(other)) => {
                one == other || !(words::is_of_direction(one) || words::is_of_direction(other))
            }
            (None, None) => true,
            (Some(one), None) => !words::is_of_direction(one),
            (None, Some(_)) => false,
        }
    }

    /// Whether what was found stands, and is denied.
    pub(super) fn settle(
        &self,
        is_denied: bool,
        found: &Found,
        region: Range<usize>,
    ) -> Option<bool> {
        if is_denied && found.is_denied {
            return None;
        }
        let is_denied = is_denied || found.is_denied;
        let next = found.next;
        // `open air` is not `open`.
        if next < region.end
            && self.sentence.is_content(next)
            && !self.sentence.gap(next).contains(',')
        {
            return None;
        }
        // What is said against another thing is no part of what is said of this one.
        let is_before_end = next <= self.clause.denied_from;
        let end = if is_before_end { region.end.min(self.clause.denied_from) } else { region.end };
        let is_since = |at: &usize| self.sentence.word(*at) == "since";
        let mut rest = next..(next..end).find(is_since).unwrap_or(end);
        let opens_list = self.sentence.gap(next).contains(',')
            || matches!(self.sentence.word(next), "and" | "or");
        let is_list = opens_list
            && rest.clone().all(|at| {
                !words::is_preposition(self.sentence.word(at)) && !self.sentence.is_figure(at)
            });
        let says_more = |at: usize| self.sentence.is_content(at) || self.sentence.is_figure(at);
        let is_own = |at: usize| self.reading.has(self.sentence.root(at));
        // A denial holds of all that it denies together, and what is so now may be so only there and then.
        let is_strict = is_denied || self.is_asked_now();
        if is_strict && !is_list && rest.any(|at| says_more(at) && !is_own(at)) {
            return None;
        }
        (!(is_strict && self.clause.is_fronted)).then_some(is_denied)
    }
}
