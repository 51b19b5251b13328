//! `toLocaleString` of arrays, which asks each element for its own. The engine's puts a blank behind
//! each comma, where the browsers have none.

use boa_engine::{Context, JsResult, JsString, JsValue, js_string};

use super::{
    check, method,
    options::{range, typed},
};
use crate::limits::{ARRAY, STRING};

pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let constructors = context.intrinsics().constructors();
    let arrays = constructors.array().prototype();
    let typed_arrays = constructors.typed_array().prototype();
    method(&arrays, ("toLocaleString", 0, text), context)?;
    method(&typed_arrays, ("toLocaleString", 0, text), context)
}

fn text(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let array = this.to_object(context)?;
    let length = array.get(js_string!("length"), context)?.to_length(context)?;
    if length > ARRAY {
        return Err(range(format!("Invalid array length: {ARRAY} elements can be walked")));
    }
    let passed = arguments.get(..2).unwrap_or(arguments);
    let mut units: Vec<u16> = Vec::new();
    for index in 0..length {
        if index.is_multiple_of(1_024) {
            check(context)?;
        }
        if index > 0 {
            units.push(u16::from(b','));
        }
        let element = array.get(index, context)?;
        if element.is_null_or_undefined() {
            continue;
        }
        let function = element.to_object(context)?.get(js_string!("toLocaleString"), context)?;
        let Some(function) = function.as_callable() else {
            return Err(typed("an element's toLocaleString is not a function"));
        };
        let text = function.call(&element, passed, context)?.to_string(context)?;
        if (units.len() + text.len()) as u64 > STRING {
            return Err(range("Invalid string length".into()));
        }
        units.extend(text.iter());
    }
    Ok(JsString::from(units.as_slice()).into())
}
