//! `console`: levels, formats, and the output's limit.

mod labels;
mod table;

use std::cell::{Cell, RefCell};

use boa_engine::{
    Context, JsResult, JsString, JsValue, NativeFunction, js_str, js_string,
    object::ObjectInitializer, property::Attribute,
};

use crate::{
    ConsoleLevel,
    host::Host,
    inspect::{self, Options},
    json,
};

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
    let options = arguments.get(1).map_or_else(|| Options::VALUE, options);
    let (text, cut) = inspect::render(&value, room, options, context);
    print(ConsoleLevel::Log, text, cut, context)
}

/// The options of `dir` that say how much is shown. Getters are not run.
fn options(value: &JsValue) -> Options {
    let mut options = Options::VALUE;
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
        let indent = "  ".repeat(groups);
        // The text is no longer than all output may be; with the indents it still fits the heap.
        let text = match groups {
            0 => text,
            _ => format!("{indent}{}", text.replace('\n', &format!("\n{indent}"))),
        };
        host.write(level, text, cut)?;
    }
    Ok(JsValue::undefined())
}

fn assert(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (condition, rest) = arguments
        .split_first()
        .map_or((false, arguments), |(first, rest)| (first.to_boolean(), rest));
    if condition {
        return Ok(JsValue::undefined());
    }
    let colon = if rest.is_empty() { "" } else { ":" };
    let mut told = vec![js_string!(&*format!("Assertion failed{colon}")).into()];
    told.extend_from_slice(rest);
    // It may be a format for what follows.
    if let Some(first) = rest.first().and_then(JsValue::as_string) {
        let format = js_string!(js_str!("Assertion failed: "), &first).into();
        told.splice(..2, [format]);
    }
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
        let (part, cut) =
            inspect::render(argument, room.saturating_sub(text.len()), Options::ARGUMENT, context);
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
                _ => inspect::render(first, left, Options::VALUE, context).0,
            }),
            _ => {
                let options = if directive == 's' { Options::BRIEF } else { Options::VALUE };
                text.push_str(&inspect::render(first, left, options, context).0);
            }
        }
    }
    arguments
}

/// A number for `%d`, `%i` or `%f`; objects are `NaN`, because converting them would run the
/// program's code.
fn number(directive: char, value: &JsValue, context: &mut Context) -> String {
    if value.is_bigint() && directive != 'f' {
        return inspect::render(value, usize::MAX, Options::ARGUMENT, context).0;
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
