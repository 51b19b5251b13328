//! How many calls are under way to a component at once.
//!
//! Each call keeps an instance over there, with its memory, to itself, and a host has so many memories
//! for all: one that has none left fails whoever comes next, asks included.

use std::collections::VecDeque;
use std::time::Duration;

/// After this the call that is next counts as stuck: those before it are slow.
const STUCK: Duration = Duration::from_millis(250);

/// Lets a few through at once, in the order in which they came; while the next is stuck, one more
/// after another, up to a bound. Times are of any clock that only goes forward.
#[derive(Debug)]
pub struct Lane {
    few: usize,
    most: usize,
    under_way: usize,
    /// The tickets of those who wait.
    waiting: VecDeque<Ticket>,
    next: u64,
    /// Since when the first of them has been the first.
    first_since: Option<Duration>,
}

/// A call's place in the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket(u64);

/// What becomes of a call that asks for its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// It is under way until [`Lane::end`] is called for it.
    Now,
    /// It is the next.
    Next,
    /// Others are before it.
    Later,
}

impl Lane {
    /// With nobody in it. `few` go at once, and `most` when those are slow.
    #[must_use]
    pub const fn new(few: usize, most: usize) -> Self {
        Lane { few, most, under_way: 0, waiting: VecDeque::new(), next: 0, first_since: None }
    }

    /// A call comes and asks for its turn.
    pub fn come(&mut self, now: Duration) -> (Ticket, Turn) {
        let ticket = Ticket(self.next);
        self.next += 1;
        self.waiting.push_back(ticket);
        (ticket, self.ask(ticket, now))
    }

    /// A call that waits asks again.
    pub fn ask(&mut self, ticket: Ticket, now: Duration) -> Turn {
        if self.first() != Some(ticket) {
            return Turn::Later;
        }
        let since = *self.first_since.get_or_insert(now);
        let is_stuck = now.saturating_sub(since) >= STUCK;
        let most = if is_stuck { self.most } else { self.few };
        if self.under_way >= most {
            return Turn::Next;
        }
        self.under_way += 1;
        self.leave(ticket);
        Turn::Now
    }

    /// How long a call waits before it asks again though it hears of nothing: none for those who are not the next.
    #[must_use]
    pub fn patience(&self, ticket: Ticket, now: Duration) -> Option<Duration> {
        let since = self.first_since.filter(|_| self.first() == Some(ticket))?;
        let left = STUCK.saturating_sub(now.saturating_sub(since));
        Some(if left.is_zero() { STUCK } else { left })
    }

    /// The call that is first of those who wait: it may have its turn once another has ended, went or gave up.
    #[must_use]
    pub fn first(&self) -> Option<Ticket> {
        self.waiting.front().copied()
    }

    /// A call that waits gives up.
    pub fn leave(&mut self, ticket: Ticket) {
        if self.first() == Some(ticket) {
            self.first_since = None;
        }
        self.waiting.retain(|waiting| *waiting != ticket);
    }

    /// A call that was under way has ended.
    pub const fn end(&mut self) {
        self.under_way = self.under_way.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_few_go_at_once_and_the_others_in_the_order_in_which_they_came() {
        let mut lane = Lane::new(2, 4);
        let tickets: Vec<_> = (0..5).map(|_| lane.come(at(0))).collect();
        let turns = tickets.iter().map(|(_, turn)| *turn).collect::<Vec<_>>();
        assert_eq!(turns, [Turn::Now, Turn::Now, Turn::Next, Turn::Later, Turn::Later]);
        lane.end();
        assert_eq!(lane.ask(tickets[4].0, at(0)), Turn::Later);
        assert_eq!(lane.ask(tickets[3].0, at(0)), Turn::Later);
        assert_eq!(lane.ask(tickets[2].0, at(0)), Turn::Now);
        assert_eq!(lane.ask(tickets[3].0, at(1)), Turn::Next);
    }

    #[test]
    fn whoever_gives_up_holds_nobody_up() {
        let mut lane = Lane::new(1, 1);
        lane.come(at(0));
        let (second, _) = lane.come(at(0));
        let (third, _) = lane.come(at(0));
        lane.leave(second);
        assert_eq!(lane.ask(third, at(0)), Turn::Next);
        lane.end();
        assert_eq!(lane.ask(third, at(0)), Turn::Now);
    }

    #[test]
    fn each_that_goes_makes_another_the_first() {
        let mut lane = Lane::new(2, 2);
        let tickets: Vec<_> = (0..5).map(|_| lane.come(at(0)).0).collect();
        lane.end();
        lane.end();
        // Both ends woke the same call: whoever goes wakes the next, who finds the other place.
        for ticket in &tickets[2..4] {
            assert_eq!(lane.first(), Some(*ticket));
            assert_eq!(lane.ask(*ticket, at(0)), Turn::Now);
        }
        assert_eq!(lane.first(), Some(tickets[4]));
        lane.leave(tickets[4]);
        assert_eq!(lane.first(), None);
    }

    #[test]
    fn behind_slow_ones_another_goes_every_quarter_of_a_second_up_to_the_bound() {
        let mut lane = Lane::new(1, 3);
        lane.come(at(0));
        let waiting: Vec<_> = (0..4).map(|_| lane.come(at(0)).0).collect();
        let mut gone = Vec::new();
        for ms in (0..2_000).step_by(10) {
            for ticket in &waiting {
                if lane.ask(*ticket, at(ms)) == Turn::Now {
                    gone.push(ms);
                }
            }
        }
        assert_eq!(gone, [250, 500], "two more go, and the third waits for an end");
        lane.end();
        assert_eq!(lane.ask(waiting[2], at(2_000)), Turn::Now);
    }

    #[test]
    fn whoever_is_next_asks_when_it_counts_as_stuck_and_no_later() {
        let mut lane = Lane::new(1, 3);
        lane.come(at(0));
        let (next, _) = lane.come(at(10));
        let (behind, _) = lane.come(at(10));
        assert_eq!(lane.patience(behind, at(20)), None);
        assert_eq!(lane.patience(next, at(10)), Some(STUCK));
        // It was woken for nothing.
        assert_eq!(lane.ask(next, at(200)), Turn::Next);
        assert_eq!(lane.patience(next, at(200)), Some(at(60)));
        assert_eq!(lane.ask(next, at(260)), Turn::Now);
        // As many as may be are under way at last: then an end is waited for.
        assert_eq!(lane.ask(behind, at(260)), Turn::Next);
        assert_eq!(lane.ask(behind, at(510)), Turn::Now);
        let (last, _) = lane.come(at(510));
        assert_eq!(lane.ask(last, at(760)), Turn::Next);
        assert_eq!(lane.patience(last, at(760)), Some(STUCK));
    }

    #[test]
    fn while_the_line_moves_no_more_than_a_few_go() {
        let mut lane = Lane::new(1, 9);
        lane.come(at(0));
        let waiting: Vec<_> = (0..9).map(|_| lane.come(at(200)).0).collect();
        for (ticket, ms) in waiting.iter().zip((200..).step_by(200)) {
            assert_eq!(lane.ask(*ticket, at(ms)), Turn::Next);
            assert_eq!(lane.ask(*ticket, at(ms + 190)), Turn::Next);
            lane.end();
            assert_eq!(lane.ask(*ticket, at(ms + 195)), Turn::Now);
        }
    }
}
