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
fn a_reply_without_end_is_stopped() {
    // A stream, and an answer that is none.
    for first in [b'x', b'{'] {
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
