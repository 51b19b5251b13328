//! The built-in kinds that have a form of their own.
//!
//! Border: of built-ins only those are called that run no code of the program's.

use boa_engine::{
    JsBigInt, JsError, JsNativeError, JsObject, JsString, JsSymbol, JsValue,
    builtins::{error::Error as ErrorObject, promise::PromiseState},
    js_string,
    object::builtins::{
        JsArray, JsArrayBuffer, JsDate, JsMap, JsMapIterator, JsPromise, JsRegExp, JsSet,
        JsSetIterator, JsTypedArray,
    },
    property::PropertyKey,
};

use super::{
    Body, Form, Inspector, Structure, array_length, data_property, lists,
    names::{Makers, inherits},
    origins, primitive, text,
};
use crate::builtins::{pattern_source, shown};

impl Inspector<'_> {
    /// How this object, which is no proxy, is shown.
    pub(super) fn form(&mut self, object: &JsObject, makers: &Makers, level: usize) -> Form {
        if object.is_callable() {
            return self.function(object, makers);
        }
        if let Some(length) = array_length(object) {
            let prefix = if makers.made_by("Array") && makers.tag.is_empty() {
                String::new()
            } else {
                makers.prefix("Array", &format!("({length})"))
            };
            return self.list(object, prefix, length == 0, Body::Array(length));
        }
        let errors = self.context.intrinsics().constructors().error().prototype();
        if object.is::<ErrorObject>() || inherits(object, &errors) {
            return self.error(object, makers);
        }
        self.collection(object, makers)
            .or_else(|| self.binary(object, makers))
            .or_else(|| self.scalar(object, makers, level))
            .or_else(|| address(object))
            .unwrap_or_else(|| {
                let plain = makers.made_by("Object") && makers.tag.is_empty();
                let prefix = match plain {
                    true if is_arguments(object) => "[Arguments] ".into(),
                    true => String::new(),
                    false => makers.prefix("Object", ""),
                };
                self.braces(object, prefix, Body::None)
            })
    }

    fn braces(&self, object: &JsObject, prefix: String, body: Body) -> Form {
        let keys = self.own_keys(object, Some(0));
        if keys.is_empty() && body.is_empty() {
            return Form::Whole(prefix + "{}");
        }
        Structure::braces(prefix + "{", body, keys)
    }

    fn list(&self, object: &JsObject, prefix: String, empty: bool, body: Body) -> Form {
        let keys = self.own_keys(object, None);
        if empty && keys.is_empty() {
            return Form::Whole(prefix + "[]");
        }
        let open = prefix + "[";
        Form::Structure(Structure { base: String::new(), open, close: "]", body, keys })
    }

    /// A text, followed by the object's properties from index `first` on, if it has any.
    pub(super) fn with_properties(&mut self, object: &JsObject, text: String, first: u32) -> Form {
        let keys = self.own_keys(object, Some(first));
        if keys.is_empty() {
            return Form::Whole(text);
        }
        let base = self.spend(text);
        Form::Structure(Structure { base, open: "{".into(), close: "}", body: Body::None, keys })
    }

    fn collection(&mut self, object: &JsObject, makers: &Makers) -> Option<Form> {
        if let Some((entries, size)) = self.map_entries(object) {
            let prefix = makers.prefix("Map", &format!("({size})"));
            return Some(self.braces(object, prefix, Body::Map(entries, size)));
        }
        if let Some((entries, size)) = set_entries(object, self.options.items) {
            let prefix = makers.prefix("Set", &format!("({size})"));
            return Some(self.braces(object, prefix, Body::Set(entries, size)));
        }
        if let Some(form) = self.iterator(object) {
            return Some(form);
        }
        if let Ok(promise) = JsPromise::from_object(object.clone()) {
            let body = match promise.state() {
                PromiseState::Pending => Body::Words(vec!["<pending>".into()]),
                PromiseState::Fulfilled(value) => Body::Settled("", value),
                PromiseState::Rejected(reason) => Body::Settled("<rejected> ", reason),
            };
            return Some(self.braces(object, makers.prefix("Promise", ""), body));
        }
        let made = self.context.intrinsics().constructors();
        let weak = [("WeakMap", made.weak_map()), ("WeakSet", made.weak_set())];
        let (name, _) = weak.into_iter().find(|(_, kind)| inherits(object, &kind.prototype()))?;
        let body = Body::Words(vec!["<items unknown>".into()]);
        Some(self.braces(object, makers.prefix(name, ""), body))
    }

    fn map_entries(&mut self, object: &JsObject) -> Option<(Vec<(JsValue, JsValue)>, usize)> {
        let map = JsMap::from_object(object.clone()).ok()?;
        let size = usize::try_from(map.get_size(self.context).ok()?.as_i32()?).ok()?;
        let mut entries = Vec::new();
        // An error is the only way to end the walk early.
        let _ = map.for_each_native(|key, value| {
            entries.push((key, value));
            enough(entries.len(), self.options.items)
        });
        Some((entries, size))
    }

    /// An iterator over a map or a set, with what it yields of it.
    fn iterator(&mut self, object: &JsObject) -> Option<Form> {
        let kind = if JsMapIterator::from_object(object.clone()).is_ok() {
            "Map"
        } else if JsSetIterator::from_object(object.clone()).is_ok() {
            "Set"
        } else {
            return None;
        };
        let Some((of, method)) = origins::iterated(object, self.context) else {
            return Some(self.braces(object, format!("[{kind} Iterator] "), Body::None));
        };
        let (entries, size) = match self.map_entries(&of) {
            Some(found) => found,
            None => {
                let (entries, size) = set_entries(&of, self.options.items)?;
                (entries.into_iter().map(|value| (value.clone(), value)).collect(), size)
            }
        };
        let entire = method == js_string!("entries");
        let yielded = entries.into_iter().map(|(key, value)| match entire {
            true => JsArray::from_iter([key, value], self.context).into(),
            false if method == js_string!("keys") => key,
            false => value,
        });
        let body = Body::Set(yielded.collect(), size);
        let name = if entire { "Entries" } else { "Iterator" };
        Some(Structure::braces(format!("[{kind} {name}] {{"), body, Vec::new()))
    }

    fn binary(&mut self, object: &JsObject, makers: &Makers) -> Option<Form> {
        if let Ok(array) = JsTypedArray::from_object(object.clone()) {
            let length = array.length(self.context).unwrap_or(0);
            let kind = format!("{:?}Array", array.kind()?);
            let makers = Makers { constructor: makers.constructor.clone(), tag: kind.clone() };
            let prefix = makers.prefix(&kind, &format!("({length})"));
            return Some(self.list(object, prefix, length == 0, Body::TypedArray(length)));
        }
        let buffer = JsArrayBuffer::from_object(object.clone()).ok()?;
        let shown = buffer.data().map(|data| lists::bytes(&data, self.options.items));
        let bytes = shown.unwrap_or_else(|| "(detached)".into());
        let words = vec![bytes, format!("byteLength: {}", buffer.byte_length())];
        Some(self.braces(object, makers.prefix("ArrayBuffer", ""), Body::Words(words)))
    }

    /// What is one text, followed by properties if it has any.
    fn scalar(&mut self, object: &JsObject, makers: &Makers, level: usize) -> Option<Form> {
        let mut first = 0;
        let text = if let Ok(date) = JsDate::from_object(object.clone()) {
            let text = match date.to_iso_string(self.context) {
                Ok(text) => text.as_string()?.to_std_string_lossy(),
                Err(_) => "Invalid Date".into(),
            };
            with_prefix(makers, "Date", text)
        } else if let Ok(pattern) = JsRegExp::from_object(object.clone()) {
            let text = with_prefix(makers, "RegExp", self.regexp(&pattern).ok()?);
            if level >= self.options.levels {
                return Some(Form::Whole(text));
            }
            text
        } else {
            let (kind, value) = boxed(object)?;
            let text = match value.as_string() {
                Some(string) => {
                    first = u32::try_from(string.len()).unwrap_or(u32::MAX);
                    self.quoted(&string)
                }
                None => primitive(&value),
            };
            format!("[{kind}: {text}]")
        };
        Some(self.with_properties(object, text, first))
    }

    /// Flag by flag: the `flags` getter would run getters that the program may have replaced.
    fn regexp(&mut self, pattern: &JsRegExp) -> Result<String, JsError> {
        let source = pattern_source(pattern, self.context)?;
        let sets = origins::has_unicode_sets(pattern, self.context);
        let flags = [
            ('d', pattern.has_indices(self.context)?),
            ('g', pattern.global(self.context)?),
            ('i', pattern.ignore_case(self.context)?),
            ('m', pattern.multiline(self.context)?),
            ('s', pattern.dot_all(self.context)?),
            ('u', pattern.unicode(self.context)?),
            ('v', sets),
            ('y', pattern.sticky(self.context)?),
        ];
        let set = flags.iter().filter(|(_, set)| *set).map(|(flag, _)| *flag);
        Ok(format!("/{source}/{}", set.collect::<String>()))
    }
}

/// A `URL` or its parameters, as its text alone.
fn address(object: &JsObject) -> Option<Form> {
    let (class, text) = shown(object)?;
    let text = text::quote(&text.encode_utf16().collect::<Vec<_>>());
    Some(Form::Whole(format!("{class} {{ {text} }}")))
}

/// By the properties that only they have from the start.
fn is_arguments(object: &JsObject) -> bool {
    let hidden = |key: PropertyKey| {
        let property = object.borrow().properties().get(&key);
        property.is_some_and(|property| property.enumerable() == Some(false))
    };
    hidden(js_string!("callee").into()) && hidden(JsSymbol::iterator().into())
}

fn set_entries(object: &JsObject, items: usize) -> Option<(Vec<JsValue>, usize)> {
    let set = JsSet::from_object(object.clone()).ok()?;
    let mut entries = Vec::new();
    let _ = set.for_each_native(|value| {
        entries.push(value);
        enough(entries.len(), items)
    });
    Some((entries, set.size()))
}

fn enough(taken: usize, items: usize) -> Result<(), JsError> {
    if taken < items { Ok(()) } else { Err(JsNativeError::error().into()) }
}

/// The prefix of a subclass; the built-in's own name goes without saying.
fn with_prefix(makers: &Makers, kind: &str, text: String) -> String {
    let prefix = makers.prefix(kind, "");
    if prefix.trim_end() == kind { text } else { prefix + &text }
}

/// A primitive value that was made an object. The built-in prototypes are not meant.
pub(crate) fn boxed(object: &JsObject) -> Option<(&'static str, JsValue)> {
    if data_property(object, "constructor").is_some() {
        return None;
    }
    if let Some(number) = object.downcast_ref::<f64>() {
        return Some(("Number", JsValue::from(*number)));
    }
    if let Some(truth) = object.downcast_ref::<bool>() {
        return Some(("Boolean", JsValue::from(*truth)));
    }
    if let Some(string) = object.downcast_ref::<JsString>() {
        return Some(("String", JsValue::from(string.clone())));
    }
    if let Some(number) = object.downcast_ref::<JsBigInt>() {
        return Some(("BigInt", JsValue::from(number.clone())));
    }
    object.downcast_ref::<JsSymbol>().map(|symbol| ("Symbol", JsValue::from(symbol.clone())))
}
