//! Checks in front of built-ins that could ask for a huge string at once: they fail as a
//! `RangeError` that the program can catch, where the heap's ceiling would end it.

use boa_engine::{
    Context, JsError, JsNativeError, JsObject, JsResult, JsString, JsValue, NativeFunction, Trace,
    js_string,
    object::FunctionObjectBuilder,
    property::{PropertyDescriptor, PropertyKey},
    string::{JsStr, JsStrVariant},
    value::IntegerOrInfinity,
};

use crate::{host::Host, limits::STRING};

/// Puts the checks in place.
pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let strings = context.intrinsics().constructors().string().prototype();
    guard(&strings, js_string!("repeat"), Longer::Repeated, context)?;
    guard(&strings, js_string!("padStart"), Longer::Padded, context)?;
    guard(&strings, js_string!("padEnd"), Longer::Padded, context)?;
    // The engine shows it by this name; the language has no such global.
    context.global_object().delete_property_or_throw(js_string!("TypedArray"), context)?;
    Ok(())
}

/// How a built-in makes a string longer.
#[derive(Clone, Copy)]
enum Longer {
    /// By repeating it.
    Repeated,
    /// To a length.
    Padded,
}

fn guard(
    prototype: &JsObject,
    name: JsString,
    longer: Longer,
    context: &mut Context,
) -> JsResult<()> {
    let original = method(prototype, name.clone(), context)?;
    let checked =
        move |this: &JsValue, arguments: &[JsValue], original: &JsObject, context: &mut Context| {
            make(this, arguments, original, longer, context)
        };
    replace(prototype, name, checked, original, context)
}

/// A method of the engine's own.
pub(crate) fn method(
    prototype: &JsObject,
    name: JsString,
    context: &mut Context,
) -> JsResult<JsObject> {
    prototype.get(name, context)?.as_object().ok_or_else(missing)
}

/// A getter of the engine's own.
pub(crate) fn getter(prototype: &JsObject, name: &str) -> JsResult<JsObject> {
    let property = prototype.borrow().properties().get(&js_string!(name).into());
    let getter = property.and_then(|property| property.get().and_then(JsValue::as_object));
    getter.ok_or_else(missing)
}

fn missing() -> JsError {
    JsNativeError::typ().with_message("the engine lacks a built-in").into()
}

/// Puts `function` in the place of a method; from outside it looks like the one that it replaces.
pub(crate) fn replace<C: Trace + 'static>(
    prototype: &JsObject,
    name: JsString,
    function: impl Fn(&JsValue, &[JsValue], &C, &mut Context) -> JsResult<JsValue> + Copy + 'static,
    captures: C,
    context: &mut Context,
) -> JsResult<()> {
    let original = method(prototype, name.clone(), context)?;
    let arity = original.get(js_string!("length"), context)?.to_length(context)?;
    let function = NativeFunction::from_copy_closure_with_captures(function, captures);
    let function = FunctionObjectBuilder::new(context.realm(), function)
        .name(name.clone())
        .length(usize::try_from(arity).unwrap_or(0))
        .build();
    put(prototype, name, function, context)
}

/// Gives an object a property as the language's own objects have them: hidden, but open to change.
pub(crate) fn put(
    on: &JsObject,
    key: impl Into<PropertyKey>,
    value: impl Into<JsValue>,
    context: &mut Context,
) -> JsResult<()> {
    let property = PropertyDescriptor::builder()
        .value(value)
        .writable(true)
        .enumerable(false)
        .configurable(true);
    on.define_property_or_throw(key, property, context)?;
    Ok(())
}

fn make(
    this: &JsValue,
    arguments: &[JsValue],
    original: &JsObject,
    longer: Longer,
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
    let length = string.len() as u64;
    let (made, wanted) = match longer {
        Longer::Repeated => (length.saturating_mul(wanted), usize::try_from(wanted).ok()),
        Longer::Padded => (length.max(wanted), None),
    };
    if made > STRING {
        return Err(JsNativeError::range().with_message("Invalid string length").into());
    }
    if let Some(host) = context.downcast_job_executor::<Host>() {
        host.make_room(usize::try_from(made).unwrap_or(usize::MAX));
    }
    if let (IntegerOrInfinity::Integer(0..), Some(count)) = (number, wanted) {
        return Ok(repeated(&string, count).into());
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

/// In one piece: the engine's own way needs a pointer for each repetition first.
fn repeated(string: &JsString, count: usize) -> JsString {
    match string.as_str().variant() {
        JsStrVariant::Latin1(bytes) => JsStr::latin1(&bytes.repeat(count)).into(),
        JsStrVariant::Utf16(units) => JsStr::utf16(&units.repeat(count)).into(),
    }
}
