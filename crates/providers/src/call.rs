//! One call to a model: its tries, the waits between them, its end.
//!
//! Border: sans I/O. Whoever drives it sends [`Call::outgoing`], reads what comes with an
//! [`Exchange`], and tells [`Call::tried`] how that ended.

use crate::Exchange;
use crate::catalogue::{self, Wire};
use crate::failure::{self, Failure};
use crate::refused::{Parameter, Refused};
use crate::remembered::Remembered;
use crate::reply::Reply;
use crate::request::{self, HttpRequest};
use crate::retry::{Retry, Step};
use crate::target::Target;
use crate::wait::Header;
use quarry_types::{ChatError, ChatRequest, Completion, Provider, Retries};

/// A call under way.
#[derive(Debug)]
pub struct Call {
    request: ChatRequest,
    target: Target,
    retry: Retry,
    /// What was refused of the request, and is left out since.
    refused: Refused,
    /// How much of that was refused of earlier calls.
    known: usize,
    idempotency_key: Option<String>,
}

/// What follows from a try.
#[derive(Debug, Clone, PartialEq)]
pub enum Next<T = Completion> {
    /// Wait, then send again.
    Again {
        /// The try that failed, from 1.
        failed_try: u32,
        /// How long to wait.
        wait_ms: u64,
        /// Why, for people; without keys.
        reason: String,
        /// Whether the try that failed may have been paid for.
        may_be_paid: bool,
    },
    /// The call has ended.
    Ended(Result<T, ChatError>),
}

impl Call {
    /// A call that was not tried yet.
    #[must_use]
    pub fn new(request: ChatRequest, target: Target) -> Self {
        let (retry, refused) = (Retry::default(), Refused::default());
        Call { request, target, retry, refused, known: 0, idempotency_key: None }
    }

    /// The same without what was refused of calls like it.
    #[must_use]
    pub fn knowing(self, remembered: &Remembered) -> Self {
        let refused = remembered.of(&self.request);
        Call { known: refused.count(), refused, ..self }
    }

    /// Notes what was refused of this call, which came to its end without it.
    pub fn teach(&self, remembered: &mut Remembered) {
        if self.refused.count() > self.known {
            remembered.learn(&self.request, &self.refused);
        }
    }

    /// The same, tried again by another policy.
    #[must_use]
    pub const fn with_retries(mut self, policy: Retries) -> Self {
        self.retry = Retry::new(policy);
        self
    }

    /// The same under a name: who sends it twice wants one answer.
    #[must_use]
    pub fn with_idempotency_key(self, key: Option<String>) -> Self {
        Call { idempotency_key: key, ..self }
    }

    /// What to send.
    #[must_use]
    pub fn outgoing(&self) -> HttpRequest {
        let mut outgoing = self.without(&self.refused);
        let named = self.idempotency_key.iter().map(|name| match self.refused.count() {
            0 => name.clone(),
            // What reads otherwise is another request.
            others => format!("{name}.{others}"),
        });
        outgoing
            .headers
            .extend(named.map(|name| ("idempotency-key".to_owned(), name.into_bytes())));
        outgoing
    }

    fn without(&self, refused: &Refused) -> HttpRequest {
        let key = self.target.key.as_deref();
        request::build(&self.request, refused, &self.target.address, key)
    }

    fn wire(&self) -> Wire {
        catalogue::wire(&self.request.model, &self.refused)
    }

    /// What to leave out beside what is left out already, where a failure says so and the request would read otherwise.
    fn next_without(&self, failure: &Failure) -> Option<Refused> {
        let said = failure.refused.or_else(|| self.missing_door(failure))?;
        let moved = (said == Parameter::Thinking).then_some(Parameter::ChatCompletions);
        // Others who pass its words on need not have OpenAI's other door.
        let in_order = match self.request.model.provider == Provider::OpenAi {
            true => [moved, Some(said)],
            false => [Some(said), moved],
        };
        in_order.into_iter().flatten().find_map(|parameter| {
            let refused = self.refused.with(parameter)?;
            (self.without(&refused).body != self.without(&self.refused).body).then_some(refused)
        })
    }

    /// The door that was asked at, where there is none.
    fn missing_door(&self, failure: &Failure) -> Option<Parameter> {
        let is_missing = matches!(failure.error, ChatError::Rejected { status: 404 | 405, .. });
        (is_missing && self.wire() == Wire::Responses).then_some(Parameter::Responses)
    }

    /// The try that runs now, from 1.
    fn current_try(&self) -> u32 {
        let others = self.refused.count().saturating_sub(self.known);
        let others = u32::try_from(others).unwrap_or(u32::MAX);
        self.retry.current_try().saturating_add(others)
    }

    /// The response to a try, which begins so. Only a refusal's headers are asked for.
    #[must_use]
    pub fn answered(&self, status: u16, headers: impl FnOnce() -> Vec<Header>) -> Exchange {
        Exchange::new(self.wire(), self.request.streams_text, status, headers)
    }

    /// Takes how a try ended. `passed_on`: whether a token of this call has reached the caller. `left_ms`: how long the
    /// call as a whole may last yet. `random` gives a number from 0 to 1 and is asked when the try failed.
    #[must_use]
    pub fn tried(
        &mut self,
        tried: Result<Reply, Failure>,
        passed_on: bool,
        left_ms: impl FnOnce() -> u64,
        random: impl FnOnce() -> f64,
    ) -> Next {
        let key = self.target.key.as_deref();
        let failed_try = self.current_try();
        let failure = match tried {
            Ok(reply) => {
                return Next::Ended(Ok(reply.into_completion(&self.request, failed_try)));
            }
            Err(failure) => failure,
        };
        // Nothing was paid for, and waiting would change nothing.
        if let Some(refused) = self.next_without(&failure).filter(|_| !passed_on) {
            let reason = failure::told(&failure.error.to_string(), key);
            self.refused = refused;
            return Next::Again { failed_try, wait_ms: 0, reason, may_be_paid: false };
        }
        next(self.retry.after(failure, passed_on, left_ms(), random()), key)
    }

    /// How a call ends whose time as a whole is over.
    #[must_use]
    pub fn too_long() -> ChatError {
        ChatError::Timeout {
            message: "the call took too long as a whole (provider_total_timeout_ms; in a run timeouts.model)".to_owned(),
        }
    }
}

/// What follows from a step, without the key in any word of it.
pub(crate) fn next<T>(step: Step, key: Option<&str>) -> Next<T> {
    match step {
        Step::GiveUp(error) => Next::Ended(Err(failure::without_keys(error, key))),
        Step::Again { failed_try, wait_ms, reason, may_be_paid } => {
            let reason = failure::told(&reason, key);
            Next::Again { failed_try, wait_ms, reason, may_be_paid }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_types::{Backoff, Json, Message, Provider, ToolSpec};
    use serde_json::{Value, json};

    fn call() -> Call {
        let request = ChatRequest {
            model: "openai:m".parse().unwrap(),
            messages: vec![Message::user("hi")],
            tools: Vec::new(),
            temperature: None,
            max_output_tokens: 10,
            reasoning_effort: None,
            top_p: None,
            json: false,
            schema: None,
            streams_text: true,
        };
        let key = Some("canary-key".to_owned());
        Call::new(request, Target::of(Provider::OpenAi, None, key).unwrap())
    }

    fn failed() -> Result<Reply, Failure> {
        let message = "canary-key is over its limit".to_owned();
        Err(ChatError::ProviderFailed { status: 500, message }.into())
    }

    #[test]
    fn every_try_sends_the_same_and_no_word_of_a_failure_holds_the_key() {
        let mut call = call();
        let sent = call.outgoing();
        for failed_try in 1..=2 {
            let next = call.tried(failed(), false, || u64::MAX, || 0.5);
            let Next::Again { failed_try: told, reason, .. } = next else { panic!("{next:?}") };
            assert_eq!((told, reason.contains("canary")), (failed_try, false), "{reason}");
            assert_eq!(call.outgoing(), sent);
        }
        let Next::Ended(Err(error)) = call.tried(failed(), false, || u64::MAX, || 0.5) else {
            panic!("went on")
        };
        assert!(!error.to_string().contains("canary"), "{error}");
    }

    #[test]
    fn a_reply_counts_the_tries_that_it_took() {
        let mut call = call();
        let _ = call.tried(failed(), false, || u64::MAX, || 0.5);
        let mut exchange = call.answered(200, Vec::new);
        exchange
            .push(br#"{"choices":[{"message":{"content":"Yes."},"finish_reason":"stop"}]}"#)
            .unwrap();
        let (reply, rest) = exchange.end(None, || 0.0).unwrap();
        assert_eq!(rest, "Yes.");
        let Next::Ended(Ok(completion)) = call.tried(Ok(reply), true, || u64::MAX, || 0.5) else {
            panic!("no end")
        };
        assert_eq!((completion.attempts, completion.text.as_str()), (2, "Yes."));
        assert!(!completion.usage.reported);
    }

    fn refused(parameter: &str, code: &str) -> Result<Reply, Failure> {
        let message = format!("'{parameter}' is not supported with this model");
        let body = json!({ "error": { "message": message, "param": parameter, "code": code } });
        Err(failure::from_response(400, &[], body.to_string().as_bytes(), 0.0))
    }

    fn body(call: &Call) -> Value {
        serde_json::from_slice(&call.outgoing().body).unwrap()
    }

    #[test]
    fn what_a_model_refuses_is_left_out_at_once_and_each_once() {
        let mut call =
            call().with_retries(Retries::of_unpaid(Backoff { attempts: 1, ..Backoff::default() }));
        call.request.temperature = Some(0.2);
        call.idempotency_key = Some("r/1".to_owned());
        for (failed_try, parameter) in [(1, "max_tokens"), (2, "temperature")] {
            assert!(body(&call).get(parameter).is_some(), "{parameter}");
            let next =
                call.tried(refused(parameter, "unsupported_parameter"), false, || u64::MAX, || 0.5);
            let Next::Again { failed_try: told, wait_ms: 0, may_be_paid: false, .. } = next else {
                panic!("{next:?}")
            };
            assert_eq!(told, failed_try);
            assert!(body(&call).get(parameter).is_none(), "{parameter}");
        }
        assert_eq!(body(&call)["max_completion_tokens"], 10);
        let sent = call.outgoing();
        let named = sent.headers.iter().find(|(name, _)| name == "idempotency-key");
        assert_eq!(named.map(|(_, value)| value.as_slice()), Some(b"r/1.2".as_slice()));
        for (parameter, passed_on) in [("temperature", false), ("max_completion_tokens", true)] {
            let last = call.tried(refused(parameter, ""), passed_on, || u64::MAX, || 0.5);
            let Next::Ended(Err(ChatError::Rejected { status: 400, .. })) = last else {
                panic!("{last:?}")
            };
        }
    }

    fn with_tools(model: &str) -> Call {
        let mut call = call();
        call.request.model = model.parse().unwrap();
        call.request.tools = vec![ToolSpec {
            name: "search_web".to_owned(),
            description: String::new(),
            parameters: Json::of(&json!({ "type": "object" })),
        }];
        call
    }

    fn no_tools_beside_thoughts() -> Result<Reply, Failure> {
        let words = "Function tools with reasoning_effort are not supported for m in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
        let body = json!({ "error": { "message": words, "param": "reasoning_effort" } });
        Err(failure::from_response(400, &[], body.to_string().as_bytes(), 0.0))
    }

    /// Whether it is tried again, at once and for nothing.
    fn goes_on(call: &mut Call, tried: Result<Reply, Failure>) -> bool {
        let next = call.tried(tried, false, || u64::MAX, || 0.5);
        matches!(next, Next::Again { wait_ms: 0, may_be_paid: false, .. })
    }

    #[test]
    fn a_model_that_takes_tools_only_without_thinking_is_asked_at_the_other_door() {
        let mut call = with_tools("openai:o9");
        assert_eq!(call.outgoing().path, "/v1/chat/completions");
        assert!(goes_on(&mut call, no_tools_beside_thoughts()));
        assert_eq!(call.outgoing().path, "/v1/responses");
        assert_eq!(body(&call)["tools"][0]["name"], "search_web");
        let frame = br#"data: {"type":"response.completed","response":{"output":[{"type":"message","content":[{"type":"output_text","text":"Yes."}]}]}}"#;
        let mut exchange = call.answered(200, Vec::new);
        exchange.push(frame).unwrap();
        exchange.push(b"\n\n").unwrap();
        assert_eq!(exchange.end(None, || 0.0).unwrap().0.text, "Yes.");
        let last = call.tried(no_tools_beside_thoughts(), false, || u64::MAX, || 0.5);
        assert!(matches!(last, Next::Ended(Err(ChatError::Rejected { .. }))), "{last:?}");
    }

    #[test]
    fn who_passes_openais_words_on_is_first_told_that_the_model_is_not_to_think() {
        let mut call = with_tools("custom:m");
        assert!(goes_on(&mut call, no_tools_beside_thoughts()));
        assert_eq!(body(&call)["reasoning_effort"], "none");
        // Some do not take that either, and are left to themselves, which is refused as it was.
        assert!(goes_on(&mut call, refused("reasoning_effort", "unsupported_value")));
        assert!(body(&call).get("reasoning_effort").is_none());
        assert!(goes_on(&mut call, no_tools_beside_thoughts()));
        assert_eq!(call.outgoing().path, "/v1/responses");
        // Who has no such door is not asked there for ever.
        let nothing = || Err(failure::from_response(404, &[], b"404 page not found", 0.0));
        assert!(goes_on(&mut call, nothing()));
        assert_eq!(call.outgoing().path, "/v1/chat/completions");
        assert!(!goes_on(&mut call, no_tools_beside_thoughts()));
    }

    #[test]
    fn a_door_that_somebody_in_between_has_not_is_no_reason_to_give_up() {
        let mut call = with_tools("openai:gpt-6.2-sol");
        assert_eq!(call.outgoing().path, "/v1/responses");
        let nothing = || Err(failure::from_response(404, &[], b"404 page not found", 0.0));
        assert!(goes_on(&mut call, nothing()));
        assert_eq!(call.outgoing().path, "/v1/chat/completions");
        assert!(!goes_on(&mut call, nothing()));
    }

    #[test]
    fn what_was_refused_of_one_call_is_not_sent_with_the_next_one_like_it() {
        let mut remembered = Remembered::new();
        let drawn = || {
            let mut call = call();
            call.request.temperature = Some(0.2);
            call
        };
        let mut first = drawn().knowing(&remembered);
        assert!(goes_on(&mut first, refused("temperature", "unsupported_parameter")));
        first.teach(&mut remembered);
        let mut next = drawn().knowing(&remembered);
        assert!(body(&next).get("temperature").is_none());
        assert_eq!(next.current_try(), 1);
        // What it learns beside that is remembered with it.
        assert!(goes_on(&mut next, refused("max_tokens", "unsupported_parameter")));
        assert_eq!(next.current_try(), 2);
        next.teach(&mut remembered);
        let last = drawn().knowing(&remembered);
        assert_eq!(body(&last)["max_completion_tokens"], 10);
        assert!(body(&last).get("temperature").is_none());
        let mut other = call();
        other.request.model = "openai:other".parse().unwrap();
        assert!(body(&other.knowing(&remembered)).get("max_tokens").is_some());
    }

    #[test]
    fn a_call_has_its_callers_name_and_patience() {
        let policy = Retries::of(Backoff { attempts: 2, base_ms: 40, max_ms: 40 });
        let mut call = call().with_retries(policy).with_idempotency_key(Some("r/1".to_owned()));
        let sent = call.outgoing();
        let named = sent.headers.iter().find(|(name, _)| name == "idempotency-key");
        assert_eq!(named.map(|(_, value)| value.as_slice()), Some(b"r/1".as_slice()));
        let failed = || {
            let message = "oops".to_owned();
            let error = ChatError::ProviderFailed { status: 500, message };
            Err(Failure::from(error))
        };
        let again = call.tried(failed(), false, || u64::MAX, || 1.0);
        assert!(matches!(again, Next::Again { wait_ms: 40, .. }), "{again:?}");
        assert!(matches!(call.tried(failed(), false, || u64::MAX, || 1.0), Next::Ended(Err(_))));
    }
}
