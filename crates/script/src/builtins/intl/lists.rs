//! `Intl.ListFormat` and `Intl.RelativeTimeFormat`.

use boa_engine::{Context, JsResult, JsString, JsValue, js_string};

use super::{Formatter, create, part_list, record, supported, with};
use crate::builtins::{
    class::Class,
    locale::{
        Part,
        decimal::Decimal,
        join,
        locales::Locale,
        number::Width,
        words::{self, ListKind},
    },
    numbers::{self, WIDTHS, name_of},
    options::{Options, clip, locale, range, typed},
};

const KINDS: &[(&str, ListKind)] = &[
    ("conjunction", ListKind::Conjunction),
    ("disjunction", ListKind::Disjunction),
    ("unit", ListKind::Unit),
];

pub(super) const LIST_FORMAT: Class = Class {
    name: "ListFormat",
    length: 0,
    construct: |target, arguments, context| {
        let locale = locale(arguments.first(), context)?;
        let options = Options::coerce(arguments.get(1), context)?;
        let kind = options.choice("type", KINDS, context)?.unwrap_or(ListKind::Conjunction);
        let width = options.choice("style", WIDTHS, context)?.unwrap_or(Width::Long);
        create("ListFormat", target, None, Formatter::List { locale, kind, width }, context)
    },
    methods: &[
        ("format", 1, |this, arguments, context| {
            Ok(JsString::from(join(&list(this, arguments, context)?)).into())
        }),
        ("formatToParts", 1, |this, arguments, context| {
            let parts = list(this, arguments, context)?;
            part_list(parts, context)
        }),
        ("resolvedOptions", 0, list_options),
    ],
    accessors: &[],
    statics: &[("supportedLocalesOf", 1, supported)],
    tag: "Intl.ListFormat",
};

fn list_format(this: &JsValue) -> JsResult<(Locale, ListKind, Width)> {
    with(this, "ListFormat", |formatter| match formatter {
        Formatter::List { locale, kind, width } => Some((*locale, *kind, *width)),
        _ => None,
    })
}

fn list(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<Vec<Part>> {
    let (locale, kind, width) = list_format(this)?;
    let items = arguments.first().cloned().unwrap_or_default();
    let mut texts = Vec::new();
    if !items.is_undefined() {
        for item in super::super::iterate(&items, context)? {
            let Some(text) = item.as_string() else {
                return Err(typed("Iterable yielded a value which is not a string"));
            };
            texts.push(text.to_std_string_lossy());
        }
    }
    Ok(words::list(&locale, kind, width, &texts))
}

fn list_options(this: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (locale, kind, width) = list_format(this)?;
    record(
        &[
            ("locale", js_string!(locale.tag).into()),
            ("type", name_of(KINDS, kind)),
            ("style", name_of(WIDTHS, width)),
        ],
        context,
    )
}

pub(super) const RELATIVE_TIME_FORMAT: Class = Class {
    name: "RelativeTimeFormat",
    length: 0,
    construct: |target, arguments, context| {
        // Checked, though the texts are English in every locale.
        locale(arguments.first(), context)?;
        let options = Options::coerce(arguments.get(1), context)?;
        let width = options.choice("style", WIDTHS, context)?.unwrap_or(Width::Long);
        let auto = options.choice("numeric", &[("always", false), ("auto", true)], context)?;
        let formatter = Formatter::Relative { auto: auto.unwrap_or(false), width };
        create("RelativeTimeFormat", target, None, formatter, context)
    },
    methods: &[("format", 2, relative), ("resolvedOptions", 0, relative_options)],
    accessors: &[],
    statics: &[("supportedLocalesOf", 1, supported)],
    tag: "Intl.RelativeTimeFormat",
};

fn relative_format(this: &JsValue) -> JsResult<(bool, Width)> {
    with(this, "RelativeTimeFormat", |formatter| match formatter {
        Formatter::Relative { auto, width } => Some((*auto, *width)),
        _ => None,
    })
}

fn relative(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (auto, width) = relative_format(this)?;
    let number = arguments.first().cloned().unwrap_or_default().to_number(context)?;
    let unit = arguments.get(1).cloned().unwrap_or_default().to_string(context)?;
    let unit = unit.to_std_string_lossy();
    let span = words::span(&unit)
        .ok_or_else(|| range(format!("Invalid unit argument for format() '{}'", clip(&unit))))?;
    if !number.is_finite() {
        return Err(range(
            "Value need to be finite number for Intl.RelativeTimeFormat.prototype.format()".into(),
        ));
    }
    if auto && let Some(word) = words::nearby(number, span, width) {
        return Ok(JsString::from(word).into());
    }
    let format = numbers::plain(Locale::default());
    let text = join(&format.parts(&Decimal::from_f64(number.abs())));
    let one = text == "1";
    let text = words::relative(&text, number.is_sign_negative(), one, span, width);
    Ok(JsString::from(text).into())
}

fn relative_options(this: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (auto, width) = relative_format(this)?;
    let numeric = if auto { "auto" } else { "always" };
    record(
        &[
            ("locale", js_string!(Locale::default().tag).into()),
            ("style", name_of(WIDTHS, width)),
            ("numeric", js_string!(numeric).into()),
            ("numberingSystem", js_string!("latn").into()),
        ],
        context,
    )
}
