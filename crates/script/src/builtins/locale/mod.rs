//! How numbers, dates and lists are written in some languages, without a library of locales.
//!
//! Border: pure; nothing of the engine's. The data files hold what Node 20 prints for a language:
//! names, patterns, signs. Text that no file covers is English.

pub(crate) mod date;
pub(crate) mod decimal;
pub(crate) mod locales;
pub(crate) mod number;
mod style;
pub(crate) mod words;
pub(crate) mod zones;

/// A piece of formatted text, as `formatToParts` tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    /// The name of its kind in the language's standard: `integer`, `month`, `literal`, …
    pub(crate) kind: &'static str,
    /// The text.
    pub(crate) text: String,
}

impl Part {
    pub(crate) fn new(kind: &'static str, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}

/// The text of all parts.
pub(crate) fn join(parts: &[Part]) -> String {
    parts.iter().map(|part| part.text.as_str()).collect()
}
