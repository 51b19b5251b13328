//! `Intl.NumberFormat` and `Intl.PluralRules`.

use boa_engine::{Context, JsResult, JsString, JsValue, js_string};

use super::{Formatter, bound, create, part_list, record, strings, supported, with};
use crate::builtins::{
    class::Class,
    locale::{
        decimal::Decimal,
        join,
        number::{
            CurrencyDisplay, Digits, Grouping, Notation, NumberFormat, SignDisplay, Style, UNITS,
        },
        words,
    },
    numbers::{self, DigitOptions, ROUNDINGS, WIDTHS, decimal, name_of},
    options::{Options, locale, range},
};

pub(super) const NUMBER_FORMAT: Class = Class {
    name: "NumberFormat",
    length: 0,
    construct: |target, arguments, context| {
        let format = numbers::read(arguments, context)?;
        let formatter = Formatter::Number(format);
        create("NumberFormat", target, Some(|callable| &callable.number), formatter, context)
    },
    methods: &[
        ("formatToParts", 1, |this, arguments, context| {
            let parts = parts(this, arguments, context)?;
            part_list(parts, context)
        }),
        ("formatRange", 2, format_range),
        ("resolvedOptions", 0, number_options),
    ],
    accessors: &[("format", |this, _, context| bound(this, 1, format, context), None)],
    statics: &[("supportedLocalesOf", 1, supported)],
    tag: "Intl.NumberFormat",
};

fn number_format(this: &JsValue) -> JsResult<NumberFormat> {
    with(this, "NumberFormat", |formatter| match formatter {
        Formatter::Number(format) => Some(format.clone()),
        _ => None,
    })
}

fn parts(
    this: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<Vec<crate::builtins::locale::Part>> {
    let format = number_format(this)?;
    let number = decimal(&arguments.first().cloned().unwrap_or_default(), context)?;
    Ok(format.parts(&number))
}

fn format(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    Ok(JsString::from(join(&parts(this, arguments, context)?)).into())
}

fn format_range(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let format = number_format(this)?;
    let mut ends = Vec::new();
    for index in 0..2 {
        let number = decimal(&arguments.get(index).cloned().unwrap_or_default(), context)?;
        if number.special.is_some() {
            return Err(range("formatRange needs two finite numbers".into()));
        }
        ends.push(join(&format.parts(&number)));
    }
    let text = match ends.as_slice() {
        [start, end] if start != end => format!("{start}–{end}"),
        ends => format!("~{}", ends.first().map_or("", String::as_str)),
    };
    Ok(JsString::from(text).into())
}

fn number_options(this: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let format = number_format(this)?;
    let text = |text: &str| JsValue::from(js_string!(text));
    let mut entries: Vec<(&'static str, JsValue)> =
        vec![("locale", text(format.locale.tag)), ("numberingSystem", text("latn"))];
    match &format.style {
        Style::Decimal => entries.push(("style", text("decimal"))),
        Style::Percent => entries.push(("style", text("percent"))),
        Style::Currency { code, display, accounting } => entries.extend([
            ("style", text("currency")),
            ("currency", text(code)),
            (
                "currencyDisplay",
                text(match display {
                    CurrencyDisplay::Symbol => "symbol",
                    CurrencyDisplay::NarrowSymbol => "narrowSymbol",
                    CurrencyDisplay::Code => "code",
                    CurrencyDisplay::Name => "name",
                }),
            ),
            ("currencySign", text(if *accounting { "accounting" } else { "standard" })),
        ]),
        Style::Unit { unit, width } => entries.extend([
            ("style", text("unit")),
            ("unit", text(UNITS.get(*unit).copied().unwrap_or_default())),
            ("unitDisplay", name_of(WIDTHS, *width)),
        ]),
    }
    entries.extend(digit_entries(format.integer, format.digits));
    entries.push((
        "useGrouping",
        match format.grouping {
            Grouping::Never => false.into(),
            Grouping::Auto => text("auto"),
            Grouping::Always => text("always"),
            Grouping::Min2 => text("min2"),
        },
    ));
    entries.extend(manner_entries(&format));
    record(&entries, context)
}

/// Notation, sign and rounding.
fn manner_entries(format: &NumberFormat) -> Vec<(&'static str, JsValue)> {
    let text = |text: &str| JsValue::from(js_string!(text));
    let mut entries: Vec<(&'static str, JsValue)> = Vec::new();
    let (notation, display) = match format.notation {
        Notation::Standard => ("standard", None),
        Notation::Scientific => ("scientific", None),
        Notation::Engineering => ("engineering", None),
        Notation::CompactShort => ("compact", Some("short")),
        Notation::CompactLong => ("compact", Some("long")),
    };
    entries.push(("notation", text(notation)));
    entries.push(("compactDisplay", display.map_or(JsValue::undefined(), text)));
    entries.push((
        "signDisplay",
        text(match format.sign {
            SignDisplay::Auto => "auto",
            SignDisplay::Always => "always",
            SignDisplay::Never => "never",
            SignDisplay::ExceptZero => "exceptZero",
            SignDisplay::Negative => "negative",
        }),
    ));
    entries.push(("roundingIncrement", 1.into()));
    entries.push(("roundingMode", name_of(ROUNDINGS, format.rounding)));
    entries.push(("roundingPriority", text("auto")));
    entries
        .push(("trailingZeroDisplay", text(if format.strip { "stripIfInteger" } else { "auto" })));
    entries
}

fn digit_entries(integer: u8, digits: Digits) -> Vec<(&'static str, JsValue)> {
    let mut entries = vec![("minimumIntegerDigits", integer.into())];
    match digits {
        Digits::Fraction(least, most) => entries.extend([
            ("minimumFractionDigits", least.into()),
            ("maximumFractionDigits", most.into()),
        ]),
        Digits::Significant(least, most) => entries.extend([
            ("minimumSignificantDigits", least.into()),
            ("maximumSignificantDigits", most.into()),
        ]),
        Digits::Compact => entries.extend([
            ("minimumFractionDigits", 0.into()),
            ("maximumFractionDigits", 0.into()),
            ("minimumSignificantDigits", 1.into()),
            ("maximumSignificantDigits", 2.into()),
        ]),
    }
    entries
}

pub(super) const PLURAL_RULES: Class = Class {
    name: "PluralRules",
    length: 0,
    construct: |target, arguments, context| {
        let locale = locale(arguments.first(), context)?;
        let options = Options::coerce(arguments.get(1), context)?;
        let ordinal = options.choice("type", &[("cardinal", false), ("ordinal", true)], context)?;
        let digits = numbers::digit_options(&options, (0, 3, false), context)?;
        let formatter = Formatter::Plural { locale, ordinal: ordinal.unwrap_or(false), digits };
        create("PluralRules", target, None, formatter, context)
    },
    methods: &[("select", 1, select), ("resolvedOptions", 0, plural_options)],
    accessors: &[],
    statics: &[("supportedLocalesOf", 1, supported)],
    tag: "Intl.PluralRules",
};

fn select(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let number = arguments.first().cloned().unwrap_or_default().to_number(context)?;
    let category = with(this, "PluralRules.prototype.select", |formatter| match formatter {
        Formatter::Plural { locale, ordinal, digits } => {
            let DigitOptions { integer, digits, rounding, strip } = *digits;
            let format = NumberFormat {
                integer,
                digits,
                rounding,
                strip,
                grouping: Grouping::Never,
                ..numbers::plain(crate::builtins::locale::locales::Locale::default())
            };
            let text = join(&format.parts(&Decimal::from_f64(number)));
            let fraction = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
            let rounded = JsString::from(text.as_str()).to_number();
            let rounded = if rounded.is_nan() { number } else { rounded };
            Some(words::plural(locale.language(), rounded, fraction, *ordinal))
        }
        _ => None,
    })?;
    Ok(js_string!(category).into())
}

fn plural_options(this: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (locale, ordinal, integer, digits) =
        with(this, "PluralRules.prototype.resolvedOptions", |formatter| match formatter {
            Formatter::Plural { locale, ordinal, digits } => {
                Some((*locale, *ordinal, digits.integer, digits.digits))
            }
            _ => None,
        })?;
    let categories = words::categories(locale.language(), ordinal);
    let categories = strings(categories.iter().map(|name| (*name).to_owned()), context)?;
    let kind = if ordinal { "ordinal" } else { "cardinal" };
    let mut entries =
        vec![("locale", js_string!(locale.tag).into()), ("type", js_string!(kind).into())];
    entries.extend(digit_entries(integer, digits));
    entries.push(("pluralCategories", categories.into()));
    record(&entries, context)
}
