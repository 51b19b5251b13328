//! `structuredClone`.
//!
//! Border: an explicit list of work instead of recursion; getters of the program's run, as the
//! standard has it. Private fields and prototypes of classes are not copied; buffers are copied,
//! never given away.

use std::collections::HashMap;

use boa_engine::{
    Context, JsError, JsObject, JsResult, JsValue, JsVariant,
    builtins::{error::Error as ErrorObject, typed_array::TypedArray},
    js_string,
    object::builtins::{
        JsArray, JsArrayBuffer, JsDate, JsMap, JsProxy, JsRegExp, JsSet, JsTypedArray,
    },
    property::PropertyKey,
};

use super::{
    check,
    errors::DATA_CLONE,
    global,
    options::{clip, typed},
};
use crate::{
    guards,
    inspect::{array_length, boxed, data_property, inherited_text},
    json::enumerable,
};

/// Values between two looks at the limits.
const SLICE: usize = 1_024;

pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    global(("structuredClone", 1, structured_clone), context)
}

fn structured_clone(
    _: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<JsValue> {
    let Some(value) = arguments.first() else {
        return Err(typed("The \"value\" argument must be specified"));
    };
    let mut cloner = Cloner { made: HashMap::new(), open: Vec::new(), seen: 0, context };
    if let Some(options) = arguments.get(1).and_then(JsValue::as_object)
        && !options.get(js_string!("transfer"), cloner.context)?.is_undefined()
    {
        return Err(cloner.refuse("transfer isn't supported here: what is given away"));
    }
    let clone = cloner.value(value)?;
    while let Some((source, target)) = cloner.open.pop() {
        cloner.fill(&source, &target)?;
    }
    Ok(clone)
}

struct Cloner<'a> {
    /// What each object became, so that shared references and cycles stay so.
    made: HashMap<JsObject, JsObject>,
    /// Objects whose contents are still to be copied, with their copies.
    open: Vec<(JsObject, JsObject)>,
    seen: usize,
    context: &'a mut Context,
}

impl Cloner<'_> {
    fn refuse(&mut self, what: &str) -> JsError {
        let message = format!("{what} could not be cloned.");
        DATA_CLONE.error(&message, self.context)
    }

    fn value(&mut self, value: &JsValue) -> JsResult<JsValue> {
        self.seen += 1;
        if self.seen.is_multiple_of(SLICE) {
            check(self.context)?;
        }
        match value.variant() {
            JsVariant::Symbol(symbol) => {
                let text = symbol.descriptive_string().to_std_string_lossy();
                Err(self.refuse(&text))
            }
            JsVariant::Object(object) => Ok(self.object(&object)?.into()),
            _ => Ok(value.clone()),
        }
    }

    /// The copy of an object; its contents may follow later.
    fn object(&mut self, object: &JsObject) -> JsResult<JsObject> {
        if let Some(made) = self.made.get(object) {
            return Ok(made.clone());
        }
        let (copy, has_contents) = match self.shell(object)? {
            Some(copy) => (copy, true),
            None => (self.leaf(object)?, object.is::<ErrorObject>()),
        };
        self.made.insert(object.clone(), copy.clone());
        if has_contents {
            self.open.push((object.clone(), copy.clone()));
        }
        Ok(copy)
    }

    /// An empty object for one whose contents could lead back to it.
    fn shell(&mut self, object: &JsObject) -> JsResult<Option<JsObject>> {
        if JsProxy::from_object(object.clone()).is_ok() {
            return Err(self.refuse("#<Object>"));
        }
        if object.is_callable() {
            let name = inherited_text(object, "name").unwrap_or_default();
            return Err(self.refuse(&format!("function {}", clip(&name))));
        }
        Ok(Some(if let Some(length) = array_length(object) {
            let array: JsObject = JsArray::new(self.context)?.into();
            array.set(js_string!("length"), length, true, self.context)?;
            array
        } else if object.is_ordinary() {
            JsObject::with_object_proto(self.context.intrinsics())
        } else if JsMap::from_object(object.clone()).is_ok() {
            JsMap::new(self.context).into()
        } else if JsSet::from_object(object.clone()).is_ok() {
            JsSet::new(self.context).into()
        } else {
            return Ok(None);
        }))
    }

    fn leaf(&mut self, object: &JsObject) -> JsResult<JsObject> {
        let constructors = self.context.intrinsics().constructors();
        if let Ok(date) = JsDate::from_object(object.clone()) {
            let constructor = constructors.date().constructor();
            let time = date.get_time(self.context)?;
            return constructor.construct(&[time], None, self.context);
        }
        if JsRegExp::from_object(object.clone()).is_ok() {
            let constructor = constructors.regexp().constructor();
            let source = object.get(js_string!("source"), self.context)?;
            let flags = object.get(js_string!("flags"), self.context)?;
            return constructor.construct(&[source, flags], None, self.context);
        }
        if object.is::<ErrorObject>() {
            return self.error(object);
        }
        if let Ok(buffer) = JsArrayBuffer::from_object(object.clone()) {
            return self.buffer(&buffer);
        }
        if object.is::<TypedArray>() {
            return self.typed_array(object);
        }
        match boxed(object) {
            Some((_, value)) if !value.is_symbol() => value.to_object(self.context),
            _ => Err(self.refuse("#<Object>")),
        }
    }

    fn error(&mut self, object: &JsObject) -> JsResult<JsObject> {
        let name = object.get(js_string!("name"), self.context)?.to_string(self.context)?;
        let constructors = self.context.intrinsics().constructors();
        let constructor = match name.to_std_string_lossy().as_str() {
            "RangeError" => constructors.range_error(),
            "ReferenceError" => constructors.reference_error(),
            "SyntaxError" => constructors.syntax_error(),
            "TypeError" => constructors.type_error(),
            _ => constructors.error(),
        };
        constructor.constructor().construct(&[], None, self.context)
    }

    fn buffer(&mut self, buffer: &JsArrayBuffer) -> JsResult<JsObject> {
        let Some(length) = buffer.data().map(|bytes| bytes.len()) else {
            return Err(self.refuse("An ArrayBuffer is detached and"));
        };
        // Made before the bytes are borrowed: the engine refuses what is too large.
        let copy = JsArrayBuffer::new(length, self.context)?;
        if let (Some(source), Some(mut target)) = (buffer.data(), copy.data_mut()) {
            target.copy_from_slice(&source);
        }
        Ok(copy.into())
    }

    /// The same view of the copied buffer.
    fn typed_array(&mut self, object: &JsObject) -> JsResult<JsObject> {
        let array = JsTypedArray::from_object(object.clone())?;
        let buffer = array.buffer(self.context)?;
        let view = [
            self.value(&buffer)?,
            array.byte_offset(self.context)?.into(),
            array.length(self.context)?.into(),
        ];
        let kind = array.kind().map(|kind| format!("{kind:?}Array")).unwrap_or_default();
        let global = self.context.global_object();
        let constructor = global.get(js_string!(&*kind), self.context)?.as_object();
        match constructor.filter(JsObject::is_constructor) {
            Some(constructor) => constructor.construct(&view, None, self.context),
            None => Err(self.refuse(&kind)),
        }
    }

    /// Copies what an object holds.
    fn fill(&mut self, source: &JsObject, target: &JsObject) -> JsResult<()> {
        if source.is::<ErrorObject>() {
            for name in ["message", "cause"] {
                if let Some(value) = data_property(source, name) {
                    let value = self.value(&value)?;
                    guards::put(target, js_string!(name), value, self.context)?;
                }
            }
            return Ok(());
        }
        if let Ok(map) = JsMap::from_object(source.clone()) {
            let mut held = Vec::new();
            map.for_each_native(|key, value| {
                held.push((key, value));
                Ok(())
            })?;
            let target = JsMap::from_object(target.clone())?;
            for (key, value) in held {
                let (key, value) = (self.value(&key)?, self.value(&value)?);
                target.set(key, value, self.context)?;
            }
        } else if let Ok(set) = JsSet::from_object(source.clone()) {
            let mut held = Vec::new();
            set.for_each_native(|item| {
                held.push(item);
                Ok(())
            })?;
            let target = JsSet::from_object(target.clone()).map_err(|_| typed("not a Set"))?;
            for item in held {
                let item = self.value(&item)?;
                target.add(item, self.context)?;
            }
        } else {
            for (key, _) in enumerable(source) {
                if !matches!(key, PropertyKey::Symbol(_)) {
                    let value = source.get(key.clone(), self.context)?;
                    let value = self.value(&value)?;
                    target.create_data_property_or_throw(key, value, self.context)?;
                }
            }
        }
        Ok(())
    }
}
