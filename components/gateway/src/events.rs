//! The events of an ask or a run: in batches, and with a sense of silence.
//!
//! Border: what events say, and how a sign of life looks, is a door's.

use std::pin::{Pin, pin};
use std::time::Duration;

use futures::future::{Either, FutureExt, ready, select};
use quarry_doors::door::Voice;
use quarry_doors::{Due, Event, Refusal, Vigil};
use quarry_events::EventName;
use quarry_rim::clock;
use wit_bindgen::{StreamReader, StreamResult};

use crate::bindings::quarry::agent::types as wit;
use crate::convert;

/// Events that one read takes at most. A burst of more becomes several writes.
const BATCH: usize = 64;

/// How long what comes together with the end waits to be written with it: most logs have the end by then, and all of it is
/// one write. An answer does not wait for longer for a store that takes nothing.
const TOGETHER: Duration = Duration::from_millis(100);

/// Why the stream broke off, if it did. It is asked only behind the last event.
type Ended = Pin<Box<dyn Future<Output = Option<Refusal>>>>;
type Timer = Pin<Box<dyn Future<Output = ()>>>;
/// A read under way, together with the stream that it borrows: it outlives a timer that comes
/// first. Yields the stream, what came, and whether more can come.
type Reading = Pin<Box<dyn Future<Output = (StreamReader<wit::Event>, Vec<wit::Event>, bool)>>>;

/// Events of one machine's list. Dropping it tells the ask or run that nobody listens.
pub struct Events<N = EventName> {
    reading: Option<Reading>,
    ended: Option<Ended>,
    /// What is done when its reader leaves before the end.
    left: Option<Timer>,
    /// The name that is written so.
    named: fn(&str) -> Option<N>,
    /// One timer for many batches: what is due is asked when it fires.
    timer: Option<Timer>,
    /// Over silence and its reader's patience, by the clock that only goes forward.
    vigil: Vigil,
    /// Which event is the last, where that is given no sooner than it is known whether the log has it.
    kept_end: Option<fn(&N) -> bool>,
    /// What waits for that: the last event, and what came with it until that is given.
    held: Option<Vec<Event<N>>>,
}

pub enum Next<N = EventName> {
    Batch(Vec<Event<N>>),
    /// The log does not have the end, which comes next.
    Unkept,
    Silence,
    /// A look is due whether anybody reads it.
    Look,
    /// Whoever reads it waits no longer.
    Late,
    /// No more events; why, if the stream broke off.
    End(Option<Refusal>),
}

impl<N> Events<N> {
    pub fn new(
        stream: StreamReader<wit::Event>,
        ended: impl Future<Output = Option<Refusal>> + 'static,
        silence: Duration,
        named: fn(&str) -> Option<N>,
    ) -> Self {
        Events {
            reading: Some(read(stream)),
            ended: Some(Box::pin(ended)),
            left: None,
            named,
            timer: None,
            vigil: Vigil::new(silence, clock::monotonic()),
            kept_end: None,
            held: None,
        }
    }

    /// The event that is the last by this is given when the log has it, or cannot have it.
    pub fn until_kept(self, is_last: fn(&N) -> bool) -> Self {
        Events { kept_end: Some(is_last), ..self }
    }

    /// It is told as it comes: a sign of life is due as this voice wants it, and looks whether anybody reads it.
    pub fn speak_within(&mut self, voice: &dyn Voice<N>) {
        self.vigil.speak_within(voice.silence());
    }

    /// From now on its reader waits as long as this voice does.
    pub fn wait_for(&mut self, voice: &dyn Voice<N>) {
        self.vigil.wait_for(voice, clock::recently(), clock::monotonic);
    }

    /// Its reader was written to.
    pub fn heard(&mut self) {
        self.vigil.heard(clock::monotonic());
    }

    /// With what is to be done when its reader leaves before the end.
    pub fn when_left(self, left: impl Future<Output = ()> + 'static) -> Self {
        Events { left: Some(Box::pin(left)), ..self }
    }

    /// Its reader left.
    pub async fn leave(mut self) {
        let left = self.left.take();
        // First the ask's own stream is let go of.
        drop(self);
        if let Some(left) = left {
            left.await;
        }
    }

    /// What comes first within a time: the head of a response should not wait for long.
    pub async fn first(&mut self, limit: Duration) -> Next<N> {
        let (next, timer) = self.next_before(Box::pin(clock::sleep(limit))).await;
        // Whoever waits no longer than that is told when its time is over.
        self.timer = timer.filter(|_| !self.vigil.ends_within(limit));
        next
    }

    /// What comes next, or what is due. Events are silence for a reader that is told nothing of them.
    pub async fn next(&mut self) -> Next<N> {
        loop {
            let timer = match self.unfired() {
                Some(timer) => timer,
                None => match self.vigil.due(clock::monotonic()) {
                    Due::Late => return Next::Late,
                    Due::Sign => return Next::Silence,
                    Due::Look => return Next::Look,
                    Due::In(time) => Box::pin(clock::sleep(time)),
                },
            };
            let (next, timer) = self.next_before(timer).await;
            self.timer = timer;
            if !matches!(next, Next::Silence) {
                return next;
            }
        }
    }

    /// The timer at hand, unless it has fired. Events that come without a pause would hide that from whoever waits no longer.
    fn unfired(&mut self) -> Option<Timer> {
        let mut timer = self.timer.take()?;
        let has_fired = self.vigil.has_end() && (&mut timer).now_or_never().is_some();
        (!has_fired).then_some(timer)
    }

    /// What giving something to its reader comes to; none where that takes nothing for so long. The timer at hand runs out
    /// first: most is taken before that, and needs none of its own.
    pub async fn taken_within<T>(
        &mut self,
        patience: Duration,
        giving: impl Future<Output = T>,
    ) -> Option<T> {
        let stalled = async {
            if let Some(timer) = &mut self.timer {
                timer.await;
            }
            self.timer = None;
            clock::sleep(patience).await;
        };
        match select(pin!(giving), pin!(stalled)).await {
            Either::Left((taken, _)) => Some(taken),
            Either::Right(((), _)) => None,
        }
    }

    /// Gives the timer back when it has not fired.
    async fn next_before(&mut self, mut timer: Timer) -> (Next<N>, Option<Timer>) {
        while self.held.is_none()
            && let Some(reading) = &mut self.reading
        {
            match select(reading, timer).await {
                Either::Left(((stream, events, open), unfired)) => {
                    self.reading = open.then(|| read(stream));
                    timer = unfired;
                    if !events.is_empty() {
                        let named = self.named;
                        let events = events.into_iter();
                        let events = events.filter_map(|event| convert::event(event, named));
                        let events: Vec<_> = events.collect();
                        if !self.waits_for_its_log(&events) {
                            return (Next::Batch(events), Some(timer));
                        }
                        self.held = Some(events);
                    }
                }
                Either::Right(((), _)) => return (Next::Silence, None),
            }
        }
        if self.held.is_some() {
            return self.settled_before(timer).await;
        }
        let broke = match self.ended.take() {
            Some(ended) => ended.await,
            None => None,
        };
        (Next::End(broke), Some(timer))
    }

    fn waits_for_its_log(&self, events: &[Event<N>]) -> bool {
        let Some(is_last) = self.kept_end else { return false };
        self.ended.is_some() && events.last().is_some_and(|event| is_last(&event.name))
    }

    /// Whether the end is held, and given in a moment: whoever was given what came with it has had the time to tell that
    /// while the log is written.
    pub async fn ends_now(&mut self) -> bool {
        let (Some(_), Some(ended)) = (&self.held, &mut self.ended) else { return false };
        let Some(broke) = clock::within(TOGETHER, ended.as_mut()).await else { return false };
        self.ended = Some(Box::pin(ready(broke)));
        true
    }

    /// The end, once it is known whether the log has it. What came with it is given before.
    async fn settled_before(&mut self, timer: Timer) -> (Next<N>, Option<Timer>) {
        let Some(ended) = &mut self.ended else {
            return (Next::Batch(self.held.take().unwrap_or_default()), Some(timer));
        };
        if let Some(held) = &mut self.held
            && held.len() > 1
        {
            let end = held.split_off(held.len() - 1);
            let before = std::mem::replace(held, end);
            return (Next::Batch(before), Some(timer));
        }
        match select(ended, timer).await {
            Either::Left((broke, unfired)) => (self.settled(broke.is_some()), Some(unfired)),
            Either::Right(((), _)) => (Next::Silence, None),
        }
    }

    /// It is known whether the log has the end.
    fn settled(&mut self, is_unkept: bool) -> Next<N> {
        self.ended = None;
        match is_unkept {
            true => Next::Unkept,
            false => Next::Batch(self.held.take().unwrap_or_default()),
        }
    }
}

fn read(mut stream: StreamReader<wit::Event>) -> Reading {
    Box::pin(async move {
        let (result, events) = stream.read(Vec::with_capacity(BATCH)).await;
        let open = !matches!(result, StreamResult::Dropped);
        (stream, events, open)
    })
}
