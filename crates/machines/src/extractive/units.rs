//! Figures that leave their unit out, because another has it: `takes 50 minutes, and the way back takes 65`.
//!
//! Border: a sentence in words and a number in, where its unit stands out.

use super::contrasts;
use super::lexicon::Dimension;
use super::offers::{Sentence, Span};
use super::values;
use super::words;
use std::ops::Range;

impl Sentence<'_> {
    /// Where a figure ends that goes on in smaller units: `1 hour and 30 minutes`.
    pub(super) fn compound_end(&self, from: usize, end: usize) -> usize {
        let is_beside = |at: usize| self.gap(at).is_some_and(|gap| gap.trim().is_empty());
        let mut whole = end;
        loop {
            let next = if self.lower(whole + 1) == "and" { whole + 2 } else { whole + 1 };
            let part = self.number(next).map(|to| to + 1);
            let part = part.filter(|unit| (whole + 1..=*unit).all(is_beside));
            let bytes = part.and_then(|unit| {
                Some((unit, self.token(from)?.at.start..self.token(unit)?.at.end))
            });
            match bytes.map(|(unit, bytes)| (unit, self.text.get(bytes).unwrap_or_default())) {
                Some((unit, text)) if values::is_compound(text) => whole = unit,
                Some(_) | None => return whole,
            }
        }
    }

    /// Whether nothing beside a number says what it measures, and it is no share of anything either.
    pub(super) fn stands_alone(&self, at: usize, to: usize) -> bool {
        let next = self.lower(to + 1);
        let ends = !self.is_joined(to + 1) || (words::is_stop_word(next) && next != "of");
        let is_part = matches!(self.lower(at), "half" | "once" | "single" | "twice");
        ends && !is_part && !self.has_sign(at, to)
    }

    /// Where the unit stands of a number that was before another: `rose from 25 to 30 pounds`.
    pub(super) fn unit_of_later(
        &self,
        at: usize,
        to: usize,
        dimension: Dimension,
    ) -> Option<Range<usize>> {
        let (from, later) = (at.checked_sub(1)?, to + 2);
        let is_led = self.lower(from) == "from" && self.lower(to + 1) == "to";
        let unit = self.number(later)? + 1;
        let is_unit = dimension.has_unit(self.lower(unit)) && self.is_joined(unit);
        let is_told =
            is_led && is_unit && self.changes_before(from) && self.fits(later, unit - 1, dimension);
        self.token(unit).filter(|_| is_told).map(|unit| unit.at.clone())
    }

    /// Whether room for data is asked for, and a word is the unit of something else: `a 6-inch screen`.
    pub(super) fn measures_no_data(&self, unit: usize) -> bool {
        let asks = self.is_asked("storage") || self.is_asked("memory");
        asks && self.is_unit(unit) && !Dimension::Share.has_unit(self.lower(unit))
    }

    /// Where the unit stands of a number that says of another thing what the last one said: `takes 50 minutes, and the way
    /// back takes 65`, `10 hours in summer and 6 in winter`.
    pub(super) fn repeated(
        &self,
        at: usize,
        dimension: Dimension,
        last: &Span,
    ) -> Option<Range<usize>> {
        let own = last.words.clone().find(|it| dimension.has_unit(self.lower(*it)));
        let unit = match own {
            Some(own) => self.token(own)?.at.start..last.bytes.end,
            None => last.unit.clone()?,
        };
        let parts = |it: usize| {
            !self.is_joined(it) || matches!(self.lower(it), "and" | "but" | "or" | "while")
        };
        let is_parted = (last.words.end..=at).any(parts);
        let before = self.before(at);
        let is_alike = !before.is_empty() && before == self.before(last.words.start);
        let is_row = words::has_cells(self.text);
        (is_parted && !is_row && (is_alike || self.is_of_other_side(at, last))).then_some(unit)
    }

    /// Whether a number is told of the other side of what the last one is told of.
    fn is_of_other_side(&self, at: usize, last: &Span) -> bool {
        let said = |range: Range<usize>| -> Vec<String> {
            range.map(|it| self.lower(it).to_owned()).collect()
        };
        let end = (at + 1..self.tokens.len()).find(|it| !self.is_joined(*it));
        let end = end.unwrap_or(self.tokens.len());
        let behind = last.words.end;
        // What tells them apart stands before each, or behind each.
        contrasts::are_opposed(&said(0..behind), &said(behind..end))
            || contrasts::are_opposed(&said(behind..at), &said(at + 1..end))
    }
}
