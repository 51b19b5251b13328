//! How a running program shares the processor with everyone else's work.
//!
//! A program cannot see what else there is to do, but it sees that it is kept waiting: a look at the
//! clock comes late when others take the processor from it, and a turn that it gives to the host's
//! other tasks takes long when there are many. On a quiet machine it runs at full speed; on a busy
//! one it rests, and the more so the busier that is.
//!
//! All times are nanoseconds of one monotonic clock.

/// Loop turns until the next look at the clock at least.
pub const SOON: i32 = 100;
/// Loop turns until the next look at most.
pub const FUEL: i32 = 10_000;

/// How far looks are to be apart. How long a turn of a loop takes differs by a factor of a
/// thousand, so that the fuel for it has to be found out.
const LOOK: u64 = 100_000;
/// A look that takes so many times as long as it should is suspect; so much faster must the loop be
/// at the next one, or else it is only slower than it was, and nobody had the processor meanwhile.
const LATE: u64 = 3;
/// How long a program runs before others get their turn.
const STRETCH: u64 = 1_000_000;
/// How long a program runs without rest: nearly all have ended by then.
const SPRINT: u64 = 50_000_000;
/// How long a program shares the processor after a late look.
const SHARING: u64 = 50_000_000;
/// Rest for work, while the processor is shared: the program takes a third.
const SHARE: u64 = 2;
/// What a turn of the others takes at most when none of them has anything to do.
const IDLE: u64 = 20_000;
/// The same, in times of the shortest turn so far: hosts differ.
const IDLE_TIMES: u64 = 4;
/// Rest for the time that a turn of the others took: the program withdraws from a busy host.
const RETREAT: u64 = 16;
/// The longest rest for one turn: it may have been an accident.
const LONGEST: u64 = 50_000_000;

/// The pace of one program.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    sprint_ends: u64,
    shared_until: u64,
    resumed_at: u64,
    looked_at: u64,
    fuel: i32,
    /// How far looks are apart when nobody is in the way: more than is wished when even the least
    /// fuel lasts long.
    usual: u64,
    /// A look that may have been late: its fuel, and what it took.
    suspect: Option<(i32, u64)>,
    shortest_turn: u64,
    /// Rest that is due.
    owed: u64,
    /// Rest that was too long; sleeps rarely have their exact length.
    credit: u64,
}

impl Pace {
    /// A program begins.
    #[must_use]
    pub const fn new(now: u64) -> Self {
        Self {
            sprint_ends: now.saturating_add(SPRINT),
            shared_until: 0,
            resumed_at: now,
            looked_at: now,
            fuel: SOON,
            // What is left of the fuel before this is not known.
            usual: u64::MAX,
            suspect: None,
            shortest_turn: u64::MAX / IDLE_TIMES,
            owed: 0,
            credit: 0,
        }
    }

    /// Work begins that never rests, only gives others their turn.
    #[must_use]
    pub const fn without_rest(now: u64) -> Self {
        Self { sprint_ends: u64::MAX, ..Self::new(now) }
    }

    /// Loop turns until the next look.
    #[must_use]
    pub const fn fuel(&self) -> i32 {
        self.fuel
    }

    /// The fuel is burnt. Whether others are to have their turn now; [`Pace::waited`] is then to
    /// be told.
    pub fn look(&mut self, now: u64) -> bool {
        let took = now.saturating_sub(self.looked_at);
        self.looked_at = now;
        if self.suspect.is_some_and(|suspect| is_faster((self.fuel, took), suspect)) {
            self.shared_until = now.saturating_add(SHARING);
        }
        self.suspect = (took > self.usual.saturating_mul(LATE)).then_some((self.fuel, took));
        self.usual = if self.fuel == SOON { took.max(LOOK) } else { LOOK };
        self.fuel = next_fuel(self.fuel, took);
        now.saturating_sub(self.resumed_at) >= STRETCH
    }

    /// The others' turn, which began at `from`, is over. How many nanoseconds the program is to
    /// rest; [`Pace::resume`] is to be told after that.
    pub fn waited(&mut self, from: u64, now: u64) -> u64 {
        let turn = now.saturating_sub(from);
        self.shortest_turn = self.shortest_turn.min(turn);
        if from < self.sprint_ends {
            return 0;
        }
        let busy = turn.saturating_sub(IDLE.max(self.shortest_turn * IDLE_TIMES));
        let mut rest = busy.saturating_mul(RETREAT).min(LONGEST);
        if from < self.shared_until {
            let worked = from.saturating_sub(self.resumed_at);
            rest = rest.saturating_add(worked.saturating_mul(SHARE));
        }
        let paid = rest.min(self.credit);
        self.credit -= paid;
        self.owed = self.owed.saturating_add(rest - paid);
        // The host's timers count whole milliseconds.
        if self.owed < STRETCH { 0 } else { self.owed }
    }

    /// The program goes on, having rested since `from`.
    pub fn resume(&mut self, from: u64, now: u64) {
        let rested = now.saturating_sub(from);
        self.credit = rested.saturating_sub(self.owed).min(STRETCH).max(self.credit);
        self.owed = self.owed.saturating_sub(rested);
        self.resumed_at = now;
        self.looked_at = now;
    }
}

/// Whether the loop's turns were clearly shorter in one look than in the other; both are given by
/// their fuel and what they took.
fn is_faster(one: (i32, u64), other: (i32, u64)) -> bool {
    let turns = |look: (i32, u64)| u64::from(look.0.unsigned_abs());
    one.1.saturating_mul(turns(other)).saturating_mul(LATE) <= other.1.saturating_mul(turns(one))
}

/// How many loop turns are likely to take as long as looks are to be apart, when so many took
/// `took`.
fn next_fuel(burnt: i32, took: u64) -> i32 {
    let turns = u64::from(burnt.unsigned_abs()).saturating_mul(LOOK) / took.max(1);
    // No more than twice as many: what comes next may be slower.
    let most = burnt.saturating_mul(2).clamp(SOON, FUEL);
    i32::try_from(turns).unwrap_or(FUEL).clamp(SOON, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine with one processor: a program beside others.
    struct Machine {
        now: u64,
        /// Nanoseconds that a turn of the program's loop takes, and that it takes in every other
        /// phase of ten milliseconds.
        turn: (u64, u64),
        /// Others take the processor for this long once in so many nanoseconds.
        others: Option<(u64, u64)>,
        /// What a turn of the host's other tasks takes.
        queue: u64,
        /// When the host's other tasks begin to have something to do.
        busy_after: u64,
        /// How much too long a rest is.
        alarm: u64,
    }

    /// What became of a program that ran for a while.
    struct Ran {
        /// Share of the time in which it worked.
        share: f64,
        /// The longest time between two looks.
        longest_look: u64,
        /// The longest time without a turn for others.
        longest_stretch: u64,
    }

    impl Machine {
        const QUIET: Self = Self {
            now: 7,
            turn: (50, 50),
            others: None,
            queue: 8_000,
            busy_after: 0,
            alarm: 600_000,
        };

        fn run(mut self, time: u64) -> Ran {
            let began = self.now;
            let mut pace = Pace::new(began);
            let (mut worked, mut longest_look, mut longest_stretch) = (0, 0, 0);
            let (mut resumed, mut interrupted) = (began, began);
            while self.now < began + time {
                let second = (self.now - began) / 10_000_000 % 2 == 1;
                let turn = if second { self.turn.1 } else { self.turn.0 };
                let burn = u64::try_from(pace.fuel()).unwrap() * turn;
                longest_look = longest_look.max(burn);
                worked += burn;
                self.now += burn;
                if let Some((takes, every)) = self.others
                    && self.now - interrupted > every
                {
                    self.now += takes;
                    interrupted = self.now;
                }
                if pace.look(self.now) {
                    longest_stretch = longest_stretch.max(self.now - resumed);
                    let from = self.now;
                    self.now += if from - began < self.busy_after { 8_000 } else { self.queue };
                    let rest = pace.waited(from, self.now);
                    let slept = self.now;
                    if rest > 0 {
                        self.now += rest + self.alarm;
                    }
                    pace.resume(slept, self.now);
                    resumed = self.now;
                }
            }
            #[expect(clippy::cast_precision_loss, reason = "times of a test are far below 2^53")]
            let share = worked as f64 / (self.now - began) as f64;
            Ran { share, longest_look, longest_stretch }
        }
    }

    const SECOND: u64 = 1_000_000_000;

    #[test]
    fn on_a_quiet_machine_a_program_takes_all() {
        assert!(Machine::QUIET.run(SECOND).share > 0.98);
    }

    #[test]
    fn one_of_slow_loops_takes_all_too() {
        assert!(Machine { turn: (5_000, 5_000), ..Machine::QUIET }.run(SECOND).share > 0.98);
    }

    #[test]
    fn one_whose_loops_get_slower_and_faster_takes_all_too() {
        // Of the last one even the least fuel takes longer than a look should.
        for turn in [(5, 30), (2, 50), (20, 200), (5_000, 1_200)] {
            let share = Machine { turn, ..Machine::QUIET }.run(SECOND).share;
            assert!(share > 0.95, "{turn:?}: {share}");
        }
    }

    #[test]
    fn a_host_whose_idle_turns_take_longer_is_not_taken_for_busy() {
        assert!(Machine { queue: 60_000, ..Machine::QUIET }.run(SECOND).share > 0.9);
    }

    #[test]
    fn idle_turns_differ_and_only_longer_ones_are_taken_for_busy() {
        let mut pace = Pace::new(0);
        assert_eq!(pace.waited(SPRINT, SPRINT + 60_000), 0);
        assert_eq!(pace.waited(SPRINT, SPRINT + 240_000), 0);
        assert!(pace.waited(SPRINT, SPRINT + 340_000) > 0);
    }

    #[test]
    fn fuel_at_most_doubles_for_what_comes_next_may_be_slower() {
        assert_eq!(next_fuel(SOON, 1), 2 * SOON);
        assert_eq!(next_fuel(FUEL, 1), FUEL);
        assert_eq!(next_fuel(FUEL, 1_000 * LOOK), SOON);
    }

    #[test]
    fn one_long_turn_of_the_others_does_not_end_the_program() {
        let mut pace = Pace::new(0);
        pace.waited(STRETCH, STRETCH + IDLE);
        assert_eq!(pace.waited(SPRINT, SPRINT + SECOND), LONGEST);
    }

    #[test]
    fn work_without_rest_never_rests() {
        let mut pace = Pace::without_rest(0);
        assert_eq!(pace.waited(SECOND, 2 * SECOND), 0);
    }

    #[test]
    fn a_program_that_is_kept_waiting_takes_a_third() {
        let machine = Machine { others: Some((400_000, 5_000_000)), ..Machine::QUIET };
        let share = machine.run(SECOND).share;
        assert!((0.25..0.40).contains(&share), "{share}");
    }

    #[test]
    fn a_program_withdraws_from_a_busy_host() {
        let share =
            Machine { queue: 500_000, busy_after: SPRINT / 2, ..Machine::QUIET }.run(SECOND).share;
        assert!(share < 0.2, "{share}");
    }

    #[test]
    fn a_short_program_never_rests() {
        let machine = Machine { others: Some((400_000, 5_000_000)), ..Machine::QUIET };
        assert!(machine.run(SPRINT - STRETCH).share > 0.85);
    }

    #[test]
    fn one_interruption_is_soon_forgotten() {
        let machine = Machine { others: Some((400_000, SECOND / 2)), ..Machine::QUIET };
        assert!(machine.run(2 * SECOND).share > 0.85);
    }

    #[test]
    fn rests_that_are_too_long_make_the_next_shorter() {
        let others = Some((400_000, 5_000_000));
        let exact = Machine { others, alarm: 0, ..Machine::QUIET }.run(SECOND).share;
        let late = Machine { others, alarm: 900_000, ..Machine::QUIET }.run(SECOND).share;
        assert!((exact - late).abs() < 0.05, "{exact} {late}");
    }

    #[test]
    fn looks_stay_close_however_slow_the_loop_is() {
        for turn in [1, 10, 100, 1_000] {
            let ran = Machine { turn: (turn, turn), ..Machine::QUIET }.run(SECOND);
            assert!(ran.longest_look <= 2 * LOOK, "{turn}: {}", ran.longest_look);
            assert!(ran.longest_stretch < 2 * STRETCH, "{turn}: {}", ran.longest_stretch);
        }
    }

    #[test]
    fn clocks_that_stand_still_or_run_back_do_no_harm() {
        let mut pace = Pace::new(1_000);
        assert!(!pace.look(1_000));
        assert!(!pace.look(10));
        assert_eq!(pace.waited(10, 5), 0);
        pace.resume(5, 1);
        assert!((SOON..=FUEL).contains(&pace.fuel()));
    }
}
