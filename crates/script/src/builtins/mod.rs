//! What programs use beyond the language itself: texts of numbers and dates for people, `Intl`,
//! `structuredClone`, text encodings, addresses, random numbers.
//!
//! Border: only native functions are registered; nothing is parsed, and nothing of the host is
//! reached but its clock and its random numbers. What does not exist here (`setTimeout`, `fetch`,
//! `require`, `process`) stays undefined.

mod arrays;
mod base64;
mod class;
mod clone;
mod compare;
mod dates;
mod errors;
mod instants;
mod intl;
mod lazy;
mod locale;
mod numbers;
mod options;
mod patterns;
mod random;
mod text;
mod time;
mod web;

pub(crate) use lazy::prepare;
pub(crate) use options::typed as typed_error;
pub(crate) use patterns::source as pattern_source;
pub(crate) use time::elapsed;
pub(crate) use web::shown;

use boa_engine::{
    Context, JsObject, JsResult, JsString, JsSymbol, JsValue, NativeFunction, js_string,
    property::Attribute,
};

use crate::{guards, host::Host, limits};

/// A native function.
pub(crate) type Native = fn(&JsValue, &[JsValue], &mut Context) -> JsResult<JsValue>;

/// A function's name, its number of arguments, and itself.
pub(crate) type Method = (&'static str, usize, Native);

/// Puts all of it in place.
pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    arrays::install(context)?;
    patterns::install(context)?;
    numbers::install(context)?;
    instants::install(context)?;
    dates::install(context)?;
    compare::install(context)?;
    clone::install(context)?;
    base64::install(context)?;
    time::install(context)?;
    random::install(context)
}

/// Gives an object a method, as the language's own objects have them.
pub(crate) fn method(
    object: &JsObject,
    (name, length, function): Method,
    context: &mut Context,
) -> JsResult<()> {
    let native = NativeFunction::from_fn_ptr(function);
    let function = guards::function(name.into(), length, native, context);
    guards::put(object, JsString::from(name), function, context)
}

/// Puts a function on the global object.
pub(crate) fn global(method: Method, context: &mut Context) -> JsResult<()> {
    let object = context.global_object();
    self::method(&object, method, context)
}

/// All that an iterable gives, at most as many items as an array may have here. The program's
/// code that runs for each is counted by the engine.
pub(crate) fn iterate(iterable: &JsValue, context: &mut Context) -> JsResult<Vec<JsValue>> {
    let wrong = || options::typed("the value is not iterable");
    let function = iterable.to_object(context)?.get(JsSymbol::iterator(), context)?;
    let iterator = function.as_callable().ok_or_else(wrong)?.call(iterable, &[], context)?;
    let next = iterator.to_object(context)?.get(js_string!("next"), context)?;
    let next = next.as_callable().ok_or_else(wrong)?;
    let mut items = Vec::new();
    loop {
        let result = next.call(&iterator, &[], context)?.to_object(context)?;
        if result.get(js_string!("done"), context)?.to_boolean() {
            return Ok(items);
        }
        if items.len() as u64 >= limits::ARRAY {
            return Err(options::range("the iterable gives too many values".into()));
        }
        // A native iterator runs no code that is counted.
        if items.len().is_multiple_of(1_024) {
            check(context)?;
        }
        items.push(result.get(js_string!("value"), context)?);
    }
}

/// Ends the program when it has met a limit: for native work that can be long.
pub(crate) fn check(context: &Context) -> JsResult<()> {
    match context.downcast_job_executor::<Host>() {
        Some(host) => host.check().map_err(|limit| host.stop(limit)),
        None => Ok(()),
    }
}

/// The attributes of the language's own globals.
pub(crate) const HIDDEN: Attribute = Attribute::WRITABLE.union(Attribute::CONFIGURABLE);
