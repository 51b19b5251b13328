//! Checks in front of what cannot be interrupted: the parser, and built-ins that could ask for a
//! huge block at once.

use boa_engine::{
    Context, JsNativeError, JsObject, JsResult, JsString, JsValue, NativeFunction, js_string,
    object::FunctionObjectBuilder, property::PropertyDescriptor, value::IntegerOrInfinity,
};

use crate::{
    inspect::data_property,
    limits::{ARRAY, NESTING, STRING},
};

/// Methods of arrays that walk from end to end, holes included, without running any code that
/// counts instructions.
const WALKS: &[&str] = &[
    "concat",
    "copyWithin",
    "every",
    "fill",
    "filter",
    "flat",
    "flatMap",
    "forEach",
    "includes",
    "indexOf",
    "join",
    "lastIndexOf",
    "map",
    "reduce",
    "reduceRight",
    "reverse",
    "shift",
    "slice",
    "some",
    "sort",
    "splice",
    "unshift",
];

/// Puts the checks in place.
pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let strings = context.intrinsics().constructors().string().prototype();
    guard(&strings, js_string!("repeat"), Check::Result(repeated), context)?;
    guard(&strings, js_string!("padStart"), Check::Result(padded), context)?;
    guard(&strings, js_string!("padEnd"), Check::Result(padded), context)?;
    let arrays = context.intrinsics().constructors().array().prototype();
    for name in WALKS {
        guard(&arrays, JsString::from(*name), Check::Walk, context)?;
    }
    Ok(())
}

/// What is checked before the original runs.
#[derive(Clone, Copy)]
enum Check {
    /// The length of the string that it would make.
    Result(Length),
    /// The length of the array that it would walk.
    Walk,
}

/// Refuses a source that would exhaust the parser's stack.
pub(crate) fn nesting(source: &str) -> JsResult<()> {
    let mut depth = 0_usize;
    let (mut line, mut line_start) = (1_usize, 0_usize);
    for (at, byte) in source.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'\n' => (line, line_start) = (line + 1, at + 1),
            _ => {}
        }
        if depth > NESTING {
            let message = format!(
                "brackets are nested more than {NESTING} deep; build deep data in a loop at line {line}, col {}",
                at - line_start + 1
            );
            return Err(JsNativeError::syntax().with_message(message).into());
        }
    }
    Ok(())
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
    check: Check,
    context: &mut Context,
) -> JsResult<()> {
    let original = prototype.get(name.clone(), context)?;
    let Some(original) = original.as_object() else { return Ok(()) };
    let arity = original.get(js_string!("length"), context)?.to_length(context)?;
    let checked = NativeFunction::from_copy_closure_with_captures(
        move |this, arguments, original: &JsObject, context| match check {
            Check::Result(length) => make(this, arguments, original, length, context),
            Check::Walk => walk(this, arguments, original, context),
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

fn walk(
    this: &JsValue,
    arguments: &[JsValue],
    original: &JsObject,
    context: &mut Context,
) -> JsResult<JsValue> {
    // Read directly: a getter would be the program's code, and would count instructions.
    let length = this.as_object().and_then(|object| data_property(&object, "length"));
    let length = length.and_then(|length| length.as_number()).unwrap_or(0.0);
    #[expect(clippy::cast_precision_loss, reason = "a limit far below 2^53")]
    if length > ARRAY as f64 {
        let message = format!("Invalid array length: no more than {ARRAY} elements can be walked");
        return Err(JsNativeError::range().with_message(message).into());
    }
    original.call(this, arguments, context)
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
