//! Configuration from the environment: the names that everybody's keys already have, mapped to
//! our Spin variables. Values pass through and are never printed.

use quarry_types::{Key, Provider};
use std::collections::BTreeMap;
use std::net::Ipv4Addr;

/// Other variables that may be set by their plain upper-case name.
const PLAIN: [&str; 4] =
    ["access_secret", "final_template", "system_prompt_digest_analyst", "default_model"];

/// The variables that say which model is asked.
const ASKED: [&str; 2] = ["default_model", "fallback_model"];

/// Whom to search with, in which order.
const SEARCH_ORDER: &str = "search_providers";

/// One more origin that Spin lets Quarry reach.
const PROVIDER_ORIGIN: &str = "provider_origin";

/// An address that is told, and asked by nobody here.
const CONTACT: &str = "web_contact_url";

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

    /// Whether nobody has said whom to ask or whom to search with. Then nothing of what is set leads anywhere, and an
    /// invented web shows what there is.
    pub fn is_demo(&self) -> bool {
        self.providers().is_empty() && !self.has_search()
    }

    /// Whether somebody has said whom to search with. DuckDuckGo needs no key, so it may be named alone.
    fn has_search(&self) -> bool {
        self.is_set(SEARCH_ORDER) || search_switches().any(|variable| self.is_set(variable))
    }

    /// The providers that are set up: by their key; where no key is needed, by an address or a model of theirs.
    fn providers(&self) -> Vec<Provider> {
        let set = |name: String| self.is_set(&name);
        remote()
            .filter(|provider| match provider.sheet().key {
                Key::Needed => set(provider.key_variable()),
                Key::Optional => {
                    set(provider.base_url_variable())
                        || set(provider.model_variable())
                        || ASKED.into_iter().any(|variable| self.names(variable, *provider))
                }
                Key::None => false,
            })
            .collect()
    }

    /// Whether the model that a variable names, `provider:name`, is this provider's.
    fn names(&self, variable: &str, provider: Provider) -> bool {
        let name = self.get(variable).and_then(|model| model.split(':').next());
        name.is_some_and(|name| name.trim() == provider.as_str())
    }

    /// Fills in what follows from an address: Spin is told each origin beside it. Gives the variables of the providers that
    /// Spin does not let anybody reach all the same: beside those that `spin.toml` lists there is room for one.
    pub fn complete_origins(&mut self) -> Vec<String> {
        for (address, origin) in
            [("pricing_url", "pricing_origin"), ("google_keys_url", "google_keys_origin")]
        {
            let found = self.get(address).and_then(origin_of);
            if let Some(found) = found.filter(|_| !self.is_set(origin)) {
                self.set(origin, found);
            }
        }
        let variables = remote().map(Provider::base_url_variable);
        let unlisted = variables.filter_map(|variable| {
            let origin = origin_of(self.get(&variable)?)?;
            (!is_listed(&origin)).then_some((variable, origin))
        });
        let mut unlisted: Vec<(String, String)> = unlisted.collect();
        if let Some((_, first)) = unlisted.first().filter(|_| !self.is_set(PROVIDER_ORIGIN)) {
            let first = first.clone();
            self.set(PROVIDER_ORIGIN, first);
        }
        let granted = self.get(PROVIDER_ORIGIN).and_then(origin_of);
        unlisted.retain(|(_, origin)| granted.as_ref() != Some(origin));
        unlisted.into_iter().map(|(variable, _)| variable).collect()
    }

    /// What is configured, in lines for people. Names only, never a secret's value.
    pub fn describe(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let providers = self.providers();
        let names: Vec<&str> = providers.into_iter().map(Provider::as_str).collect();
        if !names.is_empty() {
            lines.push(format!("providers {}", names.join(", ")));
        }
        match self.get("default_model") {
            Some(model) => lines.push(format!("model     {model}")),
            None if names.is_empty() => lines
                .push("model     local:extractive (no provider key in the environment)".to_owned()),
            None => {}
        }
        lines.push(format!("search    {}", self.search()));
        let access = if self.is_set("access_secret") { "by secret" } else { "open" };
        lines.push(format!("access    {access}"));
        lines
    }

    /// Whom to search with, in the order that was said or is usual.
    fn search(&self) -> String {
        if let Some(order) = self.get(SEARCH_ORDER) {
            return order.to_owned();
        }
        let is_set = |switch: Option<&str>| switch.is_none_or(|variable| self.is_set(variable));
        let search = SEARCH.iter().filter(|(_, switch)| is_set(*switch));
        let search: Vec<_> = search.map(|(name, _)| *name).collect();
        search.join(", ")
    }

    /// The variable whose address lies on this machine or in a private network, which the network rules of the shipped
    /// runtime configuration keep everybody out of; none: there is no such address.
    pub fn near(&self) -> Option<String> {
        let is_asked = |provider: &Provider| {
            self.providers().contains(provider) || self.names("embedding_model", *provider)
        };
        let at_home = |provider: &Provider| {
            let variable = provider.base_url_variable();
            let is_there = provider.sheet().base_url.is_some_and(is_private_address);
            is_there && !self.is_set(&variable) && is_asked(provider)
        };
        let mut addresses = self.iter().filter(|(name, value)| {
            name.ends_with("_url") && *name != CONTACT && is_private_address(value)
        });
        let home = remote().find(at_home).map(Provider::base_url_variable);
        home.or_else(|| addresses.next().map(|(name, _)| name.to_owned()))
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

/// Scheme, host and port of an address.
fn origin_of(address: &str) -> Option<String> {
    let origin = url::Url::parse(address).ok()?.origin();
    origin.is_tuple().then(|| origin.ascii_serialization())
}

/// Whether `spin.toml` lets Quarry reach an origin, whatever `provider_origin` says: it lists each provider's own, and this
/// machine.
fn is_listed(origin: &str) -> bool {
    let is_here = ["http://localhost:", "http://127.0.0.1:"];
    let has_port = |here: &str| origin.starts_with(here) || origin == here.trim_end_matches(':');
    let mut known = remote().filter_map(|provider| origin_of(provider.sheet().base_url?));
    is_here.into_iter().any(has_port) || known.any(|known| known == origin)
}

/// Endings of names that are no name of the internet: this machine's, those of a network of one's own, those that
/// containers have for the machine that they run on.
const NEAR: [&str; 6] = [".localhost", ".local", ".internal", ".home.arpa", ".lan", ".test"];

/// Whether Spin's `private` holds for an address, as far as that can be told without looking its name up.
fn is_private_address(address: &str) -> bool {
    match url::Url::parse(address).ok().as_ref().and_then(url::Url::host) {
        Some(url::Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            !name.contains('.') || NEAR.into_iter().any(|end| name.ends_with(end))
        }
        Some(url::Host::Ipv4(ip)) => is_private_v4(ip),
        Some(url::Host::Ipv6(ip)) => match ip.to_ipv4_mapped() {
            Some(ip) => is_private_v4(ip),
            None => {
                let is_own = ip.is_unique_local() || ip.is_unicast_link_local();
                ip.is_loopback() || ip.is_unspecified() || is_own
            }
        },
        None => false,
    }
}

fn is_private_v4(ip: Ipv4Addr) -> bool {
    let [a, b, ..] = ip.octets();
    // What providers share among their customers, and VPNs among their machines.
    let is_shared = a == 100 && (64..128).contains(&b);
    a == 0 || is_shared || ip.is_loopback() || ip.is_private() || ip.is_link_local()
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
        assert!(!variables.is_demo() && !variables.has_search());
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
        assert_eq!(variables.complete_origins(), [""; 0]);
        assert_eq!(variables.get("provider_origin"), Some("https://llm.example.com:8443"));
        assert_eq!(variables.get("pricing_origin"), Some("https://given.example.org"));
        assert_eq!(variables.get("google_keys_origin"), None);
    }

    #[test]
    fn the_one_origin_goes_to_a_provider_that_spin_does_not_list_and_the_others_are_named() {
        let mut variables = from(&[
            ("OPENAI_BASE_URL", "http://127.0.0.1:9401/v1"),
            ("GROQ_BASE_URL", "https://api.groq.com/other/v1"),
            ("MISTRAL_BASE_URL", "https://mistral.example.com/v1"),
            ("CUSTOM_BASE_URL", "https://llm.example.com/v1"),
        ]);
        assert_eq!(variables.complete_origins(), ["custom_base_url"]);
        assert_eq!(variables.get("provider_origin"), Some("https://mistral.example.com"));
        variables.set("provider_origin", "https://llm.example.com/");
        assert_eq!(variables.complete_origins(), ["mistral_base_url"]);
    }

    #[test]
    fn what_is_taken_for_listed_stands_in_the_manifest() {
        let manifest = std::fs::read_to_string(xtask::paths::root().join("spin.toml")).unwrap();
        for address in remote().filter_map(|provider| provider.sheet().base_url) {
            let origin = origin_of(address).unwrap();
            let is_here = origin.starts_with("http://localhost:");
            assert!(is_here || manifest.contains(&format!("    \"{origin}\",")), "{origin}");
        }
        for here in ["http://localhost:*", "http://127.0.0.1:*"] {
            assert!(manifest.contains(&format!("\"{here}\"")), "{here}");
        }
        assert!(is_listed("http://localhost:11434") && is_listed("http://127.0.0.1"));
        assert!(!is_listed("https://localhost:1") && !is_listed("http://localhost.example.com"));
    }

    #[test]
    fn only_where_nothing_is_said_of_models_and_searches_is_it_a_demo() {
        for nothing in [
            &[][..],
            &[("HOME", "/home/x"), ("SPIN_VARIABLE_MAX_TOOL_ITERATIONS", "1")],
            // They say what is to be done with a key, and there is none.
            &[("DEFAULT_MODEL", "openai:gpt-6-luna"), ("OPENAI_MODEL", "gpt-6-luna")],
            &[("DEFAULT_MODEL", "local:extractive"), ("SPIN_VARIABLE_SEARCH_PROVIDERS", "")],
        ] {
            assert!(from(nothing).is_demo(), "{nothing:?}");
        }
        for something in [
            ("SPIN_VARIABLE_SEARCH_PROVIDERS", "duckduckgo"),
            ("SEARXNG_URL", "https://search.example.org"),
            ("DEFAULT_MODEL", "ollama:llama3.2"),
            ("DEFAULT_MODEL", "ollama"),
            ("SPIN_VARIABLE_FALLBACK_MODEL", "custom:x"),
            ("OLLAMA_MODEL", "llama3.2"),
            ("GROQ_API_KEY", "k"),
        ] {
            assert!(!from(&[something]).is_demo(), "{something:?}");
        }
        let described = from(&[
            ("SPIN_VARIABLE_SEARCH_PROVIDERS", "duckduckgo"),
            ("DEFAULT_MODEL", "ollama:llama3.2"),
        ]);
        let described = described.describe().join("\n");
        assert!(
            described
                .contains("providers ollama\nmodel     ollama:llama3.2\nsearch    duckduckgo\n")
        );
    }

    #[test]
    fn private_addresses_are_noticed() {
        for (name, address) in [
            ("SEARXNG_URL", "http://127.0.0.1:8080"),
            ("SEARXNG_URL", "http://192.168.1.5"),
            ("SEARXNG_URL", "http://100.100.1.1"),
            ("SEARXNG_URL", "http://[fe80::1]:8080"),
            ("SEARXNG_URL", "http://[::ffff:10.0.0.1]/"),
            ("OLLAMA_BASE_URL", "http://ollama:11434/v1"),
            ("OLLAMA_BASE_URL", "http://host.docker.internal:11434/v1"),
            ("CUSTOM_BASE_URL", "http://big-machine.local:8000/v1"),
            ("CUSTOM_BASE_URL", "http://llm.svc.cluster.local./v1"),
        ] {
            let near = from(&[(name, address)]).near();
            assert_eq!(near, Some(name.to_lowercase()), "{address}");
        }
        for (name, model) in [
            ("OLLAMA_MODEL", "llama3.2"),
            ("DEFAULT_MODEL", "ollama:llama3.2"),
            ("SPIN_VARIABLE_EMBEDDING_MODEL", "ollama:nomic-embed-text"),
        ] {
            assert_eq!(from(&[(name, model)]).near().as_deref(), Some("ollama_base_url"), "{name}");
        }
        for public in [
            ("SEARXNG_URL", "https://search.example.org"),
            ("SEARXNG_URL", "https://100.128.0.1"),
            ("SEARXNG_URL", "https://internal.example.org"),
            ("SPIN_VARIABLE_WEB_CONTACT_URL", "http://localhost/who"),
        ] {
            assert_eq!(from(&[public]).near(), None, "{public:?}");
        }
    }
}
