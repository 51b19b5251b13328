//! The JSON form of a value, where it has one: where a round trip through JSON changes nothing.
//!
//! Border: it reads properties directly and runs no code of the program's.

use boa_engine::{
    JsObject, JsString, JsValue, JsVariant, js_string,
    property::{PropertyDescriptor, PropertyKey},
};

use crate::inspect::{array_length, is_plain};

/// Nesting beyond this is told as text, so that the walk needs little stack.
const DEPTH: usize = 64;

/// What came of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Json {
    /// One JSON text.
    Text(String),
    /// The value has a JSON form, but a longer one than was allowed.
    TooLong,
    /// The value has none.
    None,
}

/// Why the walk ended early.
enum Stop {
    TooLong,
    NotJson,
}

/// Renders a value in at most `room` bytes.
pub(crate) fn render(value: &JsValue, room: usize) -> Json {
    let mut writer = Writer { text: String::new(), room };
    match writer.value(value, DEPTH) {
        Ok(()) => Json::Text(writer.text),
        Err(Stop::TooLong) => Json::TooLong,
        Err(Stop::NotJson) => Json::None,
    }
}

struct Writer {
    text: String,
    room: usize,
}

impl Writer {
    fn put(&mut self, text: &str) -> Result<(), Stop> {
        if self.text.len().saturating_add(text.len()) > self.room {
            return Err(Stop::TooLong);
        }
        self.text.push_str(text);
        Ok(())
    }

    fn value(&mut self, value: &JsValue, depth: usize) -> Result<(), Stop> {
        match value.variant() {
            JsVariant::Null => self.put("null"),
            JsVariant::Boolean(true) => self.put("true"),
            JsVariant::Boolean(false) => self.put("false"),
            JsVariant::Integer32(number) => self.put(&number.to_string()),
            JsVariant::Float64(number) if number.is_finite() => {
                self.put(&value.display().to_string())
            }
            JsVariant::String(text) => {
                if text.len() > self.room {
                    return Err(Stop::TooLong);
                }
                self.string(&text)
            }
            JsVariant::Object(object) if depth > 0 => self.object(&object, depth - 1),
            _ => Err(Stop::NotJson),
        }
    }

    fn object(&mut self, object: &JsObject, depth: usize) -> Result<(), Stop> {
        if let Some(length) = array_length(object) {
            return self.array(object, length, depth);
        }
        if !is_plain(object) {
            return Err(Stop::NotJson);
        }
        self.put("{")?;
        let mut comma = "";
        for (key, property) in enumerable(object) {
            self.put(comma)?;
            comma = ",";
            match &key {
                PropertyKey::String(name) => self.string(name)?,
                PropertyKey::Index(index) => self.put(&format!("\"{}\"", index.get()))?,
                PropertyKey::Symbol(_) => return Err(Stop::NotJson),
            }
            self.put(":")?;
            self.value(property.value().ok_or(Stop::NotJson)?, depth)?;
        }
        self.put("}")
    }

    fn array(&mut self, object: &JsObject, length: u32, depth: usize) -> Result<(), Stop> {
        let present = object.borrow().properties().index_property_keys().count();
        if present != usize::try_from(length).unwrap_or(usize::MAX) {
            return Err(Stop::NotJson);
        }
        // More elements than bytes cannot fit.
        if usize::try_from(length).unwrap_or(usize::MAX) > self.room {
            return Err(Stop::TooLong);
        }
        // Named properties on an array would be lost.
        let length_key = PropertyKey::from(js_string!("length"));
        if object.borrow().shape().keys().iter().any(|key| *key != length_key) {
            return Err(Stop::NotJson);
        }
        self.put("[")?;
        for index in 0..length {
            if index > 0 {
                self.put(",")?;
            }
            let property = object.borrow().properties().get(&PropertyKey::from(index));
            let property = property.ok_or(Stop::NotJson)?;
            self.value(property.value().ok_or(Stop::NotJson)?, depth)?;
        }
        self.put("]")
    }

    fn string(&mut self, text: &JsString) -> Result<(), Stop> {
        let text = text.to_std_string().map_err(|_| Stop::NotJson)?;
        self.put(&serde_json::to_string(&text).map_err(|_| Stop::NotJson)?)
    }
}

/// Own enumerable properties in the language's order, as they lie there.
pub(crate) fn enumerable(
    object: &JsObject,
) -> impl Iterator<Item = (PropertyKey, PropertyDescriptor)> + '_ {
    let (indices, others) = keys(object);
    let all = indices.into_iter().map(PropertyKey::from).chain(others);
    let found = all.filter_map(|key| {
        let property = object.borrow().properties().get(&key)?;
        Some((key, property))
    });
    found.filter(|(_, property)| property.enumerable() == Some(true))
}

/// Own keys in the language's order: indices rising, then the rest as they were made.
pub(crate) fn keys(object: &JsObject) -> (Vec<u32>, Vec<PropertyKey>) {
    let object = object.borrow();
    let mut indices: Vec<u32> = object.properties().index_property_keys().collect();
    indices.sort_unstable();
    (indices, object.shape().keys())
}
