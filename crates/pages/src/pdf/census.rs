//! What pages of a file refer to, and what it takes to read that for each of them. hayro reads it for all pages before the
//! first, into tables of its own for each, and asks for no time where objects lie packed in a stream.
//!
//! Source: ISO 32000-1, 7.7.3; hayro's `Page` and `Resources`.

use hayro_font::hayro_syntax::object::Name;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What a page is asked for, as a key of a dictionary says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The pages below.
    Kids,
    /// What it draws with, which pages below have too.
    Resources,
    /// Its own kind, and its measures.
    Own,
    /// One kind of what it draws with.
    Kind,
    /// What it shows.
    Contents,
}

impl Asked {
    /// What a key asks for, as it is written.
    pub fn of(key: &[u8]) -> Option<Asked> {
        Some(match Name::new(key)?.as_ref() {
            b"Kids" => Asked::Kids,
            b"Contents" => Asked::Contents,
            b"Resources" => Asked::Resources,
            b"Type" | b"MediaBox" | b"CropBox" | b"Rotate" => Asked::Own,
            b"ExtGState" | b"Font" | b"ColorSpace" | b"XObject" | b"Pattern" | b"Shading"
            | b"Properties" => Asked::Kind,
            _ => return None,
        })
    }
}

/// Pages that a tree may have, about: each takes some kilobytes of memory when it was found, read or not.
const MAX_KIDS: u64 = 100_000;
/// Dictionaries with something to show: where the tree is lost, each is taken for a page. Notes have one, too.
const MAX_CONTENTS: u64 = 300_000;
/// Names of a dictionary that are not compared with each other for long.
const FEW: usize = 1_000;
/// Comparisons of names in all dictionaries.
const MAX_COMPARED: u64 = 1_000_000_000;
/// What may be read for all pages, in steps and in places of tables: some seconds, and some hundred mebibytes.
const MAX_COST: u64 = 500_000_000;
/// Bytes that a name takes in a table.
const NAME: u64 = 64;
/// References that are noted. Files have some for each page.
const MAX_NOTED: usize = 1_000_000;
/// What costs less is not noted by its number, if it refers to nothing: however often, it does not take long.
const LITTLE: u64 = 1_000;

/// What was found of a file.
#[derive(Debug, Default)]
pub struct Census {
    /// What is referred to, under keys that pages are asked for, and by which number.
    asked: Vec<(Asked, u32)>,
    /// What dictionaries with pages below them give to these: what it takes itself, and what it refers to.
    given: Vec<(u64, Range<usize>)>,
    /// Pages that stand in dictionaries themselves, or are referred to there.
    kids: u64,
    /// Names of all dictionaries, and comparisons of names in those that have many.
    names: u64,
    compared: u64,
    /// Dictionaries that may be pages outside of any tree.
    contents: u64,
    objects: BTreeMap<u32, Object>,
    /// Whether an object that costs much has no number that is known.
    has_nameless: bool,
}

/// An object by its number; where several have it, the worst of each.
#[derive(Debug, Default, Clone)]
struct Object {
    cost: u64,
    /// How many things it lists, where it is a list.
    items: u64,
    refers: Vec<Range<usize>>,
}

/// A place among what was found, at which something begins.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    asked: usize,
    names: u64,
    steps: u64,
}

impl Census {
    pub fn mark(&self, steps: u64) -> Mark {
        Mark { asked: self.asked.len(), names: self.names, steps }
    }

    /// What was found since a mark: what it takes itself, and what it refers to.
    pub fn since(&self, mark: Mark, steps: u64) -> (u64, Range<usize>) {
        let cost = steps - mark.steps + (self.names - mark.names) * NAME;
        (cost, mark.asked..self.asked.len())
    }

    pub fn refers(&mut self, asked: Asked, number: u32) {
        self.asked.push((asked, number));
    }

    /// There is a name in a dictionary that has so many now.
    pub fn name(&mut self, names: usize) {
        self.names += 1;
        if names > FEW {
            self.compared += u64::try_from(names).unwrap_or(u64::MAX);
        }
    }

    pub const fn has_contents(&mut self) {
        self.contents += 1;
    }

    pub fn has_kids(&mut self, count: usize) {
        self.kids = self.kids.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
    }

    /// A dictionary that has pages below it gives them what was found there.
    pub fn gives(&mut self, found: (u64, Range<usize>)) {
        self.given.push(found);
    }

    /// An object is all that was found since. Its number may be its last digits only: a table may point between them.
    pub fn object(&mut self, numbers: &[u32], mark: Mark, steps: u64, items: usize) {
        let (cost, refers) = self.since(mark, steps);
        let items = u64::try_from(items).unwrap_or(u64::MAX);
        if cost < LITTLE && items == 0 && refers.is_empty() {
            return;
        }
        self.has_nameless |= numbers.is_empty();
        for number in numbers {
            let own = self.objects.entry(*number).or_default();
            own.cost = own.cost.max(cost);
            own.items = own.items.max(items);
            if !refers.is_empty() {
                own.refers.push(refers.clone());
            }
        }
    }

    /// Whether so much was found that it is not counted further.
    pub fn is_full(&self) -> bool {
        [self.asked.len(), self.given.len(), self.objects.len()]
            .into_iter()
            .any(|own| own > MAX_NOTED)
    }

    /// Whether its pages can be found within the time and the memory that there are for it.
    pub fn is_within_bounds(&self) -> bool {
        let has_few = self.contents <= MAX_CONTENTS && self.compared <= MAX_COMPARED;
        has_few
            && !self.is_full()
            && !self.has_nameless
            && !self.goes_round()
            && self.cost() <= MAX_COST
    }

    /// Whether a list of pages stands within itself. hayro follows it without an end.
    fn goes_round(&self) -> bool {
        let has_kids = |refers: &Range<usize>| {
            self.asked
                .get(refers.clone())
                .unwrap_or_default()
                .iter()
                .any(|one| one.0 == Asked::Kids)
        };
        let lists = self.objects.iter().filter(|(_, own)| own.items > 0);
        let round = lists.filter(|(_, own)| own.refers.iter().any(has_kids));
        let rounds: BTreeSet<u32> = round.map(|(number, _)| *number).collect();
        self.asked.iter().any(|(asked, number)| *asked == Asked::Kids && rounds.contains(number))
    }

    fn cost(&self) -> u64 {
        let own = |number: &u32| self.objects.get(number).map_or(0, |own| own.cost);
        let kinds = sums(self.asked.iter().map(|(asked, number)| match asked {
            Asked::Kind => own(number),
            Asked::Kids | Asked::Resources | Asked::Own | Asked::Contents => 0,
        }));
        let whole = |number: &u32| {
            self.objects.get(number).map_or(0, |own| {
                let kinds = own.refers.iter().map(|refers| between(&kinds, refers));
                own.cost + kinds.fold(0_u64, u64::saturating_add)
            })
        };
        // Where many refer to what refers to much, each is added up once.
        let whole: BTreeMap<u32, u64> =
            self.objects.keys().map(|number| (*number, whole(number))).collect();
        let all = sums(self.asked.iter().map(|(asked, number)| match asked {
            Asked::Kids | Asked::Contents => 0,
            Asked::Resources | Asked::Own => whole.get(number).copied().unwrap_or_default(),
            Asked::Kind => own(number),
        }));
        let lists = self.asked.iter().filter(|(asked, _)| *asked == Asked::Kids);
        let lists = lists.map(|(_, number)| self.objects.get(number).map_or(0, |own| own.items));
        let kids = lists.fold(self.kids, u64::saturating_add);
        if kids > MAX_KIDS {
            return u64::MAX;
        }
        let given = self.given.iter().map(|(cost, refers)| cost + between(&all, refers));
        let each = given.max().unwrap_or_default();
        all.last().copied().unwrap_or_default().saturating_add(kids.saturating_mul(each))
    }
}

/// The sums of all that comes before each place, and of all.
fn sums(values: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut sum = 0_u64;
    let mut all = vec![0];
    all.extend(values.map(|value| {
        sum = sum.saturating_add(value);
        sum
    }));
    all
}

fn between(sums: &[u64], range: &Range<usize>) -> u64 {
    let at = |place: usize| sums.get(place).copied().unwrap_or_default();
    at(range.end).saturating_sub(at(range.start))
}
