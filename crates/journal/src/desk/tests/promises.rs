//! What a desk promises beside the log itself: in which order things happen, how often, and when all
//! is over.

use super::*;
use crate::slots::LEASE_MS;
use std::collections::BTreeSet;

/// A desk without a machine: what one would answer is put in by hand.
fn desk(slot: Option<u32>) -> Desk<u64> {
    Desk::new(DIALECT, "id", slot, Timestamp(u64::MAX), BORN)
}

fn entry(number: u64, kind: &str) -> Vec<Entry> {
    vec![Entry { number, kind: kind.to_owned(), body: "{}".to_owned() }]
}

const fn after(wait: u64) -> Timestamp {
    Timestamp(BORN.0 + wait)
}

const fn nothing() -> Start<u64> {
    Start::AtOnce(Vec::new())
}

fn state(places: &[Place]) -> Values {
    places.iter().map(|place| (*place, Rc::from(*b"state"))).collect()
}

/// Does what the desk wants now, on a store that works or fails at once; gives what it wanted.
fn settle(desk: &mut Desk<u64>, works: bool, now: Timestamp) -> Vec<Command<u64>> {
    let mut wanted = Vec::new();
    while let Some(command) = desk.poll(now) {
        match &command {
            Command::Store(lane, ..) | Command::Remove(lane, _) => desk.stored(*lane, works, now),
            Command::LookForStop => desk.stored(Lane::Stop, works, now),
            Command::Close { .. } => desk.stored(Lane::Close, works, now),
            Command::Send(_) => desk.sent(true, now),
            Command::Snapshot => desk.snapshot(state(&[Place::Snapshot]), now),
            Command::Perform(_)
            | Command::Abandon(_)
            | Command::Follow { .. }
            | Command::Finish => {}
        }
        wanted.push(command);
    }
    wanted
}

fn closes(wanted: &[Command<u64>]) -> bool {
    wanted.iter().any(|command| matches!(command, Command::Close { .. }))
}

fn stores(wanted: &[Command<u64>], lane: Lane) -> bool {
    wanted.iter().any(|command| matches!(command, Command::Store(at, ..) if *at == lane))
}

#[test]
fn a_log_is_written_at_once_when_it_ends_or_its_reader_leaves_or_a_part_is_full() {
    let mut short = desk(None);
    short.react(entry(1, "log"), nothing(), None, BORN);
    assert!(matches!(short.poll(BORN), Some(Command::Send(_))));
    assert_eq!(short.poll(BORN), None, "most are written once, at their end");
    short.sent(false, BORN);
    assert!(stores(&settle(&mut short, true, BORN), Lane::Log));

    let mut ending = desk(None);
    ending.react(entry(1, "end"), nothing(), Some(End::Final), BORN);
    assert!(closes(&settle(&mut ending, true, BORN)));
    assert!(ending.is_over());

    let mut full = desk(None);
    let body = "x".repeat(MAX_VALUE);
    full.react(vec![Entry { number: 1, kind: "log".into(), body }], nothing(), None, BORN);
    assert!(stores(&settle(&mut full, true, BORN), Lane::Log));
}

#[test]
fn the_first_part_comes_after_a_quarter_of_a_second_and_others_after_a_second() {
    let mut desk = desk(None);
    let mut parts = Vec::new();
    for at in (0..4_000).step_by(10) {
        desk.react(entry(at / 10 + 1, "log"), nothing(), None, after(at));
        if stores(&settle(&mut desk, true, after(at)), Lane::Log) {
            parts.push(at);
        }
    }
    assert_eq!(parts, [250, 1_260, 2_270, 3_280]);
}

#[test]
fn what_can_be_repeated_for_nothing_begins_at_once_and_without_a_snapshot() {
    let mut desk = desk(None);
    desk.react(Vec::new(), Start::AtOnce(vec![1]), None, BORN);
    assert_eq!(settle(&mut desk, true, BORN), [Command::Perform(vec![1])]);
}

#[test]
fn a_reader_is_not_sent_to_a_log_that_cannot_be_written() {
    let large = |number| {
        let body = "x".repeat(2 * MOST_WAITING);
        vec![Entry { number, kind: "log".to_owned(), body }]
    };
    for is_written in [true, false] {
        let mut desk = desk(None);
        desk.react(entry(1, "log"), nothing(), None, BORN);
        assert!(matches!(desk.poll(BORN), Some(Command::Send(_))));
        assert!(stores(&settle(&mut desk, is_written, after(250)), Lane::Log));
        desk.react(large(2), nothing(), None, after(250));
        desk.sent(true, after(250));
        let wanted = desk.poll(after(250));
        assert_eq!(
            matches!(wanted, Some(Command::Follow { after: 1 })),
            is_written,
            "{is_written}"
        );
        assert_eq!(matches!(wanted, Some(Command::Send(_))), !is_written, "{is_written}");
    }
}

#[test]
fn signs_of_life_are_given_in_silence_alone() {
    let mut desk = desk(None);
    let mut signs = Vec::new();
    for second in 0..40 {
        let now = after(second * 1_000);
        // Ten seconds of entries, which make parts; the last one at 9 s.
        if second < 10 {
            desk.react(entry(second + 1, "log"), nothing(), None, now);
        }
        if stores(&settle(&mut desk, true, now), Lane::Sign) {
            signs.push(second);
        }
    }
    assert_eq!(signs, [14, 19, 24, 29, 34, 39]);
}

#[test]
fn an_end_is_looked_for_each_second_and_before_more_is_paid_for() {
    let mut desk = desk(None);
    let mut looks = Vec::new();
    for at in (0..4_000).step_by(50) {
        if at == 100 || at == 2_600 {
            desk.react(Vec::new(), Start::Announced(vec![at]), None, after(at));
        }
        if settle(&mut desk, true, after(at)).contains(&Command::LookForStop) {
            looks.push(at);
        }
    }
    assert_eq!(looks, [250, 1_250, 2_250, 2_600, 3_600]);
}

#[test]
fn a_place_is_kept_for_as_long_as_its_log_goes_on() {
    let mut desk = desk(Some(4));
    let mut until = after(LEASE_MS);
    for second in 0..300 {
        let now = after(second * 1_000);
        for command in settle(&mut desk, true, now) {
            if let Command::Store(Lane::Slot, Place::Slot(4), value) = command {
                until = Lease::read(&value).unwrap().until;
            }
        }
        assert!(until > now, "lost after {second} s");
    }
}

#[test]
fn a_state_that_cost_something_is_written_within_a_second() {
    let mut desk = desk(None);
    desk.changed(BORN);
    assert!(!settle(&mut desk, true, after(900)).contains(&Command::Snapshot));
    assert!(settle(&mut desk, true, after(1_000)).contains(&Command::Snapshot));
}

#[test]
fn what_has_not_begun_when_its_machine_ends_never_begins() {
    for end in [End::Final, End::Resumable] {
        let mut desk = desk(None);
        desk.react(Vec::new(), Start::AtOnce(vec![1]), None, BORN);
        desk.react(Vec::new(), Start::Announced(vec![2]), None, BORN);
        desk.react(entry(1, "end"), nothing(), Some(end), BORN);
        let wanted = settle(&mut desk, true, BORN);
        assert!(!wanted.iter().any(|command| matches!(command, Command::Perform(_))), "{wanted:?}");
    }
}

#[test]
fn nothing_that_comes_behind_an_end_changes_it() {
    let mut desk = desk(None);
    desk.react(entry(1, "end"), nothing(), Some(End::Resumable), BORN);
    // Its last state cannot be kept at once.
    assert!(settle(&mut desk, false, BORN).contains(&Command::Snapshot));
    desk.react(entry(2, "log"), Start::AtOnce(vec![1]), Some(End::Final), BORN);
    let mut wanted = Vec::new();
    for at in (0..5_000).step_by(50) {
        wanted.extend(settle(&mut desk, true, after(at)));
    }
    assert!(stores(&wanted, Lane::Snapshot) && desk.is_over(), "{wanted:?}");
    let is_late = |command: &Command<u64>| match command {
        Command::Perform(_) | Command::Remove(..) | Command::Close { .. } => true,
        Command::Send(entries) => entries.iter().any(|entry| entry.number > 1),
        _ => false,
    };
    assert!(!wanted.iter().any(is_late), "{wanted:?}");
}

#[test]
fn who_reads_the_log_of_one_that_can_be_gone_on_with_is_told_of_its_end_when_its_state_is_kept() {
    for (is_kept, told) in [(true, 310), (false, 300 + PATIENCE_MS)] {
        let mut desk = desk(None);
        desk.react(entry(1, "log"), nothing(), None, BORN);
        assert!(stores(&settle(&mut desk, true, after(250)), Lane::Log));
        desk.react(entry(2, "end"), nothing(), Some(End::Resumable), after(300));
        while let Some(command) = desk.poll(after(300)) {
            match command {
                Command::Snapshot => desk.snapshot(state(&[Place::Continuation]), after(300)),
                Command::Store(Lane::Snapshot, ..) => {}
                other => panic!("{other:?} before its state is kept"),
            }
        }
        assert_eq!(desk.poll(after(told - 1)), None);
        if is_kept {
            desk.stored(Lane::Snapshot, true, after(told));
        }
        let wanted = settle(&mut desk, true, after(told));
        assert!(stores(&wanted, Lane::Log), "{wanted:?}");
        assert!(matches!(wanted.first(), Some(Command::Send(_))), "{wanted:?}");
    }
}

#[test]
fn a_snapshot_that_is_written_behind_the_end_announces_nothing() {
    let mut desk = desk(None);
    desk.react(Vec::new(), Start::Announced(vec![1]), None, BORN);
    assert_eq!(desk.poll(BORN), Some(Command::Snapshot));
    desk.snapshot(state(&[Place::Snapshot]), BORN);
    assert!(matches!(desk.poll(BORN), Some(Command::Store(Lane::Snapshot, ..))));
    desk.react(entry(1, "end"), nothing(), Some(End::Final), BORN);
    assert!(!desk.is_over());
    desk.stored(Lane::Snapshot, true, BORN);
    let wanted = settle(&mut desk, true, BORN);
    assert!(!wanted.iter().any(|command| matches!(command, Command::Perform(_))), "{wanted:?}");
    assert!(closes(&wanted), "{wanted:?}");
    assert!(desk.is_over());
}

#[test]
fn a_state_that_cannot_be_had_is_asked_for_now_and_then_and_at_the_end_once() {
    for (end, most) in [(None, 5), (Some(End::Resumable), 1)] {
        let mut desk = desk(None);
        desk.react(entry(1, "log"), Start::Announced(vec![1]), end, BORN);
        let (mut asked, mut begun) = (0, false);
        for at in (0..5_000).step_by(50) {
            while let Some(command) = desk.poll(after(at)) {
                match command {
                    Command::Snapshot => {
                        asked += 1;
                        assert!(asked <= most, "{asked} times in {at} ms");
                        desk.snapshot(Vec::new(), after(at));
                    }
                    Command::Store(lane, ..) => desk.stored(lane, true, after(at)),
                    Command::LookForStop => desk.stored(Lane::Stop, true, after(at)),
                    Command::Send(_) => desk.sent(true, after(at)),
                    Command::Perform(_) => begun = true,
                    Command::Close { .. } => desk.stored(Lane::Close, true, after(at)),
                    Command::Remove(..)
                    | Command::Abandon(_)
                    | Command::Follow { .. }
                    | Command::Finish => {}
                }
            }
        }
        assert_eq!((asked, begun, desk.is_over()), (most, end.is_none(), end.is_some()));
    }
}

#[test]
fn a_snapshot_that_failed_may_be_there_and_is_removed() {
    let mut desk = desk(None);
    desk.react(Vec::new(), Start::Announced(vec![1]), None, BORN);
    assert!(stores(&settle(&mut desk, false, BORN), Lane::Snapshot));
    desk.react(entry(1, "end"), nothing(), Some(End::Final), after(300));
    let wanted = settle(&mut desk, true, after(300));
    assert!(wanted.contains(&Command::Remove(Lane::Snapshot, Place::Snapshot)), "{wanted:?}");
}

/// Whichever of the three is late: the log, the snapshot (removed or written for the last time), the
/// place among those under way. It keeps the others waiting for a moment only.
#[test]
fn nothing_is_over_before_all_is_in_the_store() {
    for end in [End::Final, End::Resumable] {
        for late in [Lane::Log, Lane::Snapshot, Lane::Slot] {
            let mut desk = desk(Some(4));
            desk.react(entry(1, "log"), Start::Announced(vec![1]), None, BORN);
            settle(&mut desk, true, BORN);
            desk.react(entry(2, "end"), nothing(), Some(end), after(100));
            let mut done = BTreeSet::new();
            for at in (100..20_100).step_by(50) {
                while let Some(command) = desk.poll(after(at)) {
                    let (lane, is_whole) = match command {
                        Command::Store(lane, place, _) => {
                            (lane, place != Place::ContinuationPiece(0))
                        }
                        Command::Remove(lane, _) => (lane, true),
                        // All in one go does not work, so each is done by itself.
                        Command::Close { .. } => (Lane::Close, false),
                        Command::Send(_) => {
                            desk.sent(true, after(at));
                            continue;
                        }
                        Command::Snapshot => {
                            let places = [Place::ContinuationPiece(0), Place::Continuation];
                            desk.snapshot(state(&places), after(at));
                            continue;
                        }
                        Command::Finish => continue,
                        other => panic!("{other:?} after the end"),
                    };
                    if end == End::Final && lane == Lane::Snapshot {
                        assert!(done.contains(&Lane::Log), "the log says that all is over");
                    }
                    let works = lane != Lane::Close && (lane != late || at > 10_000);
                    if works && is_whole {
                        done.insert(lane);
                    }
                    desk.stored(lane, works, after(at));
                }
                assert_eq!(desk.is_over(), done.len() == 3, "{end:?}, {late:?} late: {done:?}");
                // Of one that leaves nothing to go on with the log comes before the snapshot goes.
                let waits = usize::from(end == End::Final && late == Lane::Log);
                assert!(at < 2_000 || done.len() + waits >= 2, "{end:?}, {late:?}: {done:?}");
            }
            assert!(desk.is_over(), "{end:?}, {late:?} late");
        }
    }
}

#[test]
fn a_slot_is_given_back_though_its_renewal_was_under_way_at_the_end() {
    let mut desk = desk(Some(4));
    let at = after(LEASE_MS / 2);
    let renewal = std::iter::from_fn(|| desk.poll(at))
        .find(|command| matches!(command, Command::Store(Lane::Slot, ..)));
    assert!(renewal.is_some());
    desk.react(entry(1, "end"), nothing(), Some(End::Final), at);
    desk.stored(Lane::Slot, true, at);
    let wanted = settle(&mut desk, true, at);
    let gives_back = |command: &_| matches!(command, Command::Close { slot: Some(4), .. });
    assert!(wanted.iter().any(gives_back) && desk.is_over(), "{wanted:?}");
}

#[test]
fn a_store_in_which_something_works_is_waited_for_longer_than_one_that_is_gone() {
    for works_from in [None, Some(20_000)] {
        let mut desk = desk(Some(4));
        desk.react(entry(1, "end"), nothing(), Some(End::Final), BORN);
        let over = (0..200_000).step_by(50).find(|at| {
            while let Some(command) = desk.poll(after(*at)) {
                let lane = match command {
                    Command::Store(lane, ..) | Command::Remove(lane, _) => lane,
                    Command::Close { .. } => Lane::Close,
                    Command::Send(_) => {
                        desk.sent(true, after(*at));
                        continue;
                    }
                    _ => continue,
                };
                let works = lane == Lane::Slot && works_from.is_some_and(|from| *at >= from);
                desk.stored(lane, works, after(*at));
            }
            desk.is_over()
        });
        let expected = if works_from.is_some() { 50_000..=70_000 } else { 30_000..=30_000 };
        assert!(expected.contains(&over.unwrap()), "{works_from:?}: {over:?}");
        assert!(!desk.is_logged());
    }
}

/// Somebody took the writer for dead, and gave its log an end.
#[test]
fn a_writer_whose_log_another_ended_pays_no_more_and_leaves_what_is_kept_to_whoever_goes_on() {
    for (tried, ends) in [(Lane::Log, Some(End::Resumable)), (Lane::Close, None)] {
        let mut desk = desk(Some(4));
        let (first, ended) = match ends {
            Some(_) => (Start::Announced(vec![1]), None),
            None => (nothing(), Some(End::Final)),
        };
        desk.react(entry(1, "log"), first, ended, BORN);
        let mut wanted = Vec::new();
        while let Some(command) = desk.poll(after(250)) {
            match &command {
                Command::Store(Lane::Log, ..) | Command::Close { .. } => {
                    desk.lost(tried, after(250));
                    // Whoever drives it ends its machine then.
                    desk.react(entry(2, "end"), nothing(), ends, after(250));
                }
                Command::Store(lane, ..) | Command::Remove(lane, _) => {
                    desk.stored(*lane, true, after(250));
                }
                Command::LookForStop => desk.stored(Lane::Stop, true, after(250)),
                Command::Snapshot => desk.snapshot(state(&[Place::Snapshot]), after(250)),
                Command::Send(_) => desk.sent(true, after(250)),
                Command::Perform(_)
                | Command::Abandon(_)
                | Command::Follow { .. }
                | Command::Finish => {}
            }
            wanted.push(command);
        }
        assert!(desk.is_over() && desk.is_lost() && !desk.is_logged(), "{wanted:?}");
        let logs = |command: &&Command<u64>| {
            matches!(command, Command::Store(Lane::Log, ..) | Command::Close { .. })
        };
        let at = wanted.iter().position(|command| logs(&command)).unwrap();
        let behind = &wanted[at + 1..];
        assert!(!behind.iter().any(|command| logs(&command)), "{behind:?}");
        // Its reader is told the end, and its place is free.
        assert!(behind.contains(&Command::Remove(Lane::Slot, Place::Slot(4))), "{behind:?}");
        assert!(wanted.contains(&Command::Finish), "{wanted:?}");
        let touches = |command: &Command<u64>| {
            matches!(
                command,
                Command::Snapshot
                    | Command::Perform(_)
                    | Command::Store(Lane::Snapshot, ..)
                    | Command::Remove(Lane::Snapshot, _)
            )
        };
        assert!(!behind.iter().any(touches), "{behind:?}");
        assert_eq!(ends.is_some(), behind.iter().any(|it| matches!(it, Command::Send(_))));
    }
}
