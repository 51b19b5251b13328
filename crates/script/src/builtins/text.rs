//! `TextEncoder` and `TextDecoder`.

use boa_engine::{
    Context, Finalize, JsData, JsObject, JsResult, JsString, JsValue, Trace, js_string,
    object::builtins::{JsArrayBuffer, JsDataView, JsTypedArray, JsUint8Array},
};

use super::{
    class::{self, Class},
    options::{Options, clip, range, typed},
};
use crate::limits::{BUFFER, STRING};

pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    ENCODER.register(context)?;
    DECODER.register(context)?;
    Ok(())
}

/// No state of its own; the type tells an encoder from other objects.
#[derive(Trace, Finalize, JsData)]
struct Encoder;

const ENCODER: Class = Class {
    name: "TextEncoder",
    length: 0,
    construct: |target, _, context| {
        let prototype = class::prototype("TextEncoder", target, context)?;
        Ok(JsObject::from_proto_and_data(prototype, Encoder).into())
    },
    methods: &[("encode", 0, encode), ("encodeInto", 2, encode_into)],
    accessors: &[(
        "encoding",
        |this, _, _| {
            encoder(this)?;
            Ok(js_string!("utf-8").into())
        },
        None,
    )],
    statics: &[],
    tag: "TextEncoder",
};

fn encoder(this: &JsValue) -> JsResult<()> {
    match this.as_object() {
        Some(object) if object.is::<Encoder>() => Ok(()),
        _ => Err(typed("Value of \"this\" must be of type TextEncoder")),
    }
}

fn encode(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    encoder(this)?;
    let text = match arguments.first().filter(|text| !text.is_undefined()) {
        Some(text) => text.to_string(context)?.to_std_string_lossy(),
        None => String::new(),
    };
    bytes(text.as_bytes(), context)
}

/// A new `Uint8Array`.
pub(crate) fn bytes(bytes: &[u8], context: &mut Context) -> JsResult<JsValue> {
    if bytes.len() as u64 > BUFFER {
        return Err(range("Array buffer allocation failed".into()));
    }
    let buffer = JsArrayBuffer::new(bytes.len(), context)?;
    if let Some(mut target) = buffer.data_mut() {
        for (to, from) in target.iter_mut().zip(bytes) {
            *to = *from;
        }
    }
    Ok(JsUint8Array::from_array_buffer(buffer, context)?.into())
}

fn encode_into(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    encoder(this)?;
    let text = arguments.first().cloned().unwrap_or_default().to_string(context)?;
    let target = arguments.get(1).and_then(JsValue::as_object);
    let target = target.filter(|target| JsUint8Array::from_object(target.clone()).is_ok());
    let Some(target) = target else {
        return Err(typed("The \"dest\" argument must be an instance of Uint8Array"));
    };
    let target = Part::of(&target, context)?;
    let text = text.to_std_string_lossy();
    let fits = text.floor_char_boundary(target.len());
    let (text, _) = text.split_at_checked(fits).unwrap_or((&text, ""));
    target.write(text.as_bytes());
    let (read, written) = (text.encode_utf16().count(), text.len());
    let result = JsObject::with_object_proto(context.intrinsics());
    for (name, count) in [("read", read), ("written", written)] {
        let count = JsValue::from(count as u64);
        result.create_data_property_or_throw(js_string!(name), count, context)?;
    }
    Ok(result.into())
}

/// A buffer, or the part of one that a view shows.
pub(crate) struct Part {
    buffer: JsArrayBuffer,
    offset: usize,
    length: usize,
}

impl Part {
    pub(crate) fn of(object: &JsObject, context: &mut Context) -> JsResult<Self> {
        if let Ok(buffer) = JsArrayBuffer::from_object(object.clone()) {
            let length = buffer.data().map_or(0, |bytes| bytes.len());
            return Ok(Self { buffer, offset: 0, length });
        }
        let (buffer, offset, length) = if let Ok(array) = JsTypedArray::from_object(object.clone())
        {
            (array.buffer(context)?, array.byte_offset(context)?, array.byte_length(context)?)
        } else if let Ok(view) = JsDataView::from_object(object.clone()) {
            let (offset, length) = (view.byte_offset(context)?, view.byte_length(context)?);
            let whole = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
            (view.buffer(context)?, whole(offset), whole(length))
        } else {
            return Err(typed(
                "The argument must be an instance of ArrayBuffer or of a view of one",
            ));
        };
        let buffer = buffer.as_object().and_then(|buffer| JsArrayBuffer::from_object(buffer).ok());
        let buffer = buffer.ok_or_else(|| typed("the view's buffer is shared or gone"))?;
        Ok(Self { buffer, offset, length })
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    fn to_vec(&self) -> Vec<u8> {
        let bytes = self.buffer.data();
        let part = bytes
            .as_ref()
            .and_then(|bytes| bytes.get(self.offset..self.offset.saturating_add(self.length)));
        part.map(<[u8]>::to_vec).unwrap_or_default()
    }

    /// Writes from the start on, as much as fits.
    pub(crate) fn write(&self, bytes: &[u8]) {
        let Some(mut target) = self.buffer.data_mut() else { return };
        let room = target.get_mut(self.offset..self.offset.saturating_add(self.length));
        for (to, from) in room.into_iter().flatten().zip(bytes) {
            *to = *from;
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16,
    Latin1,
}

#[derive(Trace, Finalize, JsData)]
#[boa_gc(unsafe_empty_trace)]
struct Decoder {
    encoding: Encoding,
    fatal: bool,
    keep_mark: bool,
}

const DECODER: Class = Class {
    name: "TextDecoder",
    length: 0,
    construct: |target, arguments, context| {
        let label = match arguments.first().filter(|label| !label.is_undefined()) {
            Some(label) => label.to_string(context)?.to_std_string_lossy(),
            None => "utf-8".into(),
        };
        let encoding = match label.trim().to_ascii_lowercase().as_str() {
            "utf-8" | "utf8" | "unicode-1-1-utf-8" => Encoding::Utf8,
            "utf-16le" | "utf-16" | "ucs-2" | "unicode" => Encoding::Utf16,
            "latin1" | "iso-8859-1" | "iso8859-1" | "windows-1252" | "cp1252" | "ascii"
            | "us-ascii" | "l1" => Encoding::Latin1,
            _ => {
                return Err(range(format!(
                    "The \"{}\" encoding is not supported; utf-8, utf-16le and latin1 are",
                    clip(&label)
                )));
            }
        };
        let options = Options::coerce(arguments.get(1), context)?;
        let fatal = options.flag("fatal", context)?.unwrap_or(false);
        let keep_mark = options.flag("ignoreBOM", context)?.unwrap_or(false);
        let prototype = class::prototype("TextDecoder", target, context)?;
        Ok(JsObject::from_proto_and_data(prototype, Decoder { encoding, fatal, keep_mark }).into())
    },
    methods: &[("decode", 0, decode)],
    accessors: &[
        (
            "encoding",
            |this, _, _| {
                let name = match decoder(this)?.0 {
                    Encoding::Utf8 => "utf-8",
                    Encoding::Utf16 => "utf-16le",
                    Encoding::Latin1 => "windows-1252",
                };
                Ok(js_string!(name).into())
            },
            None,
        ),
        ("fatal", |this, _, _| Ok(decoder(this)?.1.into()), None),
        ("ignoreBOM", |this, _, _| Ok(decoder(this)?.2.into()), None),
    ],
    statics: &[],
    tag: "TextDecoder",
};

fn decoder(this: &JsValue) -> JsResult<(Encoding, bool, bool)> {
    let object = this.as_object();
    let found = object.as_ref().and_then(|object| object.downcast_ref::<Decoder>());
    found
        .map(|decoder| (decoder.encoding, decoder.fatal, decoder.keep_mark))
        .ok_or_else(|| typed("Value of \"this\" must be of type TextDecoder"))
}

fn decode(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (encoding, fatal, keep_mark) = decoder(this)?;
    let options = Options::coerce(arguments.get(1), context)?;
    if options.flag("stream", context)? == Some(true) {
        return Err(typed("TextDecoder can't decode a stream here; join the pieces first"));
    }
    let Some(input) = arguments.first().filter(|input| !input.is_undefined()) else {
        return Ok(js_string!().into());
    };
    let Some(input) = input.as_object() else {
        return Err(typed(
            "The \"list\" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.",
        ));
    };
    let bytes = Part::of(&input, context)?.to_vec();
    if bytes.len() as u64 > STRING {
        return Err(range("Invalid string length".into()));
    }
    let invalid = || typed("The encoded data was not valid for its encoding");
    let text = match encoding {
        Encoding::Utf8 => {
            let bytes =
                bytes.strip_prefix(b"\xef\xbb\xbf").filter(|_| !keep_mark).unwrap_or(&bytes);
            match std::str::from_utf8(bytes) {
                Ok(text) => JsString::from(text),
                Err(_) if fatal => return Err(invalid()),
                Err(_) => JsString::from(String::from_utf8_lossy(bytes).as_ref()),
            }
        }
        Encoding::Utf16 => {
            let pairs = bytes.chunks_exact(2);
            let odd = !pairs.remainder().is_empty();
            let mut units: Vec<u16> = pairs
                .filter_map(|pair| <[u8; 2]>::try_from(pair).ok().map(u16::from_le_bytes))
                .collect();
            if units.first() == Some(&0xfeff) && !keep_mark {
                units.remove(0);
            }
            let mut text = match String::from_utf16(&units) {
                Ok(text) if !(odd && fatal) => text,
                _ if fatal => return Err(invalid()),
                _ => String::from_utf16_lossy(&units),
            };
            if odd {
                text.push('\u{fffd}');
            }
            JsString::from(text)
        }
        Encoding::Latin1 => {
            let text: String = bytes.iter().map(|byte| windows(*byte)).collect();
            JsString::from(text)
        }
    };
    Ok(text.into())
}

/// What the web calls Latin 1: windows-1252.
fn windows(byte: u8) -> char {
    const UPPER: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
    match byte {
        0x80..=0x9f => UPPER.chars().nth(usize::from(byte - 0x80)).unwrap_or('\u{fffd}'),
        other => char::from(other),
    }
}
