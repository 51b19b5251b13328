//! Errors as the web's interfaces throw them: an `Error` with a name of its own and a code.

use boa_engine::{Context, JsError, JsResult, JsString, js_string};

use crate::guards;

/// A kind by its name and code.
pub(crate) struct DomError(&'static str, i32);

pub(crate) const INVALID_CHARACTER: DomError = DomError("InvalidCharacterError", 5);
pub(crate) const TYPE_MISMATCH: DomError = DomError("TypeMismatchError", 17);
pub(crate) const QUOTA_EXCEEDED: DomError = DomError("QuotaExceededError", 22);
pub(crate) const DATA_CLONE: DomError = DomError("DataCloneError", 25);

impl DomError {
    /// An error to throw. There is no `DOMException` to be an instance of; its name tells the kind.
    pub(crate) fn error(&self, message: &str, context: &mut Context) -> JsError {
        self.make(message, context).unwrap_or_else(|error| error)
    }

    fn make(&self, message: &str, context: &mut Context) -> JsResult<JsError> {
        let constructor = context.intrinsics().constructors().error().constructor();
        let error = constructor.construct(&[JsString::from(message).into()], None, context)?;
        guards::put(&error, js_string!("name"), js_string!(self.0), context)?;
        guards::put(&error, js_string!("code"), self.1, context)?;
        Ok(JsError::from_opaque(error.into()))
    }
}
