//! `toLocaleString` of dates, and the options of date formats.

use boa_engine::{Context, JsObject, JsResult, JsString, JsValue, object::builtins::JsDate};
use jiff::tz::TimeZone;

use super::{
    Native,
    locale::date::{self, DateFormat, Fields, Month, Numeric, Shape},
    method,
    options::{Options, clip, locale, range, typed},
};

pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let dates = context.intrinsics().constructors().date().prototype();
    let texts: [(&str, Native); 3] = [
        ("toLocaleString", |this, list, context| text(this, list, Usual::All, context)),
        ("toLocaleDateString", |this, list, context| text(this, list, Usual::Date, context)),
        ("toLocaleTimeString", |this, list, context| text(this, list, Usual::Time, context)),
    ];
    texts.into_iter().try_for_each(|(name, text)| method(&dates, (name, 0, text), context))
}

/// The fields that are written when none is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Usual {
    /// The date's; those of the time that are asked for stand beside it.
    Date,
    /// The time's, likewise.
    Time,
    All,
    /// The date's, unless those of the time are asked for.
    DateForAny,
}

fn text(
    this: &JsValue,
    arguments: &[JsValue],
    usual: Usual,
    context: &mut Context,
) -> JsResult<JsValue> {
    let time = this.as_object().map(|object| time_of(&object, context)).transpose()?.flatten();
    let Some(time) = time else { return Err(typed("this is not a Date object.")) };
    let Some(time) = milliseconds(time) else {
        return Ok(boa_engine::js_string!("Invalid Date").into());
    };
    Ok(JsString::from(read(arguments, usual, context)?.text(time)).into())
}

/// The time value of a date; `None` for other objects.
pub(crate) fn time_of(object: &JsObject, context: &mut Context) -> JsResult<Option<f64>> {
    let Ok(date) = JsDate::from_object(object.clone()) else { return Ok(None) };
    Ok(date.get_time(context)?.as_number())
}

/// A time value as a whole number; [`None`] beyond what the language knows.
pub(crate) fn milliseconds(time: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "in the language's range")]
    (time.abs() <= 8.64e15).then_some(time.floor() as i64)
}

/// A format from `(locales, options)`.
pub(crate) fn read(
    arguments: &[JsValue],
    usual: Usual,
    context: &mut Context,
) -> JsResult<DateFormat> {
    let locale = locale(arguments.first(), context)?;
    let options = Options::coerce(arguments.get(1), context)?;
    options.refuse("calendar", "gregory", context)?;
    options.refuse("numberingSystem", "latn", context)?;
    let twelve = options.flag("hour12", context)?;
    let cycle = options.word("hourCycle", context)?;
    let cycle = match (twelve, cycle) {
        (None, Some(cycle)) => cycle,
        (twelve, _) => date::cycle(&locale, twelve),
    };
    let zone = match options.text("timeZone", context)? {
        None => TimeZone::UTC,
        Some(name) => date::zone(&name)
            .ok_or_else(|| range(format!("Invalid time zone specified: {}", clip(&name))))?,
    };
    let fields = fields(&options, context)?;
    let date = options.word("dateStyle", context)?;
    let time = options.word("timeStyle", context)?;
    let shape = if date.is_none() && time.is_none() {
        Shape::Fields(complete(fields, usual))
    } else {
        if fields != Fields::default() {
            return Err(typed(
                "Can't set options such as year or hour when dateStyle or timeStyle is used",
            ));
        }
        match usual {
            Usual::Date if time.is_some() => return Err(typed("Invalid option : timeStyle")),
            Usual::Time if date.is_some() => return Err(typed("Invalid option : dateStyle")),
            _ => Shape::Styles { date, time },
        }
    };
    Ok(DateFormat { locale, zone, cycle, shape })
}

fn fields(options: &Options, context: &mut Context) -> JsResult<Fields> {
    options.refuse("era", "", context)?;
    options.refuse("dayPeriod", "", context)?;
    Ok(Fields {
        weekday: options.word("weekday", context)?,
        year: options.word("year", context)?,
        month: options.word("month", context)?,
        day: options.word("day", context)?,
        hour: options.word("hour", context)?,
        minute: options.word("minute", context)?,
        second: options.word("second", context)?,
        fraction: options.number("fractionalSecondDigits", (1, 3), context)?.map_or(0, usize::from),
        zone: options.word("timeZoneName", context)?,
    })
}

/// Adds the usual fields when none of the wanted kind is there.
fn complete(mut fields: Fields, usual: Usual) -> Fields {
    let Fields { weekday, year, month, day, hour, minute, second, fraction, .. } = fields;
    let date = weekday.is_some() || year.is_some() || month.is_some() || day.is_some();
    let time = hour.is_some() || minute.is_some() || second.is_some() || fraction > 0;
    let present = match usual {
        Usual::Date => date,
        Usual::Time => time,
        Usual::All | Usual::DateForAny => date || time,
    };
    if present {
        return fields;
    }
    let number = Some(Numeric::Numeric);
    if usual != Usual::Time {
        fields.month = Some(Month::Numeric);
        (fields.year, fields.day) = (number, number);
    }
    if matches!(usual, Usual::Time | Usual::All) {
        (fields.hour, fields.minute, fields.second) = (number, number, number);
    }
    fields
}
