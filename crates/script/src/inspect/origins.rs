//! What the engine keeps to itself and inspection needs: what a proxy stands for, what an iterator
//! was made for.
//!
//! Border: the built-ins that make these objects are wrapped; each object they make gets hidden
//! properties. A proxy's own storage is out of every program's reach. An iterator's is not: its
//! properties are symbols that are not enumerable, and lead only to what the program had anyway.

use boa_engine::{
    Context, JsObject, JsResult, JsString, JsSymbol, JsValue, NativeFunction,
    builtins::proxy::Proxy,
    js_string,
    object::builtins::JsRegExp,
    property::{PropertyDescriptor, PropertyKey},
};

use crate::guards;

/// What this realm's inspection knows.
struct Origins {
    /// The name of the hidden property that holds what an object was made for.
    of: JsSymbol,
    /// The name of the one that holds the name of the method that made an iterator.
    part: JsSymbol,
    /// The getter of a pattern's flag `v`.
    unicode_sets: Option<JsObject>,
}

/// Wraps `Proxy` and the methods of maps and sets that make iterators.
pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let (Some(of), Some(part)) = (JsSymbol::new(None), JsSymbol::new(None)) else { return Ok(()) };
    let patterns = context.intrinsics().constructors().regexp().prototype();
    let unicode_sets = guards::getter(&patterns, "unicodeSets").ok();
    context.insert_data(Origins { of, part, unicode_sets });
    proxies(context)?;
    let maps = context.intrinsics().constructors().map().prototype();
    iterators(&maps, &["keys"], context)?;
    iterators(&maps, &["values"], context)?;
    iterators(&maps, &["entries", ITERATOR], context)?;
    let sets = context.intrinsics().constructors().set().prototype();
    iterators(&sets, &["values", "keys", ITERATOR], context)?;
    iterators(&sets, &["entries"], context)
}

/// Stands for `Symbol.iterator` among names.
const ITERATOR: &str = "";

/// Whether this is a proxy.
pub(super) fn is_proxy(object: &JsObject) -> bool {
    object.is::<Proxy>()
}

/// What a proxy stands for; `None` for one that can be revoked.
pub(super) fn target(proxy: &JsObject, context: &Context) -> Option<JsObject> {
    hidden(proxy, &context.get_data::<Origins>()?.of)?.as_object()
}

/// What an iterator over a map or a set was made for, and by which of its methods.
pub(super) fn iterated(iterator: &JsObject, context: &Context) -> Option<(JsObject, JsString)> {
    let origins = context.get_data::<Origins>()?;
    let of = hidden(iterator, &origins.of)?.as_object()?;
    Some((of, hidden(iterator, &origins.part)?.as_string()?))
}

/// Whether a pattern has the flag `v`.
pub(super) fn has_unicode_sets(pattern: &JsRegExp, context: &mut Context) -> bool {
    let getter = context.get_data::<Origins>().and_then(|origins| origins.unicode_sets.clone());
    let pattern = JsValue::from(JsObject::from(pattern.clone()));
    getter
        .and_then(|getter| getter.call(&pattern, &[], context).ok())
        .is_some_and(|set| set.to_boolean())
}

fn hidden(object: &JsObject, name: &JsSymbol) -> Option<JsValue> {
    object.borrow().properties().get(&name.clone().into())?.value().cloned()
}

/// The object's properties never change.
fn hide(object: &JsObject, name: &JsSymbol, value: impl Into<JsValue>) {
    let property = PropertyDescriptor::builder().value(value).enumerable(false);
    object.insert_property(name.clone(), property.writable(false).configurable(false));
}

fn proxies(context: &mut Context) -> JsResult<()> {
    let original = context.intrinsics().constructors().proxy().constructor();
    let make = NativeFunction::from_copy_closure_with_captures(
        |new_target, arguments, original: &JsObject, context| {
            if new_target.is_undefined() {
                return original.call(new_target, arguments, context);
            }
            let proxy = original.construct(arguments, None, context)?;
            let target = arguments.first().and_then(JsValue::as_object);
            if let (Some(target), Some(origins)) = (target, context.get_data::<Origins>()) {
                hide(&proxy, &origins.of, target);
            }
            Ok(proxy.into())
        },
        original.clone(),
    );
    guards::stand_before(&original, ("Proxy", 2, &["revocable"]), make, context)?;
    Ok(())
}

/// Wraps a method that makes iterators, which goes by several names.
fn iterators(prototype: &JsObject, names: &[&'static str], context: &mut Context) -> JsResult<()> {
    let first = names.first().copied().unwrap_or_default();
    let name = js_string!(first);
    let original = guards::method(prototype, name.clone(), context)?;
    let make = NativeFunction::from_copy_closure_with_captures(
        move |this, arguments, original: &JsObject, context| {
            let iterator = original.call(this, arguments, context)?;
            if let (Some(made), Some(of), Some(origins)) =
                (iterator.as_object(), this.as_object(), context.get_data::<Origins>())
            {
                hide(&made, &origins.of, of);
                hide(&made, &origins.part, js_string!(first));
            }
            Ok(iterator)
        },
        original,
    );
    let make = guards::function(name, 0, make, context);
    for name in names {
        let key = match *name {
            ITERATOR => PropertyKey::from(JsSymbol::iterator()),
            name => PropertyKey::from(JsString::from(name)),
        };
        guards::put(prototype, key, make.clone(), context)?;
    }
    Ok(())
}
