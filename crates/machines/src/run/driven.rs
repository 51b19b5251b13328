//! A run as its journal's driver sees it.

use super::{Effect, Run, RunInput, RunReaction, Standing};
use quarry_events::run::Event;
use quarry_journal::run::{Format, Kind};
use quarry_journal::{Driven, Rest, Taken};
use quarry_types::Timestamp;

impl Run {
    /// The form in which its state is kept. Version 2 has what 1 lacks by default.
    pub const FORMAT: Format = Format { machine: "run", version: 2, migrations: &[Ok] };
}

impl RunInput {
    /// What it is in the journal.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            RunInput::Begun { .. } => Kind::Begun,
            RunInput::Model { .. } | RunInput::Tool { .. } => Kind::Outcome,
            RunInput::Asked { .. }
            | RunInput::Guidance { .. }
            | RunInput::Abort
            | RunInput::Resumed { .. }
            | RunInput::Forked { .. }
            | RunInput::PolicyChanged { .. }
            | RunInput::Unreadable { .. }
            | RunInput::TakenUp
            | RunInput::Clock => Kind::Input,
        }
    }
}

impl Driven for Run {
    type Input = RunInput;
    type Effect = Effect;
    type Event = Event;

    fn take(&mut self, input: RunInput, at: Timestamp) -> Taken<Event> {
        let RunReaction { events, checkpoint, nodes } = self.handle(input, at);
        let parts = nodes.into_iter().map(|node| u64::from(node.0)).collect();
        Taken { events, checkpoint, parts }
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

    fn taken_up() -> RunInput {
        RunInput::TakenUp
    }

    fn clock() -> RunInput {
        RunInput::Clock
    }

    fn rest(&self) -> Rest {
        let Standing { waiting, wake_at, .. } = self.standing_now();
        match (self.has_ended(), waiting) {
            (true, _) => Rest::Over,
            (false, Some(waiting)) => Rest::Waits { until: waiting.until.map(|until| until.0) },
            (false, None) => Rest::Works { wake_at },
        }
    }
}
