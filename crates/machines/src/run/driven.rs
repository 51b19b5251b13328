//! A run as its journal's driver sees it.

use super::{Effect, Run, RunInput, RunReaction, Standing};
use quarry_events::run::Event;
use quarry_journal::run::{Format, Kind, Pack, Step};
use quarry_journal::{Append, Driven, Rest, Taken};
use quarry_types::{Json, RunId, Timestamp};

impl Run {
    /// The form in which its state is kept. Versions 2 and 3 have what the one before lacks by default; since 4 a
    /// report that is being written has a state of its own; since 5 other words say why a call was lost; since 6 the
    /// turn of a node that an end cut off is kept, where the run was asked for like that.
    pub const FORMAT: Format =
        Format { machine: "run", version: 6, migrations: &[Ok, Ok, with_writing, Ok, Ok] };

    /// The oldest version whose journals this one folds to the same states and events.
    pub const FOLDS_SINCE: u32 = 5;

    /// What is written of it when this is appended to the journal of `run`, by the driver with this name.
    #[must_use]
    pub fn step(
        &self,
        run: RunId,
        holder: String,
        append: Append<RunInput, Event>,
        now: Timestamp,
    ) -> Step {
        let mut entries = Pack::default();
        for (at, input) in &append.entries {
            entries.push(*at, input.kind(), Json::of(input));
        }
        let state = append.checkpoint.then(|| serde_json::to_string(self).ok()).flatten();
        Step {
            run,
            holder,
            now,
            until: append.lease_until,
            first: append.n,
            entries,
            events: append.events,
            checkpoint: state.map(|state| Run::FORMAT.seal(state)),
            status: self.status(),
            due_at: self.due_at(now),
            summary: Some(Json::of(&self.listed(now))),
            taken: append.inbox,
            nodes: self.shown_nodes(append.parts.as_ref()),
            searches: append.searches,
        }
    }
}

/// A state in which nothing is known of a report but that it is being written. A text in it has its quotation marks
/// escaped, so that none reads like this.
fn with_writing(state: String) -> Result<String, String> {
    let writing = r#""stage":{"Writing":{"heard":"","told":"","broke_off":false}}"#;
    Ok(state.replacen(r#""stage":"Writing""#, writing, 1))
}

impl RunInput {
    /// What it is in the journal.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            RunInput::Begun { .. } => Kind::Begun,
            RunInput::Model { .. } | RunInput::Tool { .. } => Kind::Outcome,
            RunInput::Asked { .. }
            | RunInput::Words { .. }
            | RunInput::Guidance { .. }
            | RunInput::Abort
            | RunInput::Resumed { .. }
            | RunInput::Forked { .. }
            | RunInput::PolicyChanged { .. }
            | RunInput::Unreadable { .. }
            | RunInput::TakenUp { .. }
            | RunInput::Clock => Kind::Input,
        }
    }
}

impl Driven for Run {
    type Input = RunInput;
    type Effect = Effect;
    type Event = Event;

    fn take(&mut self, input: RunInput, at: Timestamp) -> Taken<Event> {
        let RunReaction { events, checkpoint, nodes, searched } = self.handle(input, at);
        let parts = nodes.into_iter().map(|node| u64::from(node.0)).collect();
        Taken { events, checkpoint, parts, searched }
    }

    fn due(&self) -> Vec<Effect> {
        Run::due(self)
    }

    fn has_begun(&self) -> bool {
        Run::has_begun(self)
    }

    fn begun(effects: &[Effect]) -> RunInput {
        RunInput::Begun { effects: effects.to_vec() }
    }

    fn taken_up(driven_until: Option<Timestamp>) -> RunInput {
        RunInput::TakenUp { driven_until }
    }

    fn clock() -> RunInput {
        RunInput::Clock
    }

    fn lets_go(input: &RunInput) -> bool {
        matches!(input, RunInput::Abort)
    }

    fn is_stale(&self, input: &RunInput) -> bool {
        match input {
            RunInput::Model { ticket, .. }
            | RunInput::Words { ticket, .. }
            | RunInput::Tool { ticket, .. } => !self.is_under_way(*ticket),
            RunInput::Asked { .. }
            | RunInput::Begun { .. }
            | RunInput::Guidance { .. }
            | RunInput::Abort
            | RunInput::Resumed { .. }
            | RunInput::Forked { .. }
            | RunInput::PolicyChanged { .. }
            | RunInput::Unreadable { .. }
            | RunInput::TakenUp { .. }
            | RunInput::Clock => false,
        }
    }

    fn rest(&self) -> Rest {
        let Standing { waiting, wake_at, .. } = self.standing_now();
        match (self.has_ended(), waiting) {
            (true, _) => Rest::Over,
            (false, Some(waiting)) => Rest::Waits { until: waiting.until.map(|until| until.0) },
            (false, None) => Rest::Works { wake_at },
        }
    }

    fn updated(&self) -> Timestamp {
        self.clockwork.updated
    }
}
