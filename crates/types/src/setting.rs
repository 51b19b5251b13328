//! Texts of settings, read typed: what cannot be used is an error that names the setting, for one that
//! is silently ignored costs hours. Never an error with the value, which may be a secret.
//!
//! Border: texts in; where they come from is the caller's. An empty text is one that is not set.

use std::str::FromStr;

/// A setting that cannot be used; never with its value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// The host could not give it. A retry may help.
    #[error("cannot read the variable {0}; try again")]
    Unreadable(String),
    /// It is not what it has to be. A retry will not help.
    #[error("{name} must be {wanted}")]
    Wrong {
        /// The setting.
        name: String,
        /// What it has to be.
        wanted: String,
    },
}

impl SettingError {
    /// A setting that must be something else.
    #[must_use]
    pub fn wrong(name: &str, wanted: &str) -> Self {
        Self::Wrong { name: name.to_owned(), wanted: wanted.to_owned() }
    }
}

/// The text as it is; none when it is blank.
#[must_use]
pub fn text(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.trim().is_empty())
}

/// The text without the blanks around it; none when nothing is left.
#[must_use]
pub fn word(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

/// A whole number, as large as its type takes it.
///
/// # Errors
/// When it is another thing.
pub fn number<N: FromStr>(name: &str, text: &str, default: N) -> Result<N, SettingError> {
    let Some(text) = word(text) else { return Ok(default) };
    text.parse().map_err(|_| SettingError::wrong(name, "a whole number"))
}

/// `true` or `false`.
///
/// # Errors
/// When it is another thing.
pub fn flag(name: &str, text: &str, default: bool) -> Result<bool, SettingError> {
    match word(text) {
        None => Ok(default),
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        Some(_) => Err(SettingError::wrong(name, "true or false")),
    }
}

/// One of several words; none for none and for `auto`.
///
/// # Errors
/// When it is another word.
pub fn choice<T: Copy>(
    name: &str,
    text: &str,
    choices: &[(&str, T)],
) -> Result<Option<T>, SettingError> {
    let Some(text) = word(text).filter(|text| *text != "auto") else { return Ok(None) };
    let found = choices.iter().find(|(word, _)| *word == text).map(|(_, choice)| *choice);
    found.map(Some).ok_or_else(|| {
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        SettingError::wrong(name, &format!("one of {}", words.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<T: std::fmt::Debug>(result: Result<T, SettingError>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn numbers_have_a_default_and_the_bounds_of_their_type() {
        assert_eq!(number("n", "  ", 7u32), Ok(7));
        assert_eq!(number("n", " 0 ", 7u32), Ok(0));
        for wrong in ["many", "-1", "1.5", "4294967296"] {
            assert_eq!(message(number("n", wrong, 7u32)), "n must be a whole number");
        }
    }

    #[test]
    fn words_are_chosen_from_a_list() {
        assert_eq!(flag("f", "", true), Ok(true));
        assert_eq!(flag("f", " false ", true), Ok(false));
        assert_eq!(message(flag("f", "secret-yes", true)), "f must be true or false");
        let choices = [("low", 1), ("high", 2)];
        assert_eq!(choice("c", "high", &choices), Ok(Some(2)));
        assert_eq!(choice("c", "auto", &choices), Ok(None));
        assert_eq!(choice("c", " ", &choices), Ok(None));
        assert_eq!(message(choice("c", "secret-word", &choices)), "c must be one of low, high");
    }
}
