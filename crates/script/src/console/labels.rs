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

/// Looks at the labels with the one that is given, then writes what came of it, if anything.
fn with(
    list: &[JsValue],
    level: ConsoleLevel,
    context: &mut Context,
    look: impl FnOnce(&mut Labels, String) -> Option<String>,
) -> JsResult<JsValue> {
    let label = match list.first().filter(|label| !label.is_undefined()) {
        Some(label) => label.to_string(context)?,
        None => JsString::from("default"),
    };
    let label = label.slice(0, label.len().min(LABEL)).to_std_string_lossy();
    let text = context.get_data::<State>().and_then(|state| {
        let mut labels = state.labels.borrow_mut();
        if labels.counts.len() + labels.timers.len() > KEPT {
            *labels = Labels::default();
        }
        look(&mut labels, label)
    });
    match text {
        Some(text) if room(context)?.is_some() => print(level, text, false, context),
        _ => Ok(JsValue::undefined()),
    }
}

pub(super) fn count(_: &JsValue, list: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    with(list, ConsoleLevel::Log, context, |labels, label| {
        let count = labels.counts.entry(label.clone()).or_default();
        *count += 1;
        Some(format!("{label}: {count}"))
    })
}

pub(super) fn reset(_: &JsValue, list: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    with(list, ConsoleLevel::Warn, context, |labels, label| match labels.counts.remove(&label) {
        Some(_) => None,
        None => Some(format!("Count for '{label}' does not exist")),
    })
}

pub(super) fn time(_: &JsValue, list: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let now = elapsed(context);
    with(list, ConsoleLevel::Warn, context, |labels, label| {
        labels.timers.insert(label, now);
        None
    })
}

/// `timeLog`, or `timeEnd` when the timer ends. What was given besides the label follows.
pub(super) fn told(list: &[JsValue], ends: bool, context: &mut Context) -> JsResult<JsValue> {
    let now = elapsed(context);
    let Some(room) = room(context)? else { return Ok(JsValue::undefined()) };
    let (more, _) = format(list.get(1..).unwrap_or_default(), room, context);
    with(list, ConsoleLevel::Log, context, |labels, label| {
        let timers = &mut labels.timers;
        let start = if ends { timers.remove(&label) } else { timers.get(&label).copied() };
        let Some(start) = start else { return Some(format!("No such label '{label}'")) };
        let millis = now.saturating_sub(start).as_secs_f64() * 1_000.0;
        let blank = if more.is_empty() { "" } else { " " };
        Some(format!("{label}: {millis:.3}ms{blank}{more}"))
    })
}
