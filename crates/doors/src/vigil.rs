//! When the reader of a silent stream is shown that somebody is there, and when it waits no longer.
//!
//! Border: times of a clock that only goes forward are arguments; what is shown is a door's.

use std::time::Duration;

use quarry_types::Timestamp;

use crate::door::Voice;

/// What whoever waits for events does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// Wait for so long, if nothing comes before.
    In(Duration),
    /// Give a sign of life.
    Sign,
    /// Look whether anybody reads it.
    Look,
    /// Say the last word: the reader waits no longer.
    Late,
}

/// How often a stream looks whether it is read where nothing is written to it: sooner than clients come back whose
/// connection broke, for what they send then is known as sent again only where it is known that they left.
const LOOKS: Duration = Duration::from_millis(500);

/// A watch over one stream.
#[derive(Debug, Clone)]
pub struct Vigil {
    /// When it was written to, or a sign of life was due.
    heard: Duration,
    /// When it was known last whether it is read; none: nobody looks.
    looked: Option<Duration>,
    /// How much silence makes a sign of life due.
    silence: Duration,
    /// When its reader waits no longer.
    until: Option<Duration>,
}

impl Vigil {
    /// Over a stream that begins now, whose operator wants a sign of life after so much silence.
    #[must_use]
    pub const fn new(silence: Duration, now: Duration) -> Vigil {
        Vigil { heard: now, looked: None, silence, until: None }
    }

    /// It is written to as things happen: a sign of life is due after so much silence at the latest (none: as
    /// configured), and often a look whether anybody reads it.
    pub fn speak_within(&mut self, most: Option<Duration>) {
        self.silence = most.map_or(self.silence, |most| most.min(self.silence));
        self.looked = Some(self.heard);
    }

    /// From now on its reader waits for as long as this voice does at this time of day. The clock is asked only where
    /// that has an end.
    pub fn wait_for<N>(
        &mut self,
        voice: &dyn Voice<N>,
        at: Timestamp,
        now: impl FnOnce() -> Duration,
    ) {
        self.until = voice.patience(at).map(|patience| now() + patience);
    }

    /// Something was written.
    pub const fn heard(&mut self, now: Duration) {
        self.heard = now;
        if self.looked.is_some() {
            self.looked = Some(now);
        }
    }

    /// Whether its reader waits for no longer than so much silence.
    #[must_use]
    pub fn ends_within(&self, silence: Duration) -> bool {
        self.until.is_some_and(|until| until.saturating_sub(self.heard) <= silence)
    }

    /// Whether there is a time from which on its reader waits no longer.
    #[must_use]
    pub const fn has_end(&self) -> bool {
        self.until.is_some()
    }

    /// What is due. A sign of life or a look that is due counts as given.
    pub fn due(&mut self, now: Duration) -> Due {
        if self.until.is_some_and(|until| now >= until) {
            return Due::Late;
        }
        let silent = now.saturating_sub(self.heard);
        if silent >= self.silence {
            self.heard(now);
            return Due::Sign;
        }
        let unlooked = self.looked.map(|looked| now.saturating_sub(looked));
        if unlooked.is_some_and(|unlooked| unlooked >= LOOKS) {
            self.looked = Some(now);
            return Due::Look;
        }
        let look = unlooked.map(|unlooked| LOOKS - unlooked);
        let due = (self.silence - silent).min(look.unwrap_or(Duration::MAX));
        let left = self.until.map(|until| until.saturating_sub(now));
        Due::In(left.map_or(due, |left| left.min(due)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entrance, Head, enter, keep_alive_seconds};

    const MS: Duration = Duration::from_millis(1);

    /// Doors of conversations whose answers may be streams.
    const DOORS: [(&str, &str); 6] = [
        ("POST", "/v1/chat/completions"),
        ("POST", "/v1/responses"),
        ("POST", "/mcp"),
        ("POST", "/api/chat"),
        ("GET", "/api/chat/c1/stream"),
        ("POST", "/agui"),
    ];

    fn vigil(method: &str, path: &str, configured: &str) -> Vigil {
        let head = Head { method: method.to_owned(), path: path.to_owned(), ..Head::default() };
        let Entrance::Open(visit) = enter(&head, Timestamp(0)) else { panic!("no door: {path}") };
        let silence = Duration::from_secs(keep_alive_seconds(configured).unwrap());
        let mut vigil = Vigil::new(silence, Duration::ZERO);
        vigil.speak_within(visit.voice(&head).silence());
        vigil
    }

    /// When a sign of life is due until then, where nothing else is done than what is due.
    fn spoken(vigil: &mut Vigil, until: Duration) -> Option<Duration> {
        let mut now = vigil.heard;
        while now <= until {
            match vigil.due(now) {
                Due::Sign => return Some(now),
                Due::In(time) => now += time,
                Due::Look | Due::Late => {}
            }
        }
        None
    }

    #[test]
    fn doors_of_conversations_show_life_after_ten_seconds() {
        let ten = Duration::from_secs(10);
        for (method, path) in DOORS {
            for configured in ["", "10", "3600"] {
                let mut vigil = vigil(method, path, configured);
                assert_eq!(spoken(&mut vigil, ten - MS), None, "{path}");
                assert_eq!(spoken(&mut vigil, ten), Some(ten), "{path}");
                // From then on it is silent anew.
                assert_eq!(spoken(&mut vigil, ten * 2 - MS), None, "{path}");
                vigil.heard(ten * 2 - MS);
                assert_eq!(spoken(&mut vigil, ten * 3), Some(ten * 3 - MS), "{path}");
            }
            let two = Duration::from_secs(2);
            assert_eq!(spoken(&mut vigil(method, path, "2"), ten), Some(two), "{path}");
        }
    }

    #[test]
    fn other_streams_show_it_as_configured() {
        let fifteen = Duration::from_secs(15);
        assert_eq!(spoken(&mut vigil("POST", "/ask", ""), fifteen * 2), Some(fifteen));
    }

    #[test]
    fn a_stream_that_says_nothing_looks_whether_it_is_read() {
        let mut vigil = vigil("POST", "/v1/chat/completions", "");
        assert_eq!(vigil.due(Duration::ZERO), Due::In(LOOKS));
        assert_eq!(vigil.due(LOOKS - MS), Due::In(MS));
        assert_eq!(vigil.due(LOOKS), Due::Look);
        assert_eq!(vigil.due(LOOKS), Due::In(LOOKS));
        // What is written tells it, too.
        vigil.heard(LOOKS + MS);
        assert_eq!(vigil.due(LOOKS * 2), Due::In(MS));
        // Of what is told at its end alone nobody can know.
        let mut whole = Vigil::new(Duration::from_secs(10), Duration::ZERO);
        assert_eq!(whole.due(LOOKS * 2), Due::In(Duration::from_secs(9)));
    }

    struct Patient(u64);

    impl Voice for Patient {
        fn patience(&self, _: Timestamp) -> Option<Duration> {
            Some(Duration::from_secs(self.0))
        }
    }

    #[test]
    fn who_waits_no_longer_is_told_and_until_then_shown_life() {
        let at = Duration::from_secs;
        let mut vigil = Vigil::new(at(10), at(100));
        vigil.wait_for::<quarry_events::EventName>(&Patient(25), Timestamp(0), || at(101));
        assert!(vigil.has_end() && vigil.ends_within(at(26)) && !vigil.ends_within(at(25)));
        assert_eq!(vigil.due(at(110)), Due::Sign);
        assert_eq!(vigil.due(at(120)), Due::Sign);
        assert_eq!(vigil.due(at(120)), Due::In(at(6)), "no longer than its reader waits");
        assert_eq!(vigil.due(at(126)), Due::Late);
        let endless = Vigil::new(at(10), at(100));
        assert!(!endless.has_end() && !endless.ends_within(Duration::MAX));
    }
}
