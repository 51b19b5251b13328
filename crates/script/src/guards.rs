//! Checks in front of built-ins that could ask for a huge string at once: they fail as a
//! `RangeError` that the program can catch, where the heap's ceiling would end it.

use boa_engine::{
    Context, JsNativeError, JsObject, JsResult, JsString, JsValue, NativeFunction, js_string,
    object::FunctionObjectBuilder, property::PropertyDescriptor, value::IntegerOrInfinity,
};

use crate::limits::STRING;

/// Puts the checks in place.
pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let strings = context.intrinsics().constructors().string().prototype();
    guard(&strings, js_string!("repeat"), repeated, context)?;
    guard(&strings, js_string!("padStart"), padded, context)?;
    guard(&strings, js_string!("padEnd"), padded, context)
}

/// The length that the result would have, from the string and the built-in's first argument.
type Length = fn(string: u64, argument: u64) -> u64;

fn repeated(string: u64, count: u64) -> u64 {
    string.saturating_mul(count)
}

fn padded(string: u64, length: u64) -> u64 {
    string.max(length)
}

fn guard(
    prototype: &JsObject,
    name: JsString,
    length: Length,
    context: &mut Context,
) -> JsResult<()> {
    let original = prototype.get(name.clone(), context)?;
    let Some(original) = original.as_object() else { return Ok(()) };
    let arity = original.get(js_string!("length"), context)?.to_length(context)?;
    let checked = NativeFunction::from_copy_closure_with_captures(
        move |this, arguments, original: &JsObject, context| {
            make(this, arguments, original, length, context)
        },
        original,
    );
    let checked = FunctionObjectBuilder::new(context.realm(), checked)
        .name(name.clone())
        .length(usize::try_from(arity).unwrap_or(0))
        .build();
    let property = PropertyDescriptor::builder()
        .value(checked)
        .writable(true)
        .enumerable(false)
        .configurable(true);
    prototype.define_property_or_throw(name, property, context)?;
    Ok(())
}

fn make(
    this: &JsValue,
    arguments: &[JsValue],
    original: &JsObject,
    length: Length,
    context: &mut Context,
) -> JsResult<JsValue> {
    if this.is_null_or_undefined() {
        return original.call(this, arguments, context);
    }
    // Converted once, here: a second conversion could give something longer.
    let string = this.to_string(context)?;
    let first = arguments.first().cloned().unwrap_or_default();
    let number = first.to_integer_or_infinity(context)?;
    let wanted = match number {
        IntegerOrInfinity::Integer(number) => u64::try_from(number).unwrap_or(0),
        IntegerOrInfinity::PositiveInfinity => u64::MAX,
        IntegerOrInfinity::NegativeInfinity => 0,
    };
    if length(string.len() as u64, wanted) > STRING {
        let error = JsNativeError::range().with_message("Invalid string length");
        return Err(error.into());
    }
    let number = match number {
        IntegerOrInfinity::Integer(number) => JsValue::from(number),
        IntegerOrInfinity::PositiveInfinity => JsValue::from(f64::INFINITY),
        IntegerOrInfinity::NegativeInfinity => JsValue::from(f64::NEG_INFINITY),
    };
    let mut passed = vec![number];
    passed.extend(arguments.iter().skip(1).cloned());
    original.call(&string.into(), &passed, context)
}
