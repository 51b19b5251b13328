//! Spin variables in, typed settings out. Search keys are read here and nowhere else.

use quarry_access::address::Allow;
use quarry_access::visit::Rules;
use quarry_rim::clock;
use quarry_rim::variables::{SettingError, Variables};
use quarry_search::settings::{self, Settings, SettingsError};

#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// One of the reader's.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// One of the searcher's.
    #[error(transparent)]
    Search(#[from] SettingsError),
}

/// What reading pages needs.
pub struct PageConfig {
    /// What may be read.
    pub rules: Rules,
    /// How requests are signed.
    pub user_agent: String,
}

pub async fn pages() -> Result<PageConfig, ConfigError> {
    let variables = Variables::current(clock::now());
    let (allow, contact, respect_robots) = futures::try_join!(
        variables.parsed("web_allowed_hosts", "a comma list of host or host:port", |list| {
            let (allow, unread) = Allow::parse(list);
            unread.is_empty().then_some(allow)
        }),
        variables.get("web_contact_url"),
        variables.flag("respect_robots", true),
    )?;
    let user_agent = quarry_pages::page::user_agent(env!("CARGO_PKG_VERSION"), contact.trim());
    Ok(PageConfig { rules: Rules { allow, respect_robots }, user_agent })
}

pub async fn search() -> Result<Settings, ConfigError> {
    let variables = Variables::current(clock::now());
    Ok(Settings::read(&variables.all(settings::variables()).await?)?)
}
