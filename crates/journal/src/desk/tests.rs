//! A log under way on virtual time: with stores that are full, slow or away, with readers that
//! stop reading, and with crashes anywhere.

mod promises;

use super::*;
use crate::follow::{Follower, Look, Over};
use crate::{MAX_VALUE, MOST_WAITING, Snapshot};
use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

const DIALECT: Dialect = Dialect { pieces: "delta", is_last: |kind| kind == "end" };
const BORN: Timestamp = Timestamp(1_000_000);

/// How a store behaves from one moment to another.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Weather {
    Fine,
    /// Writes fail at once.
    Full,
    /// Everything takes five seconds and fails.
    Locked,
    /// Nothing ever comes back.
    Hung,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Happening {
    Stored { lane: Lane, worked: bool },
    Taken,
    Woke,
    Step,
}

/// The machine: `steps` paid effects, one after the other, each with some entries.
struct World {
    desk: Desk<u64>,
    now: Timestamp,
    due: BinaryHeap<Reverse<(u64, u64, Happening)>>,
    counter: u64,
    store: BTreeMap<Place, Vec<u8>>,
    weather: Vec<(u64, Weather)>,
    reads: bool,
    sent: Vec<Entry>,
    follows: Option<u64>,
    number: u64,
    step: u64,
    steps: u64,
    size: usize,
    end: End,
    begun: Vec<(u64, u64)>,
    announced: Vec<u64>,
    most_waiting: usize,
    finished: bool,
    /// How often all was to be done in one go.
    closed: u32,
    /// How often something hung.
    abandoned: u32,
    /// Effects never come to an end.
    is_stuck: bool,
    armed: Option<Timestamp>,
}

impl World {
    fn new(steps: u64, size: usize, end: End) -> World {
        let mut world = World {
            desk: Desk::new(DIALECT, "id", Some(4), Timestamp(u64::MAX), BORN),
            now: BORN,
            due: BinaryHeap::new(),
            counter: 0,
            store: BTreeMap::from([(Place::Slot(4), b"a lease".to_vec())]),
            weather: vec![(0, Weather::Fine)],
            reads: true,
            sent: Vec::new(),
            follows: None,
            number: 0,
            step: 0,
            steps,
            size,
            end,
            begun: Vec::new(),
            announced: Vec::new(),
            most_waiting: 0,
            finished: false,
            closed: 0,
            abandoned: 0,
            is_stuck: false,
            armed: None,
        };
        world.step();
        world
    }

    fn weather(&self) -> Weather {
        let since = self.now.since(BORN);
        self.weather.iter().rev().find(|(from, _)| *from <= since).unwrap().1
    }

    fn later(&mut self, wait: u64, happening: Happening) {
        self.counter += 1;
        self.due.push(Reverse((self.now.0 + wait, self.counter, happening)));
    }

    /// The machine goes one step on: it shows something and asks for the next effect.
    fn step(&mut self) {
        self.step += 1;
        let ends = self.step > self.steps;
        let count = if ends { 1 } else { 3 };
        let entries: Vec<Entry> = (0..count)
            .map(|_| {
                self.number += 1;
                let kind = if ends { "end" } else { "delta" };
                let text = "x".repeat(self.size);
                Entry {
                    number: self.number,
                    kind: kind.into(),
                    body: format!("{{\"text\":\"{text}\"}}"),
                }
            })
            .collect();
        let effects = if ends { Vec::new() } else { vec![self.step] };
        let end = ends.then_some(self.end);
        self.desk.react(entries, Start::Announced(effects), end, self.now);
        self.most_waiting = self.most_waiting.max(self.desk.feed.waiting());
    }

    fn perform(&mut self, command: Command<u64>) {
        match command {
            Command::Store(lane, place, value) => {
                assert!(value.len() <= MAX_VALUE, "{place:?} has {} bytes", value.len());
                let worked = self.weather() == Weather::Fine;
                if worked {
                    if let (Place::Part(_), Some(old)) = (place, self.store.get(&place)) {
                        assert_eq!(old.as_slice(), &*value, "a part is never changed");
                    }
                    self.store.insert(place, value.to_vec());
                }
                self.answer(lane, worked);
            }
            Command::Remove(lane, place) => {
                let worked = self.weather() == Weather::Fine;
                if worked {
                    self.store.remove(&place);
                }
                self.answer(lane, worked);
            }
            Command::Close { part: (place, value), slot } => {
                let worked = self.weather() == Weather::Fine;
                if worked {
                    assert!(self.store.insert(place, value.to_vec()).is_none());
                    self.store.remove(&Place::Snapshot);
                    slot.map(|slot| self.store.remove(&Place::Slot(slot)));
                }
                self.closed += 1;
                self.answer(Lane::Close, worked);
            }
            Command::LookForStop => {
                let worked = !matches!(self.weather(), Weather::Locked | Weather::Hung);
                self.answer(Lane::Stop, worked);
            }
            Command::Snapshot => {
                let state = format!("{:09}{}", self.step, "s".repeat(self.size * 40));
                let ended = self.desk.end.is_some();
                let snapshot = Snapshot::new("test", "id", Timestamp(9), ended, state).unwrap();
                self.desk.snapshot(snapshot.values(self.desk.snapshot_set()), self.now);
            }
            Command::Perform(effects) => {
                for effect in effects {
                    self.begun.push((effect, self.now.since(BORN)));
                    if self.announced().is_some_and(|step| step >= effect) {
                        self.announced.push(effect);
                    }
                    if !self.is_stuck {
                        self.later(400, Happening::Step);
                    }
                }
            }
            Command::Send(entries) => {
                assert!(self.follows.is_none());
                self.sent.extend(entries);
                if self.reads {
                    self.later(1, Happening::Taken);
                }
            }
            Command::Follow { after } => {
                assert_eq!(self.sent.last().map(|entry| entry.number), Some(after));
                self.follows = Some(after);
            }
            Command::Abandon(_) => self.abandoned += 1,
            Command::Finish => self.finished = true,
        }
    }

    fn answer(&mut self, lane: Lane, worked: bool) {
        let wait = match self.weather() {
            Weather::Fine | Weather::Full => 1,
            Weather::Locked => 5_000,
            Weather::Hung => return,
        };
        self.later(wait, Happening::Stored { lane, worked });
    }

    /// The step of which the store has a whole snapshot.
    fn announced(&self) -> Option<u64> {
        let (places, mut found) = Snapshot::read(self.store.get(&Place::Snapshot)?).ok()?;
        for place in places {
            found.add(self.store.get(&place)?);
        }
        found.whole().ok()?.into_state().get(..9)?.parse().ok()
    }

    /// Runs until the desk is done, or so many things have been done; says which.
    fn run(&mut self, most: usize) -> bool {
        for _ in 0..most {
            if let Some(command) = self.desk.poll(self.now) {
                self.perform(command);
                continue;
            }
            if self.desk.is_over() {
                return true;
            }
            if let Some(wake) = self.desk.wake_at() {
                assert!(wake > self.now, "to be woken for what could be done now");
                if self.armed.is_none_or(|armed| wake < armed || armed <= self.now) {
                    self.armed = Some(wake);
                    self.later(wake.since(self.now), Happening::Woke);
                }
            }
            let Some(Reverse((at, _, happening))) = self.due.pop() else {
                panic!("asleep for ever")
            };
            self.now = Timestamp(at);
            match happening {
                Happening::Stored { lane, worked } => {
                    self.desk.stored(lane, worked, self.now);
                }
                Happening::Taken => self.desk.sent(true, self.now),
                Happening::Step => self.step(),
                Happening::Woke => {}
            }
        }
        false
    }

    /// What somebody reads who joins now and waits for the end.
    fn logged(&mut self, after: u64) -> (Vec<Entry>, Over) {
        let mut follower = Follower::new(DIALECT, BORN, after);
        let (mut read, mut now) = (Vec::new(), self.now);
        loop {
            match follower.poll() {
                Look::Read(place) => follower.read(Ok(self.store.get(&place).cloned()), now),
                Look::Wait(wait) => now.0 += wait,
                Look::Deliver(entries) => read.extend(entries),
                Look::Probe { .. } => follower.probed(true, now),
                Look::Bury { .. } => follower.bury("end", "dead".to_owned()),
                Look::Write(place, value) => {
                    self.store.insert(place, value);
                    follower.wrote(true, now);
                }
                Look::End(over) => return (read, over),
            }
        }
    }
}

fn numbers(entries: &[Entry]) -> Vec<u64> {
    entries.iter().map(|entry| entry.number).collect()
}

#[test]
fn in_fine_weather_everything_is_announced_sent_and_logged() {
    let mut world = World::new(6, 20, End::Final);
    assert!(world.run(10_000));
    let all: Vec<u64> = (1..=19).collect();
    assert_eq!(numbers(&world.sent), all);
    assert_eq!(world.announced, [1, 2, 3, 4, 5, 6]);
    assert_eq!(world.logged(0), (world.sent.clone(), Over::Complete));
    assert!(!world.store.contains_key(&Place::Snapshot), "nothing is left to go on with");
    assert!(!world.store.contains_key(&Place::Slot(4)), "the place is free again");
    assert!(world.desk.is_logged());
}

#[test]
fn what_is_left_at_the_end_is_done_in_one_go_and_tried_one_by_one_when_that_fails() {
    for (weather, size) in [(Weather::Fine, 20), (Weather::Full, 20), (Weather::Locked, 20)] {
        let mut world = World::new(2, size, End::Final);
        world.weather = vec![(0, Weather::Fine), (800, weather), (802, Weather::Fine)];
        assert!(world.run(10_000));
        assert_eq!(world.closed, 1, "{weather:?}");
        assert_eq!(world.logged(0), (world.sent.clone(), Over::Complete));
        let left = [Place::Snapshot, Place::Slot(4)];
        assert!(left.iter().all(|place| !world.store.contains_key(place)), "{weather:?}");
    }
}

#[test]
fn one_that_can_be_gone_on_with_keeps_its_last_state_before_it_says_so() {
    let mut world = World::new(2, 20, End::Resumable);
    while world.sent.last().is_none_or(|entry| entry.kind != "end") {
        assert!(!world.run(1));
    }
    let (_, found) = Snapshot::read(&world.store[&Place::Continuation]).unwrap();
    assert!(found.whole().unwrap().has_ended());
    assert!(world.run(1_000));
    assert!(world.store.contains_key(&Place::Continuation));
}

#[test]
fn a_reader_that_stops_reading_stops_nothing() {
    let mut world = World::new(300, 20_000, End::Final);
    world.reads = false;
    while world.desk.end.is_none() || !world.desk.is_logged() {
        assert!(!world.run(1));
    }
    assert!(world.number > 900 && world.desk.is_logged());
    assert!(world.most_waiting <= MOST_WAITING, "{} bytes wait", world.most_waiting);
    // It reads on at last: the log takes over where sending ended.
    world.later(0, Happening::Taken);
    assert!(world.run(1_000));
    let after = world.follows.unwrap();
    let mut seen = numbers(&world.sent);
    seen.extend(numbers(&world.logged(after).0));
    assert_eq!(seen, (1..=world.number).collect::<Vec<_>>());
}

#[test]
fn a_failed_write_leaves_no_hole() {
    let mut world = World::new(20, 20, End::Final);
    world.weather = vec![(0, Weather::Fine), (600, Weather::Full), (5_600, Weather::Fine)];
    assert!(world.run(10_000));
    assert_eq!(world.logged(0), (world.sent.clone(), Over::Complete));
    assert!(world.desk.is_logged());
}

#[test]
fn a_log_that_could_not_be_written_is_given_up_and_that_is_told() {
    for weather in [Weather::Full, Weather::Locked, Weather::Hung] {
        let mut world = World::new(3, 20, End::Final);
        world.weather = vec![(0, weather)];
        assert!(world.run(10_000), "{weather:?}");
        assert_eq!(world.sent.last().unwrap().kind, "end");
        assert!(world.finished && !world.desk.is_logged());
        // The answer itself was held up by no more than the patience for one announcement.
        assert!(
            world.begun.iter().all(|(step, at)| *at <= 500 + (step - 1) * 400),
            "{:?}",
            world.begun
        );
    }
}

#[test]
fn without_a_store_an_answer_comes_all_the_same() {
    let mut world = World::new(0, 20, End::Final);
    world.store.clear();
    world.desk = Desk::new(DIALECT, "id", Some(4), Timestamp(u64::MAX), BORN).without_store();
    (world.number, world.step, world.steps) = (0, 0, 3);
    world.step();
    assert!(world.run(1_000));
    assert_eq!(numbers(&world.sent), (1..=10).collect::<Vec<_>>());
    assert!(world.store.is_empty() && !world.desk.is_logged());
    assert_eq!(world.now.since(BORN), 3 * 400 + 1, "nothing waits for a store that is not there");
}

#[test]
fn what_hangs_is_let_go_of_and_tried_again() {
    let mut world = World::new(20, 20, End::Final);
    world.weather = vec![(0, Weather::Fine), (600, Weather::Hung), (1_700, Weather::Fine)];
    assert!(world.run(10_000));
    assert!(world.abandoned > 0, "nothing hung");
    assert_eq!(world.logged(0), (world.sent.clone(), Over::Complete));
    assert!(!world.store.contains_key(&Place::Slot(4)));
}

#[test]
fn a_locked_store_is_asked_seldom() {
    let mut world = World::new(100, 20, End::Final);
    world.weather = vec![(0, Weather::Fine), (3_000, Weather::Locked), (33_000, Weather::Fine)];
    let mut asked = 0;
    loop {
        match world.desk.poll(world.now) {
            Some(command) => {
                let asks = matches!(
                    command,
                    Command::Store(..) | Command::Remove(..) | Command::LookForStop
                );
                asked += usize::from(asks && world.weather() == Weather::Locked);
                world.perform(command);
            }
            None if world.run(1) => break,
            None => {}
        }
    }
    // Each of them may hold up everything else in its instance.
    assert!(asked <= 7, "{asked} in 30 s");
    assert_eq!(world.logged(0), (world.sent.clone(), Over::Complete));
    let last = world.begun.last().unwrap().1;
    assert!(last <= 100 * 400 + 1_000, "the last effect began after {last} ms");
}

#[test]
fn a_long_silence_is_no_death() {
    let mut world = World::new(1, 20, End::Final);
    world.is_stuck = true;
    world.run(200);
    let sign = world.store.get(&Place::Alive).expect("a sign of life");
    let sign: u64 = std::str::from_utf8(sign).unwrap().parse().unwrap();
    assert!(world.now.0 - sign <= 6_000);
}

fn weathers() -> impl Strategy<Value = Vec<(u64, Weather)>> {
    let one = prop_oneof![
        3 => Just(Weather::Fine), 2 => Just(Weather::Full), 1 => Just(Weather::Locked),
    ];
    prop::collection::vec((0_u64..9_000, one), 0..6).prop_map(|mut weather| {
        weather.sort_by_key(|(from, _)| *from);
        weather.insert(0, (0, Weather::Fine));
        weather.push((12_000, Weather::Fine));
        weather
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Whatever the store does and wherever a crash falls: what is read later is a beginning of
    /// what was shown with one end, and every effect that began was announced, but for those that
    /// the store's failure kept from it.
    #[test]
    fn a_crash_anywhere_leaves_a_log_without_holes(
        weather in weathers(), steps in 1_u64..12, size in 0_usize..40_000, crash in 0_usize..400,
        is_final: bool,
    ) {
        let end = if is_final { End::Final } else { End::Resumable };
        let mut world = World::new(steps, size, end);
        let is_fine = weather.iter().all(|(_, weather)| *weather == Weather::Fine);
        world.weather = weather;
        let is_over = world.run(crash);
        if is_fine {
            prop_assert_eq!(world.announced.len(), world.begun.len());
        }
        let (read, over) = world.logged(0);
        if read.is_empty() {
            prop_assert_eq!(over, Over::Unknown);
            return Ok(());
        }
        prop_assert_eq!(over, Over::Complete);
        prop_assert_eq!(numbers(&read), (1..=read.len() as u64).collect::<Vec<_>>());
        prop_assert!(read.iter().rev().skip(1).all(|entry| entry.kind != "end"));
        prop_assert_eq!(&world.logged(0).0, &read, "everybody reads the same");
        if is_over {
            prop_assert_eq!(read, world.sent);
            prop_assert!(!world.store.contains_key(&Place::Slot(4)));
            let kept = Snapshot::HEADS.map(|head| world.store.contains_key(&head));
            prop_assert!(if is_final { kept == [false; 2] } else { kept[0] }, "{:?}", kept);
        }
    }
}
