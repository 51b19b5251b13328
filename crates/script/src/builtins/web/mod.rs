//! `URL` and `URLSearchParams`, over the URL standard's own parser.
//!
//! Border: the objects; what an address is, is known by the `url` crate.

mod params;

use boa_engine::{
    Context, Finalize, JsData, JsError, JsObject, JsResult, JsString, JsValue, Trace,
};
use url::{Url, quirks};

use super::{
    check,
    class::{self, Class},
    options::{clip, range, typed},
};
use crate::limits::STRING;

/// An address and the object of its parameters, once that was asked for.
#[derive(Trace, Finalize, JsData)]
struct Address {
    #[unsafe_ignore_trace]
    url: Url,
    /// Whether the query is as its parameters write it.
    tidy: bool,
    params: Option<JsObject>,
}

/// The prototypes, for objects that are made here.
struct Prototypes {
    address: JsObject,
    params: JsObject,
}

pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let address = URL.register(context)?;
    let params = params::install(context)?;
    context.insert_data(Prototypes { address, params });
    Ok(())
}

/// An accessor of a part. What does not fit is ignored, as the standard has it.
macro_rules! part {
    ($name:ident, $set:ident) => {
        (
            stringify!($name),
            |this, _, _| read(this, |url| string(quirks::$name(url))),
            Some(|this, arguments, context| {
                let value = text(arguments.first(), context)?;
                change(this, |url| {
                    let _ = quirks::$set(url, &value);
                })
            }),
        )
    };
}

const URL: Class = Class {
    name: "URL",
    length: 1,
    construct: |target, arguments, context| {
        let prototype = class::prototype("URL", target, context)?;
        if arguments.is_empty() {
            return Err(typed("The \"url\" argument must be specified"));
        }
        let given = text(arguments.first(), context)?;
        let url = parse(&given, arguments.get(1), context)?.ok_or_else(|| invalid(&given))?;
        Ok(object(prototype, url))
    },
    methods: &[("toString", 0, href), ("toJSON", 0, href)],
    accessors: &[
        ("href", href, Some(set_href)),
        ("origin", |this, _, _| read(this, |url| string(&quirks::origin(url))), None),
        part!(protocol, set_protocol),
        part!(username, set_username),
        part!(password, set_password),
        part!(host, set_host),
        part!(hostname, set_hostname),
        part!(port, set_port),
        part!(pathname, set_pathname),
        part!(search, set_search),
        ("searchParams", search_params, None),
        part!(hash, set_hash),
    ],
    statics: &[
        ("canParse", 1, |_, arguments, context| {
            let given = text(arguments.first(), context)?;
            Ok(parse(&given, arguments.get(1), context)?.is_some().into())
        }),
        ("parse", 1, |_, arguments, context| {
            let given = text(arguments.first(), context)?;
            let url = parse(&given, arguments.get(1), context)?;
            let prototype = context.get_data::<Prototypes>().map(|known| known.address.clone());
            let made = url.zip(prototype).map(|(url, prototype)| object(prototype, url));
            Ok(made.unwrap_or_else(JsValue::null))
        }),
    ],
    tag: "URL",
};

fn object(prototype: JsObject, url: Url) -> JsValue {
    JsObject::from_proto_and_data(prototype, Address { url, tidy: false, params: None }).into()
}

fn invalid(given: &str) -> JsError {
    typed(format!("Invalid URL: '{}'", clip(given)))
}

/// An address, relative to a base if there is one; `None` for what is none.
fn parse(given: &str, base: Option<&JsValue>, context: &mut Context) -> JsResult<Option<Url>> {
    let Some(base) = base.filter(|base| !base.is_undefined()) else {
        return Ok(Url::parse(given).ok());
    };
    let base = text(Some(base), context)?;
    Ok(Url::parse(&base).and_then(|base| base.join(given)).ok())
}

fn foreign() -> JsError {
    typed("Value of \"this\" must be of type URL")
}

fn read<T>(this: &JsValue, take: impl FnOnce(&Url) -> T) -> JsResult<T> {
    let object = this.as_object().ok_or_else(foreign)?;
    let address = object.downcast_ref::<Address>().ok_or_else(foreign)?;
    Ok(take(&address.url))
}

fn change(this: &JsValue, change: impl FnOnce(&mut Url)) -> JsResult<JsValue> {
    let object = this.as_object().ok_or_else(foreign)?;
    let mut address = object.downcast_mut::<Address>().ok_or_else(foreign)?;
    change(&mut address.url);
    address.tidy = false;
    Ok(JsValue::undefined())
}

fn href(this: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    read(this, |url| string(url.as_str()))
}

fn set_href(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let given = text(arguments.first(), context)?;
    let url = Url::parse(&given).map_err(|_| invalid(&given))?;
    change(this, |known| *known = url)
}

fn search_params(this: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let object = this.as_object().ok_or_else(foreign)?;
    if let Some(known) = &object.downcast_ref::<Address>().ok_or_else(foreign)?.params {
        return Ok(known.clone().into());
    }
    let prototype = context.get_data::<Prototypes>().map(|known| known.params.clone());
    let params = params::of_address(prototype.ok_or_else(foreign)?, object.clone());
    object.downcast_mut::<Address>().ok_or_else(foreign)?.params = Some(params.clone());
    Ok(params.into())
}

/// Texts longer than this are worth a look at the clock.
const LONG: usize = 10_000;

/// A text without lone surrogates.
fn text(value: Option<&JsValue>, context: &mut Context) -> JsResult<String> {
    let text = value.cloned().unwrap_or_default().to_string(context)?;
    if text.len() as u64 > STRING / 3 {
        return Err(range("Invalid string length".into()));
    }
    if text.len() > LONG {
        check(context)?;
    }
    Ok(text.to_std_string_lossy())
}

fn string(text: &str) -> JsValue {
    JsString::from(text).into()
}

/// What an address or its parameters show of themselves: names and texts.
pub(crate) enum Shown {
    /// The parameters are an object of their own, before the last part.
    Address(Vec<(&'static str, String)>, params::Pairs),
    Params(params::Pairs),
}

/// For `console.log`: reads the state, not the properties. `None` for other objects.
pub(crate) fn shown(object: &JsObject) -> Option<Shown> {
    let Some(address) = object.downcast_ref::<Address>() else {
        return params::pairs(&object.clone().into()).ok().map(Shown::Params);
    };
    let url = &address.url;
    let parts = [
        ("href", url.as_str()),
        ("origin", &quirks::origin(url)),
        ("protocol", quirks::protocol(url)),
        ("username", quirks::username(url)),
        ("password", quirks::password(url)),
        ("host", quirks::host(url)),
        ("hostname", quirks::hostname(url)),
        ("port", quirks::port(url)),
        ("pathname", quirks::pathname(url)),
        ("search", quirks::search(url)),
        ("hash", quirks::hash(url)),
    ];
    let parts = parts.map(|(name, text)| (name, text.to_owned())).into();
    Some(Shown::Address(parts, url.query_pairs().into_owned().collect()))
}
