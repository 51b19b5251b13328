//! `String.prototype.localeCompare`, and the options of comparisons.

use std::rc::Rc;

use boa_engine::{Context, JsResult, JsString, JsValue, string::JsStrVariant};
use icu_collator::{
    CollatorBorrowed, CollatorPreferences,
    options::{CaseLevel, CollatorOptions, Strength},
    preferences::CollationNumericOrdering,
};

use super::{
    check, method,
    options::{Options, range, requested},
};

/// How to compare.
pub(crate) type Collation = Rc<CollatorBorrowed<'static>>;

/// The comparison without locales and options, which is asked for most often.
struct Usual(Collation);

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
    let asked = arguments.get(1..).unwrap_or_default();
    let usual = context.get_data::<Usual>().map(|usual| usual.0.clone());
    let collation = match (asked.is_empty(), usual) {
        (true, Some(usual)) => usual,
        (true, None) => {
            let usual = read(asked, context)?;
            context.insert_data(Usual(usual.clone()));
            usual
        }
        _ => read(asked, context)?,
    };
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
    let order = match (left.as_str().variant(), right.as_str().variant()) {
        (JsStrVariant::Utf16(left), JsStrVariant::Utf16(right)) => {
            collation.compare_utf16(left, right)
        }
        _ => collation.compare_utf16(&left.to_vec(), &right.to_vec()),
    };
    Ok(JsValue::from(order as i32))
}

/// Which differences count: letters; accents too; case too; all.
const SENSITIVITIES: &[(&str, (Strength, CaseLevel))] = &[
    ("base", (Strength::Primary, CaseLevel::Off)),
    ("accent", (Strength::Secondary, CaseLevel::Off)),
    ("case", (Strength::Primary, CaseLevel::On)),
    ("variant", (Strength::Tertiary, CaseLevel::Off)),
];

/// A comparison from `(locales, options)`. `-u-kn` in a tag asks for numbers as well.
pub(crate) fn read(arguments: &[JsValue], context: &mut Context) -> JsResult<Collation> {
    let tags = requested(arguments.first(), context)?;
    let options = Options::coerce(arguments.get(1), context)?;
    options.refuse("usage", "sort", context)?;
    options.refuse("collation", "default", context)?;
    let numeric = options.flag("numeric", context)?;
    options.refuse("caseFirst", "false", context)?;
    options.refuse("ignorePunctuation", "false", context)?;
    let sensitivity = options.choice("sensitivity", SENSITIVITIES, context)?;
    let mut preferences = tags.first().map_or_else(CollatorPreferences::default, Into::into);
    let ordering = |numeric| match numeric {
        true => CollationNumericOrdering::True,
        false => CollationNumericOrdering::False,
    };
    preferences.numeric_ordering = numeric.map(ordering).or(preferences.numeric_ordering);
    let (strength, case_level) = sensitivity.unwrap_or((Strength::Tertiary, CaseLevel::Off));
    let mut options = CollatorOptions::default();
    options.strength = Some(strength);
    options.case_level = Some(case_level);
    let collator = CollatorBorrowed::try_new(preferences, options)
        .map_err(|error| range(format!("texts cannot be compared so: {error}")))?;
    Ok(Rc::new(collator))
}
