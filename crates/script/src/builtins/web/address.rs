//! `URL`.

use boa_engine::{Context, Finalize, JsData, JsNativeError, JsObject, JsResult, JsValue, Trace};
use url::{Url, quirks};

use super::{Prototypes, Shown, params, string, text};
use crate::builtins::{
    class::{self, Class},
    options::{clip, typed},
};

/// An address and the object of its parameters, once that was asked for.
#[derive(Trace, Finalize, JsData)]
pub(super) struct Address {
    #[unsafe_ignore_trace]
    url: Url,
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
            Some(url) => Ok(object(prototype, url).into()),
            None => Err(invalid(&given)),
        }
    },
    methods: &[("toString", 0, href), ("toJSON", 0, href)],
    accessors: &[
        (
            "href",
            href,
            Some(|this, arguments, context| {
                let given = text(arguments.first(), context)?;
                let url = Url::parse(&given).map_err(|_| invalid(&given))?;
                change(this, |known| *known = url)?;
                refresh(this)
            }),
        ),
        ("origin", |this, _, _| read(this, quirks::origin), None),
        (
            "protocol",
            |this, _, _| read(this, |url| quirks::protocol(url).to_owned()),
            Some(|this, arguments, context| {
                set(this, arguments, context, |url, value| {
                    quirks::set_protocol(url, value).ok();
                })
            }),
        ),
        (
            "username",
            |this, _, _| read(this, |url| quirks::username(url).to_owned()),
            Some(|this, arguments, context| {
                set(this, arguments, context, |url, value| {
                    quirks::set_username(url, value).ok();
                })
            }),
        ),
        (
            "password",
            |this, _, _| read(this, |url| quirks::password(url).to_owned()),
            Some(|this, arguments, context| {
                set(this, arguments, context, |url, value| {
                    quirks::set_password(url, value).ok();
                })
            }),
        ),
        (
            "host",
            |this, _, _| read(this, |url| quirks::host(url).to_owned()),
            Some(|this, arguments, context| {
                set(this, arguments, context, |url, value| {
                    quirks::set_host(url, value).ok();
                })
            }),
        ),
        (
            "hostname",
            |this, _, _| read(this, |url| quirks::hostname(url).to_owned()),
            Some(|this, arguments, context| {
                set(this, arguments, context, |url, value| {
                    quirks::set_hostname(url, value).ok();
                })
            }),
        ),
        (
            "port",
            |this, _, _| read(this, |url| quirks::port(url).to_owned()),
            Some(|this, arguments, context| {
                set(this, arguments, context, |url, value| {
                    quirks::set_port(url, value).ok();
                })
            }),
        ),
        (
            "pathname",
            |this, _, _| read(this, |url| quirks::pathname(url).to_owned()),
            Some(|this, arguments, context| set(this, arguments, context, quirks::set_pathname)),
        ),
        (
            "search",
            |this, _, _| read(this, |url| quirks::search(url).to_owned()),
            Some(|this, arguments, context| {
                set(this, arguments, context, quirks::set_search)?;
                refresh(this)
            }),
        ),
        (
            "hash",
            |this, _, _| read(this, |url| quirks::hash(url).to_owned()),
            Some(|this, arguments, context| set(this, arguments, context, quirks::set_hash)),
        ),
        ("searchParams", search_params, None),
    ],
    statics: &[("canParse", 1, can_parse), ("parse", 1, parse_static)],
    tag: "URL",
};

fn object(prototype: JsObject, url: Url) -> JsObject {
    JsObject::from_proto_and_data(prototype, Address { url, params: None })
}

fn invalid(given: &str) -> boa_engine::JsError {
    let message = format!("Invalid URL: '{}'", clip(given));
    JsNativeError::typ().with_message(message).into()
}

/// An address, relative to a base if there is one.
fn parse(given: &str, base: Option<&JsValue>, context: &mut Context) -> JsResult<Option<Url>> {
    let Some(base) = base.filter(|base| !base.is_undefined()) else {
        return Ok(Url::parse(given).ok());
    };
    let base = text(Some(base), context)?;
    Ok(Url::parse(&base).ok().and_then(|base| base.join(given).ok()))
}

fn can_parse(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let given = text(arguments.first(), context)?;
    Ok(parse(&given, arguments.get(1), context)?.is_some().into())
}

fn parse_static(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let given = text(arguments.first(), context)?;
    let Some(url) = parse(&given, arguments.get(1), context)? else { return Ok(JsValue::null()) };
    let prototype = context.get_data::<Prototypes>().map(|known| known.address.clone());
    Ok(prototype.map_or(JsValue::null(), |prototype| object(prototype, url).into()))
}

fn foreign() -> boa_engine::JsError {
    typed("Value of \"this\" must be of type URL")
}

fn read(this: &JsValue, take: impl FnOnce(&Url) -> String) -> JsResult<JsValue> {
    let object = this.as_object().ok_or_else(foreign)?;
    let address = object.downcast_ref::<Address>().ok_or_else(foreign)?;
    Ok(string(&take(&address.url)))
}

fn change(this: &JsValue, change: impl FnOnce(&mut Url)) -> JsResult<()> {
    let object = this.as_object().ok_or_else(foreign)?;
    let mut address = object.downcast_mut::<Address>().ok_or_else(foreign)?;
    change(&mut address.url);
    Ok(())
}

/// A setter: what does not fit is ignored, as the standard has it.
fn set(
    this: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
    apply: impl FnOnce(&mut Url, &str),
) -> JsResult<JsValue> {
    let value = text(arguments.first(), context)?;
    change(this, |url| apply(url, &value))?;
    Ok(JsValue::undefined())
}

fn href(this: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    read(this, |url| url.as_str().to_owned())
}

/// The parameters' object follows a new query.
fn refresh(this: &JsValue) -> JsResult<JsValue> {
    let object = this.as_object().ok_or_else(foreign)?;
    let (params, pairs) = {
        let address = object.downcast_ref::<Address>().ok_or_else(foreign)?;
        (address.params.clone(), params::pairs_of(address.url.query().unwrap_or_default()))
    };
    if let Some(params) = params {
        params::replace(&params, pairs);
    }
    Ok(JsValue::undefined())
}

/// The query follows the parameters' object.
pub(super) fn set_query(object: &JsObject, query: &str) {
    if let Some(mut address) = object.downcast_mut::<Address>() {
        address.url.set_query(Some(query).filter(|query| !query.is_empty()));
    }
}

fn search_params(this: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let object = this.as_object().ok_or_else(foreign)?;
    let pairs = {
        let address = object.downcast_ref::<Address>().ok_or_else(foreign)?;
        if let Some(known) = &address.params {
            return Ok(known.clone().into());
        }
        params::pairs_of(address.url.query().unwrap_or_default())
    };
    let prototype = context.get_data::<Prototypes>().map(|known| known.params.clone());
    let prototype = prototype.ok_or_else(foreign)?;
    let params = params::object(prototype, pairs, Some(object.clone()));
    object.downcast_mut::<Address>().ok_or_else(foreign)?.params = Some(params.clone());
    Ok(params.into())
}

/// All parts in the order in which Node shows them.
pub(super) fn shown(object: &JsObject) -> Option<Shown> {
    let address = object.downcast_ref::<Address>()?;
    let url = &address.url;
    let parts = vec![
        ("href", url.as_str().to_owned()),
        ("origin", quirks::origin(url)),
        ("protocol", quirks::protocol(url).to_owned()),
        ("username", quirks::username(url).to_owned()),
        ("password", quirks::password(url).to_owned()),
        ("host", quirks::host(url).to_owned()),
        ("hostname", quirks::hostname(url).to_owned()),
        ("port", quirks::port(url).to_owned()),
        ("pathname", quirks::pathname(url).to_owned()),
        ("search", quirks::search(url).to_owned()),
        ("hash", quirks::hash(url).to_owned()),
    ];
    Some(Shown::Address(parts, params::pairs_of(url.query().unwrap_or_default())))
}
