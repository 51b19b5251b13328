//! `Intl.DateTimeFormat`.

use boa_engine::{Context, JsResult, JsString, JsValue, js_string};

use super::{Formatter, bound, create, part_list, record, supported, with};
use crate::builtins::{
    class::Class,
    dates::{self, CYCLES, STYLES, Usual, Wanted, milliseconds, time_of},
    locale::{
        Part,
        date::{DateFormat, Fields, Month, Name, Numeric, Shape, ZoneName},
    },
    numbers::name_of,
    options::range,
};

pub(super) const DATE_TIME_FORMAT: Class = Class {
    name: "DateTimeFormat",
    length: 0,
    construct: |target, arguments, context| {
        let format = dates::read(arguments, Wanted::Any, Usual::Date, context)?;
        let formatter = Formatter::Date(format);
        create("DateTimeFormat", target, Some(|callable| &callable.date), formatter, context)
    },
    methods: &[
        ("formatToParts", 1, |this, arguments, context| {
            let parts = parts(this, arguments.first(), context)?;
            part_list(parts, context)
        }),
        ("formatRange", 2, format_range),
        ("resolvedOptions", 0, resolved),
    ],
    accessors: &[("format", |this, _, context| bound(this, 1, format, context), None)],
    statics: &[("supportedLocalesOf", 1, supported)],
    tag: "Intl.DateTimeFormat",
};

fn date_format(this: &JsValue) -> JsResult<DateFormat> {
    with(this, "DateTimeFormat", |formatter| match formatter {
        Formatter::Date(format) => Some(format.clone()),
        _ => None,
    })
}

fn parts(this: &JsValue, date: Option<&JsValue>, context: &mut Context) -> JsResult<Vec<Part>> {
    Ok(date_format(this)?.parts(time(date, context)?))
}

fn text(this: &JsValue, date: Option<&JsValue>, context: &mut Context) -> JsResult<String> {
    Ok(date_format(this)?.text(time(date, context)?))
}

fn time(date: Option<&JsValue>, context: &mut Context) -> JsResult<i64> {
    let time = match date.filter(|date| !date.is_undefined()) {
        #[expect(clippy::cast_precision_loss, reason = "today's time is far below 2^53")]
        None => context.clock().system_time_millis() as f64,
        Some(date) => match date.as_object() {
            Some(object) => match time_of(&object, context)? {
                Some(time) => time,
                None => date.to_number(context)?,
            },
            None => date.to_number(context)?,
        },
    };
    if !time.is_finite() || time.abs() > 8.64e15 {
        return Err(range("Invalid time value".into()));
    }
    Ok(milliseconds(time))
}

fn format(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    Ok(JsString::from(text(this, arguments.first(), context)?).into())
}

/// Both ends in full; the standard would leave out what they share.
fn format_range(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let start = text(this, arguments.first(), context)?;
    let end = text(this, arguments.get(1), context)?;
    let text = if start == end { start } else { format!("{start}\u{2009}–\u{2009}{end}") };
    Ok(JsString::from(text).into())
}

fn resolved(this: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let format = date_format(this)?;
    let text = |text: &str| JsValue::from(js_string!(text));
    let mut entries: Vec<(&'static str, JsValue)> = vec![
        ("locale", text(format.locale.tag)),
        ("calendar", text("gregory")),
        ("numberingSystem", text("latn")),
        ("timeZone", text(&format.zone.name)),
    ];
    let hours = match format.shape {
        Shape::Fields(fields) => fields.hour.is_some(),
        Shape::Styles { time, .. } => time.is_some(),
    };
    if hours {
        entries.push(("hourCycle", name_of(CYCLES, format.cycle)));
        entries.push(("hour12", format.cycle.is_twelve().into()));
    }
    match format.shape {
        Shape::Styles { date, time } => {
            let style = |style: Option<usize>| {
                style.map_or(JsValue::undefined(), |style| name_of(STYLES, style))
            };
            entries.extend([("dateStyle", style(date)), ("timeStyle", style(time))]);
        }
        Shape::Fields(fields) => entries.extend(field_entries(&fields)),
    }
    record(&entries, context)
}

/// The fields that are written, each with its form.
fn field_entries(fields: &Fields) -> Vec<(&'static str, JsValue)> {
    let text = |text: &str| JsValue::from(js_string!(text));
    let mut entries: Vec<(&'static str, JsValue)> = Vec::new();
    let name = |name: Name| match name {
        Name::Long => "long",
        Name::Short => "short",
        Name::Narrow => "narrow",
    };
    let number = |number: Numeric| match number {
        Numeric::Numeric => "numeric",
        Numeric::TwoDigit => "2-digit",
    };
    let optional = |value: Option<&'static str>| value.map_or(JsValue::undefined(), text);
    entries.extend([
        ("weekday", optional(fields.weekday.map(name))),
        ("year", optional(fields.year.map(number))),
        (
            "month",
            optional(fields.month.map(|month| match month {
                Month::Name(width) => name(width),
                Month::Number(width) => number(width),
            })),
        ),
        ("day", optional(fields.day.map(number))),
        ("hour", optional(fields.hour.map(number))),
        ("minute", optional(fields.minute.map(|_| "2-digit"))),
        ("second", optional(fields.second.map(|_| "2-digit"))),
    ]);
    if fields.fraction > 0 {
        let digits = i32::try_from(fields.fraction).unwrap_or(3);
        entries.push(("fractionalSecondDigits", digits.into()));
    }
    entries.push((
        "timeZoneName",
        optional(fields.zone.map(|zone| match zone {
            ZoneName::Short => "short",
            ZoneName::Long => "long",
            ZoneName::ShortOffset => "shortOffset",
            ZoneName::LongOffset => "longOffset",
        })),
    ));
    entries
}
