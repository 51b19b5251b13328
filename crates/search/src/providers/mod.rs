//! The search providers. One more is a file here and its name twice below; what `spin.toml` needs
//! for it is checked, and printed, by `cargo xtask tidy`.

// Not in the list's macro, where the formatter would not find the files.
mod brave;
mod duckduckgo;
mod searxng;
mod serper;
mod tavily;

use crate::answer::Parsed;
use crate::query::{Key, Query, Request};
use std::hash::{Hash, Hasher};
use url::Url;

macro_rules! list {
    ($($name:ident),*) => {
        /// All, in the order in which they are asked unless configuration says otherwise.
        static ALL: &[Provider] = &[$(Provider(&$name::ROW)),*];
    };
}

list!(searxng, brave, tavily, serper, duckduckgo);

/// What is known of a provider.
pub struct Row {
    /// The name in configuration and results.
    pub name: &'static str,
    /// The variable with its address.
    pub url_variable: &'static str,
    /// Its address unless the variable says otherwise. Without one it is asked only when the variable says where.
    pub url: Option<&'static str>,
    /// The variable with its key; a provider that has one is asked only when it is set.
    pub key_variable: Option<&'static str>,
    /// Requests a minute that `spin.toml` allows it unless the operator says otherwise; none: no limit.
    pub per_minute: Option<u32>,
    request: fn(&Access, &Query) -> Request,
    parse: fn(u16, &str) -> Parsed,
}

impl Row {
    /// The variable that has to be set before it is asked; none for one that needs no configuration.
    pub fn switch(&self) -> Option<&'static str> {
        self.key_variable.or(if self.url.is_none() { Some(self.url_variable) } else { None })
    }
}

/// A search provider.
#[derive(Clone, Copy)]
pub struct Provider(&'static Row);

impl Provider {
    /// All, in the order in which they are asked unless configuration says otherwise.
    pub fn all() -> &'static [Self] {
        ALL
    }

    /// The one with this name, in whatever case.
    pub fn named(name: &str) -> Option<Self> {
        ALL.iter().copied().find(|provider| provider.name().eq_ignore_ascii_case(name))
    }

    /// The name in configuration and results.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// What is known of it.
    pub fn row(self) -> &'static Row {
        self.0
    }

    /// Reads its answer.
    pub fn parse(self, status: u16, body: &str) -> Parsed {
        (self.0.parse)(status, body)
    }
}

impl std::fmt::Debug for Provider {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}

impl PartialEq for Provider {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Provider {}

impl Hash for Provider {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

/// How a provider is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// Its base address.
    pub url: Url,
    /// Its key; none for a provider that has none.
    pub key: Option<Key>,
}

impl Access {
    fn secret(&self) -> String {
        self.key.as_ref().map(|key| key.expose().to_owned()).unwrap_or_default()
    }
}

/// A provider that is configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// Who.
    pub provider: Provider,
    /// How.
    pub access: Access,
}

impl Reach {
    /// The request that asks it.
    pub fn request(&self, query: &Query) -> Request {
        (self.provider.0.request)(&self.access, query)
    }
}
