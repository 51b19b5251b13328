//! Configuration from the environment: the names that everybody's keys already have, mapped to
//! our Spin variables. Values pass through and are never printed.

use quarry_types::{Key, Provider};
use std::collections::BTreeMap;

/// Other variables that may be set by their plain upper-case name.
const PLAIN: [&str; 4] =
    ["access_secret", "final_template", "system_prompt_digest_analyst", "default_model"];

/// The search providers in the order in which they are asked, with the variable that switches each on;
/// one without needs no configuration. `cargo xtask tidy` holds it to the providers' own rows: their
/// crate brings the reader of pages, for which nobody who only serves should wait.
pub const SEARCH: &[(&str, Option<&str>)] = &[
    ("searxng", Some("searxng_url")),
    ("brave", Some("brave_api_key")),
    ("tavily", Some("tavily_api_key")),
    ("serper", Some("serper_api_key")),
    ("duckduckgo", None),
];

/// What Quarry is run with. Deliberately not printable.
#[derive(Clone, Default)]
pub struct Variables(BTreeMap<String, String>);

/// This process's environment, without what is not text.
pub fn environment() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

/// The access secret that this process's environment has.
#[must_use]
pub fn secret() -> Option<String> {
    Variables::from_environment(environment()).get("access_secret").map(str::to_owned)
}

impl Variables {
    /// Reads an environment. `SPIN_VARIABLE_<NAME>` wins over a plain name, also where it is empty: as under Spin, that is
    /// not the variable's default. An empty plain name is not set.
    pub fn from_environment(entries: impl IntoIterator<Item = (String, String)>) -> Variables {
        let known = well_known();
        let mut plain = BTreeMap::new();
        let mut exact = BTreeMap::new();
        for (key, value) in entries {
            if let Some(name) = key.strip_prefix("SPIN_VARIABLE_") {
                exact.insert(name.to_lowercase(), value);
            } else if !value.trim().is_empty()
                && key.chars().all(|c| !c.is_lowercase())
                && known.contains(&key.to_lowercase())
            {
                plain.insert(key.to_lowercase(), value);
            }
        }
        plain.extend(exact);
        Variables(plain)
    }

    /// Sets a variable.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.0.insert(name.to_owned(), value.into());
    }

    /// A variable's value where there is one, for use and not for show.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.trim().is_empty())
    }

    fn is_set(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether a language model can be reached without a key in the request.
    pub fn has_language_model(&self) -> bool {
        !self.providers().is_empty()
    }

    /// Whether a search provider is chosen; DuckDuckGo's page needs no choice.
    pub fn has_search(&self) -> bool {
        search_switches().any(|variable| self.is_set(variable))
    }

    /// The providers that are set up: by their key, or by an address or model where no key is
    /// needed.
    fn providers(&self) -> Vec<Provider> {
        let set = |name: String| self.is_set(&name);
        remote()
            .filter(|provider| match provider.sheet().key {
                Key::Needed => set(provider.key_variable()),
                Key::Optional => {
                    set(provider.base_url_variable()) || set(provider.model_variable())
                }
                Key::None => false,
            })
            .collect()
    }

    /// Fills in what follows from an address: Spin is told each origin beside it.
    pub fn complete_origins(&mut self) {
        let provider =
            remote().map(Provider::base_url_variable).find(|variable| self.is_set(variable));
        for (address, origin) in [
            (provider.as_deref().unwrap_or("custom_base_url"), "provider_origin"),
            ("pricing_url", "pricing_origin"),
            ("google_keys_url", "google_keys_origin"),
        ] {
            let parsed = self.get(address).and_then(|address| url::Url::parse(address).ok());
            if let Some(url) = parsed.filter(|_| !self.is_set(origin)) {
                self.set(origin, url.origin().ascii_serialization());
            }
        }
    }

    /// What is configured, in lines for people. Names only, never a secret's value.
    pub fn describe(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let providers = self.providers();
        if providers.is_empty() {
            lines
                .push("model     local:extractive (no provider key in the environment)".to_owned());
        } else {
            let names: Vec<&str> = providers.into_iter().map(Provider::as_str).collect();
            lines.push(format!("providers {}", names.join(", ")));
        }
        if let Some(model) = self.get("default_model") {
            lines.push(format!("model     {model}"));
        }
        let is_set = |switch: Option<&str>| switch.is_none_or(|variable| self.is_set(variable));
        let search = SEARCH.iter().filter(|(_, switch)| is_set(*switch));
        let search: Vec<_> = search.map(|(name, _)| *name).collect();
        lines.push(format!("search    {}", search.join(", ")));
        let access = if self.is_set("access_secret") { "by secret" } else { "open" };
        lines.push(format!("access    {access}"));
        lines
    }

    /// Whether a configured address lies on this machine or in a private network, which the
    /// shipped runtime configuration blocks.
    pub fn reaches_private_networks(&self) -> bool {
        let is_near = |provider: &Provider| {
            !self.is_set(&provider.base_url_variable())
                && provider.sheet().base_url.is_some_and(is_private_address)
        };
        self.providers().iter().any(is_near)
            || self
                .0
                .iter()
                .filter(|(name, _)| name.ends_with("_url"))
                .any(|(_, value)| is_private_address(value))
    }
}

/// Every variable that may be set by its plain upper-case name.
pub fn well_known() -> Vec<String> {
    let mut names = Vec::new();
    for provider in remote() {
        names.push(provider.key_variable());
        names.push(provider.model_variable());
        names.push(provider.base_url_variable());
    }
    names.extend(search_switches().map(str::to_owned));
    names.extend(PLAIN.iter().map(|name| (*name).to_owned()));
    names
}

fn search_switches() -> impl Iterator<Item = &'static str> {
    SEARCH.iter().filter_map(|(_, switch)| *switch)
}

/// The providers that have variables.
pub fn remote() -> impl Iterator<Item = Provider> {
    Provider::ALL.into_iter().filter(|provider| provider.is_remote())
}

fn is_private_address(address: &str) -> bool {
    match url::Url::parse(address).ok().as_ref().and_then(url::Url::host) {
        Some(url::Host::Domain(name)) => name == "localhost" || !name.contains('.'),
        Some(url::Host::Ipv4(ip)) => ip.is_loopback() || ip.is_private() || ip.is_link_local(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback() || ip.is_unique_local(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(entries: &[(&str, &str)]) -> Variables {
        let entries = entries.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        Variables::from_environment(entries)
    }

    #[test]
    fn plain_names_are_mapped_and_spin_names_win() {
        let variables = from(&[
            ("SPIN_VARIABLE_GROQ_API_KEY", "b"),
            ("GROQ_API_KEY", "a"),
            ("OPENAI_API_KEY", "  "),
            ("HOME", "/home/x"),
            ("openai_model", "lower case is no environment name of ours"),
            ("SPIN_VARIABLE_MAX_ITERATIONS", "3"),
            ("SPIN_VARIABLE_CORS_ALLOWED_ORIGINS", ""),
            ("SPIN_VARIABLE_BRAVE_API_KEY", ""),
            ("BRAVE_API_KEY", "c"),
        ]);
        let all: Vec<_> = variables.iter().collect();
        let expected = [
            ("brave_api_key", ""),
            ("cors_allowed_origins", ""),
            ("groq_api_key", "b"),
            ("max_iterations", "3"),
        ];
        assert_eq!(all, expected);
        assert!(variables.has_language_model() && !variables.has_search());
        assert_eq!(variables.get("brave_api_key"), None);
    }

    #[test]
    fn what_is_shown_holds_no_value() {
        let secrets: Vec<_> = well_known()
            .iter()
            .filter(|name| *name != "default_model")
            .map(|name| (name.to_uppercase(), format!("canary-{name}")))
            .collect();
        let shown = Variables::from_environment(secrets).describe().join("\n");
        assert!(!shown.contains("canary"), "{shown}");
        assert!(shown.contains("anthropic") && shown.contains("brave"), "{shown}");
        assert!(shown.contains("by secret"), "{shown}");
    }

    #[test]
    fn origins_follow_from_addresses_unless_given() {
        let mut variables = from(&[
            ("CUSTOM_BASE_URL", "https://llm.example.com:8443/v1"),
            ("SPIN_VARIABLE_PRICING_URL", "https://prices.example.org/a.json"),
            ("SPIN_VARIABLE_PRICING_ORIGIN", "https://given.example.org"),
        ]);
        variables.complete_origins();
        assert_eq!(variables.get("provider_origin"), Some("https://llm.example.com:8443"));
        assert_eq!(variables.get("pricing_origin"), Some("https://given.example.org"));
        assert_eq!(variables.get("google_keys_origin"), None);
    }

    #[test]
    fn private_addresses_are_noticed() {
        assert!(from(&[("SEARXNG_URL", "http://127.0.0.1:8080")]).reaches_private_networks());
        assert!(from(&[("OLLAMA_BASE_URL", "http://ollama:11434/v1")]).reaches_private_networks());
        assert!(from(&[("OLLAMA_MODEL", "llama3.2")]).reaches_private_networks());
        assert!(!from(&[("SEARXNG_URL", "https://search.example.org")]).reaches_private_networks());
    }
}
