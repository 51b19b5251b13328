//! What the engine keeps to itself and inspection needs: what a proxy stands for, what an iterator
//! was made for.
//!
//! Border: the built-ins that make these objects are wrapped; each object they make gets a hidden
//! property. A proxy's own storage is out of every program's reach. An iterator's is not: the
//! property is a symbol that is not enumerable, and leads only to what the program had anyway.

use boa_engine::{
    Context, JsObject, JsResult, JsString, JsSymbol, JsValue, NativeFunction,
    builtins::proxy::Proxy,
    js_string,
    object::{FunctionObjectBuilder, builtins::JsRegExp},
    property::{PropertyDescriptor, PropertyKey},
};

use super::data_property;
use crate::guards;

/// The parts of entries that an iterator yields.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Keys,
    Values,
    Entries,
}

impl Part {
    const ALL: [Self; 3] = [Self::Keys, Self::Values, Self::Entries];
}

/// What this realm's inspection knows.
struct Origins {
    /// The name of the hidden property of a proxy.
    target: JsSymbol,
    /// The names of the hidden property of an iterator, by what it yields.
    keys: JsSymbol,
    values: JsSymbol,
    entries: JsSymbol,
    /// `Array.isArray`.
    is_array: Option<JsObject>,
    /// The getter of a pattern's flag `v`.
    unicode_sets: Option<JsObject>,
}

impl Origins {
    /// [`None`] when the engine has run out of symbols.
    fn new(is_array: Option<JsObject>, unicode_sets: Option<JsObject>) -> Option<Self> {
        Some(Self {
            target: JsSymbol::new(Some(js_string!("target")))?,
            keys: JsSymbol::new(Some(js_string!("keys")))?,
            values: JsSymbol::new(Some(js_string!("values")))?,
            entries: JsSymbol::new(Some(js_string!("entries")))?,
            is_array,
            unicode_sets,
        })
    }

    fn part(&self, part: Part) -> &JsSymbol {
        match part {
            Part::Keys => &self.keys,
            Part::Values => &self.values,
            Part::Entries => &self.entries,
        }
    }
}

/// Wraps `Proxy` and the methods of maps and sets that make iterators.
pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let patterns = context.intrinsics().constructors().regexp().prototype();
    let unicode_sets = guards::getter(&patterns, "unicodeSets").ok();
    let arrays = context.intrinsics().constructors().array().constructor();
    let is_array = data_property(&arrays, "isArray").and_then(|found| found.as_object());
    let Some(origins) = Origins::new(is_array, unicode_sets) else { return Ok(()) };
    context.insert_data(origins);
    proxies(context)?;
    let maps = context.intrinsics().constructors().map().prototype();
    iterators(&maps, &["keys"], Part::Keys, context)?;
    iterators(&maps, &["values"], Part::Values, context)?;
    iterators(&maps, &["entries", ITERATOR], Part::Entries, context)?;
    let sets = context.intrinsics().constructors().set().prototype();
    iterators(&sets, &["values", "keys", ITERATOR], Part::Values, context)?;
    iterators(&sets, &["entries"], Part::Entries, context)
}

/// Stands for `Symbol.iterator` among names.
const ITERATOR: &str = "";

/// Whether this is a proxy.
pub(super) fn is_proxy(object: &JsObject) -> bool {
    object.is::<Proxy>()
}

/// What a proxy stands for; `None` when it was revoked.
pub(super) fn target(proxy: &JsObject, context: &mut Context) -> Option<JsObject> {
    let origins = context.get_data::<Origins>()?;
    let target = hidden(proxy, &origins.target)?.as_object()?;
    // It looks at the target and calls no trap, and fails when the proxy was revoked.
    let is_array = origins.is_array.clone()?;
    is_array.call(&JsValue::undefined(), &[proxy.clone().into()], context).ok()?;
    Some(target)
}

/// What an iterator over a map or a set was made for, and what it yields of it.
pub(super) fn iterated(iterator: &JsObject, context: &Context) -> Option<(JsObject, Part)> {
    let origins = context.get_data::<Origins>()?;
    Part::ALL
        .into_iter()
        .find_map(|part| Some((hidden(iterator, origins.part(part))?.as_object()?, part)))
}

/// Whether a pattern has the flag `v`.
pub(super) fn has_unicode_sets(pattern: &JsRegExp, context: &mut Context) -> bool {
    let getter = context.get_data::<Origins>().and_then(|origins| origins.unicode_sets.clone());
    let Some(getter) = getter else { return false };
    let pattern = JsValue::from(JsObject::from(pattern.clone()));
    getter.call(&pattern, &[], context).is_ok_and(|set| set.to_boolean())
}

fn hidden(object: &JsObject, name: &JsSymbol) -> Option<JsValue> {
    object.borrow().properties().get(&name.clone().into())?.value().cloned()
}

fn hide(object: &JsObject, name: JsSymbol, value: impl Into<JsValue>) {
    let property = PropertyDescriptor::builder()
        .value(value)
        .writable(false)
        .enumerable(false)
        .configurable(false);
    object.insert_property(name, property);
}

/// Remembers what a proxy was made for.
fn remember(proxy: &JsValue, arguments: &[JsValue], context: &Context) {
    let target = arguments.first().and_then(JsValue::as_object);
    if let (Some(proxy), Some(target), Some(origins)) =
        (proxy.as_object(), target, context.get_data::<Origins>())
    {
        hide(&proxy, origins.target.clone(), target);
    }
}

fn proxies(context: &mut Context) -> JsResult<()> {
    let original = context.intrinsics().constructors().proxy().constructor();
    let make = NativeFunction::from_copy_closure_with_captures(
        |new_target, arguments, original: &JsObject, context| {
            if new_target.is_undefined() {
                return original.call(new_target, arguments, context);
            }
            let proxy = original.construct(arguments, None, context)?.into();
            remember(&proxy, arguments, context);
            Ok(proxy)
        },
        original.clone(),
    );
    let wrapper = FunctionObjectBuilder::new(context.realm(), make)
        .name(js_string!("Proxy"))
        .length(2)
        .constructor(true)
        .build();
    let revocable = original.get(js_string!("revocable"), context)?;
    if let Some(revocable) = revocable.as_object() {
        let make = NativeFunction::from_copy_closure_with_captures(
            |this, arguments, original: &JsObject, context| {
                let made = original.call(this, arguments, context)?;
                let proxy = made.as_object().and_then(|made| data_property(&made, "proxy"));
                remember(&proxy.unwrap_or_default(), arguments, context);
                Ok(made)
            },
            revocable,
        );
        let make = FunctionObjectBuilder::new(context.realm(), make)
            .name(js_string!("revocable"))
            .length(2)
            .build();
        guards::put(&wrapper, js_string!("revocable"), make, context)?;
    }
    let global = context.global_object();
    guards::put(&global, js_string!("Proxy"), wrapper, context)
}

/// Wraps a method that makes iterators, which goes by several names.
fn iterators(
    prototype: &JsObject,
    names: &[&str],
    part: Part,
    context: &mut Context,
) -> JsResult<()> {
    let keys = names.iter().map(|name| match *name {
        ITERATOR => PropertyKey::from(JsSymbol::iterator()),
        name => PropertyKey::from(JsString::from(name)),
    });
    let name = JsString::from(names.first().copied().unwrap_or_default());
    let Some(original) = prototype.get(name.clone(), context)?.as_object() else { return Ok(()) };
    let make = NativeFunction::from_copy_closure_with_captures(
        move |this, arguments, original: &JsObject, context| {
            let iterator = original.call(this, arguments, context)?;
            if let (Some(made), Some(of), Some(origins)) =
                (iterator.as_object(), this.as_object(), context.get_data::<Origins>())
            {
                hide(&made, origins.part(part).clone(), of);
            }
            Ok(iterator)
        },
        original,
    );
    let make = FunctionObjectBuilder::new(context.realm(), make).name(name).length(0).build();
    for key in keys {
        guards::put(prototype, key, make.clone(), context)?;
    }
    Ok(())
}
