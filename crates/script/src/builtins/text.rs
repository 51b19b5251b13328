//! `TextEncoder` and `TextDecoder`.

use boa_engine::{
    Context, Finalize, JsData, JsObject, JsResult, JsString, JsValue, Trace, js_string,
    object::builtins::{JsArrayBuffer, JsTypedArray, JsUint8Array},
};
use encoding_rs::Encoding;

use super::{
    class::{self, Class},
    options::{Options, clip, range, typed},
};
use crate::limits::{BUFFER, STRING};

pub(crate) fn install_encoder(context: &mut Context) -> JsResult<()> {
    ENCODER.register(context).map(|_| ())
}

pub(crate) fn install_decoder(context: &mut Context) -> JsResult<()> {
    DECODER.register(context).map(|_| ())
}

const ENCODER: Class = Class {
    methods: &[("encode", 0, encode), ("encodeInto", 2, encode_into)],
    accessors: &[("encoding", |_, _, _| Ok(js_string!("utf-8").into()), None)],
    ..Class::named("TextEncoder", |target, _, context| {
        let prototype = class::prototype("TextEncoder", target, context)?;
        Ok(JsObject::from_proto_and_data(prototype, ()).into())
    })
};

fn encode(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let text = match arguments.first().filter(|text| !text.is_undefined()) {
        Some(text) => text.to_string(context)?.to_std_string_lossy(),
        None => String::new(),
    };
    if text.len() as u64 > BUFFER {
        return Err(range("Array buffer allocation failed".into()));
    }
    Ok(JsUint8Array::from_iter(text.into_bytes(), context)?.into())
}

fn encode_into(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let text = arguments.first().cloned().unwrap_or_default().to_string(context)?;
    let target = arguments.get(1).and_then(JsValue::as_object);
    let target = target.filter(|target| JsUint8Array::from_object(target.clone()).is_ok());
    let Some(target) = target else {
        return Err(typed("The \"dest\" argument must be an instance of Uint8Array"));
    };
    let target = Part::of(&target, context)?;
    let text = text.to_std_string_lossy();
    let (text, _) = text.split_at(text.floor_char_boundary(target.len()));
    target.write(text.as_bytes());
    let result = JsObject::with_object_proto(context.intrinsics());
    for (name, count) in [("read", text.encode_utf16().count()), ("written", text.len())] {
        result.create_data_property_or_throw(js_string!(name), count as u64, context)?;
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
        let Ok(array) = JsTypedArray::from_object(object.clone()) else {
            return Err(typed("The argument must be an ArrayBuffer or a typed array"));
        };
        let (offset, length) = (array.byte_offset(context)?, array.byte_length(context)?);
        let buffer = array.buffer(context)?.as_object();
        let buffer = buffer.and_then(|buffer| JsArrayBuffer::from_object(buffer).ok());
        let buffer = buffer.ok_or_else(|| typed("the view's buffer is shared or gone"))?;
        Ok(Self { buffer, offset, length })
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    fn to_vec(&self) -> Vec<u8> {
        let bytes = self.buffer.data();
        let part = bytes.as_ref().and_then(|bytes| bytes.get(self.offset..)?.get(..self.length));
        part.map(<[u8]>::to_vec).unwrap_or_default()
    }

    /// Writes from the start on, as much as fits.
    pub(crate) fn write(&self, bytes: &[u8]) {
        let Some(mut target) = self.buffer.data_mut() else { return };
        let room = target.iter_mut().skip(self.offset).take(self.length);
        room.zip(bytes).for_each(|(to, from)| *to = *from);
    }
}

#[derive(Clone, Copy, Trace, Finalize, JsData)]
#[boa_gc(unsafe_empty_trace)]
struct Decoder {
    encoding: &'static Encoding,
    fatal: bool,
}

const DECODER: Class = Class {
    methods: &[("decode", 0, decode)],
    accessors: &[(
        "encoding",
        |this, _, _| {
            let name = decoder(this)?.encoding.name().to_ascii_lowercase();
            Ok(JsString::from(name).into())
        },
        None,
    )],
    ..Class::named("TextDecoder", |target, arguments, context| {
        let label = match arguments.first().filter(|label| !label.is_undefined()) {
            Some(label) => label.to_string(context)?.to_std_string_lossy(),
            None => "utf-8".into(),
        };
        let encoding = Encoding::for_label_no_replacement(label.as_bytes())
            .ok_or_else(|| range(format!("The \"{}\" encoding is not supported", clip(&label))))?;
        let options = Options::coerce(arguments.get(1), context)?;
        let fatal = options.flag("fatal", context)?.unwrap_or(false);
        options.refuse("ignoreBOM", "false", context)?;
        let prototype = class::prototype("TextDecoder", target, context)?;
        Ok(JsObject::from_proto_and_data(prototype, Decoder { encoding, fatal }).into())
    })
};

fn decoder(this: &JsValue) -> JsResult<Decoder> {
    let object = this.as_object();
    let found = object.as_ref().and_then(|object| object.downcast_ref::<Decoder>());
    found
        .map(|decoder| *decoder)
        .ok_or_else(|| typed("Value of \"this\" must be of type TextDecoder"))
}

fn decode(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let Decoder { encoding, fatal } = decoder(this)?;
    let options = Options::coerce(arguments.get(1), context)?;
    if options.flag("stream", context)? == Some(true) {
        return Err(typed("TextDecoder can't decode a stream here; join the pieces first"));
    }
    let Some(input) = arguments.first().filter(|input| !input.is_undefined()) else {
        return Ok(js_string!().into());
    };
    let Some(input) = input.as_object() else {
        return Err(typed("The \"list\" argument must be an ArrayBuffer or a view of one"));
    };
    let bytes = Part::of(&input, context)?.to_vec();
    if bytes.len() as u64 > STRING {
        return Err(range("Invalid string length".into()));
    }
    let (text, malformed) = encoding.decode_with_bom_removal(&bytes);
    if fatal && malformed {
        return Err(typed("The encoded data was not valid for its encoding"));
    }
    Ok(JsString::from(&*text).into())
}
