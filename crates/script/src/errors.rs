//! Turns what was thrown into a name, a message and a place in the program's source.

use std::{borrow::Cow, time::Duration};

use boa_engine::{
    Context, JsError, JsObject, JsValue,
    builtins::error::Error as ErrorObject,
    error::{EngineError, RuntimeLimitError},
    js_string,
};

use crate::{
    Limit, ScriptError,
    awaiting::Shift,
    host::Host,
    inspect::{self, Options, data_property, inherited_text},
    limits,
};

/// The name of the program's source in stack traces.
pub(crate) const FILE: &str = "program.js";

/// Longest message, in bytes.
const MESSAGE: usize = 4_096;

/// Longest name, in bytes; what is longer is none.
const NAME: usize = 100;

/// The limit in words, and what to do.
pub(crate) fn limit(limit: Limit, timeout: Duration) -> ScriptError {
    let message = match limit {
        Limit::Time => format!(
            "the program was still running after {} ms and was stopped; do less, or ask for more time (10 s at most)",
            timeout.as_millis()
        ),
        Limit::Memory => format!(
            "the program used more than {} MiB and was stopped; keep less in memory at once",
            limits::HEAP / (1024 * 1024)
        ),
        Limit::Source => format!(
            "the source is longer than {} KiB and was not run; pass less data in it",
            limits::SOURCE / 1024
        ),
        Limit::Output => format!(
            "the output was cut at {} KiB and the program was stopped; print less",
            limits::OUTPUT / 1024
        ),
        Limit::Recursion => format!(
            "calls, code or data were nested too deep and the program was stopped ({} calls at most, fewer through built-ins such as map); use a loop",
            limits::RECURSION
        ),
    };
    ScriptError { name: "LimitError".into(), message, line: None, column: None }
}

/// What was thrown; `None` when a limit ended the program, which the host then knows.
pub(crate) fn describe(
    error: JsError,
    source: &str,
    host: &Host,
    context: &mut Context,
) -> Option<ScriptError> {
    if let Some(limit) = limit_of(&error) {
        host.hit(limit);
    }
    if host.limit().is_some() {
        return None;
    }
    if let Some(EngineError::Panic(panic)) = error.as_engine() {
        return Some(of_engine(panic.message()));
    }
    // Only for what is cheap to print: an object thrown could be of any size.
    let is_object = error.as_opaque().is_some_and(JsValue::is_object);
    let trace = if is_object { String::new() } else { restored(&error.to_string(), host.shift()) };
    let thrown = error.into_opaque(context).unwrap_or_default();
    Some(from_value(&thrown, &trace, source, context))
}

/// A defect of the engine.
pub(crate) fn of_engine(message: &str) -> ScriptError {
    ScriptError {
        name: "InternalError".into(),
        message: format!("the JavaScript engine failed: {message}; write the program another way"),
        line: None,
        column: None,
    }
}

/// The limit of the engine's that an error is about. Where the engine thought that nothing could
/// fail, the limit is wrapped in a panic.
fn limit_of(error: &JsError) -> Option<Limit> {
    match error.as_engine()? {
        EngineError::RuntimeLimit(RuntimeLimitError::Recursion | RuntimeLimitError::StackSize) => {
            Some(Limit::Recursion)
        }
        EngineError::RuntimeLimit(RuntimeLimitError::LoopIteration)
        | EngineError::NoInstructionsRemain => Some(Limit::Time),
        EngineError::Panic(panic) => {
            let source = std::error::Error::source(panic)?;
            let boxed = source.downcast_ref::<Box<JsError>>().map(|error| &**error);
            limit_of(boxed.or_else(|| source.downcast_ref())?)
        }
    }
}

fn from_value(thrown: &JsValue, trace: &str, source: &str, context: &mut Context) -> ScriptError {
    let object = thrown.as_object().filter(|object| object.is::<ErrorObject>());
    let Some(object) = object else {
        let (message, _) = inspect::render(thrown, MESSAGE, Options::VALUE, context);
        let (line, column) = place(trace).unzip();
        return ScriptError { name: "Uncaught".into(), message, line, column };
    };
    let name = error_name(&object);
    let mut message = inherited_text(&object, "message").unwrap_or_default();
    let at = place_of_name(&message, source)
        .or_else(|| place(&stack_text(&object, context)))
        .or_else(|| place(trace));
    // The parser tells its place only in words.
    let in_words = place_in_words(&message);
    let at = if name == "SyntaxError" { in_words.map(|(_, at)| at).or(at) } else { at };
    if let (true, Some((words, _))) = (name == "SyntaxError", in_words) {
        message.truncate(words);
    }
    crate::host::truncate(&mut message, MESSAGE);
    let (line, column) = at.unzip();
    ScriptError { name, message, line, column }
}

/// The error's name, without running any code of the program's.
pub(crate) fn error_name(object: &JsObject) -> String {
    let fits = |name: &String| (1..=NAME).contains(&name.len());
    inherited_text(object, "name").filter(fits).unwrap_or_else(|| "Error".into())
}

/// The stack lines that the engine recorded when the error was made.
pub(crate) fn stack_text(object: &JsObject, context: &mut Context) -> String {
    let prototype = context.intrinsics().constructors().error().prototype();
    let stack = prototype.borrow().properties().get(&js_string!("stack").into());
    let getter = stack.and_then(|stack| stack.get().and_then(JsValue::as_object));
    let text = match (data_property(object, "stack"), getter) {
        // The program set it.
        (Some(_), _) | (None, None) => return String::new(),
        (None, Some(getter)) => getter.call(&object.clone().into(), &[], context),
    };
    let text = text.ok().and_then(|text| text.as_string());
    let shift = context.downcast_job_executor::<Host>().map(|host| host.shift());
    text.map_or_else(String::new, |text| {
        restored(&text.to_std_string_lossy(), shift.unwrap_or_default())
    })
}

/// A trace with its places as those of the author's text.
fn restored(trace: &str, shift: Shift) -> String {
    let mut lines = trace.lines().map(|line| match place_of(line) {
        Some((before, (row, column), after)) => {
            let (row, column) = shift.original(row, column);
            Cow::Owned(format!("{before}{row}:{column}{after}"))
        }
        None => Cow::Borrowed(line),
    });
    let first = lines.next().unwrap_or_default().into_owned();
    lines.fold(first, |text, line| text + "\n" + &line)
}

/// The first place in the program's own source in a stack trace.
fn place(trace: &str) -> Option<(u32, u32)> {
    trace.lines().find_map(|line| place_of(line).map(|(_, place, _)| place))
}

/// The place in a line of a stack trace, and what is around it. The engine writes `?` for an
/// instruction that it keeps no place of.
fn place_of(line: &str) -> Option<(&str, (u32, u32), &str)> {
    let start = line.find(&format!("({FILE}:"))? + FILE.len() + 2;
    let (before, rest) = line.split_at_checked(start)?;
    let end = rest.find(')')?;
    let (place, after) = rest.split_at_checked(end)?;
    let (row, column) = place.split_once(':')?;
    Some((before, (row.parse().ok()?, column.parse().ok()?), after))
}

/// The place of a name that is not defined, where the source has it exactly once.
fn place_of_name(message: &str, source: &str) -> Option<(u32, u32)> {
    let name = message.strip_suffix(" is not defined")?;
    let part_of_name = |c: char| c.is_alphanumeric() || "_$".contains(c);
    let mut found = source.match_indices(name).filter(|(at, _)| {
        let (before, from) = source.split_at(*at);
        let after = from.strip_prefix(name).unwrap_or_default();
        !before.ends_with(part_of_name) && !after.starts_with(part_of_name)
    });
    let (at, _) = found.next().filter(|_| !name.is_empty())?;
    if found.next().is_some() {
        return None;
    }
    let before = source.get(..at)?;
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Some((u32::try_from(line).ok()?, u32::try_from(column).ok()?))
}

/// `… at line 3, col 7`: where the words start, and the place.
fn place_in_words(message: &str) -> Option<(usize, (u32, u32))> {
    let start = message.rfind(" at line ")?;
    let (line, column) = message.get(start..)?.strip_prefix(" at line ")?.split_once(", col ")?;
    let digits = column.find(|c: char| !c.is_ascii_digit()).unwrap_or(column.len());
    Some((start, (line.parse().ok()?, column.get(..digits)?.parse().ok()?)))
}
