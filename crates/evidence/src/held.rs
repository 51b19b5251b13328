//! Where each source stands and how much all of them hold, so that one more costs the same however many there are.
//!
//! Border: sources in, counts out. It is made anew from them where it is lost, and a copy begins without it: it is no part
//! of what is kept.

use crate::{Content, Source};
use std::collections::BTreeMap;

/// What follows from a list of sources that only grows, as far as it was taken in.
#[derive(Debug, Default)]
pub(crate) struct Held {
    /// By address: the first place.
    places: BTreeMap<String, usize>,
    taken: usize,
    sum: Size,
    /// Numbers of sources that came to say otherwise, each time they did.
    pub changed: Vec<usize>,
}

/// What contents hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Size {
    pub bytes: usize,
    /// Pieces of text; a source without any counts as one, since its search said something.
    pub pieces: usize,
}

impl Size {
    pub fn of(content: &Content) -> Size {
        Size { bytes: content.bytes(), pieces: content.pieces().count().max(1) }
    }

    const fn with(self, other: Size) -> Size {
        Size { bytes: self.bytes + other.bytes, pieces: self.pieces + other.pieces }
    }

    pub const fn without(self, other: Size) -> Size {
        let bytes = self.bytes.saturating_sub(other.bytes);
        Size { bytes, pieces: self.pieces.saturating_sub(other.pieces) }
    }
}

impl Held {
    /// Takes in sources that were added since the last call.
    pub fn take_in(&mut self, sources: &[Source]) {
        for (place, source) in sources.iter().enumerate().skip(self.taken) {
            self.places.entry(source.url.clone()).or_insert(place);
            self.sum = self.sum.with(Size::of(&source.content));
        }
        self.taken = sources.len();
    }

    /// The source with this number, that held so much, holds this now.
    pub fn changes(&mut self, n: usize, before: Size, now: &Content) {
        self.changed.push(n);
        self.sum = self.sum.without(before).with(Size::of(now));
    }

    /// The place of the source with this address.
    pub fn place(&self, sources: &[Source], url: &str) -> Option<usize> {
        match self.taken == sources.len() {
            true => self.places.get(url).copied(),
            false => sources.iter().position(|source| source.url == url),
        }
    }

    /// What all of them hold.
    pub fn sum(&self, sources: &[Source]) -> Size {
        match self.taken == sources.len() {
            true => self.sum,
            false => sources
                .iter()
                .fold(Size::default(), |sum, source| sum.with(Size::of(&source.content))),
        }
    }
}

impl Clone for Held {
    fn clone(&self) -> Self {
        Held::default()
    }
}

impl PartialEq for Held {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Held {}
