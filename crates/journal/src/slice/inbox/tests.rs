//! Words and their names, alone and in slices.

use super::Inbox;
use crate::slice::{
    Append, Driven, Rest, SHORT_WAIT_MS, Slice, SliceCommand, SliceLimits, Taken, Written,
};
use proptest::prelude::*;
use quarry_types::Timestamp;
use std::collections::BTreeSet;

fn said(names: &[&str]) -> Vec<(String, String)> {
    names.iter().map(|name| ((*name).to_owned(), format!("words of {name}"))).collect()
}

#[test]
fn words_are_told_once_and_their_name_goes_with_the_next_step() {
    let mut inbox = Inbox::new();
    assert!(!inbox.is_due());
    inbox.found(said(&["b", "a"]));
    inbox.found(said(&["a"]));
    assert_eq!(inbox.words(), ["words of b", "words of a"], "in the order in which they came");
    assert!(inbox.words().is_empty() && inbox.is_due());
    assert_eq!(inbox.go(), ["a", "b"]);
    assert!(!inbox.is_due() && inbox.go().is_empty());
}

#[test]
fn a_name_in_a_step_that_is_tried_again_goes_with_no_other() {
    let mut inbox = Inbox::new();
    inbox.found(said(&["a"]));
    assert_eq!((inbox.words().len(), inbox.go().len()), (1, 1));
    inbox.found(said(&["a", "b"]));
    assert_eq!((inbox.words().len(), inbox.go()), (1, vec!["b".to_owned()]));
}

#[test]
fn a_refused_step_gives_its_names_and_its_words_back_before_what_is_found_later() {
    let mut inbox = Inbox::new();
    inbox.found(said(&["a"]));
    let words = inbox.words();
    assert_eq!((words.len(), inbox.go().len()), (1, 1));
    inbox.refused(words);
    assert!(inbox.is_due());
    inbox.found(said(&["a", "0"]));
    assert_eq!(inbox.words(), ["words of a", "words of 0"]);
    assert_eq!(inbox.go(), ["0", "a"]);
}

#[test]
fn a_late_look_has_a_name_taken_once_more_and_no_words() {
    let mut inbox = Inbox::new();
    inbox.found(said(&["a", "b"]));
    assert_eq!((inbox.words().len(), inbox.go().len()), (2, 2));
    inbox.written();
    assert!(!inbox.is_due());
    inbox.found(said(&["b"]));
    assert_eq!((inbox.words().len(), inbox.go()), (0, vec!["b".to_owned()]));
}

#[test]
fn what_was_told_otherwise_is_not_told_again_when_it_is_found() {
    let mut inbox = Inbox::new();
    inbox.told("b".to_owned(), "more than words of b".to_owned());
    inbox.found(said(&["a", "b", "c"]));
    assert_eq!(inbox.words(), ["words of a", "more than words of b", "words of c"]);
    inbox.found(said(&["b"]));
    assert!(inbox.words().is_empty());
    assert_eq!(inbox.go(), ["a", "b", "c"]);
    // Somebody has taken it out, and did not know what is more than lay there.
    let mut inbox = Inbox::new();
    inbox.told("b".to_owned(), "more than words of b".to_owned());
    inbox.found(said(&["c"]));
    assert_eq!(inbox.words(), ["words of c", "more than words of b"]);
}

/// Listens, and begins something whenever it has nothing under way.
#[derive(Debug, Clone, Default)]
struct Listener {
    is_busy: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Told {
    Words(u32),
    Begun,
    Done,
    TakenUp,
}

impl Driven for Listener {
    type Input = Told;
    type Effect = ();
    type Event = ();

    fn take(&mut self, input: Told, _: Timestamp) -> Taken<()> {
        match input {
            Told::Words(_) => {}
            Told::Begun => self.is_busy = true,
            Told::Done | Told::TakenUp => self.is_busy = false,
        }
        Taken { events: Vec::new(), checkpoint: false, parts: BTreeSet::new(), searched: None }
    }

    fn due(&self) -> Vec<()> {
        if self.is_busy { Vec::new() } else { vec![()] }
    }

    fn has_begun(&self) -> bool {
        self.is_busy
    }

    fn begun(_: &[()]) -> Told {
        Told::Begun
    }

    fn taken_up(_: Option<Timestamp>) -> Told {
        Told::TakenUp
    }

    fn clock() -> Told {
        Told::Done
    }

    fn lets_go(_: &Told) -> bool {
        false
    }

    fn is_stale(&self, input: &Told) -> bool {
        *input == Told::Done && !self.is_busy
    }

    fn rest(&self) -> Rest {
        Rest::Works { wake_at: None }
    }

    fn updated(&self) -> Timestamp {
        Timestamp(0)
    }
}

/// What happens.
#[derive(Debug, Clone, Copy)]
enum Turn {
    Says,
    /// The driver does what there is to do.
    Drives,
    /// Of the looks that are under way one ends, the oldest or the newest.
    Looked(bool),
    LookFails,
    Written(Fate),
    Reloaded(bool),
    Done,
    /// Another driver follows.
    Dies,
}

/// What becomes of a step, if the store takes it.
#[derive(Debug, Clone, Copy)]
enum Fate {
    Told,
    Untold,
    Fails,
}

/// A run's store, and whoever drives it.
struct World {
    now: u64,
    journal: Vec<Told>,
    inbox: Vec<(String, Told)>,
    spoken: u32,
    slice: Slice<Listener>,
    looks: Vec<Vec<(String, Told)>>,
    writes: Option<Append<Told, ()>>,
    is_reloading: bool,
}

fn driver(journal: &[Told], now: u64) -> Slice<Listener> {
    let limits = SliceLimits { slice_ms: u64::MAX, lease_ms: 15_000, wait_ms: SHORT_WAIT_MS };
    let last = journal.len() as u64;
    Slice::new(folded(journal), last, limits, Timestamp(now + 15_000), Timestamp(now))
}

fn folded(journal: &[Told]) -> Listener {
    let mut machine = Listener::default();
    for input in journal {
        machine.take(input.clone(), Timestamp(0));
    }
    machine
}

impl World {
    fn new() -> Self {
        World {
            now: 10_000,
            journal: Vec::new(),
            inbox: Vec::new(),
            spoken: 0,
            slice: driver(&[], 10_000),
            looks: Vec::new(),
            writes: None,
            is_reloading: false,
        }
    }

    fn turn(&mut self, turn: Turn) {
        self.now += 100;
        let now = Timestamp(self.now);
        match turn {
            Turn::Says => {
                self.spoken += 1;
                self.inbox.push((format!("i{:03}", self.spoken), Told::Words(self.spoken)));
            }
            Turn::Drives => self.drives(),
            Turn::Looked(oldest) => {
                if let Some(last) = self.looks.len().checked_sub(1) {
                    let found = self.looks.remove(if oldest { 0 } else { last });
                    self.slice.looked(Some(found), now);
                }
            }
            Turn::LookFails => {
                if self.looks.pop().is_some() {
                    self.slice.looked(None, now);
                }
            }
            Turn::Written(fate) => {
                if let Some(append) = self.writes.take() {
                    let written = self.written(append, fate);
                    self.slice.written(written, now);
                }
            }
            Turn::Reloaded(works) => {
                if std::mem::take(&mut self.is_reloading) {
                    let read = (folded(&self.journal), self.journal.len() as u64);
                    self.slice.reloaded(works.then_some(read), now);
                }
            }
            Turn::Done => self.slice.happened(Told::Done),
            Turn::Dies => self.dies(),
        }
    }

    fn drives(&mut self) {
        while let Some(command) = self.slice.poll(Timestamp(self.now)) {
            match command {
                SliceCommand::Write(append) => self.writes = Some(append),
                SliceCommand::Look => self.looks.push(self.inbox.clone()),
                SliceCommand::Reload => self.is_reloading = true,
                SliceCommand::Enter => self.slice.entered(true, Timestamp(self.now)),
                SliceCommand::Renew(_) => self.slice.renewed(Written::Yes, Timestamp(self.now)),
                SliceCommand::Begin(_) => {}
                SliceCommand::Leave(_) => return self.dies(),
            }
        }
    }

    fn dies(&mut self) {
        self.looks.clear();
        (self.writes, self.is_reloading) = (None, false);
        self.slice = driver(&self.journal, self.now);
    }

    /// As the database does it.
    fn written(&mut self, append: Append<Told, ()>, fate: Fate) -> Written {
        let inputs: Vec<Told> = append.entries.into_iter().map(|(_, input)| input).collect();
        let behind = (append.n - 1) as usize;
        if self.journal.len() != behind {
            assert_eq!(self.journal[behind..], inputs, "it is its own, of a try before");
            return Written::Yes;
        }
        if matches!(fate, Fate::Fails) {
            return Written::Failed;
        }
        let is_left = |(name, _): &(String, Told)| !append.inbox.contains(name);
        if inputs.contains(&Told::Begun) && self.inbox.iter().any(is_left) {
            return Written::Unheard;
        }
        self.journal.extend(inputs);
        self.inbox.retain(is_left);
        if matches!(fate, Fate::Untold) { Written::Failed } else { Written::Yes }
    }

    /// How often each of the words was heard, in the order in which they were said.
    fn heard(&self) -> Vec<usize> {
        let times = |word| self.journal.iter().filter(|told| **told == Told::Words(word)).count();
        (1..=self.spoken).map(times).collect()
    }

    /// Whether these words lie where the next driver finds them.
    fn lies(&self, word: u32) -> bool {
        self.inbox.iter().any(|(_, said)| *said == Told::Words(word))
    }
}

fn turn() -> impl Strategy<Value = Turn> {
    prop_oneof![
        3 => Just(Turn::Says),
        6 => Just(Turn::Drives),
        3 => any::<bool>().prop_map(Turn::Looked),
        1 => Just(Turn::LookFails),
        4 => Just(Turn::Written(Fate::Told)),
        1 => Just(Turn::Written(Fate::Untold)),
        1 => Just(Turn::Written(Fate::Fails)),
        3 => any::<bool>().prop_map(Turn::Reloaded),
        2 => Just(Turn::Done),
        1 => Just(Turn::Dies),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn however_words_come_and_steps_are_refused_each_is_heard_once_and_none_is_lost(
        turns in prop::collection::vec(turn(), 0..160),
    ) {
        let mut world = World::new();
        for turn in turns {
            world.turn(turn);
            for (word, times) in (1..).zip(world.heard()) {
                let lies = world.lies(word);
                prop_assert!(times < 2 && (times == 1 || lies), "{word}: {times}, {lies}");
            }
        }
        // Then all goes well.
        for _ in 0..40 {
            for turn in [
                Turn::Drives,
                Turn::Looked(true),
                Turn::Reloaded(true),
                Turn::Drives,
                Turn::Written(Fate::Told),
                Turn::Done,
            ] {
                world.turn(turn);
            }
        }
        prop_assert_eq!(world.heard(), vec![1; world.spoken as usize]);
        prop_assert!(world.inbox.is_empty(), "{:?}", world.inbox);
    }
}
