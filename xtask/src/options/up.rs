//! What may be said after `cargo xtask up`.

use super::served::Served;
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
  --no-build             serve components that are built already; only what hosts them is brought up to date

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
    pub served: Served,
}

impl Options {
    /// Reads them; none: help is wanted.
    pub fn parse(args: lexopt::Parser) -> Result<Option<Options>> {
        Options::read(args).map_err(|error| super::wrong(&error))
    }

    fn read(mut args: lexopt::Parser) -> Result<Option<Options>> {
        let mut options =
            Options { listen: SocketAddr::from(([127, 0, 0, 1], 3000)), served: Served::default() };
        while let Some(arg) = args.next()? {
            match arg {
                Long("listen") => {
                    let value = args.value()?.string()?;
                    options.listen = value.parse().with_context(|| {
                        format!("--listen {value} is no address like 127.0.0.1:3000")
                    })?;
                }
                Short('h') | Long("help") => return Ok(None),
                Long(name) => {
                    let name = name.to_owned();
                    if !options.served.take(&name, &mut args)? {
                        return Err(super::unknown(Long(&name), HELP));
                    }
                }
                other => return Err(super::unknown(other, HELP)),
            }
        }
        Ok(Some(options))
    }
}
