//! Variables, each request reading those that it needs and no others.

use futures::join;
use quarry_admission::{Access, Cors, Rate};
use quarry_doors::{Refusal, keep_alive_seconds};
use spin_sdk::variables;

/// What starting an ask needs to know.
pub struct Settings {
    pub access: Access,
    pub rate: Option<Rate>,
    pub silence: u64,
}

impl Settings {
    pub async fn read() -> Result<Settings, Refusal> {
        let (secret, emails, client_id, requests, window, silence) = join!(
            variable("access_secret"),
            variable("allowed_emails"),
            variable("google_client_id"),
            variable("rate_limit_requests"),
            variable("rate_limit_window_seconds"),
            silence(),
        );
        Ok(Settings {
            access: Access::read(&secret?, &emails?, &client_id?)?,
            rate: Rate::read(&requests?, &window?)?,
            silence: silence?,
        })
    }
}

/// Seconds that a request's body may take.
pub async fn body_timeout_seconds() -> Result<u64, Refusal> {
    quarry_doors::body_timeout_seconds(&variable("body_timeout_seconds").await?)
}

/// Nanoseconds of silence after which a stream gives a sign of life.
pub async fn silence() -> Result<u64, Refusal> {
    let seconds = keep_alive_seconds(&variable("keep_alive_seconds").await?)?;
    Ok(seconds.saturating_mul(1_000_000_000))
}

pub async fn cors() -> Result<Cors, Refusal> {
    Ok(Cors::read(&variable("cors_allowed_origins").await?))
}

/// A variable's value, empty when the manifest does not have it. A provider of variables that
/// fails is an error: an access secret that cannot be read must not open the door.
pub async fn variable(name: &str) -> Result<String, Refusal> {
    match variables::get(name).await {
        Ok(value) => Ok(value),
        Err(variables::Error::Undefined(_)) => Ok(String::new()),
        // Its text may come from a vault; it is not for callers.
        Err(_) => Err(Refusal::Unavailable(format!("cannot read the variable {name}; try again"))),
    }
}
