//! What is asked: of the world, or of documents of one's own.
//!
//! Border: either way the same request, sent again, begins it once (`once`); how it begins is in `start` and `consult`.

use crate::bindings::exports::quarry::agent::ask::{
    AskError, Caller, Continuation, Request, Unkept,
};
use crate::bindings::exports::quarry::agent::consult::Request as Question;
use crate::snapshot::{self, Missing};
use crate::start::{Once, Started};
use crate::{consult, rejoin, start};
use quarry_admission::shared::other_continuation_key;
use quarry_machines::ask::{Ask, Earlier};
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

    /// The same where it asks nothing else than that one did: whoever looks at that one may be told of this.
    pub fn takes_up(&self) -> Option<AskId> {
        self.goes_on_with().filter(|_| self.other_question().is_none())
    }

    /// What it asks of a kept ask, where that is another question.
    fn other_question(&self) -> Option<&str> {
        match self {
            Asked::Ask(request) => {
                let is_of_kept = matches!(request.resume, Some(Continuation::Kept(_)));
                Some(request.query.as_str()).filter(|query| is_of_kept && !query.trim().is_empty())
            }
            Asked::Question(_) => None,
        }
    }

    /// By what it is known, where it asks something else than the ask that it goes on with: nobody is told an answer to
    /// another question.
    pub fn other_key(&self) -> Option<String> {
        let earlier = self.goes_on_with()?;
        self.other_question().map(|query| other_continuation_key(&earlier.to_string(), query))
    }

    /// From now on a question of its own is another one than that of the kept ask that it goes on with. Of a kept ask that
    /// nobody can read it is, whatever it says: that one is not gone on with.
    ///
    /// # Errors
    /// The store does not say what that ask was asked.
    pub async fn know_its_question(&mut self) -> Result<(), AskError> {
        if self.other_question().is_none() {
            return Ok(());
        }
        let Some(earlier) = self.goes_on_with() else { return Ok(()) };
        let Asked::Ask(request) = self else { return Ok(()) };
        match snapshot::kept::<Ask>(&earlier.to_string()).await {
            Ok(kept) => {
                if Earlier::Checkpoint(Box::new(kept)).is_asked_by(&request.query) {
                    request.query.clear();
                }
                Ok(())
            }
            Err(Missing::Nothing | Missing::Unusable(_)) => Ok(()),
            Err(Missing::Unavailable(error)) => Err(rejoin::unavailable(error)),
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
