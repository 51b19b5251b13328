//! A small `Intl` over the formats of [`super::locale`].
//!
//! Border: `NumberFormat`, `DateTimeFormat`, `PluralRules`, `ListFormat`, `RelativeTimeFormat` and
//! `Collator`, each with what programs ask of it; nothing else of the standard exists here.

use boa_engine::{
    Context, Finalize, JsData, JsObject, JsResult, JsString, JsValue, NativeFunction, Trace,
    js_string,
    object::{ObjectInitializer, builtins::JsArray},
    property::Attribute,
};
use jiff::Timestamp;

use super::{
    HIDDEN, Method, Native,
    class::{self, Class},
    compare::{self, Collation},
    dates::{self, Usual, milliseconds, time_of},
    iterate,
    locale::{
        date::DateFormat,
        locales::{self, Locale},
        number::{Digits, Number, NumberFormat, Style},
        words,
    },
    numbers,
    options::{Options, clip, locale, range, requested, typed},
};
use crate::guards;

/// The state of an object of one of the classes.
#[derive(Trace, Finalize, JsData)]
#[boa_gc(unsafe_empty_trace)]
enum Formatter {
    Number(NumberFormat),
    Date(DateFormat),
    Plural {
        locale: Locale,
        ordinal: bool,
    },
    List {
        locale: Locale,
        /// Whether one of the items is meant.
        one: bool,
    },
    Relative {
        auto: bool,
    },
    Collator {
        locale: Locale,
        collation: Collation,
    },
}

/// The prototypes by their classes' names.
struct Prototypes(Vec<(&'static str, JsObject)>);

pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let intl = ObjectInitializer::new(context)
        .property(
            boa_engine::JsSymbol::to_string_tag(),
            js_string!("Intl"),
            Attribute::CONFIGURABLE,
        )
        .build();
    let mut prototypes = Vec::new();
    for class in
        [NUMBER_FORMAT, DATE_TIME_FORMAT, PLURAL_RULES, LIST_FORMAT, RELATIVE_TIME_FORMAT, COLLATOR]
    {
        let (constructor, prototype) = class.build(context);
        guards::put(&intl, js_string!(class.name), constructor, context)?;
        prototypes.push((class.name, prototype));
    }
    context.insert_data(Prototypes(prototypes));
    context.register_global_property(js_string!("Intl"), intl, HIDDEN)
}

/// Those of the requested locales whose language is known.
fn supported(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let tags = requested(arguments.first(), context)?;
    let known = tags.iter().filter(|tag| locales::find(tag).is_some());
    let texts: Vec<JsValue> = known.map(|tag| word(&tag.to_string())).collect();
    Ok(JsArray::from_iter(texts, context).into())
}

const STATICS: &[Method] = &[("supportedLocalesOf", 1, supported)];

/// A new object. Programs call some of the classes without `new`, so all may be.
fn create(
    name: &str,
    target: &JsValue,
    formatter: Formatter,
    context: &mut Context,
) -> JsResult<JsValue> {
    let usual = context.get_data::<Prototypes>().filter(|_| target.is_undefined());
    let usual = usual.and_then(|all| all.0.iter().find(|(known, _)| *known == name));
    let prototype = match usual {
        Some((_, prototype)) => prototype.clone(),
        None => class::prototype(name, target, context)?,
    };
    Ok(JsObject::from_proto_and_data(prototype, formatter).into())
}

/// Runs `read` on the state of `this`, when `this` has one of the right kind.
fn with<T>(this: &JsValue, read: impl FnOnce(&Formatter) -> Option<T>) -> JsResult<T> {
    let object = this.as_object();
    let formatter = object.as_ref().and_then(|object| object.downcast_ref::<Formatter>());
    formatter
        .and_then(|formatter| read(&formatter))
        .ok_or_else(|| typed("a method of Intl was called on an object of another kind"))
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
    Ok(guards::function(js_string!(), length, function, context).into())
}

/// Parts are told of dates alone.
fn no_parts(_: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    Err(typed("formatToParts is only here for dates; use format"))
}

fn word(text: &str) -> JsValue {
    JsString::from(text).into()
}

fn record(entries: Vec<(&'static str, JsValue)>, context: &mut Context) -> JsResult<JsValue> {
    let object = JsObject::with_object_proto(context.intrinsics());
    for (name, value) in entries {
        object.create_data_property_or_throw(js_string!(name), value, context)?;
    }
    Ok(object.into())
}

const NUMBER_FORMAT: Class = Class {
    methods: &[("formatToParts", 1, no_parts), ("resolvedOptions", 0, resolved)],
    accessors: &[("format", |this, _, context| bound(this, 1, format_number, context), None)],
    statics: STATICS,
    tag: "Intl.NumberFormat",
    ..Class::named("NumberFormat", |target, arguments, context| {
        let formatter = Formatter::Number(numbers::read(arguments, context)?);
        create("NumberFormat", target, formatter, context)
    })
};

fn format_number(this: &JsValue, list: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let number = numbers::number(&list.first().cloned().unwrap_or_default(), context)?;
    with(this, |formatter| match formatter {
        Formatter::Number(format) => Some(word(&format.text(&number))),
        _ => None,
    })
}

const DATE_TIME_FORMAT: Class = Class {
    methods: &[
        ("formatToParts", 1, |this, arguments, context| {
            let mut list = Vec::new();
            for part in with_date(this, arguments, context, DateFormat::parts)? {
                let entries = vec![("type", word(part.kind)), ("value", word(&part.text))];
                list.push(record(entries, context)?);
            }
            Ok(JsArray::from_iter(list, context).into())
        }),
        ("resolvedOptions", 0, resolved),
    ],
    accessors: &[(
        "format",
        |this, _, context| {
            let format: Native = |this, arguments, context| {
                Ok(word(&with_date(this, arguments, context, DateFormat::text)?))
            };
            bound(this, 1, format, context)
        },
        None,
    )],
    statics: STATICS,
    tag: "Intl.DateTimeFormat",
    ..Class::named("DateTimeFormat", |target, arguments, context| {
        let format = dates::read(arguments, Usual::DateForAny, context)?;
        create("DateTimeFormat", target, Formatter::Date(format), context)
    })
};

/// What a format makes of a date, a time value, or now.
fn with_date<T>(
    this: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
    make: fn(&DateFormat, i64) -> T,
) -> JsResult<T> {
    let time = match arguments.first().filter(|date| !date.is_undefined()) {
        #[expect(clippy::cast_precision_loss, reason = "today's time is far below 2^53")]
        None => context.clock().system_time_millis() as f64,
        Some(date) => match date.as_object().map(|object| time_of(&object, context)).transpose()? {
            Some(Some(time)) => time,
            _ => date.to_number(context)?,
        },
    };
    let time = milliseconds(time).ok_or_else(|| range("Invalid time value".into()))?;
    with(this, |formatter| match formatter {
        Formatter::Date(format) => Some(make(format, time)),
        _ => None,
    })
}

const PLURAL_RULES: Class = Class {
    methods: &[("select", 1, select), ("resolvedOptions", 0, resolved)],
    statics: STATICS,
    tag: "Intl.PluralRules",
    ..Class::named("PluralRules", |target, arguments, context| {
        let locale = locale(arguments.first(), context)?;
        let options = Options::coerce(arguments.get(1), context)?;
        let ordinal = options.choice("type", &[("cardinal", false), ("ordinal", true)], context)?;
        for part in ["Integer", "Fraction", "Significant"] {
            options.refuse(&format!("minimum{part}Digits"), "", context)?;
            options.refuse(&format!("maximum{part}Digits"), "", context)?;
        }
        let formatter = Formatter::Plural { locale, ordinal: ordinal.unwrap_or(false) };
        create("PluralRules", target, formatter, context)
    })
};

fn select(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let number = arguments.first().cloned().unwrap_or_default().to_number(context)?;
    with(this, |formatter| match formatter {
        Formatter::Plural { locale, ordinal } => {
            Some(word(words::plural(locale.language(), number, *ordinal)))
        }
        _ => None,
    })
}

const LIST_FORMAT: Class = Class {
    methods: &[
        ("format", 1, list),
        ("formatToParts", 1, no_parts),
        ("resolvedOptions", 0, resolved),
    ],
    statics: STATICS,
    tag: "Intl.ListFormat",
    ..Class::named("ListFormat", |target, arguments, context| {
        let locale = locale(arguments.first(), context)?;
        let options = Options::coerce(arguments.get(1), context)?;
        let kinds = [("conjunction", false), ("disjunction", true)];
        let one = options.choice("type", &kinds, context)?.unwrap_or(false);
        options.refuse("style", "long", context)?;
        create("ListFormat", target, Formatter::List { locale, one }, context)
    })
};

fn list(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let mut texts = Vec::new();
    if let Some(items) = arguments.first().filter(|items| !items.is_undefined()) {
        for item in iterate(items, context)? {
            let Some(text) = item.as_string() else {
                return Err(typed("Iterable yielded a value which is not a string"));
            };
            texts.push(text.to_std_string_lossy());
        }
    }
    with(this, |formatter| match formatter {
        Formatter::List { locale, one } => Some(word(&words::list(locale, *one, &texts))),
        _ => None,
    })
}

const RELATIVE_TIME_FORMAT: Class = Class {
    methods: &[
        ("format", 2, relative),
        ("formatToParts", 2, no_parts),
        ("resolvedOptions", 0, resolved),
    ],
    statics: STATICS,
    tag: "Intl.RelativeTimeFormat",
    ..Class::named("RelativeTimeFormat", |target, arguments, context| {
        // Checked, though the texts are English in every locale.
        locale(arguments.first(), context)?;
        let options = Options::coerce(arguments.get(1), context)?;
        options.refuse("style", "long", context)?;
        let auto = options.choice("numeric", &[("always", false), ("auto", true)], context)?;
        let formatter = Formatter::Relative { auto: auto.unwrap_or(false) };
        create("RelativeTimeFormat", target, formatter, context)
    })
};

fn relative(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let auto = with(this, |formatter| match formatter {
        Formatter::Relative { auto } => Some(*auto),
        _ => None,
    })?;
    let number = arguments.first().cloned().unwrap_or_default().to_number(context)?;
    let unit = arguments.get(1).cloned().unwrap_or_default().to_string(context)?;
    let unit = unit.to_std_string_lossy();
    let span = words::span(&unit)
        .ok_or_else(|| range(format!("Invalid unit argument for format() '{}'", clip(&unit))))?;
    if !number.is_finite() {
        return Err(range("format() needs a finite number".into()));
    }
    if let Some(near) = words::nearby(number, span).filter(|_| auto) {
        return Ok(word(&near));
    }
    let text = NumberFormat::plain(Locale::default()).text(&Number::from_f64(number.abs()));
    Ok(word(&words::relative(&text, number.is_sign_negative(), span)))
}

const COLLATOR: Class = Class {
    methods: &[("resolvedOptions", 0, resolved)],
    accessors: &[("compare", |this, _, context| bound(this, 2, collate, context), None)],
    statics: STATICS,
    tag: "Intl.Collator",
    ..Class::named("Collator", |target, arguments, context| {
        let locale = locale(arguments.first(), context)?;
        let collation = compare::read(arguments, context)?;
        let formatter = Formatter::Collator { locale, collation };
        create("Collator", target, formatter, context)
    })
};

fn collate(this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let collation = with(this, |formatter| match formatter {
        Formatter::Collator { collation, .. } => Some(collation.clone()),
        _ => None,
    })?;
    let left = arguments.first().cloned().unwrap_or_default().to_string(context)?;
    let right = arguments.get(1).cloned().unwrap_or_default().to_string(context)?;
    compare::order(&collation, &left, &right, context)
}

/// `resolvedOptions` of every class: what programs read of it.
fn resolved(this: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let entries = with(this, |formatter| {
        let (locale, own) = match formatter {
            Formatter::Number(format) => (format.locale, number_options(format)),
            Formatter::Date(format) => {
                let zone = match format.zone.iana_name() {
                    Some(name) => word(name),
                    None => word(
                        &Timestamp::UNIX_EPOCH
                            .to_zoned(format.zone.clone())
                            .strftime("%:z")
                            .to_string(),
                    ),
                };
                (format.locale, vec![("calendar", word("gregory")), ("timeZone", zone)])
            }
            Formatter::Relative { .. } => (Locale::default(), Vec::new()),
            Formatter::Plural { locale, .. }
            | Formatter::List { locale, .. }
            | Formatter::Collator { locale, .. } => (*locale, Vec::new()),
        };
        let numbering = ("numberingSystem", word("latn"));
        Some([("locale", word(locale.tag)), numbering].into_iter().chain(own).collect())
    })?;
    record(entries, context)
}

fn number_options(format: &NumberFormat) -> Vec<(&'static str, JsValue)> {
    let mut entries = match &format.style {
        Style::Decimal => vec![("style", word("decimal"))],
        Style::Percent => vec![("style", word("percent"))],
        Style::Unit { .. } => vec![("style", word("unit"))],
        Style::Currency { code, .. } => {
            vec![("style", word("currency")), ("currency", word(code))]
        }
    };
    if let Digits::Fraction(least, most) = format.digits {
        entries.push(("minimumFractionDigits", least.into()));
        entries.push(("maximumFractionDigits", most.into()));
    }
    entries
}
