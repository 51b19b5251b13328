//! How numbers, dates and lists are written in some languages, without a library of locales.
//!
//! Border: pure; nothing of the engine's. The data files hold what Node 20 prints for a language:
//! names, patterns, signs. Text that no file covers is English.

pub(crate) mod date;
pub(crate) mod locales;
pub(crate) mod number;
mod style;
pub(crate) mod words;
