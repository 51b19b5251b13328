//! `cargo xtask run`: serves Quarry on a free port for as long as a run takes, on a state that is kept.

use crate::documents;
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

/// What to do about documents that are elsewhere.
const WAY_OUT: &str =
    "--url asks the Quarry that has some, and --state .spin takes what `cargo xtask up` has kept";

/// Runs, and says by the exit code what came of it.
pub fn run(options: &Options) -> Result<ExitCode> {
    let runtime = tokio::runtime::Runtime::new()?;
    Ok(ExitCode::from(runtime.block_on(serve_and_run(options))?.code()))
}

async fn serve_and_run(options: &Options) -> Result<End> {
    let state = options.state.clone().unwrap_or_else(|| paths::root().join(STATE));
    std::fs::create_dir_all(&state).with_context(|| format!("cannot make {}", state.display()))?;
    let mut variables = Variables::from_environment(environment());
    if let Some(model) = &options.model {
        // Whoever is asked by name is set up.
        variables.set("default_model", model);
    }
    let serving = serve::start(Settings {
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        served: options.served,
        variables,
        state: Some(state),
        show_output: false,
    })
    .await?;
    serving.warn();
    if serving.demo && !options.json {
        print(&format!("{}\n\n", up::DEMO))?;
    }
    let secret = secret();
    let (url, collection) = (&serving.url, options.collection.as_deref());
    let missing =
        documents::missing(url, secret.as_deref(), options.sources, collection, WAY_OUT).await;
    if let Some(missing) = missing {
        eprintln!("{missing}");
    }
    let end = follow(options, &serving.url, secret).await;
    if let Ok(stopped) = timeout(STOPPING, serving.stop()).await {
        stopped?;
    }
    end
}
