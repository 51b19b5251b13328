//! Globals that are built when they are needed: most programs use none of them, and building them
//! all takes half as long as building the rest of the realm.
//!
//! Border: a program that names such a global finds a plain data property, because its source is
//! looked at before it runs. One that makes up the name (`globalThis["In" + "tl"]`) finds an
//! accessor that turns itself into that property when it is first read or written.

use std::cell::Cell;

use boa_engine::{
    Context, JsResult, JsString, JsValue, NativeFunction, object::FunctionObjectBuilder,
    property::PropertyDescriptor,
};

use super::{intl, text, web};

/// What is built together: the names, and what builds them.
type Group = (&'static [&'static str], fn(&mut Context) -> JsResult<()>);

const GROUPS: &[Group] = &[
    (&["Intl"], intl::install),
    (&["URL", "URLSearchParams"], web::install),
    (&["TextEncoder", "TextDecoder"], text::install),
];

/// Which groups are built.
#[derive(Default)]
struct Built([Cell<bool>; GROUPS.len()]);

/// Puts the accessors in place.
pub(super) fn install(context: &mut Context) -> JsResult<()> {
    context.insert_data(Built::default());
    let global = context.global_object();
    for (index, (names, _)) in GROUPS.iter().enumerate() {
        for name in *names {
            let read = NativeFunction::from_copy_closure(move |_, _, context| {
                build(index, context)?;
                let key = JsString::from(*name).into();
                let property = context.global_object().borrow().properties().get(&key);
                // No getter is called: should the program have kept this one, it would call itself.
                Ok(property.and_then(|property| property.value().cloned()).unwrap_or_default())
            });
            let write = NativeFunction::from_copy_closure(move |_, arguments, context| {
                build(index, context)?;
                let value = arguments.first().cloned().unwrap_or_default();
                context.global_object().set(JsString::from(*name), value, true, context)?;
                Ok(JsValue::undefined())
            });
            let function = |native| FunctionObjectBuilder::new(context.realm(), native).build();
            let property = PropertyDescriptor::builder()
                .get(function(read))
                .set(function(write))
                .enumerable(false)
                .configurable(true);
            global.insert_property(JsString::from(*name), property);
        }
    }
    Ok(())
}

/// Builds what the source names.
pub(crate) fn prepare(source: &str, context: &mut Context) -> JsResult<()> {
    for (index, (names, _)) in GROUPS.iter().enumerate() {
        if names.iter().any(|name| source.contains(name)) {
            build(index, context)?;
        }
    }
    Ok(())
}

fn build(index: usize, context: &mut Context) -> JsResult<()> {
    let built = context.get_data::<Built>().and_then(|built| built.0.get(index));
    let fresh = built.is_some_and(|built| !built.replace(true));
    match GROUPS.get(index).filter(|_| fresh) {
        Some((_, install)) => install(context),
        None => Ok(()),
    }
}
