//! All keys of the store at once, by the interface of Spin's second version.
//!
//! The third one's stream of keys cannot be had without harm. While keys are to be read Spin holds the one lock of its
//! store, and another call for it blocks the very thread that would read on. So two requests of an instance, one of which
//! lists, would wait for each other for ever, and with them whoever else wants the store: in any instance, ours or not. The
//! older call lists under the lock and gives it back before it answers.

use super::{NAME, StoreError};

mod bindings {
    #![allow(missing_docs, unsafe_code, clippy::all, clippy::restriction, reason = "generated")]
    wit_bindgen::generate!({
        inline: "
            package quarry:rim;
            world listing {
                import fermyon:spin/key-value@2.0.0;
            }
        ",
        path: "../../wit/deps/fermyon-spin",
        generate_all,
    });
}

use bindings::fermyon::spin::key_value::{Error, Store};

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        match error {
            Error::NoSuchStore | Error::AccessDenied => Self::NotGranted,
            Error::StoreTableFull => Self::too_many(),
            Error::Other(why) => Self::Failed(why),
        }
    }
}

/// All keys.
pub(super) fn keys() -> Result<Vec<String>, StoreError> {
    Ok(Store::open(NAME)?.get_keys()?)
}
