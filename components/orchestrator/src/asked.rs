//! What is asked: of the world, or of documents of one's own.
//!
//! Border: either way the same request, sent again, begins it once (`once`); how it begins is in `start` and `consult`.

use crate::bindings::exports::quarry::agent::ask::{
    AskError, Caller, Continuation, Request, Unkept,
};
use crate::bindings::exports::quarry::agent::consult::Request as Question;
use crate::start::{Once, Started};
use crate::{consult, start};
use quarry_types::{AskId, Timestamp};

/// A request to begin something that has a log.
#[derive(Clone)]
pub enum Asked {
    /// An ask.
    Ask(Box<Request>),
    /// A question to documents.
    Question(Box<Question>),
}

impl Asked {
    /// The kept ask that it goes on with. A question leaves nothing to go on with.
    pub fn goes_on_with(&self) -> Option<AskId> {
        match self {
            Asked::Ask(request) => match &request.resume {
                Some(Continuation::Kept(earlier)) => AskId::parse(earlier),
                Some(Continuation::State(_)) | None => None,
            },
            Asked::Question(_) => None,
        }
    }

    /// Whether it is put to documents alone.
    pub const fn is_question(&self) -> bool {
        matches!(self, Asked::Question(_))
    }

    /// From now on it goes on with this ask.
    pub fn go_on(&mut self, earlier: AskId) {
        match self {
            Asked::Ask(request) => request.resume = Some(Continuation::Kept(earlier.to_string())),
            Asked::Question(_) => {}
        }
    }

    /// From now on it is begun with its log or not at all: a note leads whoever sends it again there.
    pub fn require_log(&mut self) {
        if let Asked::Ask(request) = self
            && let Some(keeps) = &mut request.keeps
            && keeps.unkept == Unkept::Unlogged
        {
            keeps.unkept = Unkept::Refused;
        }
    }

    /// Sets it going, where there is a place and, with a key of its request, no note that the same began something.
    pub async fn set_going(
        self,
        once: Option<Once<'_>>,
        caller: Caller,
        id: AskId,
        now: Timestamp,
    ) -> Result<Option<Started>, AskError> {
        match self {
            Asked::Ask(request) => start::set_ask_going(*request, once, caller, id, now).await,
            Asked::Question(question) => {
                consult::set_question_going(*question, once, caller, id, now).await
            }
        }
    }
}
