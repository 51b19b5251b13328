//! A model call of a run: what it says as it comes, then how it ends.
//!
//! Border: how much is told at once is decided in `quarry_machines::run::Hearing`.

use crate::effects::{self, Progress};
use futures::future::{LocalBoxFuture, ready};
use quarry_machines::core::{Input, Ticket};
use quarry_machines::run::{Hearing, RunInput};
use quarry_rim::clock::{self, now};
use quarry_types::{ChatError, Completion, Timestamp};
use std::time::Duration;

/// A call under way.
pub struct Listening {
    ticket: Ticket,
    next: LocalBoxFuture<'static, Progress>,
    hearing: Hearing,
    ends: Timestamp,
}

/// What came of a call.
pub enum Heard {
    /// What it says, and the rest of it.
    Words(RunInput, Listening),
    /// Its end.
    Ended(RunInput),
}

impl Listening {
    /// A call that may take so long.
    pub fn new(
        ticket: Ticket,
        call: impl Future<Output = Progress> + 'static,
        limit: Duration,
    ) -> Self {
        let limit_ms = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
        let ends = Timestamp(clock::recently().0.saturating_add(limit_ms));
        Listening { ticket, next: Box::pin(call), hearing: Hearing::default(), ends }
    }

    /// Which call.
    pub const fn ticket(&self) -> Ticket {
        self.ticket
    }

    /// Waits for what comes next.
    pub async fn next(mut self) -> Heard {
        // The driver has looked at the clock just now.
        let mut at = clock::recently();
        loop {
            if let Some(text) = self.hearing.due(at) {
                return self.says(text);
            }
            let wake = self.hearing.wake_at().map_or(self.ends, |wake| wake.min(self.ends));
            let wait = Duration::from_millis(wake.since(at).max(1));
            match clock::within(wait, self.next.as_mut()).await {
                Some(Progress::Deltas(inputs, call)) => {
                    self.next = Box::pin(effects::go_on(call));
                    at = now();
                    self.hear(inputs, at);
                }
                Some(Progress::Done(Input::ModelDone { result, .. })) => return self.end(result),
                Some(Progress::Done(_)) => {
                    let message = "the call was lost".to_owned();
                    return self.end(Err(ChatError::Other { message }));
                }
                None if wake == self.ends => {
                    let message = "the model's reply".to_owned();
                    return self.end(Err(ChatError::Timeout { message }));
                }
                None => at = now(),
            }
        }
    }

    fn hear(&mut self, inputs: Vec<Input>, at: Timestamp) {
        for input in inputs {
            if let Input::ModelText { text, .. } = input {
                self.hearing.hear(&text, at);
            }
        }
    }

    fn says(self, text: String) -> Heard {
        Heard::Words(RunInput::Words { ticket: self.ticket, text }, self)
    }

    fn end(mut self, result: Result<Completion, ChatError>) -> Heard {
        let ticket = self.ticket;
        // A reply that is there has it all; of one that broke off, it is all that there is.
        match self.hearing.rest().filter(|_| result.is_err()) {
            Some(text) => {
                let ended = Progress::Done(Input::ModelDone { ticket, result });
                self.next = Box::pin(ready(ended));
                self.says(text)
            }
            None => Heard::Ended(RunInput::Model { ticket, result }),
        }
    }
}
