//! Which model a path names, and what names an answer.

use super::*;

#[test]
fn a_model_in_a_path_is_read_through_its_percent_signs() {
    for (id, model) in [
        ("groq:llama-3", "groq:llama-3"),
        ("groq%3Allama", "groq:llama"),
        ("openrouter:meta%2fllama", "openrouter:meta/llama"),
        ("100%", "100%"),
        ("%zz", "%zz"),
        ("%ff", "%ff"),
    ] {
        assert_eq!(decoded(id), model, "{id}");
    }
}

#[test]
fn every_answer_of_this_protocol_has_a_name() {
    let named = |path: &str, mut headers: Headers| {
        let head = Head { path: path.to_owned(), ..Head::default() };
        name_answer(&head, &mut headers, || 7);
        let names = headers.into_iter().filter(|(name, _)| *name == "x-request-id");
        names.map(|(_, value)| value.into_owned()).collect::<Vec<_>>()
    };
    let fresh = named("/v1/models", Vec::new());
    assert!(fresh.len() == 1 && fresh[0].starts_with("req_") && !fresh[0].ends_with("_7"));
    let of_an_ask = vec![("x-request-id", "req_a".into())];
    assert_eq!(named("/v1/responses", of_an_ask), ["req_a"]);
    for other in ["/ask", "/v1/nowhere"] {
        assert_eq!(named(other, Vec::new()), Vec::<String>::new());
    }
}
