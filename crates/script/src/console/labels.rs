//! `count` and `time`: what the console keeps by label.

use std::{collections::BTreeMap, time::Duration};

use boa_engine::{Context, JsResult, JsString, JsValue};

use super::{State, format, print, room};
use crate::{ConsoleLevel, builtins::elapsed};

/// Longest label that is kept apart from others, in UTF-16 units.
const LABEL: usize = 1_000;

/// Counts and starts.
#[derive(Default)]
pub(super) struct Labels {
    counts: BTreeMap<String, u64>,
    timers: BTreeMap<String, Duration>,
}

fn label(arguments: &[JsValue], context: &mut Context) -> JsResult<String> {
    match arguments.first().filter(|label| !label.is_undefined()) {
        Some(label) => {
            let text = label.to_string(context)?;
            Ok(text.slice(0, text.len().min(LABEL)).to_std_string_lossy())
        }
        None => Ok("default".into()),
    }
}

/// Changes the labels, then writes what came of it, if anything.
fn change(
    context: &Context,
    level: ConsoleLevel,
    change: impl FnOnce(&mut Labels) -> Option<String>,
) -> JsResult<JsValue> {
    let text = context.get_data::<State>().and_then(|state| change(&mut state.labels.borrow_mut()));
    match text {
        Some(text) if room(context)?.is_some() => print(level, text, false, context),
        _ => Ok(JsValue::undefined()),
    }
}

pub(super) fn count(
    _: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<JsValue> {
    let label = label(arguments, context)?;
    change(context, ConsoleLevel::Log, |labels| {
        let count = labels.counts.entry(label.clone()).or_default();
        *count += 1;
        Some(format!("{label}: {count}"))
    })
}

pub(super) fn count_reset(
    _: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<JsValue> {
    let label = label(arguments, context)?;
    change(context, ConsoleLevel::Warn, |labels| match labels.counts.remove(&label) {
        Some(_) => None,
        None => Some(format!("Count for '{label}' does not exist")),
    })
}

pub(super) fn time(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let label = label(arguments, context)?;
    let now = elapsed(context);
    change(context, ConsoleLevel::Warn, |labels| {
        if labels.timers.contains_key(&label) {
            return Some(format!("Label '{label}' already exists for console.time()"));
        }
        labels.timers.insert(label, now);
        None
    })
}

pub(super) fn time_end(
    _: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<JsValue> {
    let label = label(arguments, context)?;
    let now = elapsed(context);
    let start = context
        .get_data::<State>()
        .and_then(|state| state.labels.borrow_mut().timers.remove(&label));
    report("timeEnd", &label, start, now, &[], context)
}

pub(super) fn time_log(
    _: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<JsValue> {
    let label = label(arguments, context)?;
    let now = elapsed(context);
    let start = context
        .get_data::<State>()
        .and_then(|state| state.labels.borrow().timers.get(&label).copied());
    report("timeLog", &label, start, now, arguments.get(1..).unwrap_or_default(), context)
}

fn report(
    method: &str,
    label: &str,
    start: Option<Duration>,
    now: Duration,
    rest: &[JsValue],
    context: &mut Context,
) -> JsResult<JsValue> {
    let Some(room) = room(context)? else { return Ok(JsValue::undefined()) };
    let Some(start) = start else {
        let text = format!("No such label '{label}' for console.{method}()");
        return print(ConsoleLevel::Warn, text, false, context);
    };
    let mut arguments = vec![JsValue::from(JsString::from(format!(
        "{label}: {}",
        span(now.saturating_sub(start))
    )))];
    arguments.extend(rest.iter().cloned());
    // The label is text, not a format.
    arguments.insert(0, JsString::from("%s").into());
    let (text, cut) = format(&arguments, room, context);
    print(ConsoleLevel::Log, text, cut, context)
}

/// `1.5ms`, `2.345s`.
fn span(time: Duration) -> String {
    let millis = time.as_secs_f64() * 1_000.0;
    if millis >= 1_000.0 {
        return format!("{:.3}s", time.as_secs_f64());
    }
    let text = format!("{millis:.3}");
    format!("{}ms", text.trim_end_matches('0').trim_end_matches('.'))
}
