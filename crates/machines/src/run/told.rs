//! Inputs as they are read: the fields of all of them side by side.
//!
//! Reading them one kind at a time would make a tree of each first, and a second reader of all that is in
//! them: 200 KB of code, and every page of a journal in memory twice.

use super::input::{Effect, RunInput};
use super::{Brief, Models};
use crate::core::{Budget, Ticket};
use quarry_tools::Outcome;
use quarry_types::{ChatError, Completion, Knobs, RunId};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Asked,
    Model,
    Tool,
    Begun,
    Guidance,
    Abort,
    Resumed,
    Forked,
    TakenUp,
    Clock,
}

/// An input with the fields of every kind; they mean what they mean in [`RunInput`].
#[derive(Deserialize)]
pub(super) struct Told {
    input: Kind,
    brief: Option<Box<Brief>>,
    ticket: Option<Ticket>,
    result: Option<Result<Completion, ChatError>>,
    outcome: Option<Outcome>,
    effects: Option<Vec<Effect>>,
    text: Option<String>,
    by_request: Option<bool>,
    knobs: Option<Box<Knobs>>,
    budget: Option<Budget>,
    from: Option<RunId>,
    task: Option<String>,
    models: Option<Box<(Models, Vec<String>)>>,
}

/// A field that its kind wants is not there.
#[derive(Debug, thiserror::Error)]
#[error("missing field `{0}`")]
pub(super) struct Missing(&'static str);

fn there<T>(field: Option<T>, name: &'static str) -> Result<T, Missing> {
    field.ok_or(Missing(name))
}

impl TryFrom<Told> for RunInput {
    type Error = Missing;

    fn try_from(told: Told) -> Result<Self, Missing> {
        Ok(match told.input {
            Kind::Asked => RunInput::Asked { brief: there(told.brief, "brief")? },
            Kind::Model => RunInput::Model {
                ticket: there(told.ticket, "ticket")?,
                result: there(told.result, "result")?,
            },
            Kind::Tool => RunInput::Tool {
                ticket: there(told.ticket, "ticket")?,
                outcome: there(told.outcome, "outcome")?,
            },
            Kind::Begun => RunInput::Begun { effects: there(told.effects, "effects")? },
            Kind::Guidance => RunInput::Guidance { text: there(told.text, "text")? },
            Kind::Abort => RunInput::Abort,
            Kind::Resumed => RunInput::Resumed {
                by_request: there(told.by_request, "by_request")?,
                knobs: told.knobs,
                budget: told.budget,
            },
            Kind::Forked => RunInput::Forked {
                from: there(told.from, "from")?,
                task: told.task,
                knobs: there(told.knobs, "knobs")?,
                models: told.models,
            },
            Kind::TakenUp => RunInput::TakenUp,
            Kind::Clock => RunInput::Clock,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_read_as_they_were_written() {
        let failed = Err(ChatError::NoCredit { message: "none left".to_owned() });
        for input in [
            RunInput::Model { ticket: Ticket(3), result: failed },
            RunInput::Begun { effects: Vec::new() },
            RunInput::Guidance { text: "look further".to_owned() },
            RunInput::Abort,
            RunInput::Resumed { by_request: true, knobs: None, budget: None },
            RunInput::Resumed {
                by_request: false,
                knobs: Some(Box::default()),
                budget: Some(Budget { usd: Some(0.5), tokens: None }),
            },
            RunInput::TakenUp,
            RunInput::Clock,
        ] {
            let written = serde_json::to_string(&input).unwrap();
            assert_eq!(serde_json::from_str::<RunInput>(&written).unwrap(), input, "{written}");
        }
    }

    #[test]
    fn what_an_input_wants_is_missed_by_its_name() {
        for (input, field) in [("asked", "brief"), ("tool", "ticket"), ("forked", "from")] {
            let text = format!(r#"{{"input":"{input}"}}"#);
            let error = serde_json::from_str::<RunInput>(&text).unwrap_err().to_string();
            assert!(error.contains(field), "{error}");
        }
    }
}
