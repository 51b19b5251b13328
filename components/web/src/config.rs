//! Configuration: Spin variables in, typed settings out. Search keys are read here and nowhere else.

use quarry_access::address::Allow;
use quarry_rim::variables::{self, SettingError};
use quarry_search::standing::Limits;
use quarry_search::{self as search, Key, Provider, brave, cache, duckduckgo, serper, tavily};
use url::Url;

/// A setting that cannot be used, named with what to do; never with its value.
#[derive(Debug)]
pub struct Wrong(pub String);

/// What reading a page needs.
pub struct PageConfig {
    pub allow: Allow,
    pub user_agent: String,
    /// Whether robots.txt is asked first.
    pub respect_robots: bool,
}

/// What reading pages needs.
pub async fn pages() -> Result<PageConfig, Wrong> {
    let (hosts, contact, respect_robots) = futures::join!(
        get("web_allowed_hosts"),
        get("web_contact_url"),
        variables::flag("respect_robots", true)
    );
    let (allow, unread) = Allow::parse(&hosts?);
    if !unread.is_empty() {
        return Err(Wrong(
            "web_allowed_hosts must be a comma list of host or host:port".to_owned(),
        ));
    }
    let user_agent = quarry_pages::page::user_agent(env!("CARGO_PKG_VERSION"), &contact?);
    Ok(PageConfig { allow, user_agent, respect_robots: respect_robots? })
}

/// What searching needs.
pub struct SearchConfig {
    pub providers: search::Config,
    /// Requests a minute.
    pub limits: Limits,
    /// Seconds that an answer is kept; 0: none is.
    pub cache_seconds: u64,
    /// How many providers are asked at once.
    pub fusion: usize,
}

/// What searching needs.
pub async fn search() -> Result<SearchConfig, Wrong> {
    let (providers, limits, cache, fusion) = futures::join!(
        providers(),
        get("search_limits"),
        variables::number("search_cache_seconds", 600, 0..=cache::MAX_KEEP),
        variables::number("search_fusion", 1, 1..=Provider::ALL.len()),
    );
    let (limits, unread) = Limits::parse(&limits?);
    if !unread.is_empty() {
        return Err(Wrong(
            "search_limits must be a comma list of provider=requests a minute".to_owned(),
        ));
    }
    Ok(SearchConfig { providers: providers?, limits, cache_seconds: cache?, fusion: fusion? })
}

async fn providers() -> Result<search::Config, Wrong> {
    let (
        searxng,
        brave_key,
        brave_url,
        tavily_key,
        tavily_url,
        serper_key,
        serper_url,
        duckduckgo_url,
        order,
    ) = futures::join!(
        get("searxng_url"),
        get("brave_api_key"),
        get("brave_base_url"),
        get("tavily_api_key"),
        get("tavily_base_url"),
        get("serper_api_key"),
        get("serper_base_url"),
        get("duckduckgo_base_url"),
        get("search_providers"),
    );
    let (order, unknown) = search::order(&order?);
    if !unknown.is_empty() {
        let names: Vec<&str> = Provider::ALL.iter().map(|provider| provider.name()).collect();
        return Err(Wrong(format!("search_providers may name only {}", names.join(", "))));
    }
    let searxng = searxng?;
    let searxng_url = if searxng.is_empty() { None } else { Some(base("searxng_url", &searxng)?) };
    Ok(search::Config {
        searxng_url,
        brave_key: Key::new(&brave_key?),
        brave_url: base("brave_base_url", or(&brave_url?, brave::BASE))?,
        tavily_key: Key::new(&tavily_key?),
        tavily_url: base("tavily_base_url", or(&tavily_url?, tavily::BASE))?,
        serper_key: Key::new(&serper_key?),
        serper_url: base("serper_base_url", or(&serper_url?, serper::BASE))?,
        duckduckgo_url: base("duckduckgo_base_url", or(&duckduckgo_url?, duckduckgo::BASE))?,
        order,
    })
}

fn or<'a>(text: &'a str, default: &'a str) -> &'a str {
    if text.is_empty() { default } else { text }
}

fn base(name: &str, text: &str) -> Result<Url, Wrong> {
    let url = Url::parse(text)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    url.ok_or_else(|| Wrong(format!("{name} must be an absolute http(s) address")))
}

/// A setting, trimmed; empty when it is not set.
async fn get(name: &str) -> Result<String, Wrong> {
    Ok(variables::word(name).await?.unwrap_or_default())
}

impl From<SettingError> for Wrong {
    fn from(error: SettingError) -> Self {
        Self(error.to_string())
    }
}
