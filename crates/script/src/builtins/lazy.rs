//! Globals that are built when they are needed: most programs use none of them, and building them
//! all takes half as long as building the rest of the realm.
//!
//! Border: a program that names such a global finds a plain data property, because its source is
//! looked at before it runs. One that makes up the name (`globalThis["In" + "tl"]`) finds an
//! accessor that turns itself into that property when it is first read or written.

use boa_engine::{
    Context, JsResult, JsString, JsValue, NativeFunction,
    object::FunctionObjectBuilder,
    property::{PropertyDescriptor, PropertyKey},
};

use super::{Native, intl, text, web};

/// Globals that are built together.
struct Group {
    names: &'static [&'static str],
    install: fn(&mut Context) -> JsResult<()>,
    /// For each name what reads and what writes it.
    accessors: &'static [(Native, Native)],
}

macro_rules! group {
    ($install:path, $index:literal: $($name:literal),+) => {
        Group {
            names: &[$($name),+],
            install: $install,
            accessors: &[$((
                |_, _, context| read($index, $name, context),
                |_, arguments, context| write($index, $name, arguments, context),
            )),+],
        }
    };
}

const GROUPS: &[Group] = &[
    group!(intl::install, 0: "Intl"),
    group!(web::install, 1: "URL", "URLSearchParams"),
    group!(text::install, 2: "TextEncoder", "TextDecoder"),
];

/// Which groups are built.
#[derive(Default)]
struct Built([std::cell::Cell<bool>; GROUPS.len()]);

/// Puts the accessors in place.
pub(super) fn install(context: &mut Context) -> JsResult<()> {
    context.insert_data(Built::default());
    let global = context.global_object();
    for group in GROUPS {
        for (name, (getter, setter)) in group.names.iter().zip(group.accessors) {
            let build = |native: Native| {
                FunctionObjectBuilder::new(context.realm(), NativeFunction::from_fn_ptr(native))
                    .build()
            };
            let property = PropertyDescriptor::builder()
                .get(build(*getter))
                .set(build(*setter))
                .enumerable(false)
                .configurable(true);
            global.insert_property(JsString::from(*name), property);
        }
    }
    Ok(())
}

/// Builds what the source names.
pub(crate) fn prepare(source: &str, context: &mut Context) -> JsResult<()> {
    for (index, group) in GROUPS.iter().enumerate() {
        if group.names.iter().any(|name| source.contains(name)) {
            build(index, context)?;
        }
    }
    Ok(())
}

fn build(index: usize, context: &mut Context) -> JsResult<()> {
    let built = context.get_data::<Built>().and_then(|built| built.0.get(index));
    let fresh = built.is_some_and(|built| !built.replace(true));
    match GROUPS.get(index).filter(|_| fresh) {
        Some(group) => (group.install)(context),
        None => Ok(()),
    }
}

fn read(index: usize, name: &'static str, context: &mut Context) -> JsResult<JsValue> {
    build(index, context)?;
    let key = PropertyKey::from(JsString::from(name));
    let property = context.global_object().borrow().properties().get(&key);
    // No getter is called: should the program have kept this one, it would call itself.
    Ok(property.and_then(|property| property.value().cloned()).unwrap_or_default())
}

fn write(
    index: usize,
    name: &'static str,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<JsValue> {
    build(index, context)?;
    let value = arguments.first().cloned().unwrap_or_default();
    context.global_object().set(JsString::from(name), value, true, context)?;
    Ok(JsValue::undefined())
}
