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
    replace(&strings, js_string!("repeat"), repeat, (), context)?;
    for name in ["padStart", "padEnd"] {
        let original = method(&strings, js_string!(name), context)?;
        replace(&strings, js_string!(name), pad, original, context)?;
    }
    // The engine shows it by this name; the language has no such global.
    context.global_object().delete_property_or_throw(js_string!("TypedArray"), context)?;
    Ok(())
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

/// A function of this realm.
pub(crate) fn function(
    name: JsString,
    length: usize,
    native: NativeFunction,
    context: &Context,
) -> JsObject {
    FunctionObjectBuilder::new(context.realm(), native).name(name).length(length).build().into()
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
    let native = NativeFunction::from_copy_closure_with_captures(function, captures);
    let arity = usize::try_from(arity).unwrap_or(0);
    put(prototype, name.clone(), self::function(name, arity, native, context), context)
}

/// Puts `function` in the place of a global constructor, with the methods of the one that it stands
/// before. It gets the `new` target as `this`.
pub(crate) fn stand_before(
    original: &JsObject,
    (name, length, methods): (&str, usize, &[&str]),
    function: NativeFunction,
    context: &mut Context,
) -> JsResult<JsObject> {
    let ours = FunctionObjectBuilder::new(context.realm(), function)
        .name(JsString::from(name))
        .length(length)
        .constructor(true)
        .build();
    for name in methods {
        let method = original.get(JsString::from(*name), context)?;
        put(&ours, JsString::from(*name), method, context)?;
    }
    put(&context.global_object(), JsString::from(name), ours.clone(), context)?;
    Ok(ours.into())
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

/// Refuses what would be too long, and makes room for the rest.
fn allow(units: u64, context: &Context) -> JsResult<()> {
    if units > STRING {
        return Err(JsNativeError::range().with_message("Invalid string length").into());
    }
    if let Some(host) = context.downcast_job_executor::<Host>() {
        host.make_room(usize::try_from(units).unwrap_or(usize::MAX));
    }
    Ok(())
}

/// The string is made in one piece: the engine's way needs a pointer for each repetition first.
fn repeat(this: &JsValue, list: &[JsValue], (): &(), context: &mut Context) -> JsResult<JsValue> {
    let string = this.require_object_coercible()?.to_string(context)?;
    let count = list.first().cloned().unwrap_or_default().to_integer_or_infinity(context)?;
    let IntegerOrInfinity::Integer(count @ 0..) = count else {
        let message = "Invalid count value: it must be finite and not negative";
        return Err(JsNativeError::range().with_message(message).into());
    };
    let count = if string.is_empty() { 0 } else { count.unsigned_abs() };
    allow((string.len() as u64).saturating_mul(count), context)?;
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let repeated: JsString = match string.as_str().variant() {
        JsStrVariant::Latin1(bytes) => JsStr::latin1(&bytes.repeat(count)).into(),
        JsStrVariant::Utf16(units) => JsStr::utf16(&units.repeat(count)).into(),
    };
    Ok(repeated.into())
}

fn pad(
    this: &JsValue,
    list: &[JsValue],
    original: &JsObject,
    context: &mut Context,
) -> JsResult<JsValue> {
    let string = this.require_object_coercible()?.to_string(context)?;
    // Converted once, here: a second conversion could give something longer.
    let length = list.first().cloned().unwrap_or_default().to_length(context)?;
    allow(length.max(string.len() as u64), context)?;
    let fill = list.get(1).cloned().unwrap_or_default();
    original.call(&string.into(), &[length.into(), fill], context)
}
