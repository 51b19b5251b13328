//! Enums that are told apart by a field, as `#[serde(tag = "…")]` writes them, but read where they stand.
//!
//! What serde derives for such an enum makes a tree of it first, because the field may come last, and
//! holds a second reader of everything that the variants have. Here the field comes first.
//!
//! An enum of units and variants with named fields derives both traits with `#[serde(remote = "Self")]`,
//! and implements them by [`Tagged`] around what was derived.
//! Border: for what we write ourselves; others may have the field anywhere.

use serde::Serialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IgnoredAny, MapAccess, VariantAccess,
    Visitor,
};
use serde::ser::{Error as _, Impossible, SerializeStruct, SerializeStructVariant, Serializer};
use std::borrow::Cow;
use std::fmt;

/// What reads or writes the fields of a variant, with the field in front that tells which it is.
#[derive(Debug)]
pub struct Tagged<T> {
    /// The field's name.
    pub tag: &'static str,
    /// A serializer or a deserializer.
    pub by: T,
}

/// Anything but a variant.
const NO_VARIANT: &str = "only variants are told apart by a field";

macro_rules! no_variants {
    ($($name:ident: $kind:ty),*) => {
        $(fn $name(self, _: $kind) -> Result<Self::Ok, Self::Error> {
            Err(S::Error::custom(NO_VARIANT))
        })*
    };
}

impl<S: Serializer> Serializer for Tagged<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Impossible<S::Ok, S::Error>;
    type SerializeTuple = Impossible<S::Ok, S::Error>;
    type SerializeTupleStruct = Impossible<S::Ok, S::Error>;
    type SerializeTupleVariant = Impossible<S::Ok, S::Error>;
    type SerializeMap = Impossible<S::Ok, S::Error>;
    type SerializeStruct = Impossible<S::Ok, S::Error>;
    type SerializeStructVariant = Tagged<S::SerializeStruct>;

    fn serialize_unit_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<S::Ok, S::Error> {
        let mut fields = self.by.serialize_struct(name, 1)?;
        fields.serialize_field(self.tag, variant)?;
        fields.end()
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Self::SerializeStructVariant, S::Error> {
        let mut by = self.by.serialize_struct(name, length + 1)?;
        by.serialize_field(self.tag, variant)?;
        Ok(Tagged { tag: self.tag, by })
    }

    no_variants! {
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32,
        serialize_i64: i64, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32,
        serialize_u64: u64, serialize_f32: f32, serialize_f64: f64, serialize_char: char,
        serialize_str: &str, serialize_bytes: &[u8], serialize_unit_struct: &'static str
    }

    fn serialize_none(self) -> Result<S::Ok, S::Error> {
        Err(S::Error::custom(NO_VARIANT))
    }

    fn serialize_some<T: ?Sized>(self, _: &T) -> Result<S::Ok, S::Error> {
        Err(S::Error::custom(NO_VARIANT))
    }

    fn serialize_unit(self) -> Result<S::Ok, S::Error> {
        Err(S::Error::custom(NO_VARIANT))
    }

    fn serialize_newtype_struct<T: ?Sized>(
        self,
        _: &'static str,
        _: &T,
    ) -> Result<S::Ok, S::Error> {
        Err(S::Error::custom(NO_VARIANT))
    }

    fn serialize_newtype_variant<T: ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<S::Ok, S::Error> {
        Err(S::Error::custom(NO_VARIANT))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, S::Error> {
        Err(S::Error::custom(NO_VARIANT))
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, S::Error> {
        Err(S::Error::custom(NO_VARIANT))
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, S::Error> {
        Err(S::Error::custom(NO_VARIANT))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, S::Error> {
        Err(S::Error::custom(NO_VARIANT))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, S::Error> {
        Err(S::Error::custom(NO_VARIANT))
    }

    fn serialize_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStruct, S::Error> {
        Err(S::Error::custom(NO_VARIANT))
    }
}

impl<S: SerializeStruct> SerializeStructVariant for Tagged<S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), S::Error> {
        self.by.serialize_field(key, value)
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        self.by.end()
    }
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Tagged<D> {
    type Error = D::Error;

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.by.deserialize_map(Tagged { tag: self.tag, by: visitor })
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, D::Error> {
        Err(D::Error::custom(NO_VARIANT))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Tagged<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object that begins with `{}`", self.tag)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<V::Value, A::Error> {
        let first: Option<Cow<'_, str>> = fields.next_key()?;
        if first.as_deref() != Some(self.tag) {
            return Err(A::Error::custom(format_args!("`{}` does not come first", self.tag)));
        }
        self.by.visit_enum(Fields(fields))
    }
}

/// What comes in an object from its first field's value on: which variant it is, then its fields.
struct Fields<A>(A);

impl<'de, A: MapAccess<'de>> EnumAccess<'de> for Fields<A> {
    type Error = A::Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(
        mut self,
        seed: S,
    ) -> Result<(S::Value, Self), A::Error> {
        Ok((self.0.next_value_seed(seed)?, self))
    }
}

impl<'de, A: MapAccess<'de>> VariantAccess<'de> for Fields<A> {
    type Error = A::Error;

    fn unit_variant(mut self) -> Result<(), A::Error> {
        while self.0.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        seed.deserialize(MapAccessDeserializer::new(self.0))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, A::Error> {
        Err(A::Error::custom(NO_VARIANT))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        visitor.visit_map(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(remote = "Self", rename_all = "snake_case")]
    enum Said {
        Nothing,
        Something {
            words: String,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            to: Option<Box<Said>>,
        },
    }

    impl Serialize for Said {
        fn serialize<S: Serializer>(&self, by: S) -> Result<S::Ok, S::Error> {
            Said::serialize(self, Tagged { tag: "said", by })
        }
    }

    impl<'de> Deserialize<'de> for Said {
        fn deserialize<D: Deserializer<'de>>(by: D) -> Result<Self, D::Error> {
            Said::deserialize(Tagged { tag: "said", by })
        }
    }

    /// What serde derives.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "said", rename_all = "snake_case")]
    enum Derived {
        Nothing,
        Something {
            words: String,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            to: Option<Box<Derived>>,
        },
    }

    #[test]
    fn it_is_written_and_read_as_serde_does() {
        let words = || "“é\n”".to_owned();
        let to = Some(Box::new(Said::Nothing));
        let ours = [Said::Nothing, Said::Something { words: words(), to }];
        let to = Some(Box::new(Derived::Nothing));
        let theirs = [Derived::Nothing, Derived::Something { words: words(), to }];
        for (ours, theirs) in ours.iter().zip(&theirs) {
            let text = serde_json::to_string(ours).unwrap();
            assert_eq!(text, serde_json::to_string(theirs).unwrap());
            assert_eq!(&serde_json::from_str::<Said>(&text).unwrap(), ours);
            let value = serde_json::to_value(ours).unwrap();
            assert_eq!(&serde_json::from_value::<Said>(value).unwrap(), ours);
        }
        let more = r#"{"said":"nothing","later":{"versions":[1]}}"#;
        assert_eq!(serde_json::from_str::<Said>(more).unwrap(), Said::Nothing);
    }

    #[test]
    fn what_is_none_of_them_is_refused_with_a_sentence() {
        let refused = |text: &str| serde_json::from_str::<Said>(text).unwrap_err().to_string();
        assert!(
            refused(r#"{"words":"x","said":"something"}"#).contains("`said` does not come first")
        );
        assert!(refused(r#"{"said":"more"}"#).contains("unknown variant `more`"));
        assert!(refused(r#"{"said":"something"}"#).contains("missing field `words`"));
        assert!(refused("{}").contains("`said`"));
        assert!(refused("3").contains("an object that begins with `said`"));
    }
}
