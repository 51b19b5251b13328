//! `URL` and `URLSearchParams`.
//!
//! Border: the objects; an address is parsed and written by [`record`].

mod address;
mod host;
mod params;
mod percent;
mod record;

use boa_engine::{Context, JsObject, JsResult, JsString, JsValue};

use super::{check, options::range};
use crate::limits::STRING;

/// The prototypes, for objects that are made here.
struct Prototypes {
    address: JsObject,
    params: JsObject,
}

pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let address = address::URL.register(context)?;
    let params = params::install(context)?;
    context.insert_data(Prototypes { address, params });
    Ok(())
}

/// Texts longer than this are worth a look at the clock.
const LONG: usize = 10_000;

/// A text without lone surrogates.
fn text(value: Option<&JsValue>, context: &mut Context) -> JsResult<String> {
    let text = value.cloned().unwrap_or_default().to_string(context)?;
    if text.len() as u64 > STRING / 3 {
        return Err(range("Invalid string length".into()));
    }
    if text.len() > LONG {
        check(context)?;
    }
    Ok(text.to_std_string_lossy())
}

fn string(text: &str) -> JsValue {
    JsString::from(text).into()
}

/// What an address or its parameters show of themselves; `None` for other objects.
pub(crate) enum Shown {
    /// Names and texts; the parameters are an object of their own.
    Address(Vec<(&'static str, String)>, Vec<(String, String)>),
    Params(Vec<(String, String)>),
}

/// For `console.log`: reads the state, not the properties.
pub(crate) fn shown(object: &JsObject) -> Option<Shown> {
    address::shown(object).or_else(|| params::shown(object))
}
