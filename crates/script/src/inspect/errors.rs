//! Errors: name, message, stack lines, cause and what the program added.

use boa_engine::{JsObject, JsValue, js_string, property::PropertyKey};

use super::{Body, Form, Inspector, Structure, array_length, data_property, names::Makers};
use crate::{
    errors::{error_name, stack_text},
    host::truncate,
    inspect::inherited_text,
};

/// Stack lines that are shown.
const STACK_LINES: usize = 4;

impl Inspector<'_> {
    pub(super) fn error(&mut self, object: &JsObject, makers: &Makers) -> Form {
        let name = error_name(object);
        let message = inherited_text(object, "message").unwrap_or_default();
        let own = data_property(object, "stack").and_then(|stack| stack.as_string());
        let mut text = match own.filter(|stack| !stack.is_empty()) {
            Some(stack) => stack.to_std_string_lossy(),
            None => self.told(object, &name, &message),
        };
        truncate(&mut text, self.left);
        let keys = self.error_keys(object, &text);
        let text = named(text, &name, makers);
        let after = text.find(&message).map_or(0, |at| at + message.len());
        let has_stack = text.get(after..).is_some_and(|rest| rest.contains("\n    at"));
        let mut text = if has_stack { text } else { format!("[{text}]") };
        if self.indentation > 0 {
            text = text.replace('\n', &format!("\n{}", " ".repeat(self.indentation)));
        }
        if keys.is_empty() {
            return Form::Whole(text);
        }
        let base = self.spend(text);
        Form::Structure(Structure { base, open: "{".into(), close: "}", body: Body::None, keys })
    }

    /// Name, message and the first stack lines.
    fn told(&mut self, object: &JsObject, name: &str, message: &str) -> String {
        let colon = if message.is_empty() { "" } else { ": " };
        let mut text = format!("{name}{colon}{message}");
        let stack = stack_text(object, self.context);
        for line in stack.lines().filter(|line| !line.contains("(native")).take(STACK_LINES) {
            text.push('\n');
            text.push_str(line);
        }
        text
    }

    /// What is shown besides: not what the text has already, but cause and errors.
    fn error_keys(&self, object: &JsObject, text: &str) -> Vec<PropertyKey> {
        let mut keys = self.own_keys(object, Some(0));
        for name in ["name", "message", "stack"] {
            let value = data_property(object, name).and_then(|value| value.as_string());
            // A stack that the program set is told, whatever it is.
            let told = name == "stack"
                || value.is_some_and(|value| text.contains(&value.to_std_string_lossy()));
            if told {
                let key = PropertyKey::from(js_string!(name));
                keys.retain(|present| *present != key);
            }
        }
        let is_list =
            |value: &JsValue| value.as_object().is_some_and(|value| array_length(&value).is_some());
        for (name, shown) in [
            ("cause", data_property(object, "cause").is_some()),
            ("errors", data_property(object, "errors").is_some_and(|errors| is_list(&errors))),
        ] {
            let key = PropertyKey::from(js_string!(name));
            if shown && !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }
}

/// The text with the name of the error's class, where its `name` says something else.
fn named(text: String, name: &str, makers: &Makers) -> String {
    let rest = text.strip_prefix(name).filter(|_| name.ends_with("Error"));
    match (rest, &makers.constructor) {
        (Some(rest), Some(class)) if rest.is_empty() || rest.starts_with([':', '\n']) => {
            if class.contains(name) {
                format!("{class}{rest}")
            } else {
                format!("{class} [{name}]{rest}")
            }
        }
        _ => text,
    }
}
