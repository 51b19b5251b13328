//! One component of `spin.toml` by itself on the local host, its interface reachable over HTTP: how
//! the reader and the sandbox are tried on files.

use anyhow::{Context, Result, bail};
use http_body_util::BodyExt;
use quarry_client::client::Client;
use quarry_host::{Host, RunningHost};
use serde_json::Value;
use tempfile::TempDir;
use xtask::components::{Place, Profile};
use xtask::paths;

/// A component at work.
pub struct Alone {
    name: &'static str,
    host: RunningHost,
    client: Client,
    // Gone with it.
    _state: TempDir,
}

impl Alone {
    /// Starts a component that is built so, with these variables.
    pub async fn start(
        name: &'static str,
        profile: Profile,
        variables: &[(&str, String)],
    ) -> Result<Alone> {
        let state = tempfile::tempdir().context("cannot make a temporary directory")?;
        let mut builder = Host::builder(Place::of(profile).manifest()?)
            .only(name)
            .cache_dir(paths::host_cache())
            .state_dir(state.path());
        for (variable, value) in variables {
            builder = builder.variable(*variable, value.as_str());
        }
        let host = builder.start().await?;
        Ok(Alone { name, host, client: Client::for_measuring(), _state: state })
    }

    /// Calls a function of the component, such as `/pages/read`: the parameter's record as JSON
    /// there, the result as JSON back.
    pub async fn call(&self, function: &str, parameter: &Value) -> Result<Value> {
        let url = format!("{}{function}", self.host.url());
        let response = self.client.post(&url, &[], parameter).await?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        if !status.is_success() {
            bail!("{} failed with {status}: {}", self.name, String::from_utf8_lossy(&body));
        }
        serde_json::from_slice(&body).with_context(|| format!("{function} gave no JSON"))
    }

    /// The most memory that one instance has had so far, in bytes.
    pub fn peak_memory(&self) -> usize {
        self.host.peak_memory(self.name).unwrap_or_default()
    }

    /// Ends it.
    pub async fn stop(self) {
        self.host.shutdown().await;
    }
}
