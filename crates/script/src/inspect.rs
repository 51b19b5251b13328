//! Values as a person reads them, in the manner of Node's `util.inspect`.
//!
//! Border: it reads properties directly; no getter, proxy trap or `toString` of the program's runs.

mod layout;
mod special;
mod web;

use boa_engine::{
    Context, JsObject, JsString, JsValue, JsVariant, js_string,
    property::{PropertyDescriptor, PropertyKey},
};

use self::layout::{group, quote};
use crate::{host::truncate, json::keys};

/// Nesting that is shown.
const DEPTH: usize = 5;
/// Elements, entries or properties that are shown of one object.
const ITEMS: usize = 100;
/// Prototypes that are searched for a name.
const CHAIN: usize = 64;

/// Renders a value in at most `room` bytes; says whether it was cut.
pub(crate) fn render(value: &JsValue, room: usize, context: &mut Context) -> (String, bool) {
    finish(value, room, false, context)
}

/// The same for an argument of `console.log`: a string stands for itself.
pub(crate) fn argument(value: &JsValue, room: usize, context: &mut Context) -> (String, bool) {
    finish(value, room, true, context)
}

fn finish(value: &JsValue, room: usize, plain: bool, context: &mut Context) -> (String, bool) {
    let mut inspector = Inspector { context, path: Vec::new(), left: room };
    let mut text = match value.as_string() {
        Some(string) if plain => inspector.string(&string),
        _ => inspector.value(value),
    };
    let cut = inspector.left == 0 || text.len() > room;
    truncate(&mut text, room);
    (text, cut)
}

/// Walks one value.
struct Inspector<'a> {
    context: &'a mut Context,
    /// The objects that enclose the present one.
    path: Vec<JsObject>,
    /// Bytes that may still be made; 0 ends the walk.
    left: usize,
}

impl Inspector<'_> {
    /// Accounts for a piece of text.
    fn spend(&mut self, text: String) -> String {
        self.left = self.left.saturating_sub(text.len() + 1);
        text
    }

    /// A string as it is, at most as much as there is room for.
    fn string(&mut self, string: &JsString) -> String {
        let text = string.slice(0, self.left.min(string.len()));
        let text = text.to_std_string_lossy();
        if string.len() > self.left {
            self.left = 0;
        }
        self.spend(text)
    }

    fn value(&mut self, value: &JsValue) -> String {
        if self.left == 0 {
            return "…".into();
        }
        let text = match value.variant() {
            JsVariant::Object(object) => return self.object(&object),
            JsVariant::String(string) => {
                let text = self.string(&string);
                return quote(&text);
            }
            JsVariant::Symbol(symbol) => symbol.descriptive_string().to_std_string_lossy(),
            JsVariant::BigInt(number) => format!("{number}n"),
            JsVariant::Undefined => "undefined".into(),
            JsVariant::Null
            | JsVariant::Boolean(_)
            | JsVariant::Float64(_)
            | JsVariant::Integer32(_) => value.display().to_string(),
        };
        self.spend(text)
    }

    fn object(&mut self, object: &JsObject) -> String {
        if self.path.iter().any(|outer| JsObject::equals(outer, object)) {
            return self.spend("[Circular]".into());
        }
        if self.path.len() >= DEPTH {
            let name = constructor_name(object).unwrap_or_else(|| "Object".into());
            return self.spend(format!("[{name}]"));
        }
        self.path.push(object.clone());
        let text = match self.special(object) {
            Some(text) => text,
            None => self.ordinary(object),
        };
        self.path.pop();
        text
    }

    fn ordinary(&mut self, object: &JsObject) -> String {
        let prefix = match constructor_name(object) {
            Some(name) if name == "Object" => {
                tag(object).map_or_else(String::new, |tag| format!("Object [{tag}] "))
            }
            Some(name) => match tag(object).filter(|tag| *tag != name) {
                Some(tag) => format!("{name} [{tag}] "),
                None => format!("{name} "),
            },
            None => "[Object: null prototype] ".into(),
        };
        let items = self.properties(object, true);
        let prefix = self.spend(prefix);
        group(&prefix, "{", &items, "}")
    }

    /// `key: value` for each enumerable property.
    fn properties(&mut self, object: &JsObject, with_indices: bool) -> Vec<String> {
        let (indices, others) = keys(object);
        let indices = if with_indices { indices } else { Vec::new() };
        let all = indices.len() + others.len();
        let mut items = Vec::new();
        for key in indices.into_iter().map(PropertyKey::from).chain(others) {
            if items.len() == ITEMS {
                items.push(format!("... {} more properties", all - ITEMS));
                break;
            }
            if self.left == 0 {
                break;
            }
            let property = object.borrow().properties().get(&key);
            let Some(property) = property.filter(|found| found.enumerable() == Some(true)) else {
                continue;
            };
            let name = self.key(&key);
            let value = self.property(&property);
            items.push(format!("{name}: {value}"));
        }
        items
    }

    fn key(&mut self, key: &PropertyKey) -> String {
        let text = match key {
            PropertyKey::Index(index) => index.get().to_string(),
            PropertyKey::Symbol(symbol) => {
                format!("[{}]", symbol.descriptive_string().to_std_string_lossy())
            }
            PropertyKey::String(name) => {
                let name = self.string(name);
                let mut chars = name.chars();
                let identifier =
                    chars.next().is_some_and(|c| c.is_alphabetic() || "_$".contains(c))
                        && chars.all(|c| c.is_alphanumeric() || "_$".contains(c));
                return if identifier { name } else { quote(&name) };
            }
        };
        self.spend(text)
    }

    fn property(&mut self, property: &PropertyDescriptor) -> String {
        if let Some(value) = property.value() {
            return self.value(value);
        }
        let has = |part: Option<&JsValue>| part.is_some_and(|part| !part.is_undefined());
        let text = match (has(property.get()), has(property.set())) {
            (true, true) => "[Getter/Setter]",
            (false, true) => "[Setter]",
            _ => "[Getter]",
        };
        self.spend(text.into())
    }
}

/// An own property that holds a value.
pub(crate) fn data_property(object: &JsObject, name: &str) -> Option<JsValue> {
    let key = PropertyKey::from(js_string!(name));
    object.borrow().properties().get(&key)?.value().cloned()
}

/// The first value of this name along the prototypes, when it is a string.
pub(crate) fn inherited_text(object: &JsObject, name: &str) -> Option<String> {
    let key = PropertyKey::from(js_string!(name));
    Some(inherited(object, &key)?.as_string()?.to_std_string_lossy())
}

fn inherited(object: &JsObject, key: &PropertyKey) -> Option<JsValue> {
    let mut object = Some(object.clone());
    for _ in 0..CHAIN {
        let present = object.take()?;
        if let Some(found) = present.borrow().properties().get(key) {
            return found.value().cloned();
        }
        object = present.prototype();
    }
    None
}

/// The length of a true array.
pub(crate) fn array_length(object: &JsObject) -> Option<u32> {
    if !object.is_array() {
        return None;
    }
    let length = data_property(object, "length")?.as_number()?;
    // An array's length is a whole number below 2^32.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked by range")]
    (0.0..=f64::from(u32::MAX)).contains(&length).then_some(length as u32)
}

/// Whether this is an object as `{}` makes it.
pub(crate) fn is_plain(object: &JsObject) -> bool {
    let bare = match object.prototype() {
        None => true,
        Some(prototype) => {
            prototype.prototype().is_none() && data_property(&prototype, "hasOwnProperty").is_some()
        }
    };
    bare && object.is_ordinary() && !object.is_callable()
}

/// The name of what made the object.
fn constructor_name(object: &JsObject) -> Option<String> {
    let constructor = inherited(object, &js_string!("constructor").into())?.as_object()?;
    let name = data_property(&constructor, "name")?.as_string()?.to_std_string_lossy();
    (!name.is_empty()).then_some(name)
}

fn tag(object: &JsObject) -> Option<String> {
    let key = PropertyKey::from(boa_engine::JsSymbol::to_string_tag());
    Some(inherited(object, &key)?.as_string()?.to_std_string_lossy())
}
