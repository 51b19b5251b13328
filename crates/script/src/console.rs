//! `console`: levels, formats, and the output's limit.

use boa_engine::{
    Context, JsResult, JsString, JsValue, NativeFunction, js_string, object::ObjectInitializer,
    property::Attribute,
};

use crate::{ConsoleLevel, host::Host, inspect};

/// Puts `console` on the global object.
pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let mut console = ObjectInitializer::new(context);
    for (name, method) in METHODS {
        console.function(NativeFunction::from_fn_ptr(*method), JsString::from(*name), 0);
    }
    let console = console.build();
    let attribute = Attribute::WRITABLE | Attribute::CONFIGURABLE;
    context.register_global_property(js_string!("console"), console, attribute)
}

type Method = fn(&JsValue, &[JsValue], &mut Context) -> JsResult<JsValue>;

/// `dir`, `table` and `trace` print their arguments as `log` and `debug` do.
const METHODS: &[(&str, Method)] = &[
    ("log", |_, arguments, context| line(ConsoleLevel::Log, arguments, context)),
    ("info", |_, arguments, context| line(ConsoleLevel::Info, arguments, context)),
    ("warn", |_, arguments, context| line(ConsoleLevel::Warn, arguments, context)),
    ("error", |_, arguments, context| line(ConsoleLevel::Error, arguments, context)),
    ("debug", |_, arguments, context| line(ConsoleLevel::Debug, arguments, context)),
    ("trace", |_, arguments, context| line(ConsoleLevel::Debug, arguments, context)),
    ("dir", |_, arguments, context| {
        line(ConsoleLevel::Log, arguments.get(..1).unwrap_or(&[]), context)
    }),
    ("table", |_, arguments, context| {
        line(ConsoleLevel::Log, arguments.get(..1).unwrap_or(&[]), context)
    }),
    ("assert", assert),
];

fn assert(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let Some((condition, rest)) = arguments.split_first() else {
        return line(ConsoleLevel::Error, &[js_string!("Assertion failed").into()], context);
    };
    if condition.to_boolean() {
        return Ok(JsValue::undefined());
    }
    let mut told = vec![JsValue::from(js_string!("Assertion failed:"))];
    told.extend(rest.iter().cloned());
    line(ConsoleLevel::Error, &told, context)
}

fn line(level: ConsoleLevel, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let Some(host) = context.downcast_job_executor::<Host>() else {
        return Ok(JsValue::undefined());
    };
    host.check().map_err(|limit| host.stop(limit))?;
    let (text, cut) = format(arguments, host.output_left(), context);
    host.write(level, text, cut)?;
    Ok(JsValue::undefined())
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
