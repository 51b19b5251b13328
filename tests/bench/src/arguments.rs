//! What is measured, and how much.

use crate::doors::Rounds;
use crate::host::{Manner, Program};
use crate::readers::Crowd;
use crate::runs::Runs;
use anyhow::{Context, Result};
use lexopt::prelude::*;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;
use xtask::options::bench::Options;

const USAGE: &str = "\
usage: quarry-bench --host <quarry-host> --manifest <spin.toml> --hello <hello.wasm>
    [--up-host <quarry-host> --up-manifest <spin.toml>] [options of `cargo xtask bench`]";

/// How much is measured.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    pub warm_up: usize,
    pub single: usize,
    pub loaded: usize,
    pub clients: usize,
    pub doors: Rounds,
    /// Pairs of answers, of which one is checked.
    pub citations: usize,
    /// How often asks beside a hostile program are measured, and private calls.
    pub rounds: usize,
    pub streams: usize,
    pub held: Duration,
    pub crowd: Crowd,
    pub runs: Runs,
    /// Chunks of libraries.
    pub libraries: [usize; 2],
    /// Pages of a PDF file, of 10 KB each.
    pub paper: usize,
}

const FULL: Plan = Plan {
    warm_up: 50,
    single: 400,
    loaded: 4_000,
    clients: 16,
    doors: Rounds { pairs: 1_500, blocks: 20, block: 160 },
    citations: 400,
    rounds: 8,
    streams: 200,
    held: Duration::from_secs(30),
    crowd: Crowd { stuck: 300, leaving: 500 },
    runs: Runs { short: 100, at_once: 50, looks: 20, nodes: [250, 500, 1_000], turns: 5 },
    libraries: [10_000, 100_000],
    paper: 1_000,
};

/// To see that the benchmark works, not to quote.
const QUICK: Plan = Plan {
    warm_up: 5,
    single: 30,
    loaded: 200,
    clients: 16,
    doors: Rounds { pairs: 20, blocks: 4, block: 32 },
    citations: 10,
    rounds: 1,
    streams: 50,
    held: Duration::from_secs(2),
    crowd: Crowd { stuck: 30, leaving: 50 },
    runs: Runs { short: 10, at_once: 10, looks: 3, nodes: [25, 50, 100], turns: 2 },
    libraries: [500, 5_000],
    paper: 100,
};

/// What `cargo xtask up` serves: another build of the host and of the components.
#[derive(Debug)]
pub struct Up {
    pub program: Program,
    pub manifest: PathBuf,
}

/// The command line.
#[derive(Debug)]
pub struct Arguments {
    pub program: Program,
    pub manifest: PathBuf,
    pub hello: PathBuf,
    pub up: Option<Up>,
    pub plan: Plan,
    /// What was said to the task.
    pub options: Options,
}

impl Arguments {
    pub fn parse(mut args: lexopt::Parser) -> Result<Arguments> {
        let (mut host, mut manifest, mut hello) = (None, None, None);
        let (mut up_host, mut up_manifest) = (None, None);
        let mut options = Options::default();
        while let Some(arg) = args.next()? {
            match arg {
                Long("host") => host = Some(PathBuf::from(args.value()?)),
                Long("manifest") => manifest = Some(PathBuf::from(args.value()?)),
                Long("hello") => hello = Some(PathBuf::from(args.value()?)),
                Long("up-host") => up_host = Some(PathBuf::from(args.value()?)),
                Long("up-manifest") => up_manifest = Some(PathBuf::from(args.value()?)),
                Long(name) => {
                    let name = name.to_owned();
                    options.take(&name, &mut args)?;
                }
                other => return Err(other.unexpected().into()),
            }
        }
        options.check()?;
        let manifest = manifest.context(USAGE)?;
        let cache = manifest.parent().unwrap_or(Path::new("")).join("target/host-cache");
        let program = |file, manner| Program { file, manner, cache: cache.clone() };
        let up = up_host.zip(up_manifest);
        let manner = if options.unlike_spin { Manner::Counting } else { Manner::LikeSpin };
        Ok(Arguments {
            program: program(host.context(USAGE)?, manner),
            up: up.map(|(file, manifest)| Up { program: program(file, Manner::AsUp), manifest }),
            manifest,
            hello: hello.context(USAGE)?,
            plan: if options.quick { QUICK } else { FULL },
            options,
        })
    }

    /// Where the provider listens that can be chosen.
    pub fn provider(&self) -> SocketAddr {
        self.options.provider.unwrap_or(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &str) -> Result<Arguments> {
        let all = "quarry-bench --host h --manifest m --hello w ".to_owned() + arguments;
        Arguments::parse(lexopt::Parser::from_iter(all.split_whitespace()))
    }

    #[test]
    fn the_host_behaves_like_spin_unless_said_and_what_up_serves_as_users_have_it() {
        assert_eq!(parsed("").unwrap().program.manner, Manner::LikeSpin);
        assert_eq!(parsed("--unlike-spin").unwrap().program.manner, Manner::Counting);
        let up = parsed("--quick --up-host u --up-manifest n").unwrap().up.unwrap();
        assert_eq!((up.program.manner, up.program.manner.flag()), (Manner::AsUp, None));
    }

    #[test]
    fn what_the_task_refuses_is_refused_here() {
        for bad in ["--only x", "--peer-pid 7", "--fast", "x", "--host"] {
            assert!(parsed(bad).is_err(), "{bad}");
        }
    }
}
