//! Errors as the web's interfaces throw them: an `Error` with a name of its own and a code.

use boa_engine::{
    Context, JsError, JsResult, JsString, JsValue, js_string, property::PropertyDescriptor,
};

/// The kinds that are thrown here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DomError {
    InvalidCharacter,
    DataClone,
    QuotaExceeded,
    TypeMismatch,
}

impl DomError {
    fn name_and_code(self) -> (&'static str, i32) {
        match self {
            Self::InvalidCharacter => ("InvalidCharacterError", 5),
            Self::DataClone => ("DataCloneError", 25),
            Self::QuotaExceeded => ("QuotaExceededError", 22),
            Self::TypeMismatch => ("TypeMismatchError", 17),
        }
    }
}

/// An error to throw. There is no `DOMException` to be an instance of; its name tells the kind.
pub(crate) fn dom_error(kind: DomError, message: &str, context: &mut Context) -> JsError {
    make(kind, message, context).unwrap_or_else(|error| error)
}

fn make(kind: DomError, message: &str, context: &mut Context) -> JsResult<JsError> {
    let (name, code) = kind.name_and_code();
    let constructor = context.intrinsics().constructors().error().constructor();
    let error = constructor.construct(&[JsString::from(message).into()], None, context)?;
    let entries = [
        (js_string!("name"), JsValue::from(js_string!(name))),
        (js_string!("code"), JsValue::from(code)),
    ];
    for (key, value) in entries {
        let property = PropertyDescriptor::builder()
            .value(value)
            .writable(true)
            .enumerable(false)
            .configurable(true);
        error.define_property_or_throw(key, property, context)?;
    }
    Ok(JsError::from_opaque(error.into()))
}
