//! Asks a site's robots.txt before a page is read, and keeps the answer in key-value.
//! Border: what a file means and how long it counts is decided in `quarry_access::robots`.

use crate::bindings::pages::PageError;
use crate::config::PageConfig;
use crate::fetch::{self, Ask};
use crate::read::denied;
use quarry_access::address::{self, Target};
use quarry_access::redirect::Hops;
use quarry_access::robots::{self, Forbidden, Policy};
use quarry_rim::clock;
use quarry_rim::http::HttpError;
use quarry_rim::store::Store;
use std::time::{Duration, Instant};

/// Time for the file.
const TIME: Duration = Duration::from_secs(5);

const PATH: &str = "/robots.txt";

/// Whether the site lets us read an address.
pub async fn check(
    target: &Target,
    deadline: Instant,
    config: &PageConfig,
) -> Result<(), PageError> {
    let url = target.url();
    if !config.respect_robots || url.path() == PATH {
        return Ok(());
    }
    let policy = policy(target, deadline, config).await?;
    let path = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    let host = url.host_str().unwrap_or_default();
    policy.check(&path).map_err(|why| match why {
        Forbidden::Disallowed => PageError::Refused(format!("robots.txt of {host} {why}")),
        Forbidden::Unavailable => PageError::Unreachable(format!("robots.txt of {host} {why}")),
    })
}

/// The policy that is kept, or a new one.
async fn policy(
    target: &Target,
    deadline: Instant,
    config: &PageConfig,
) -> Result<Policy, PageError> {
    let key = robots::key(&target.url().origin().ascii_serialization());
    // Without a store every page costs a request more, and that is all.
    let store = Store::open().await.ok();
    if let Some(store) = &store
        && let Ok(Some(bytes)) = store.get(&key).await
        && let Ok(kept) = serde_json::from_slice::<Policy>(&bytes)
        && kept.is_fresh(clock::unix_seconds())
    {
        return Ok(kept);
    }
    let policy = ask(target, deadline.min(Instant::now() + TIME), config).await?;
    if let Some(store) = store
        && let Ok(bytes) = serde_json::to_vec(&policy)
    {
        // What cannot be kept is asked for again.
        _ = store.set(&key, &bytes).await;
    }
    Ok(policy)
}

async fn ask(target: &Target, deadline: Instant, config: &PageConfig) -> Result<Policy, PageError> {
    let file = target.url().join(PATH).map_err(|error| PageError::Other(error.to_string()))?;
    let mut target = address::check_url(file, &config.allow)
        .map_err(|refusal| PageError::Refused(refusal.to_string()))?;
    let mut hops = Hops::new(target.clone());
    loop {
        let headers = vec![("user-agent", config.user_agent.clone())];
        let limit = |_: &str| robots::MAX_BYTES;
        let ask = Ask { url: target.url(), headers, body: None, limit, deadline };
        let response = match fetch::fetch(ask).await {
            Ok(response) => response,
            Err(error) if error.is_timeout() => {
                return Ok(Policy::unreachable(clock::unix_seconds()));
            }
            Err(HttpError::Denied) => return Err(denied()),
            // The page will not be reached either, and says so better.
            Err(error) => return Err(PageError::Unreachable(error.to_string())),
        };
        let location = Some(response.header("location")).filter(|location| !location.is_empty());
        match hops.next(response.status, location, &config.allow) {
            Ok(Some(next)) => target = next,
            // A way that leads nowhere leads to no rules (RFC 9309, 2.3.1.2).
            Ok(None) | Err(_) => {
                return Ok(Policy::from_response(
                    response.status,
                    &response.body,
                    clock::unix_seconds(),
                ));
            }
        }
    }
}
