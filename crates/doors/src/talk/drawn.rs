//! How an answer's words are drawn: what of a caller's wishes for that the model which answers does not take.
//!
//! Border: a request and the first event of its ask in, names of fields out.

use quarry_events::EventName;
use quarry_types::ModelId;
use quarry_types::model::Sampling;

use super::told::Told;
use crate::order::AskRequest;
use crate::{Event, Refusal};

/// What was wished, and what of it is ignored as far as the model is known.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Drawn {
    temperature: Option<f64>,
    top_p: bool,
    ignored: &'static str,
}

impl Drawn {
    /// As a request wishes, where there is one.
    pub(crate) fn of(request: &Result<AskRequest, Refusal>) -> Drawn {
        let Ok(AskRequest { wish, model, .. }) = request else { return Drawn::default() };
        let (temperature, top_p) = (wish.temperature, wish.top_p.is_some());
        let mut drawn = Drawn { temperature, top_p, ignored: "" };
        drawn.answered_by(model.as_deref().unwrap_or_default());
        drawn
    }

    /// The first event says which model answers, whichever was asked for.
    pub(crate) fn hear(&mut self, events: &[Event]) {
        if self.temperature.is_none() && !self.top_p {
            return;
        }
        for event in events.iter().filter(|event| event.name == EventName::Init) {
            if let Some(Told::Init { model, .. }) = Told::read(event.name, &event.data) {
                self.answered_by(&model);
            }
        }
    }

    /// This model answers, as far as is known.
    pub(crate) fn answered_by(&mut self, model: &str) {
        let Ok(model) = model.parse::<ModelId>() else { return };
        let is_too_hot = self.temperature.is_some_and(|degrees| degrees > Sampling::HOTTEST_OF_ONE);
        self.ignored = match (model.sampling(), self.temperature.is_some(), self.top_p) {
            (Sampling::Neither, true, true) => "temperature, top_p",
            (Sampling::Neither, true, false) => "temperature",
            (Sampling::One, true, true) if is_too_hot => "temperature (above 1), top_p",
            (Sampling::One, true, false) if is_too_hot => "temperature (above 1)",
            (Sampling::Neither, false, true) | (Sampling::One, true, true) => "top_p",
            (Sampling::Both | Sampling::One, ..) | (Sampling::Neither, false, false) => "",
        };
    }

    /// The names of what is ignored.
    pub(crate) const fn ignored(&self) -> &'static str {
        self.ignored
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::talk::{Extension, Talk};
    use serde_json::json;

    fn wishing(model: &str, temperature: Option<f64>, top_p: Option<f64>) -> Drawn {
        let wanted = Extension::default().wanted("quarry").unwrap();
        let mut request = crate::talk::request(Talk::default(), model, wanted);
        (request.wish.temperature, request.wish.top_p) = (temperature, top_p);
        Drawn::of(&Ok(request))
    }

    fn begun(model: &str) -> Vec<Event> {
        let data = json!({ "query": "why?", "model": model }).to_string();
        vec![Event { sequence: Some(1), name: EventName::Init, data }]
    }

    #[test]
    fn what_a_model_does_not_take_is_named_as_soon_as_it_is_known() {
        for (model, both, first, second) in [
            ("openai:gpt-4o-mini", "", "", ""),
            ("openai:o4-mini", "temperature, top_p", "temperature", "top_p"),
            ("openrouter:openai/o3", "", "", ""),
            ("anthropic:claude-haiku-4-5", "top_p", "", ""),
            ("anthropic:claude-opus-5", "temperature, top_p", "temperature", "top_p"),
            ("local:extractive", "temperature, top_p", "temperature", "top_p"),
        ] {
            for (temperature, top_p, ignored) in
                [(Some(0.5), Some(0.5), both), (Some(0.5), None, first), (None, Some(0.5), second)]
            {
                assert_eq!(wishing(model, temperature, top_p).ignored(), ignored, "{model}");
                let mut unknown = wishing("quarry", temperature, top_p);
                assert_eq!(unknown.ignored(), "");
                unknown.hear(&begun(model));
                assert_eq!(unknown.ignored(), ignored, "{model}");
            }
        }
        for (model, both, first) in [
            ("anthropic:claude-haiku-4-5", "temperature (above 1), top_p", "temperature (above 1)"),
            ("anthropic:claude-opus-5", "temperature, top_p", "temperature"),
            ("openai:gpt-4o-mini", "", ""),
            ("openai:o4-mini", "temperature, top_p", "temperature"),
        ] {
            for (top_p, ignored) in [(Some(0.5), both), (None, first)] {
                assert_eq!(wishing(model, Some(1.5), top_p).ignored(), ignored, "{model}");
                let mut unknown = wishing("quarry", Some(1.5), top_p);
                unknown.hear(&begun(model));
                assert_eq!(unknown.ignored(), ignored, "{model}");
            }
        }
        let one = wishing("anthropic:claude-haiku-4-5", Some(1.0), None);
        assert_eq!(one.ignored(), "", "1 is taken");
        let mut instead = wishing("openai:o4-mini", Some(0.5), None);
        instead.hear(&begun("groq:llama"));
        assert_eq!(instead.ignored(), "", "another one answers");
    }
}
