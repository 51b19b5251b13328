//! Values as a person reads them: what Node's `util.inspect` shows with its default options.
//!
//! Border: it reads properties directly; no getter, proxy trap or `toString` of the program's runs.
//! It makes about as many bytes as there is room for, and goes no deeper than [`Options::levels`].

mod errors;
mod functions;
mod kinds;
mod layout;
mod lists;
mod names;
mod origins;
mod text;

use std::collections::BTreeMap;

use boa_engine::{
    Context, JsObject, JsString, JsValue, JsVariant, js_string,
    property::{PropertyDescriptor, PropertyKey},
};

use self::{layout::Group, names::Makers};
use crate::{host::truncate, json::keys};

pub(crate) use self::{
    kinds::boxed,
    layout::columns,
    names::{inherited_text, is_plain},
    origins::install,
};

/// The most levels of nesting that are ever shown: the walk needs little stack.
const LEVELS: usize = 20;
/// Units that are shown of one string within a structure.
const STRING: usize = 10_000;
/// Proxies of proxies that are looked through.
const PROXIES: usize = 64;

/// How much is shown, and how wide.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    /// Levels of nesting; 0 names an object without what is in it. Never more than [`LEVELS`].
    pub(crate) levels: usize,
    /// Elements or entries of one list, map or set.
    pub(crate) items: usize,
    /// Columns of a line.
    pub(crate) line: usize,
    /// Whether a string that is no part of anything stands for itself.
    pub(crate) bare: bool,
}

impl Options {
    /// For a value.
    pub(crate) const VALUE: Self = Self { levels: 3, items: 100, line: 80, bare: false };
    /// For an argument of `console.log`.
    pub(crate) const ARGUMENT: Self = Self { bare: true, ..Self::VALUE };
    /// For `%s`: of an object, only what is directly in it.
    pub(crate) const BRIEF: Self = Self { levels: 1, ..Self::ARGUMENT };
}

/// Renders a value in at most `room` bytes; says whether it was cut.
pub(crate) fn render(
    value: &JsValue,
    room: usize,
    options: Options,
    context: &mut Context,
) -> (String, bool) {
    // An item takes a byte at least.
    let (levels, items) = (options.levels.min(LEVELS), options.items.min(room));
    let options = Options { levels, items, ..options };
    let mut inspector = Inspector {
        context,
        options,
        path: Vec::new(),
        cycles: BTreeMap::new(),
        indentation: 0,
        deepest: 0,
        left: room,
    };
    let mut text = match value.as_string().filter(|_| options.bare) {
        Some(string) => inspector.string(&string),
        None => inspector.value(value, 0),
    };
    let cut = inspector.left == 0 || text.len() > room;
    truncate(&mut text, room);
    (text, cut)
}

/// Walks one value.
struct Inspector<'a> {
    context: &'a mut Context,
    options: Options,
    /// The objects that enclose the present one.
    path: Vec<JsObject>,
    /// The number of each object that was met again within itself, by its address.
    cycles: BTreeMap<usize, usize>,
    /// Blanks before a further line of the present structure.
    indentation: usize,
    /// The level of the structure that was walked last.
    deepest: usize,
    /// Bytes that may still be made; 0 ends the walk.
    left: usize,
}

/// How an object is shown.
enum Form {
    /// Nothing of it is inside brackets.
    Whole(String),
    Structure(Structure),
}

/// Brackets with parts in them.
struct Structure {
    /// What stands before the opening bracket.
    base: String,
    open: String,
    close: &'static str,
    body: Body,
    keys: Vec<PropertyKey>,
}

/// What a structure has besides its properties.
enum Body {
    None,
    /// Finished texts, such as `<pending>`.
    Words(Vec<String>),
    /// An array and its length.
    Array(u32),
    TypedArray(usize),
    /// Entries that are shown, and how many there are.
    Map(Vec<(JsValue, JsValue)>, usize),
    Set(Vec<JsValue>, usize),
    /// What a promise came to, after a word.
    Settled(&'static str, JsValue),
}

impl Body {
    fn is_empty(&self) -> bool {
        matches!(self, Self::None | Self::Map(_, 0) | Self::Set(_, 0))
    }
}

impl Structure {
    fn braces(open: String, body: Body, keys: Vec<PropertyKey>) -> Form {
        Form::Structure(Self { base: String::new(), open, close: "}", body, keys })
    }
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

    /// A string in quotes. Within a structure it is cut at [`STRING`] units.
    fn quoted(&mut self, string: &JsString) -> String {
        let most = if self.path.is_empty() { string.len() } else { string.len().min(STRING) };
        let shown = most.min(self.left);
        let mut text =
            text::quoted(&string.slice(0, shown).to_vec(), self.indentation, self.options.line);
        if shown < most {
            self.left = 0;
        } else if shown < string.len() {
            let more = string.len() - shown;
            text += &format!("... {more} more character{}", plural(more));
        }
        self.spend(text)
    }

    /// A value at this level of nesting; the outermost has level 0.
    fn value(&mut self, value: &JsValue, level: usize) -> String {
        if self.left == 0 {
            return "…".into();
        }
        match value.variant() {
            JsVariant::Object(object) => self.object(&object, level),
            JsVariant::String(string) => self.quoted(&string),
            JsVariant::Symbol(symbol) => self.string(&symbol.descriptive_string()),
            _ => {
                let text = primitive(value);
                self.spend(text)
            }
        }
    }

    fn object(&mut self, object: &JsObject, level: usize) -> String {
        let Some(object) = self.behind_proxies(object) else {
            return self.spend("[Proxy]".into());
        };
        if self.path.iter().any(|outer| JsObject::equals(outer, &object)) {
            let next = self.cycles.len() + 1;
            let number = *self.cycles.entry(address(&object)).or_insert(next);
            return self.spend(format!("[Circular *{number}]"));
        }
        let makers = Makers::of(&object);
        match self.form(&object, &makers, level) {
            Form::Whole(text) => self.spend(text),
            Form::Structure(_) if level >= self.options.levels => {
                let prefix = makers.prefix("Object", "");
                let name = prefix.trim_end();
                let named = makers.constructor.is_some();
                self.spend(if named { format!("[{name}]") } else { name.into() })
            }
            Form::Structure(structure) => self.structure(&object, structure, level + 1),
        }
    }

    fn behind_proxies(&self, object: &JsObject) -> Option<JsObject> {
        let mut object = object.clone();
        for _ in 0..PROXIES {
            if !origins::is_proxy(&object) {
                break;
            }
            object = origins::target(&object, self.context)?;
        }
        Some(object)
    }

    fn structure(&mut self, object: &JsObject, structure: Structure, level: usize) -> String {
        let Structure { mut base, open, close, body, keys } = structure;
        self.path.push(object.clone());
        self.deepest = level;
        let is_list = matches!(body, Body::Array(_) | Body::TypedArray(_));
        let open = self.spend(open);
        let mut parts = self.body(object, body, level);
        for key in keys {
            if self.left == 0 {
                break;
            }
            parts.push(self.property(object, &key, level));
        }
        self.path.pop();
        if let Some(number) = self.cycles.get(&address(object)) {
            let blank = if base.is_empty() { "" } else { " " };
            base = format!("<ref *{number}>{blank}{base}");
        }
        let list = is_list.then(|| self.is_numeric(object, parts.len()));
        let group = Group {
            base: &base,
            open: &open,
            close,
            list,
            indentation: self.indentation,
            options: self.options,
            below: self.deepest.saturating_sub(level),
        };
        group.join(parts)
    }

    /// Does something two columns further in.
    fn indented<T>(&mut self, then: impl FnOnce(&mut Self) -> T) -> T {
        self.indentation += 2;
        let made = then(self);
        self.indentation -= 2;
        made
    }

    /// `key: value`.
    fn property(&mut self, object: &JsObject, key: &PropertyKey, level: usize) -> String {
        let found = object.borrow().properties().get(key);
        let found = found.unwrap_or_default();
        let value = self.property_value(&found, level);
        let hidden = found.enumerable() == Some(false);
        let name = key_text(key, hidden, self.left);
        let name = self.spend(name);
        format!("{name}: {value}")
    }

    fn property_value(&mut self, property: &PropertyDescriptor, level: usize) -> String {
        if let Some(value) = property.value() {
            return self.indented(|inspector| inspector.value(value, level));
        }
        let has = |part: Option<&JsValue>| part.is_some_and(|part| !part.is_undefined());
        let text = match (has(property.get()), has(property.set())) {
            (true, true) => "[Getter/Setter]",
            (true, false) => "[Getter]",
            (false, true) => "[Setter]",
            (false, false) => "undefined",
        };
        self.spend(text.into())
    }

    /// Own enumerable keys, in the order in which they are shown: indices (from `first` on), names,
    /// symbols. No more than there is room for.
    fn own_keys(&self, object: &JsObject, first: Option<u32>) -> Vec<PropertyKey> {
        let (mut indices, others) = match first {
            Some(_) => keys(object),
            None => (Vec::new(), object.borrow().shape().keys()),
        };
        indices.retain(|index| first.is_some_and(|first| *index >= first));
        let (symbols, names): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|key| matches!(key, PropertyKey::Symbol(_)));
        let is_enumerable = |key: &PropertyKey| {
            let property = object.borrow().properties().get(key);
            property.is_some_and(|property| property.enumerable() == Some(true))
        };
        let all = indices.into_iter().map(PropertyKey::from).chain(names).chain(symbols);
        // Each takes more than four bytes.
        all.filter(is_enumerable).take(self.left / 4 + 1).collect()
    }
}

fn primitive(value: &JsValue) -> String {
    match value.variant() {
        JsVariant::Symbol(symbol) => symbol.descriptive_string().to_std_string_lossy(),
        JsVariant::BigInt(number) => format!("{number}n"),
        _ => value.display().to_string(),
    }
}

/// A key, bare where that can be misread as nothing else.
fn key_text(key: &PropertyKey, hidden: bool, room: usize) -> String {
    let name = match key {
        PropertyKey::Index(index) => return format!("'{}'", index.get()),
        PropertyKey::Symbol(symbol) => {
            let name = symbol.descriptive_string();
            return format!("[{}]", text::escape(&name.slice(0, room.min(name.len())).to_vec()));
        }
        PropertyKey::String(name) => name.slice(0, room.min(name.len())).to_vec(),
    };
    let of_name = |unit: &u16| {
        u8::try_from(*unit).is_ok_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let digit_first =
        name.first().is_some_and(|unit| (u16::from(b'0')..=u16::from(b'9')).contains(unit));
    if name == "__proto__".encode_utf16().collect::<Vec<_>>() {
        "['__proto__']".into()
    } else if hidden {
        format!("[{}]", text::escape(&name))
    } else if !name.is_empty() && !digit_first && name.iter().all(of_name) {
        String::from_utf16_lossy(&name)
    } else {
        text::quote(&name)
    }
}

/// What tells an object from all others while it lives.
fn address(object: &JsObject) -> usize {
    std::ptr::from_ref(object.as_ref()).cast::<()>().addr()
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn more_items(count: usize) -> String {
    format!("... {count} more item{}", plural(count))
}

/// An own property that holds a value.
pub(crate) fn data_property(object: &JsObject, name: &str) -> Option<JsValue> {
    let key = PropertyKey::from(js_string!(name));
    object.borrow().properties().get(&key)?.value().cloned()
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
