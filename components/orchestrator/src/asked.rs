//! What is asked: of the world, or of documents of one's own.
//!
//! Border: either way the same request, sent again, begins it once (`once`); how it begins is in `start` and `consult`.

use crate::bindings::exports::quarry::agent::ask::{
    AskError, Budget, Caller, Continuation, Effort, Form, JsonSchema, Request, Speaker, Unkept,
    Wish,
};
use crate::bindings::exports::quarry::agent::consult::Request as Question;
use crate::snapshot::{self, Missing};
use crate::start::{Once, Started};
use crate::{consult, rejoin, start};
use quarry_admission::shared::{continuation_key, other_continuation_key};
use quarry_machines::ask::{Ask, Earlier};
use quarry_types::{AskId, Timestamp};
use serde_json::json;

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

    /// By what it is known where it goes on with a kept ask: by that ask, and where it asks something else, by this and all
    /// that it wishes beside it. Nobody is told an answer to another question, or of another manner than it asked for.
    pub fn continuation_key(&self) -> Option<String> {
        let Asked::Ask(request) = self else { return None };
        let earlier = self.goes_on_with()?.to_string();
        Some(match self.other_question() {
            Some(question) => other_continuation_key(&earlier, question, &wishes(request)),
            None => continuation_key(&earlier),
        })
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

/// What a request wishes beside its question, as far as two answers could differ by it. Who pays is no part of that.
fn wishes(request: &Request) -> String {
    let Request { model, budget, max_iterations, sources, collection, domains, .. } = request;
    let Request { max_tool_calls, verify_with_model, wish, .. } = request;
    let Budget { usd, tokens } = budget;
    let Wish {
        history,
        instructions,
        effort,
        max_tokens,
        temperature,
        top_p,
        stop,
        form,
        is_direct,
        wants_all_said,
    } = wish;
    let said = |by| match by {
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
    };
    let history: Vec<[&str; 2]> =
        history.iter().map(|turn| [said(turn.by), turn.text.as_str()]).collect();
    let effort = effort.map(|effort| match effort {
        Effort::Low => "low",
        Effort::Medium => "medium",
        Effort::High => "high",
    });
    let form = form.as_ref().map(|form| match form {
        Form::JsonObject => json!({}),
        Form::JsonSchema(JsonSchema { name, schema, strict }) => json!([name, schema, strict]),
    });
    json!([
        model,
        [usd.map(f64::to_bits), *tokens],
        max_iterations,
        sources.bits(),
        collection,
        domains,
        max_tool_calls,
        verify_with_model,
        [json!(history), json!(instructions), json!(effort), json!(max_tokens)],
        [temperature.map(f64::to_bits), top_p.map(f64::to_bits)],
        stop,
        form,
        is_direct,
        wants_all_said,
    ])
    .to_string()
}
