//! What an object is called: the name of what made it, its tag, and how both stand before it.
//!
//! Border: own properties along the prototypes are read directly; `instanceof` is the ordinary one.

use boa_engine::{JsObject, JsString, JsSymbol, JsValue, js_string, property::PropertyKey};

use super::data_property;
use crate::limits::OUTPUT;

/// Prototypes that are searched for a name.
const CHAIN: usize = 64;
/// Units of a name that are shown.
const NAME: usize = 1_000;

/// Names that stand before an object.
pub(super) struct Makers {
    /// The name of what made it; `None` for an object without a prototype.
    pub(super) constructor: Option<String>,
    /// Its tag, unless that is shown as a property; else empty.
    pub(super) tag: String,
}

impl Makers {
    pub(super) fn of(object: &JsObject) -> Self {
        Self { constructor: constructor_name(object), tag: tag(object) }
    }

    /// Whether this was made by the built-in of that name.
    pub(super) fn made_by(&self, name: &str) -> bool {
        self.constructor.as_deref() == Some(name)
    }

    /// The names and a blank. `fallback` is for an object without a prototype.
    pub(super) fn prefix(&self, fallback: &str, size: &str) -> String {
        let tag = &self.tag;
        match &self.constructor {
            None if !tag.is_empty() && tag != fallback => {
                format!("[{fallback}{size}: null prototype] [{tag}] ")
            }
            None => format!("[{fallback}{size}: null prototype] "),
            Some(name) if !tag.is_empty() && tag != name => format!("{name}{size} [{tag}] "),
            Some(name) => format!("{name}{size} "),
        }
    }
}

/// An object and its prototypes.
fn chain(object: &JsObject) -> impl Iterator<Item = JsObject> {
    std::iter::successors(Some(object.clone()), |object| object.prototype()).take(CHAIN)
}

/// The name of what made the object: of a constructor whose `instanceof` it is, without the
/// program's `Symbol.hasInstance`.
fn constructor_name(object: &JsObject) -> Option<String> {
    chain(object).find_map(|holder| {
        let constructor = data_property(&holder, "constructor")?.as_object()?;
        let made = data_property(&constructor, "prototype")?.as_object()?;
        let maker = constructor.is_callable() && inherits(object, &made);
        let name = data_property(&constructor, "name").filter(|_| maker)?.as_string()?;
        (!name.is_empty()).then(|| short(&name))
    })
}

/// Whether the other object is among its prototypes.
pub(super) fn inherits(object: &JsObject, wanted: &JsObject) -> bool {
    chain(object).skip(1).any(|prototype| JsObject::equals(&prototype, wanted))
}

fn tag(object: &JsObject) -> String {
    let key = PropertyKey::from(JsSymbol::to_string_tag());
    let own = object.borrow().properties().get(&key);
    if own.is_some_and(|own| own.enumerable() == Some(true)) {
        return String::new();
    }
    let tag = inherited(object, &key).and_then(|tag| tag.as_string());
    tag.map_or_else(String::new, |tag| short(&tag))
}

/// The first value of this name along the prototypes, when it is a string.
pub(crate) fn inherited_text(object: &JsObject, name: &str) -> Option<String> {
    let key = PropertyKey::from(js_string!(name));
    let text = inherited(object, &key)?.as_string()?;
    // More than all output together is never shown.
    Some(text.slice(0, text.len().min(OUTPUT)).to_std_string_lossy())
}

/// A name, which may be copied several times.
fn short(name: &JsString) -> String {
    name.slice(0, name.len().min(NAME)).to_std_string_lossy()
}

fn inherited(object: &JsObject, key: &PropertyKey) -> Option<JsValue> {
    chain(object).find_map(|holder| holder.borrow().properties().get(key))?.value().cloned()
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
