//! `cargo xtask up`: serves Quarry.

use crate::handbook;
use crate::serve::{self, Settings};
use anyhow::Result;
use http_body_util::BodyExt;
use quarry_client::client::Client;
use quarry_client::variables::{Variables, environment};
use serde_json::json;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::process::ExitCode;
use std::time::Duration;
use xtask::options::up::Options;
use xtask::program::print;

/// How often runs are taken up that are due.
const DRIVE: Duration = Duration::from_secs(5);

/// The variable that allows it.
const DRIVE_SECRET: &str = "drive_secret";

/// Serves until it is interrupted.
pub fn run(options: &Options) -> Result<ExitCode> {
    let mut variables = Variables::from_environment(environment());
    if variables.get(DRIVE_SECRET).is_none() {
        variables.set(DRIVE_SECRET, made_up());
    }
    let settings = Settings {
        listen: options.listen,
        served: options.served,
        variables,
        state: None,
        show_output: true,
    };
    tokio::runtime::Runtime::new()?.block_on(serve(settings))?;
    Ok(ExitCode::SUCCESS)
}

async fn serve(settings: Settings) -> Result<()> {
    let secret = settings.variables.get(DRIVE_SECRET).unwrap_or_default().to_owned();
    let access = settings.variables.get("access_secret").map(str::to_owned);
    let serving = serve::start(settings).await?;
    print(&format!("Quarry listens on {0}\n  console   {0}/console/\n", serving.url))?;
    for line in &serving.described {
        print(&format!("  {line}\n"))?;
    }
    if serving.demo {
        print(&format!("{DEMO}\n"))?;
        // Without documents the rest works all the same.
        match handbook::load(&serving.url, access.as_deref()).await {
            Ok(documents) => print(&format!("  documents {documents} of {HANDBOOK}\n"))?,
            Err(error) => print(&format!("  documents none: {error:#}\n"))?,
        }
    }
    print(&format!("Try:  curl -N '{}/?stream=true' -d '{{\"query\":\"…\"}}'\n", serving.url))?;
    print(&format!("Run:  cargo xtask run --url {} \"…\"\n", serving.url))?;
    let url = format!("{}/runs/drive", serving.url);
    tokio::select! {
        ended = serving.until_interrupted() => ended,
        () = drive(&url, &secret) => Ok(()),
    }
}

/// Has runs taken up that are due, again and again. What does not work now works the next time, or is told by
/// whoever serves.
async fn drive(url: &str, secret: &str) {
    let client = Client::pooled();
    let authorization = format!("Bearer {secret}");
    loop {
        tokio::time::sleep(DRIVE).await;
        let headers = [("authorization", authorization.as_str())];
        if let Ok(response) = client.post(url, &headers, &json!({})).await {
            // A body that was not read keeps its connection from being used again.
            _ = response.into_body().collect().await;
        }
    }
}

/// A secret that nobody knows: the standard library's hashes have keys of the system's randomness.
fn made_up() -> String {
    (0..4).map(|part: u8| format!("{:016x}", RandomState::new().hash_one(part))).collect()
}

/// What demo mode says of itself.
pub const DEMO: &str = "\
Demo mode: no provider key and no search provider were found. Answers come
from local:extractive, which is no language model, and the web is a small
invented one about the island of Orrin. Ask for example:
  What did the Orrin Bridge cost?
  How much of Orrin's electricity comes from the tidal array?";

/// What the documents are about, and what to ask them.
pub const HANDBOOK: &str = "\
an invented boathouse; demo/handbook/README.md has questions. Ask for example:
  cargo xtask ask --sources knowledge \"What is the late fee?\"";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_that_is_made_up_is_never_the_same() {
        let (one, other) = (made_up(), made_up());
        assert_eq!(one.len(), 64);
        assert_ne!(one, other);
    }
}
