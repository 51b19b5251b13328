//! Addresses and their parameters.

use boa_engine::JsObject;

use super::{Body, Form, Inspector, Structure, layout::Group, more_items, text};
use crate::builtins::{Shown, shown};

const PARAMETERS: &str = "URLSearchParams {";

impl Inspector<'_> {
    /// The form of a `URL` or its parameters; `None` for other objects.
    pub(super) fn web(&mut self, object: &JsObject) -> Option<Form> {
        let (parts, pairs) = match shown(object)? {
            Shown::Address(parts, pairs) => (parts, pairs),
            Shown::Params(pairs) => {
                let text = self.parameters(&pairs, self.indentation);
                return Some(Form::Whole(text));
            }
        };
        let mut words: Vec<String> =
            parts.iter().map(|(name, text)| format!("{name}: {}", quoted(text))).collect();
        let parameters = self.parameters(&pairs, self.indentation + 2);
        words.insert(words.len().saturating_sub(1), format!("searchParams: {parameters}"));
        Some(Structure::braces("URL {".into(), Body::Words(words), Vec::new()))
    }

    fn parameters(&mut self, pairs: &[(String, String)], indentation: usize) -> String {
        if pairs.is_empty() {
            return format!("{PARAMETERS}}}");
        }
        let mut words: Vec<String> = Vec::new();
        for (name, value) in pairs.iter().take(self.options.items) {
            if self.left == 0 {
                break;
            }
            words.push(self.spend(format!("{} => {}", quoted(name), quoted(value))));
        }
        let more = pairs.len().saturating_sub(self.options.items);
        if more > 0 {
            words.push(more_items(more));
        }
        let open = PARAMETERS;
        let options = self.options;
        Group { base: "", open, close: "}", list: None, indentation, options, below: 0 }.join(words)
    }
}

fn quoted(text: &str) -> String {
    text::quote(&text.encode_utf16().collect::<Vec<_>>())
}
