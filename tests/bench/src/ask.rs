//! An ordinary ask, beside the floors under it and whoever else answers the same request.

use crate::client::{self, Measured, Target};
use crate::host::{Host, Kept, Manner, Program};
use crate::report::Report;
use crate::subject::{self, Subject};
use crate::{Arguments, Up, hops, sandbox};
use anyhow::{Context as _, Result, bail};
use quarry_test_provider::{Manner as Met, Phase, Recorded, Script, ScriptedProvider};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use xtask::options::bench::Peer;

/// What an ask does that is measured: model calls, programs.
pub const MODEL_CALLS: usize = 6;
const PROGRAMS: usize = 2;
/// A private call of the floor.
pub const HOP: &str = "hop";

const HELLO: &str = "hello world (a)";
const FLOOR: &str = "floor (b)";
const ASK: &str = "ask";
const FLOOR_PROMPT: &str = "floor (b) without waits";
const ASK_PROMPT: &str = "ask without waits";
const ASK_UP: &str = "ask as `cargo xtask up` serves it";
const PEER: &str = "peer (c)";

/// Our components in a host, and the floor of their ask in another.
struct Pair {
    quarry: Host,
    floor: Host,
}

/// Measures all of it.
pub async fn measure(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let Arguments { program, hello, plan, .. } = arguments;
    let provider = ordinary(arguments).await?;
    let peer = match &arguments.options.peer {
        Some(peer) => Some(answering(peer, &provider).await?),
        None => None,
    };
    let pair = Pair::start(arguments, program, &provider).await?;
    let prompt = match program.manner {
        Manner::LikeSpin => Some(Pair::start(arguments, &program.prompt(), &provider).await?),
        Manner::Counting | Manner::AsUp => None,
    };
    let up = match &arguments.up {
        Some(up) => Some(served(up, &provider).await?),
        None => None,
    };
    provider.set_script(Script { unrecorded: true, ..Script::ordinary().in_frames() });
    let world = program.hello(hello).await?;

    let hello = Subject::ours(HELLO, &world, Target::get(world.address, "/hello"));
    let [floor, ask] = pair.subjects([FLOOR, ASK], &provider);
    let mut subjects = vec![hello, floor.against(&[HELLO]), ask.against(&[HELLO, FLOOR])];
    if let Some(prompt) = &prompt {
        let [floor, ask] = prompt.subjects([FLOOR_PROMPT, ASK_PROMPT], &provider);
        subjects.extend([floor.against(&[HELLO]), ask.against(&[HELLO, FLOOR_PROMPT])]);
    }
    if let Some(up) = &up {
        // Its calls are not counted, as users have it.
        let subject = Subject::other(ASK_UP, asked(up), up.process());
        subjects.push(subject.asking(&provider).against(&[ASK, ASK_PROMPT]));
    }
    if let Some(peer) = peer {
        let peer = Subject::other(PEER, peer, arguments.options.peer_process);
        subjects.push(peer.asking(&provider).against(&[ASK, ASK_PROMPT]));
    }
    subject::measure(&mut subjects, *plan).await?;
    report.subjects(&subjects);
    drop(subjects);
    let quarry = &prompt.as_ref().unwrap_or(&pair).quarry;
    sandbox::over_the_courier(&asked(quarry), report).await?;
    hops::measure(&pair.floor, plan.rounds, report).await
}

impl Pair {
    /// Both, after one ask that shows what the floor consists of.
    async fn start(
        arguments: &Arguments,
        program: &Program,
        provider: &ScriptedProvider,
    ) -> Result<Pair> {
        let Arguments { manifest, hello, .. } = arguments;
        let (url, kept) = (provider.openai_base_url(), Kept::unless(&arguments.program));
        let quarry = program.quarry(manifest, &url, kept).await?;
        provider.forget();
        check(&asked(&quarry)).await?;
        let calls = floor_calls(provider)?;
        let url = format!("{url}/chat/completions");
        let floor = program.floor(hello, manifest, &url, &calls).await?;
        check_floor(&floored(&floor), MODEL_CALLS + PROGRAMS).await?;
        Ok(Pair { quarry, floor })
    }

    fn subjects<'a>(
        &'a self,
        [floor, ask]: [&str; 2],
        provider: &'a ScriptedProvider,
    ) -> [Subject<'a>; 2] {
        let floor = Subject::ours(floor, &self.floor, floored(&self.floor));
        let ask = Subject::ours(ask, &self.quarry, asked(&self.quarry));
        [floor.asking(provider), ask.asking(provider)]
    }
}

/// What `cargo xtask up` serves, once asked.
async fn served(up: &Up, provider: &ScriptedProvider) -> Result<Host> {
    let url = provider.openai_base_url();
    let host = up.program.quarry(&up.manifest, &url, Kept::Nothing).await?;
    check(&asked(&host)).await?;
    Ok(host)
}

/// An ordinary ask of somebody else's server. Like ours it must be the whole ask: a peer that asks less is no match, and
/// one that asks nobody is told an error that looks like a fast answer.
async fn answering(peer: &Peer, provider: &ScriptedProvider) -> Result<Target> {
    let stream = TcpStream::connect(peer.addresses.as_slice()).await;
    let address = stream.and_then(|stream| stream.peer_addr());
    let address =
        address.with_context(|| format!("the peer {} does not answer", peer.authority))?;
    let target = Target::get(address, peer.path.as_str()).named(&peer.authority);
    let target = target.posting(&question());
    let before = provider.served();
    let Measured { body, .. } =
        client::once(&target).await.context("the peer is not to be measured")?;
    let calls = provider.served() - before;
    if calls != MODEL_CALLS {
        let body = String::from_utf8_lossy(&body);
        bail!(
            "the peer called our provider {calls} times and not {MODEL_CALLS}; does it ask {}?\n{body}",
            provider.openai_base_url()
        );
    }
    Ok(target)
}

/// An ordinary ask of this host.
pub fn asked(quarry: &Host) -> Target {
    Target::post(quarry.address, "/ask", &question())
}

/// All calls of a floor.
pub fn floored(floor: &Host) -> Target {
    Target::post(floor.address, "/floor", &question())
}

/// The provider as users meet it; what it is asked is recorded at first.
pub async fn ordinary(arguments: &Arguments) -> Result<ScriptedProvider> {
    let script = Script::ordinary().in_frames();
    ScriptedProvider::start_as(arguments.provider(), script, Met::AsMet).await
}

/// An ordinary ask.
pub fn question() -> Value {
    json!({
        "query": "What is the capacity factor?",
        "model": "openai:gpt-4o-mini",
        "max_iterations": 3,
        "stream": true,
    })
}

/// What is measured must be the whole ask, not an early error.
async fn check(target: &Target) -> Result<()> {
    let Measured { body, .. } = client::once(target).await?;
    let text = String::from_utf8_lossy(&body);
    let count = |name: &str| text.matches(&format!("event: {name}\n")).count();
    let calls = (count("llm_response"), count("tool_result"), count("complete"));
    if calls != (MODEL_CALLS, PROGRAMS, 1) {
        bail!("the ask is not the one to measure: {calls:?}\n{text}");
    }
    let failed: Vec<Value> = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data: ")?).ok())
        .filter(|data| data["output"].as_str().is_some_and(|output| output.contains("\"error\"")))
        .collect();
    if !failed.is_empty() {
        bail!("a program failed: {failed:?}");
    }
    Ok(())
}

/// The same request of the floor.
pub fn floor_call(request: &Recorded) -> Result<String> {
    let length = request.headers.iter().find(|(name, _)| name == "content-length");
    let (_, length) = length.context("a request tells no length")?;
    Ok(format!("{length} {}", request.body))
}

/// What the ask asked the provider, body by body, with a private call where it ran a program: after
/// an iteration that another one followed.
fn floor_calls(provider: &ScriptedProvider) -> Result<String> {
    let asked = provider.calls();
    let iterates = |index: usize| {
        let call = asked.get(index).and_then(|request| request.call);
        matches!(call, Some((_, Phase::Iteration(_))))
    };
    let mut lines = Vec::new();
    for (index, request) in asked.iter().enumerate() {
        lines.push(floor_call(request)?);
        if iterates(index) && iterates(index + 1) {
            lines.push(HOP.to_owned());
        }
    }
    if lines.len() != MODEL_CALLS + PROGRAMS {
        bail!("the floor does not make the calls of the ask: {}", lines.join("\n"));
    }
    Ok(lines.join("\n"))
}

/// Sees that the floor makes so many calls.
pub async fn check_floor(target: &Target, calls: usize) -> Result<()> {
    let Measured { body, .. } = client::once(target).await?;
    let text = String::from_utf8_lossy(&body);
    if text.matches("data: ").count() != calls || text.contains("failed") {
        bail!("the floor does not do what it should:\n{text}");
    }
    Ok(())
}
