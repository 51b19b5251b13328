//! `cargo xtask ask --url` and `cargo xtask run --url`, once this is built: asks a Quarry that runs elsewhere.

use anyhow::{Context, Result, bail};
use quarry_client::{ask, replies, run, variables};
use std::process::ExitCode;
use xtask::options;
use xtask::program::{self, help};

/// Where it runs has to be said, or what serves one would have been built instead.
const NOWHERE: &str = "say by --url where a Quarry runs";

fn main() -> ExitCode {
    program::main(|name, args| task(name, args).map_err(replies::judged))
}

fn task(name: &str, args: lexopt::Parser) -> Result<ExitCode> {
    let secret = variables::secret();
    let runtime = tokio::runtime::Runtime::new()?;
    match name {
        "ask" => match options::ask::Options::parse(args)? {
            Some(options) => {
                let url = options.url.clone().context(NOWHERE)?;
                runtime.block_on(ask::ask(&options, &url, secret))
            }
            None => help(options::ask::HELP),
        },
        "run" => match options::run::Options::parse(args)? {
            Some(options) => {
                let url = options.url.clone().context(NOWHERE)?;
                Ok(ExitCode::from(runtime.block_on(run::follow(&options, &url, secret))?.code()))
            }
            None => help(options::run::HELP),
        },
        _ => bail!("there is no such task"),
    }
}
