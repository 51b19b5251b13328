//! Random numbers: `Math.random` and `crypto`, from one generator that the run's seed starts.
//!
//! Border: the generator (ChaCha, the engine's own) belongs to the run; the same seed gives the
//! same numbers.

use boa_engine::{
    Context, JsResult, JsString, JsValue, NativeFunction,
    builtins::typed_array::TypedArrayKind,
    js_string,
    object::{ObjectInitializer, builtins::JsTypedArray},
};

use super::{
    HIDDEN,
    errors::{QUOTA_EXCEEDED, TYPE_MISMATCH},
    method,
    text::Part,
};
use crate::host::Host;

/// Bytes that one call may ask for.
const QUOTA: usize = 65_536;

pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let math = context.intrinsics().objects().math();
    method(&math, ("random", 0, random), context)?;
    let crypto = ObjectInitializer::new(context)
        .function(NativeFunction::from_fn_ptr(get_values), js_string!("getRandomValues"), 1)
        .function(NativeFunction::from_fn_ptr(uuid), js_string!("randomUUID"), 0)
        .build();
    context.register_global_property(js_string!("crypto"), crypto, HIDDEN)
}

fn fill(bytes: &mut [u8], context: &Context) {
    if let Some(host) = context.downcast_job_executor::<Host>() {
        host.fill_random(bytes);
    }
}

fn random(_: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let mut bytes = [0; 8];
    fill(&mut bytes, context);
    // 53 bits fill the fraction of a double in [0, 1).
    #[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
    let number = (u64::from_le_bytes(bytes) >> 11) as f64;
    Ok((number / 9_007_199_254_740_992.0).into())
}

fn get_values(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    use TypedArrayKind::{Float16, Float32, Float64};
    let given = arguments.first().cloned().unwrap_or_default();
    let array = given.as_object().and_then(|array| JsTypedArray::from_object(array).ok());
    let whole = array.as_ref().and_then(JsTypedArray::kind);
    let whole = whole.is_some_and(|kind| !matches!(kind, Float16 | Float32 | Float64));
    let Some(array) = array.filter(|_| whole) else {
        let message = "The data argument must be an integer-type TypedArray";
        return Err(TYPE_MISMATCH.error(message, context));
    };
    let part = Part::of(&array.into(), context)?;
    if part.len() > QUOTA {
        let message = format!("The requested length exceeds {QUOTA} bytes; ask for less at a time");
        return Err(QUOTA_EXCEEDED.error(&message, context));
    }
    let mut bytes = vec![0; part.len()];
    fill(&mut bytes, context);
    part.write(&bytes);
    Ok(given)
}

/// A version 4 UUID.
fn uuid(_: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let mut bytes = [0; 16];
    fill(&mut bytes, context);
    let number = u128::from_be_bytes(bytes);
    let number = number & !(0xf << 76) | 0x4 << 76;
    let number = number & !(0x3 << 62) | 0x2 << 62;
    let digits = format!("{number:032x}");
    let parts: Vec<&str> = [0..8, 8..12, 12..16, 16..20, 20..32]
        .into_iter()
        .map(|part| digits.get(part).unwrap_or_default())
        .collect();
    Ok(JsString::from(parts.join("-")).into())
}
