//! `cargo xtask ask`: serves Quarry on a free port for as long as a question takes.

use crate::documents;
use crate::handbook;
use crate::serve::{self, Settings};
use crate::up;
use anyhow::{Context, Result};
use quarry_client::variables::{Variables, environment, secret};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use xtask::options::ask::Options;
use xtask::options::places::Places;
use xtask::program::print;

/// The exit code after Ctrl-C.
const INTERRUPTED: u8 = 130;

/// How long what is under way has to end then.
const STOPPING: Duration = Duration::from_secs(5);

/// What to do about documents that are elsewhere.
const WAY_OUT: &str = "--url asks the Quarry that has some";

/// Asks, and says by the exit code whether there was an answer.
pub fn run(options: &Options) -> Result<ExitCode> {
    // Gone at the end, whatever that is.
    let state = tempfile::tempdir().context("cannot make a directory for the stores")?;
    let runtime = tokio::runtime::Runtime::new()?;
    let outcome = runtime.block_on(async {
        tokio::select! {
            outcome = serve_and_ask(options, state.path()) => outcome,
            interrupted = tokio::signal::ctrl_c() => {
                interrupted.context("cannot wait for Ctrl-C")?;
                Ok(ExitCode::from(INTERRUPTED))
            }
        }
    });
    // Nothing is written there any more.
    runtime.shutdown_timeout(STOPPING);
    outcome
}

async fn serve_and_ask(options: &Options, state: &Path) -> Result<ExitCode> {
    let mut variables = Variables::from_environment(environment());
    if let Some(model) = &options.model {
        // Whoever is asked by name is set up.
        variables.set("default_model", model);
    }
    let serving = serve::start(Settings {
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        served: options.served,
        variables,
        state: Some(state.to_owned()),
        show_output: false,
    })
    .await?;
    serving.warn();
    if serving.demo && !options.json {
        print(&format!("{}\n\n", up::DEMO))?;
    }
    let secret = secret();
    if serving.demo && options.sources.is_some_and(Places::has_knowledge) {
        handbook::load(&serving.url, secret.as_deref()).await?;
    }
    let (url, collection) = (&serving.url, options.collection.as_deref());
    let missing =
        documents::missing(url, secret.as_deref(), options.sources, collection, WAY_OUT).await;
    if let Some(missing) = missing {
        eprintln!("{missing}");
    }
    let outcome = quarry_client::ask::ask(options, &serving.url, secret).await;
    serving.stop().await?;
    outcome
}
