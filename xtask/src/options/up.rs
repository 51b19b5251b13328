//! What may be said after `cargo xtask up`.

use super::Runtime;
use crate::components::Profile;
use anyhow::{Context, Result};
use lexopt::prelude::*;
use std::net::SocketAddr;

/// What the task says of itself.
pub const HELP: &str = "\
Usage: cargo xtask up [options]

Builds the components if needed and serves Quarry until interrupted.

  --listen ADDRESS       where to listen (127.0.0.1:3000)
  --runtime local|spin   the local host (default) or `spin up`
  --ship                 as Quarry ships: components and host are faster, many minutes longer to build
  --no-build             serve what is already built

Keys are taken from the environment (OPENAI_API_KEY, GROQ_API_KEY, …, ACCESS_SECRET, SEARXNG_URL, …);
any variable of spin.toml can be set as SPIN_VARIABLE_<NAME>. With neither a model's nor a search's
provider there, demo mode: a small invented web, and answers without a language model.
";

/// How to serve.
#[derive(Debug)]
pub struct Options {
    /// Port 0 takes a free one.
    pub listen: SocketAddr,
    /// What serves.
    pub runtime: Runtime,
    /// None: serve what is there.
    pub profile: Option<Profile>,
}

impl Options {
    /// Reads them; none: help is wanted.
    pub fn parse(args: lexopt::Parser) -> Result<Option<Options>> {
        Options::read(args).map_err(|error| super::wrong(&error))
    }

    fn read(mut args: lexopt::Parser) -> Result<Option<Options>> {
        let mut options = Options {
            listen: SocketAddr::from(([127, 0, 0, 1], 3000)),
            runtime: Runtime::Local,
            profile: Some(Profile::Quick),
        };
        while let Some(arg) = args.next()? {
            match arg {
                Long("listen") => {
                    let value = args.value()?.string()?;
                    options.listen = value.parse().with_context(|| {
                        format!("--listen {value} is no address like 127.0.0.1:3000")
                    })?;
                }
                Long("runtime") => options.runtime = args.value()?.parse()?,
                Long("ship") => options.profile = Some(Profile::Ship),
                Long("quick") => options.profile = Some(Profile::Quick),
                Long("no-build") => options.profile = None,
                Short('h') | Long("help") => return Ok(None),
                other => return Err(super::unknown(other, HELP)),
            }
        }
        Ok(Some(options))
    }
}
