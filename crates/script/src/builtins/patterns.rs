//! `source` of regular expressions. The engine puts a backslash before every slash, also where there
//! is one: `a\/b` becomes `a\\/b`, which is another pattern.

use boa_engine::{
    Context, JsObject, JsResult, JsString, NativeFunction, js_string, object::builtins::JsRegExp,
    property::PropertyDescriptor,
};

use crate::guards;

const SLASH: u16 = b'/' as u16;
const BACKSLASH: u16 = b'\\' as u16;
const OPEN: u16 = b'[' as u16;
const CLOSE: u16 = b']' as u16;

pub(super) fn install(context: &mut Context) -> JsResult<()> {
    let prototype = context.intrinsics().constructors().regexp().prototype();
    let shown = NativeFunction::from_copy_closure_with_captures(
        |this, _, original: &JsObject, context| {
            let text = original.call(this, &[], context)?;
            let escaped = text.as_string().map(|text| shown(&text.to_vec()));
            Ok(escaped.map_or(text, |text| JsString::from(text.as_slice()).into()))
        },
        guards::getter(&prototype, "source")?,
    );
    let shown = guards::function(js_string!("get source"), 0, shown, context);
    let property = PropertyDescriptor::builder().get(shown).enumerable(false).configurable(true);
    prototype.define_property_or_throw(js_string!("source"), property, context)?;
    Ok(())
}

/// A pattern's text as a literal has it.
pub(crate) fn source(pattern: &JsRegExp, context: &mut Context) -> JsResult<String> {
    let text: Vec<u16> = pattern.source(context)?.encode_utf16().collect();
    Ok(String::from_utf16_lossy(&shown(&text)))
}

/// The engine's text without its backslashes, and with one before each slash that is neither
/// escaped nor in a class.
fn shown(engine: &[u16]) -> Vec<u16> {
    let mut units = Vec::with_capacity(engine.len());
    let (mut escaped, mut class) = (false, false);
    for (index, unit) in engine.iter().enumerate() {
        if *unit == BACKSLASH && engine.get(index + 1) == Some(&SLASH) {
            continue;
        }
        match *unit {
            SLASH if !escaped && !class => units.push(BACKSLASH),
            OPEN if !escaped => class = true,
            CLOSE if !escaped => class = false,
            _ => {}
        }
        escaped = *unit == BACKSLASH && !escaped;
        units.push(*unit);
    }
    units
}
