//! Readers of logs whose writers live, die, or come back late.

use super::*;
use std::collections::BTreeMap;

const DIALECT: Dialect = Dialect { pieces: "delta", is_last: |kind| kind == "end" };
const BORN: Timestamp = Timestamp(1_000);

type Store = BTreeMap<Place, Vec<u8>>;

fn entry(number: u64, kind: &str) -> Entry {
    Entry { number, kind: kind.to_owned(), body: format!("{{\"n\":{number}}}") }
}

fn part(entries: &[Entry], written: u64) -> Vec<u8> {
    let mut encoder = Encoder::new(DIALECT);
    entries.iter().for_each(|entry| encoder.push(entry));
    let (is_fresh, records) = encoder.take(MAX_VALUE).unwrap();
    let (expires, written) = (Timestamp(90_000_000), Timestamp(written));
    Part { expires, written, is_fresh, records: &records }.write()
}

struct Read {
    entries: Vec<Entry>,
    over: Over,
    ended: Timestamp,
}

/// Follows until the end. Before each look `meanwhile` may change the store, or take it away.
fn follow(
    store: &mut Store,
    after: u64,
    from: u64,
    meanwhile: impl FnMut(&mut Store, u64) -> bool,
) -> Read {
    follow_where(|_| true, store, (after, from), meanwhile)
}

/// The same at a store that takes writes where `takes` says so, and else can be read alone.
fn follow_where(
    takes: impl Fn(u64) -> bool,
    store: &mut Store,
    (after, from): (u64, u64),
    mut meanwhile: impl FnMut(&mut Store, u64) -> bool,
) -> Read {
    let mut follower = Follower::new(DIALECT, BORN, after);
    let (mut now, mut entries) = (Timestamp(from), Vec::new());
    for _ in 0..100_000 {
        match follower.poll() {
            Look::Read(place) => {
                let answers = meanwhile(store, now.0);
                let value = answers.then(|| store.get(&place).cloned()).ok_or(());
                follower.read(value, now);
            }
            Look::Wait(wait) => now.0 += wait,
            Look::Deliver(batch) => entries.extend(batch),
            Look::Probe { .. } => {
                let answers = meanwhile(store, now.0) && takes(now.0);
                follower.probed(answers, now);
            }
            Look::Bury { number, died } => {
                assert!(died <= now);
                follower.bury("end", format!("{{\"number\":{number},\"died\":{}}}", died.0));
            }
            Look::Write(place, value) => {
                let answers = meanwhile(store, now.0) && takes(now.0);
                if answers {
                    store.entry(place).or_insert(value);
                }
                follower.wrote(answers, now);
            }
            Look::End(over) => return Read { entries, over, ended: now },
        }
    }
    panic!("a reader must come to an end");
}

fn dead() -> Store {
    let part = part(&[entry(1, "log"), entry(2, "init")], 1_500);
    Store::from([(Place::Part(0), part), (Place::Alive, b"6500".to_vec())])
}

#[test]
fn a_log_that_has_ended_is_read_from_any_place() {
    let all = [entry(1, "log"), entry(2, "init"), entry(3, "end")];
    for after in [0, 1, 2, 3, 4, u64::MAX] {
        let mut store = Store::from([
            (Place::Part(0), part(&all[..2], 1_500)),
            (Place::Part(1), {
                let mut encoder = Encoder::new(DIALECT);
                encoder.push(&all[2]);
                let (is_fresh, records) = encoder.take(999).unwrap();
                let (expires, written) = (Timestamp(90_000_000), Timestamp(2_000));
                Part { expires, written, is_fresh, records: &records }.write()
            }),
        ]);
        let before = store.clone();
        let read = follow(&mut store, after, 5_000, |_, _| true);
        let expected: Vec<Entry> = all.iter().filter(|e| e.number > after).cloned().collect();
        assert_eq!((read.entries, read.over), (expected, Over::Complete), "after {after}");
        assert_eq!(store, before, "nothing is written");
    }
}

/// A reader's own number decides neither the number of the burial nor its bytes.
#[test]
fn a_dead_log_gets_the_same_end_whoever_reads_it() {
    let mut ends = Vec::new();
    for (after, from) in
        [(0, 40_000), (2, 41_234), (3, 500_000), (u64::MAX, 3_000), (u64::MAX - 1, 9)]
    {
        let mut store = dead();
        let read = follow(&mut store, after, from, |_, _| true);
        assert_eq!(read.over, Over::Complete);
        let last = read.entries.last().map(|entry| entry.number);
        assert_eq!(last, (after < 3).then_some(3), "after {after}");
        ends.push(store[&Place::Part(1)].clone());
        // Everybody else reads the same end, at once.
        let again = follow(&mut store, 0, 50_000, |_, _| true);
        assert_eq!((again.entries.len(), again.entries[2].number), (3, 3));
        assert_eq!(again.entries[2].body, "{\"number\":3,\"died\":6500}");
        assert_eq!(again.ended, Timestamp(50_000));
    }
    ends.dedup();
    assert_eq!(ends.len(), 1, "all write the same bytes");
}

/// Whoever looks once a second never goes on long enough to be certain; it is told of its doubt, and may look on.
#[test]
fn who_looks_once_learns_whether_the_writer_seems_dead() {
    let store = dead();
    let doubts = |at: u64| {
        let mut follower = Follower::new(DIALECT, BORN, 0);
        loop {
            match follower.poll() {
                Look::Read(place) => follower.read(Ok(store.get(&place).cloned()), Timestamp(at)),
                Look::Deliver(_) => {}
                Look::Probe { .. } => follower.probed(true, Timestamp(at)),
                Look::Wait(_) => return follower.doubts(),
                other => panic!("{other:?}"),
            }
        }
    };
    let from = (1..).find(|seconds| doubts(BORN.0 + seconds * 1_000)).unwrap();
    assert!((from..from + 60).all(|seconds| doubts(BORN.0 + seconds * 1_000)), "from {from} s on");
    let read = follow(&mut store.clone(), 0, BORN.0 + from * 1_000, |_, _| true);
    assert!(read.ended.0 <= BORN.0 + (from + 13) * 1_000, "{}", read.ended.0);
}

#[test]
fn a_writer_that_was_kept_from_its_store_is_not_buried() {
    let mut store = dead();
    // Away from 10 s to 35 s; the writer shows itself after its longest wait.
    let read = follow(&mut store, 0, 5_000, |store, now| {
        if now >= 45_000 && !store.contains_key(&Place::Part(1)) {
            let last = Entry { number: 3, kind: "end".into(), body: "late".into() };
            let mut encoder = Encoder::new(DIALECT);
            encoder.push(&last);
            let (is_fresh, records) = encoder.take(999).unwrap();
            let (expires, written) = (Timestamp(90_000_000), Timestamp(now));
            let part = Part { expires, written, is_fresh, records: &records };
            store.insert(Place::Part(1), part.write());
        }
        !(10_000..35_000).contains(&now)
    });
    assert_eq!((read.over, read.entries.len()), (Over::Complete, 3));
    assert_eq!(read.entries[2].body, "late", "the writer's own end, no burial");
}

/// Others hold the store for longer than a doubt lasts, and everything in it can be read. The writer waits as long as one may
/// between its tries.
#[test]
fn a_writer_whose_store_took_no_writes_is_not_buried_when_it_takes_them_again() {
    for freed in [28_000, 40_000, 47_000] {
        let mut store = dead();
        let next = freed + 10_000;
        let takes = |now: u64| !(6_600..freed).contains(&now);
        let read = follow_where(takes, &mut store, (0, 5_000), |store, now| {
            if now >= next {
                store.entry(Place::Part(1)).or_insert_with(|| part(&[entry(3, "end")], now));
            }
            true
        });
        assert_eq!((read.over, read.entries.len()), (Over::Complete, 3), "{freed}");
        assert_eq!(read.entries[2], entry(3, "end"), "{freed}: its own end, no burial");
    }
}

#[test]
fn who_finds_no_sign_in_a_store_that_takes_no_writes_is_told_that_it_fails() {
    // Whether anything of the log is there or not.
    for mut store in [dead(), Store::new()] {
        let before = store.clone();
        let read = follow_where(|_| false, &mut store, (0, 2_000), |_, _| true);
        assert_eq!(read.over, Over::Unavailable);
        assert!((50_000..60_000).contains(&read.ended.0), "{:?}", read.ended);
        assert_eq!(store, before);
    }
}

/// The writer's sign comes between the last look that misses it and the write that shows that it could be there.
#[test]
fn a_sign_that_came_before_the_write_that_decides_is_seen_behind_it() {
    let mut follower = Follower::new(DIALECT, BORN, 0);
    let (mut store, mut now, mut is_shown) = (dead(), Timestamp(40_000), false);
    loop {
        match follower.poll() {
            Look::Read(place) => follower.read(Ok(store.get(&place).cloned()), now),
            Look::Wait(_) if is_shown => break,
            Look::Wait(wait) => now.0 += wait,
            Look::Deliver(_) => {}
            Look::Probe { decides } => {
                if decides {
                    store.insert(Place::Alive, now.0.to_string().into_bytes());
                    is_shown = true;
                }
                follower.probed(true, now);
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(!follower.doubts());
}

#[test]
fn a_part_is_a_sign_of_life_and_what_comes_from_the_future_is_none() {
    let future = u64::MAX.to_string().into_bytes();
    for (written, sign, died) in [(50_000, None, 50_000), (50_000, Some(future), 50_000)] {
        let mut store = Store::from([(Place::Part(0), part(&[entry(1, "log")], written))]);
        store.extend(sign.map(|sign| (Place::Alive, sign)));
        let read = follow(&mut store, 0, 51_000, |_, _| true);
        assert_eq!((read.over, read.entries.len()), (Over::Complete, 2));
        assert_eq!(read.entries[1].body, format!("{{\"number\":2,\"died\":{died}}}"));
        assert!((82_000..84_000).contains(&read.ended.0), "{:?}", read.ended);
    }
}

/// Follows a log whose writer lives for five minutes, and gives a sign each five seconds by its own clock. That goes on
/// when the wall's is set back, and leaps with it. What the wall shows is told by the time that passes.
fn follow_a_living_writer(from: u64, wall: impl Fn(u64) -> u64) -> Over {
    let mut store = Store::from([(Place::Part(0), part(&[entry(1, "log")], wall(1_000)))]);
    let mut steady = crate::Steady::from(Timestamp(wall(1_000)));
    let mut follower = Follower::new(DIALECT, Timestamp(wall(1_000)), 0);
    let (mut passed, mut written) = (from, 0);
    loop {
        // A second behind each leap of its clock it is awake.
        while written <= passed {
            let at = steady.read(Timestamp(wall(written.max(1_000))));
            if written % 5_000 == 0 {
                store.insert(Place::Alive, at.0.to_string().into_bytes());
            }
            if written == 300_000 {
                store.insert(Place::Part(1), part(&[entry(2, "end")], at.0));
            }
            written += 1_000;
        }
        let now = Timestamp(wall(passed));
        match follower.poll() {
            Look::Read(place) => follower.read(Ok(store.get(&place).cloned()), now),
            Look::Wait(wait) => passed += wait,
            Look::Deliver(_) => {}
            Look::Probe { .. } => follower.probed(true, now),
            Look::End(over) => return over,
            other => panic!("{other:?} after {passed} ms"),
        }
    }
}

#[test]
fn a_living_writer_is_not_buried_however_the_clock_is_set() {
    let hour = 3_600_000;
    for set_at in [30_000, 31_500, 34_900] {
        // Before the reader comes, and while it reads.
        for from in [2_000, 36_000] {
            let on = |by| move |passed| hour + passed + if passed >= set_at { by } else { 0 };
            let back = |by| move |passed| hour + passed - if passed >= set_at { by } else { 0 };
            for by in [2_000, 25_000, 61_000, 700_000, hour] {
                assert_eq!(follow_a_living_writer(from, on(by)), Over::Complete, "on {by}");
                assert_eq!(follow_a_living_writer(from, back(by)), Over::Complete, "back {by}");
            }
        }
    }
}

#[test]
fn whoever_is_known_to_live_is_not_asked_for_a_sign() {
    let (store, mut follower) = (dead(), Follower::new(DIALECT, BORN, 0));
    let mut now = Timestamp(700_000);
    for _ in 0..500 {
        match follower.poll() {
            Look::Read(Place::Alive) => follower.lives(now),
            Look::Read(place) => follower.read(Ok(store.get(&place).cloned()), now),
            Look::Wait(wait) => now.0 += wait,
            Look::Deliver(_) => {}
            other => panic!("{other:?}"),
        }
    }
    assert!(!follower.doubts());
}

/// The writer wrote while its reader made up its mind.
#[test]
fn a_burial_that_comes_second_reads_on() {
    let (mut store, mut now, mut follower) =
        (dead(), Timestamp(40_000), Follower::new(DIALECT, BORN, 0));
    let (mut entries, mut writes) = (Vec::new(), 0);
    loop {
        match follower.poll() {
            Look::Read(place) => follower.read(Ok(store.get(&place).cloned()), now),
            Look::Wait(wait) => now.0 += wait,
            Look::Deliver(batch) => entries.extend(batch),
            Look::Probe { .. } => follower.probed(true, now),
            Look::Bury { .. } => follower.bury("end", "buried".to_owned()),
            Look::Write(place, value) => {
                writes += 1;
                store.insert(place, part(&[entry(3, "log")], now.0));
                store.insert(Place::Part(2), part(&[entry(4, "end")], now.0));
                assert_ne!(store[&place], value);
                follower.wrote(true, now);
            }
            Look::End(over) => {
                assert_eq!((over, writes), (Over::Complete, 1));
                break;
            }
        }
    }
    assert_eq!(entries.last(), Some(&entry(4, "end")));
}

#[test]
fn a_log_that_has_begun_is_read_though_the_clock_was_set_back_behind_its_birth() {
    let born = 9_000_000;
    let all = [entry(1, "log"), entry(2, "end")];
    let mut store = Store::from([(Place::Part(0), part(&all, born + 500))]);
    let mut follower = Follower::new(DIALECT, Timestamp(born), 0);
    let read = loop {
        match follower.poll() {
            Look::Read(place) => follower.read(Ok(store.remove(&place)), Timestamp(1_000)),
            Look::Deliver(batch) => assert_eq!(batch, all),
            Look::End(over) => break over,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(read, Over::Complete);
}

#[test]
fn a_silent_log_is_looked_at_seldom_and_one_in_which_something_happens_often() {
    let mut store = Store::from([(Place::Part(0), part(&[entry(1, "log")], 1_000))]);
    // Its writer says each second that it lives, and has nothing to tell for a minute.
    let mut looks = Vec::new();
    let read = follow(&mut store, 0, 1_000, |store, now| {
        looks.push(now);
        store.insert(Place::Alive, (now - now % 1_000).to_string().into_bytes());
        if now > 61_000 {
            store.entry(Place::Part(1)).or_insert_with(|| part(&[entry(2, "end")], now));
        }
        true
    });
    assert_eq!((read.over, read.entries.len()), (Over::Complete, 2));
    assert!(read.ended.0 <= 61_000 + 600, "told late: {:?}", read.ended);
    assert!(looks.len() < 125, "{} looks in a minute", looks.len());

    // One that tells something each second is read as soon as it does.
    let mut store = Store::from([(Place::Part(0), part(&[entry(1, "log")], 1_000))]);
    let mut late = 0;
    follow(&mut store, 0, 1_000, |store, now| {
        let next = (now / 1_000) as u32;
        let is_last = next >= 30;
        store.entry(Place::Part(next)).or_insert_with(|| {
            late = late.max(now % 1_000);
            let kind = if is_last { "end" } else { "log" };
            part(&[entry(u64::from(next) + 1, kind)], now)
        });
        true
    });
    assert!(late <= 150, "{late} ms");
}

#[test]
fn outages_with_an_answer_between_them_are_not_one() {
    let mut store = dead();
    let read = follow(&mut store, 0, 5_000, |store, now| {
        store.insert(Place::Alive, now.to_string().into_bytes());
        if now > 60_000 {
            store.insert(Place::Part(1), part(&[entry(3, "end")], now));
        }
        !(10_000..30_000).contains(&now) && !(32_000..52_000).contains(&now)
    });
    assert_eq!((read.over, read.entries.len()), (Over::Complete, 3));
}

#[test]
fn an_end_that_cannot_be_written_is_tried_now_and_then_and_given_up() {
    let mut follower = Follower::new(DIALECT, BORN, 0);
    let (store, mut now, mut writes) = (dead(), Timestamp(60_000), 0);
    let over = loop {
        match follower.poll() {
            Look::Read(place) => follower.read(Ok(store.get(&place).cloned()), now),
            Look::Wait(wait) => now.0 += wait,
            Look::Deliver(_) => {}
            Look::Probe { .. } => follower.probed(true, now),
            Look::Bury { .. } => follower.bury("end", "{}".to_owned()),
            Look::Write(..) => {
                writes += 1;
                assert!(writes < 100, "{writes} in {} ms", now.0 - 60_000);
                follower.wrote(false, now);
            }
            Look::End(over) => break over,
        }
    };
    assert_eq!(over, Over::Unavailable);
    assert!((25..40).contains(&writes), "{writes} in {} ms", now.0 - 60_000);
}

#[test]
fn an_unknown_log_is_not_waited_for() {
    for from in [700_000, 0] {
        let mut follower = Follower::new(DIALECT, Timestamp(600_000 - from.min(1) * 600_000), 0);
        follower.read(Ok(None), Timestamp(from));
        follower.read(Ok(None), Timestamp(from));
        assert_eq!(follower.poll(), Look::End(Over::Unknown), "from {from}");
    }
    // One that may only just have begun, on a store that failed, is given time to show itself.
    let read = follow(&mut Store::new(), 0, 1_100, |_, _| true);
    assert_eq!(read.over, Over::Unknown);
    assert!((33_000..34_000).contains(&read.ended.0), "{:?}", read.ended);
    // And one that lives but could not write yet is waited for.
    let mut store = Store::from([(Place::Alive, b"9000".to_vec())]);
    let read = follow(&mut store, 0, 9_500, |store, now| {
        if now > 15_000 {
            store.insert(Place::Part(0), part(&[entry(1, "end")], 15_000));
        }
        true
    });
    assert_eq!((read.over, read.entries.len()), (Over::Complete, 1));
}

#[test]
fn an_expired_foreign_or_damaged_log_is_said_to_be_so() {
    let expired = || dead();
    assert_eq!(follow(&mut expired(), 0, 90_000_000, |_, _| true).over, Over::Unknown);
    let mut foreign = Store::from([(Place::Part(0), b"1999\n1\tlog\t{}\n".to_vec())]);
    assert_eq!(follow(&mut foreign, 0, 9_000, |_, _| true).over, Over::Unknown);
    let mut gap = Store::from([(Place::Part(0), part(&[entry(7, "log")], 0))]);
    assert_eq!(follow(&mut gap, 0, 9_000, |_, _| true).over, Over::Damaged(Damage::Gap));
}

#[test]
fn a_store_that_stays_away_ends_the_reading_and_not_the_log() {
    let mut store = dead();
    let read = follow(&mut store, 0, 5_000, |_, now| now < 5_100);
    assert_eq!((read.over, read.entries.len()), (Over::Unavailable, 2));
    assert!(!store.contains_key(&Place::Part(1)));
}
