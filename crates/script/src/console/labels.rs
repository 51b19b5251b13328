//! `count` and `time`: what the console keeps by label.

use std::time::Duration;

use boa_engine::{Context, JsResult, JsString, JsValue};

use super::{State, format, print, room};
use crate::{ConsoleLevel, builtins::elapsed};

/// Longest label that is kept apart from others, in UTF-16 units.
const LABEL: usize = 1_000;

/// Counts and starts.
#[derive(Default)]
pub(super) struct Labels {
    counts: Kept<u64>,
    timers: Kept<Duration>,
}

/// Few enough to be searched one by one.
const KEPT: usize = 1_000;

/// Values by label; past [`KEPT`] labels the oldest is forgotten.
struct Kept<T>(Vec<(String, T)>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy> Kept<T> {
    fn get(&self, label: &str) -> Option<T> {
        self.0.iter().find(|(known, _)| known == label).map(|(_, value)| *value)
    }

    fn set(&mut self, label: &str, value: T) {
        if let Some((_, kept)) = self.0.iter_mut().find(|(known, _)| known == label) {
            *kept = value;
            return;
        }
        if self.0.len() == KEPT {
            self.0.remove(0);
        }
        self.0.push((label.to_owned(), value));
    }

    fn remove(&mut self, label: &str) -> Option<T> {
        let at = self.0.iter().position(|(known, _)| known == label)?;
        Some(self.0.remove(at).1)
    }
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
        let count = labels.counts.get(&label).unwrap_or(0) + 1;
        labels.counts.set(&label, count);
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
        if labels.timers.get(&label).is_some() {
            return Some(format!("Label '{label}' already exists for console.time()"));
        }
        labels.timers.set(&label, now);
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
    let start =
        context.get_data::<State>().and_then(|state| state.labels.borrow().timers.get(&label));
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
