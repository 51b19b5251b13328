//! Fields of a JSON object, read with errors that name them.
//!
//! Border: an absent field, `null` and, for texts, the empty text all mean "not given": front
//! ends send their empty inputs.

use serde_json::{Map, Value};

use crate::Refusal;

/// An object whose fields are being read.
pub(crate) struct Fields<'a> {
    map: &'a Map<String, Value>,
    /// Goes before names in errors: `budget.`.
    prefix: &'static str,
}

impl<'a> Fields<'a> {
    pub(crate) const fn new(map: &'a Map<String, Value>, prefix: &'static str) -> Self {
        Fields { map, prefix }
    }

    pub(crate) fn value(&self, name: &str) -> Option<&'a Value> {
        #[cfg(test)]
        asked::note(self.prefix, name);
        self.map.get(name).filter(|value| !value.is_null())
    }

    /// A text of at most so many characters.
    pub(crate) fn text(&self, name: &str, most: usize) -> Result<Option<String>, Refusal> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::String(text)) if text.is_empty() => Ok(None),
            // Bytes first: counting characters is for the few that are near the limit.
            Some(Value::String(text)) if text.len() > most && text.chars().count() > most => {
                Err(self.wrong(name, &format!("is too long; send at most {most} characters")))
            }
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.wrong(name, "wants a text")),
        }
    }

    pub(crate) fn boolean(&self, name: &str) -> Result<Option<bool>, Refusal> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Bool(value)) => Ok(Some(*value)),
            Some(_) => Err(self.wrong(name, "wants true or false")),
        }
    }

    pub(crate) fn object(&self, name: &str) -> Result<Option<&'a Map<String, Value>>, Refusal> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Object(map)) => Ok(Some(map)),
            Some(_) => Err(self.wrong(name, "wants an object")),
        }
    }

    /// A number above 0.
    pub(crate) fn positive(&self, name: &str) -> Result<Option<f64>, Refusal> {
        let Some(value) = self.value(name) else { return Ok(None) };
        match value.as_f64().filter(|number| number.is_finite() && *number > 0.0) {
            Some(number) => Ok(Some(number)),
            None => Err(self.wrong(name, "wants a number above 0")),
        }
    }

    /// A whole number from 1 to `most`.
    pub(crate) fn whole(&self, name: &str, most: u64) -> Result<Option<u64>, Refusal> {
        let Some(value) = self.value(name) else { return Ok(None) };
        match value.as_u64().filter(|number| (1..=most).contains(number)) {
            Some(number) => Ok(Some(number)),
            None if most == u64::MAX => Err(self.wrong(name, "wants a whole number above 0")),
            None => Err(self.wrong(name, &format!("wants a whole number from 1 to {most}"))),
        }
    }

    pub(crate) fn wrong(&self, name: &str, message: &str) -> Refusal {
        Refusal::field(&format!("{}{name}", self.prefix), message)
    }
}

/// Which fields were looked for, so that a test can compare them with what is documented.
#[cfg(test)]
pub(crate) mod asked {
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    thread_local! {
        static NAMES: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
    }

    pub(super) fn note(prefix: &str, name: &str) {
        NAMES.with_borrow_mut(|names| names.insert(format!("{prefix}{name}")));
    }

    /// The names since the last call, with dots for nesting.
    pub(crate) fn take() -> BTreeSet<String> {
        NAMES.take()
    }
}
