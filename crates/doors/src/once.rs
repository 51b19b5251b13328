//! JSON of which it is told where a key stands twice in one object: whatever else reads it keeps the last one, and whoever
//! sent both is not told.
//!
//! Border: bytes in, values out; what is said of it is for the doors.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::Refusal;
use crate::nearest::shown;

/// What is said of what stands there twice.
pub(crate) const TWICE: &str = "stands there twice; send it once";

/// Something that was read, and the first key that stands twice in one of its objects, with dots for nesting.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Once<T> {
    /// It, with the last of what has the same key.
    pub value: T,
    /// The key.
    pub twice: Option<String>,
}

impl<T> Once<T> {
    /// It, where each key stands there once.
    ///
    /// # Errors
    /// [`Refusal::InvalidField`] with the key that does not.
    pub(crate) fn checked(self) -> Result<T, Refusal> {
        match self.twice {
            None => Ok(self.value),
            Some(name) => Err(Refusal::field(&name, TWICE)),
        }
    }
}

/// Reads JSON.
///
/// # Errors
/// Where it is none.
pub(crate) fn read(json: &[u8]) -> serde_json::Result<Once<Value>> {
    let mut twice = None;
    let mut from = serde_json::Deserializer::from_slice(json);
    let value = Reader { place: Place::Top, twice: &mut twice }.deserialize(&mut from)?;
    from.end()?;
    Ok(Once { value, twice })
}

/// Where something stands: written out only where something is wrong there.
#[derive(Clone, Copy)]
enum Place<'p> {
    Top,
    In(&'p Place<'p>, &'p str),
}

impl Place<'_> {
    fn of(&self, name: &str) -> String {
        match self {
            Place::Top => shown(name).to_owned(),
            Place::In(outer, own) => format!("{}.{}", outer.of(own), shown(name)),
        }
    }
}

struct Reader<'r> {
    place: Place<'r>,
    twice: &'r mut Option<String>,
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let Reader { place, twice } = self;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Reader { place, twice: &mut *twice })? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let Reader { place, twice } = self;
        let mut map = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            let inside = Reader { place: Place::In(&place, &name), twice: &mut *twice };
            let value = fields.next_value_seed(inside)?;
            if map.contains_key(&name) {
                twice.get_or_insert_with(|| place.of(&name));
            }
            map.insert(name, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_first_key_that_stands_twice_is_named_with_its_place() {
        for (json, named) in [
            (r#"{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}"#, None),
            (r#"{"a":1,"a":1}"#, Some("a")),
            (r#"{"a":1,"\u0061":2}"#, Some("a")),
            (r#"{"a":{"b":1,"c":2,"b":3},"a":4}"#, Some("a.b")),
            (r#"{"a":[1,{"b":1,"b":2}]}"#, Some("a.b")),
            (r#"[{"b":1,"b":2}]"#, Some("b")),
        ] {
            let once = read(json.as_bytes()).unwrap();
            assert_eq!(once.twice.as_deref(), named, "{json}");
            assert_eq!(once.value, serde_json::from_str::<Value>(json).unwrap(), "{json}");
            let refused = once.checked().err().map(|refusal| refusal.to_string());
            let words = named.map(|name| format!("`{name}` stands there twice; send it once"));
            assert_eq!(refused, words, "{json}");
        }
    }

    #[test]
    fn of_a_long_key_only_the_beginning_is_told() {
        let key = "k".repeat(100_000);
        let once = read(format!(r#"{{"{key}":1,"{key}":2}}"#).as_bytes()).unwrap();
        assert_eq!(once.twice.as_deref(), Some(shown(&key)));
    }

    #[test]
    fn what_is_nested_without_end_is_no_json_here() {
        let deep = "[".repeat(100_000);
        assert!(read(deep.as_bytes()).is_err());
    }

    proptest! {
        /// Whatever comes, it is read as everybody reads it.
        #[test]
        fn values_are_those_of_any_other_reader(
            json in r#"[\[\{]?("[ab]":)?(null|true|-?[0-9]{1,25}(\.[0-9]{1,9})?(e[0-9]{1,3})?|"[a-c\\n]{0,5}")(,("[ab]":)?[0-9])?[\]\}]? ?x?"#
        ) {
            let others = serde_json::from_str::<Value>(&json).ok();
            prop_assert_eq!(read(json.as_bytes()).ok().map(|once| once.value), others);
        }
    }
}
