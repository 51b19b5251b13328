//! `cargo xtask run`: serves Quarry on a free port for as long as a run takes, on a state that is kept.

use crate::serve::{self, Settings};
use crate::up;
use anyhow::{Context, Result};
use quarry_client::run::{End, STATE, follow};
use quarry_client::variables::{Variables, environment, secret};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::time::Duration;
use tokio::time::timeout;
use xtask::options::run::Options;
use xtask::paths;
use xtask::program::print;

/// How long the host has to end what is under way; a run goes on from its journal whatever becomes of that.
const STOPPING: Duration = Duration::from_secs(5);

/// Runs, and says by the exit code what came of it.
pub fn run(options: &Options) -> Result<ExitCode> {
    let runtime = tokio::runtime::Runtime::new()?;
    Ok(ExitCode::from(runtime.block_on(serve_and_run(options))?.code()))
}

async fn serve_and_run(options: &Options) -> Result<End> {
    let state = options.state.clone().unwrap_or_else(|| paths::root().join(STATE));
    std::fs::create_dir_all(&state).with_context(|| format!("cannot make {}", state.display()))?;
    let serving = serve::start(Settings {
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        runtime: options.runtime,
        variables: Variables::from_environment(environment()),
        state: Some(state),
        show_output: false,
    })
    .await?;
    if serving.demo && !options.json {
        print(&format!("{}\n\n", up::DEMO))?;
    }
    let end = follow(options, &serving.url, secret()).await;
    if let Ok(stopped) = timeout(STOPPING, serving.stop()).await {
        stopped?;
    }
    end
}
