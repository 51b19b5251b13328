//! Spin variables, read typed, and remembered by the instance: each look-up is a host call.
//!
//! Border: what a text means is read by `quarry_types::setting`. A variable that the manifest does
//! not give to the component is one that is not set, as an empty one is.

use crate::clock;
use futures::future::try_join_all;
use quarry_types::{Timestamp, setting};
use spin_sdk::variables;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::str::FromStr;
use std::time::Duration;

pub use quarry_types::SettingError;

/// How long a value is believed. One that is changed arrives within this time.
const AGE: Duration = Duration::from_secs(30);

thread_local! {
    /// What this instance has read, and since when. The operator's, and no data of anybody else.
    static CURRENT: RefCell<Option<(Variables, Timestamp)>> = const { RefCell::new(None) };
}

/// The variables as they were not long ago. Each is looked up when it is first asked for.
#[derive(Clone, Default)]
pub struct Variables(Rc<RefCell<BTreeMap<String, String>>>);

impl Variables {
    /// Those that the instance knows now; after a while, none of them.
    pub fn current(now: Timestamp) -> Self {
        CURRENT.with_borrow_mut(|current| match current {
            Some((variables, since)) if !clock::is_older_than(AGE, *since, now) => {
                variables.clone()
            }
            _ => current.insert((Self::default(), now)).0.clone(),
        })
    }

    /// A variable's value as it is; empty when it is not set.
    ///
    /// # Errors
    /// When the host cannot read it.
    pub async fn get(&self, name: &str) -> Result<String, SettingError> {
        if let Some(value) = self.0.borrow().get(name) {
            return Ok(value.clone());
        }
        let value = match variables::get(name).await {
            Ok(value) => value,
            Err(variables::Error::Undefined(_)) => String::new(),
            // The host's words could quote a value.
            Err(_) => return Err(SettingError::Unreadable(name.to_owned())),
        };
        self.0.borrow_mut().insert(name.to_owned(), value.clone());
        Ok(value)
    }

    /// The texts of several variables, looked up side by side.
    ///
    /// # Errors
    /// When the host cannot read one.
    pub async fn all(
        &self,
        names: impl IntoIterator<Item = &'static str>,
    ) -> Result<BTreeMap<&'static str, String>, SettingError> {
        let read = |name| async move { Ok((name, self.get(name).await?)) };
        Ok(try_join_all(names.into_iter().map(read)).await?.into_iter().collect())
    }

    /// A text without the blanks around it; none when nothing is left.
    ///
    /// # Errors
    /// When the host cannot read it.
    pub async fn word(&self, name: &str) -> Result<Option<String>, SettingError> {
        Ok(setting::word(&self.get(name).await?).map(str::to_owned))
    }

    /// A whole number, as large as its type takes it.
    ///
    /// # Errors
    /// When the host cannot read it, or it is another thing.
    pub async fn number<N: FromStr>(&self, name: &str, default: N) -> Result<N, SettingError> {
        setting::number(name, &self.get(name).await?, default)
    }

    /// `true` or `false`.
    ///
    /// # Errors
    /// When the host cannot read it, or it is another thing.
    pub async fn flag(&self, name: &str, default: bool) -> Result<bool, SettingError> {
        setting::flag(name, &self.get(name).await?, default)
    }

    /// One of several words; none for none and for `auto`.
    ///
    /// # Errors
    /// When the host cannot read it, or it is another word.
    pub async fn choice<T: Copy>(
        &self,
        name: &str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, SettingError> {
        setting::choice(name, &self.get(name).await?, choices)
    }

    /// What `read` makes of the text without the blanks around it, which may be empty; `wanted` ends the
    /// sentence "… must be".
    ///
    /// # Errors
    /// When the host cannot read it, or `read` gives none.
    pub async fn parsed<T>(
        &self,
        name: &str,
        wanted: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, SettingError> {
        read(self.get(name).await?.trim()).ok_or_else(|| SettingError::wrong(name, wanted))
    }
}
