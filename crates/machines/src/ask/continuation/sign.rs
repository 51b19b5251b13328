//! Signs states, so that one that is not ours, or was changed, is refused.
//!
//! What is signed is a form of the JSON that does not depend on who wrote it: a browser that reads
//! and writes a state again changes neither its meaning nor its signature.

use hmac::{Hmac, Mac};
use quarry_types::order;
use serde_json::Value;
use sha2::Sha256;

/// The signature of a state.
pub fn signature(secret: &str, state: &Value) -> String {
    to_hex(&mac(secret, state).finalize().into_bytes())
}

/// Whether a state carries this secret's signature.
pub fn is_signed(secret: &str, state: &Value) -> bool {
    let given = state.get("signature").and_then(Value::as_str).and_then(from_hex);
    given.is_some_and(|given| mac(secret, state).verify_slice(&given).is_ok())
}

fn mac(secret: &str, value: &Value) -> Hmac<Sha256> {
    // A key of our own, so that the secret serves no second purpose.
    let mut key = keyed(secret.as_bytes());
    key.update(b"quarry continuation v1");
    let mut mac = keyed(&key.finalize().into_bytes());
    let mut canonical = String::new();
    canonicalise(value, &mut canonical);
    mac.update(canonical.as_bytes());
    mac
}

fn keyed(key: &[u8]) -> Hmac<Sha256> {
    match Hmac::<Sha256>::new_from_slice(key) {
        Ok(mac) => mac,
        // HMAC takes keys of any length.
        Err(_) => unreachable!("HMAC takes keys of any length"),
    }
}

/// JSON in one form whoever wrote it: members sorted, numbers as JavaScript prints them, the
/// top-level signature left out.
fn canonicalise(value: &Value, out: &mut String) {
    write_canonical(value, true, out);
}

fn write_canonical(value: &Value, top: bool, out: &mut String) {
    match value {
        Value::Object(members) => {
            let mut names: Vec<&String> = members.keys().collect();
            order::sort_by_key(&mut names, |name| *name);
            out.push('{');
            for name in names.into_iter().filter(|name| !(top && *name == "signature")) {
                out.push_str(&Value::from(name.as_str()).to_string());
                out.push(':');
                write_canonical(members.get(name).unwrap_or(&Value::Null), false, out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write_canonical(item, false, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or_default();
            out.push_str(&quarry_types::json::number(number).to_string());
        }
        other => out.push_str(&other.to_string()),
    }
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}
