//! The built-in kinds that have a form of their own.
//!
//! Border: of built-ins only those are called that run no code of the program's.

use boa_engine::{
    JsBigInt, JsError, JsNativeError, JsObject, JsString, JsSymbol, JsValue,
    builtins::{error::Error as ErrorObject, promise::PromiseState},
    js_string,
    object::builtins::{
        JsArrayBuffer, JsDataView, JsDate, JsMap, JsMapIterator, JsPromise, JsRegExp, JsSet,
        JsSetIterator, JsSharedArrayBuffer, JsTypedArray,
    },
    property::PropertyKey,
};

use super::{
    Body, Form, Inspector, Structure, array_length, data_property, lists,
    names::{Makers, inherits},
    origins, primitive,
};

impl Inspector<'_> {
    /// How this object, which is no proxy, is shown.
    pub(super) fn form(&mut self, object: &JsObject, makers: &Makers, level: usize) -> Form {
        if object.is_callable() {
            return self.function(object, makers);
        }
        if let Some(length) = array_length(object) {
            return self.array_form(object, makers, length);
        }
        let errors = self.context.intrinsics().constructors().error().prototype();
        if object.is::<ErrorObject>() || inherits(object, &errors) {
            return self.error(object, makers);
        }
        self.collection(object, makers)
            .or_else(|| self.binary(object, makers))
            .or_else(|| self.scalar(object, makers, level))
            .or_else(|| self.web(object))
            .unwrap_or_else(|| self.ordinary(object, makers))
    }

    fn ordinary(&mut self, object: &JsObject, makers: &Makers) -> Form {
        let keys = self.own_keys(object, Some(0));
        let plain = makers.made_by("Object");
        let open = if plain && self.is_arguments(object) {
            "[Arguments] {".into()
        } else if plain && makers.tag.is_empty() {
            "{".into()
        } else {
            makers.prefix("Object", "") + "{"
        };
        if keys.is_empty() {
            Form::Whole(open + "}")
        } else {
            Structure::braces(open, Body::None, keys)
        }
    }

    /// By the properties that only they have from the start.
    fn is_arguments(&self, object: &JsObject) -> bool {
        let values = self.context.intrinsics().objects().array_prototype_values();
        let own = |key: PropertyKey| {
            let property = object.borrow().properties().get(&key);
            property.filter(|property| property.enumerable() == Some(false))
        };
        let iterator =
            own(JsSymbol::iterator().into()).and_then(|found| found.value()?.as_object());
        own(js_string!("callee").into()).is_some()
            && iterator.is_some_and(|found| JsObject::equals(&found, &JsObject::from(values)))
    }

    fn array_form(&mut self, object: &JsObject, makers: &Makers, length: u32) -> Form {
        let keys = self.own_keys(object, None);
        let prefix = if makers.made_by("Array") && makers.tag.is_empty() {
            String::new()
        } else {
            makers.prefix("Array", &format!("({length})"))
        };
        list(prefix, length == 0, Body::Array(length), keys)
    }

    fn collection(&mut self, object: &JsObject, makers: &Makers) -> Option<Form> {
        if let Some((entries, size)) = self.map_entries(object) {
            let prefix = makers.prefix("Map", &format!("({size})"));
            let keys = self.own_keys(object, Some(0));
            return Some(braces_unless_empty(prefix, size, Body::Map(entries, size), keys));
        }
        if let Some((entries, size)) = set_entries(object, self.options.items) {
            let prefix = makers.prefix("Set", &format!("({size})"));
            let keys = self.own_keys(object, Some(0));
            return Some(braces_unless_empty(prefix, size, Body::Set(entries, size), keys));
        }
        if let Some(form) = self.iterator(object, makers) {
            return Some(form);
        }
        if let Ok(promise) = JsPromise::from_object(object.clone()) {
            let body = match promise.state() {
                PromiseState::Pending => Body::Words(vec!["<pending>".into()]),
                PromiseState::Fulfilled(value) => Body::Settled("", value),
                PromiseState::Rejected(reason) => Body::Settled("<rejected> ", reason),
            };
            let keys = self.own_keys(object, Some(0));
            return Some(Structure::braces(makers.prefix("Promise", "") + "{", body, keys));
        }
        let made = self.context.intrinsics().constructors();
        for (name, kind) in [("WeakMap", made.weak_map()), ("WeakSet", made.weak_set())] {
            if inherits(object, &kind.prototype()) {
                let keys = self.own_keys(object, Some(0));
                let body = Body::Words(vec!["<items unknown>".into()]);
                return Some(Structure::braces(makers.prefix(name, "") + "{", body, keys));
            }
        }
        None
    }

    fn map_entries(&mut self, object: &JsObject) -> Option<(Vec<(JsValue, JsValue)>, usize)> {
        let map = JsMap::from_object(object.clone()).ok()?;
        let size = usize::try_from(map.get_size(self.context).ok()?.as_i32()?).ok()?;
        let items = self.options.items;
        let mut entries = Vec::new();
        // An error is the only way to end the walk early.
        let _ = map.for_each_native(|key, value| {
            entries.push((key, value));
            enough(entries.len(), items)
        });
        Some((entries, size))
    }

    /// An iterator over a map or a set, with the entries of what it was made for.
    fn iterator(&mut self, object: &JsObject, makers: &Makers) -> Option<Form> {
        let kind = if JsMapIterator::from_object(object.clone()).is_ok() {
            "Map"
        } else if JsSetIterator::from_object(object.clone()).is_ok() {
            "Set"
        } else {
            return None;
        };
        let usual = format!("{kind} Iterator");
        let tag = match &makers.tag {
            tag if *tag == usual || tag.is_empty() => usual,
            tag => format!("{tag}] [{usual}"),
        };
        let keys = self.own_keys(object, Some(0));
        let (body, entries) = match origins::iterated(object, self.context) {
            Some((of, part)) => self.iterated(&of, part)?,
            None => (Body::None, false),
        };
        let tag = if entries { tag.replace(" Iterator", " Entries") } else { tag };
        Some(Structure::braces(format!("[{tag}] {{"), body, keys))
    }

    /// The entries, and whether they are pairs.
    fn iterated(&mut self, of: &JsObject, part: origins::Part) -> Option<(Body, bool)> {
        let (entries, size) = match self.map_entries(of) {
            Some(found) => found,
            None => {
                let (entries, size) = set_entries(of, self.options.items)?;
                (entries.into_iter().map(|value| (value.clone(), value)).collect(), size)
            }
        };
        Some(match part {
            origins::Part::Keys => {
                (Body::Set(entries.into_iter().map(|(key, _)| key).collect(), size), false)
            }
            origins::Part::Values => {
                (Body::Set(entries.into_iter().map(|(_, value)| value).collect(), size), false)
            }
            origins::Part::Entries => (Body::Pairs(entries, size), true),
        })
    }

    fn binary(&mut self, object: &JsObject, makers: &Makers) -> Option<Form> {
        if let Ok(array) = JsTypedArray::from_object(object.clone()) {
            let length = array.length(self.context).unwrap_or(0);
            let kind = format!("{:?}Array", array.kind()?);
            let makers = Makers { constructor: makers.constructor.clone(), tag: kind.clone() };
            let prefix = makers.prefix(&kind, &format!("({length})"));
            let keys = self.own_keys(object, None);
            return Some(list(prefix, length == 0, Body::TypedArray(length), keys));
        }
        let (kind, bytes, length) = if let Ok(buffer) = JsArrayBuffer::from_object(object.clone()) {
            let shown = buffer.data().map(|data| lists::bytes(&data, self.options.items));
            ("ArrayBuffer", shown, buffer.byte_length())
        } else if let Ok(buffer) = JsSharedArrayBuffer::from_object(object.clone()) {
            (
                "SharedArrayBuffer",
                Some(lists::bytes(&buffer.to_vec(), self.options.items)),
                buffer.byte_length(),
            )
        } else {
            let view = JsDataView::from_object(object.clone()).ok()?;
            let length = view.byte_length(self.context).unwrap_or(0);
            let offset = view.byte_offset(self.context).unwrap_or(0);
            let parts = vec![
                ("byteLength", JsValue::from(length)),
                ("byteOffset", JsValue::from(offset)),
                ("buffer", view.buffer(self.context).ok()?),
            ];
            let keys = self.own_keys(object, Some(0));
            let open = makers.prefix("DataView", "") + "{";
            return Some(Structure::braces(open, Body::Named(parts), keys));
        };
        let mut words = vec![bytes.unwrap_or_else(|| "(detached)".into())];
        words.push(format!("byteLength: {length}"));
        let keys = self.own_keys(object, Some(0));
        Some(Structure::braces(makers.prefix(kind, "") + "{", Body::Words(words), keys))
    }

    /// What is one text, followed by properties if it has any.
    fn scalar(&mut self, object: &JsObject, makers: &Makers, level: usize) -> Option<Form> {
        let mut first = 0;
        let base = if let Ok(date) = JsDate::from_object(object.clone()) {
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
            let maker = match &makers.constructor {
                Some(name) if name == kind => String::new(),
                Some(name) => format!(" ({name})"),
                None => " (null prototype)".into(),
            };
            let tag = match &makers.tag {
                tag if tag.is_empty() || makers.made_by(tag) => String::new(),
                tag => format!(" [{tag}]"),
            };
            format!("[{kind}{maker}: {text}]{tag}")
        };
        let keys = self.own_keys(object, Some(first));
        if keys.is_empty() {
            return Some(Form::Whole(base));
        }
        let base = self.spend(base);
        let body = Body::None;
        Some(Form::Structure(Structure { base, open: "{".into(), close: "}", body, keys }))
    }

    /// Flag by flag: the `flags` getter would run getters that the program may have replaced.
    fn regexp(&mut self, pattern: &JsRegExp) -> Result<String, JsError> {
        let source = crate::regexp::source(pattern, self.context)?;
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

fn list(prefix: String, empty: bool, body: Body, keys: Vec<PropertyKey>) -> Form {
    if empty && keys.is_empty() {
        return Form::Whole(prefix + "[]");
    }
    Form::Structure(Structure { base: String::new(), open: prefix + "[", close: "]", body, keys })
}

fn braces_unless_empty(prefix: String, size: usize, body: Body, keys: Vec<PropertyKey>) -> Form {
    if size == 0 && keys.is_empty() {
        return Form::Whole(prefix + "{}");
    }
    Structure::braces(prefix + "{", body, keys)
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
fn boxed(object: &JsObject) -> Option<(&'static str, JsValue)> {
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
