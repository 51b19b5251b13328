//! When the reader of a silent stream is shown that somebody is there, and when it waits no longer.
//!
//! Border: times of a clock that only goes forward are arguments; what is shown is a door's.

use std::time::Duration;

use crate::door::Voice;

/// What whoever waits for events does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// Wait for so long, if nothing comes before.
    In(Duration),
    /// Give a sign of life.
    Sign,
    /// Say the last word: the reader waits no longer.
    Late,
}

/// A watch over one stream.
#[derive(Debug, Clone)]
pub struct Vigil {
    /// When the last event or sign of life was.
    heard: Duration,
    /// How much silence makes a sign of life due.
    silence: Duration,
    /// When its reader waits no longer.
    until: Option<Duration>,
}

impl Vigil {
    /// Over a stream that begins now, whose operator wants a sign of life after so much silence.
    #[must_use]
    pub const fn new(silence: Duration, now: Duration) -> Vigil {
        Vigil { heard: now, silence, until: None }
    }

    /// A sign of life is due after so much silence at the latest; none: as configured.
    pub fn speak_within(&mut self, most: Option<Duration>) {
        self.silence = most.map_or(self.silence, |most| most.min(self.silence));
    }

    /// From now on its reader waits for as long as this voice does. The clock is asked only where that has an end.
    pub fn wait_for<N>(&mut self, voice: &dyn Voice<N>, now: impl FnOnce() -> Duration) {
        self.until = voice.patience().map(|patience| now() + patience);
    }

    /// Events came.
    pub const fn heard(&mut self, now: Duration) {
        self.heard = now;
    }

    /// Whether its reader waits no longer. The clock is asked only where it may be so.
    #[must_use]
    pub fn is_late(&self, now: impl FnOnce() -> Duration) -> bool {
        self.until.is_some_and(|until| now() >= until)
    }

    /// What is due. A sign of life that is due counts as given.
    pub fn due(&mut self, now: Duration) -> Due {
        if self.is_late(|| now) {
            return Due::Late;
        }
        let silent = now.saturating_sub(self.heard);
        if silent >= self.silence {
            self.heard = now;
            return Due::Sign;
        }
        let due = self.silence - silent;
        let left = self.until.map(|until| until.saturating_sub(now));
        Due::In(left.map_or(due, |left| left.min(due)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entrance, Head, enter, keep_alive_seconds};
    use quarry_types::Timestamp;

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

    #[test]
    fn doors_of_conversations_show_life_after_ten_seconds() {
        let ten = Duration::from_secs(10);
        for (method, path) in DOORS {
            for configured in ["", "10", "3600"] {
                let mut vigil = vigil(method, path, configured);
                assert_eq!(vigil.due(Duration::ZERO), Due::In(ten), "{path}");
                assert_eq!(vigil.due(ten - MS), Due::In(MS), "{path}");
                assert_eq!(vigil.due(ten), Due::Sign, "{path}");
                // From then on it is silent anew.
                assert_eq!(vigil.due(ten), Due::In(ten), "{path}");
                vigil.heard(ten * 2 - MS);
                assert_eq!(vigil.due(ten * 2), Due::In(ten - MS), "{path}");
            }
            let mut sooner = vigil(method, path, "2");
            assert_eq!(sooner.due(Duration::from_secs(2)), Due::Sign, "{path}");
        }
    }

    #[test]
    fn other_streams_show_it_as_configured() {
        let mut vigil = vigil("POST", "/ask", "");
        assert_eq!(vigil.due(Duration::from_secs(15) - MS), Due::In(MS));
        assert_eq!(vigil.due(Duration::from_secs(15)), Due::Sign);
    }

    struct Patient(u64);

    impl Voice for Patient {
        fn patience(&self) -> Option<Duration> {
            Some(Duration::from_secs(self.0))
        }
    }

    #[test]
    fn who_waits_no_longer_is_told_and_until_then_shown_life() {
        let at = Duration::from_secs;
        let mut vigil = Vigil::new(at(10), at(100));
        vigil.wait_for::<quarry_events::EventName>(&Patient(25), || at(101));
        assert_eq!(vigil.due(at(110)), Due::Sign);
        assert_eq!(vigil.due(at(120)), Due::Sign);
        assert_eq!(vigil.due(at(120)), Due::In(at(6)), "no longer than its reader waits");
        assert_eq!(vigil.due(at(126)), Due::Late);
    }
}
