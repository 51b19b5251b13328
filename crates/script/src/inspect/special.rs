//! The built-in kinds that have a form of their own.

use boa_engine::{
    JsError, JsNativeError, JsObject, JsString, JsValue,
    builtins::{error::Error as ErrorObject, function::OrdinaryFunction, promise::PromiseState},
    object::builtins::{
        JsArrayBuffer, JsDate, JsMap, JsPromise, JsProxy, JsRegExp, JsSet, JsTypedArray,
    },
    property::PropertyKey,
};

use super::{ITEMS, Inspector, array_length, constructor_name, data_property, group, quote};
use crate::{
    errors::{error_name, stack_text},
    inspect::inherited_text,
    json::keys,
};

/// Stack lines that are shown.
const STACK_LINES: usize = 4;

impl Inspector<'_> {
    /// The form of a built-in kind; `None` for an ordinary object.
    pub(super) fn special(&mut self, object: &JsObject) -> Option<String> {
        if JsProxy::from_object(object.clone()).is_ok() {
            return Some(self.spend("[Proxy]".into()));
        }
        if object.is_callable() {
            return Some(self.function(object));
        }
        if let Some(length) = array_length(object) {
            return Some(self.array(object, length));
        }
        if object.is::<ErrorObject>() {
            return Some(self.error(object));
        }
        self.collection(object).or_else(|| self.scalar(object)).or_else(|| self.web(object))
    }

    fn function(&mut self, object: &JsObject) -> String {
        let name = data_property(object, "name")
            .and_then(|name| name.as_string())
            .map(|name| self.string(&name))
            .filter(|name| !name.is_empty());
        // Only a class has a prototype that cannot be replaced.
        let prototype =
            object.borrow().properties().get(&boa_engine::js_string!("prototype").into());
        let is_class = object.is::<OrdinaryFunction>()
            && prototype.is_some_and(|prototype| prototype.writable() == Some(false));
        let text = match (is_class, name) {
            (true, Some(name)) => format!("[class {name}]"),
            (true, None) => "[class (anonymous)]".into(),
            (false, Some(name)) => format!("[Function: {name}]"),
            (false, None) => "[Function (anonymous)]".into(),
        };
        self.with_properties(object, text)
    }

    /// Adds the enumerable properties, if there are any.
    fn with_properties(&mut self, object: &JsObject, text: String) -> String {
        let items = self.properties(object, false);
        let text = self.spend(text);
        if items.is_empty() { text } else { group(&format!("{text} "), "{", &items, "}") }
    }

    fn array(&mut self, object: &JsObject, length: u32) -> String {
        let mut items = Vec::new();
        let mut index = 0;
        let mut sorted: Option<Vec<u32>> = None;
        while index < length && items.len() < ITEMS && self.left > 0 {
            let element = object.borrow().properties().get(&PropertyKey::from(index));
            if let Some(element) = element {
                items.push(self.property(&element));
                index += 1;
                continue;
            }
            let present = sorted.get_or_insert_with(|| keys(object).0);
            let after = present.partition_point(|key| *key < index);
            let next = present.get(after).copied().unwrap_or(length).min(length);
            let holes = next - index;
            let plural = if holes == 1 { "" } else { "s" };
            items.push(self.spend(format!("<{holes} empty item{plural}>")));
            index = next;
        }
        if index < length {
            items.push(format!("... {} more items", length - index));
        }
        items.extend(self.properties(object, false));
        let prefix = match constructor_name(object) {
            Some(name) if name != "Array" => format!("{name}({length}) "),
            _ => String::new(),
        };
        group(&prefix, "[", &items, "]")
    }

    fn error(&mut self, object: &JsObject) -> String {
        let name = error_name(object);
        let message = inherited_text(object, "message").unwrap_or_default();
        let mut text = if message.is_empty() { name } else { format!("{name}: {message}") };
        let room = self.left;
        crate::host::truncate(&mut text, room);
        let stack = stack_text(object, self.context);
        for line in stack.lines().filter(|line| !line.contains("(native")).take(STACK_LINES) {
            text.push('\n');
            text.push_str(line);
        }
        if let Some(cause) = data_property(object, "cause") {
            let cause = self.value(&cause);
            text = format!("{text} {{ [cause]: {cause} }}");
        }
        self.with_properties(object, text)
    }

    fn collection(&mut self, object: &JsObject) -> Option<String> {
        if let Ok(map) = JsMap::from_object(object.clone()) {
            let size = map.get_size(self.context).ok()?.as_number().unwrap_or(0.0);
            let mut entries = Vec::new();
            // An error is the only way to end the walk early.
            let _ = map.for_each_native(|key, value| {
                entries.push((key, value));
                enough(entries.len())
            });
            let items = self.entries(entries, size, |inspector, (key, value)| {
                format!("{} => {}", inspector.value(&key), inspector.value(&value))
            });
            return Some(group(&format!("{}({size}) ", kind(object, "Map")), "{", &items, "}"));
        }
        if let Ok(set) = JsSet::from_object(object.clone()) {
            let size = f64::from(u32::try_from(set.size()).unwrap_or(u32::MAX));
            let mut entries = Vec::new();
            let _ = set.for_each_native(|value| {
                entries.push(value);
                enough(entries.len())
            });
            let items = self.entries(entries, size, |inspector, value| inspector.value(&value));
            return Some(group(&format!("{}({size}) ", kind(object, "Set")), "{", &items, "}"));
        }
        if let Ok(array) = JsTypedArray::from_object(object.clone()) {
            return self.typed_array(object, &array);
        }
        let promise = JsPromise::from_object(object.clone()).ok()?;
        let state = match promise.state() {
            PromiseState::Pending => "<pending>".into(),
            PromiseState::Fulfilled(value) => self.value(&value),
            PromiseState::Rejected(reason) => format!("<rejected> {}", self.value(&reason)),
        };
        Some(group("Promise ", "{", &[state], "}"))
    }

    fn entries<T>(
        &mut self,
        entries: Vec<T>,
        size: f64,
        mut show: impl FnMut(&mut Self, T) -> String,
    ) -> Vec<String> {
        let mut items = Vec::new();
        for entry in entries {
            if self.left == 0 {
                break;
            }
            items.push(show(self, entry));
        }
        let shown = f64::from(u32::try_from(items.len()).unwrap_or(u32::MAX));
        if size > shown {
            items.push(format!("... {} more items", size - shown));
        }
        items
    }

    fn typed_array(&mut self, object: &JsObject, array: &JsTypedArray) -> Option<String> {
        let length = array.length(self.context).ok()?;
        let mut items = Vec::new();
        for index in 0..length.min(ITEMS) {
            let element = array.at(i64::try_from(index).ok()?, self.context).ok()?;
            items.push(self.value(&element));
        }
        if length > items.len() {
            items.push(format!("... {} more items", length - items.len()));
        }
        Some(group(&format!("{}({length}) ", kind(object, "TypedArray")), "[", &items, "]"))
    }

    fn scalar(&mut self, object: &JsObject) -> Option<String> {
        if let Ok(date) = JsDate::from_object(object.clone()) {
            let text = match date.to_iso_string(self.context) {
                Ok(text) => text.as_string()?.to_std_string_lossy(),
                Err(_) => "Invalid Date".into(),
            };
            return Some(self.spend(text));
        }
        if let Ok(pattern) = JsRegExp::from_object(object.clone()) {
            let text = self.regexp(&pattern).ok()?;
            return Some(self.spend(text));
        }
        if let Ok(buffer) = JsArrayBuffer::from_object(object.clone()) {
            return Some(
                self.spend(format!("ArrayBuffer {{ byteLength: {} }}", buffer.byte_length())),
            );
        }
        let text = if let Some(number) = object.downcast_ref::<f64>() {
            format!("[Number: {}]", JsValue::from(*number).display())
        } else if let Some(truth) = object.downcast_ref::<bool>() {
            format!("[Boolean: {}]", *truth)
        } else if let Some(string) = object.downcast_ref::<JsString>() {
            format!("[String: {}]", quote(&self.string(&string)))
        } else {
            return None;
        };
        Some(self.spend(text))
    }

    /// Flag by flag: the `flags` getter would run getters that the program may have replaced.
    fn regexp(&mut self, pattern: &JsRegExp) -> Result<String, JsError> {
        let source = pattern.source(self.context)?;
        let flags = [
            ('d', pattern.has_indices(self.context)?),
            ('g', pattern.global(self.context)?),
            ('i', pattern.ignore_case(self.context)?),
            ('m', pattern.multiline(self.context)?),
            ('s', pattern.dot_all(self.context)?),
            ('u', pattern.unicode(self.context)?),
            ('y', pattern.sticky(self.context)?),
        ];
        let set = flags.iter().filter(|(_, set)| *set).map(|(flag, _)| *flag);
        Ok(format!("/{source}/{}", set.collect::<String>()))
    }
}

fn kind(object: &JsObject, default: &str) -> String {
    constructor_name(object).unwrap_or_else(|| default.into())
}

fn enough(taken: usize) -> Result<(), JsError> {
    if taken < ITEMS { Ok(()) } else { Err(JsNativeError::error().into()) }
}
