//! Bounds, and what is filled in where a provider says nothing.

use super::*;
use proptest::prelude::*;
use quarry_types::Message;

fn request() -> ChatRequest {
    ChatRequest {
        model: "custom:m".parse().unwrap(),
        messages: vec![Message::user("abcdefgh")],
        tools: Vec::new(),
        temperature: None,
        max_output_tokens: 10,
        reasoning_effort: None,
        top_p: None,
        json: false,
        schema: None,
        streams_text: false,
    }
}

#[test]
fn usage_is_estimated_and_said_to_be_when_none_is_reported() {
    let mut reader = ReplyReader::new(Wire::ChatCompletions);
    reader
        .push(b"data: {\"choices\":[{\"delta\":{\"content\":\"12345678\"},\"finish_reason\":\"stop\"}],\"usage\":{}}\n\ndata: [DONE]\n\n")
        .unwrap();
    let completion = reader.finish().unwrap().into_completion(&request(), 2);
    let expected = Usage { input: 6, output: 2, cached_input: 0, reasoning: 0, reported: false };
    assert_eq!(completion.usage, expected);
    assert_eq!((completion.model.as_str(), completion.attempts), ("m", 2));
}

#[test]
fn what_follows_a_whole_reply_takes_nothing_from_it() {
    let chats =
        "data: {\"choices\":[{\"delta\":{\"content\":\"All.\"},\"finish_reason\":\"stop\"}]}\n\n";
    let messages = "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"All.\"}}\n\n\
        data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n";
    for (wire, whole) in [(Wire::ChatCompletions, chats), (Wire::Messages, messages)] {
        for rest in
            ["data: {\"choices\":[],\"usa", "data: {\"usage\":\n\n", "data: <html>\n\ndata: 1\n\n"]
        {
            let mut reader = ReplyReader::new(wire);
            reader.push(whole.as_bytes()).unwrap();
            reader.push(rest.as_bytes()).unwrap();
            assert_eq!(reader.finish().unwrap().text, "All.", "{rest}");
        }
        let mut begun = ReplyReader::new(wire);
        assert!(begun.push(b"data: <html>\n\n").is_err(), "and what stands for it is no reply");
    }
}

#[test]
fn an_error_is_heard_though_its_stream_ends_with_it() {
    let read = |wire, said: &[&str]| {
        let mut reader = ReplyReader::new(wire);
        said.iter().for_each(|chunk| assert!(reader.push(chunk.as_bytes()).is_ok(), "{chunk}"));
        reader.finish().unwrap_err()
    };
    let begun = "data: {\"choices\":[{\"delta\":{\"content\":\"Al\"}}]}\n\n";
    let limited = "data: {\"error\":{\"code\":429,\"message\":\"Try again in 20s\"}}\n";
    for said in [&[limited][..], &[begun, limited]] {
        let failure = read(Wire::ChatCompletions, said);
        assert_eq!(failure.wait_seconds, Some(20.0), "{failure:?}");
        assert!(matches!(failure.error, ChatError::RateLimited { .. }), "{failure:?}");
    }
    let refused = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"authentication_error\",\"message\":\"bad key\"}}";
    let error = read(Wire::Messages, &[refused]).error;
    assert!(matches!(error, ChatError::Unauthorized { .. }), "{error:?}");
    let failed = "data: {\"error\":{\"code\":500,\"message\":\"oops\"}}\n";
    let error = read(Wire::ChatCompletions, &[failed]).error;
    assert!(matches!(error, ChatError::ProviderFailed { .. }), "{error:?}");
    for said in [&[begun, failed][..], &[begun, "data: {\"error\":{\"cod"], &[begun]] {
        let error = read(Wire::ChatCompletions, said).error;
        assert!(matches!(error, ChatError::Connection { .. }), "it may be billed: {error:?}");
    }
}

#[test]
fn counts_of_any_form_are_read_or_estimated_and_cost_no_reply() {
    let chats = |usage: &str| {
        let mut reader = ReplyReader::new(Wire::ChatCompletions);
        let body = format!(
            "{{\"choices\":[{{\"message\":{{\"content\":\"12345678\"}},\"finish_reason\":\"stop\"}}],\"error\":\"\",\"usage\":{usage}}}"
        );
        reader.push(body.as_bytes()).unwrap();
        reader.finish().unwrap().into_completion(&request(), 1).usage
    };
    let read = chats(r#"{"prompt_tokens":12.0,"completion_tokens":3,"prompt_tokens_details":[]}"#);
    assert_eq!((read.input, read.output, read.reported), (12, 3, true));
    let nested = r#"{"prompt_tokens":9,"prompt_tokens_details":{"cached_tokens":4.0},"completion_tokens_details":{"reasoning_tokens":-1}}"#;
    let read = chats(nested);
    assert_eq!((read.input, read.cached_input, read.reasoning), (9, 4, 0));
    for none in [r#"{"prompt_tokens":-1}"#, r#""many""#, r#"{"prompt_tokens":"7"}"#, "1e300"] {
        assert!(!chats(none).reported, "{none}");
    }
    let mut reader = ReplyReader::new(Wire::Messages);
    let body = r#"{"content":[{"type":"text","text":"Yes."}],"stop_reason":"end_turn","usage":{"input_tokens":7.0,"output_tokens":{}}}"#;
    reader.push(body.as_bytes()).unwrap();
    let usage = reader.finish().unwrap().usage.unwrap();
    assert_eq!((usage.input, usage.output), (7, 0));
}

#[test]
fn a_reply_of_nothing_but_calls_is_bounded() {
    let mut reader = ReplyReader::new(Wire::ChatCompletions);
    for n in 0..5_000 {
        let call = format!(
            "data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"index\":{n},\"id\":\"c{n}\",\"function\":{{\"name\":\"f\"}}}}]}}}}]}}\n\n"
        );
        reader.push(call.as_bytes()).unwrap();
    }
    reader.push(b"data: [DONE]\n\n").unwrap();
    assert_eq!(reader.finish().unwrap().tool_calls.len(), 1_000);
    let mut reader = ReplyReader::new(Wire::Messages);
    for n in 0..5_000 {
        let block =
            format!("{{\"type\":\"tool_use\",\"id\":\"c{n}\",\"name\":\"f\",\"input\":{{}}}}");
        let begun = format!(
            "data: {{\"type\":\"content_block_start\",\"index\":{n},\"content_block\":{block}}}\n\n"
        );
        reader.push(begun.as_bytes()).unwrap();
    }
    reader.push(b"data: {\"type\":\"message_stop\"}\n\n").unwrap();
    assert_eq!(reader.finish().unwrap().tool_calls.len(), 1_000);
}

#[test]
fn a_web_page_is_told_at_once_and_not_asked_for_again() {
    for wire in [Wire::ChatCompletions, Wire::Messages] {
        let mut reader = ReplyReader::new(wire);
        assert_eq!(reader.push(b"\r\n").unwrap(), Progress::More);
        let error = reader.push(b"<!doctype html><title>Welcome</title>").unwrap_err().error;
        assert!(error.to_string().contains("it is a web page"), "{error}");
        assert!(!error.is_retryable());
    }
}

#[test]
fn a_reply_without_end_is_stopped() {
    // A stream, and an answer that is none.
    for first in *b"x{" {
        let mut reader = ReplyReader::new(Wire::ChatCompletions);
        let chunk = vec![first; 1024 * 1024];
        let taken = (0..100).take_while(|_| reader.push(&chunk).is_ok()).count();
        assert_eq!(taken, REPLY_LIMIT / chunk.len());
        let error = reader.push(&chunk).unwrap_err().error;
        assert!(matches!(error, ChatError::Malformed { .. }), "{error:?}");
    }
}

proptest! {
    #[test]
    fn no_bytes_break_the_reader(
        chunks in proptest::collection::vec(prop_oneof![
            Just(b"data: ".to_vec()), Just(b"\n\n".to_vec()), Just(b"{\"choices\":[{\"delta\":".to_vec()),
            Just(b"{\"type\":\"message_start\",".to_vec()), Just(b"null}]}".to_vec()), Just(b"[DONE]".to_vec()),
            proptest::collection::vec(any::<u8>(), 0..20),
        ], 0..20),
        anthropic in any::<bool>(),
    ) {
        let wire = if anthropic { Wire::Messages } else { Wire::ChatCompletions };
        let mut reader = ReplyReader::new(wire);
        let fine = chunks.iter().try_for_each(|chunk| reader.push(chunk).map(|_| ())).is_ok();
        if fine {
            let _ = reader.finish();
        }
    }
}
