//! Reads a log from its beginning to its end, while it is written or long after.
//!
//! Whoever writes it may be in another process, so there is nothing to wait on but the store. When
//! the writer has died, a reader gives the log its end. What it writes depends on the log alone,
//! never on what the reader asked for or when: two who do so at once write the same bytes. A writer that lives after all
//! may write there, too: whoever comes second finds what is there and leaves it.

use crate::feed::batch;
use crate::liveness::{Doubt, FUTURE_MS, Verdict, is_ahead, is_long_gone, look_after};
use crate::part::MAX_HEADER;
use crate::{Damage, Decoder, Dialect, Encoder, Entry, MAX_VALUE, Part, Place};
use quarry_types::Timestamp;
use std::collections::VecDeque;

/// How long a store that fails is asked again. Milliseconds.
const GIVE_UP_MS: u64 = 30_000;
/// Between two tries then. Milliseconds.
const RETRY_MS: u64 = 1_000;

/// What a reader does next.
#[derive(Debug, PartialEq, Eq)]
pub enum Look {
    /// Read this value and tell with [`Follower::read`] what is there.
    Read(Place),
    /// Wait for so many milliseconds.
    Wait(u64),
    /// Pass these on.
    Deliver(Vec<Entry>),
    /// The writer seems dead: write what nobody reads and tell with [`Follower::probed`] whether that worked, for a store
    /// that takes no writes has no signs of one that lives.
    Probe {
        /// Whether it is believed to be dead then, unless the next look finds a sign.
        decides: bool,
    },
    /// The writer died: make the last entry, with this number and time, and give it to
    /// [`Follower::bury`].
    Bury {
        /// The number that it must have.
        number: u64,
        /// The writer's last sign of life.
        died: Timestamp,
    },
    /// Write this value where there is none, and tell with [`Follower::wrote`] whether the store did. What stands there stays:
    /// it is read next, whoever wrote it.
    Write(Place, Vec<u8>),
    /// There is no more.
    End(Over),
}

/// Why there is no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// The log's last entry was read.
    Complete,
    /// There is no such log, it has expired, or what lies there is none that this version reads.
    Unknown,
    /// The log cannot be read on.
    Damaged(Damage),
    /// The store does not answer.
    Unavailable,
}

#[derive(Debug)]
enum Step {
    Part,
    Sign,
    Wait(u64),
    Probe { decides: bool },
    Bury(u64),
    Write(Vec<u8>),
    End(Over),
}

/// A reader of a log.
#[derive(Debug)]
pub struct Follower {
    dialect: Dialect,
    decoder: Decoder,
    born: Timestamp,
    after: u64,
    part: u32,
    expires: Timestamp,
    /// The last sign of life whose time can be believed.
    sign: Timestamp,
    doubt: Doubt,
    /// Whether there was no next part when it was looked for: one that is found then has just come.
    is_up_to_date: bool,
    /// What the writer's own sign said last; none: nobody looked.
    alive: Option<Option<u64>>,
    /// Looks since something was found.
    in_vain: u32,
    ready: VecDeque<Entry>,
    failing_since: Option<Timestamp>,
    step: Step,
}

impl Follower {
    /// Reads the log that was born then, and passes on what comes after the entry numbered
    /// `after`. That number decides about nothing else.
    #[must_use]
    pub fn new(dialect: Dialect, born: Timestamp, after: u64) -> Self {
        Follower {
            dialect,
            decoder: Decoder::new(dialect),
            born,
            after,
            part: 0,
            expires: Timestamp(0),
            sign: born,
            doubt: Doubt::new(born),
            is_up_to_date: false,
            alive: None,
            in_vain: 0,
            ready: VecDeque::new(),
            failing_since: None,
            step: Step::Part,
        }
    }

    /// Whether the log has been found.
    #[must_use]
    pub const fn has_begun(&self) -> bool {
        self.part > 0
    }

    /// Whether all that there will ever be has been read.
    #[must_use]
    pub const fn has_all(&self) -> bool {
        matches!(self.step, Step::End(_))
    }

    /// Whether the writer seemed dead at the last look: whoever looks on without a pause is soon certain, and whoever
    /// looks now and then never.
    #[must_use]
    pub const fn doubts(&self) -> bool {
        self.doubt.is_on()
    }

    /// What to do next. [`Look::Deliver`] and [`Look::Wait`] want no answer.
    pub fn poll(&mut self) -> Look {
        if !self.ready.is_empty() {
            return Look::Deliver(batch(&mut self.ready));
        }
        match &mut self.step {
            Step::Part => Look::Read(Place::Part(self.part)),
            Step::Sign => Look::Read(Place::Alive),
            Step::Wait(wait) => {
                let wait = *wait;
                self.step = Step::Part;
                Look::Wait(wait)
            }
            Step::Probe { decides } => Look::Probe { decides: *decides },
            Step::Bury(number) => Look::Bury { number: *number, died: self.sign },
            Step::Write(value) => Look::Write(Place::Part(self.part), value.clone()),
            Step::End(over) => Look::End(*over),
        }
    }

    /// What is at the place to be read; an error when the store failed.
    pub fn read(&mut self, value: Result<Option<Vec<u8>>, ()>, now: Timestamp) {
        let Ok(value) = value else {
            self.failed(now);
            return;
        };
        // What the writer's last sign says already is not asked for.
        let is_needless = value.is_none()
            && self.has_begun()
            && matches!(self.step, Step::Part)
            && self.doubt.is_needless(now);
        self.is_up_to_date |= value.is_none() && matches!(self.step, Step::Part);
        self.step = match (&self.step, value) {
            (Step::Sign, value) => self.judge(value.as_deref(), now),
            (_, None) if is_needless => self.wait(),
            (_, None) => Step::Sign,
            (_, Some(bytes)) => self.take_in(&bytes, now),
        };
        // A store that can be read and takes no end is one that fails, too.
        if matches!(self.step, Step::Part | Step::Wait(_)) {
            self.failing_since = None;
        }
    }

    /// The writer is known to live, though its store may not say so: it is not asked for its sign.
    pub fn lives(&mut self, now: Timestamp) {
        if !matches!(self.step, Step::Sign) {
            return;
        }
        self.doubt.saw(now);
        self.doubt.look(now);
        self.failing_since = None;
        self.step = self.wait();
    }

    fn failed(&mut self, now: Timestamp) {
        let since = *self.failing_since.get_or_insert(now);
        self.step = match now.since(since) >= GIVE_UP_MS {
            true => Step::End(Over::Unavailable),
            false => Step::Wait(RETRY_MS),
        };
    }

    fn take_in(&mut self, bytes: &[u8], now: Timestamp) -> Step {
        let Ok(part) = Part::read(bytes) else { return Step::End(Over::Unknown) };
        if part.expires <= now {
            return Step::End(Over::Unknown);
        }
        let entries = match self.decoder.push(&part) {
            Ok(entries) => entries,
            Err(damage) => return Step::End(Over::Damaged(damage)),
        };
        self.expires = part.expires;
        let has_just_come = self.is_up_to_date;
        self.shown(part.written, has_just_come, now);
        self.part = self.part.saturating_add(1);
        self.in_vain = 0;
        let has_ended = entries.last().is_some_and(|entry| (self.dialect.is_last)(&entry.kind));
        let after = self.after;
        self.ready.extend(entries.into_iter().filter(|entry| entry.number > after));
        if has_ended { Step::End(Over::Complete) } else { Step::Part }
    }

    /// Takes in a sign of life. The time of one from the future says nothing of when its writer died.
    fn shown(&mut self, sign: Timestamp, has_just_come: bool, now: Timestamp) {
        if has_just_come {
            self.doubt.saw(now);
        } else {
            self.doubt.told(sign, now);
        }
        if sign.since(now) <= FUTURE_MS {
            self.sign = self.sign.max(sign);
        }
    }

    fn judge(&mut self, sign: Option<&[u8]>, now: Timestamp) -> Step {
        let text = sign.and_then(|sign| std::str::from_utf8(sign).ok());
        let sign = text.and_then(|text| text.parse().ok());
        let before = self.alive.replace(sign);
        if let Some(sign) = sign {
            let has_just_come = before.is_some_and(|before| before != Some(sign));
            self.shown(Timestamp(sign), has_just_come, now);
        }
        // An id from the future is nobody's, and whoever makes old ones up costs no write.
        let is_made_up = is_ahead(self.born, now) || is_long_gone(self.sign, now);
        if is_made_up && !self.has_begun() {
            return Step::End(Over::Unknown);
        }
        match self.doubt.look(now) {
            Verdict::Open => return self.wait(),
            Verdict::Unproven { decides } => return Step::Probe { decides },
            Verdict::Dead => {}
        }
        match self.decoder.last().checked_add(1) {
            _ if !self.has_begun() => Step::End(Over::Unknown),
            Some(number) => Step::Bury(number),
            None => Step::End(Over::Damaged(Damage::Gap)),
        }
    }

    /// Who reads a silent log asks less often: each look is one more thing that its store does beside the writers'.
    fn wait(&mut self) -> Step {
        let wait = look_after(self.in_vain);
        self.in_vain = self.in_vain.saturating_add(1);
        Step::Wait(wait)
    }

    /// Whether the store took what was written to it.
    pub fn probed(&mut self, worked: bool, now: Timestamp) {
        let Step::Probe { decides } = self.step else { return };
        self.doubt.probed(worked, decides, now);
        if !worked {
            self.failed(now);
            return;
        }
        self.failing_since = None;
        self.step = if decides { Step::Part } else { self.wait() };
    }

    /// The last entry of a log whose writer died.
    pub fn bury(&mut self, kind: &str, body: String) {
        let Step::Bury(number) = self.step else { return };
        let entry = Entry { number, kind: kind.to_owned(), body };
        let mut encoder = Encoder::new(self.dialect);
        encoder.push(&entry);
        let Some((is_fresh, records)) = encoder.take(MAX_VALUE - MAX_HEADER) else { return };
        let (expires, written) = (self.expires, self.sign);
        let part = Part { expires, written, is_fresh, records: &records };
        self.step = Step::Write(part.write());
    }

    /// Whether the store wrote the log's end, or found something else in its place.
    pub fn wrote(&mut self, worked: bool, now: Timestamp) {
        if worked {
            // Read as everybody else reads it.
            self.step = Step::Part;
        } else {
            self.failed(now);
        }
    }
}

#[cfg(test)]
mod tests;
