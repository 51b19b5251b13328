//! `RegExp.prototype.exec`, by which the engine matches everywhere (`test`, `match`, `matchAll`,
//! `replace`, `search`, `split`), over a matcher that takes time linear in the input.
//!
//! Patterns that this matcher does not take (look-around, back references and a few more) go to the
//! engine's own, which backtracks.
//!
//! Source: ECMA-262, `RegExpBuiltinExec`.

use std::{cell::RefCell, collections::HashMap, ops::Range, rc::Rc};

use boa_engine::{
    Context, Finalize, JsObject, JsResult, JsString, JsValue, NativeFunction, Trace, js_string,
    object::{
        FunctionObjectBuilder,
        builtins::{JsArray, JsRegExp},
    },
    property::PropertyDescriptor,
    string::JsStrVariant,
};
use quarry_regexp::{Captures, Flags, Input, Regexp};

use crate::{guards, host::Host};

/// Compiled patterns that are kept; beyond, all are forgotten.
const KEPT: usize = 256;

/// The regular expressions of one program.
#[derive(Default)]
pub(crate) struct Patterns {
    /// As they were compiled; [`None`] for those not taken.
    compiled: RefCell<Compiled>,
    ahead: RefCell<Option<Ahead>>,
}

/// By text and flags.
type Compiled = HashMap<(JsString, Switches), Option<Rc<Regexp>>>;

/// What is known of a text beyond the place where a sticky pattern did not match. `split` tries
/// one place after the other: with a search at each, it would take quadratic time.
struct Ahead {
    compiled: Rc<Regexp>,
    input: JsString,
    /// Where it did not match.
    failed: usize,
    /// The first match behind that place, once it was looked for.
    next: Option<Option<Captures>>,
}

/// The flags of a `RegExp` object.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Switches {
    indices: bool,
    global: bool,
    ignore_case: bool,
    multiline: bool,
    dot_all: bool,
    unicode: bool,
    unicode_sets: bool,
    sticky: bool,
}

/// The engine's own, taken before the program can replace them: `exec`, and the getters of what it
/// shows no other way.
#[derive(Trace, Finalize)]
struct Engine {
    exec: JsObject,
    source: JsObject,
    unicode_sets: JsObject,
}

/// Puts our `exec` and our `source` in the place of the engine's.
pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let prototype = context.intrinsics().constructors().regexp().prototype();
    let source = guards::getter(&prototype, "source")?;
    let engine = Engine {
        exec: guards::method(&prototype, js_string!("exec"), context)?,
        source: source.clone(),
        unicode_sets: guards::getter(&prototype, "unicodeSets")?,
    };
    guards::replace(&prototype, js_string!("exec"), exec, engine, context)?;
    let shown = NativeFunction::from_copy_closure_with_captures(
        |this, _, original: &JsObject, context| {
            let text = original.call(this, &[], context)?;
            let escaped =
                text.as_string().map(|text| shown_source(&written_source(&text.to_vec())));
            Ok(escaped.map_or(text, |text| JsString::from(text.as_slice()).into()))
        },
        source,
    );
    let shown = FunctionObjectBuilder::new(context.realm(), shown)
        .name(js_string!("get source"))
        .length(0)
        .build();
    let property = PropertyDescriptor::builder().get(shown).enumerable(false).configurable(true);
    prototype.define_property_or_throw(js_string!("source"), property, context)?;
    Ok(())
}

/// A pattern's text for people, with slashes as a literal has them.
pub(crate) fn source(pattern: &JsRegExp, context: &mut Context) -> JsResult<String> {
    let text: Vec<u16> = pattern.source(context)?.encode_utf16().collect();
    Ok(String::from_utf16_lossy(&shown_source(&written_source(&text))))
}

/// The text as the program wrote it. The engine puts a backslash before every slash, also where
/// there was one: `a\/b` becomes `a\\/b`, which is another pattern.
fn written_source(engine: &[u16]) -> Vec<u16> {
    let mut units = Vec::with_capacity(engine.len());
    for (index, unit) in engine.iter().enumerate() {
        let added = *unit == BACKSLASH && engine.get(index + 1) == Some(&SLASH);
        if !added {
            units.push(*unit);
        }
    }
    units
}

/// The text as it stands between slashes: those that are neither escaped nor in a class need a
/// backslash.
fn shown_source(written: &[u16]) -> Vec<u16> {
    let mut units = Vec::with_capacity(written.len());
    let (mut escaped, mut class) = (false, false);
    for unit in written {
        match *unit {
            SLASH if !escaped && !class => units.push(BACKSLASH),
            OPEN if !escaped => class = true,
            CLOSE if !escaped => class = false,
            _ => {}
        }
        escaped = *unit == BACKSLASH && !escaped;
        units.push(*unit);
    }
    units
}

const SLASH: u16 = b'/' as u16;
const BACKSLASH: u16 = b'\\' as u16;
const OPEN: u16 = b'[' as u16;
const CLOSE: u16 = b']' as u16;

fn exec(
    this: &JsValue,
    arguments: &[JsValue],
    engine: &Engine,
    context: &mut Context,
) -> JsResult<JsValue> {
    let host = context.downcast_job_executor::<Host>();
    let pattern = this.as_object().and_then(|object| JsRegExp::from_object(object.clone()).ok());
    let (Some(host), Some(pattern)) = (host, pattern) else {
        return engine.exec.call(this, arguments, context);
    };
    let input = arguments.first().cloned().unwrap_or_default().to_string(context)?;
    let mut switches = Switches::of(&pattern, context)?;
    switches.unicode_sets = engine.unicode_sets.call(this, &[], context)?.to_boolean();
    let source = engine.source.call(this, &[], context)?;
    let Some(compiled) =
        source.as_string().and_then(|text| host.patterns().compiled(text, switches))
    else {
        return engine.exec.call(this, &[input.into()], context);
    };
    let object: JsObject = pattern.into();
    let found = find(&object, &compiled, &input, switches, context)?;
    found.map_or(Ok(JsValue::null()), |captures| {
        told(&captures, &compiled, &input, switches, context)
    })
}

/// The match, with `lastIndex` read and written as the language says.
fn find(
    object: &JsObject,
    compiled: &Rc<Regexp>,
    input: &JsString,
    switches: Switches,
    context: &mut Context,
) -> JsResult<Option<Captures>> {
    let last_index = object.get(js_string!("lastIndex"), context)?.to_length(context)?;
    let remembers = switches.global || switches.sticky;
    let start = if remembers { usize::try_from(last_index).unwrap_or(usize::MAX) } else { 0 };
    let captures = if start > input.len() {
        None
    } else {
        let text = match input.as_str().variant() {
            JsStrVariant::Latin1(bytes) => Input::Latin1(bytes),
            JsStrVariant::Utf16(units) => Input::Utf16(units),
        };
        match (switches.sticky, context.downcast_job_executor::<Host>()) {
            (true, Some(host)) => host.patterns().find_there(compiled, input, text, start),
            (sticky, _) => compiled.find(text, start, sticky),
        }
    };
    if remembers {
        let end = captures.as_ref().and_then(|captures| captures.get(0)).map_or(0, |all| all.end);
        object.set(js_string!("lastIndex"), end, true, context)?;
    }
    Ok(captures)
}

/// The array that tells of a match.
fn told(
    captures: &Captures,
    compiled: &Regexp,
    input: &JsString,
    switches: Switches,
    context: &mut Context,
) -> JsResult<JsValue> {
    let text = |range: Option<Range<usize>>| {
        range.map_or_else(JsValue::undefined, |range| input.slice(range.start, range.end).into())
    };
    let array = JsArray::from_iter(captures.iter().map(text), context);
    let index = captures.get(0).map_or(0, |all| all.start);
    array.create_data_property_or_throw(js_string!("index"), index, context)?;
    array.create_data_property_or_throw(js_string!("input"), input.clone(), context)?;
    let groups = named(captures, compiled, context, |range, _| Ok(text(range)))?;
    array.create_data_property_or_throw(js_string!("groups"), groups, context)?;
    if switches.indices {
        let pair = |range: Option<Range<usize>>, context: &mut Context| match range {
            Some(range) => {
                let ends = [range.start, range.end].map(JsValue::from);
                Ok(JsArray::from_iter(ends, context).into())
            }
            None => Ok(JsValue::undefined()),
        };
        let pairs: JsResult<Vec<JsValue>> =
            captures.iter().map(|range| pair(range, context)).collect();
        let indices = JsArray::from_iter(pairs?, context);
        let groups = named(captures, compiled, context, pair)?;
        indices.create_data_property_or_throw(js_string!("groups"), groups, context)?;
        array.create_data_property_or_throw(js_string!("indices"), indices, context)?;
    }
    Ok(array.into())
}

/// An object with what `show` makes of each named group; undefined when there are none. Of groups
/// with one name, the one that matched counts.
fn named(
    captures: &Captures,
    compiled: &Regexp,
    context: &mut Context,
    show: impl Fn(Option<Range<usize>>, &mut Context) -> JsResult<JsValue>,
) -> JsResult<JsValue> {
    let mut groups: Vec<(&str, Option<Range<usize>>)> = Vec::new();
    for (name, number) in compiled.group_names() {
        let range = captures.get(number);
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = known.take().or(range),
            None => groups.push((name, range)),
        }
    }
    if groups.is_empty() {
        return Ok(JsValue::undefined());
    }
    let object = JsObject::with_null_proto();
    for (name, range) in groups {
        let value = show(range, context)?;
        object.create_data_property_or_throw(js_string!(name), value, context)?;
    }
    Ok(object.into())
}

impl Patterns {
    /// A match at `start`. The second failure in a row looks ahead for the next match.
    fn find_there(
        &self,
        compiled: &Rc<Regexp>,
        input: &JsString,
        text: Input<'_>,
        start: usize,
    ) -> Option<Captures> {
        let known = self.ahead.take().filter(|ahead| {
            // A step is a character: one unit or two.
            let follows = start > ahead.failed && start <= ahead.failed + 2;
            follows && Rc::ptr_eq(&ahead.compiled, compiled) && same(&ahead.input, input)
        });
        let next = match known {
            Some(Ahead { next: Some(next), .. }) => Some(next),
            Some(Ahead { next: None, .. }) => Some(compiled.find(text, start, false)),
            None => None,
        };
        let begins = |next: &Captures| next.get(0).map(|all| all.start);
        let (found, next) = match next {
            Some(Some(next)) if begins(&next) == Some(start) => (Some(next), None),
            // Two steps came too far: what is known lies behind.
            Some(Some(next)) if begins(&next) < Some(start) => {
                (compiled.find(text, start, true), None)
            }
            Some(next) => (None, Some(next)),
            None => (compiled.find(text, start, true), None),
        };
        if found.is_none() {
            let (compiled, input) = (compiled.clone(), input.clone());
            self.ahead.replace(Some(Ahead { compiled, input, failed: start, next }));
        }
        found
    }

    fn compiled(&self, source: JsString, switches: Switches) -> Option<Rc<Regexp>> {
        let key = (source, switches);
        if let Some(known) = self.compiled.borrow().get(&key) {
            return known.clone();
        }
        let flags = Flags {
            ignore_case: switches.ignore_case,
            multiline: switches.multiline,
            dot_all: switches.dot_all,
            unicode: switches.unicode,
            unicode_sets: switches.unicode_sets,
        };
        let compiled = Regexp::new(&written_source(&key.0.to_vec()), flags).ok().map(Rc::new);
        let mut known = self.compiled.borrow_mut();
        if known.len() >= KEPT {
            known.clear();
        }
        known.insert(key, compiled.clone());
        compiled
    }
}

/// Whether two strings are one in memory.
fn same(one: &JsString, other: &JsString) -> bool {
    match (one.as_str().variant(), other.as_str().variant()) {
        (JsStrVariant::Latin1(one), JsStrVariant::Latin1(other)) => std::ptr::eq(one, other),
        (JsStrVariant::Utf16(one), JsStrVariant::Utf16(other)) => std::ptr::eq(one, other),
        _ => false,
    }
}

impl Switches {
    /// Read from the object itself: the getters on the prototype may be the program's.
    fn of(pattern: &JsRegExp, context: &mut Context) -> JsResult<Self> {
        Ok(Self {
            indices: pattern.has_indices(context)?,
            global: pattern.global(context)?,
            ignore_case: pattern.ignore_case(context)?,
            multiline: pattern.multiline(context)?,
            dot_all: pattern.dot_all(context)?,
            unicode: pattern.unicode(context)?,
            unicode_sets: false,
            sticky: pattern.sticky(context)?,
        })
    }
}
