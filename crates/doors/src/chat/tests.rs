//! Which model a path names.

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
