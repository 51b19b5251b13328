//! Which words a marker stands for, and which citations come in its place.

use super::super::ahead::Ahead;
use super::super::known::{Known, PassageId, Target};
use super::super::marker::{Origin, UNVERIFIED};
use super::super::proof::Named;
use super::{Answer, MOST_CHECKS, MOST_TARGETS, Out};
use crate::verify::{Check, Claim, Verdict};

impl Answer {
    /// Puts citations in the place of a marker.
    pub(super) fn cite(&mut self, targets: &[Target], known: &Known, out: &mut Vec<Out>) {
        if targets.is_empty() {
            return;
        }
        let is_first = !self.has_said
            || self.sentence.is_empty()
            || self.sentence.is_number()
            || self.blanks.contains('\n');
        if is_first {
            // What it stands for comes behind it, or it stands alone on its line.
            add(&mut self.pending, targets);
            self.is_alone = true;
            self.is_led = true;
            return self.take_out();
        }
        if self.is_led && self.sentence.is_over && !self.blanks.is_empty() {
            // The one before stood before its sentence, and so does this.
            add(&mut self.leading, targets);
            return self.take_out();
        }
        let waits = || self.sentence.is_early() || self.sentence.may_ask();
        if !self.line.is_row() && self.checks < MOST_CHECKS && waits() {
            self.ahead = Some(Ahead::new(targets, &self.sentence, &self.blanks));
            return;
        }
        self.cite_here(targets, known, out);
    }

    /// Checks a marker that stood too early against its whole sentence, and goes on behind it.
    pub(super) fn cite_ahead(&mut self, known: &Known, out: &mut Vec<Out>) {
        let Some(Ahead { targets, sentence, parts, .. }) = self.ahead.take() else { return };
        self.sentence.asks |= sentence.is_question();
        self.sentence.foresee(&sentence, |claim| {
            let mut checks = targets.iter().filter_map(|target| fitting(*target, claim, known));
            checks.any(|check| check.verdict != Verdict::NotFound)
        });
        self.cite_here(&targets, known, out);
        for part in parts {
            self.take(part, known, out);
        }
    }

    /// Markers alone on a line stand for the sentence before; where there is none, for the one to come.
    pub(super) fn cite_alone(&mut self, known: &Known, out: &mut Vec<Out>) {
        if !self.leading.is_empty() {
            let targets = std::mem::take(&mut self.leading);
            self.cite_here(&targets, known, out);
        }
        if self.has_said && std::mem::take(&mut self.is_alone) {
            let targets = std::mem::take(&mut self.pending);
            self.cite_here(&targets, known, out);
        }
    }

    pub(super) fn cite_here(&mut self, targets: &[Target], known: &Known, out: &mut Vec<Out>) {
        self.checks += targets.iter().map(|target| weight(*target, known)).sum::<usize>();
        if self.checks > MOST_CHECKS {
            self.sentence.is_cited = true;
            self.proof.unchecked += 1;
            self.give_gap(out);
            UNVERIFIED.chars().for_each(|c| self.give(c, out));
            return;
        }
        let was_cited = self.sentence.is_cited;
        let (words, claim) = self.sentence.claim();
        let checks = targets.iter().filter_map(|of| Some((*of, fitting(*of, &claim, known)?)));
        let (failed, holding): (Vec<_>, Vec<_>) =
            checks.partition(|(_, check)| check.verdict == Verdict::NotFound);
        let beside = if was_cited { self.beside(known) } else { Vec::new() };
        let mut cited: Vec<usize> = Vec::new();
        for (target, check) in holding {
            let place = if cited.contains(&check.passage) || beside.contains(&check.passage) {
                self.place_of(&check, known)
            } else {
                cited.push(check.passage);
                self.link(&words, &check, Origin::Cited, known, out)
            };
            self.name(target, &check, place, known);
        }
        if failed.is_empty() {
            if cited.is_empty() {
                self.sentence.is_cited = was_cited;
                self.take_out();
            }
            return;
        }
        let moved = known.index().best(&claim).filter(|it| it.verdict == Verdict::Supported);
        let mut shown = None;
        match (moved, failed.first()) {
            // The passage that says it was named beside the one that does not.
            (Some(moved), _) if cited.contains(&moved.passage) => self.proof.failed += failed.len(),
            (Some(moved), _) if beside.contains(&moved.passage) => {
                self.proof.failed += failed.len();
                self.take_out();
            }
            (Some(moved), _) => {
                self.proof.failed += failed.len() - 1;
                self.link(&words, &moved, Origin::Moved, known, out);
            }
            (None, Some((_, check))) if cited.is_empty() => {
                self.proof.failed += failed.len() - 1;
                shown = self.link(&words, check, Origin::Unverified, known, out);
            }
            (None, _) => self.proof.failed += failed.len(),
        }
        for (target, check) in &failed {
            self.name(*target, check, shown.take(), known);
        }
    }

    /// Notes what a marker named, and the citation that stands for it. Who names several names each of them.
    fn name(&mut self, target: Target, check: &Check, citation: Option<usize>, known: &Known) {
        match target {
            Target::Twins(first) => {
                let named =
                    known.twins(first).iter().map(|source| Named { source: *source, citation });
                self.proof.named.extend(named);
            }
            Target::Passage(_) | Target::Source(_) => {
                if let Some(passage) = known.passage(check.passage) {
                    self.proof.named.push(Named { source: passage.source, citation });
                }
            }
        }
    }

    /// The passages of the markers that stand right before this place: none of them is named twice there.
    fn beside(&self, known: &Known) -> Vec<usize> {
        let mut end = self.length;
        let citations = self.proof.citations.iter().rev().take(MOST_TARGETS);
        let near = citations.take_while(|citation| {
            let is_near = citation.end <= end && end <= citation.end + 1;
            end = citation.start;
            is_near
        });
        let linked = near.filter(|citation| citation.n.is_some());
        let ids = linked.filter_map(|citation| known.by_id(PassageId::parse(&citation.id)?));
        let passages = ids.map(|target| match target {
            Target::Passage(at) | Target::Source(at) | Target::Twins(at) => at,
        });
        passages.collect()
    }

    /// The place of the last citation of a passage.
    fn place_of(&self, check: &Check, known: &Known) -> Option<usize> {
        let id = known.passage(check.passage)?.id.to_string();
        self.proof.citations.iter().rposition(|citation| citation.id == id)
    }
}

/// Takes in what a marker names that waits, as far as there is room.
fn add(waiting: &mut Vec<Target>, targets: &[Target]) {
    for target in targets {
        if waiting.len() < MOST_TARGETS && !waiting.contains(target) {
            waiting.push(*target);
        }
    }
}

/// Sources that are checked for a marker.
fn weight(target: Target, known: &Known) -> usize {
    match target {
        Target::Passage(_) | Target::Source(_) => 1,
        Target::Twins(first) => known.twins(first).len(),
    }
}

/// The passage that a marker means, and whether it says the claim.
fn fitting(target: Target, claim: &Claim, known: &Known) -> Option<Check> {
    match target {
        Target::Passage(at) => known.index().check(claim, at),
        Target::Source(at) => known.index().best_in(claim, known.range(at)),
        Target::Twins(first) => {
            let twins = known.twins(first).iter();
            let checks = twins.filter_map(|at| known.index().best_in(claim, known.range(*at)));
            checks.reduce(|best, other| {
                let is_better = (other.verdict, other.coverage) > (best.verdict, best.coverage);
                if is_better { other } else { best }
            })
        }
    }
}
