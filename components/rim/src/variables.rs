//! Spin variables, read typed.
//!
//! Border: what a text means is read by `quarry_types::setting`. A variable that the manifest does
//! not give to the component is one that is not set, as an empty one is.

use futures::future::try_join_all;
use quarry_types::setting;
use spin_sdk::variables;
use std::collections::BTreeMap;
use std::str::FromStr;

pub use quarry_types::SettingError;

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

/// The texts of several variables, looked up side by side: each look-up is a host call.
///
/// # Errors
/// When the host cannot read one.
pub async fn all(
    names: impl IntoIterator<Item = &'static str>,
) -> Result<BTreeMap<&'static str, String>, SettingError> {
    let read = |name| async move { Ok((name, get(name).await?)) };
    Ok(try_join_all(names.into_iter().map(read)).await?.into_iter().collect())
}

/// A text without the blanks around it; none when nothing is left.
///
/// # Errors
/// When the host cannot read it.
pub async fn word(name: &str) -> Result<Option<String>, SettingError> {
    Ok(setting::word(&get(name).await?).map(str::to_owned))
}

/// A whole number, as large as its type takes it.
///
/// # Errors
/// When the host cannot read it, or it is another thing.
pub async fn number<N: FromStr>(name: &str, default: N) -> Result<N, SettingError> {
    setting::number(name, &get(name).await?, default)
}

/// `true` or `false`.
///
/// # Errors
/// When the host cannot read it, or it is another thing.
pub async fn flag(name: &str, default: bool) -> Result<bool, SettingError> {
    setting::flag(name, &get(name).await?, default)
}

/// One of several words; none for none and for `auto`.
///
/// # Errors
/// When the host cannot read it, or it is another word.
pub async fn choice<T: Copy>(name: &str, choices: &[(&str, T)]) -> Result<Option<T>, SettingError> {
    setting::choice(name, &get(name).await?, choices)
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
