//! A small `Intl` over the formats of [`super::locale`].
//!
//! Border: `NumberFormat`, `DateTimeFormat`, `PluralRules`, `ListFormat`, `RelativeTimeFormat` and
//! `Collator`; nothing else of the standard (`Segmenter`, `DisplayNames`, …) exists here.

mod dates;
mod lists;
mod numbers;

use boa_engine::{
    Context, Finalize, JsData, JsObject, JsResult, JsString, JsValue, NativeFunction, Trace,
    js_string,
    object::{FunctionObjectBuilder, ObjectInitializer, builtins::JsArray},
    property::PropertyDescriptor,
};

use super::{
    HIDDEN, Native, class,
    compare::{self, SENSITIVITIES},
    locale::{
        Part,
        collate::Collation,
        date::DateFormat,
        locales::{self, Locale},
        number::{NumberFormat, Width},
        words::ListKind,
    },
    method,
    numbers::{DigitOptions, name_of},
    options::{locale, requested, typed},
};

/// The state of an object of one of the classes.
#[derive(Trace, Finalize, JsData)]
#[boa_gc(unsafe_empty_trace)]
enum Formatter {
    Number(NumberFormat),
    Date(DateFormat),
    Plural { locale: Locale, ordinal: bool, digits: DigitOptions },
    List { locale: Locale, kind: ListKind, width: Width },
    Relative { auto: bool, width: Width },
    Collator { locale: Locale, collation: Collation },
}

/// The prototypes of classes that may be called without `new`.
struct Callable {
    number: JsObject,
    date: JsObject,
    collator: JsObject,
}

pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let intl = ObjectInitializer::new(context).build();
    let tag = PropertyDescriptor::builder()
        .value(js_string!("Intl"))
        .writable(false)
        .enumerable(false)
        .configurable(true);
    intl.define_property_or_throw(boa_engine::JsSymbol::to_string_tag(), tag, context)?;
    method(&intl, ("getCanonicalLocales", 1, canonical_locales), context)?;
    let number = place(&intl, &numbers::NUMBER_FORMAT, context)?;
    let date = place(&intl, &dates::DATE_TIME_FORMAT, context)?;
    let collator = place(&intl, &COLLATOR, context)?;
    place(&intl, &numbers::PLURAL_RULES, context)?;
    place(&intl, &lists::LIST_FORMAT, context)?;
    place(&intl, &lists::RELATIVE_TIME_FORMAT, context)?;
    context.insert_data(Callable { number, date, collator });
    context.register_global_property(js_string!("Intl"), intl, HIDDEN)
}

fn place(intl: &JsObject, class: &class::Class, context: &mut Context) -> JsResult<JsObject> {
    let (constructor, prototype) = class.build(context)?;
    let property = PropertyDescriptor::builder()
        .value(constructor)
        .writable(true)
        .enumerable(false)
        .configurable(true);
    intl.define_property_or_throw(JsString::from(class.name), property, context)?;
    Ok(prototype)
}

fn canonical_locales(
    _: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<JsValue> {
    let tags = requested(arguments.first(), context)?;
    Ok(strings(tags.into_iter(), context)?.into())
}

/// Those of the requested locales whose language is known.
fn supported(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let tags = requested(arguments.first(), context)?;
    let known = tags.into_iter().filter(|tag| locales::find(tag).is_some());
    Ok(strings(known, context)?.into())
}

fn strings(texts: impl Iterator<Item = String>, context: &mut Context) -> JsResult<JsArray> {
    let texts: Vec<JsValue> = texts.map(|text| JsString::from(text).into()).collect();
    Ok(JsArray::from_iter(texts, context))
}

/// A new object; without `new`, with the class's own prototype.
fn create(
    name: &str,
    target: &JsValue,
    fallback: Option<fn(&Callable) -> &JsObject>,
    formatter: Formatter,
    context: &mut Context,
) -> JsResult<JsValue> {
    let usual = match (target.is_undefined(), fallback, context.get_data::<Callable>()) {
        (true, Some(fallback), Some(callable)) => Some(fallback(callable).clone()),
        _ => None,
    };
    let prototype = match usual {
        Some(prototype) => prototype,
        None => class::prototype(name, target, context)?,
    };
    Ok(JsObject::from_proto_and_data(prototype, formatter).into())
}

/// Runs `read` on the state of `this`, when `this` has one of the right kind.
fn with<T>(this: &JsValue, name: &str, read: impl FnOnce(&Formatter) -> Option<T>) -> JsResult<T> {
    let object = this.as_object();
    let found = object
        .as_ref()
        .and_then(|object| object.downcast_ref::<Formatter>())
        .and_then(|formatter| read(&formatter));
    found.ok_or_else(|| typed(format!("Method Intl.{name} called on incompatible receiver")))
}

/// The getter of a bound function: `this` is remembered, so that it can be passed to `map`.
fn bound(this: &JsValue, length: usize, call: Native, context: &mut Context) -> JsResult<JsValue> {
    let Some(object) = this.as_object() else {
        return Err(typed("this is not an Intl object"));
    };
    let function = NativeFunction::from_copy_closure_with_captures(
        move |_, arguments, object: &JsObject, context| {
            call(&object.clone().into(), arguments, context)
        },
        object,
    );
    let function = FunctionObjectBuilder::new(context.realm(), function).length(length).build();
    Ok(function.into())
}

/// `[{ type, value }, …]`
fn part_list(parts: Vec<Part>, context: &mut Context) -> JsResult<JsValue> {
    let mut list = Vec::with_capacity(parts.len());
    for part in parts {
        let kind = js_string!(part.kind);
        let value = JsString::from(part.text);
        list.push(record(&[("type", kind.into()), ("value", value.into())], context)?);
    }
    Ok(JsArray::from_iter(list, context).into())
}

/// A plain object; `undefined` values are left out.
fn record(entries: &[(&'static str, JsValue)], context: &mut Context) -> JsResult<JsValue> {
    let object = JsObject::with_object_proto(context.intrinsics());
    for (name, value) in entries {
        if !value.is_undefined() {
            object.create_data_property_or_throw(js_string!(*name), value.clone(), context)?;
        }
    }
    Ok(object.into())
}

const COLLATOR: class::Class = class::Class {
    name: "Collator",
    length: 0,
    construct: |target, arguments, context| {
        let locale = locale(arguments.first(), context)?;
        let collation = compare::read(arguments, context)?;
        let formatter = Formatter::Collator { locale, collation };
        create("Collator", target, Some(|callable| &callable.collator), formatter, context)
    },
    methods: &[("resolvedOptions", 0, collator_options)],
    accessors: &[("compare", |this, _, context| bound(this, 2, collate, context), None)],
    statics: &[("supportedLocalesOf", 1, supported)],
    tag: "Intl.Collator",
};

fn collator(this: &JsValue) -> JsResult<(Locale, Collation)> {
    with(this, "Collator", |formatter| match formatter {
        Formatter::Collator { locale, collation } => Some((*locale, *collation)),
        _ => None,
    })
}

fn collate(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (_, collation) = collator(this)?;
    let left = arguments.first().cloned().unwrap_or_default().to_string(context)?;
    let right = arguments.get(1).cloned().unwrap_or_default().to_string(context)?;
    compare::order(&collation, &left, &right, context)
}

fn collator_options(this: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (locale, collation) = collator(this)?;
    let first = if collation.upper_first { "upper" } else { "false" };
    record(
        &[
            ("locale", js_string!(locale.tag).into()),
            ("usage", js_string!("sort").into()),
            ("sensitivity", name_of(SENSITIVITIES, collation.sensitivity)),
            ("ignorePunctuation", collation.ignore_punctuation.into()),
            ("collation", js_string!("default").into()),
            ("numeric", collation.numeric.into()),
            ("caseFirst", js_string!(first).into()),
        ],
        context,
    )
}
