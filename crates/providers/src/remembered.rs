//! What was refused of earlier calls, so that no later one pays for a refusal on the way.
//!
//! Border: sans I/O. Names of models and parameters, nothing of what anybody asked.

use crate::refused::{Parameter, Refused};
use quarry_types::{ChatRequest, ModelId, ReasoningEffort};
use std::collections::VecDeque;

/// What was refused of the calls of late.
#[derive(Debug, Default)]
pub struct Remembered(VecDeque<Known>);

#[derive(Debug)]
struct Known {
    model: ModelId,
    wishes: Wishes,
    refused: Refused,
}

/// What of a request a refusal depends on beside the model: a temperature may be refused beside a `top_p` alone, and one
/// effort and not another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Wishes {
    offers_tools: bool,
    effort: Option<ReasoningEffort>,
    has_temperature: bool,
    has_top_p: bool,
    json: bool,
}

impl Wishes {
    fn of(request: &ChatRequest) -> Self {
        Wishes {
            offers_tools: !request.tools.is_empty(),
            effort: request.reasoning_effort,
            has_temperature: request.temperature.is_some(),
            has_top_p: request.top_p.is_some(),
            json: request.json,
        }
    }
}

impl Known {
    fn is_of(&self, request: &ChatRequest) -> bool {
        self.wishes == Wishes::of(request) && self.model == request.model
    }
}

impl Remembered {
    /// Callers name models, so there is a bound.
    const MOST: usize = 64;

    /// Nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Remembered(VecDeque::new())
    }

    /// What was refused of a call like this.
    #[must_use]
    pub fn of(&self, request: &ChatRequest) -> Refused {
        let known = self.0.iter().find(|known| known.is_of(request));
        known.map(|known| known.refused.clone()).unwrap_or_default()
    }

    /// Notes what was refused of a call.
    pub fn learn(&mut self, request: &ChatRequest, refused: &Refused) {
        // It may be that one schema that does not fit, and the next one does.
        if request.schema.is_some() && refused.contains(Parameter::ResponseFormat) {
            return;
        }
        self.0.retain(|known| !known.is_of(request));
        if self.0.len() >= Self::MOST {
            self.0.pop_front();
        }
        let (model, wishes) = (request.model.clone(), Wishes::of(request));
        self.0.push_back(Known { model, wishes, refused: refused.clone() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_types::{Json, Message, ReplySchema};
    use serde_json::json;

    fn request(model: &str) -> ChatRequest {
        ChatRequest {
            model: model.parse().unwrap(),
            messages: vec![Message::user("hi")],
            tools: Vec::new(),
            temperature: Some(0.2),
            max_output_tokens: 10,
            reasoning_effort: None,
            top_p: None,
            json: true,
            schema: None,
            streams_text: false,
        }
    }

    fn refused(parameter: Parameter) -> Refused {
        Refused::default().with(parameter).unwrap()
    }

    #[test]
    fn a_refusal_counts_for_calls_like_the_one_that_met_it() {
        let mut remembered = Remembered::new();
        let hot = request("openai:m");
        remembered.learn(&hot, &refused(Parameter::Temperature));
        assert_eq!(remembered.of(&hot), refused(Parameter::Temperature));
        assert_eq!(remembered.of(&request("groq:m")), Refused::default());
        let both = ChatRequest { top_p: Some(0.5), ..request("openai:m") };
        let high =
            ChatRequest { reasoning_effort: Some(ReasoningEffort::High), ..request("openai:m") };
        for other in [both, high] {
            assert_eq!(remembered.of(&other), Refused::default(), "{other:?}");
        }
    }

    #[test]
    fn a_schema_that_did_not_fit_is_no_reason_against_the_next_one() {
        let mut remembered = Remembered::new();
        let schema = Json::of(&json!({ "type": "object" }));
        let (name, strict, in_words) = ("s".to_owned(), true, false);
        let asked = ChatRequest {
            schema: Some(ReplySchema { name, schema, strict, in_words }),
            ..request("openai:m")
        };
        remembered.learn(&asked, &refused(Parameter::ResponseFormat));
        assert_eq!(remembered.of(&asked), Refused::default());
        remembered.learn(&request("openai:m"), &refused(Parameter::ResponseFormat));
        assert_eq!(remembered.of(&request("openai:m")), refused(Parameter::ResponseFormat));
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let mut remembered = Remembered::new();
        let model = |n: usize| request(&format!("openai:m{n}"));
        for n in 0..=Remembered::MOST {
            remembered.learn(&model(n), &refused(Parameter::TopP));
            remembered.learn(&model(n), &refused(Parameter::TopP));
        }
        assert_eq!(remembered.0.len(), Remembered::MOST);
        assert_eq!(remembered.of(&model(0)), Refused::default());
        assert_eq!(remembered.of(&model(Remembered::MOST)), refused(Parameter::TopP));
    }
}
