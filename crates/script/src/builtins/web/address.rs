//! `URL`.

use boa_engine::{Context, Finalize, JsData, JsNativeError, JsObject, JsResult, JsValue, Trace};

use super::{
    Prototypes, Shown, params, percent,
    record::{Bad, Path, Record},
    string, text,
};
use crate::builtins::{
    class::{self, Class},
    options::{clip, typed},
};

/// An address and the object of its parameters, once that was asked for.
#[derive(Trace, Finalize, JsData)]
pub(super) struct Address {
    #[unsafe_ignore_trace]
    url: Record,
    params: Option<JsObject>,
}

pub(super) const URL: Class = Class {
    name: "URL",
    length: 1,
    construct: |target, arguments, context| {
        let prototype = class::prototype("URL", target, context)?;
        if arguments.is_empty() {
            return Err(typed("The \"url\" argument must be specified"));
        }
        let given = text(arguments.first(), context)?;
        match parse(&given, arguments.get(1), context)? {
            Ok(url) => Ok(object(prototype, url).into()),
            Err(bad) => Err(invalid(&given, bad)),
        }
    },
    methods: &[("toString", 0, href), ("toJSON", 0, href)],
    accessors: &[
        ("href", href, Some(set_href)),
        ("origin", |this, _, _| read(this, Record::origin), None),
        (
            "protocol",
            |this, _, _| read(this, protocol),
            Some(|this, arguments, context| set(this, arguments, context, Record::set_scheme)),
        ),
        (
            "username",
            |this, _, _| read(this, |url| url.username.clone()),
            Some(|this, arguments, context| {
                set(this, arguments, context, |url, value| {
                    if url.takes_user() {
                        url.username = percent::encode(value, percent::userinfo);
                    }
                })
            }),
        ),
        (
            "password",
            |this, _, _| read(this, |url| url.password.clone()),
            Some(|this, arguments, context| {
                set(this, arguments, context, |url, value| {
                    if url.takes_user() {
                        url.password = percent::encode(value, percent::userinfo);
                    }
                })
            }),
        ),
        (
            "host",
            |this, _, _| read(this, Record::address),
            Some(|this, arguments, context| {
                set(this, arguments, context, |url, value| set_host(url, value, true))
            }),
        ),
        (
            "hostname",
            |this, _, _| read(this, hostname),
            Some(|this, arguments, context| {
                set(this, arguments, context, |url, value| set_host(url, value, false))
            }),
        ),
        (
            "port",
            |this, _, _| read(this, port),
            Some(|this, arguments, context| {
                set(this, arguments, context, |url, value| {
                    if url.takes_user() {
                        url.set_port(value);
                    }
                })
            }),
        ),
        (
            "pathname",
            |this, _, _| read(this, Record::pathname),
            Some(|this, arguments, context| {
                set(this, arguments, context, |url, value| {
                    if let Path::Segments(_) = url.path {
                        let value = value.replace('?', "%3F").replace('#', "%23");
                        url.set_path(&value, Vec::new());
                    }
                })
            }),
        ),
        (
            "search",
            |this, _, _| read(this, search),
            Some(|this, arguments, context| {
                set(this, arguments, context, |url, value| {
                    let value = value.strip_prefix('?').unwrap_or(value);
                    url.set_query(Some(value).filter(|value| !value.is_empty()));
                })?;
                refresh(this)
            }),
        ),
        (
            "hash",
            |this, _, _| read(this, hash),
            Some(|this, arguments, context| {
                set(this, arguments, context, |url, value| {
                    let value = value.strip_prefix('#').unwrap_or(value);
                    let value = Some(value).filter(|value| !value.is_empty());
                    url.fragment = value.map(|value| percent::encode(value, percent::fragment));
                })
            }),
        ),
        ("searchParams", search_params, None),
    ],
    statics: &[("canParse", 1, can_parse), ("parse", 1, parse_static)],
    tag: "URL",
};

fn protocol(url: &Record) -> String {
    format!("{}:", url.scheme)
}

fn hostname(url: &Record) -> String {
    url.host.clone().unwrap_or_default()
}

fn port(url: &Record) -> String {
    url.port.map_or_else(String::new, |port| port.to_string())
}

/// A part with its mark; nothing when it is empty.
fn marked(mark: char, part: Option<&String>) -> String {
    let part = part.filter(|part| !part.is_empty());
    part.map_or_else(String::new, |part| format!("{mark}{part}"))
}

fn search(url: &Record) -> String {
    marked('?', url.query.as_ref())
}

fn hash(url: &Record) -> String {
    marked('#', url.fragment.as_ref())
}

/// What does not fit leaves the address as it was.
fn set_host(url: &mut Record, value: &str, with_port: bool) {
    let end = value.find(|c: char| "/?#".contains(c) || (c == '\\' && url.is_special()));
    let value = value.get(..end.unwrap_or(value.len())).unwrap_or_default();
    if matches!(url.path, Path::Opaque(_))
        || (!with_port && value.contains(':') && !value.ends_with(']'))
    {
        return;
    }
    let mut changed = url.clone();
    if changed.set_address(value).is_ok() {
        if !value.contains(':') || value.ends_with(']') {
            changed.port = url.port;
        }
        *url = changed;
    }
}

fn set_href(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let given = text(arguments.first(), context)?;
    let url = Record::parse(&given, None).map_err(|bad| invalid(&given, bad))?;
    change(this, |known| *known = url)?;
    refresh(this)
}

fn object(prototype: JsObject, url: Record) -> JsObject {
    JsObject::from_proto_and_data(prototype, Address { url, params: None })
}

fn invalid(given: &str, bad: Bad) -> boa_engine::JsError {
    let given = clip(given);
    let message = match bad {
        Bad::Address => format!("Invalid URL: '{given}'"),
        Bad::Letters => format!(
            "Invalid URL: '{given}': a host with letters beyond ASCII isn't supported here; give its xn-- form"
        ),
    };
    JsNativeError::typ().with_message(message).into()
}

/// An address, relative to a base if there is one.
fn parse(
    given: &str,
    base: Option<&JsValue>,
    context: &mut Context,
) -> JsResult<Result<Record, Bad>> {
    let Some(base) = base.filter(|base| !base.is_undefined()) else {
        return Ok(Record::parse(given, None));
    };
    let base = text(Some(base), context)?;
    Ok(Record::parse(&base, None).and_then(|base| Record::parse(given, Some(&base))))
}

fn can_parse(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let given = text(arguments.first(), context)?;
    Ok(parse(&given, arguments.get(1), context)?.is_ok().into())
}

fn parse_static(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let given = text(arguments.first(), context)?;
    let Ok(url) = parse(&given, arguments.get(1), context)? else { return Ok(JsValue::null()) };
    let prototype = context.get_data::<Prototypes>().map(|known| known.address.clone());
    Ok(prototype.map_or(JsValue::null(), |prototype| object(prototype, url).into()))
}

fn foreign() -> boa_engine::JsError {
    typed("Value of \"this\" must be of type URL")
}

fn read(this: &JsValue, take: impl FnOnce(&Record) -> String) -> JsResult<JsValue> {
    let object = this.as_object().ok_or_else(foreign)?;
    follow(&object);
    let address = object.downcast_ref::<Address>().ok_or_else(foreign)?;
    Ok(string(&take(&address.url)))
}

fn change(this: &JsValue, change: impl FnOnce(&mut Record)) -> JsResult<()> {
    let object = this.as_object().ok_or_else(foreign)?;
    follow(&object);
    let mut address = object.downcast_mut::<Address>().ok_or_else(foreign)?;
    change(&mut address.url);
    Ok(())
}

/// A setter: what does not fit is ignored, as the standard has it.
fn set(
    this: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
    apply: impl FnOnce(&mut Record, &str),
) -> JsResult<JsValue> {
    let value = text(arguments.first(), context)?;
    change(this, |url| apply(url, &value))?;
    Ok(JsValue::undefined())
}

fn href(this: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    read(this, Record::href)
}

/// The parameters' object follows a new query.
fn refresh(this: &JsValue) -> JsResult<JsValue> {
    let object = this.as_object().ok_or_else(foreign)?;
    let (params, pairs) = {
        let address = object.downcast_ref::<Address>().ok_or_else(foreign)?;
        (address.params.clone(), percent::pairs(address.url.query.as_deref().unwrap_or_default()))
    };
    if let Some(params) = params {
        params::replace(&params, pairs);
    }
    Ok(JsValue::undefined())
}

/// The query follows the parameters' object.
fn follow(object: &JsObject) {
    let params = object.downcast_ref::<Address>().and_then(|address| address.params.clone());
    let query = params.and_then(|params| params::changed(&params));
    if let (Some(query), Some(mut address)) = (query, object.downcast_mut::<Address>()) {
        address.url.query = Some(query).filter(|query| !query.is_empty());
    }
}

fn search_params(this: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let object = this.as_object().ok_or_else(foreign)?;
    let pairs = {
        let address = object.downcast_ref::<Address>().ok_or_else(foreign)?;
        if let Some(known) = &address.params {
            return Ok(known.clone().into());
        }
        percent::pairs(address.url.query.as_deref().unwrap_or_default())
    };
    let prototype = context.get_data::<Prototypes>().map(|known| known.params.clone());
    let prototype = prototype.ok_or_else(foreign)?;
    let params = params::object(prototype, pairs, Some(object.clone()));
    object.downcast_mut::<Address>().ok_or_else(foreign)?.params = Some(params.clone());
    Ok(params.into())
}

/// All parts in the order in which Node shows them.
pub(super) fn shown(object: &JsObject) -> Option<Shown> {
    follow(object);
    let address = object.downcast_ref::<Address>()?;
    let url = &address.url;
    let parts = vec![
        ("href", url.href()),
        ("origin", url.origin()),
        ("protocol", protocol(url)),
        ("username", url.username.clone()),
        ("password", url.password.clone()),
        ("host", url.address()),
        ("hostname", hostname(url)),
        ("port", port(url)),
        ("pathname", url.pathname()),
        ("search", search(url)),
        ("hash", hash(url)),
    ];
    Some(Shown::Address(parts, percent::pairs(url.query.as_deref().unwrap_or_default())))
}
