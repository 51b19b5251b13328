//! `String.prototype.localeCompare`, and the options of comparisons.

use boa_engine::{Context, JsResult, JsString, JsValue};

use super::{
    check,
    locale::collate::{Collation, Sensitivity},
    method,
    options::{Options, requested},
};

pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let strings = context.intrinsics().constructors().string().prototype();
    method(&strings, ("localeCompare", 1, locale_compare), context)
}

fn locale_compare(
    this: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<JsValue> {
    let this = this.require_object_coercible()?.to_string(context)?;
    let that = arguments.first().cloned().unwrap_or_default().to_string(context)?;
    let collation = read(arguments.get(1..).unwrap_or_default(), context)?;
    order(&collation, &this, &that, context)
}

/// Texts longer than this together are worth a look at the clock.
const LONG: usize = 10_000;

/// -1, 0 or 1.
pub(crate) fn order(
    collation: &Collation,
    left: &JsString,
    right: &JsString,
    context: &Context,
) -> JsResult<JsValue> {
    if left.len() + right.len() > LONG {
        check(context)?;
    }
    let order = collation.compare(&left.to_vec(), &right.to_vec());
    Ok(JsValue::from(order as i32))
}

/// The names of sensitivities.
pub(crate) const SENSITIVITIES: &[(&str, Sensitivity)] = &[
    ("base", Sensitivity::Base),
    ("accent", Sensitivity::Accent),
    ("case", Sensitivity::Case),
    ("variant", Sensitivity::Variant),
];

/// A comparison from `(locales, options)`. `-u-kn` in a tag asks for numbers as well.
pub(crate) fn read(arguments: &[JsValue], context: &mut Context) -> JsResult<Collation> {
    let tags = requested(arguments.first(), context)?;
    let options = Options::coerce(arguments.get(1), context)?;
    // Both are the same order here.
    options.choice("usage", &[("sort", 0), ("search", 0)], context)?;
    options.refuse("collation", "default", context)?;
    let numeric = options.flag("numeric", context)?;
    let first = options.choice(
        "caseFirst",
        &[("upper", true), ("lower", false), ("false", false)],
        context,
    )?;
    let sensitivity = options.choice("sensitivity", SENSITIVITIES, context)?;
    let ignore = options.flag("ignorePunctuation", context)?;
    let in_tag = tags.first().is_some_and(|tag| tag.contains("-u-") && tag.contains("-kn"));
    Ok(Collation {
        sensitivity: sensitivity.unwrap_or(Sensitivity::Variant),
        numeric: numeric.unwrap_or(in_tag),
        upper_first: first.unwrap_or(false),
        ignore_punctuation: ignore.unwrap_or(false),
    })
}
