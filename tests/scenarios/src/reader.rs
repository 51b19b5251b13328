//! The `web` component by itself.

use crate::component::Component;
use anyhow::Result;
use serde_json::{Value, json};
use std::path::Path;

/// A reader at work. Dropping it ends it.
pub struct Reader(Component);

impl Reader {
    /// Starts it with these variables.
    pub async fn start(variables: &[(&str, String)]) -> Result<Reader> {
        Component::start("web", variables).await.map(Reader)
    }

    /// Starts it on stores that were there before and stay.
    pub async fn start_on(state: &Path, variables: &[(&str, String)]) -> Result<Reader> {
        Component::start_on(state, "web", variables).await.map(Reader)
    }

    /// Reads a page: `Ok` with the page's record, `Err` with the error's name and value.
    pub async fn read(&self, url: &str) -> Result<Result<Value, Value>> {
        self.read_within(url, 15).await
    }

    /// Reads a page within so many seconds.
    pub async fn read_within(&self, url: &str, seconds: u32) -> Result<Result<Value, Value>> {
        let request = json!({
            "url": url, "timeout_ms": seconds * 1_000, "max_characters": 1 << 20, "with_text": true,
        });
        self.call("/pages/read", &request).await
    }

    /// Calls a function.
    pub async fn call(&self, function: &str, parameter: &Value) -> Result<Result<Value, Value>> {
        self.0.call(function, parameter).await
    }

    /// What it printed, a crash included; nothing under Spin.
    pub fn output(&self) -> String {
        self.0.output()
    }
}
