//! Spin variables, read typed: what cannot be used is an error that names the variable, for a
//! setting that is silently ignored costs hours. Never an error with the value, which may be a secret.
//!
//! An empty variable, and one that the manifest does not give to the component, is one that is not set.

mod typed;

use spin_sdk::variables;
use std::str::FromStr;

pub use typed::SettingError;

/// A variable's value as it is; empty when it is not set.
///
/// # Errors
/// When the host cannot read it.
pub async fn get(name: &str) -> Result<String, SettingError> {
    match variables::get(name).await {
        Ok(value) => Ok(value),
        Err(variables::Error::Undefined(_)) => Ok(String::new()),
        // The host's words could quote a value.
        Err(_) => Err(SettingError::Unreadable(name.to_owned())),
    }
}

/// A text as it is; none when it is blank.
///
/// # Errors
/// When the host cannot read it.
pub async fn text(name: &str) -> Result<Option<String>, SettingError> {
    Ok(Some(get(name).await?).filter(|value| !value.trim().is_empty()))
}

/// A text without the blanks around it; none when nothing is left.
///
/// # Errors
/// When the host cannot read it.
pub async fn word(name: &str) -> Result<Option<String>, SettingError> {
    Ok(typed::word(&get(name).await?).map(str::to_owned))
}

/// A whole number, as large as its type takes it.
///
/// # Errors
/// When the host cannot read it, or it is another thing.
pub async fn number<N: FromStr>(name: &str, default: N) -> Result<N, SettingError> {
    typed::number(name, &get(name).await?, default)
}

/// `true` or `false`.
///
/// # Errors
/// When the host cannot read it, or it is another thing.
pub async fn flag(name: &str, default: bool) -> Result<bool, SettingError> {
    typed::flag(name, &get(name).await?, default)
}

/// One of several words; none for none and for `auto`.
///
/// # Errors
/// When the host cannot read it, or it is another word.
pub async fn choice<T: Copy>(name: &str, choices: &[(&str, T)]) -> Result<Option<T>, SettingError> {
    typed::choice(name, &get(name).await?, choices)
}

/// What `read` makes of the text without the blanks around it, which may be empty; `wanted` ends the
/// sentence "… must be".
///
/// # Errors
/// When the host cannot read it, or `read` gives none.
pub async fn parsed<T>(
    name: &str,
    wanted: &str,
    read: impl FnOnce(&str) -> Option<T>,
) -> Result<T, SettingError> {
    read(get(name).await?.trim()).ok_or_else(|| SettingError::wrong(name, wanted))
}
