//! `URL` and `URLSearchParams`, over the URL standard's own parser.
//!
//! Border: the objects; what an address is, is known by the `url` crate.

mod params;

use std::{cell::RefCell, rc::Rc};

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

/// An address, which a `URL` and its parameters both change.
type Shared = Rc<RefCell<Url>>;

fn shared(url: Url) -> Shared {
    Rc::new(RefCell::new(url))
}

/// An address and the object of its parameters.
#[derive(Trace, Finalize, JsData)]
struct Address {
    #[unsafe_ignore_trace]
    url: Shared,
    params: JsObject,
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
            |this, _, _| Ok(string(quirks::$name(&address(this)?.borrow()))),
            Some(|this, arguments, context| {
                let value = text(arguments.first(), context)?;
                let _ = quirks::$set(&mut address(this)?.borrow_mut(), &value);
                Ok(JsValue::undefined())
            }),
        )
    };
}

const URL: Class = Class {
    length: 1,
    methods: &[("toString", 0, href), ("toJSON", 0, href)],
    accessors: &[
        ("href", href, Some(set_href)),
        ("origin", |this, _, _| Ok(string(&quirks::origin(&address(this)?.borrow()))), None),
        part!(protocol, set_protocol),
        part!(username, set_username),
        part!(password, set_password),
        part!(host, set_host),
        part!(hostname, set_hostname),
        part!(port, set_port),
        part!(pathname, set_pathname),
        part!(search, set_search),
        ("searchParams", |this, _, _| with(this, |address| address.params.clone().into()), None),
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
            let made = url.zip(prototype);
            made.map_or(Ok(JsValue::null()), |(url, prototype)| object(prototype, url, context))
        }),
    ],
    ..Class::named("URL", |target, arguments, context| {
        let prototype = class::prototype("URL", target, context)?;
        if arguments.is_empty() {
            return Err(typed("The \"url\" argument must be specified"));
        }
        let given = text(arguments.first(), context)?;
        let url = parse(&given, arguments.get(1), context)?.ok_or_else(|| invalid(&given))?;
        object(prototype, url, context)
    })
};

fn object(prototype: JsObject, url: Url, context: &Context) -> JsResult<JsValue> {
    let url = shared(url);
    let known = context.get_data::<Prototypes>().ok_or_else(foreign)?;
    let params = params::Params(url.clone());
    let params = JsObject::from_proto_and_data(known.params.clone(), params);
    Ok(JsObject::from_proto_and_data(prototype, Address { url, params }).into())
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

fn with<T>(this: &JsValue, take: impl FnOnce(&Address) -> T) -> JsResult<T> {
    let object = this.as_object().ok_or_else(foreign)?;
    let address = object.downcast_ref::<Address>().ok_or_else(foreign)?;
    Ok(take(&address))
}

fn address(this: &JsValue) -> JsResult<Shared> {
    with(this, |address| address.url.clone())
}

fn href(this: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    Ok(string(address(this)?.borrow().as_str()))
}

fn set_href(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let given = text(arguments.first(), context)?;
    let url = Url::parse(&given).map_err(|_| invalid(&given))?;
    *address(this)?.borrow_mut() = url;
    Ok(JsValue::undefined())
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

/// What `console.log` shows of an address or of parameters: the class and the text. It reads the
/// state, not the properties. `None` for other objects.
pub(crate) fn shown(object: &JsObject) -> Option<(&'static str, String)> {
    if let Some(params) = object.downcast_ref::<params::Params>() {
        return Some(("URLSearchParams", params.0.borrow().query().unwrap_or_default().to_owned()));
    }
    let address = object.downcast_ref::<Address>()?;
    let href = address.url.borrow().to_string();
    Some(("URL", href))
}
