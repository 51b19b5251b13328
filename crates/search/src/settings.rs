//! Configuration of searches: texts of variables in, typed settings out. Errors name the variable and
//! never its value.

use crate::cache::MAX_KEEP;
use crate::providers::{Access, Provider, Reach, Row};
use crate::query::Key;
use crate::standing::Limits;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use url::Url;

const ORDER: &str = "search_providers";
const LIMITS: &str = "search_limits";
const CACHE: &str = "search_cache_seconds";
const FUSION: &str = "search_fusion";

/// Seconds for which an answer is kept unless the operator says otherwise.
const DEFAULT_KEEP: u64 = 600;

/// Texts of variables; one that is missing or blank is not set.
pub type Texts = BTreeMap<&'static str, String>;

/// A variable that cannot be used: its name, and what it has to be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} {1}")]
pub struct SettingsError(&'static str, String);

/// What searches need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The providers to ask, in this order: those that are configured.
    pub plan: Vec<Reach>,
    /// Requests a minute.
    pub limits: Limits,
    /// Seconds for which an answer is kept; 0: none is.
    pub cache_seconds: u64,
    /// How many providers are asked at once.
    pub fusion: usize,
}

/// Every variable that [`Settings::read`] looks at.
pub fn variables() -> Vec<&'static str> {
    let of = |provider: &Provider| {
        let row = provider.row();
        [Some(row.url_variable), row.key_variable]
    };
    let own = [ORDER, LIMITS, CACHE, FUSION];
    own.into_iter().chain(Provider::all().iter().flat_map(of).flatten()).collect()
}

impl Settings {
    /// Reads the texts of [`variables`].
    ///
    /// # Errors
    /// When one cannot be used.
    pub fn read(texts: &Texts) -> Result<Self, SettingsError> {
        let text = |name: &str| texts.get(name).map(|text| text.trim()).unwrap_or_default();
        let (limits, unread) = Limits::parse(text(LIMITS));
        if !unread.is_empty() {
            return Err(wrong(LIMITS, "a comma list of provider=requests a minute"));
        }
        let mut plan = Vec::new();
        for provider in order(text(ORDER))? {
            plan.extend(reach(provider, text)?);
        }
        let cache_seconds = number(CACHE, text(CACHE), DEFAULT_KEEP, &(0..=MAX_KEEP))?;
        let most = Provider::all().len() as u64;
        let fusion = number(FUSION, text(FUSION), 1, &(1..=most))?;
        Ok(Self { plan, limits, cache_seconds, fusion: usize::try_from(fusion).unwrap_or(1) })
    }
}

/// A comma list of names; empty for the default order.
fn order(list: &str) -> Result<Vec<Provider>, SettingsError> {
    let mut order = Vec::new();
    for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let Some(provider) = Provider::named(name) else {
            let names: Vec<&str> = Provider::all().iter().map(|known| known.name()).collect();
            return Err(SettingsError(ORDER, format!("may name only {}", names.join(", "))));
        };
        if !order.contains(&provider) {
            order.push(provider);
        }
    }
    if order.is_empty() {
        order.extend(Provider::all());
    }
    Ok(order)
}

/// None for a provider that is not configured.
fn reach<'a>(
    provider: Provider,
    text: impl Fn(&str) -> &'a str,
) -> Result<Option<Reach>, SettingsError> {
    let row: &Row = provider.row();
    let key = row.key_variable.and_then(|name| Key::new(text(name)));
    if row.key_variable.is_some() && key.is_none() {
        return Ok(None);
    }
    let address = match text(row.url_variable) {
        "" => match row.url {
            Some(url) => url,
            None => return Ok(None),
        },
        address => address,
    };
    let url = Url::parse(address).ok();
    let url = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let url = url.ok_or_else(|| wrong(row.url_variable, "an absolute http(s) address"))?;
    Ok(Some(Reach { provider, access: Access { url, key } }))
}

fn number(
    name: &'static str,
    text: &str,
    default: u64,
    bounds: &RangeInclusive<u64>,
) -> Result<u64, SettingsError> {
    if text.is_empty() {
        return Ok(default);
    }
    let number = text.parse().ok().filter(|number| bounds.contains(number));
    let (least, most) = (bounds.start(), bounds.end());
    number.ok_or_else(|| wrong(name, &format!("a whole number from {least} to {most}")))
}

fn wrong(name: &'static str, wanted: &str) -> SettingsError {
    SettingsError(name, format!("must be {wanted}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(entries: &[(&'static str, &str)]) -> Result<Settings, String> {
        let texts = entries.iter().map(|(name, text)| (*name, (*text).to_owned())).collect();
        Settings::read(&texts).map_err(|error| error.to_string())
    }

    fn names(settings: &Settings) -> Vec<&'static str> {
        settings.plan.iter().map(|reach| reach.provider.name()).collect()
    }

    #[test]
    fn what_is_configured_is_asked_in_the_order_that_was_set() {
        assert_eq!(names(&read(&[]).unwrap()), ["duckduckgo"]);
        let keys = [("serper_api_key", "s"), ("brave_api_key", "b"), ("tavily_api_key", " ")];
        assert_eq!(names(&read(&keys).unwrap()), ["brave", "serper", "duckduckgo"]);
        let order = [("search_providers", "DuckDuckGo, brave,brave"), ("brave_api_key", "b")];
        assert_eq!(names(&read(&order).unwrap()), ["duckduckgo", "brave"]);
        assert_eq!(names(&read(&[("search_providers", "searxng")]).unwrap()), [""; 0]);
        let own = [("searxng_url", "http://search.example/s"), ("search_providers", "searxng")];
        let settings = read(&own).unwrap();
        assert_eq!(settings.plan[0].access.url.as_str(), "http://search.example/s");
    }

    #[test]
    fn numbers_have_defaults_and_bounds() {
        let settings = read(&[]).unwrap();
        assert_eq!((settings.cache_seconds, settings.fusion), (600, 1));
        let settings = read(&[("search_cache_seconds", "0"), ("search_fusion", "5")]).unwrap();
        assert_eq!((settings.cache_seconds, settings.fusion), (0, 5));
    }

    #[test]
    fn mistakes_name_the_variable_and_not_its_value() {
        for (name, text) in [
            ("search_providers", "gogle"),
            ("search_limits", "brave=many"),
            ("search_cache_seconds", "86401"),
            ("search_fusion", "0"),
            ("searxng_url", "search.example"),
            ("duckduckgo_base_url", "ftp://search.example"),
        ] {
            let error = read(&[(name, text)]).unwrap_err();
            assert!(error.starts_with(name) && !error.contains(text), "{error}");
        }
        let most = Provider::all().len() + 1;
        assert!(read(&[("search_fusion", &most.to_string())]).is_err());
    }

    #[test]
    fn every_variable_that_counts_is_listed_once() {
        let mut listed = variables();
        for name in ["search_providers", "searxng_url", "brave_api_key", "duckduckgo_base_url"] {
            assert!(listed.contains(&name), "{name}");
        }
        let count = listed.len();
        listed.sort_unstable();
        listed.dedup();
        assert_eq!(listed.len(), count);
    }
}
