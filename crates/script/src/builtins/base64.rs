//! `atob` and `btoa`.

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use boa_engine::{Context, JsResult, JsString, JsValue};

use super::{
    errors::INVALID_CHARACTER,
    global,
    options::{range, typed},
};
use crate::limits::STRING;

/// Padding may be missing, but not be wrong; what is left in the last letter does not matter.
const CODE: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    global(("atob", 1, atob), context)?;
    global(("btoa", 1, btoa), context)
}

fn given(arguments: &[JsValue], context: &mut Context) -> JsResult<Option<Vec<u8>>> {
    let Some(text) = arguments.first() else {
        return Err(typed("The \"data\" argument must be specified"));
    };
    let text = text.to_string(context)?;
    if (text.len() as u64 / 3 + 1) * 4 > STRING {
        return Err(range("Invalid string length".into()));
    }
    Ok(text.iter().map(|unit| u8::try_from(unit).ok()).collect())
}

fn btoa(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    match given(arguments, context)? {
        Some(bytes) => Ok(JsString::from(CODE.encode(bytes)).into()),
        None => Err(INVALID_CHARACTER.error("Invalid character", context)),
    }
}

fn atob(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let letters = given(arguments, context)?.map(|mut letters| {
        letters.retain(|letter| !b" \t\n\r\x0c".contains(letter));
        letters
    });
    let whole = |letters: &Vec<u8>| !letters.ends_with(b"=") || letters.len().is_multiple_of(4);
    match letters.filter(whole).and_then(|letters| CODE.decode(letters).ok()) {
        Some(bytes) => {
            let text: String = bytes.into_iter().map(char::from).collect();
            Ok(JsString::from(text).into())
        }
        None => {
            let message = "The string to be decoded is not correctly encoded.";
            Err(INVALID_CHARACTER.error(message, context))
        }
    }
}
