//! What is measured, and how much.

use crate::client::Target;
use crate::doors::Rounds;
use crate::host::Program;
use crate::readers::Crowd;
use crate::runs::Runs;
use anyhow::{Context, Result, bail};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

const USAGE: &str = "\
usage: quarry-bench --host <quarry-host> --manifest <spin.toml> --hello <hello.wasm>
    [--quick] [--only ask|doors|citations|sandbox|streams|readers|runs|knowledge] [--unlike-spin]
    [--up-host <quarry-host> --up-manifest <spin.toml>]
    [--provider <address>] [--peer <http://address/path> [--peer-pid <process>]]";

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

/// What can be measured by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Ask,
    Doors,
    Citations,
    Sandbox,
    Streams,
    Readers,
    Runs,
    Knowledge,
}

impl Part {
    pub const ALL: [Part; 8] = [
        Part::Ask,
        Part::Doors,
        Part::Citations,
        Part::Sandbox,
        Part::Streams,
        Part::Readers,
        Part::Runs,
        Part::Knowledge,
    ];

    fn parse(name: &str) -> Result<Part> {
        Ok(match name {
            "ask" => Part::Ask,
            "doors" => Part::Doors,
            "citations" => Part::Citations,
            "sandbox" => Part::Sandbox,
            "streams" => Part::Streams,
            "readers" => Part::Readers,
            "runs" => Part::Runs,
            "knowledge" => Part::Knowledge,
            other => bail!("there is no part {other}\n{USAGE}"),
        })
    }
}

/// A server of somebody else's that answers the same request. It has to ask our provider, so that
/// the provider wants an address that is known beforehand.
#[derive(Debug)]
pub struct Peer {
    pub target: Target,
    /// Whose processor time and memory are read.
    pub process: Option<u32>,
}

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
    pub only: Option<Part>,
    /// Where the provider of ordinary asks listens.
    pub provider: SocketAddr,
    pub peer: Option<Peer>,
}

impl Arguments {
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Arguments> {
        let (mut host, mut manifest, mut hello, mut only) = (None, None, None, None);
        let (mut plan, mut like_spin) = (FULL, true);
        let mut provider = SocketAddr::from(([127, 0, 0, 1], 0));
        let (mut peer, mut process) = (None, None);
        let (mut up_host, mut up_manifest) = (None, None);
        while let Some(name) = arguments.next() {
            let mut value =
                || arguments.next().with_context(|| format!("{name} wants a value\n{USAGE}"));
            match name.as_str() {
                "--host" => host = Some(PathBuf::from(value()?)),
                "--manifest" => manifest = Some(PathBuf::from(value()?)),
                "--up-host" => up_host = Some(PathBuf::from(value()?)),
                "--up-manifest" => up_manifest = Some(PathBuf::from(value()?)),
                "--hello" => hello = Some(PathBuf::from(value()?)),
                "--quick" => plan = QUICK,
                "--only" => only = Some(Part::parse(&value()?)?),
                "--unlike-spin" => like_spin = false,
                "--provider" => provider = value()?.parse().context("--provider is no address")?,
                "--peer" => peer = Some(self::peer(&value()?)?),
                "--peer-pid" => {
                    process = Some(value()?.parse().context("--peer-pid is no process")?);
                }
                other => bail!("unknown argument {other}\n{USAGE}"),
            }
        }
        let manifest = manifest.context(USAGE)?;
        let cache = manifest.parent().unwrap_or(Path::new("")).join("target/host-cache");
        let up = up_host.zip(up_manifest).map(|(file, manifest)| {
            let program = Program { file, like_spin: false, cache: cache.clone() };
            Up { program, manifest }
        });
        Ok(Arguments {
            program: Program { file: host.context(USAGE)?, like_spin, cache },
            up,
            manifest,
            hello: hello.context(USAGE)?,
            plan,
            only,
            provider,
            peer: peer.map(|target| Peer { target, process }),
        })
    }
}

/// `http://127.0.0.1:8000/ask`; without a path, `/`.
fn peer(url: &str) -> Result<Target> {
    let wanted = "--peer wants an address such as http://127.0.0.1:8000/ask";
    let rest = url.strip_prefix("http://").context(wanted)?;
    let (address, path) = rest.split_once('/').unwrap_or((rest, ""));
    Ok(Target::get(address.parse().context(wanted)?, format!("/{path}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &str) -> Result<Arguments> {
        let needed = "--host h --manifest m --hello w ";
        Arguments::parse((needed.to_owned() + arguments).split_whitespace().map(str::to_owned))
    }

    #[test]
    fn the_host_behaves_like_spin_unless_said() {
        assert!(parsed("").unwrap().program.like_spin);
        assert!(!parsed("--unlike-spin").unwrap().program.like_spin);
    }

    #[test]
    fn a_peer_has_an_address_and_maybe_a_process() {
        let peer = parsed("--peer http://127.0.0.1:80/ask --peer-pid 7").unwrap().peer.unwrap();
        assert_eq!((peer.target.address.port(), peer.process), (80, Some(7)));
        assert!(parsed("--peer http://127.0.0.1:80").unwrap().peer.is_some());
        for bad in ["--peer example.org", "--peer", "--only x", "--fast"] {
            assert!(parsed(bad).is_err(), "{bad}");
        }
    }
}
