//! `Date` for texts as people write them: `March 7, 2024 2:30 PM`, `03/07/2024`, `2024-03-07 14:30`.
//! The engine reads the two formats that the language prescribes, and what it writes itself; every
//! browser reads more. And `toString` names the time zone, as they do.
//!
//! Border: [`parse`] knows nothing of the engine. It reads no zone but UTC and offsets from it; a
//! time without one is in UTC, the zone of the sandbox. Years end at 9999.

use boa_engine::{
    Context, Finalize, JsObject, JsResult, JsString, JsValue, NativeFunction, Trace, js_string,
    object::builtins::JsDate, property::PropertyDescriptor, value::PreferredType,
};

use jiff::{civil, tz::TimeZone};

use crate::guards;

/// What is said of the zone.
const ZONE: &str = " (Coordinated Universal Time)";

/// The engine's own.
#[derive(Clone, Trace, Finalize)]
struct Engine {
    date: JsObject,
    parse: JsObject,
}

/// Puts our `Date` in the place of the engine's, around it.
pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let constructors = context.intrinsics().constructors();
    let (date, prototype) = (constructors.date().constructor(), constructors.date().prototype());
    let engine = Engine { parse: guards::method(&date, js_string!("parse"), context)?, date };
    guards::replace(&engine.date, js_string!("parse"), parsed, engine.clone(), context)?;
    for name in ["toString", "toTimeString"] {
        let original = guards::method(&prototype, js_string!(name), context)?;
        guards::replace(&prototype, js_string!(name), with_zone, original, context)?;
    }
    let function = NativeFunction::from_copy_closure_with_captures(construct, engine.clone());
    let ours = guards::stand_before(
        &engine.date,
        ("Date", 7, &["now", "parse", "UTC"]),
        function,
        context,
    )?;
    let fixed = PropertyDescriptor::builder()
        .value(prototype.clone())
        .writable(false)
        .enumerable(false)
        .configurable(false);
    ours.define_property_or_throw(js_string!("prototype"), fixed, context)?;
    guards::put(&prototype, js_string!("constructor"), ours, context)
}

/// `Date(…)` and `new Date(…)`; `this` is the `new` target.
fn construct(
    this: &JsValue,
    arguments: &[JsValue],
    engine: &Engine,
    context: &mut Context,
) -> JsResult<JsValue> {
    let Some(target) = this.as_object().filter(JsObject::is_constructor) else {
        return engine.date.call(this, arguments, context);
    };
    let made = match arguments {
        [one] if one.as_object().is_none_or(|object| JsDate::from_object(object).is_err()) => {
            let mut value = one.to_primitive(context, PreferredType::Default)?;
            if value.is_string() {
                value = parsed(&JsValue::undefined(), &[value], engine, context)?;
            }
            engine.date.construct(&[value], Some(&target), context)?
        }
        _ => engine.date.construct(arguments, Some(&target), context)?,
    };
    Ok(made.into())
}

/// `Date.parse`
fn parsed(
    _: &JsValue,
    arguments: &[JsValue],
    engine: &Engine,
    context: &mut Context,
) -> JsResult<JsValue> {
    let text = arguments.first().cloned().unwrap_or_default().to_string(context)?;
    let known = engine.parse.call(&engine.date.clone().into(), &[text.clone().into()], context)?;
    if known.as_number().is_some_and(f64::is_finite) || text.len() > LONGEST {
        return Ok(known);
    }
    Ok(parse(&text.to_std_string_lossy()).map_or(known, JsValue::from))
}

fn with_zone(
    this: &JsValue,
    arguments: &[JsValue],
    original: &JsObject,
    context: &mut Context,
) -> JsResult<JsValue> {
    let text = original.call(this, arguments, context)?;
    Ok(match text.as_string() {
        Some(plain) if plain.to_std_string_lossy().ends_with("GMT+0000") => {
            JsString::concat_array(&[plain.as_str(), JsString::from(ZONE).as_str()]).into()
        }
        _ => text,
    })
}

/// Longest text that is read.
const LONGEST: usize = 100;

const MONTHS: &str = "january february march april may june july august september october \
    november december";
const DAYS: &str = "monday tuesday wednesday thursday friday saturday sunday";

/// What was read so far.
#[derive(Default)]
struct Read {
    /// Values, and how many digits they have.
    numbers: Vec<(u32, usize)>,
    month: Option<u32>,
    /// Hours, minutes, and seconds with their fraction.
    time: Option<(u32, u32, f64)>,
    afternoon: Option<bool>,
    /// Minutes east of UTC.
    offset: i64,
}

/// Milliseconds since 1970 of a date that people write; [`None`] for what is none.
fn parse(text: &str) -> Option<f64> {
    // What is in brackets is said to people only.
    let (before, after) = match text.split_once('(') {
        Some((before, rest)) => (before, rest.split_once(')')?.1),
        None => (text, ""),
    };
    let mut read = Read::default();
    for part in [before, after] {
        let words = part.split(|c: char| c == ',' || c.is_whitespace());
        words.filter(|word| !word.is_empty()).try_for_each(|word| read.part(word))?;
    }
    read.instant()
}

impl Read {
    /// What stands between blanks.
    fn part(&mut self, part: &str) -> Option<()> {
        let part = part.to_ascii_lowercase();
        // The language's own format, but with an offset that it has not: `+0200`.
        if let Some((date, time)) = part.split_once('t').filter(|(date, _)| date.len() == 10) {
            self.part(date)?;
            return self.part(time);
        }
        let zone = part.strip_prefix("gmt").or_else(|| part.strip_prefix("utc"));
        match zone.unwrap_or(&part) {
            offset if offset.starts_with(['+', '-']) => self.offset(offset),
            time if time.contains(':') => self.time(time),
            "" => self.word("z"),
            _ => {
                for piece in part.split(['-', '/', '.']).filter(|piece| !piece.is_empty()) {
                    match piece.parse() {
                        Ok(value) => self.numbers.push((value, piece.len())),
                        Err(_) => self.word(piece)?,
                    }
                }
                Some(())
            }
        }
    }

    /// `h:mm`, `h:mm:ss` or `h:mm:ss.fff`, and what stands directly behind it.
    fn time(&mut self, text: &str) -> Option<()> {
        let end = text.find(|c: char| !c.is_ascii_digit() && !":.".contains(c));
        let (clock, rest) = text.split_at(end.unwrap_or(text.len()));
        let mut parts = clock.split(':');
        let (hours, minutes) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let seconds = parts.next().map_or(Some(0.0), |seconds| seconds.parse().ok())?;
        let again =
            self.time.replace((hours, minutes, seconds)).is_some() || parts.next().is_some();
        match rest {
            _ if again => None,
            "" => Some(()),
            offset if offset.starts_with(['+', '-']) => self.offset(offset),
            word => self.word(word),
        }
    }

    /// `+hh`, `+hhmm` or `+hh:mm` behind a time.
    fn offset(&mut self, text: &str) -> Option<()> {
        let digits = text.get(1..)?.replacen(':', "", 1);
        let number: i64 = digits.parse().ok().filter(|_| self.time.is_some())?;
        let minutes = if digits.len() > 2 { number / 100 * 60 + number % 100 } else { number * 60 };
        self.offset = if text.starts_with('-') { -minutes } else { minutes };
        (digits.len() <= 4).then_some(())
    }

    fn word(&mut self, word: &str) -> Option<()> {
        // Three letters at least, as much of the name as is liked: `Sept`.
        let mut months = MONTHS.split(' ').zip(1..);
        let is = |name: &str| word.len() > 2 && name.starts_with(word);
        if let Some((_, month)) = months.find(|(name, _)| is(name)) {
            return self.month.replace(month).is_none().then_some(());
        }
        match word {
            "am" | "pm" if self.time.is_some() => self.afternoon = Some(word == "pm"),
            "z" if self.time.is_some() || self.numbers.len() >= 2 => {}
            _ if DAYS.split(' ').any(is) => {}
            _ => return None,
        }
        Some(())
    }

    /// Year, month and day.
    fn date(&self) -> Option<(u32, u32, u32)> {
        let is_year = |(value, digits): (u32, usize)| value > 31 || digits > 2;
        let year = |(value, digits): (u32, usize)| match value {
            0..=49 if digits <= 2 => value + 2_000,
            50..=99 if digits <= 2 => value + 1_900,
            _ => value,
        };
        match (self.month, self.numbers.as_slice()) {
            (Some(month), [one]) if is_year(*one) => Some((year(*one), month, 1)),
            (Some(month), [one, two]) if is_year(*one) => Some((year(*one), month, two.0)),
            (Some(month), [one, two]) => Some((year(*two), month, one.0)),
            (None, [one, two, three]) if is_year(*one) => Some((year(*one), two.0, three.0)),
            (None, [one, two, three]) => Some((year(*three), one.0, two.0)),
            _ => None,
        }
    }

    fn instant(&self) -> Option<f64> {
        let (year, month, day) = self.date()?;
        let (mut hours, minutes, seconds) = self.time.unwrap_or_default();
        if let Some(afternoon) = self.afternoon {
            if !(1..=12).contains(&hours) {
                return None;
            }
            hours = hours % 12 + if afternoon { 12 } else { 0 };
        }
        if !(1..=31).contains(&day) || hours > 24 || minutes > 59 || seconds >= 60.0 {
            return None;
        }
        let first = civil::Date::new(year.try_into().ok()?, month.try_into().ok()?, 1).ok()?;
        let first = first.to_zoned(TimeZone::UTC).ok()?.timestamp().as_second();
        // The 30th of February is the first or second of March, as in every browser.
        let minutes = i64::from(day - 1) * 1_440 + i64::from(hours * 60 + minutes) - self.offset;
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let start = (first + minutes * 60) as f64;
        Some(start * 1_000.0 + (seconds * 1_000.0).floor())
    }
}
