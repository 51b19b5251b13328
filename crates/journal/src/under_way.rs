//! What one process drives: who has it by name hears of it, and whoever wants its end is heard, without a store.
//!
//! Border: knows what is driven here. What others drive is known by their logs and by what lies beside these.

use quarry_types::AskId;
use std::collections::BTreeMap;

/// Names of one ask at most: whoever joins it may give it another.
const MOST_NAMES: usize = 16;

/// The asks that a process drives.
#[derive(Debug, Default)]
pub struct UnderWay(BTreeMap<AskId, Driven>);

#[derive(Debug, Default)]
struct Driven {
    names: Vec<String>,
    is_to_end: bool,
    /// Who reads it here besides the one that began it.
    readers: u32,
}

impl UnderWay {
    /// Nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        UnderWay(BTreeMap::new())
    }

    /// This one is driven from now on.
    pub fn begins(&mut self, id: AskId) {
        self.0.insert(id, Driven::default());
    }

    /// It is driven no more.
    pub fn ends(&mut self, id: AskId) {
        self.0.remove(&id);
    }

    /// It has this name, too, where it is driven here.
    pub fn name(&mut self, id: AskId, name: &str) {
        let Some(Driven { names, .. }) = self.0.get_mut(&id) else { return };
        if names.len() < MOST_NAMES && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }

    /// Whether it is driven here.
    #[must_use]
    pub fn is_driven(&self, id: AskId) -> bool {
        self.0.contains_key(&id)
    }

    /// Somebody reads it here that did not begin it.
    pub fn joins(&mut self, id: AskId) {
        if let Some(driven) = self.0.get_mut(&id) {
            driven.readers = driven.readers.saturating_add(1);
        }
    }

    /// One of those left.
    pub fn leaves(&mut self, id: AskId) {
        if let Some(driven) = self.0.get_mut(&id) {
            driven.readers = driven.readers.saturating_sub(1);
        }
    }

    /// Whether one of those reads it, where it is driven here.
    #[must_use]
    pub fn is_read(&self, id: AskId) -> bool {
        self.0.get(&id).is_some_and(|driven| driven.readers > 0)
    }

    /// The newest that has this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<AskId> {
        let has_it = |driven: &Driven| driven.names.iter().any(|known| known == name);
        self.0.iter().rev().find(|(_, driven)| has_it(driven)).map(|(id, _)| *id)
    }

    /// Somebody wants its end; whether it is driven here, and will hear of it.
    pub fn wants_end(&mut self, id: AskId) -> bool {
        let driven = self.0.get_mut(&id);
        driven.map(|driven| driven.is_to_end = true).is_some()
    }

    /// Whether somebody has wanted its end since this was asked last.
    pub fn is_to_end(&mut self, id: AskId) -> bool {
        self.0.get_mut(&id).is_some_and(|driven| std::mem::take(&mut driven.is_to_end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: AskId = AskId::new(1, 9);
    const NEW: AskId = AskId::new(2, 0);

    fn two() -> UnderWay {
        let mut all = UnderWay::new();
        for id in [OLD, NEW] {
            all.begins(id);
            all.name(id, "call 7");
        }
        all
    }

    #[test]
    fn a_name_is_that_of_the_newest_that_is_driven() {
        let mut all = two();
        assert_eq!((all.named("call 7"), all.named("call 8")), (Some(NEW), None));
        assert!(all.is_driven(NEW));
        all.ends(NEW);
        assert!(!all.is_driven(NEW) && all.is_driven(OLD));
        assert_eq!(all.named("call 7"), Some(OLD));
        all.ends(OLD);
        assert_eq!(all.named("call 7"), None);
        // What is driven elsewhere has no name here.
        all.name(OLD, "call 7");
        assert_eq!(all.named("call 7"), None);
    }

    #[test]
    fn whoever_is_to_end_hears_it_once_and_nobody_else_does() {
        let mut all = two();
        assert!(all.wants_end(NEW) && all.wants_end(NEW));
        assert!(!all.is_to_end(OLD));
        assert!(all.is_to_end(NEW));
        assert!(!all.is_to_end(NEW));
        all.ends(NEW);
        assert!(!all.wants_end(NEW), "it cannot be told");
    }

    #[test]
    fn who_reads_what_is_driven_here_is_known_without_a_mark() {
        let mut all = two();
        all.joins(NEW);
        all.joins(NEW);
        all.leaves(NEW);
        assert!(all.is_read(NEW) && !all.is_read(OLD));
        all.leaves(NEW);
        all.leaves(NEW);
        assert!(!all.is_read(NEW));
        all.joins(NEW);
        assert!(all.is_read(NEW), "nobody leaves who did not read");
        all.ends(NEW);
        all.joins(NEW);
        assert!(!all.is_read(NEW), "it has a log, and no driver");
    }

    #[test]
    fn names_of_one_ask_are_bounded() {
        let mut all = two();
        for number in 0..100 {
            all.name(NEW, &format!("joined {number}"));
            all.name(NEW, "call 7");
        }
        assert_eq!(all.0.get(&NEW).map(|driven| driven.names.len()), Some(MOST_NAMES));
        assert_eq!(all.named("call 7"), Some(NEW));
    }
}
