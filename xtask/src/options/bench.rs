//! What may be said after `cargo xtask bench`.

use anyhow::{Context, Result, bail, ensure};
use lexopt::prelude::*;
use std::net::{SocketAddr, ToSocketAddrs};

/// What the task says of itself.
pub const HELP: &str = "\
Usage: cargo xtask bench [options]

Measures Quarry as shipped, on the local host, with a scripted provider that keeps connections,
acknowledges late and streams piece by piece; prints a table. In turns with an ask are measured:
(a) a hello world; (b) the floor: a component that makes the ask's outside calls with the same
bodies and nothing else; (c) a peer, if there is one; and the same ask as `cargo xtask up` serves
it: its host and its components are built in less time and are slower. The host behaves like Spin: no TCP_NODELAY,
the body of two provider calls of three apart from its head, a span for each host call, Spin's own
memory settings. Ask and floor are also measured without the waits for acknowledgements that come
of it. Doors are measured in pairs with `/ask`, and `/ask` with itself. Clients acknowledge at
once; what one that does not waits for is told too.

Wake-ups are voluntary context switches of all the process's threads. Host calls are those of
functions that components import, by component and package; by name while it measures. Dropped
resources and the component model's own built-ins are not among them.

  --quick          few repetitions: to see that it works, not to quote
  --only P         one part: ask, doors, citations, sandbox, streams, readers, runs or knowledge
  --unlike-spin    everything on a host that behaves like none
  --peer URL       another server that answers the same request: the JSON of an ask, posted to
                   this address, such as http://localhost:8000/ask, answered by server-sent events; it
                   has to ask our provider as often as an ask does, so say where that listens, too
  --peer-pid PID   its process, whose processor time and memory are read
  --provider ADDR  where the provider of asks, doors, citations and runs listens, such as 127.0.0.1:9000,
                   so that a peer can be told: it speaks Chat Completions under /v1; any free port otherwise
  --readme         also put the table into README.md, with machine and date; of --only doors, citations,
                   runs and knowledge their rows alone; not with --quick or --unlike-spin
";

/// What can be measured by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// An ask beside its floors.
    Ask,
    /// Asks through other doors.
    Doors,
    /// Sentences that are checked.
    Citations,
    /// Programs.
    Sandbox,
    /// Streams that are held.
    Streams,
    /// Clients that stop or leave.
    Readers,
    /// Runs, short and long.
    Runs,
    /// Libraries of documents.
    Knowledge,
}

impl Part {
    /// All of them in the order in which they are measured.
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

    /// How it is asked for.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Part::Ask => "ask",
            Part::Doors => "doors",
            Part::Citations => "citations",
            Part::Sandbox => "sandbox",
            Part::Streams => "streams",
            Part::Readers => "readers",
            Part::Runs => "runs",
            Part::Knowledge => "knowledge",
        }
    }

    /// Whether its rows begin with its name, so that they can take the place of older ones.
    const fn has_own_rows(self) -> bool {
        match self {
            Part::Doors | Part::Citations | Part::Runs | Part::Knowledge => true,
            Part::Ask | Part::Sandbox | Part::Streams | Part::Readers => false,
        }
    }

    /// Whether it asks the provider whose address can be chosen.
    const fn asks_provider(self) -> bool {
        match self {
            Part::Ask | Part::Doors | Part::Citations | Part::Runs => true,
            Part::Sandbox | Part::Streams | Part::Readers | Part::Knowledge => false,
        }
    }

    fn named(name: &str) -> Result<Part> {
        let known = Part::ALL.into_iter().find(|part| part.name() == name);
        known.with_context(|| {
            format!("--only {name} is no part; there are {}", Part::ALL.map(Part::name).join(", "))
        })
    }
}

/// A server of somebody else's that answers the same request. It has to ask our provider, so that
/// the provider wants an address that is known beforehand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer {
    /// As its address names it: host, and port where one is said.
    pub authority: String,
    /// What that name stands for, at least one.
    pub addresses: Vec<SocketAddr>,
    /// Where an ask is posted.
    pub path: String,
}

/// What is measured, and how.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether there are few repetitions.
    pub quick: bool,
    /// Whether the host behaves like none.
    pub unlike_spin: bool,
    /// One part alone.
    pub only: Option<Part>,
    /// Who else answers the same request.
    pub peer: Option<Peer>,
    /// The peer's process, whose processor time and memory are read.
    pub peer_process: Option<u32>,
    /// Where the provider listens; none: at any free port of this machine.
    pub provider: Option<SocketAddr>,
    /// Whether the table is put into README.md.
    pub readme: bool,
}

impl Options {
    /// Reads them; none: help is wanted.
    pub fn parse(args: lexopt::Parser) -> Result<Option<Options>> {
        Options::read(args).map_err(|error| super::wrong(&error))
    }

    fn read(mut args: lexopt::Parser) -> Result<Option<Options>> {
        let mut options = Options::default();
        while let Some(arg) = args.next()? {
            match arg {
                Short('h') | Long("help") => return Ok(None),
                Long(name) => {
                    let name = name.to_owned();
                    options.take(&name, &mut args)?;
                }
                other => return Err(super::unknown(other, HELP)),
            }
        }
        options.check()?;
        Ok(Some(options))
    }

    /// Reads one of them, whose name has been read.
    ///
    /// # Errors
    /// When there is none of this name, or it cannot have this value.
    pub fn take(&mut self, name: &str, args: &mut lexopt::Parser) -> Result<()> {
        match name {
            "quick" => self.quick = true,
            "unlike-spin" => self.unlike_spin = true,
            "readme" => self.readme = true,
            "only" => self.only = Some(Part::named(&args.value()?.string()?)?),
            "peer" => self.peer = Some(peer(&args.value()?.string()?)?),
            "peer-pid" => {
                let value = args.value()?.string()?;
                let process =
                    value.parse().with_context(|| format!("--peer-pid {value} is no process"));
                self.peer_process = Some(process?);
            }
            "provider" => {
                let value = args.value()?.string()?;
                let wanted = || {
                    format!("--provider {value} is no address of this machine like 127.0.0.1:9000")
                };
                self.provider = resolved(&value).with_context(wanted)?.into_iter().next();
            }
            other => return Err(super::unknown(Long(other), HELP)),
        }
        Ok(())
    }

    /// Whether they go together.
    ///
    /// # Errors
    /// When one would be ignored, or would put into README.md what must not stand there.
    pub fn check(&self) -> Result<()> {
        ensure!(self.peer_process.is_none() || self.peer.is_some(), "--peer-pid wants --peer, too");
        if self.peer.is_some() {
            ensure!(
                self.measures(Part::Ask),
                "a peer is measured beside the ask; leave --peer out, or say --only ask"
            );
            ensure!(
                self.provider.is_some_and(|address| address.port() != 0),
                "a peer has to be told where our provider listens; add --provider 127.0.0.1:9000, or wherever it asks"
            );
        }
        if let Some(part) = self.only.filter(|part| !part.asks_provider()) {
            let is_idle = self.provider.is_none();
            ensure!(is_idle, "{} has a provider of its own; leave --provider out", part.name());
        }
        if self.readme {
            ensure!(
                !self.quick && !self.unlike_spin,
                "README.md has what ships in full, as under Spin; leave out --readme, or --quick and --unlike-spin"
            );
            if self.only.is_some_and(|part| !part.has_own_rows()) {
                let apart = Part::ALL.into_iter().filter(|part| part.has_own_rows());
                let apart: Vec<&str> = apart.map(Part::name).collect();
                let apart = apart.join(" or ");
                bail!("--readme wants the whole table, or --only {apart}; leave --only out");
            }
        }
        Ok(())
    }

    /// Whether this system tells what is measured: that of readers begins once a host has come to rest.
    ///
    /// # Errors
    /// Which parts there are without it, where it does not.
    pub fn check_system(&self, tells_processes: bool) -> Result<()> {
        if self.measures(Part::Readers) && !tells_processes {
            let others = Part::ALL.into_iter().filter(|part| *part != Part::Readers);
            let others: Vec<&str> = others.map(Part::name).collect();
            bail!(super::misused(format!(
                "this system has no /proc, which tells when a host has come to rest; measure a part by itself, without \
                 memory and processor time: --only {}",
                others.join(", --only ")
            )));
        }
        Ok(())
    }

    /// Whether this is measured.
    #[must_use]
    pub fn measures(&self, part: Part) -> bool {
        self.only.is_none_or(|only| only == part)
    }
}

/// `http://localhost:8000/ask`; without a port 80, without a path `/`.
fn peer(url: &str) -> Result<Peer> {
    let wanted = || format!("--peer {url} is no address like http://127.0.0.1:8000/ask");
    let rest = url.strip_prefix("http://").with_context(wanted)?;
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let behind_host = authority.rsplit(']').next().unwrap_or_default();
    let addresses = match behind_host.contains(':') {
        true => resolved(authority),
        false => resolved(&format!("{authority}:80")),
    };
    Ok(Peer {
        addresses: addresses.with_context(wanted)?,
        authority: authority.to_owned(),
        path: format!("/{path}"),
    })
}

/// What a host and a port stand for, at least one. Those of the older protocol come first: a server that listens at one
/// address alone has that as a rule.
fn resolved(authority: &str) -> Result<Vec<SocketAddr>> {
    let mut addresses: Vec<SocketAddr> = authority.to_socket_addrs()?.collect();
    addresses.sort_by_key(SocketAddr::is_ipv6);
    ensure!(!addresses.is_empty(), "the name stands for no address");
    Ok(addresses)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str) -> Result<Option<Options>> {
        Options::parse(lexopt::Parser::from_args(words.split_whitespace()))
    }

    #[test]
    fn a_peer_has_a_name_or_an_address_and_maybe_a_port_and_a_path() {
        for (url, port, path) in [
            ("http://127.0.0.1:8000/ask", 8000, "/ask"),
            ("http://localhost:8000/v1/ask?a=b", 8000, "/v1/ask?a=b"),
            ("http://localhost", 80, "/"),
            ("http://[::1]/ask", 80, "/ask"),
        ] {
            let words = format!("--peer {url} --peer-pid 7 --provider localhost:9000");
            let options = parse(&words).unwrap().unwrap();
            let peer = options.peer.unwrap();
            assert!(peer.addresses.iter().all(|address| address.port() == port), "{peer:?}");
            assert_eq!((peer.path.as_str(), options.peer_process), (path, Some(7)));
            assert_eq!(options.provider.unwrap().port(), 9000);
        }
    }

    #[test]
    fn a_system_that_does_not_tell_of_processes_is_told_what_can_be_measured_there() {
        let check = |words: &str, tells| parse(words).unwrap().unwrap().check_system(tells);
        for words in ["", "--quick", "--only readers"] {
            check(words, true).unwrap();
            let refused = check(words, false).unwrap_err();
            assert!(crate::options::is_wrong(&refused), "{words}");
            let told = refused.to_string();
            assert!(told.contains("--only ask, --only doors") && !told.contains("only readers"));
        }
        check("--only ask", false).unwrap();
    }

    #[test]
    fn mistakes_are_refused_before_anything_is_built_and_say_what_to_do() {
        for (bad, told) in [
            ("--only ak", "there are ask, doors, citations"),
            ("--provider 9000", "127.0.0.1:9000"),
            ("--peer localhost:8000 --provider 127.0.0.1:9000", "http://127.0.0.1:8000/ask"),
            (
                "--peer http://127.0.0.1:x/ask --provider 127.0.0.1:9000",
                "http://127.0.0.1:8000/ask",
            ),
            ("--peer http://127.0.0.1:80/ask", "add --provider"),
            ("--peer http://127.0.0.1:80/ask --provider 127.0.0.1:0", "add --provider"),
            ("--peer-pid 7", "wants --peer"),
            ("--peer http://127.0.0.1/ --provider 127.0.0.1:9000 --only runs", "--only ask"),
            ("--only streams --provider 127.0.0.1:9000", "leave --provider out"),
            ("--quick --readme", "leave out --readme"),
            ("--unlike-spin --readme", "leave out --readme"),
            ("--only ask --readme", "doors or citations or runs or knowledge"),
            ("--fast", "there is no option --fast"),
            ("ask", "ask"),
        ] {
            let refused = parse(bad).unwrap_err();
            assert!(crate::options::is_wrong(&refused), "{bad}");
            assert!(refused.to_string().contains(told), "{bad}: {refused}");
        }
        for good in ["", "--only runs --readme", "--quick --only ask", "--unlike-spin"] {
            assert!(parse(good).unwrap().is_some(), "{good}");
        }
        assert!(parse("--only x --help").is_err() && parse("--help").unwrap().is_none());
    }
}
