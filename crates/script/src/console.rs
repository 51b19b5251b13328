//! `console`: levels, formats, and the output's limit.

mod labels;
mod table;

use std::cell::{Cell, RefCell};

use boa_engine::{
    Context, JsResult, JsString, JsValue, NativeFunction, js_str, js_string,
    object::ObjectInitializer, property::Attribute,
};

use crate::{ConsoleLevel, host::Host, inspect};

/// Puts `console` on the global object.
pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    context.insert_data(State::default());
    let mut console = ObjectInitializer::new(context);
    for (name, method) in METHODS {
        console.function(NativeFunction::from_fn_ptr(*method), JsString::from(*name), 0);
    }
    let console = console.build();
    let attribute = Attribute::WRITABLE | Attribute::CONFIGURABLE;
    context.register_global_property(js_string!("console"), console, attribute)
}

type Method = fn(&JsValue, &[JsValue], &mut Context) -> JsResult<JsValue>;

const METHODS: &[(&str, Method)] = &[
    ("log", |_, arguments, context| line(ConsoleLevel::Log, arguments, context)),
    ("info", |_, arguments, context| line(ConsoleLevel::Info, arguments, context)),
    ("warn", |_, arguments, context| line(ConsoleLevel::Warn, arguments, context)),
    ("error", |_, arguments, context| line(ConsoleLevel::Error, arguments, context)),
    ("debug", |_, arguments, context| line(ConsoleLevel::Debug, arguments, context)),
    ("trace", |_, arguments, context| line(ConsoleLevel::Debug, arguments, context)),
    ("dir", dir),
    ("dirxml", |_, arguments, context| line(ConsoleLevel::Log, arguments, context)),
    ("table", table::table),
    ("assert", assert),
    ("group", group),
    ("groupCollapsed", group),
    ("groupEnd", group_end),
    ("count", labels::count),
    ("countReset", labels::count_reset),
    ("time", labels::time),
    ("timeEnd", labels::time_end),
    ("timeLog", labels::time_log),
    // There is no screen to clear.
    ("clear", |_, _, _| Ok(JsValue::undefined())),
];

/// Levels of groups that are shown.
const GROUPS: usize = 40;

/// What the console remembers between calls.
#[derive(Default)]
struct State {
    groups: Cell<usize>,
    labels: RefCell<labels::Labels>,
}

fn group(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    if !arguments.is_empty() {
        line(ConsoleLevel::Log, arguments, context)?;
    }
    if let Some(state) = context.get_data::<State>() {
        state.groups.set(state.groups.get().saturating_add(1));
    }
    Ok(JsValue::undefined())
}

fn group_end(_: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    if let Some(state) = context.get_data::<State>() {
        state.groups.set(state.groups.get().saturating_sub(1));
    }
    Ok(JsValue::undefined())
}

fn dir(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let value = arguments.first().cloned().unwrap_or_default();
    let Some(room) = room(context)? else { return Ok(JsValue::undefined()) };
    let (text, cut) = inspect::render(&value, room, context);
    print(ConsoleLevel::Log, text, cut, context)
}

/// What may still be written, once the limits are looked at.
fn room(context: &Context) -> JsResult<Option<usize>> {
    let Some(host) = context.downcast_job_executor::<Host>() else { return Ok(None) };
    host.check().map_err(|limit| host.stop(limit))?;
    Ok(Some(host.output_left()))
}

/// Writes a text, its lines indented by the open groups.
fn print(level: ConsoleLevel, text: String, cut: bool, context: &Context) -> JsResult<JsValue> {
    let groups = context.get_data::<State>().map_or(0, |state| state.groups.get().min(GROUPS));
    if let Some(host) = context.downcast_job_executor::<Host>() {
        let (text, more) = indented(text, groups, host.output_left());
        host.write(level, text, cut || more)?;
    }
    Ok(JsValue::undefined())
}

/// Puts two spaces for each group before each line; stops when there is no more room.
fn indented(text: String, groups: usize, room: usize) -> (String, bool) {
    if groups == 0 {
        return (text, false);
    }
    let indent = "  ".repeat(groups);
    let mut made = String::new();
    for (index, line) in text.split('\n').enumerate() {
        if made.len() > room {
            return (made, true);
        }
        if index > 0 {
            made.push('\n');
        }
        made.push_str(&indent);
        made.push_str(line);
    }
    (made, false)
}

fn assert(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let Some((condition, rest)) = arguments.split_first() else {
        return line(ConsoleLevel::Error, &[js_string!("Assertion failed").into()], context);
    };
    if condition.to_boolean() {
        return Ok(JsValue::undefined());
    }
    let mut told = Vec::new();
    let rest = match rest.split_first() {
        Some((first, others)) if first.is_string() => {
            // It may be a format for what follows.
            let text = first.to_string(context)?;
            told.push(js_string!(js_str!("Assertion failed: "), &text).into());
            others
        }
        Some(_) => {
            told.push(js_string!("Assertion failed:").into());
            rest
        }
        None => {
            return line(ConsoleLevel::Error, &[js_string!("Assertion failed").into()], context);
        }
    };
    told.extend(rest.iter().cloned());
    line(ConsoleLevel::Error, &told, context)
}

fn line(level: ConsoleLevel, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let Some(room) = room(context)? else { return Ok(JsValue::undefined()) };
    let (text, cut) = format(arguments, room, context);
    print(level, text, cut, context)
}

/// The arguments as one text, and whether it was cut.
fn format(arguments: &[JsValue], room: usize, context: &mut Context) -> (String, bool) {
    let mut text = String::new();
    let mut rest = arguments;
    if let Some((first, others)) = arguments.split_first()
        && let Some(pattern) = first.as_string()
        && !others.is_empty()
        && pattern.len() <= room
    {
        let pattern = pattern.to_std_string_lossy();
        rest = directives(&pattern, others, room, &mut text, context);
        if !rest.is_empty() {
            text.push(' ');
        }
    }
    for (index, argument) in rest.iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        let (part, cut) = inspect::argument(argument, room.saturating_sub(text.len()), context);
        text.push_str(&part);
        if cut {
            return (text, true);
        }
    }
    let cut = text.len() > room;
    (text, cut)
}

/// Fills `%s %d %i %f %j %o %O %c %%`; gives back the arguments that were not used.
fn directives<'a>(
    pattern: &str,
    mut arguments: &'a [JsValue],
    room: usize,
    text: &mut String,
    context: &mut Context,
) -> &'a [JsValue] {
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        let directive = if c == '%' { chars.peek().copied() } else { None };
        if directive == Some('%') {
            chars.next();
            text.push('%');
            continue;
        }
        let known = directive.filter(|directive| "sdifjoOc".contains(*directive));
        let (Some(directive), Some((first, others))) = (known, arguments.split_first()) else {
            text.push(c);
            continue;
        };
        chars.next();
        arguments = others;
        let left = room.saturating_sub(text.len());
        match directive {
            'c' => {}
            'd' | 'f' => text.push_str(&number(first).display().to_string()),
            'i' => {
                let whole = number(first).as_number().unwrap_or(f64::NAN).trunc();
                text.push_str(&JsValue::from(whole).display().to_string());
            }
            's' => text.push_str(&inspect::briefly(first, left, context).0),
            _ => text.push_str(&inspect::render(first, left, context).0),
        }
    }
    arguments
}

/// A number for `%d`; objects are `NaN`, because converting them would run the program's code.
fn number(value: &JsValue) -> JsValue {
    if let Some(string) = value.as_string() {
        return string.to_number().into();
    }
    if value.is_number() || value.is_bigint() { value.clone() } else { f64::NAN.into() }
}
