//! Variables, each request reading those that it needs.
//!
//! Border: what their texts mean is decided in `quarry-doors` and `quarry-admission`.

use std::time::Duration;

use futures::join;
use quarry_admission::{Access, Cors, Rate};
use quarry_doors::{Head, Refusal, judges_pages, keep_alive_seconds, mcp};
use quarry_rim::variables::Variables;

/// What starting an ask needs to know.
pub struct Settings {
    pub access: Access,
    pub rate: Option<Rate>,
    /// How much silence makes a sign of life due.
    pub silence: Duration,
}

impl Settings {
    pub async fn read(variables: &Variables) -> Result<Settings, Refusal> {
        let variable = |name| variable(variables, name);
        let (secret, emails, client_id, requests, window, silence) = join!(
            variable("access_secret"),
            variable("allowed_emails"),
            variable("google_client_id"),
            variable("rate_limit_requests"),
            variable("rate_limit_window_seconds"),
            silence(variables),
        );
        Ok(Settings {
            access: Access::read(&secret?, &emails?, &client_id?)?,
            rate: Rate::read(&requests?, &window?)?,
            silence: silence?,
        })
    }
}

/// Seconds that a request's body may take.
pub async fn body_timeout_seconds(variables: &Variables) -> Result<u64, Refusal> {
    quarry_doors::body_timeout_seconds(&variable(variables, "body_timeout_seconds").await?)
}

/// How much silence makes a sign of life due.
pub async fn silence(variables: &Variables) -> Result<Duration, Refusal> {
    let text = variable(variables, "keep_alive_seconds").await?;
    keep_alive_seconds(&text).map(Duration::from_secs)
}

pub async fn cors(variables: &Variables) -> Result<Cors, Refusal> {
    Ok(Cors::read(&variable(variables, "cors_allowed_origins").await?))
}

/// Which pages may read what is answered to this head: by the one rule that holds at its path.
pub async fn readers(head: &Head, variables: &Variables) -> Result<Cors, Refusal> {
    if judges_pages(head) {
        return Ok(mcp::readers(head, &variable(variables, "mcp_allowed_origins").await?));
    }
    cors(variables).await
}

/// A variable's value, empty when it is not set. That a host cannot read it is an error: an access
/// secret that is not there to compare with must not open the door.
pub async fn variable(variables: &Variables, name: &str) -> Result<String, Refusal> {
    variables.get(name).await.map_err(|error| Refusal::Unavailable(error.to_string()))
}
