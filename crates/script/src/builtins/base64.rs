//! `atob` and `btoa`.

use boa_engine::{Context, JsResult, JsString, JsValue};

use super::{
    errors::{DomError, dom_error},
    global,
    options::{range, typed},
};
use crate::limits::STRING;

pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    global(("atob", 1, atob), context)?;
    global(("btoa", 1, btoa), context)
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn btoa(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let Some(text) = arguments.first() else {
        return Err(typed("The \"data\" argument must be specified"));
    };
    let text = text.to_string(context)?;
    if (text.len() as u64 / 3 + 1) * 4 > STRING {
        return Err(range("Invalid string length".into()));
    }
    let bytes: Option<Vec<u8>> = text.iter().map(|unit| u8::try_from(unit).ok()).collect();
    let Some(bytes) = bytes else {
        return Err(dom_error(DomError::InvalidCharacter, "Invalid character", context));
    };
    let mut encoded = String::with_capacity(bytes.len() / 3 * 4 + 4);
    for chunk in bytes.chunks(3) {
        let part = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = part(0) << 16 | part(1) << 8 | part(2);
        for digit in 0..4 {
            let index = (bits >> (18 - 6 * digit)) & 63;
            let letter = ALPHABET.get(index as usize).copied().unwrap_or(b'=');
            encoded.push(if digit <= chunk.len() { letter.into() } else { '=' });
        }
    }
    Ok(JsString::from(encoded).into())
}

fn atob(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let Some(text) = arguments.first() else {
        return Err(typed("The \"data\" argument must be specified"));
    };
    let text = text.to_string(context)?;
    match decode_base64(text.iter()) {
        Some(bytes) => {
            let text: String = bytes.into_iter().map(char::from).collect();
            Ok(JsString::from(text).into())
        }
        None => {
            let message = "The string to be decoded is not correctly encoded.";
            Err(dom_error(DomError::InvalidCharacter, message, context))
        }
    }
}

/// A letter's place in [`ALPHABET`].
fn digit(letter: u8) -> Option<u8> {
    match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

/// White space is skipped, and padding may be missing, but not be wrong.
fn decode_base64(units: impl Iterator<Item = u16>) -> Option<Vec<u8>> {
    let mut letters: Vec<u8> = Vec::new();
    for unit in units {
        match u8::try_from(unit).ok()? {
            b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' => {}
            letter => letters.push(letter),
        }
    }
    if letters.len().is_multiple_of(4) {
        for _ in 0..2 {
            if letters.last() == Some(&b'=') {
                letters.pop();
            }
        }
    }
    if letters.len() % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(letters.len() / 4 * 3 + 3);
    for chunk in letters.chunks(4) {
        let mut bits = 0_u32;
        for letter in chunk {
            bits = bits << 6 | u32::from(digit(*letter)?);
        }
        bits <<= 6 * (4 - chunk.len());
        let [_, first, second, third] = bits.to_be_bytes();
        let all = [first, second, third];
        bytes.extend_from_slice(all.get(..chunk.len() - 1)?);
    }
    Some(bytes)
}
