//! Asks of which each goes on with the one before: a limit met them one after the other. Who holds the first wants the newest.
//!
//! Border: ids in, in their order; which one to look at next, and what to note so that nobody walks far twice, out.

use quarry_types::AskId;

/// Steps that are walked each time anybody looks; behind more, the first is told of the newest.
const FEW: u32 = 8;
/// Steps that are walked at once. What is noted then is where the next look goes on.
const MOST: u32 = 10_000;

/// A walk from an ask to the newest that goes on with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chain {
    at: AskId,
    second: Option<AskId>,
    steps: u32,
}

impl Chain {
    /// From this ask on.
    #[must_use]
    pub const fn new(first: AskId) -> Chain {
        Chain { at: first, second: None, steps: 0 }
    }

    /// The ask of which is to be known what goes on with it; none: it was walked far enough.
    #[must_use]
    pub fn looks_at(&self) -> Option<AskId> {
        (self.steps < MOST).then_some(self.at)
    }

    /// That is this one.
    pub fn goes_on_with(&mut self, next: AskId) {
        self.second = self.second.or(Some(next));
        (self.at, self.steps) = (next, self.steps.saturating_add(1));
    }

    /// The newest that was found; none: nobody goes on with the first.
    #[must_use]
    pub fn newest(&self) -> Option<AskId> {
        self.second.map(|_| self.at)
    }

    /// What goes on with the first by what is noted, and the newest that is to stand there instead; none: it is near.
    #[must_use]
    pub fn shortened(&self) -> Option<(AskId, AskId)> {
        self.second.filter(|_| self.steps > FEW).map(|second| (second, self.at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn id(number: u32) -> AskId {
        AskId::parse(&format!("{number:032x}")).unwrap()
    }

    /// Walks by what is noted, and says how many steps that took.
    fn walk(noted: &mut BTreeMap<String, AskId>, first: AskId) -> (Option<AskId>, u32) {
        let (mut chain, mut looks) = (Chain::new(first), 0);
        while let Some(at) = chain.looks_at() {
            looks += 1;
            match noted.get(&at.to_string()) {
                Some(next) => chain.goes_on_with(*next),
                None => break,
            }
        }
        if let Some((second, newest)) = chain.shortened() {
            assert_eq!(noted.insert(first.to_string(), newest), Some(second));
        }
        (chain.newest(), looks)
    }

    fn noted(asks: u32) -> BTreeMap<String, AskId> {
        (1..asks).map(|number| (id(number).to_string(), id(number + 1))).collect()
    }

    #[test]
    fn the_newest_is_found_however_many_there_are() {
        for asks in [2, 9, 65, 1_000, 10_000] {
            let mut noted = noted(asks);
            assert_eq!(walk(&mut noted, id(1)), (Some(id(asks)), asks), "{asks}");
            assert_eq!(
                walk(&mut noted, id(asks)),
                (None, 1),
                "the newest is gone on with by nobody"
            );
        }
    }

    #[test]
    fn nobody_walks_far_twice() {
        let mut noted = noted(500);
        walk(&mut noted, id(1));
        assert_eq!(walk(&mut noted, id(1)), (Some(id(500)), 2));
        // It goes on, and a few steps are not worth a note.
        noted.insert(id(500).to_string(), id(501));
        assert_eq!(walk(&mut noted, id(1)), (Some(id(501)), 3));
        assert_eq!(noted[&id(1).to_string()], id(500));
    }

    #[test]
    fn a_walk_without_end_ends_and_the_next_goes_on_from_there() {
        let mut noted = noted(25_000);
        let (far, looks) = walk(&mut noted, id(1));
        assert_eq!((far, looks), (Some(id(10_001)), 10_000));
        assert_eq!(walk(&mut noted, id(1)).0, Some(id(20_000)));
        assert_eq!(walk(&mut noted, id(1)).0, Some(id(25_000)));
    }
}
