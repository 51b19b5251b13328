//! The `web` component by itself, called as the courier calls it.

use crate::quarry::{self, Running};
use anyhow::{Context, Result, bail};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tempfile::TempDir;

/// A reader at work. Dropping it ends it.
pub struct Reader {
    url: String,
    running: Running,
    _state: TempDir,
}

impl Reader {
    /// Starts it with these variables.
    pub async fn start(variables: &[(&str, String)]) -> Result<Reader> {
        let state = tempfile::tempdir()?;
        let text = std::fs::read_to_string(quarry::manifest())?;
        let file = state.path().join("spin.toml");
        std::fs::write(&file, quarry_host::alone(&text, &quarry::root(), "web")?)?;
        let variables: BTreeMap<String, String> =
            variables.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let (url, running) = quarry::run(&file, &variables, state.path(), 20).await?;
        Ok(Reader { url, running, _state: state })
    }

    /// Reads a page: `Ok` with the page's record, `Err` with the error's name and value.
    pub async fn read(&self, url: &str) -> Result<Result<Value, Value>> {
        self.read_within(url, 15).await
    }

    /// Reads a page within so many seconds.
    pub async fn read_within(&self, url: &str, seconds: u32) -> Result<Result<Value, Value>> {
        let request = json!({
            "url": url, "timeout_seconds": seconds, "with_text": true, "with_passages": true,
        });
        self.call("/pages/read", &request).await
    }

    /// Calls a function.
    pub async fn call(&self, function: &str, parameter: &Value) -> Result<Result<Value, Value>> {
        let client = Client::builder(TokioExecutor::new()).build_http();
        let request = Request::post(format!("{}{function}", self.url))
            .header("content-type", "application/json")
            .body(Full::new(Bytes::from(parameter.to_string())))?;
        let response = client.request(request).await.context("the reader does not answer")?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        if !status.is_success() {
            bail!("the reader failed with {status}: {}", String::from_utf8_lossy(&body));
        }
        let mut result: Value = serde_json::from_slice(&body)?;
        Ok(match result.get_mut("Ok").map(Value::take) {
            Some(value) => Ok(value),
            None => Err(result.get_mut("Err").map(Value::take).unwrap_or(result)),
        })
    }

    /// What it printed, a crash included; nothing under Spin.
    pub fn output(&self) -> String {
        match &self.running {
            Running::Local(host) => host.output().text(),
            Running::Spin(_) | Running::Elsewhere => String::new(),
        }
    }
}
