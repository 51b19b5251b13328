//! One component by itself, called as the courier calls it.

use crate::quarry::{self, Kept, Running, Stores};
use anyhow::{Context, Result, bail};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use tempfile::TempDir;

/// A component at work. Dropping it ends it.
pub struct Component {
    name: String,
    url: String,
    client: Client<HttpConnector, Full<Bytes>>,
    running: Running,
    // Its manifest, and its state unless somebody else has that; gone with it.
    _directory: TempDir,
}

impl Component {
    /// Starts a component of `spin.toml` with these variables.
    pub async fn start(name: &str, variables: &[(&str, String)]) -> Result<Component> {
        let directory = tempfile::tempdir()?;
        let state = directory.path().to_owned();
        Self::start_in(directory, &state, name, variables).await
    }

    /// The same with stores that were there before and stay.
    pub async fn start_on(
        state: &Path,
        name: &str,
        variables: &[(&str, String)],
    ) -> Result<Component> {
        Self::start_in(tempfile::tempdir()?, state, name, variables).await
    }

    async fn start_in(
        directory: TempDir,
        state: &Path,
        name: &str,
        variables: &[(&str, String)],
    ) -> Result<Component> {
        let text = std::fs::read_to_string(quarry::manifest())?;
        let file = directory.path().join("spin.toml");
        std::fs::write(&file, quarry_host::alone(&text, &quarry::root(), name)?)?;
        let variables: BTreeMap<String, String> =
            variables.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let kept = Kept {
            stores: Stores::All,
            state,
            counts_calls: false,
            runtime_config: None,
            certificates: None,
        };
        let (url, running) = quarry::run(&file, kept, &variables, 20).await?;
        let client = Client::builder(TokioExecutor::new()).build_http();
        Ok(Component { name: name.to_owned(), url, client, running, _directory: directory })
    }

    /// Calls a function such as `/pages/read`: `Ok` with what it gives, `Err` with the error's name
    /// and value.
    pub async fn call(&self, function: &str, parameter: &Value) -> Result<Result<Value, Value>> {
        let request = Request::post(format!("{}{function}", self.url))
            .header("content-type", "application/json")
            .body(Full::new(Bytes::from(parameter.to_string())))?;
        let response = self.client.request(request).await;
        let response = response.with_context(|| format!("{} does not answer", self.name))?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        if !status.is_success() {
            bail!("{} failed with {status}: {}", self.name, String::from_utf8_lossy(&body));
        }
        let mut result: Value = serde_json::from_slice(&body)?;
        Ok(match result.get_mut("Ok").map(Value::take) {
            Some(value) => Ok(value),
            None => Err(result.get_mut("Err").map(Value::take).unwrap_or(result)),
        })
    }

    /// The same with the parameter in a header: what it gives, and whether that came in this other header.
    pub async fn call_in_head(
        &self,
        function: &str,
        header: &str,
        parameter: &Value,
        answered: &str,
    ) -> Result<(Value, bool)> {
        let request = Request::get(format!("{}{function}", self.url))
            .header(header, parameter.to_string())
            .body(Full::default())?;
        let response = self.client.request(request).await?;
        if !response.status().is_success() {
            bail!("{} failed with {}", self.name, response.status());
        }
        let in_head = response.headers().get(answered).map(|value| value.as_bytes().to_vec());
        let body = response.into_body().collect().await?.to_bytes();
        let result: Value = serde_json::from_slice(in_head.as_deref().unwrap_or(&body))?;
        let given = result.get("Ok").cloned().with_context(|| format!("it refused: {result}"))?;
        Ok((given, in_head.is_some()))
    }

    /// What it printed, a crash included; nothing under Spin.
    pub fn output(&self) -> String {
        match &self.running {
            Running::Local(host) => host.output().text(),
            Running::Spin(_) | Running::Elsewhere => String::new(),
        }
    }
}
