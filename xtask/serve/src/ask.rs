//! `cargo xtask ask`: serves Quarry on a free port for as long as a question takes.

use crate::handbook;
use crate::serve::{self, Settings};
use crate::up;
use anyhow::{Context, Result};
use quarry_client::variables::{Variables, environment, secret};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use xtask::options::ask::Options;
use xtask::options::places::Places;
use xtask::program::print;

/// Asks, and says by the exit code whether there was an answer.
pub fn run(options: &Options) -> Result<ExitCode> {
    tokio::runtime::Runtime::new()?.block_on(serve_and_ask(options))
}

async fn serve_and_ask(options: &Options) -> Result<ExitCode> {
    let state = tempfile::tempdir().context("cannot make a directory for the stores")?;
    let serving = serve::start(Settings {
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        runtime: options.runtime,
        variables: Variables::from_environment(environment()),
        state: Some(state.path().to_owned()),
        show_output: false,
    })
    .await?;
    if serving.demo && !options.json {
        print(&format!("{}\n\n", up::DEMO))?;
    }
    if serving.demo && options.sources.is_some_and(Places::has_knowledge) {
        handbook::load(&serving.url, secret().as_deref()).await?;
    }
    let outcome = quarry_client::ask::ask(options, &serving.url, secret()).await;
    serving.stop().await?;
    outcome
}
