//! Fields of a JSON object, read with errors that say what each wants.
//!
//! Border: an absent field, `null` and the empty text all mean "not given", whatever the field wants: front
//! ends send their empty inputs. A type here is both the check of a field and its schema.

use std::fmt;

use quarry_types::CollectionName;
use serde::Deserialize;
use serde::de::{self, DeserializeOwned, Deserializer, Error as _};
use serde_json::{Map, Value};

use crate::Refusal;
use crate::nearest::{hint, shown};

/// Whether a value says nothing: front ends send their empty inputs.
pub(crate) fn is_blank(value: &Value) -> bool {
    value.is_null() || value == ""
}

/// What a field may hold.
pub(crate) trait Field: Sized {
    /// Reads a value that is not null. None: it is as good as not given.
    ///
    /// # Errors
    /// What the field wants instead, to follow its name.
    fn read(value: Value) -> Result<Option<Self>, String>;
}

/// A field as it came. An unusable one fails only where it is asked for, so that a body that is
/// refused can still be read for other fields.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Given<T>(
    #[cfg_attr(feature = "schema", schemars(with = "Option<T>"))] Result<Option<T>, String>,
);

impl<T> Given<T> {
    /// Whether there is anything, be it of use or not.
    pub(crate) const fn is_given(&self) -> bool {
        !matches!(self.0, Ok(None))
    }

    /// A field as it came.
    pub(crate) fn of(value: Value) -> Given<T>
    where
        T: Field,
    {
        Given(if is_blank(&value) { Ok(None) } else { T::read(value) })
    }

    /// The value, if it was given. `name` is the field's, with dots for nesting.
    ///
    /// # Errors
    /// [`Refusal::InvalidField`] with that name.
    pub(crate) fn named(self, name: &str) -> Result<Option<T>, Refusal> {
        self.0.map_err(|wants| Refusal::field(name, &wants))
    }
}

impl<T> Default for Given<T> {
    fn default() -> Self {
        Given(Ok(None))
    }
}

impl<'de, T: Field> Deserialize<'de> for Given<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Value::deserialize(from).map(Given::of)
    }
}

/// What one of two fields says that mean the same, each with its name.
///
/// # Errors
/// [`Refusal::InvalidField`] when one of them cannot be used, or both are given.
pub(crate) fn either<T>(
    (name, one): (&str, Given<T>),
    (other_name, other): (&str, Given<T>),
) -> Result<Option<T>, Refusal> {
    match (one.named(name)?, other.named(other_name)?) {
        (Some(_), Some(_)) => {
            let message = format!("stands beside `{name}`, which means the same; send one of them");
            Err(Refusal::field(other_name, &message))
        }
        (one, other) => Ok(one.or(other)),
    }
}

/// A text of at most so many characters.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Text<const MOST: usize>(
    #[cfg_attr(feature = "schema", schemars(length(max = MOST)))] pub(crate) String,
);

impl<const MOST: usize> fmt::Debug for Text<MOST> {
    /// Without the text, which may be a key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Text(…)")
    }
}

impl<const MOST: usize> Field for Text<MOST> {
    fn read(value: Value) -> Result<Option<Self>, String> {
        match value {
            Value::String(text) if text.is_empty() => Ok(None),
            // Bytes first: counting characters is for the few that are near the limit.
            Value::String(text) if text.len() > MOST && text.chars().count() > MOST => {
                Err(format!("is too long; send at most {MOST} characters"))
            }
            Value::String(text) => Ok(Some(Text(text))),
            _ => Err("wants a text".to_owned()),
        }
    }
}

impl Field for CollectionName {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let Some(name) = value.as_str() else { return Err("wants a text".to_owned()) };
        CollectionName::read(Some(name)).map(Some).map_err(|wrong| wrong.to_string())
    }
}

impl Field for bool {
    fn read(value: Value) -> Result<Option<Self>, String> {
        value.as_bool().map(Some).ok_or_else(|| "wants true or false".to_owned())
    }
}

/// A number above 0.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Positive(
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0)))] pub(crate) f64,
);

impl Field for Positive {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let number = value.as_f64().filter(|number| number.is_finite() && *number > 0.0);
        number
            .map(|number| Some(Positive(number)))
            .ok_or_else(|| "wants a number above 0".to_owned())
    }
}

/// A whole number however it is written: JSON Schema takes `3.0` for an integer, and some clients
/// write it so.
pub(crate) fn whole(value: &Value) -> Option<u64> {
    /// Above this not every whole number is one of these.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    value.as_u64().or_else(|| {
        let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
        // The cast is exact within these.
        (0.0..=EXACT).contains(&number).then_some(number as u64)
    })
}

/// A whole number above 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct AboveZero(
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))] pub(crate) u64,
);

impl Field for AboveZero {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let number = whole(&value).filter(|number| *number > 0);
        let wants = || "wants a whole number above 0".to_owned();
        number.map(|number| Some(AboveZero(number))).ok_or_else(wants)
    }
}

/// A whole number from 1 to this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Whole<const MOST: u32>(
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = MOST)))] pub(crate) u32,
);

impl<const MOST: u32> Field for Whole<MOST> {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let number = whole(&value).and_then(|number| u32::try_from(number).ok());
        let number = number.filter(|number| (1..=MOST).contains(number));
        let wants = || format!("wants a whole number from 1 to {MOST}");
        number.map(|number| Some(Whole(number))).ok_or_else(wants)
    }
}

impl Field for Map<String, Value> {
    fn read(value: Value) -> Result<Option<Self>, String> {
        match value {
            Value::Object(map) => Ok(Some(map)),
            _ => Err("wants an object".to_owned()),
        }
    }
}

/// An object whose own fields are [`Given`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Object<T>(pub(crate) T);

impl<T: DeserializeOwned> Field for Object<T> {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let fields = Map::read(value)?.unwrap_or_default();
        let read = serde_json::from_value(Value::Object(fields));
        read.map(|fields| Some(Object(fields))).map_err(|error| error.to_string())
    }
}

/// An object that has these fields, which are [`Given`], and no others.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(inline, extend("additionalProperties" = false)))]
pub(crate) struct Known<T>(pub(crate) T);

impl<T: DeserializeOwned> Field for Known<T> {
    fn read(value: Value) -> Result<Option<Self>, String> {
        if let Some(fields) = value.as_object() {
            knows(names::<T>(), fields)?;
        }
        Object::read(value).map(|read| read.map(|Object(fields)| Known(fields)))
    }
}

/// The first field that a type does not have, and which of its fields may be meant.
pub(crate) fn unknown<T: DeserializeOwned>(fields: &Map<String, Value>) -> Option<(&str, String)> {
    stranger(names::<T>(), fields)
}

fn stranger<'f>(
    known: &[&'static str],
    fields: &'f Map<String, Value>,
) -> Option<(&'f str, String)> {
    let unknown = fields.keys().find(|name| !known.contains(&name.as_str()))?;
    Some((shown(unknown), hint(unknown, known)))
}

/// Whether an object has these fields alone.
///
/// # Errors
/// Which it may not have, and which of these may be meant.
pub(crate) fn knows(known: &[&'static str], fields: &Map<String, Value>) -> Result<(), String> {
    match stranger(known, fields) {
        None => Ok(()),
        Some((unknown, meant)) => Err(format!("has no field `{unknown}`; {meant}")),
    }
}

/// The names of a type's fields, as its deserialisation asks for them: no second list to keep.
pub(crate) fn names<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // It always fails; what it asks for is the answer.
    drop(T::deserialize(Asked(&mut names)));
    names
}

struct Asked<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = de::value::Error;

    fn deserialize_any<V: de::Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(Self::Error::custom("nothing is read here"))
    }

    fn deserialize_struct<V: de::Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
