//! `structuredClone`.
//!
//! Border: an explicit list of work instead of recursion; getters of the program's run, as the
//! standard has it. Private fields and prototypes of classes are not copied.

use std::collections::HashMap;

use boa_engine::{
    Context, JsBigInt, JsError, JsObject, JsResult, JsString, JsValue, JsVariant,
    builtins::{
        error::Error as ErrorObject,
        typed_array::{TypedArray, TypedArrayKind},
    },
    js_string,
    object::builtins::{
        JsArray, JsArrayBuffer, JsDataView, JsDate, JsMap, JsProxy, JsRegExp, JsSet, JsTypedArray,
    },
    property::{PropertyDescriptor, PropertyKey},
};

use super::{
    check,
    errors::{DomError, dom_error},
    global, iterate,
    options::{range, typed},
};
use crate::{
    inspect::{array_length, data_property, inherited_text},
    json::keys,
    limits::BUFFER,
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
    let transferred = transferred(arguments.get(1), context)?;
    let mut cloner = Cloner { made: HashMap::new(), open: Vec::new(), seen: 0, context };
    let clone = cloner.value(value)?;
    while let Some((source, target)) = cloner.open.pop() {
        cloner.fill(&source, &target)?;
    }
    for buffer in transferred {
        buffer.detach(&JsValue::undefined())?;
    }
    Ok(clone)
}

/// The buffers that the caller gives away.
fn transferred(options: Option<&JsValue>, context: &mut Context) -> JsResult<Vec<JsArrayBuffer>> {
    let Some(options) = options.and_then(JsValue::as_object) else { return Ok(Vec::new()) };
    let list = options.get(js_string!("transfer"), context)?;
    if list.is_undefined() {
        return Ok(Vec::new());
    }
    let mut buffers = Vec::new();
    for item in iterate(&list, context)? {
        let buffer = item.as_object().and_then(|item| JsArrayBuffer::from_object(item).ok());
        let Some(buffer) = buffer else {
            let message = "Value not transferable: only an ArrayBuffer can be transferred";
            return Err(dom_error(DomError::DataClone, message, context));
        };
        buffers.push(buffer);
    }
    Ok(buffers)
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
        dom_error(DomError::DataClone, &message, self.context)
    }

    /// Looks at clock and heap now and then.
    fn step(&mut self) -> JsResult<()> {
        self.seen += 1;
        if self.seen.is_multiple_of(SLICE) { check(self.context) } else { Ok(()) }
    }

    fn value(&mut self, value: &JsValue) -> JsResult<JsValue> {
        self.step()?;
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
        let (copy, has_contents) = self.shell(object)?;
        self.made.insert(object.clone(), copy.clone());
        if has_contents {
            self.open.push((object.clone(), copy.clone()));
        }
        Ok(copy)
    }

    fn shell(&mut self, object: &JsObject) -> JsResult<(JsObject, bool)> {
        if JsProxy::from_object(object.clone()).is_ok() {
            return Err(self.refuse("#<Object>"));
        }
        if object.is_callable() {
            let name = inherited_text(object, "name").unwrap_or_default();
            return Err(self.refuse(&format!("function {}", super::options::clip(&name))));
        }
        if let Some(length) = array_length(object) {
            let array: JsObject = JsArray::new(self.context)?.into();
            array.set(js_string!("length"), length, true, self.context)?;
            return Ok((array, true));
        }
        if object.is_ordinary() {
            return Ok((JsObject::with_object_proto(self.context.intrinsics()), true));
        }
        if JsMap::from_object(object.clone()).is_ok() {
            return Ok((JsMap::new(self.context).into(), true));
        }
        if JsSet::from_object(object.clone()).is_ok() {
            return Ok((JsSet::new(self.context).into(), true));
        }
        self.leaf(object).map(|copy| (copy, false))
    }

    /// Objects without contents that could lead back to them.
    fn leaf(&mut self, object: &JsObject) -> JsResult<JsObject> {
        if let Ok(date) = JsDate::from_object(object.clone()) {
            let time = date.get_time(self.context)?;
            let copy = JsDate::new(self.context);
            copy.set_time(time, self.context)?;
            return Ok(copy.into());
        }
        if JsRegExp::from_object(object.clone()).is_ok() {
            let source = object.get(js_string!("source"), self.context)?;
            let flags = object.get(js_string!("flags"), self.context)?;
            let constructor = self.context.intrinsics().constructors().regexp().constructor();
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
        if let Ok(view) = JsDataView::from_object(object.clone()) {
            let buffer = view.buffer(self.context)?;
            let offset = view.byte_offset(self.context)?;
            let length = view.byte_length(self.context)?;
            let buffer = self.value(&buffer)?;
            let constructor = self.context.intrinsics().constructors().data_view().constructor();
            let arguments = [buffer, JsValue::from(offset), JsValue::from(length)];
            return constructor.construct(&arguments, None, self.context);
        }
        match boxed(object) {
            Some(primitive) => primitive.to_object(self.context),
            None => Err(self.refuse("#<Object>")),
        }
    }

    fn error(&mut self, object: &JsObject) -> JsResult<JsObject> {
        let name = object.get(js_string!("name"), self.context)?.to_string(self.context)?;
        let constructors = self.context.intrinsics().constructors();
        let constructor = match name.to_std_string_lossy().as_str() {
            "EvalError" => constructors.eval_error(),
            "RangeError" => constructors.range_error(),
            "ReferenceError" => constructors.reference_error(),
            "SyntaxError" => constructors.syntax_error(),
            "TypeError" => constructors.type_error(),
            "URIError" => constructors.uri_error(),
            _ => constructors.error(),
        };
        let copy = constructor.constructor().construct(&[], None, self.context)?;
        if let Some(message) = data_property(object, "message") {
            let message: JsValue = message.to_string(self.context)?.into();
            self.hidden(&copy, "message", message)?;
        }
        if data_property(object, "cause").is_some() {
            // Its contents are copied with those of other objects.
            self.open.push((object.clone(), copy.clone()));
        }
        Ok(copy)
    }

    fn hidden(&mut self, object: &JsObject, name: &'static str, value: JsValue) -> JsResult<()> {
        let property = PropertyDescriptor::builder()
            .value(value)
            .writable(true)
            .enumerable(false)
            .configurable(true);
        object.define_property_or_throw(js_string!(name), property, self.context)?;
        Ok(())
    }

    fn buffer(&mut self, buffer: &JsArrayBuffer) -> JsResult<JsObject> {
        let length = buffer.data().map(|bytes| bytes.len());
        let Some(length) = length else {
            return Err(self.refuse("An ArrayBuffer is detached and"));
        };
        if length as u64 > BUFFER {
            return Err(range("Array buffer allocation failed".into()));
        }
        let copy = JsArrayBuffer::new(length, self.context)?;
        if let (Some(source), Some(mut target)) = (buffer.data(), copy.data_mut()) {
            for (to, from) in target.iter_mut().zip(source.iter()) {
                *to = *from;
            }
        }
        Ok(copy.into())
    }

    fn typed_array(&mut self, object: &JsObject) -> JsResult<JsObject> {
        let array = JsTypedArray::from_object(object.clone())?;
        let buffer = array.buffer(self.context)?;
        let offset = array.byte_offset(self.context)?;
        let length = array.length(self.context)?;
        let kind = array.kind();
        let buffer = self.value(&buffer)?;
        let constructors = self.context.intrinsics().constructors();
        let constructor = match kind {
            Some(TypedArrayKind::Int8) => constructors.typed_int8_array(),
            Some(TypedArrayKind::Uint8) => constructors.typed_uint8_array(),
            Some(TypedArrayKind::Uint8Clamped) => constructors.typed_uint8clamped_array(),
            Some(TypedArrayKind::Int16) => constructors.typed_int16_array(),
            Some(TypedArrayKind::Uint16) => constructors.typed_uint16_array(),
            Some(TypedArrayKind::Int32) => constructors.typed_int32_array(),
            Some(TypedArrayKind::Uint32) => constructors.typed_uint32_array(),
            Some(TypedArrayKind::BigInt64) => constructors.typed_bigint64_array(),
            Some(TypedArrayKind::BigUint64) => constructors.typed_biguint64_array(),
            Some(TypedArrayKind::Float16) => constructors.typed_float16_array(),
            Some(TypedArrayKind::Float32) => constructors.typed_float32_array(),
            Some(TypedArrayKind::Float64) => constructors.typed_float64_array(),
            None => return Err(self.refuse("A typed array")),
        };
        let arguments = [buffer, JsValue::from(offset), JsValue::from(length)];
        constructor.constructor().construct(&arguments, None, self.context)
    }

    /// Copies what an object holds.
    fn fill(&mut self, source: &JsObject, target: &JsObject) -> JsResult<()> {
        if source.is::<ErrorObject>() {
            let cause = data_property(source, "cause").unwrap_or_default();
            let cause = self.value(&cause)?;
            return self.hidden(target, "cause", cause);
        }
        if let Ok(map) = JsMap::from_object(source.clone()) {
            let mut entries = Vec::new();
            map.for_each_native(|key, value| {
                entries.push((key, value));
                Ok(())
            })?;
            let target = JsMap::from_object(target.clone())?;
            for (key, value) in entries {
                let (key, value) = (self.value(&key)?, self.value(&value)?);
                target.set(key, value, self.context)?;
            }
            return Ok(());
        }
        if let Ok(set) = JsSet::from_object(source.clone()) {
            let mut items = Vec::new();
            set.for_each_native(|item| {
                items.push(item);
                Ok(())
            })?;
            let target = JsSet::from_object(target.clone()).map_err(|_| typed("not a Set"))?;
            for item in items {
                let item = self.value(&item)?;
                target.add(item, self.context)?;
            }
            return Ok(());
        }
        self.properties(source, target)
    }

    fn properties(&mut self, source: &JsObject, target: &JsObject) -> JsResult<()> {
        let (indices, others) = keys(source);
        for key in indices.into_iter().map(PropertyKey::from).chain(others) {
            if matches!(key, PropertyKey::Symbol(_)) {
                continue;
            }
            let property = source.borrow().properties().get(&key);
            if property.is_none_or(|property| property.enumerable() != Some(true)) {
                continue;
            }
            let value = source.get(key.clone(), self.context)?;
            let value = self.value(&value)?;
            target.create_data_property_or_throw(key, value, self.context)?;
        }
        Ok(())
    }
}

/// The primitive in an object such as `new Number(1)`.
fn boxed(object: &JsObject) -> Option<JsValue> {
    if let Some(number) = object.downcast_ref::<f64>() {
        return Some((*number).into());
    }
    if let Some(truth) = object.downcast_ref::<bool>() {
        return Some((*truth).into());
    }
    if let Some(text) = object.downcast_ref::<JsString>() {
        return Some(text.clone().into());
    }
    object.downcast_ref::<JsBigInt>().map(|number| number.clone().into())
}
