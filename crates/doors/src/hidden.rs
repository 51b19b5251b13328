//! Texts that nothing may show.

use std::fmt;

/// A key, a secret or a token: printed, it shows nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Hidden(pub String);

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hidden(…)")
    }
}

/// It in its letters, for whoever compares or verifies it.
pub(crate) fn letters(hidden: Option<&Hidden>) -> Option<&str> {
    hidden.map(|Hidden(text)| text.as_str())
}
