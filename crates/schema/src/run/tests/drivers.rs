//! Two drivers that know nothing of each other, in any order of their doings.

use super::*;
use proptest::prelude::*;

#[derive(Debug, Clone, Copy)]
enum Doing {
    Take,
    /// Reads how far the journal is, as a driver does when it folds.
    Load,
    /// Appends so many entries from where it believes the journal is.
    Step(u8),
    Release,
    /// Time passes, for both.
    Wait(u8),
}

fn doing() -> impl Strategy<Value = (bool, Doing)> {
    let doing = prop_oneof![
        2 => Just(Doing::Take),
        1 => Just(Doing::Load),
        4 => (0_u8..4).prop_map(Doing::Step),
        1 => Just(Doing::Release),
        1 => (1_u8..90).prop_map(Doing::Wait),
    ];
    (any::<bool>(), doing)
}

struct Driver {
    name: &'static str,
    /// The next entry's number and the next event's, as it believes.
    next: (u64, u64),
    steps: u32,
}

impl Driver {
    /// What it writes says who wrote it, so that nothing that is written over goes unseen.
    fn step(&mut self, many: u8, now: i64) -> (Step, Vec<String>) {
        self.steps += 1;
        let body = |nth| format!("\"{} {} {nth}\"", self.name, self.steps);
        let written: Vec<String> = (0..many).map(body).collect();
        let bodies: Vec<&str> = written.iter().map(String::as_str).collect();
        let mut step = step(1, &bodies);
        step.holder = self.name.to_owned();
        (step.now, step.until) = (Timestamp(now as u64), Timestamp(now as u64 + 60));
        step.first = self.next.0;
        step.events = (self.next.1..).zip(&written).map(|(n, data)| event(n, data)).collect();
        (step, written)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn two_drivers_never_make_a_gap_a_repetition_or_an_overwritten_entry(
        doings in prop::collection::vec(doing(), 1..60),
    ) {
        let connection = database();
        create(&connection, birth(1));
        let mut drivers = ["a", "b"].map(|name| Driver { name, next: (2, 2), steps: 0 });
        let (mut now, mut expected) = (100, vec!["1".to_owned()]);
        for (who, doing) in doings {
            let driver = &mut drivers[usize::from(who)];
            match doing {
                Doing::Take => _ = take(&connection, 1, driver.name, now),
                Doing::Load => {
                    let at = stands(&connection, 1);
                    driver.next = (at.n + 1, at.sequence + 1);
                }
                Doing::Step(many) => {
                    let held = stands(&connection, 1);
                    let others = held.holder.as_deref().is_some_and(|holder| holder != driver.name);
                    let is_held = others && held.until.is_some_and(|until| until.0 > now as u64);
                    let is_next = driver.next == (held.n + 1, held.sequence + 1);
                    let (step, written) = driver.step(many, now);
                    match write(&connection, step) {
                        Ok(()) => {
                            prop_assert!(!is_held && (is_next || many == 0));
                            driver.next.0 += u64::from(many);
                            driver.next.1 += u64::from(many);
                            expected.extend(written);
                        }
                        Err(why) => {
                            prop_assert_eq!(Refusal::read(&why), Some(Refusal::Lost), "{}", why);
                            prop_assert!(is_held || !is_next, "{why}");
                        }
                    }
                }
                Doing::Release => release(&connection, 1, driver.name, Some(now)),
                Doing::Wait(time) => now += i64::from(time),
            }
            prop_assert_eq!(stands(&connection, 1).n, expected.len() as u64);
        }
        // Reading them tells a gap or a repetition.
        let read = journal(&connection, 1);
        prop_assert_eq!(bodies(&read), expected.iter().map(String::as_str).collect::<Vec<_>>());
        let events = shown(&connection, 1, 1).unwrap().events;
        let expected = (2..).zip(&expected[1..]).map(|(n, data)| event(n, data));
        prop_assert_eq!(events, expected.collect::<Vec<_>>());
    }
}

#[test]
fn of_all_who_know_whose_lease_is_handed_on_one_has_it() {
    let connection = database();
    create(&connection, birth(1));
    let over = |before: &str, holder: &str, now: i64| {
        let values = params![id(1).to_string(), holder, now, now + 60, before];
        connection.prepare(TAKE_OVER).unwrap().exists(values).unwrap()
    };
    assert!(!over("a", "b", 100), "nobody has it");
    assert!(take(&connection, 1, "a", 100).is_some());
    assert!(over("a", "b", 110));
    assert!(over("a", "b", 110), "who did not hear of it asks again");
    assert!(!over("a", "c", 110) && !over("a", "a", 110), "it is another's now");
    assert!(take(&connection, 1, "a", 120).is_none());
    let late = Step { holder: "a".to_owned(), now: Timestamp(130), ..step(1, &["2"]) };
    assert_eq!(Refusal::read(&write(&connection, late).unwrap_err()), Some(Refusal::Lost));
    release(&connection, 1, "b", Some(140));
    assert!(!over("b", "c", 140), "it is nobody's");
}

#[test]
fn whoever_brings_a_key_has_a_run_that_waits_from_its_driver_and_no_other() {
    let connection = database();
    create(&connection, birth(1));
    assert!(take(&connection, 1, "a", 100).is_some());
    let step = |first, holder: &str, status| {
        let step = Step { holder: holder.to_owned(), first, ..step(1, &["\"on\""]) };
        Step { now: Timestamp(110), until: Timestamp(170), events: Vec::new(), status, ..step }
    };
    write(&connection, step(2, "a", RunStatus::Running)).unwrap();
    assert!(take_behind(&connection, 1, "b", 120, Some(2)).is_none(), "it works");
    write(&connection, step(3, "a", RunStatus::Queued)).unwrap();
    assert!(take_behind(&connection, 1, "b", 120, Some(2)).is_none(), "it has gone on since");
    assert!(take(&connection, 1, "b", 120).is_none(), "without a key");
    let taken = take_behind(&connection, 1, "b", 120, Some(3)).unwrap();
    assert_eq!(taken.holder.as_deref(), Some("b"));
    assert!(take_behind(&connection, 1, "b", 121, Some(3)).is_some(), "asked again");
    // Whoever had it writes nothing more, nor keeps it, nor hands it on.
    let late = write(&connection, step(4, "a", RunStatus::Running)).unwrap_err();
    assert_eq!(Refusal::read(&late), Some(Refusal::Lost));
    assert!(take(&connection, 1, "a", 130).is_none());
    release(&connection, 1, "a", Some(130));
    write(&connection, step(4, "b", RunStatus::Running)).unwrap();
    assert_eq!(stands(&connection, 1).holder.as_deref(), Some("b"));
}
