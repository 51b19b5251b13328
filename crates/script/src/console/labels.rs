//! `count` and `time`: what the console keeps by label.

use std::{collections::BTreeMap, time::Duration};

use boa_engine::{Context, JsResult, JsString, JsValue};

use super::{State, format, print, room};
use crate::{ConsoleLevel, builtins::elapsed};

/// Longest label that is kept apart from others, in UTF-16 units.
const LABEL: usize = 1_000;
/// Labels that are kept.
const KEPT: usize = 1_000;

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
    level: ConsoleLevel,
    context: &Context,
    change: impl FnOnce(&mut Labels) -> Option<String>,
) -> JsResult<JsValue> {
    let text = context.get_data::<State>().and_then(|state| {
        let mut labels = state.labels.borrow_mut();
        if labels.counts.len() + labels.timers.len() > KEPT {
            *labels = Labels::default();
        }
        change(&mut labels)
    });
    match text {
        Some(text) if room(context)?.is_some() => print(level, text, false, context),
        _ => Ok(JsValue::undefined()),
    }
}

pub(super) fn count(_: &JsValue, list: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let label = label(list, context)?;
    change(ConsoleLevel::Log, context, |labels| {
        let count = labels.counts.entry(label.clone()).or_default();
        *count += 1;
        Some(format!("{label}: {count}"))
    })
}

pub(super) fn reset(_: &JsValue, list: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let label = label(list, context)?;
    change(ConsoleLevel::Warn, context, |labels| match labels.counts.remove(&label) {
        Some(_) => None,
        None => Some(format!("Count for '{label}' does not exist")),
    })
}

pub(super) fn time(_: &JsValue, list: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let label = label(list, context)?;
    let now = elapsed(context);
    change(ConsoleLevel::Warn, context, |labels| {
        if labels.timers.contains_key(&label) {
            return Some(format!("Label '{label}' already exists for console.time()"));
        }
        labels.timers.insert(label, now);
        None
    })
}

/// `timeLog`, or `timeEnd` when the timer ends.
pub(super) fn told(list: &[JsValue], ends: bool, context: &mut Context) -> JsResult<JsValue> {
    let label = label(list, context)?;
    let now = elapsed(context);
    let Some(room) = room(context)? else { return Ok(JsValue::undefined()) };
    let start = context.get_data::<State>().and_then(|state| {
        let timers = &mut state.labels.borrow_mut().timers;
        if ends { timers.remove(&label) } else { timers.get(&label).copied() }
    });
    let Some(start) = start else {
        let method = if ends { "timeEnd" } else { "timeLog" };
        let text = format!("No such label '{label}' for console.{method}()");
        return print(ConsoleLevel::Warn, text, false, context);
    };
    let text = format!("{label}: {}", span(now.saturating_sub(start)));
    // The label is text, not a format.
    let mut arguments = vec![JsString::from("%s").into(), JsString::from(text).into()];
    arguments.extend(list.iter().skip(1).filter(|_| !ends).cloned());
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
