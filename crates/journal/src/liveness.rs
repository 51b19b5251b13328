//! Whether whoever writes a log is still alive, and what is too old to be kept.
//!
//! A writer gives signs: every part says when it was written, and when nothing was written for a
//! while a sign of its own does. A reader sees only what the store shows it. After an outage of the
//! store it may read before the writer could write, so it looks for a while before it is certain. A store that can be read
//! may take no writes all the same: so that while begins with a write of the reader's own, and others go on with it to its
//! end.
//!
//! What a sign says of the time may be wrong: a laptop sleeps, a clock is set. So it can raise a doubt and never settle one:
//! that does what the reader saw with its own eyes, which is whether anything came while it looked without a pause.

use quarry_types::{AskId, Timestamp};

/// A writer without a sign of life for this long seems dead. Milliseconds.
pub(crate) const DEAD_AFTER_MS: u64 = 20_000;

/// How long a reader that finds no sign goes on looking. Longer than a writer that may write
/// again waits for its next try, so that a store's outage kills nobody. Milliseconds.
pub(crate) const DOUBT_MS: u64 = 12_000;

/// Between two writes of a reader that goes on looking: a writer tries again less often than that, so a store that takes all
/// of them takes one of the writer's. Milliseconds.
const PROOF_MS: u64 = 2_000;

/// A log of which nothing is there, and whose name is so old, never was: no outage lasts that long. Milliseconds.
const NOTHING_AFTER_MS: u64 = 600_000;

/// Between two looks that are farther apart than this the store may have been away, or the reader, or its clock was set.
/// Milliseconds.
const GAP_MS: u64 = 10 * LOOK_MS;

/// How far the clocks of two machines may be apart. Milliseconds.
pub(crate) const FUTURE_MS: u64 = 60_000;

/// Without other writes a sign of life is due after this. Milliseconds.
const SIGN_MS: u64 = 5_000;

/// Between two looks at a log in which something happens. Milliseconds.
pub(crate) const LOOK_MS: u64 = 150;

/// Looks in vain after which the next are twice as far apart: longer than a writer that has something waits with it.
const IN_VAIN: u32 = 10;

/// The time to the next look after so many in vain: at most four times as long, however many read.
pub(crate) fn look_after(in_vain: u32) -> u64 {
    LOOK_MS << (in_vain / IN_VAIN).min(2)
}

/// Clocks of two machines differ by no more than this, as far as somebody is believed who names what is not there yet.
/// Milliseconds.
const AHEAD_MS: u64 = 10_000;

/// Whether a log that was born then and is not there will never be: its writer died before it wrote anything, or somebody
/// made the name up.
#[must_use]
pub const fn never_began(born: Timestamp, now: Timestamp) -> bool {
    now.0.saturating_sub(born.0) > DEAD_AFTER_MS + DOUBT_MS || is_ahead(born, now)
}

/// Whether this is so far ahead that no clock says so.
pub(crate) const fn is_ahead(born: Timestamp, now: Timestamp) -> bool {
    born.0.saturating_sub(now.0) > AHEAD_MS
}

/// When a writer's next sign of life is due.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pulse {
    shown: Timestamp,
}

impl Pulse {
    pub const fn new(born: Timestamp) -> Self {
        Pulse { shown: born }
    }

    /// A part or a sign made at this time is in the store.
    pub fn shown(&mut self, made: Timestamp) {
        self.shown = self.shown.max(made);
    }

    pub const fn due(&self) -> Timestamp {
        Timestamp(self.shown.0.saturating_add(SIGN_MS))
    }
}

/// What a reader makes of the signs that it sees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Doubt {
    trust: Trust,
    /// When the writer lived, by the reader's clock; none: what it showed is from a time to come.
    heard: Option<Timestamp>,
    looked: Option<Timestamp>,
}

/// How far a writer is believed to live.
#[derive(Debug, Clone, Copy)]
enum Trust {
    /// Its last sign is recent.
    Trusted,
    /// It gave none for long, and nobody knows whether its store takes any.
    Suspected,
    /// Its store has taken each write since then, the last one when that was proved.
    Doubted { since: Timestamp, proved: Timestamp },
    /// Its store took one when that had lasted long enough: the look behind it decides.
    Condemned,
}

/// What a look says of a writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It lives, or may.
    Open,
    /// It seems dead, and only a write tells whether a sign of its could be there. Where this one `decides`, it is dead unless
    /// the look behind it finds one.
    Unproven {
        decides: bool,
    },
    Dead,
}

impl Doubt {
    /// Of a writer of which nothing is known but when its log was born.
    pub const fn new(born: Timestamp) -> Self {
        Doubt { trust: Trust::Trusted, heard: Some(born), looked: None }
    }

    /// Takes in a sign that was there before this reader looked: it says itself when that was.
    pub fn told(&mut self, sign: Timestamp, now: Timestamp) {
        let known = self.heard.and_then(|heard| believed(heard, now));
        self.heard = known.max(believed(sign, now));
    }

    /// Something came while this reader looked, whatever clock it bears.
    pub const fn saw(&mut self, now: Timestamp) {
        self.heard = Some(now);
    }

    /// Whether a writer that gave such signs cannot be dead whatever its next is. That is no doubt, either.
    pub fn is_needless(&mut self, now: Timestamp) -> bool {
        let is_needless = !self.is_silent(now);
        if is_needless {
            self.look(now);
        }
        is_needless
    }

    /// What a look says at a store that can be read.
    pub fn look(&mut self, now: Timestamp) -> Verdict {
        // Then the doubt begins anew: whoever woke with the reader has had no time to show itself.
        let was_away = self.was_away(now);
        self.looked = Some(now);
        if !self.is_silent(now) {
            self.trust = Trust::Trusted;
            return Verdict::Open;
        }
        if was_away || matches!(self.trust, Trust::Trusted) {
            self.trust = Trust::Suspected;
        }
        match self.trust {
            Trust::Trusted | Trust::Suspected => Verdict::Unproven { decides: false },
            Trust::Doubted { since, .. } if now.since(since) >= DOUBT_MS => {
                Verdict::Unproven { decides: true }
            }
            Trust::Doubted { proved, .. } if now.since(proved) >= PROOF_MS => {
                Verdict::Unproven { decides: false }
            }
            Trust::Doubted { .. } => Verdict::Open,
            Trust::Condemned => Verdict::Dead,
        }
    }

    /// Whether the store took the write that the last look wanted. One that takes none shows no sign of a writer that
    /// lives, however long it is looked at.
    pub const fn probed(&mut self, worked: bool, decides: bool, now: Timestamp) {
        let was_away = self.was_away(now);
        self.looked = Some(now);
        self.trust = match (worked, self.trust) {
            (false, _) => Trust::Suspected,
            (true, Trust::Doubted { .. }) if decides && !was_away => Trust::Condemned,
            (true, Trust::Doubted { since, .. }) if !was_away => {
                Trust::Doubted { since, proved: now }
            }
            (true, _) => Trust::Doubted { since: now, proved: now },
        };
    }

    /// Whether the writer seemed dead at the last look.
    pub const fn is_on(&self) -> bool {
        !matches!(self.trust, Trust::Trusted)
    }

    fn is_silent(&mut self, now: Timestamp) -> bool {
        self.heard = self.heard.and_then(|heard| believed(heard, now));
        self.heard.is_none_or(|heard| now.since(heard) > DEAD_AFTER_MS)
    }

    const fn was_away(&self, now: Timestamp) -> bool {
        match self.looked {
            Some(looked) => now.0.abs_diff(looked.0) > GAP_MS,
            None => false,
        }
    }
}

/// When whoever says this time lived, as far as that can be believed now. What is far ahead would keep the dead alive until
/// then, and what is a little ahead is from a clock that is.
fn believed(said: Timestamp, now: Timestamp) -> Option<Timestamp> {
    (said.since(now) <= FUTURE_MS).then(|| said.min(now))
}

/// Whether a log that gave its last sign then, and of which nothing is there, never was.
pub(crate) const fn is_long_gone(sign: Timestamp, now: Timestamp) -> bool {
    now.since(sign) > NOTHING_AFTER_MS
}

/// Between two sweeps of a store. Milliseconds.
const SWEEP_EVERY_MS: u64 = 3_600_000;

/// Between a sweep that failed and the next. Milliseconds.
const SWEEP_AGAIN_MS: u64 = 300_000;

/// Between two looks of an instance for logs that are not kept as long as others. Milliseconds.
const BRIEF_EVERY_MS: u64 = 600_000;

/// Whether it is time to delete those, given when the instance last did.
#[must_use]
pub const fn brief_due(looked: Timestamp, now: Timestamp) -> bool {
    is_due(BRIEF_EVERY_MS, Some(looked), now)
}

/// The log that is swept when one that ended then, and lasts so long, is to be deleted.
#[must_use]
pub fn goes_with(ended: Timestamp, lasts_ms: u64, retention_ms: u64, bits: u128) -> AskId {
    AskId::new(ended.0.saturating_add(lasts_ms).saturating_sub(retention_ms), bits)
}

/// Whether it is time to delete what is too old, given when that was last done.
#[must_use]
pub const fn sweep_due(swept: Option<Timestamp>, now: Timestamp) -> bool {
    is_due(SWEEP_EVERY_MS, swept, now)
}

/// When one that fails now is to have been done: the next comes sooner than behind one that did not, and not at once.
#[must_use]
pub const fn failed_sweep(now: Timestamp) -> Timestamp {
    Timestamp(now.0.saturating_sub(SWEEP_EVERY_MS - SWEEP_AGAIN_MS))
}

/// Whether what is done every so many milliseconds is due, given when it was last done; none: never. A clock that
/// was set back is no reason to wait.
pub(crate) const fn is_due(every_ms: u64, last: Option<Timestamp>, now: Timestamp) -> bool {
    match last {
        Some(last) => now.0.abs_diff(last.0) >= every_ms,
        None => true,
    }
}

/// What was born before this is too old to be kept.
#[must_use]
pub const fn oldest_kept(retention_ms: u64, now: Timestamp) -> Timestamp {
    Timestamp(now.0.saturating_sub(retention_ms))
}

/// Milliseconds for which a run waits for somebody at least, however short ended ones are kept.
const LEAST_WAIT_MS: u64 = 7 * 86_400_000;

/// A run that has waited for somebody since before this waits for nobody who comes.
#[must_use]
pub const fn oldest_waiting(retention_ms: u64, now: Timestamp) -> Timestamp {
    let kept_ms = if retention_ms > LEAST_WAIT_MS { retention_ms } else { LEAST_WAIT_MS };
    oldest_kept(kept_ms, now)
}

/// Whether what was born then is too old to be kept.
#[must_use]
pub const fn is_swept(born: Timestamp, retention_ms: u64, now: Timestamp) -> bool {
    born.0 < oldest_kept(retention_ms, now).0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When whoever looks again and again at a writer without a sign, whose store takes no writes at these times, believes
    /// that it died.
    fn believed_dead(from: u64, is_locked: impl Fn(u64) -> bool) -> u64 {
        let (mut doubt, mut at) = (Doubt::new(Timestamp(0)), from);
        loop {
            match doubt.look(Timestamp(at)) {
                Verdict::Open => {}
                Verdict::Unproven { decides } => {
                    doubt.probed(!is_locked(at), decides, Timestamp(at));
                }
                Verdict::Dead => return at,
            }
            at += LOOK_MS;
        }
    }

    #[test]
    fn a_store_that_takes_no_writes_in_the_middle_of_a_doubt_begins_it_anew() {
        let from = DEAD_AFTER_MS + 10_000;
        let free = believed_dead(from, |_| false);
        assert!((from + DOUBT_MS..from + DOUBT_MS + 3 * LOOK_MS).contains(&free), "{free}");
        let locked = from + 300..from + 11_800;
        let dead = believed_dead(from, |at| locked.contains(&at));
        assert!(dead >= locked.end + DOUBT_MS, "{dead}");
    }

    #[test]
    fn a_run_waits_for_somebody_as_long_as_ended_ones_are_kept_and_a_week_at_least() {
        let now = Timestamp(100 * 86_400_000);
        for (days, waits) in [(30, 30), (8, 8), (1, 7), (0, 7)] {
            let oldest = oldest_waiting(days * 86_400_000, now);
            assert_eq!(now.since(oldest), waits * 86_400_000, "{days}");
        }
    }

    /// Looks every 150 ms from a time until another, at a store that takes writes where `takes` says so; says when the
    /// writer was found dead.
    fn found_dead_where(
        takes: impl Fn(u64) -> bool,
        doubt: &mut Doubt,
        (from, to): (u64, u64),
    ) -> Option<u64> {
        (from..to).step_by(150).find(|now| {
            let at = Timestamp(*now);
            loop {
                match doubt.look(at) {
                    Verdict::Open => return false,
                    Verdict::Dead => return true,
                    Verdict::Unproven { decides } => doubt.probed(takes(*now), decides, at),
                }
                if !takes(*now) {
                    return false;
                }
            }
        })
    }

    fn found_dead(doubt: &mut Doubt, from: u64, to: u64) -> Option<u64> {
        found_dead_where(|_| true, doubt, (from, to))
    }

    fn of_nobody() -> Doubt {
        Doubt::new(Timestamp(0))
    }

    #[test]
    fn a_silent_writer_is_dead_after_a_doubt_however_long_it_was_silent() {
        let found = found_dead(&mut of_nobody(), 15_000, 90_000).unwrap();
        assert!((32_000..33_000).contains(&found), "{found}");
        let days = 9 * 86_400_000;
        let found = found_dead(&mut of_nobody(), days, days + 90_000).unwrap();
        assert!((days + DOUBT_MS..days + DOUBT_MS + 1_000).contains(&found), "{found}");
    }

    /// The clock is set, or the machine slept: whatever lives has had no time to say so.
    #[test]
    fn a_clock_that_is_set_settles_no_doubt() {
        for jump in [700_000, 3_600_000, 86_400_000] {
            let mut doubt = of_nobody();
            assert_eq!(found_dead(&mut doubt, 0, 19_000), None);
            let woken = 19_000 + jump;
            assert_eq!(found_dead(&mut doubt, woken, woken + DOUBT_MS), None, "{jump}");
            // In the middle of a doubt, and just before it ends.
            for looked in [3_000, DOUBT_MS - 150] {
                let mut doubt = of_nobody();
                assert_eq!(found_dead(&mut doubt, 700_000, 700_000 + looked), None);
                let woken = 700_000 + looked + jump;
                assert_eq!(found_dead(&mut doubt, woken, woken + DOUBT_MS), None, "{jump}");
                let found = found_dead(&mut doubt, woken + DOUBT_MS, woken + 20_000);
                assert!(found.is_some(), "it is dead all the same");
            }
            // Back: the sign is from a time to come, and says nothing for long, nor for ever.
            let mut doubt = Doubt::new(Timestamp(jump));
            assert_eq!(found_dead(&mut doubt, jump, jump + 15_000), None);
            assert_eq!(found_dead(&mut doubt, 1_000, 1_000 + DOUBT_MS), None, "{jump}");
            assert!(found_dead(&mut doubt, 1_000 + DOUBT_MS, 40_000).is_some(), "{jump}");
        }
    }

    #[test]
    fn a_pause_in_the_write_that_would_decide_begins_the_doubt_anew() {
        let mut doubt = of_nobody();
        let mut at = 700_000;
        while !matches!(doubt.look(Timestamp(at)), Verdict::Unproven { decides: true }) {
            doubt.probed(true, false, Timestamp(at));
            at += 150;
        }
        let woken = at + 5_000;
        doubt.probed(true, true, Timestamp(woken));
        assert_eq!(found_dead(&mut doubt, woken, woken + DOUBT_MS), None);
    }

    #[test]
    fn whatever_comes_in_the_middle_of_a_doubt_ends_it_whatever_clock_it_bears() {
        let mut doubt = of_nobody();
        assert_eq!(found_dead(&mut doubt, 700_000, 711_000), None);
        assert!(doubt.is_on());
        doubt.saw(Timestamp(711_000));
        assert_eq!(found_dead(&mut doubt, 711_000, 731_000), None);
        assert!(!doubt.is_on());
        let found = found_dead(&mut doubt, 731_000, 790_000).unwrap();
        assert!((743_000..745_000).contains(&found), "{found}");
    }

    #[test]
    fn a_store_that_takes_no_writes_has_no_signs_of_one_that_lives() {
        let dead =
            |takes: fn(u64) -> bool, to| found_dead_where(takes, &mut of_nobody(), (15_000, to));
        assert_eq!(dead(|_| false, 590_000), None);
        assert_eq!(dead(|_| false, 900_000), None, "not by its silence alone, either");
        // Its writer waits for less than a doubt lasts before it tries again.
        let found = dead(|now| now >= 50_000, 90_000).unwrap();
        assert!((62_000..63_000).contains(&found), "{found}");
        // Nor when the store takes none again just before that is certain.
        let found = dead(|now| !(30_000..50_000).contains(&now), 90_000).unwrap();
        assert!((62_000..63_000).contains(&found), "{found}");
    }

    #[test]
    fn the_look_behind_the_write_that_decides_finds_the_sign_that_was_written_meanwhile() {
        let mut doubt = of_nobody();
        let mut at = Timestamp(700_000);
        while !matches!(doubt.look(at), Verdict::Unproven { decides: true }) {
            doubt.probed(true, false, at);
            at.0 += LOOK_MS;
        }
        doubt.probed(true, true, at);
        doubt.saw(at);
        assert_eq!(doubt.look(at), Verdict::Open);
        assert!(!doubt.is_on());
    }

    #[test]
    fn after_an_outage_of_the_store_the_writer_gets_time_to_show_itself() {
        let mut doubt = of_nobody();
        assert_eq!(found_dead(&mut doubt, 0, 25_000), None);
        // The store does not answer for a minute, then the reader is the first to look.
        assert_eq!(found_dead(&mut doubt, 95_000, 106_000), None);
        // A sign ends the doubt.
        doubt.told(Timestamp(106_000), Timestamp(106_000));
        assert_eq!(found_dead(&mut doubt, 106_000, 126_000), None);
    }

    #[test]
    fn a_log_that_did_not_begin_is_given_up_when_its_writer_would_be() {
        let born = Timestamp(1_000);
        let dead = found_dead(&mut Doubt::new(born), 15_000, 90_000).unwrap();
        assert!(never_began(born, Timestamp(dead)));
        assert!(!never_began(born, Timestamp(born.0 + DEAD_AFTER_MS + DOUBT_MS)));
        assert!(!never_began(born, Timestamp(0)), "a clock that was set back");
    }

    #[test]
    fn a_sign_of_a_clock_that_is_a_little_ahead_is_one_of_now() {
        let mut doubt = Doubt::new(Timestamp(FUTURE_MS));
        assert_eq!(doubt.look(Timestamp(0)), Verdict::Open);
        assert_eq!(found_dead(&mut doubt, 150, 20_000), None);
        let found = found_dead(&mut doubt, 20_000, 40_000).unwrap();
        assert!((32_000..33_000).contains(&found), "{found}: it keeps nobody alive for longer");
    }

    #[test]
    fn sweeps_are_an_hour_apart_and_one_that_failed_is_followed_sooner() {
        assert!(sweep_due(None, Timestamp(0)));
        assert!(!sweep_due(Some(Timestamp(1)), Timestamp(3_600_000)));
        assert!(sweep_due(Some(Timestamp(1)), Timestamp(3_600_001)));
        let failed = Some(failed_sweep(Timestamp(7_200_000)));
        assert!(!sweep_due(failed, Timestamp(7_200_000 + SWEEP_AGAIN_MS - 1)));
        assert!(sweep_due(failed, Timestamp(7_200_000 + SWEEP_AGAIN_MS)), "it is tried again");
        assert!(is_swept(Timestamp(1), 10, Timestamp(12)));
        assert!(!is_swept(Timestamp(1), u64::MAX, Timestamp(12)));
    }

    #[test]
    fn what_is_kept_for_less_goes_when_its_time_is_over() {
        let (ended, lasts, kept) = (Timestamp(90_000_000), 600_000, 86_400_000);
        let swept = |after| {
            let log = goes_with(ended, lasts, kept, 7);
            is_swept(Timestamp(log.born_at()), kept, Timestamp(ended.0 + after))
        };
        assert!(!swept(lasts));
        assert!(swept(lasts + 1));
        assert!(brief_due(Timestamp(0), Timestamp(600_000)));
        assert!(!brief_due(Timestamp(1), Timestamp(600_000)));
    }
}
