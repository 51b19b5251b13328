//! Whether a sentence says what a question asks, or denies it.
//!
//! Border: a reading of a question and a sentence with what stands around it in; that it is so, that it is not,
//! or nothing, out. What is not said of the same thing, in the same role and without conditions says nothing.

use super::asked::{Moment, Opening, Reading};
use super::clause::{Group, Sentence, Tense};
use super::trial::{Setting, Trial};
use super::words;
use quarry_evidence::verify::{Figures, Measure, is_same};
use std::ops::Range;

/// That a clause fits a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fit {
    pub is_denied: bool,
    /// Where in the sentence, in tokens.
    pub clause: Range<usize>,
}

/// All ways in which the clauses of a sentence fit a reading.
pub(super) fn fits(reading: &Reading, sentence: &Sentence<'_>, setting: &Setting<'_>) -> Vec<Fit> {
    let mut fits: Vec<Fit> = Vec::new();
    for clause in &sentence.clauses {
        for split in reading.first_split()..reading.said.tokens.len() {
            let word = reading.said.word(split);
            if !reading.said.is_content(split) && !words::is_be(word) && !words::is_have(word) {
                continue;
            }
            let trial = Trial { reading, sentence, clause, setting, split };
            if let Some(is_denied) = trial.fit() {
                fits.push(Fit { is_denied, clause: clause.range.clone() });
                break;
            }
        }
    }
    fits
}

fn is_all(word: &str) -> bool {
    matches!(word, "all" | "each" | "every")
}

impl Trial<'_> {
    fn fit(&self) -> Option<bool> {
        if !self.has_figures() || self.takes_back() {
            return None;
        }
        let subject = self.clause.subject.clone();
        let denies = |at: &usize| {
            let word = self.sentence.word(*at);
            matches!(word, "no" | "none" | "nobody" | "nothing" | "neither" | "not")
                && self.sentence.word(*at + 1) != "longer"
        };
        let denied = || self.said().filter(|is_denied| !is_denied).map(|_| true);
        match subject.clone().find(denies) {
            None if self.is_outranked() => denied(),
            None => self.said(),
            // `Not all shops are open`, where it is asked of all.
            Some(at) if at == subject.start && self.sentence.word(at) == "not" => {
                denied().filter(|_| self.asks_of_all() && is_all(self.sentence.word(at + 1)))
            }
            // `No dogs are allowed`.
            Some(at) if at == subject.start && self.sentence.word(at) == "no" => denied(),
            Some(_) => None,
        }
    }

    fn asks_of_all(&self) -> bool {
        (0..self.count()).any(|at| is_all(self.reading.said.word(at)))
    }

    /// Whether the clause says of what is asked to be the tallest that it is the second tallest.
    fn is_outranked(&self) -> bool {
        let is_highest = |at: usize| {
            let word = self.sentence.word(at);
            let ends_so = word.len() > 4 && word.ends_with("est");
            (ends_so || matches!(word, "most" | "least" | "best" | "worst"))
                && self.reading.said.tokens.iter().any(|token| token.word == word)
        };
        let ranks = |said: &Figures| -> Vec<(usize, f64)> {
            let ranks = said.quantities.iter().filter(|it| it.measure == Measure::Ordinal);
            ranks.map(|it| (it.at + it.length, it.value)).collect()
        };
        let asked = ranks(&self.reading.said.figures);
        ranks(&self.sentence.figures).into_iter().any(|(next, rank)| {
            let is_asked = asked.iter().any(|(_, asked)| is_same(*asked, rank));
            self.clause.range.contains(&next) && rank > 1.0 && !is_asked && is_highest(next)
        })
    }

    fn said(&self) -> Option<bool> {
        let group = self.clause.group.as_ref();
        if group.is_some_and(|it| it.range.clone().any(|at| self.sentence.word(at) == "being")) {
            return None;
        }
        match self.reading.opening {
            Opening::Be(_) if self.reading.is_there => self.there(group?),
            Opening::Be(tense) => {
                let state = group.filter(|it| it.is_be && it.modal.is_none());
                state.and_then(|group| self.state(group, tense)).or_else(|| self.done(tense))
            }
            Opening::Do(tense) => self.act(tense).or_else(|| self.suffered(tense)),
            Opening::May => self.allowed(group?),
            Opening::Will => {
                let group = group.filter(|it| it.tense == Tense::Future)?;
                self.with_modal(group).or_else(|| self.done(Tense::Future))
            }
        }
    }

    /// Numbers and dates of the question stand in the clause, and no other moment before them.
    fn has_figures(&self) -> bool {
        let (asked, said) = (&self.reading.said.figures, &self.sentence.figures);
        let from = match self.clause.is_fronted {
            true => 0,
            false => self.clause.range.start,
        };
        let here = from..self.clause.denied_from.min(self.clause.range.end);
        let dates = || said.dates.iter().filter(|date| here.contains(&date.at));
        let quantities = || said.quantities.iter().filter(|it| here.contains(&it.at));
        let first = |at: usize| {
            let years = quantities().filter(|it| Moment::of_year(it).is_some()).map(|it| it.at);
            dates().map(|date| date.at).chain(years).all(|other| other >= at)
        };
        asked.dates.iter().all(|date| dates().any(|it| date.is_within(it) && first(it.at)))
            && asked.quantities.iter().filter(|it| !it.is_vague).all(|quantity| {
                let is_year = Moment::of_year(quantity).is_some();
                let said = |it: usize| !is_year || first(it);
                quantities().any(|it| quantity.is_said_by(it) && it.covers.is_none() && said(it.at))
                    || dates().any(|date| {
                        date.year.is_some_and(|year| quantity.has_year(year)) && said(date.at)
                    })
            })
    }

    fn takes_back(&self) -> bool {
        let mut clause = self.clause.range.clone();
        clause.any(|at| {
            words::takes_back(self.sentence.word(at)) && !self.reading.has(self.sentence.root(at))
        })
    }

    // What is said of it

    /// `is open to lorries`, `was built in 1931`.
    fn state(&self, group: &Group, tense: Tense) -> Option<bool> {
        if !self.is_in_time(group, tense) {
            return None;
        }
        let mut said: Vec<usize> = self.asked(self.split..self.count()).collect();
        if said.is_empty() && self.reading.said.figures.quantities.is_empty() {
            return None;
        }
        if !self.is_about(self.clause.subject.clone()) {
            return None;
        }
        let behind = group.range.end.max(self.clause.range.start)..self.clause.range.end;
        let found = self.find(&mut said, behind.clone(), true)?;
        self.settle(group.is_denied, &found, behind)
    }

    /// `The council built the dam` says that the dam was built, and who did not build it says nothing.
    fn done(&self, tense: Tense) -> Option<bool> {
        let said = &self.reading.said;
        let mut words = self.clause.range.clone();
        let group = self.clause.group.as_ref();
        let is_open = words.any(|at| words::is_negation(self.sentence.word(at)))
            || (0..self.count()).any(|at| said.word(at) == "by")
            || group.is_some_and(|group| group.is_be);
        if is_open || tense == Tense::Present {
            return None;
        }
        let at = self.verb(self.split, group)?;
        let is_it = self.sentence.root(at) == said.root(self.split);
        let is_in_time = match group {
            Some(group) if tense == Tense::Future => group.tense == tense,
            Some(group) => self.is_in_time(group, tense),
            None => self.is_verb_in_time(at, tense),
        };
        if !is_it || !is_in_time || self.sentence.word(at.wrapping_sub(1)) == "to" {
            return None;
        }
        let rest: Vec<usize> = self.asked(self.split + 1..self.count()).collect();
        let mut asked: Vec<usize> = self.asked(0..self.split).chain(rest).collect();
        let behind = at + 1..self.clause.range.end;
        let starts = asked.first().copied()?;
        let is_first = |place: usize| self.sentence.root(place) == said.root(starts);
        let first = behind.clone().find(|place| self.sentence.is_content(*place));
        if !first.is_some_and(is_first) {
            return None;
        }
        let object = Trial { split: 0, ..*self };
        let found = object.find(&mut asked, behind.clone(), false)?;
        self.settle(found.is_denied, &found, behind).filter(|is_denied| !is_denied)
    }

    /// `There is a sauna at the baths`.
    fn there(&self, group: &Group) -> Option<bool> {
        let Opening::Be(tense) = self.reading.opening else { return None };
        let is_there =
            (self.clause.range.start..group.range.end).any(|at| self.sentence.word(at) == "there");
        if !group.is_be || group.modal.is_some() || !is_there || !self.is_in_time(group, tense) {
            return None;
        }
        if self.split != self.asked(0..self.count()).next()? {
            return None;
        }
        let mut said: Vec<usize> = self.asked(0..self.count()).collect();
        let behind = group.range.end..self.clause.range.end;
        let found = self.find(&mut said, behind.clone(), true)?;
        self.settle(group.is_denied, &found, behind)
    }

    /// `The council paid for the bridge`.
    fn act(&self, tense: Tense) -> Option<bool> {
        let verb = self.split;
        let group = self.clause.group.as_ref();
        let at = self.verb(verb, group)?;
        let is_own = group.is_some_and(|group| at < group.range.end);
        let is_in_time = match group {
            // `has closed` is nothing that it has.
            Some(group) if is_own => group.tense != Tense::Perfect,
            Some(group) => !group.is_be && group.modal.is_none(),
            None => true,
        };
        let tensed = match group {
            Some(group) => self.is_in_time(group, tense),
            None => self.is_verb_in_time(at, tense),
        };
        if !is_in_time || !tensed {
            return None;
        }
        let (mut is_denied, subject) = self.before_verb(at, group)?;
        if words::are_opposite(self.reading.said.both(verb), self.sentence.both(at)) {
            // What did not fall need not have risen.
            if is_denied {
                return None;
            }
            is_denied = true;
        }
        if !self.is_about(subject) {
            return None;
        }
        let mut said: Vec<usize> = self.asked(verb + 1..self.count()).collect();
        let behind = at + 1..self.clause.range.end;
        let found = self.find(&mut said, behind.clone(), false)?;
        self.settle(is_denied, &found, behind)
    }

    /// Whether what stands before a verb denies it, and what it is said of; none where the verb is only
    /// wanted or tried.
    fn before_verb(&self, at: usize, group: Option<&Group>) -> Option<(bool, Range<usize>)> {
        if let Some(group) = group {
            return (at <= group.range.end).then(|| (group.is_denied, self.clause.subject.clone()));
        }
        let (before, second) =
            (self.sentence.word(at.wrapping_sub(1)), self.sentence.word(at.wrapping_sub(2)));
        if before == "to" {
            let is_refused =
                matches!(second, "refused" | "refuses" | "failed" | "fails" | "declined");
            let from = at.checked_sub(2)?;
            let subject = self.clause.subject.start..self.clause.subject.end.min(from);
            return is_refused.then_some((true, subject));
        }
        let is_negated = words::is_negation(before) || (before == "longer" && second == "no");
        let first = (self.clause.range.start..at).rev().take_while(|at| {
            words::is_filler(self.sentence.word(*at)) && self.sentence.word(*at) != "and"
        });
        let from = first.last().unwrap_or(at);
        let subject = self.clause.subject.start..self.clause.subject.end.min(from);
        // What goes on with the clause before is about the same.
        let subject = if subject.is_empty() { self.clause.subject.clone() } else { subject };
        Some((is_negated, subject))
    }

    /// Where the question's verb stands.
    fn verb(&self, verb: usize, group: Option<&Group>) -> Option<usize> {
        let said = &self.reading.said;
        let is_it = |at: &usize| {
            self.sentence.root(*at) == said.root(verb)
                || (words::is_have(said.word(verb)) && words::is_have(self.sentence.word(*at)))
                || words::are_opposite(said.both(verb), self.sentence.both(*at))
        };
        let from = group.map_or(self.clause.range.start, |group| group.range.start);
        let behind = |at: usize| group.is_none_or(|group| at <= group.range.end);
        let mut places = from..self.clause.denied_from.min(self.clause.range.end);
        places.find(|at| is_it(at) && (!self.sentence.is_figure(*at))).filter(|at| behind(*at))
    }

    /// `The bridge was paid for by the council`: the council paid for the bridge.
    fn suffered(&self, tense: Tense) -> Option<bool> {
        let group = self.clause.group.as_ref().filter(|it| it.is_be && it.modal.is_none())?;
        let verb = self.split;
        if self.sentence.root(group.range.end) != self.reading.said.root(verb)
            || !self.is_in_time(group, tense)
        {
            return None;
        }
        let object: Vec<usize> = self.asked(verb + 1..self.count()).collect();
        let whom: Vec<usize> = self.asked(0..verb).collect();
        if object.is_empty() || whom.is_empty() {
            return None;
        }
        let object_trial = Trial { split: self.count(), ..*self };
        if !object_trial.names(self.sentence, self.clause.subject.clone(), self.clause, &object) {
            return None;
        }
        let behind = group.range.end + 1..self.clause.range.end;
        let by = behind.clone().filter(|at| self.sentence.word(*at) == "by");
        for by in by {
            let agent = by + 1..self.agent_end(by + 1, behind.end);
            if self.is_agent(agent.clone(), &whom) {
                let is_denied = by >= self.clause.denied_from;
                return match (group.is_denied, is_denied) {
                    (true, true) => None,
                    (true, false) if agent.end < behind.end => None,
                    (one, other) => Some(one || other),
                };
            }
        }
        None
    }

    /// Whether these words name who did it, and nobody else.
    fn is_agent(&self, agent: Range<usize>, whom: &[usize]) -> bool {
        let roots: Vec<&str> = agent
            .filter(|at| self.sentence.is_content(*at))
            .map(|at| self.sentence.root(at))
            .collect();
        let asked: Vec<&str> = whom.iter().map(|at| self.reading.said.root(*at)).collect();
        !roots.is_empty()
            && roots.iter().all(|root| asked.contains(root) || self.setting.above.contains(*root))
            && whom
                .iter()
                .all(|at| roots.contains(&self.reading.said.root(*at)) || self.is_above(*at))
            && roots.iter().any(|root| asked.contains(root))
            && self.head(whom).is_none_or(|head| roots.contains(&self.reading.said.root(head)))
    }

    /// Where the words end that name who did it.
    fn agent_end(&self, from: usize, end: usize) -> usize {
        let ends = |at: &usize| {
            let word = self.sentence.word(*at);
            self.sentence.gap(*at).contains(',')
                || (words::is_preposition(word) && word != "of")
                || words::is_negation(word)
                || matches!(word, "and" | "or")
        };
        (from + 1..end).find(ends).unwrap_or(end)
    }

    /// `Dogs are not allowed`, `Visitors may bring dogs`.
    fn allowed(&self, group: &Group) -> Option<bool> {
        let modal = self.sentence.word(group.modal?);
        let must_not = modal == "must" && group.is_denied;
        let may = matches!(modal, "can" | "may" | "cannot");
        if !must_not && !may {
            return None;
        }
        self.with_modal(group)
    }

    /// What may or will be, or be done.
    fn with_modal(&self, group: &Group) -> Option<bool> {
        let said = &self.reading.said;
        let be = (0..self.count()).find(|at| words::is_be(said.word(*at)));
        if be.is_some() != group.is_be {
            return self.anyone_may(group);
        }
        let behind = group.range.end..self.clause.range.end;
        if let Some(be) = be {
            if self.split != be || !self.is_about(self.clause.subject.clone()) {
                return None;
            }
            let mut words: Vec<usize> = self.asked(be + 1..self.count()).collect();
            let found = self.find(&mut words, behind.clone(), true)?;
            return self.settle(group.is_denied, &found, behind);
        }
        let at = group.range.end;
        if self.sentence.root(at) != said.root(self.split)
            || !self.is_about(self.clause.subject.clone())
        {
            return None;
        }
        let mut words: Vec<usize> = self.asked(self.split + 1..self.count()).collect();
        let found = self.find(&mut words, at + 1..behind.end, false)?;
        self.settle(group.is_denied, &found, at + 1..behind.end)
    }

    /// `Dogs must not be fed` for `Can I feed dogs?`: nobody is named who may.
    fn anyone_may(&self, group: &Group) -> Option<bool> {
        let said = &self.reading.said;
        if !self.is_for_anyone()
            || !group.is_be
            || self.sentence.root(group.range.end) != said.root(self.split)
        {
            return None;
        }
        let next: Vec<usize> = self.asked(self.split + 1..self.count()).collect();
        let object_end = (self.split + 1..self.count())
            .find(|at| words::is_preposition(said.word(*at)) || words::is_filler(said.word(*at)))
            .unwrap_or(self.count());
        let object: Vec<usize> = next.iter().copied().filter(|at| *at < object_end).collect();
        let mut rest: Vec<usize> = next.iter().copied().filter(|at| *at >= object_end).collect();
        let object_trial = Trial { split: object_end, ..*self };
        if object.is_empty()
            || !object_trial.names(self.sentence, self.clause.subject.clone(), self.clause, &object)
        {
            return None;
        }
        let behind = group.range.end + 1..self.clause.range.end;
        let found = self.find(&mut rest, behind.clone(), false)?;
        self.settle(group.is_denied, &found, behind)
    }

    // When

    fn is_in_time(&self, group: &Group, asked: Tense) -> bool {
        if group.modal.is_some() || (group.has_ceased && asked != Tense::Present) {
            return false;
        }
        match (asked, group.tense) {
            (Tense::Past | Tense::Perfect, Tense::Past | Tense::Perfect) => true,
            // It has been so ever since, or never was.
            (Tense::Present, Tense::Perfect) => {
                let mut clause = self.clause.range.clone();
                group.is_denied || clause.any(|at| self.sentence.word(at) == "since")
            }
            (asked, said) => asked == said,
        }
    }

    fn is_verb_in_time(&self, at: usize, asked: Tense) -> bool {
        let before = at.checked_sub(2).filter(|before| self.sentence.word(before + 1) == "to");
        // Of `refused to sign` the first tells when.
        let word = self.sentence.word(before.unwrap_or(at));
        if words::never_changes(word) {
            return true;
        }
        let is_past = words::is_verb_like(word);
        is_past == matches!(asked, Tense::Past | Tense::Perfect)
    }
}
