//! What every answer to a request of a conversation says of it in its head.
//!
//! Border: names in, headers out.

use super::{Drawn, ids};
use crate::{Event, Headers, Refusal, Reply};

/// The ask behind a request, and what of the request is ignored.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    ask: String,
    ignored: String,
    drawn: Drawn,
}

impl Marks {
    /// Of a request of which these fields are ignored.
    pub(crate) fn new(ignored: &[String]) -> Marks {
        Marks { ignored: ignored.join(", "), ..Marks::default() }
    }

    /// This is ignored of it, too, as is known now.
    pub(crate) fn ignores(&mut self, name: &str) {
        if !self.ignored.is_empty() {
            self.ignored.push_str(", ");
        }
        self.ignored.push_str(name);
    }

    /// With how its answer is wished to be drawn.
    pub(crate) fn drawn(self, drawn: Drawn) -> Marks {
        Marks { drawn, ..self }
    }

    /// These are the next events of the ask.
    pub(crate) fn hear(&mut self, events: &[Event]) {
        self.drawn.hear(events);
    }

    /// This model answers.
    pub(crate) fn answered_by(&mut self, model: &str) {
        self.drawn.answered_by(model);
    }

    /// The ask behind it has this id.
    pub(crate) fn begin(&mut self, ask: &str) {
        ask.clone_into(&mut self.ask);
    }

    /// Adds them.
    pub(crate) fn put(&self, headers: &mut Headers) {
        if !self.ask.is_empty() {
            headers.push(("x-request-id", ids::of("req_", &self.ask).into()));
            // A run is no ask: what is begun says its id.
            if !self.ask.starts_with(super::RUN_PREFIX) {
                headers.push(("x-quarry-ask", self.ask.clone().into()));
            }
        }
        let ignored = [self.ignored.as_str(), self.drawn.ignored()].into_iter();
        let ignored: Vec<&str> = ignored.filter(|names| !names.is_empty()).collect();
        if !ignored.is_empty() {
            headers.push(("x-quarry-ignored", ignored.join(", ").into()));
        }
    }

    /// Adds them to what says that a request is not carried out, and which methods would be.
    pub(crate) fn refuse(&self, refusal: &Refusal, mut reply: Reply) -> Reply {
        if let Refusal::MethodNotAllowed { allow } = refusal
            && !reply.headers.iter().any(|(name, _)| *name == "allow")
        {
            reply.headers.push(("allow", allow.clone().into()));
        }
        self.put(&mut reply.headers);
        reply
    }
}
