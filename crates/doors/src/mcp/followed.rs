//! A task that somebody is told of as it goes on.
//!
//! Border: what happens in its ask or its run comes in once, in order; how it stands comes out. Where to read on, and when,
//! is told here; who reads is elsewhere.

use quarry_events::run;

use super::fold::{Fold, Standing};
use super::tasks::{self, Facts, Task};
use crate::Event;
use crate::responses::interrupted;
use crate::talk::OfRun;

/// A task as far as it was followed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Followed {
    /// What whoever holds it knows it by.
    id: String,
    /// The research that goes on behind that name by now.
    named: String,
    fold: Fold,
    of_run: OfRun,
    /// The number of the last event that was heard.
    heard: u64,
    /// The number of the last one that was there when somebody looked.
    there: u64,
    /// Whether it was told as it stands.
    is_told: bool,
}

impl Followed {
    /// A task of which nothing was heard yet.
    #[must_use]
    pub fn new(id: &str) -> Followed {
        Followed { id: id.to_owned(), ..Followed::default() }
    }

    /// Behind it there is this research, with so many events.
    pub fn is(&mut self, named: &str, events: u64) {
        if self.named != named {
            *self = Followed { named: named.to_owned(), ..Followed::new(&self.id) };
            self.fold.begin(named);
        }
        self.there = events;
    }

    /// The number of the event behind which there is something new.
    #[must_use]
    pub const fn heard(&self) -> u64 {
        self.heard
    }

    /// Whether there was more than was heard.
    #[must_use]
    pub const fn is_behind(&self) -> bool {
        self.heard < self.there
    }

    /// Takes what happened in an ask.
    pub fn hear(&mut self, events: &[Event]) {
        self.note(events);
        events.iter().for_each(|event| drop(self.fold.step(event)));
    }

    /// The same of a run. One that waited for somebody, or ended, may have been resumed since, or ended for good.
    pub fn hear_of_run(&mut self, events: &[Event<run::EventName>]) {
        self.note(events);
        let Followed { fold, of_run, .. } = self;
        for event in events {
            if event.name == run::EventName::RunResumed || event.name.is_last() {
                fold.reopen();
            }
            drop(fold.step_of_run(of_run, event));
        }
    }

    fn note<N>(&mut self, events: &[Event<N>]) {
        let last = events.last().and_then(|event| event.sequence);
        self.heard = last.unwrap_or(self.heard);
        self.is_told &= events.is_empty();
    }

    /// Nothing more comes of the ask. One that waits for a limit goes on as another, unless somebody stopped it.
    pub fn ended(&mut self, is_stopped: bool) {
        let before = self.is_over();
        if is_stopped {
            self.fold.call_off();
        }
        self.fold.break_off(&interrupted());
        self.is_told &= before == self.is_over();
    }

    /// Whether it stays as it is.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.fold.standing() != Standing::Working
    }

    /// The task as it stands, where that was not told. Nothing is told before all is heard that was there: what has ended
    /// would look as if it went on.
    pub fn news(&mut self, facts: Facts) -> Option<Task> {
        if self.is_told || self.is_behind() || self.named.is_empty() {
            return None;
        }
        self.is_told = true;
        Some(Task(tasks::task(&self.id, &self.fold, facts)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::{of_ask, of_run};
    use crate::responses::{Earlier, EarlierRun};
    use quarry_events::EventName::{self, AnswerDelta, Complete, FinalAnswer, QuotaExceeded};
    use quarry_types::Timestamp;
    use serde_json::{Value, json};

    const FIRST: &str = "019a00000000abcdef00000000000000";
    const NEXT: &str = "019a00000001abcdef00000000000000";
    const FACTS: Facts = Facts { lasts_ms: 3_600_000, now: Timestamp(0) };

    fn log(all: &[(EventName, Value)]) -> Vec<Event> {
        let event = |(at, (name, data)): (usize, &(EventName, Value))| Event {
            sequence: u64::try_from(at + 1).ok(),
            name: *name,
            data: data.to_string(),
        };
        all.iter().enumerate().map(event).collect()
    }

    fn answered() -> Vec<Event> {
        log(&[
            (AnswerDelta, json!({ "text": "Ada." })),
            (FinalAnswer, json!({ "finish": "stop", "citations": [] })),
            (Complete, json!({})),
        ])
    }

    fn limited() -> Vec<Event> {
        let until = "1970-01-01T00:01:00.000Z";
        log(&[(QuotaExceeded, json!({ "message": "limit", "waitTime": 60, "resumeAfter": until }))])
    }

    #[test]
    fn what_is_followed_stands_as_what_is_read_whole() {
        for events in [answered(), limited()] {
            let mut followed = Followed::new(FIRST);
            followed.is(FIRST, 0);
            for at in 0..=events.len() {
                let (named, has_ended) = (FIRST, false);
                let heard = events[..at].to_vec();
                let earlier = Earlier { kept: None, events: heard, has_ended };
                assert_eq!(followed.news(FACTS), Some(of_ask(FIRST, named, &earlier, FACTS)));
                assert_eq!(followed.news(FACTS), None, "it was told");
                followed.hear(&events[at..events.len().min(at + 1)]);
                assert_eq!(followed.heard(), u64::try_from(events.len().min(at + 1)).unwrap());
            }
        }
    }

    #[test]
    fn nothing_is_told_before_all_is_heard_that_was_there() {
        let mut followed = Followed::new(FIRST);
        assert_eq!(followed.news(FACTS), None, "nobody looked");
        followed.is(FIRST, 3);
        let events = answered();
        for (at, event) in events.iter().enumerate() {
            assert!(followed.is_behind() && followed.news(FACTS).is_none(), "at {at}");
            followed.hear(std::slice::from_ref(event));
        }
        assert!(followed.is_over() && followed.news(FACTS).is_some());
    }

    #[test]
    fn what_a_limit_ended_goes_on_as_another_or_is_stopped() {
        let mut followed = Followed::new(FIRST);
        followed.is(FIRST, 1);
        followed.hear(&limited());
        let Task(waits) = followed.news(FACTS).unwrap();
        assert_eq!((&waits["status"], followed.is_over()), (&json!("working"), false));
        followed.ended(false);
        assert_eq!(followed.news(FACTS), None, "it waits on");
        let mut stopped = followed.clone();
        stopped.ended(true);
        assert_eq!(
            stopped.news(FACTS).map(|Task(task)| task["status"].clone()),
            Some(json!("cancelled"))
        );
        followed.is(NEXT, 0);
        assert_eq!(followed.heard(), 0, "it is read from its beginning");
        followed.hear(&answered());
        let Task(done) = followed.news(FACTS).unwrap();
        assert_eq!((&done["status"], &done["taskId"]), (&json!("completed"), &json!(FIRST)));
    }

    #[test]
    fn what_its_process_s_death_ended_goes_on_as_another_or_is_stopped() {
        let mut followed = Followed::new(FIRST);
        followed.is(FIRST, 1);
        followed.hear(&log(&[(EventName::Error, json!({ "error": "!", "type": "interrupted" }))]));
        let Task(died) = followed.news(FACTS).unwrap();
        assert_eq!((&died["status"], followed.is_over()), (&json!("working"), false));
        let words = died["statusMessage"].as_str().unwrap();
        assert!(words.ends_with("it goes on with the next tasks/get"), "{words}");
        let mut stopped = followed.clone();
        stopped.ended(true);
        assert!(stopped.is_over());
        followed.ended(false);
        followed.is(NEXT, 0);
        followed.hear(&answered());
        assert_eq!(followed.news(FACTS).unwrap().0["status"], "completed");
    }

    #[test]
    fn what_died_without_an_end_has_one() {
        let mut followed = Followed::new(FIRST);
        followed.is(FIRST, 0);
        assert!(followed.news(FACTS).is_some());
        followed.ended(false);
        let Task(died) = followed.news(FACTS).unwrap();
        assert_eq!(died["result"]["isError"], json!(true), "{died}");
    }

    #[test]
    fn a_run_that_waited_for_somebody_stands_as_what_came_behind_that() {
        use run::EventName::{ReportDelta, RunAborted, RunCompleted, RunResumed, RunWaiting};
        let waiting = json!({ "waiting": { "reason": "needs_key", "hint": "Resume it." } });
        let report = (ReportDelta, json!({ "section": 1, "text": "Ada." }));
        let (resumed, completed) = ((RunResumed, json!({})), (RunCompleted, json!({})));
        for (rest, status, is_error) in [
            (vec![], "completed", json!(true)),
            (vec![resumed.clone()], "working", Value::Null),
            (vec![resumed, report, completed], "completed", json!(false)),
            (vec![(RunAborted, json!({}))], "cancelled", Value::Null),
        ] {
            let all = [vec![(RunWaiting, waiting.clone())], rest].concat();
            let event = |(sequence, (name, data)): (u64, &(run::EventName, Value))| Event {
                sequence: Some(sequence),
                name: *name,
                data: data.to_string(),
            };
            let events: Vec<_> = (1..).zip(&all).map(event).collect();
            let id = format!("run_{FIRST}");
            let mut followed = Followed::new(&id);
            followed.is(&id, u64::try_from(events.len()).unwrap());
            events.iter().for_each(|event| followed.hear_of_run(std::slice::from_ref(event)));
            let told = followed.news(FACTS);
            let Task(task) = of_run(FIRST, EarlierRun { kept: None, events }, FACTS);
            assert_eq!((&task["status"], &task["result"]["isError"]), (&json!(status), &is_error));
            assert_eq!(told, Some(Task(task)));
        }
    }
}
