//! JSON as serde_json writes it, for what is written often: names of fields are not looked through, and texts a word at a
//! time (`long`). A component looks for the end of its time at each turn of a loop, so what goes byte by byte is dear there.
//!
//! Border: values in, and whatever serde_json would write of them out. What has no form here has none there.

use super::long;
use serde::ser::{
    self, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use std::fmt::Display;

/// The name by which serde_json's [`RawValue`](serde_json::value::RawValue) says that it is written as it is.
const RAW: &str = "$serde_json::private::RawValue";

/// Bytes of a text, at least as a rule: it need not grow byte by byte at first.
const SHORT: usize = 128;

/// What is written has no form here.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("has no form as JSON here")]
pub struct Formless;

impl ser::Error for Formless {
    fn custom<T: Display>(_: T) -> Self {
        Formless
    }
}

/// Writes a value behind what is there.
///
/// # Errors
/// [`Formless`] for what is no JSON; then nothing of it stands there.
pub fn write<T: Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) -> Result<(), Formless> {
    let begun = out.len();
    let written = value.serialize(Pen::new(out));
    if written.is_err() {
        out.truncate(begun);
    }
    written
}

/// Writes an object's members behind those of the object with which `out` ends. Flattened into that one, each of their names
/// would be looked through.
///
/// # Errors
/// [`Formless`] for what is no object, and where none ends; then nothing of it stands there.
pub fn write_beside<T: Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) -> Result<(), Formless> {
    let joint = out.len();
    write(value, out)?;
    let is_object = out.get(joint) == Some(&b'{');
    let end = joint.checked_sub(1).filter(|end| is_object && out.get(*end) == Some(&b'}'));
    let Some(end) = end else {
        out.truncate(joint);
        return Err(Formless);
    };
    if out.len() == joint + 2 {
        out.truncate(joint);
        return Ok(());
    }
    let is_first = out.get(..end).is_some_and(|before| before.ends_with(b"{"));
    if is_first {
        out.drain(end..=joint);
    } else {
        out.remove(joint);
        out.get_mut(end).into_iter().for_each(|brace| *brace = b',');
    }
    Ok(())
}

/// The same as a text.
///
/// # Errors
/// [`Formless`] for what is no JSON.
pub fn text<T: Serialize + ?Sized>(value: &T) -> Result<String, Formless> {
    let mut out = Vec::with_capacity(SHORT);
    write(value, &mut out)?;
    String::from_utf8(out).map_err(|_| Formless)
}

/// A text that is JSON already, written as it is: by serde_json, too, which does not look whether it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written<'t>(pub &'t str);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut raw = serializer.serialize_struct(RAW, 1)?;
        raw.serialize_field(RAW, self.0)?;
        raw.end()
    }
}

struct Pen<'o> {
    out: &'o mut Vec<u8>,
    /// Whether a text is JSON already.
    is_raw: bool,
}

impl<'o> Pen<'o> {
    const fn new(out: &'o mut Vec<u8>) -> Pen<'o> {
        Pen { out, is_raw: false }
    }

    /// Numbers have many forms; these are serde_json's own.
    fn number(self, number: &impl Serialize) -> Result<(), Formless> {
        serde_json::to_writer(self.out, number).map_err(|_| Formless)
    }

    fn word(self, word: &str) {
        self.out.extend_from_slice(word.as_bytes());
    }

    fn begin(self, first: u8, last: u8) -> Members<'o> {
        self.out.push(first);
        Members { out: self.out, is_first: true, last: Some(last) }
    }
}

/// An object's or a list's.
struct Members<'o> {
    out: &'o mut Vec<u8>,
    is_first: bool,
    /// What ends it; none: it is written as it is.
    last: Option<u8>,
}

impl Members<'_> {
    fn next(&mut self) -> Pen<'_> {
        if !std::mem::replace(&mut self.is_first, false) {
            self.out.push(b',');
        }
        Pen::new(self.out)
    }

    /// Of a field: nothing in it has to be escaped.
    fn name(&mut self, name: &str) -> Pen<'_> {
        let Pen { out, .. } = self.next();
        out.push(b'"');
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b"\":");
        Pen::new(out)
    }

    fn finish(self) {
        self.out.extend(self.last);
    }
}

/// What a variant holds, in an object whose only member has the variant's name.
struct Held<'o>(Members<'o>);

impl<'o> Held<'o> {
    fn of(pen: Pen<'o>, variant: &str, first: u8, last: u8) -> Held<'o> {
        let Pen { out, .. } = pen;
        let mut object = Pen::new(out).begin(b'{', b'}');
        object.name(variant).begin(first, last);
        Held(Members { out, is_first: true, last: Some(last) })
    }

    fn finish(self) {
        let Held(Members { out, last, .. }) = self;
        out.extend(last);
        out.push(b'}');
    }
}

macro_rules! numbers {
    ($($name:ident: $kind:ty),*) => {
        $(fn $name(self, number: $kind) -> Result<(), Formless> {
            self.number(&number)
        })*
    };
}

impl<'o> Serializer for Pen<'o> {
    type Ok = ();
    type Error = Formless;
    type SerializeSeq = Members<'o>;
    type SerializeTuple = Members<'o>;
    type SerializeTupleStruct = Members<'o>;
    type SerializeTupleVariant = Held<'o>;
    type SerializeMap = Members<'o>;
    type SerializeStruct = Members<'o>;
    type SerializeStructVariant = Held<'o>;

    numbers! {
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_u8: u8,
        serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_f32: f32, serialize_f64: f64,
        serialize_i128: i128, serialize_u128: u128
    }

    fn serialize_bool(self, value: bool) -> Result<(), Formless> {
        self.word(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_char(self, letter: char) -> Result<(), Formless> {
        self.serialize_str(letter.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Result<(), Formless> {
        let Pen { out, is_raw } = self;
        if is_raw {
            out.extend_from_slice(text.as_bytes());
            return Ok(());
        }
        out.push(b'"');
        long::pieces(text, |piece| out.extend_from_slice(piece.as_bytes()));
        out.push(b'"');
        Ok(())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Formless> {
        bytes.serialize(self)
    }

    fn serialize_none(self) -> Result<(), Formless> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Formless> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Formless> {
        self.word("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Formless> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Formless> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Formless> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Formless> {
        let mut object = self.begin(b'{', b'}');
        value.serialize(object.name(variant))?;
        object.finish();
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Members<'o>, Formless> {
        Ok(self.begin(b'[', b']'))
    }

    fn serialize_tuple(self, _: usize) -> Result<Members<'o>, Formless> {
        Ok(self.begin(b'[', b']'))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Members<'o>, Formless> {
        Ok(self.begin(b'[', b']'))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Held<'o>, Formless> {
        Ok(Held::of(self, variant, b'[', b']'))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'o>, Formless> {
        Ok(self.begin(b'{', b'}'))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Members<'o>, Formless> {
        Ok(match name {
            RAW => Members { out: self.out, is_first: true, last: None },
            _ => self.begin(b'{', b'}'),
        })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Held<'o>, Formless> {
        Ok(Held::of(self, variant, b'{', b'}'))
    }
}

macro_rules! lists {
    ($($kind:ident by $member:ident),*) => {
        $(impl $kind for Members<'_> {
            type Ok = ();
            type Error = Formless;

            fn $member<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Formless> {
                value.serialize(self.next())
            }

            fn end(self) -> Result<(), Formless> {
                self.finish();
                Ok(())
            }
        })*
    };
}

lists! {
    SerializeSeq by serialize_element, SerializeTuple by serialize_element, SerializeTupleStruct by serialize_field
}

impl SerializeTupleVariant for Held<'_> {
    type Ok = ();
    type Error = Formless;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Formless> {
        value.serialize(self.0.next())
    }

    fn end(self) -> Result<(), Formless> {
        self.finish();
        Ok(())
    }
}

impl SerializeStructVariant for Held<'_> {
    type Ok = ();
    type Error = Formless;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Formless> {
        value.serialize(self.0.name(name))
    }

    fn end(self) -> Result<(), Formless> {
        self.finish();
        Ok(())
    }
}

impl SerializeMap for Members<'_> {
    type Ok = ();
    type Error = Formless;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Formless> {
        let Pen { out, .. } = self.next();
        let begun = out.len();
        key.serialize(Pen::new(out))?;
        match out.get(begun) {
            Some(b'"') => {}
            // Numbers and truths are keys as texts.
            Some(b'-' | b'0'..=b'9' | b't' | b'f') => {
                out.insert(begun, b'"');
                out.push(b'"');
            }
            _ => return Err(Formless),
        }
        out.push(b':');
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Formless> {
        value.serialize(Pen::new(self.out))
    }

    fn end(self) -> Result<(), Formless> {
        self.finish();
        Ok(())
    }
}

impl SerializeStruct for Members<'_> {
    type Ok = ();
    type Error = Formless;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Formless> {
        match self.last {
            Some(_) => value.serialize(self.name(name)),
            None => value.serialize(Pen { out: self.out, is_raw: true }),
        }
    }

    fn end(self) -> Result<(), Formless> {
        self.finish();
        Ok(())
    }
}

#[cfg(test)]
mod tests;
