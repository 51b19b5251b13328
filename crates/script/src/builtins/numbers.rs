//! `toLocaleString` of numbers, and the options of number formats.

use boa_engine::{Context, JsResult, JsString, JsValue, value::Numeric};

use super::{
    locale::number::{
        CurrencyDisplay, Digits, Grouping, Notation, Number, NumberFormat, SignDisplay, Style,
        UNITS, Width, minor_digits,
    },
    method,
    options::{Options, clip, locale, range, typed},
};
use crate::inspect::boxed;

pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let constructors = context.intrinsics().constructors();
    let (number, bigint) = (constructors.number().prototype(), constructors.bigint().prototype());
    method(&number, ("toLocaleString", 0, text), context)?;
    method(&bigint, ("toLocaleString", 0, text), context)
}

fn text(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let boxed = this.as_object().and_then(|object| boxed(&object)).map(|(_, value)| value);
    let this = boxed.as_ref().unwrap_or(this);
    if !this.is_number() && !this.is_bigint() {
        return Err(typed("toLocaleString requires that 'this' be a number"));
    }
    let format = read(arguments, context)?;
    Ok(JsString::from(format.text(&number(this, context)?)).into())
}

/// A number or a big integer; other values become numbers.
pub(crate) fn number(value: &JsValue, context: &mut Context) -> JsResult<Number> {
    match value.to_numeric(context)? {
        Numeric::Number(number) => Ok(Number::from_f64(number)),
        Numeric::BigInt(number) => Number::from_integer(&number.to_string())
            .ok_or_else(|| range("the number is too long to be written by locale".into())),
    }
}

/// A format from `(locales, options)`.
pub(crate) fn read(arguments: &[JsValue], context: &mut Context) -> JsResult<NumberFormat> {
    let locale = locale(arguments.first(), context)?;
    let mut format = NumberFormat::plain(locale);
    let given = arguments.get(1).filter(|options| !options.is_undefined());
    if given.is_none() {
        return Ok(format);
    }
    let options = Options::coerce(given, context)?;
    options.refuse("numberingSystem", "latn", context)?;
    style(&mut format, &options, context)?;
    let compact = notation(&mut format, &options, context)?;
    let (least, most) = match &format.style {
        Style::Currency { code, .. } if format.notation == Notation::Standard => {
            (minor_digits(code), minor_digits(code))
        }
        Style::Percent => (0, 0),
        _ => (0, 3),
    };
    (format.integer, format.digits) = digits(&options, (least, most, compact), context)?;
    format.grouping = grouping(&options, compact, context)?;
    let sign = options.word("signDisplay", context)?;
    format.sign = sign.unwrap_or(SignDisplay::Auto);
    Ok(format)
}

fn style(format: &mut NumberFormat, options: &Options, context: &mut Context) -> JsResult<()> {
    let style = options.choice(
        "style",
        &[("decimal", 0), ("percent", 1), ("currency", 2), ("unit", 3)],
        context,
    )?;
    let currency = options.text("currency", context)?;
    let display = options.word("currencyDisplay", context)?;
    let accounting =
        options.choice("currencySign", &[("standard", false), ("accounting", true)], context)?;
    let unit = options.text("unit", context)?;
    let width = options.word("unitDisplay", context)?;
    if let Some(code) = &currency
        && !(code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_alphabetic()))
    {
        return Err(range(format!("Invalid currency code : {}", clip(code))));
    }
    format.style = match (style.unwrap_or(0), currency, unit) {
        (1, ..) => Style::Percent,
        (2, None, _) => return Err(typed("Currency code is required with currency style.")),
        (2, Some(code), _) => Style::Currency {
            code: code.to_ascii_uppercase(),
            display: display.unwrap_or(CurrencyDisplay::Symbol),
            accounting: accounting.unwrap_or(false),
        },
        (3, _, None) => return Err(typed("Unit is required with unit style.")),
        (3, _, Some(unit)) => {
            let known = UNITS.split(' ').position(|known| known == unit).ok_or_else(|| {
                range(format!("Unit '{}' isn't known here; known are {UNITS}", clip(&unit)))
            })?;
            Style::Unit { unit: known, width: width.unwrap_or(Width::Short) }
        }
        _ => Style::Decimal,
    };
    Ok(())
}

/// Reads the notation; says whether it is a compact one.
fn notation(format: &mut NumberFormat, options: &Options, context: &mut Context) -> JsResult<bool> {
    format.notation = options.word("notation", context)?.unwrap_or(Notation::Standard);
    let long = options.choice("compactDisplay", &[("short", false), ("long", true)], context)?;
    format.long = long.unwrap_or(false);
    Ok(format.notation == Notation::Compact)
}

/// Digits before the point, at least, and all of them.
fn digits(
    options: &Options,
    (least, most, compact): (u8, u8, bool),
    context: &mut Context,
) -> JsResult<(u8, Digits)> {
    let integer = options.number("minimumIntegerDigits", (1, 21), context)?.unwrap_or(1);
    let low = options.number("minimumFractionDigits", (0, 100), context)?;
    let high = options.number("maximumFractionDigits", (0, 100), context)?;
    let few = options.number("minimumSignificantDigits", (1, 21), context)?;
    let many = options.number("maximumSignificantDigits", (few.unwrap_or(1), 21), context)?;
    options.refuse("roundingIncrement", "1", context)?;
    options.refuse("roundingMode", "halfExpand", context)?;
    options.refuse("roundingPriority", "auto", context)?;
    options.refuse("trailingZeroDisplay", "auto", context)?;
    let digits = if few.is_some() || many.is_some() {
        Digits::Significant(few.unwrap_or(1), many.unwrap_or(21))
    } else {
        match (low, high) {
            (None, None) if compact => Digits::Compact,
            (None, None) => Digits::Fraction(least, most),
            (Some(low), None) => Digits::Fraction(low, low.max(most)),
            (None, Some(high)) => Digits::Fraction(least.min(high), high),
            (Some(low), Some(high)) if low > high => {
                return Err(range("maximumFractionDigits value is out of range.".into()));
            }
            (Some(low), Some(high)) => Digits::Fraction(low, high),
        }
    };
    Ok((integer, digits))
}

fn grouping(options: &Options, compact: bool, context: &mut Context) -> JsResult<Grouping> {
    let usual = if compact { Grouping::Min2 } else { Grouping::Auto };
    match options.get("useGrouping", context)? {
        None => Ok(usual),
        Some(value) if !value.to_boolean() => Ok(Grouping::Never),
        Some(value) if value.is_boolean() => Ok(Grouping::Always),
        Some(_) => {
            let choices = [("auto", usual), ("always", Grouping::Always), ("min2", Grouping::Min2)];
            Ok(options.choice("useGrouping", &choices, context)?.unwrap_or(usual))
        }
    }
}
