//! What a provider refuses of a request that was thought to fit its model: found in its words, and left out of the next try.
//!
//! Border: words of a refusal in, parameters out. Nobody knows the models that are yet to come, so their providers are
//! asked as the newest ones are, and heard.

use quarry_types::ChatRequest;
use quarry_types::model::Sampling;

/// What a request may have and do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
    /// `temperature`.
    Temperature,
    /// `top_p`.
    TopP,
    /// `max_tokens`; the same is said as `max_completion_tokens`.
    MaxTokens,
    /// `max_completion_tokens`; the same is said as `max_tokens`.
    MaxCompletionTokens,
    /// `reasoning_effort`, whatever it says.
    ReasoningEffort,
    /// That the model thinks, where tools are on offer.
    Thinking,
    /// `response_format`; the prompts ask for JSON, too.
    ResponseFormat,
    /// Chat Completions themselves; the same is asked by Responses.
    ChatCompletions,
    /// Responses themselves; the same is asked by Chat Completions.
    Responses,
}

/// As they are written.
const NAMES: [(&str, Parameter); 8] = [
    ("temperature", Parameter::Temperature),
    ("top_p", Parameter::TopP),
    ("max_tokens", Parameter::MaxTokens),
    ("max_completion_tokens", Parameter::MaxCompletionTokens),
    ("reasoning_effort", Parameter::ReasoningEffort),
    ("response_format", Parameter::ResponseFormat),
    // The same, as Responses have them.
    ("reasoning.effort", Parameter::ReasoningEffort),
    ("text.format", Parameter::ResponseFormat),
];

/// Codes of refusals that are about a parameter.
const CODES: [&str; 3] = ["unsupported_parameter", "unsupported_value", "unknown_parameter"];

/// Words of such refusals, lower case. That a value is too high is none: without it, something else would be asked for.
const WORDS: [&str; 9] = [
    "unsupported",
    "not supported",
    "not support",
    "deprecated for this model",
    "not allowed",
    "not permitted",
    "cannot both be specified",
    "unrecognized",
    "unknown parameter",
];

/// How OpenAI asks that a model be told not to think.
const NOT_TO_THINK: &str = "set reasoning_effort to 'none'";

/// How it says that it has a model at its other door.
const AT_THE_OTHER_DOOR: [&str; 2] = ["only supported in v1/responses", "use /v1/responses"];

/// The parameter that a refusal is about. `kind`: its type and code, `named`: the parameter that it names apart, `message`:
/// its words; all in lower case.
#[must_use]
pub fn parameter(kind: &str, named: &str, message: &str) -> Option<Parameter> {
    if message.contains(NOT_TO_THINK) {
        return Some(Parameter::Thinking);
    }
    if AT_THE_OTHER_DOOR.iter().any(|words| message.contains(words)) {
        return Some(Parameter::ChatCompletions);
    }
    if !is_about_a_parameter(kind, message) {
        return None;
    }
    // The first one: behind it stands what to use instead.
    let first = || {
        let found = NAMES.into_iter().filter_map(|(name, it)| Some((message.find(name)?, it)));
        found.min_by_key(|(at, _)| *at)
    };
    let by_name = NAMES.into_iter().find(|(name, _)| *name == named).map(|(_, it)| it);
    by_name.or_else(|| first().map(|(_, it)| it))
}

fn is_about_a_parameter(kind: &str, message: &str) -> bool {
    CODES.iter().any(|code| kind.contains(code))
        || WORDS.iter().any(|words| message.contains(words))
}

/// What was refused in the course of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refused(Vec<Parameter>);

impl Refused {
    /// Whether this was.
    #[must_use]
    pub fn contains(&self, parameter: Parameter) -> bool {
        self.0.contains(&parameter)
    }

    /// With this one, too; none where it was refused before.
    #[must_use]
    pub fn with(&self, parameter: Parameter) -> Option<Refused> {
        let all = self.0.iter().copied().chain([parameter]).collect();
        (!self.contains(parameter)).then_some(Refused(all))
    }

    /// The temperature and the `top_p` of a request, as far as its model takes them. Of the two some take one.
    #[must_use]
    pub fn drawn(&self, request: &ChatRequest) -> [Option<f64>; 2] {
        let takes = request.model.sampling();
        let is_sent = |it| takes != Sampling::Neither && !self.contains(it);
        let temperature = request.temperature.filter(|_| is_sent(Parameter::Temperature));
        let is_alone = takes == Sampling::Both || temperature.is_none();
        let top_p = request.top_p.filter(|_| is_alone && is_sent(Parameter::TopP));
        [temperature, top_p]
    }

    /// How many.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_name_their_parameter_in_many_ways() {
        for (kind, named, message, expected) in [
            (
                "invalid_request_error unsupported_parameter",
                "max_tokens",
                "unsupported parameter: 'max_tokens' is not supported with this model. use 'max_completion_tokens' instead.",
                Some(Parameter::MaxTokens),
            ),
            (
                "invalid_request_error",
                "",
                "unsupported parameter: 'max_tokens' is not supported with this model. use 'max_completion_tokens' instead.",
                Some(Parameter::MaxTokens),
            ),
            (
                "invalid_request_error unsupported_value",
                "temperature",
                "unsupported value: 'temperature' does not support 0.2 with this model. only the default (1) value is supported.",
                Some(Parameter::Temperature),
            ),
            (
                "invalid_request_error",
                "",
                "`temperature` is deprecated for this model.",
                Some(Parameter::Temperature),
            ),
            (
                "invalid_request_error",
                "reasoning_effort",
                "function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. to use function tools, use /v1/responses or set reasoning_effort to 'none'.",
                Some(Parameter::Thinking),
            ),
            (
                "invalid_request_error unsupported_value",
                "reasoning_effort",
                "unsupported value: 'reasoning_effort' does not support 'none' with this model.",
                Some(Parameter::ReasoningEffort),
            ),
            (
                "invalid_request_error",
                "",
                "invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
                Some(Parameter::ResponseFormat),
            ),
            (
                "invalid_request_error",
                "",
                "unrecognized request argument supplied: max_completion_tokens",
                Some(Parameter::MaxCompletionTokens),
            ),
            (
                "invalid_request_error",
                "model",
                "this model is only supported in v1/responses and not in v1/chat/completions.",
                Some(Parameter::ChatCompletions),
            ),
            (
                "invalid_request_error unsupported_parameter",
                "reasoning.effort",
                "unsupported parameter: 'reasoning.effort' is not supported with this model.",
                Some(Parameter::ReasoningEffort),
            ),
            ("", "", "max_tokens: extra inputs are not permitted", Some(Parameter::MaxTokens)),
            (
                "invalid_request_error invalid_value",
                "max_tokens",
                "max_tokens is too large: 99999. this model supports at most 16384 completion tokens.",
                None,
            ),
            ("", "", "the model `x` is not supported", None),
            ("invalid_request_error", "messages", "temperature of the sea", None),
        ] {
            assert_eq!(parameter(kind, named, message), expected, "{message}");
        }
    }

    #[test]
    fn each_is_left_out_once() {
        let none = Refused::default();
        let one = none.with(Parameter::TopP).unwrap();
        assert!(one.contains(Parameter::TopP) && !one.contains(Parameter::Temperature));
        assert_eq!(one.with(Parameter::TopP), None);
        assert_eq!(one.with(Parameter::Temperature).map(|both| both.count()), Some(2));
    }
}
