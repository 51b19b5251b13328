//! Where a call goes, which key it carries and how long it may take: settings, read.
//!
//! Border: texts of configuration in, typed settings out. What cannot be used is named by its
//! variable, never by its value.

use crate::catalogue;
use crate::request::Address;
use quarry_types::{ChatError, ModelId, Provider};

/// A time that configuration sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeSetting {
    /// The variable.
    pub variable: &'static str,
    /// Milliseconds where it is not set.
    pub default_ms: u64,
}

/// To connect.
pub const CONNECT_TIMEOUT: TimeSetting =
    TimeSetting { variable: "provider_connect_timeout_ms", default_ms: 5_000 };
/// From the request to the first byte of its response.
pub const FIRST_BYTE_TIMEOUT: TimeSetting =
    TimeSetting { variable: "provider_first_byte_timeout_ms", default_ms: 30_000 };
/// Between two bytes of a response.
pub const BETWEEN_BYTES_TIMEOUT: TimeSetting =
    TimeSetting { variable: "provider_between_bytes_timeout_ms", default_ms: 30_000 };
/// For a whole call, all its tries and waits included.
pub const TOTAL_TIMEOUT: TimeSetting =
    TimeSetting { variable: "provider_total_timeout_ms", default_ms: 120_000 };

impl TimeSetting {
    /// The time in milliseconds, at least 1.
    ///
    /// # Errors
    /// [`ChatError::Unsent`] for anything but a whole number above zero.
    pub fn read(&self, text: Option<&str>) -> Result<u64, ChatError> {
        let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
            return Ok(self.default_ms);
        };
        text.parse().ok().filter(|ms| *ms > 0).ok_or_else(|| ChatError::Unsent {
            message: format!(
                "{} must be a whole number of milliseconds, at least 1",
                self.variable
            ),
        })
    }
}

/// Milliseconds that a try may be silent: before its first byte, and between two. A model that thinks says nothing
/// meanwhile, so where the operator set none it has the time of the whole call; else it would be paid for, given up, and
/// paid for again.
///
/// # Errors
/// As [`TimeSetting::read`].
pub fn silences(
    model: &ModelId,
    [first, between]: [Option<&str>; 2],
    total_ms: u64,
) -> Result<[u64; 2], ChatError> {
    let read = |setting: TimeSetting, text: Option<&str>| {
        let default_ms = if catalogue::thinks(model) { total_ms } else { setting.default_ms };
        TimeSetting { default_ms, ..setting }.read(text)
    };
    Ok([read(FIRST_BYTE_TIMEOUT, first)?, read(BETWEEN_BYTES_TIMEOUT, between)?])
}

/// Where a call goes, and what it shows there.
#[derive(Clone, PartialEq, Eq)]
pub struct Target {
    /// Where.
    pub address: Address,
    /// The key; never printed.
    pub key: Option<String>,
}

impl std::fmt::Debug for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Target").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Target {
    /// A provider's target, from its address and its key as far as they are set.
    ///
    /// # Errors
    /// [`ChatError::Unsent`] when no address can be read, [`ChatError::MissingKey`] when there is no
    /// key and one is needed, [`ChatError::UnknownModel`] for the built-in model: machines answer
    /// for it without a call.
    pub fn of(
        provider: Provider,
        base_url: Option<&str>,
        key: Option<String>,
    ) -> Result<Self, ChatError> {
        if !provider.is_remote() {
            let message =
                format!("{} answers by itself and takes no call", catalogue::local_extractive());
            return Err(ChatError::UnknownModel { message });
        }
        let variable = provider.base_url_variable();
        let base_url = base_url.or(provider.sheet().base_url).ok_or_else(|| ChatError::Unsent {
            message: format!("{provider} needs {variable} to be set"),
        })?;
        let key = key.map(|key| key.trim().to_owned()).filter(|key| !key.is_empty());
        if provider.needs_key() && key.is_none() {
            return Err(ChatError::MissingKey { message: catalogue::missing_key(provider) });
        }
        Ok(Target { address: Address::parse(base_url, &variable)?, key })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_configured_or_the_providers_own() {
        let own = Target::of(Provider::Groq, None, Some(" k ".to_owned())).unwrap();
        assert_eq!(own.address.authority, "api.groq.com");
        assert_eq!(own.key.as_deref(), Some("k"));
        assert!(!format!("{own:?}").contains("\"k\""));
        let given = Target::of(Provider::Ollama, Some("http://ollama:1/v1"), None).unwrap();
        assert_eq!((given.address.authority.as_str(), given.key), ("ollama:1", None));
    }

    #[test]
    fn a_model_that_thinks_may_be_silent_as_long_as_the_call_may_last() {
        let of = |model: &str, texts| silences(&model.parse().unwrap(), texts, 120_000);
        assert_eq!(of("openai:gpt-4o", [None, None]), Ok([30_000, 30_000]));
        assert_eq!(of("openai:gpt-6-luna", [None, Some(" ")]), Ok([120_000, 120_000]));
        assert_eq!(of("openai:gpt-6-luna", [Some("5000"), None]), Ok([5_000, 120_000]));
        let wrong = of("openai:gpt-6-luna", [None, Some("soon")]).unwrap_err().to_string();
        assert!(wrong.contains("provider_between_bytes_timeout_ms"), "{wrong}");
    }

    #[test]
    fn what_is_missing_is_named() {
        let no_key = Target::of(Provider::Groq, None, Some("  ".to_owned())).unwrap_err();
        assert!(
            matches!(&no_key, ChatError::MissingKey { message } if message.contains("SPIN_VARIABLE_GROQ_API_KEY"))
        );
        let no_address = Target::of(Provider::Custom, None, None).unwrap_err();
        assert_eq!(no_address.to_string(), "custom needs custom_base_url to be set");
        let built_in = Target::of(Provider::Local, None, None).unwrap_err();
        assert!(matches!(built_in, ChatError::UnknownModel { .. }), "{built_in:?}");
        let odd = Target::of(Provider::Custom, Some("ftp://x"), None).unwrap_err();
        assert!(odd.to_string().starts_with("custom_base_url"), "{odd}");
    }
}
