//! `console`: levels, formats, and the output's limit.

mod labels;
mod table;

use std::cell::{Cell, RefCell};

use boa_engine::{
    Context, JsResult, JsString, JsValue, NativeFunction, js_str, js_string,
    object::ObjectInitializer, property::Attribute,
};

use crate::{ConsoleLevel, host::Host, inspect, json};

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
    ("countReset", labels::reset),
    ("time", labels::time),
    ("timeEnd", |_, arguments, context| labels::told(arguments, true, context)),
    ("timeLog", |_, arguments, context| labels::told(arguments, false, context)),
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
    let options = arguments.get(1).map_or_else(inspect::Options::default, options);
    let (text, cut) = inspect::render_with(&value, room, options, context);
    print(ConsoleLevel::Log, text, cut, context)
}

/// The options of `dir` that say how much is shown. Getters are not run.
fn options(value: &JsValue) -> inspect::Options {
    let mut options = inspect::Options::default();
    let Some(object) = value.as_object() else { return options };
    let count = |name: &str| -> Option<usize> {
        let value = inspect::data_property(&object, name)?;
        let number = if value.is_null() { f64::INFINITY } else { value.as_number()? };
        // Larger numbers are as good as the largest, and negative ones as 0.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "casts of floats saturate"
        )]
        (!number.is_nan()).then_some(number as usize)
    };
    if let Some(depth) = count("depth") {
        options.levels = depth.saturating_add(1);
    }
    if let Some(items) = count("maxArrayLength") {
        options.items = items;
    }
    if let Some(line) = count("breakLength") {
        options.line = line;
    }
    options
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
    let (condition, rest) = arguments
        .split_first()
        .map_or((false, arguments), |(first, rest)| (first.to_boolean(), rest));
    if condition {
        return Ok(JsValue::undefined());
    }
    let told = match rest.split_first() {
        // It may be a format for what follows.
        Some((first, others)) if first.is_string() => {
            let first = first.to_string(context)?;
            let format = js_string!(js_str!("Assertion failed: "), &first).into();
            std::iter::once(format).chain(others.iter().cloned()).collect()
        }
        Some(_) => {
            let first = js_string!("Assertion failed:").into();
            std::iter::once(first).chain(rest.iter().cloned()).collect()
        }
        None => vec![js_string!("Assertion failed").into()],
    };
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
            'd' | 'i' | 'f' => text.push_str(&number(directive, first, context)),
            'j' => text.push_str(&match json::render(first, left) {
                json::Json::Text(json) => json,
                _ => inspect::render(first, left, context).0,
            }),
            's' => text.push_str(&inspect::briefly(first, left, context).0),
            _ => text.push_str(&inspect::render(first, left, context).0),
        }
    }
    arguments
}

/// A number for `%d`, `%i` or `%f`; objects are `NaN`, because converting them would run the
/// program's code.
fn number(directive: char, value: &JsValue, context: &mut Context) -> String {
    if value.is_bigint() && directive != 'f' {
        return inspect::argument(value, usize::MAX, context).0;
    }
    let built_ins = context.intrinsics().objects();
    let parse = match directive {
        'i' => Some(built_ins.parse_int()),
        'f' => Some(built_ins.parse_float()),
        _ => None,
    };
    let number = match parse {
        // These conversions of primitive values run no code of the program's.
        _ if value.is_object() || value.is_symbol() => Ok(f64::NAN.into()),
        Some(parse) => parse.call(&JsValue::undefined(), std::slice::from_ref(value), context),
        None => value.to_number(context).map(JsValue::from),
    };
    number.unwrap_or_else(|_| f64::NAN.into()).display().to_string()
}
