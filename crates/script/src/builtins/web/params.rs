//! `URLSearchParams`.
//!
//! Border: its iterators walk over what was there when they were made.

use boa_engine::{
    Context, Finalize, JsData, JsObject, JsResult, JsString, JsSymbol, JsValue, Trace, js_string,
    object::builtins::JsArray,
    property::{PropertyDescriptor, PropertyKey},
};

use super::{Shown, percent, string, text};
use crate::builtins::{
    class::{self, Class},
    iterate,
    options::{range, typed},
};

/// More pairs than this are refused.
const PAIRS: usize = 100_000;

type Pairs = Vec<(String, String)>;

/// The pairs, and the `URL` that they belong to.
#[derive(Trace, Finalize, JsData)]
struct Params {
    #[unsafe_ignore_trace]
    pairs: Pairs,
    owner: Option<JsObject>,
    /// Whether the owner has yet to be told of a change.
    changed: bool,
}

/// Makes the class; gives its prototype.
pub(super) fn install(context: &mut Context) -> JsResult<JsObject> {
    let prototype = PARAMS.register(context)?;
    let entries = prototype.get(js_string!("entries"), context)?;
    let property = PropertyDescriptor::builder()
        .value(entries)
        .writable(true)
        .enumerable(false)
        .configurable(true);
    prototype.define_property_or_throw(JsSymbol::iterator(), property, context)?;
    Ok(prototype)
}

const PARAMS: Class = Class {
    name: "URLSearchParams",
    length: 0,
    construct: |target, arguments, context| {
        let prototype = class::prototype("URLSearchParams", target, context)?;
        let pairs = initial(arguments.first(), context)?;
        Ok(object(prototype, pairs, None).into())
    },
    methods: &[
        ("append", 2, append),
        ("delete", 1, delete),
        ("get", 1, get),
        ("getAll", 1, get_all),
        ("has", 1, has),
        ("set", 2, set),
        ("sort", 0, sort),
        ("toString", 0, |this, _, _| {
            let text = with(this, |params| percent::query_of(&params.pairs))?;
            Ok(string(&text))
        }),
        ("forEach", 1, for_each),
        ("keys", 0, |this, _, context| walk(this, context, |(name, _), _| string(name))),
        ("values", 0, |this, _, context| walk(this, context, |(_, value), _| string(value))),
        ("entries", 0, |this, _, context| {
            walk(this, context, |(name, value), context| {
                JsArray::from_iter([string(name), string(value)], context).into()
            })
        }),
    ],
    accessors: &[(
        "size",
        |this, _, _| Ok(JsValue::from(with(this, |params| params.pairs.len())? as u64)),
        None,
    )],
    statics: &[],
    tag: "URLSearchParams",
};

pub(super) fn object(prototype: JsObject, pairs: Pairs, owner: Option<JsObject>) -> JsObject {
    JsObject::from_proto_and_data(prototype, Params { pairs, owner, changed: false })
}

/// Puts the pairs of the owner's new query in place.
pub(super) fn replace(object: &JsObject, pairs: Pairs) {
    if let Some(mut params) = object.downcast_mut::<Params>() {
        params.pairs = pairs;
        params.changed = false;
    }
}

fn initial(init: Option<&JsValue>, context: &mut Context) -> JsResult<Pairs> {
    let Some(init) = init.filter(|init| !init.is_null_or_undefined()) else {
        return Ok(Pairs::new());
    };
    let Some(object) = init.as_object() else {
        let query = text(Some(init), context)?;
        return Ok(percent::pairs(query.strip_prefix('?').unwrap_or(&query)));
    };
    let mut pairs = Pairs::new();
    if object.get(JsSymbol::iterator(), context)?.is_null_or_undefined() {
        for key in object.own_property_keys(context)? {
            let shown = object.borrow().properties().get(&key);
            let hidden = shown.is_some_and(|property| property.enumerable() == Some(false));
            if hidden || matches!(key, PropertyKey::Symbol(_)) {
                continue;
            }
            let value = object.get(key.clone(), context)?;
            pairs.push((text(Some(&JsValue::from(key)), context)?, text(Some(&value), context)?));
        }
        return Ok(pairs);
    }
    for pair in iterate(init, context)? {
        let items = if pair.is_object() { iterate(&pair, context)? } else { Vec::new() };
        let [name, value] = items.as_slice() else {
            return Err(typed("Each query pair must be an iterable [name, value] tuple"));
        };
        pairs.push((text(Some(name), context)?, text(Some(value), context)?));
    }
    Ok(pairs)
}

fn foreign() -> boa_engine::JsError {
    typed("Value of \"this\" must be of type URLSearchParams")
}

fn with<T>(this: &JsValue, read: impl FnOnce(&Params) -> T) -> JsResult<T> {
    let object = this.as_object().ok_or_else(foreign)?;
    let params = object.downcast_ref::<Params>().ok_or_else(foreign)?;
    Ok(read(&params))
}

/// Changes the pairs; the owner's query follows when it is read.
fn change(this: &JsValue, change: impl FnOnce(&mut Pairs)) -> JsResult<JsValue> {
    let object = this.as_object().ok_or_else(foreign)?;
    let mut params = object.downcast_mut::<Params>().ok_or_else(foreign)?;
    change(&mut params.pairs);
    params.changed = true;
    if params.pairs.len() > PAIRS {
        params.pairs.truncate(PAIRS);
        return Err(range(format!("no more than {PAIRS} parameters can be kept")));
    }
    Ok(JsValue::undefined())
}

/// The query as it has to be written, when it has changed since it was last asked for.
pub(super) fn changed(object: &JsObject) -> Option<String> {
    let mut params = object.downcast_mut::<Params>()?;
    std::mem::take(&mut params.changed).then(|| percent::query_of(&params.pairs))
}

/// The first argument, and the second where it was given.
fn wanted(
    this: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<(String, Option<String>)> {
    with(this, |_| ())?;
    if arguments.is_empty() {
        return Err(typed("The \"name\" argument must be specified"));
    }
    let name = text(arguments.first(), context)?;
    let value = arguments.get(1).filter(|value| !value.is_undefined());
    let value = value.map(|value| text(Some(value), context)).transpose()?;
    Ok((name, value))
}

/// Both arguments, which must be there.
fn pair(
    this: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<(String, String)> {
    with(this, |_| ())?;
    if arguments.len() < 2 {
        return Err(typed("The \"name\" and \"value\" arguments must be specified"));
    }
    Ok((text(arguments.first(), context)?, text(arguments.get(1), context)?))
}

fn append(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let pair = pair(this, arguments, context)?;
    change(this, |pairs| pairs.push(pair))
}

fn set(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (name, value) = pair(this, arguments, context)?;
    change(this, |pairs| {
        let first = pairs.iter().position(|(known, _)| *known == name);
        let mut at = 0;
        pairs.retain(|(known, _)| {
            at += 1;
            *known != name || Some(at - 1) == first
        });
        match pairs.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => pairs.push((name, value)),
        }
    })
}

fn delete(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (name, value) = wanted(this, arguments, context)?;
    change(this, |pairs| {
        pairs.retain(|(known, other)| {
            *known != name || value.as_ref().is_some_and(|value| value != other)
        });
    })
}

fn get(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (name, _) = wanted(this, arguments, context)?;
    with(this, |params| {
        let found = params.pairs.iter().find(|(known, _)| *known == name);
        found.map_or(JsValue::null(), |(_, value)| string(value))
    })
}

fn get_all(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (name, _) = wanted(this, arguments, context)?;
    let values: Vec<JsValue> = with(this, |params| {
        let found = params.pairs.iter().filter(|(known, _)| *known == name);
        found.map(|(_, value)| string(value)).collect()
    })?;
    Ok(JsArray::from_iter(values, context).into())
}

fn has(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (name, value) = wanted(this, arguments, context)?;
    with(this, |params| {
        let mut pairs = params.pairs.iter();
        let found = pairs.any(|(known, other)| {
            *known == name && value.as_ref().is_none_or(|value| value == other)
        });
        found.into()
    })
}

fn sort(this: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    change(this, |pairs| *pairs = sorted(std::mem::take(pairs)))
}

/// By name in UTF-16 order; equal names keep their order. Merging by hand: a sort of the library's
/// for this one place would be ten kilobytes of code.
fn sorted(mut pairs: Pairs) -> Pairs {
    if pairs.len() < 2 {
        return pairs;
    }
    let right = sorted(pairs.split_off(pairs.len() / 2));
    let left = sorted(pairs);
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    let mut merged = Pairs::new();
    loop {
        let next = match (left.peek(), right.peek()) {
            (Some((a, _)), Some((b, _))) if b.encode_utf16().lt(a.encode_utf16()) => right.next(),
            (Some(_), _) => left.next(),
            (None, _) => right.next(),
        };
        match next {
            Some(pair) => merged.push(pair),
            None => return merged,
        }
    }
}

fn for_each(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    with(this, |_| ())?;
    let Some(callback) = arguments.first().and_then(JsValue::as_callable) else {
        return Err(typed("The \"callback\" argument must be of type function."));
    };
    let receiver = arguments.get(1).cloned().unwrap_or_default();
    // The callback may change the pairs.
    for index in 0.. {
        let pair = with(this, |params| params.pairs.get(index).cloned())?;
        let Some((name, value)) = pair else { break };
        callback.call(&receiver, &[string(&value), string(&name), this.clone()], context)?;
    }
    Ok(JsValue::undefined())
}

fn walk(
    this: &JsValue,
    context: &mut Context,
    item: fn(&(String, String), &mut Context) -> JsValue,
) -> JsResult<JsValue> {
    let pairs = with(this, |params| params.pairs.clone())?;
    let items: Vec<JsValue> = pairs.iter().map(|pair| item(pair, context)).collect();
    let array = JsArray::from_iter(items, context);
    array.get(JsString::from("values"), context)?.as_callable().map_or_else(
        || Err(typed("Array.prototype.values is gone")),
        |values| values.call(&array.clone().into(), &[], context),
    )
}

pub(super) fn shown(object: &JsObject) -> Option<Shown> {
    let params = object.downcast_ref::<Params>()?;
    Some(Shown::Params(params.pairs.clone()))
}
