//! `cargo xtask up`: builds what is needed and serves Quarry.

use crate::components::{self, Profile};
use crate::serve::{self, Runtime, Settings};
use crate::variables::Variables;
use anyhow::{Context, Result};
use lexopt::prelude::*;
use std::net::SocketAddr;
use std::process::ExitCode;

pub const HELP: &str = "\
Usage: cargo xtask up [options]

Builds the components if needed and serves Quarry until interrupted.

  --listen ADDRESS       where to listen (127.0.0.1:3000)
  --runtime local|spin   the local host (default) or `spin up`
  --quick                build fast instead of small
  --no-build             serve what is already built

Keys are taken from the environment (OPENAI_API_KEY, GROQ_API_KEY, …, ACCESS_SECRET, SEARXNG_URL, …);
any variable of spin.toml can be set as SPIN_VARIABLE_<NAME>. Without a key, demo mode.
";

pub fn run(mut args: lexopt::Parser) -> Result<ExitCode> {
    let mut listen = SocketAddr::from(([127, 0, 0, 1], 3000));
    let mut runtime = Runtime::Local;
    let mut profile = Some(Profile::Ship);
    while let Some(arg) = args.next()? {
        match arg {
            Long("listen") => {
                let value = args.value()?.string()?;
                listen = value.parse().with_context(|| {
                    format!("--listen {value} is no address like 127.0.0.1:3000")
                })?;
            }
            Long("runtime") => runtime = args.value()?.parse()?,
            Long("quick") => profile = Some(Profile::Quick),
            Long("no-build") => profile = None,
            Short('h') | Long("help") => {
                print!("{HELP}");
                return Ok(ExitCode::SUCCESS);
            }
            other => return Err(other.unexpected().into()),
        }
    }
    if let Some(profile) = profile {
        components::build(profile)?;
    }
    let variables = Variables::from_environment(environment());
    let settings = Settings { listen, runtime, variables, state: None, show_output: true };
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
