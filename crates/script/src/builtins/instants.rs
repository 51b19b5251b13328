//! `Date` for texts as people write them: `March 7, 2024 2:30 PM`, `03/07/2024`, `2024-03-07 14:30`.
//! The engine reads the two formats that the language prescribes, and what it writes itself; every
//! browser reads more. And `toString` names the time zone, as they do.
//!
//! Border: [`parse`] knows nothing of the engine. It reads no zone but UTC and offsets from it; a
//! time without one is in UTC, the zone of the sandbox.

use boa_engine::{
    Context, Finalize, JsObject, JsResult, JsString, JsValue, NativeFunction, Trace, js_string,
    object::{FunctionObjectBuilder, builtins::JsDate},
    property::PropertyDescriptor,
    value::PreferredType,
};

use super::locale::zones::days_from_civil;
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
    let ours = FunctionObjectBuilder::new(context.realm(), function)
        .name(js_string!("Date"))
        .length(7)
        .constructor(true)
        .build();
    let fixed = PropertyDescriptor::builder()
        .value(prototype.clone())
        .writable(false)
        .enumerable(false)
        .configurable(false);
    ours.define_property_or_throw(js_string!("prototype"), fixed, context)?;
    for name in ["now", "parse", "UTC"] {
        let function = engine.date.get(js_string!(name), context)?;
        guards::put(&ours, js_string!(name), function, context)?;
    }
    guards::put(&prototype, js_string!("constructor"), ours.clone(), context)?;
    guards::put(&context.global_object(), js_string!("Date"), ours, context)
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

/// Names, by their first three letters.
const MONTHS: &str = "jan feb mar apr may jun jul aug sep oct nov dec";
const DAYS: &str = "mon tue wed thu fri sat sun";
/// The rest of them, for names in full.
const NAMES: &str = "january february march april may june july august september october november \
    december monday tuesday wednesday thursday friday saturday sunday sept";

/// A piece of a text.
#[derive(Debug, Clone, PartialEq)]
enum Token {
    /// Its value, and how many digits it has.
    Number(u32, usize),
    Word(String),
    Mark(char),
}

/// What was read so far.
#[derive(Default)]
struct Read {
    numbers: Vec<(u32, usize)>,
    month: Option<u32>,
    /// Hours, minutes, seconds, milliseconds.
    time: Option<[u32; 4]>,
    afternoon: Option<bool>,
    /// Minutes east of UTC.
    offset: i32,
}

/// Milliseconds since 1970 of a date that people write; [`None`] for what is none.
fn parse(text: &str) -> Option<f64> {
    let tokens = tokens(text)?;
    // Years with a sign are the language's own format, and the engine has refused this one.
    if matches!(tokens.first(), Some(Token::Mark(_))) {
        return None;
    }
    let mut read = Read::default();
    let mut rest = tokens.as_slice();
    while let Some((first, after)) = rest.split_first() {
        rest = match first {
            Token::Number(hours, 1..=2) if after.first() == Some(&Token::Mark(':')) => {
                let (time, after) = time(*hours, after)?;
                if read.time.replace(time).is_some() {
                    return None;
                }
                after
            }
            Token::Number(value, digits) => {
                read.numbers.push((*value, *digits));
                after
            }
            Token::Mark(sign @ ('+' | '-')) if read.time.is_some() => {
                let (offset, after) = offset(after)?;
                read.offset = if *sign == '-' { -offset } else { offset };
                after
            }
            Token::Mark('-' | '/' | '.' | ',') => after,
            Token::Mark(_) => return None,
            Token::Word(word) => {
                read.word(word)?;
                after
            }
        };
    }
    read.instant()
}

/// Words, numbers and marks; what is in brackets is said to people only.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '(' {
            chars.find(|c| *c == ')')?;
        } else if c.is_ascii_digit() {
            let (mut value, mut digits) = (c.to_digit(10)?, 1);
            while let Some(digit) = chars.peek().and_then(|c| c.to_digit(10)) {
                value = value.checked_mul(10)?.checked_add(digit)?;
                digits += 1;
                chars.next();
            }
            tokens.push(Token::Number(value, digits));
        } else if c.is_ascii_alphabetic() {
            let mut word = String::from(c.to_ascii_lowercase());
            while let Some(c) = chars.next_if(char::is_ascii_alphabetic) {
                word.push(c.to_ascii_lowercase());
            }
            tokens.push(Token::Word(word));
        } else if !c.is_whitespace() {
            tokens.push(Token::Mark(c));
        }
    }
    Some(tokens)
}

/// `:mm`, `:mm:ss` or `:mm:ss.fff` after the hours.
fn time(hours: u32, rest: &[Token]) -> Option<([u32; 4], &[Token])> {
    let [Token::Mark(':'), Token::Number(minutes, _), rest @ ..] = rest else { return None };
    let [Token::Mark(':'), Token::Number(seconds, _), rest @ ..] = rest else {
        return Some(([hours, *minutes, 0, 0], rest));
    };
    let [Token::Mark('.'), Token::Number(fraction, digits), rest @ ..] = rest else {
        return Some(([hours, *minutes, *seconds, 0], rest));
    };
    let power = i32::try_from(*digits).ok()?;
    let milliseconds = f64::from(*fraction) / 10_f64.powi(power) * 1_000.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 1,000")]
    let milliseconds = milliseconds as u32;
    Some(([hours, *minutes, *seconds, milliseconds], rest))
}

/// `hh`, `hhmm` or `hh:mm` after the sign, in minutes.
fn offset(rest: &[Token]) -> Option<(i32, &[Token])> {
    let [Token::Number(value, digits), rest @ ..] = rest else { return None };
    let value = i32::try_from(*value).ok()?;
    if let ([Token::Mark(':'), Token::Number(minutes, 2), rest @ ..], 1..=2) = (rest, *digits) {
        return Some((value * 60 + i32::try_from(*minutes).ok()?, rest));
    }
    match digits {
        1..=2 => Some((value * 60, rest)),
        3..=4 => Some((value / 100 * 60 + value % 100, rest)),
        _ => None,
    }
}

impl Read {
    fn word(&mut self, word: &str) -> Option<()> {
        let named = |names: &str| {
            let known = NAMES.split_whitespace().any(|name| name.starts_with(word));
            let start = word.get(..3).filter(|_| known)?;
            names.split(' ').position(|name| name == start)
        };
        if let Some(month) = named(MONTHS) {
            let second = self.month.replace(u32::try_from(month + 1).ok()?);
            return second.is_none().then_some(());
        }
        match word {
            "am" | "pm" if self.time.is_some() => self.afternoon = Some(word == "pm"),
            "z" | "gmt" | "utc" if self.time.is_some() || self.numbers.len() >= 2 => {}
            "t" if !self.numbers.is_empty() && self.time.is_none() => {}
            _ if named(DAYS).is_some() => {}
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
        let [mut hours, minutes, seconds, milliseconds] = self.time.unwrap_or_default();
        if let Some(afternoon) = self.afternoon {
            if !(1..=12).contains(&hours) {
                return None;
            }
            hours = hours % 12 + if afternoon { 12 } else { 0 };
        }
        let valid = (1..=12).contains(&month) && (1..=31).contains(&day);
        if !valid || hours > 24 || minutes > 59 || seconds > 59 || year > 275_000 {
            return None;
        }
        let minutes = i64::from(hours) * 60 + i64::from(minutes) - i64::from(self.offset);
        let seconds = days_from_civil(year.into(), month.into(), day.into()) * 86_400
            + minutes * 60
            + i64::from(seconds);
        let instant = seconds * 1_000 + i64::from(milliseconds);
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        Some(instant as f64)
    }
}
