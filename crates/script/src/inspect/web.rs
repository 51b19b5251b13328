//! Addresses and their parameters.

use boa_engine::JsObject;

use super::{Body, Form, Inspector, Structure, layout::Group, more_items, text};
use crate::builtins::{Shown, shown};

const PARAMETERS: &str = "URLSearchParams {";

impl Inspector<'_> {
    /// The form of a `URL` or its parameters; `None` for other objects.
    pub(super) fn web(&mut self, object: &JsObject) -> Option<Form> {
        match shown(object)? {
            Shown::Params(pairs) if pairs.is_empty() => {
                Some(Form::Whole(format!("{PARAMETERS}}}")))
            }
            Shown::Params(pairs) => {
                let words = Body::Words(self.pairs(&pairs));
                Some(Structure::braces(PARAMETERS.into(), words, Vec::new()))
            }
            Shown::Address(parts, pairs) => {
                let mut words = Vec::new();
                for (name, text) in parts {
                    if name == "hash" {
                        words.push(self.parameters(&pairs));
                    }
                    words.push(self.spend(format!("{name}: {}", quoted(&text))));
                }
                Some(Structure::braces("URL {".into(), Body::Words(words), Vec::new()))
            }
        }
    }

    fn parameters(&mut self, pairs: &[(String, String)]) -> String {
        if pairs.is_empty() {
            return self.spend(format!("searchParams: {PARAMETERS}}}"));
        }
        let words = self.pairs(pairs);
        let group = Group {
            base: "",
            open: PARAMETERS,
            close: "}",
            list: None,
            indentation: self.indentation + 2,
            options: self.options,
            below: 0,
        };
        format!("searchParams: {}", group.join(words))
    }

    fn pairs(&mut self, pairs: &[(String, String)]) -> Vec<String> {
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
        words
    }
}

fn quoted(text: &str) -> String {
    text::quote(&text.encode_utf16().collect::<Vec<_>>())
}
