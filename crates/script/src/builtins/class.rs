//! Classes of native objects: constructor, prototype, accessors.

use boa_engine::{
    Context, JsObject, JsResult, JsString, JsSymbol, JsValue, NativeFunction, js_string,
    object::{ConstructorBuilder, FunctionObjectBuilder},
    property::Attribute,
};

use super::{HIDDEN, Method, Native, options::typed};

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
    /// What a class has that says no more than its name.
    pub(crate) const fn named(name: &'static str, construct: Native) -> Self {
        Self { name, length: 0, construct, methods: &[], accessors: &[], statics: &[], tag: name }
    }

    /// Builds the constructor; gives it and the prototype.
    pub(crate) fn build(&self, context: &mut Context) -> (JsObject, JsObject) {
        let realm = context.realm().clone();
        let construct = NativeFunction::from_fn_ptr(self.construct);
        let mut builder = ConstructorBuilder::new(context, construct);
        builder.name(self.name).length(self.length);
        for (name, length, function) in self.methods {
            builder.method(NativeFunction::from_fn_ptr(*function), js_string!(*name), *length);
        }
        for (name, length, function) in self.statics {
            builder.static_method(
                NativeFunction::from_fn_ptr(*function),
                js_string!(*name),
                *length,
            );
        }
        let function = |native: Native, name: String, length| {
            let native = NativeFunction::from_fn_ptr(native);
            FunctionObjectBuilder::new(&realm, native)
                .name(JsString::from(name))
                .length(length)
                .build()
        };
        for (name, getter, setter) in self.accessors {
            let getter = function(*getter, format!("get {name}"), 0);
            let setter = setter.map(|setter| function(setter, format!("set {name}"), 1));
            let shown = Attribute::ENUMERABLE | Attribute::CONFIGURABLE;
            builder.accessor(js_string!(*name), Some(getter), setter, shown);
        }
        let tag = js_string!(self.tag);
        builder.property(JsSymbol::to_string_tag(), tag, Attribute::CONFIGURABLE);
        let built = builder.build();
        (built.constructor(), built.prototype())
    }

    /// The same, with the constructor as a global.
    pub(crate) fn register(&self, context: &mut Context) -> JsResult<JsObject> {
        let (constructor, prototype) = self.build(context);
        context.register_global_property(js_string!(self.name), constructor, HIDDEN)?;
        Ok(prototype)
    }
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
