//! What signs continuation states: never serialised, never printed.

use std::fmt;

/// A secret, or none. Printed, it shows only whether there is one.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret(pub Option<String>);

impl Secret {
    /// The secret itself.
    #[must_use]
    pub fn get(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Secret(…)" } else { "Secret(none)" })
    }
}
