//! `URLSearchParams`.
//!
//! Border: its iterators walk over what was there when they were made. Parameters are kept in the
//! query of an address alone: that of their `URL`, or one that nobody sees.

use boa_engine::{
    Context, Finalize, JsData, JsError, JsObject, JsResult, JsSymbol, JsValue, Trace, js_string,
    object::builtins::JsArray, property::PropertyKey,
};
use url::{Url, form_urlencoded};

use super::{Shared, shared, string, text};
use crate::{
    builtins::{
        class::{self, Class},
        iterate,
        options::typed,
    },
    guards,
    json::enumerable,
};

/// Names and values.
type Pairs = Vec<(String, String)>;

#[derive(Trace, Finalize, JsData)]
pub(super) struct Params(#[unsafe_ignore_trace] pub(super) Shared);

/// Makes the class; gives its prototype.
pub(super) fn install(context: &mut Context) -> JsResult<JsObject> {
    let prototype = PARAMS.register(context)?;
    let entries = prototype.get(js_string!("entries"), context)?;
    guards::put(&prototype, JsSymbol::iterator(), entries, context)?;
    Ok(prototype)
}

const PARAMS: Class = Class {
    methods: &[
        ("append", 2, append),
        ("delete", 1, |this, arguments, context| {
            let (mut pairs, name, value) = wanted(this, arguments, context)?;
            pairs.retain(|pair| !is(pair, &name, value.as_ref()));
            store(this, pairs)
        }),
        ("get", 1, |this, arguments, context| {
            let (pairs, name, _) = wanted(this, arguments, context)?;
            let found = pairs.iter().find(|(known, _)| *known == name);
            Ok(found.map_or(JsValue::null(), |(_, value)| string(value)))
        }),
        ("getAll", 1, |this, arguments, context| {
            let (pairs, name, _) = wanted(this, arguments, context)?;
            let found = pairs.iter().filter(|(known, _)| *known == name);
            let values: Vec<JsValue> = found.map(|(_, value)| string(value)).collect();
            Ok(JsArray::from_iter(values, context).into())
        }),
        ("has", 1, |this, arguments, context| {
            let (pairs, name, value) = wanted(this, arguments, context)?;
            Ok(pairs.iter().any(|pair| is(pair, &name, value.as_ref())).into())
        }),
        ("set", 2, set),
        ("sort", 0, |this, _, _| {
            let mut pairs = pairs(this)?;
            pairs.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            store(this, pairs)
        }),
        ("toString", 0, |this, _, _| {
            let mut written = form_urlencoded::Serializer::new(String::new());
            Ok(string(&written.extend_pairs(pairs(this)?).finish()))
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
    accessors: &[("size", |this, _, _| Ok(JsValue::from(pairs(this)?.len() as u64)), None)],
    ..Class::named("URLSearchParams", |target, arguments, context| {
        let prototype = class::prototype("URLSearchParams", target, context)?;
        let mut alone = Url::parse("about:").map_err(|_| foreign())?;
        alone.query_pairs_mut().extend_pairs(initial(arguments.first(), context)?);
        Ok(JsObject::from_proto_and_data(prototype, Params(shared(alone))).into())
    })
};

fn initial(init: Option<&JsValue>, context: &mut Context) -> JsResult<Pairs> {
    let Some(init) = init.filter(|init| !init.is_null_or_undefined()) else {
        return Ok(Pairs::new());
    };
    let Some(object) = init.as_object() else {
        let query = text(Some(init), context)?;
        let query = query.strip_prefix('?').unwrap_or(&query);
        return Ok(form_urlencoded::parse(query.as_bytes()).into_owned().collect());
    };
    let mut pairs = Pairs::new();
    if object.get(JsSymbol::iterator(), context)?.is_null_or_undefined() {
        for (key, _) in enumerable(&object) {
            if !matches!(key, PropertyKey::Symbol(_)) {
                let value = object.get(key.clone(), context)?;
                pairs.push((key.to_string(), text(Some(&value), context)?));
            }
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

fn foreign() -> JsError {
    typed("Value of \"this\" must be of type URLSearchParams")
}

fn address(this: &JsValue) -> JsResult<Shared> {
    let object = this.as_object().ok_or_else(foreign)?;
    let params = object.downcast_ref::<Params>().ok_or_else(foreign)?;
    Ok(params.0.clone())
}

/// The pairs as they are now.
fn pairs(this: &JsValue) -> JsResult<Pairs> {
    Ok(address(this)?.borrow().query_pairs().into_owned().collect())
}

fn store(this: &JsValue, pairs: Pairs) -> JsResult<JsValue> {
    let address = address(this)?;
    let mut url = address.borrow_mut();
    if pairs.is_empty() {
        url.set_query(None);
    } else {
        url.query_pairs_mut().clear().extend_pairs(pairs);
    }
    Ok(JsValue::undefined())
}

fn is(pair: &(String, String), name: &str, value: Option<&String>) -> bool {
    pair.0 == name && value.is_none_or(|value| *value == pair.1)
}

/// The pairs, the first argument, and the second where it was given.
fn wanted(
    this: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<(Pairs, String, Option<String>)> {
    let Some(name) = arguments.first() else {
        return Err(typed("The \"name\" argument must be specified"));
    };
    let name = text(Some(name), context)?;
    let value = arguments.get(1).filter(|value| !value.is_undefined());
    let value = value.map(|value| text(Some(value), context)).transpose()?;
    Ok((pairs(this)?, name, value))
}

/// Both arguments, which must be there.
fn pair(arguments: &[JsValue], context: &mut Context) -> JsResult<(String, String)> {
    if arguments.len() < 2 {
        return Err(typed("The \"name\" and \"value\" arguments must be specified"));
    }
    Ok((text(arguments.first(), context)?, text(arguments.get(1), context)?))
}

/// The other parameters stay as they are written: to write all of them anew each time would cost
/// the square of their number.
fn append(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (name, value) = pair(arguments, context)?;
    address(this)?.borrow_mut().query_pairs_mut().append_pair(&name, &value);
    Ok(JsValue::undefined())
}

fn set(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (name, value) = pair(arguments, context)?;
    let mut pairs = pairs(this)?;
    let first = pairs.iter().position(|(known, _)| *known == name).unwrap_or(pairs.len());
    let rest = pairs.split_off(first);
    pairs.push((name.clone(), value));
    pairs.extend(rest.into_iter().filter(|(known, _)| *known != name));
    store(this, pairs)
}

fn for_each(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let pairs = pairs(this)?;
    let Some(callback) = arguments.first().and_then(JsValue::as_callable) else {
        return Err(typed("The \"callback\" argument must be of type function."));
    };
    let receiver = arguments.get(1).cloned().unwrap_or_default();
    for (name, value) in pairs {
        callback.call(&receiver, &[string(&value), string(&name), this.clone()], context)?;
    }
    Ok(JsValue::undefined())
}

fn walk(
    this: &JsValue,
    context: &mut Context,
    item: fn(&(String, String), &mut Context) -> JsValue,
) -> JsResult<JsValue> {
    let items: Vec<JsValue> = pairs(this)?.iter().map(|pair| item(pair, context)).collect();
    let array = JsArray::from_iter(items, context);
    let values = context.intrinsics().objects().array_prototype_values();
    values.call(&array.into(), &[], context)
}
