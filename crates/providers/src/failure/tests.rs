//! Error bodies as the providers send them.

use super::*;
use serde_json::json;

fn classified(status: u16, body: Value) -> ChatError {
    from_response(status, &[], body.to_string().as_bytes(), 0.0).error
}

fn openai(message: &str, kind: &str, code: &str) -> Value {
    json!({ "error": { "message": message, "type": kind, "param": null, "code": code } })
}

#[test]
fn too_many_requests_and_no_credit_are_told_apart() {
    let limit = classified(
        429,
        openai(
            "Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 29000. Please try again in 7m12.5s. Visit https://platform.openai.com/account/billing to add a payment method.",
            "tokens",
            "rate_limit_exceeded",
        ),
    );
    assert_eq!(limit.wait_seconds(), Some(432.5));
    let quota = openai(
        "You exceeded your current quota, please check your plan and billing details.",
        "insufficient_quota",
        "insufficient_quota",
    );
    assert!(matches!(classified(429, quota), ChatError::NoCredit { .. }));
    let gemini = json!([{ "error": { "code": 429, "status": "RESOURCE_EXHAUSTED",
        "message": "You exceeded your current quota, please check your plan and billing details.",
        "details": [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "23s" }] } }]);
    assert_eq!(classified(429, gemini).wait_seconds(), Some(23.0));
    let anthropic = json!({ "type": "error", "error": { "type": "invalid_request_error",
        "message": "Your credit balance is too low to access the Anthropic API." } });
    assert!(matches!(classified(400, anthropic), ChatError::NoCredit { .. }));
    let deepseek = openai("Insufficient Balance", "unknown_error", "invalid_request_error");
    assert!(matches!(classified(402, deepseek), ChatError::NoCredit { .. }));
    let unknown = from_response(429, &[], b"slow down", 0.0);
    assert_eq!(unknown.error.wait_seconds(), Some(UNKNOWN_WAIT_SECONDS));
    assert_eq!(unknown.wait_seconds, None, "a guess is no wait to sleep through");
}

#[test]
fn what_no_wait_makes_fit_is_too_long() {
    let words = "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 45000. The input or output tokens must be reduced in order to run successfully.";
    let body = openai(words, "tokens", "rate_limit_exceeded").to_string();
    let headers = [("x-ratelimit-reset-tokens".to_owned(), b"0s".to_vec())];
    let failure = from_response(429, &headers, body.as_bytes(), 0.0);
    assert!(matches!(failure.error, ChatError::ContextTooLong { .. }), "{failure:?}");
}

#[test]
fn headers_name_the_wait() {
    let headers = [("Retry-After".to_owned(), b"20".to_vec())];
    let failure = from_response(429, &headers, b"{}", 0.0);
    assert_eq!(failure.error.wait_seconds(), Some(20.0));
    let failure = from_response(503, &headers, b"{}", 0.0);
    assert!(matches!(failure.error, ChatError::RateLimited { .. }));
    let failure = from_response(500, &headers, b"{}", 0.0);
    assert!(matches!(failure.error, ChatError::ProviderFailed { status: 500, .. }));
}

#[test]
fn gateways_that_gave_up_waiting_are_timeouts() {
    for status in [408, 504, 524] {
        let error = classified(status, json!({ "error": { "message": "slow" } }));
        assert!(matches!(error, ChatError::Timeout { .. }), "{status}: {error:?}");
    }
}

#[test]
fn keys_models_and_lengths() {
    let key =
        openai("Incorrect API key provided: sk-abcd.", "invalid_request_error", "invalid_api_key");
    assert!(matches!(classified(401, key), ChatError::Unauthorized { .. }));
    let gemini_key = json!([{ "error": { "code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT" } }]);
    assert!(matches!(classified(400, gemini_key), ChatError::Unauthorized { .. }));
    for (status, body) in [
        (
            404,
            openai(
                "The model `gpt-9` does not exist or you do not have access to it.",
                "invalid_request_error",
                "model_not_found",
            ),
        ),
        (
            404,
            json!({ "type": "error", "error": { "type": "not_found_error", "message": "model: claude-9" } }),
        ),
        (400, openai("nonsense/x is not a valid model ID", "", "")),
        (404, json!({ "error": "model \"llama9\" not found, try pulling it first" })),
        (
            400,
            json!({ "object": "error", "message": "Invalid model: mistral-9", "type": "invalid_model" }),
        ),
    ] {
        let error = classified(status, body);
        assert!(matches!(error, ChatError::UnknownModel { .. }), "{error:?}");
    }
    for (status, body) in [
        (
            400,
            openai(
                "This model's maximum context length is 8192 tokens.",
                "invalid_request_error",
                "context_length_exceeded",
            ),
        ),
        (
            400,
            json!({ "error": { "type": "invalid_request_error", "message": "prompt is too long: 210000 tokens > 200000 maximum" } }),
        ),
        (413, json!({ "error": { "message": "Request too large for model `x`" } })),
        (
            400,
            openai(
                "Invalid 'input[0]': maximum input length is 8192 tokens.",
                "invalid_request_error",
                "",
            ),
        ),
    ] {
        let error = classified(status, body);
        assert!(matches!(error, ChatError::ContextTooLong { .. }), "{error:?}");
    }
    let bad = classified(422, json!({ "detail": [{ "msg": "field required" }] }));
    assert!(matches!(bad, ChatError::Rejected { status: 422, .. }), "{bad:?}");
}

#[test]
fn what_is_forbidden_is_not_always_the_keys_fault() {
    let place = openai(
        "Country, region, or territory not supported",
        "request_forbidden",
        "unsupported_country_region_territory",
    );
    let place = classified(403, place);
    assert!(matches!(place, ChatError::Rejected { status: 403, .. }), "{place:?}");
    assert!(place.is_of_place());
    let gemini = json!({ "error": { "code": 400, "status": "FAILED_PRECONDITION",
        "message": "User location is not supported for the API use." } });
    assert!(classified(400, gemini).is_of_place());
    let model = openai(
        "Project `proj_x` does not have access to model `text-embedding-3-small`",
        "invalid_request_error",
        "model_not_found",
    );
    assert!(matches!(classified(403, model), ChatError::UnknownModel { .. }));
    let key = openai("You are not allowed to do this", "invalid_request_error", "");
    assert!(matches!(classified(403, key), ChatError::Unauthorized { .. }));
}

#[test]
fn a_parameter_that_a_model_does_not_take_is_no_model_that_nobody_knows() {
    let of = |message: &str, param: Value, code: Value| {
        let kind = "invalid_request_error";
        let body =
            json!({ "error": { "message": message, "type": kind, "param": param, "code": code } });
        from_response(400, &[], body.to_string().as_bytes(), 0.0)
    };
    for (message, param, code, refused) in [
        (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            json!("max_tokens"),
            json!("unsupported_parameter"),
            Some(Parameter::MaxTokens),
        ),
        (
            "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
            Value::Null,
            Value::Null,
            Some(Parameter::ResponseFormat),
        ),
        (
            "`temperature` is deprecated for this model.",
            Value::Null,
            Value::Null,
            Some(Parameter::Temperature),
        ),
        ("'logit_bias' is not supported with this model.", json!("logit_bias"), Value::Null, None),
    ] {
        let failure = of(message, param, code);
        assert!(matches!(failure.error, ChatError::Rejected { status: 400, .. }), "{failure:?}");
        assert_eq!(failure.refused, refused, "{message}");
    }
    let gone = of(
        "The model `llama-3.1-8b-instant` has been decommissioned and is no longer supported.",
        Value::Null,
        json!("model_decommissioned"),
    );
    assert!(matches!(gone.error, ChatError::UnknownModel { .. }), "{gone:?}");
    let streamed =
        json!({ "message": "'temperature' is not supported with this model", "code": 400 });
    assert_eq!(in_stream(&streamed).refused, None, "what began may be billed");
}

#[test]
fn pages_of_proxies_become_a_short_sentence() {
    let page = format!(
        "<html><head><title>502</title></head><body><h1>Bad gateway</h1>{}</body></html>",
        "x ".repeat(2_000)
    );
    let error = without_keys(from_response(502, &[], page.as_bytes(), 0.0).error, None);
    let ChatError::ProviderFailed { status: 502, message } = error else {
        panic!("a failure of the provider");
    };
    assert!(
        message.starts_with("502 Bad gateway x") && message.chars().count() == 501,
        "{message}"
    );
    let empty = classified(500, json!({}));
    assert_eq!(empty.to_string(), "the provider failed (500): HTTP status 500");
}

#[test]
fn keys_do_not_survive_in_messages() {
    let key = "canary-4f9a81c2d7";
    for message in [
        "Incorrect API key provided: canary-4f9a81c2d7. See https://x",
        "bad key 'canar**********c2d7'",
        "Incorrect API key provided: sk-pro*****xyz9.",
        "key sk-live-0123456789 refused",
        "refused:\nsk-live-0123456789\tand more",
        "in {\"key\":\"sk-live-0123456789\"}",
        "?api_key=sk-live-0123456789&x",
    ] {
        let error =
            without_keys(ChatError::Unauthorized { message: message.to_owned() }, Some(key));
        let text = error.to_string();
        assert!(text.contains(REDACTED), "{text}");
        for part in ["canar", "c2d7", "sk-", "xyz9"] {
            assert!(!text.contains(part), "{text}");
        }
    }
    let lines = "two lines,\n no  key";
    assert_eq!(redact(lines, Some(key)), lines);
    let harmless = ChatError::Timeout { message: "task sk- took too long".to_owned() };
    assert_eq!(without_keys(harmless.clone(), Some("")), harmless);
}

#[test]
fn a_key_at_the_end_of_what_is_told_is_not_told_in_part() {
    let key = "0123456789abcdef0123456789abcdef";
    for before in 460..510 {
        let body =
            json!({ "error": { "message": format!("{} {key} is refused", "x".repeat(before)) } });
        let error = from_response(401, &[], body.to_string().as_bytes(), 0.0).error;
        let told = without_keys(error, Some(key)).to_string();
        assert!(!told.contains("0123"), "{told}");
    }
}
