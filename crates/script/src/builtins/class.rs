//! Classes of native objects: constructor, prototype, accessors.

use boa_engine::{
    Context, JsObject, JsResult, JsString, JsValue, NativeFunction, js_string,
    object::{ConstructorBuilder, FunctionObjectBuilder},
    property::PropertyDescriptor,
};

use super::{HIDDEN, Method, Native, method, options::typed};

/// A class, in words.
pub(crate) struct Class {
    pub(crate) name: &'static str,
    pub(crate) length: usize,
    /// Gets the `new` target as `this`.
    pub(crate) construct: Native,
    pub(crate) methods: &'static [Method],
    /// Name, getter, setter.
    pub(crate) accessors: &'static [(&'static str, Native, Option<Native>)],
    pub(crate) statics: &'static [Method],
    /// The value of `Symbol.toStringTag`.
    pub(crate) tag: &'static str,
}

impl Class {
    /// Builds the constructor; gives it and the prototype.
    pub(crate) fn build(&self, context: &mut Context) -> JsResult<(JsObject, JsObject)> {
        let construct = NativeFunction::from_fn_ptr(self.construct);
        let mut builder = ConstructorBuilder::new(context, construct);
        builder.name(self.name).length(self.length);
        let built = builder.build();
        let (constructor, prototype) = (built.constructor(), built.prototype());
        for declared in self.methods {
            method(&prototype, *declared, context)?;
        }
        for declared in self.statics {
            method(&constructor, *declared, context)?;
        }
        for (name, getter, setter) in self.accessors {
            accessor(&prototype, name, *getter, *setter, context)?;
        }
        let tag = PropertyDescriptor::builder()
            .value(js_string!(self.tag))
            .writable(false)
            .enumerable(false)
            .configurable(true);
        prototype.define_property_or_throw(boa_engine::JsSymbol::to_string_tag(), tag, context)?;
        Ok((constructor, prototype))
    }

    /// The same, with the constructor as a global.
    pub(crate) fn register(&self, context: &mut Context) -> JsResult<JsObject> {
        let (constructor, prototype) = self.build(context)?;
        context.register_global_property(JsString::from(self.name), constructor, HIDDEN)?;
        Ok(prototype)
    }
}

fn accessor(
    object: &JsObject,
    name: &str,
    getter: Native,
    setter: Option<Native>,
    context: &mut Context,
) -> JsResult<()> {
    let function = |native: Native, prefix: &str, length| {
        FunctionObjectBuilder::new(context.realm(), NativeFunction::from_fn_ptr(native))
            .name(JsString::from(format!("{prefix} {name}")))
            .length(length)
            .build()
    };
    let mut property = PropertyDescriptor::builder()
        .get(function(getter, "get", 0))
        .enumerable(true)
        .configurable(true);
    if let Some(setter) = setter {
        property = property.set(function(setter, "set", 1));
    }
    object.insert_property(JsString::from(name), property);
    Ok(())
}

/// The prototype for a new object, from the `new` target.
pub(crate) fn prototype(name: &str, target: &JsValue, context: &mut Context) -> JsResult<JsObject> {
    let Some(target) = target.as_object() else {
        return Err(typed(format!("Class constructor {name} cannot be invoked without 'new'")));
    };
    let found = target.get(js_string!("prototype"), context)?;
    let usual = || context.intrinsics().constructors().object().prototype();
    Ok(found.as_object().unwrap_or_else(usual))
}
