//! Reading locales and option objects, by the rules of the internationalization standard.
//!
//! Border: getters of the program's run here; what they throw goes on.

use std::str::FromStr;

use boa_engine::{Context, JsError, JsNativeError, JsObject, JsResult, JsString, JsValue};
use icu_locale_core::Locale as Tag;
use strum::VariantNames;

use super::{
    iterate,
    locale::locales::{self, Locale},
};

/// An option object that may be missing.
pub(crate) struct Options(Option<JsObject>);

impl Options {
    /// For functions that turn any value into an object, as `toLocaleString` does.
    pub(crate) fn coerce(value: Option<&JsValue>, context: &mut Context) -> JsResult<Self> {
        match value.filter(|value| !value.is_undefined()) {
            None => Ok(Self(None)),
            Some(value) => Ok(Self(Some(value.to_object(context)?))),
        }
    }

    pub(crate) fn get(&self, name: &str, context: &mut Context) -> JsResult<Option<JsValue>> {
        let Some(object) = &self.0 else { return Ok(None) };
        let value = object.get(JsString::from(name), context)?;
        Ok((!value.is_undefined()).then_some(value))
    }

    pub(crate) fn text(&self, name: &str, context: &mut Context) -> JsResult<Option<String>> {
        let Some(value) = self.get(name, context)? else { return Ok(None) };
        Ok(Some(value.to_string(context)?.to_std_string_lossy()))
    }

    pub(crate) fn flag(&self, name: &str, context: &mut Context) -> JsResult<Option<bool>> {
        Ok(self.get(name, context)?.map(|value| value.to_boolean()))
    }

    /// One of the words of an enum.
    pub(crate) fn word<T: FromStr + VariantNames>(
        &self,
        name: &str,
        context: &mut Context,
    ) -> JsResult<Option<T>> {
        let Some(text) = self.text(name, context)? else { return Ok(None) };
        text.parse().map(Some).map_err(|_| unknown(name, &text, T::VARIANTS))
    }

    /// One of a few words, each with what it means.
    pub(crate) fn choice<T: Copy>(
        &self,
        name: &str,
        choices: &[(&str, T)],
        context: &mut Context,
    ) -> JsResult<Option<T>> {
        let Some(text) = self.text(name, context)? else { return Ok(None) };
        match choices.iter().find(|(known, _)| *known == text) {
            Some((_, meaning)) => Ok(Some(*meaning)),
            None => {
                let known: Vec<&str> = choices.iter().map(|(known, _)| *known).collect();
                Err(unknown(name, &text, &known))
            }
        }
    }

    /// A whole number within bounds.
    pub(crate) fn number(
        &self,
        name: &str,
        (least, most): (u8, u8),
        context: &mut Context,
    ) -> JsResult<Option<u8>> {
        let Some(value) = self.get(name, context)? else { return Ok(None) };
        let number = value.to_number(context)?;
        if !(f64::from(least)..=f64::from(most)).contains(&number) {
            return Err(range(format!("{name} value is out of range.")));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in bounds")]
        Ok(Some(number.floor() as u8))
    }

    /// Refuses an option that is known to the standard and not to us.
    pub(crate) fn refuse(&self, name: &str, usual: &str, context: &mut Context) -> JsResult<()> {
        match self.text(name, context)? {
            Some(text) if text != usual => {
                let message =
                    format!("{name}: '{}' isn't supported here; leave it out", clip(&text));
                Err(range(message))
            }
            _ => Ok(()),
        }
    }
}

fn unknown(name: &str, text: &str, known: &[&str]) -> JsError {
    let known = known.join(", ");
    range(format!("{name}: '{}' isn't known here; known are {known}", clip(text)))
}

/// At most so much of what the program gave us goes into a message.
pub(crate) fn clip(text: &str) -> &str {
    text.get(..text.floor_char_boundary(100)).unwrap_or_default()
}

pub(crate) fn range(message: String) -> JsError {
    JsNativeError::range().with_message(message).into()
}

pub(crate) fn typed(message: impl Into<std::borrow::Cow<'static, str>>) -> JsError {
    JsNativeError::typ().with_message(message).into()
}

/// The locales that are asked for.
pub(crate) fn requested(value: Option<&JsValue>, context: &mut Context) -> JsResult<Vec<Tag>> {
    let tags = match value.filter(|value| !value.is_undefined()) {
        None => Vec::new(),
        Some(one) if one.is_string() => vec![one.clone()],
        Some(list) => iterate(list, context)?,
    };
    let tag = |tag: &JsValue| {
        let Some(text) = tag.as_string() else {
            return Err(typed("Incorrect locale information provided"));
        };
        let text = text.to_std_string_lossy();
        let incorrect = || format!("Incorrect locale information provided: {}", clip(&text));
        Tag::try_from_str(&text).map_err(|_| range(incorrect()))
    };
    tags.iter().map(tag).collect()
}

/// The first locale asked for whose language is known, else the default.
pub(crate) fn locale(value: Option<&JsValue>, context: &mut Context) -> JsResult<Locale> {
    let tags = requested(value, context)?;
    Ok(tags.iter().find_map(locales::find).unwrap_or_else(Locale::default))
}
