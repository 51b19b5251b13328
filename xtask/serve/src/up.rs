//! `cargo xtask up`: serves Quarry.

use crate::serve::{self, Settings};
use anyhow::Result;
use quarry_serve::variables::Variables;
use std::process::ExitCode;
use xtask::options::up::Options;

/// Serves until it is interrupted.
pub fn run(options: &Options) -> Result<ExitCode> {
    let settings = Settings {
        listen: options.listen,
        runtime: options.runtime,
        variables: Variables::from_environment(environment()),
        state: None,
        show_output: true,
    };
    tokio::runtime::Runtime::new()?.block_on(serve(settings))?;
    Ok(ExitCode::SUCCESS)
}

async fn serve(settings: Settings) -> Result<()> {
    let serving = serve::start(settings).await?;
    println!("Quarry listens on {}", serving.url);
    println!("  console   {}/console/", serving.url);
    for line in &serving.described {
        println!("  {line}");
    }
    if serving.demo {
        println!("{DEMO}");
    }
    println!("Try:  curl -N '{}/?stream=true' -d '{{\"query\":\"…\"}}'", serving.url);
    serving.until_interrupted().await
}

/// What demo mode says of itself.
pub const DEMO: &str = "\
Demo mode: no provider key and no search provider were found. Answers come from local:extractive, which
is no language model, and the web is a small invented one about the island of Orrin. Ask for example:
  What did the Orrin Bridge cost?   How much of Orrin's electricity comes from the tidal array?";

/// This process's environment, without what is not text.
pub fn environment() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}
