//! The same ask through other doors: what a client's protocol costs over `/ask`.
//!
//! It is less than a machine's mood: so it is measured in pairs. In each round everybody asks once, in an order of the
//! round's own, and each door's time is compared with that of `/ask` in the same round. `/ask` is there twice: what the
//! second differs by is what this way of measuring does not see.

use crate::ask::{self, MODEL_CALLS};
use crate::client::{self, Line, Target};
use crate::host::Host;
use crate::pairs::{Orders, Took};
use crate::report::Report;
use crate::{Arguments, Kept};
use anyhow::{Result, bail};
use quarry_test_provider::{Script, ScriptedProvider};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Instant;

/// How often.
#[derive(Debug, Clone, Copy)]
pub struct Rounds {
    /// By one client.
    pub pairs: usize,
    /// By many.
    pub blocks: usize,
    /// The asks of a block.
    pub block: usize,
}

/// A way to ask, and what was seen of it.
pub struct Door {
    pub name: &'static str,
    path: &'static str,
    /// For the number of an ask: no two may be alike where a request that is sent again joins.
    body: fn(usize) -> Value,
    /// The words that end a whole answer.
    end: &'static str,
    /// By one client: seconds over `/ask`, until the end, and of the host's processors.
    pub times: Vec<f64>,
    pub processor: Vec<f64>,
    /// By many: asks a second, of those by `/ask`.
    pub rates: Vec<f64>,
    /// Calls to the host for each ask, by component and name. They are the same on every machine.
    pub calls: BTreeMap<(String, String), f64>,
}

/// Asks by which calls to the host are counted.
const COUNTED: usize = 20;

/// The first is what all are compared with; the second is the same.
pub fn doors() -> Vec<Door> {
    let door = |name, path, body, end| Door {
        name,
        path,
        body,
        end,
        times: Vec::new(),
        processor: Vec::new(),
        rates: Vec::new(),
        calls: BTreeMap::new(),
    };
    vec![
        door("`/ask`", "/ask", plain, "event: complete"),
        door("`/ask` once more", "/ask", plain, "event: complete"),
        door("Chat Completions", "/v1/chat/completions", chat, "data: [DONE]"),
        door("Responses", "/v1/responses", response, "event: response.completed"),
        door("the AI SDK's pages", "/api/chat", page, "data: [DONE]"),
        door("AG-UI", "/agui", run, "\"RUN_FINISHED\""),
        door("the Model Context Protocol", "/mcp", call, "\"isError\":false"),
    ]
}

/// A field of the ask that is measured.
fn of(name: &str) -> Value {
    ask::question().get(name).cloned().unwrap_or_default()
}

fn extension() -> Value {
    json!({ "max_iterations": of("max_iterations") })
}

fn plain(_: usize) -> Value {
    ask::question()
}

fn chat(number: usize) -> Value {
    let spoken = json!([{ "role": "user", "content": of("query") }]);
    json!({
        "model": of("model"), "stream": true, "messages": spoken, "quarry": extension(), "seed": number,
    })
}

/// Who names no sources here has documents searched, too: with more tools it would be another ask.
fn response(number: usize) -> Value {
    let mut extension = extension();
    if let Some(extension) = extension.as_object_mut() {
        extension.insert("sources".to_owned(), json!("web"));
    }
    json!({
        "model": of("model"), "stream": true, "input": of("query"), "quarry": extension,
        "prompt_cache_key": format!("bench-{number}"),
    })
}

fn page(number: usize) -> Value {
    let parts = json!([{ "type": "text", "text": of("query") }]);
    let shown = json!([{ "id": "m", "role": "user", "parts": parts }]);
    let id = format!("bench-{number}");
    json!({ "id": id, "model": of("model"), "messages": shown, "quarry": extension() })
}

fn run(number: usize) -> Value {
    json!({
        "threadId": "bench", "runId": format!("run-{number}"), "tools": [], "context": [], "state": {},
        "forwardedProps": { "model": of("model"), "quarry": extension() },
        "messages": [{ "id": "m", "role": "user", "content": of("query") }],
    })
}

/// The tool has no place for the model and the number of iterations: the default is the same model, and the provider's
/// words end them after three.
fn call(number: usize) -> Value {
    let arguments = json!({ "question": of("query") });
    let params =
        json!({ "name": "research", "arguments": arguments, "_meta": { "progressToken": number } });
    json!({ "jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params })
}

/// Measures all of them, where nothing but the ask takes time.
pub async fn measure(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let Arguments { program, manifest, plan, .. } = arguments;
    let provider = ask::ordinary(arguments).await?;
    provider.set_script(Script { unrecorded: true, ..Script::ordinary().in_frames() });
    let url = provider.openai_base_url();
    let quarry = program.prompt().quarry(manifest, &url, Kept::unless(program)).await?;
    let mut measured = Measured { doors: doors(), quarry: &quarry, provider: &provider, asked: 0 };
    measured.check().await?;
    measured.by_one(plan.warm_up).await?;
    measured.forget();
    measured.count().await?;
    measured.by_one(plan.doors.pairs).await?;
    measured.by_many(plan.doors, plan.clients).await?;
    if let Some((ask, others)) = measured.doors.split_first() {
        others.iter().for_each(|door| report.door(door, ask, plan.clients));
    }
    Ok(())
}

struct Measured<'a> {
    doors: Vec<Door>,
    quarry: &'a Host,
    provider: &'a ScriptedProvider,
    /// Asks so far: the number of the next.
    asked: usize,
}

impl Measured<'_> {
    /// What each tells must be the whole ask, not an early error.
    async fn check(&mut self) -> Result<()> {
        for at in 0..self.doors.len() {
            let before = self.provider.served();
            let Some((name, end, target)) = self.next(at) else { continue };
            let seen = client::once(&target).await?.body;
            let calls = self.provider.served() - before;
            let told = String::from_utf8_lossy(&seen);
            if calls != MODEL_CALLS || !told.contains(end) {
                bail!("what {name} tells is not the ask to measure: {calls} calls\n{told}");
            }
        }
        Ok(())
    }

    /// The next request at this door.
    fn next(&mut self, at: usize) -> Option<(&'static str, &'static str, Target)> {
        let door = self.doors.get(at)?;
        self.asked += 1;
        Some((door.name, door.end, door.target(self.quarry.address, self.asked)))
    }

    fn forget(&mut self) {
        for door in &mut self.doors {
            (door.times, door.processor, door.rates) = (Vec::new(), Vec::new(), Vec::new());
        }
    }

    async fn count(&mut self) -> Result<()> {
        for at in 0..self.doors.len() {
            let before = self.quarry.calls().await?;
            for _ in 0..COUNTED {
                let Some((_, _, target)) = self.next(at) else { continue };
                client::once(&target).await?;
            }
            let after = self.quarry.calls().await?;
            let Some(door) = self.doors.get_mut(at) else { continue };
            for (name, calls) in after {
                let new = calls - before.get(&name).copied().unwrap_or_default();
                #[expect(clippy::cast_precision_loss, reason = "counts are small")]
                door.calls.insert(name, new as f64 / COUNTED as f64);
            }
        }
        Ok(())
    }

    async fn by_one(&mut self, rounds: usize) -> Result<()> {
        let mut orders = Orders::new();
        let mut lines = Vec::new();
        for door in &self.doors {
            lines.push(Line::to(&door.target(self.quarry.address, 0)).await?);
        }
        let (before, first) = (self.provider.served(), self.asked);
        for _ in 0..rounds {
            let mut took = vec![None; lines.len()];
            for at in orders.next(lines.len()) {
                let Some((_, _, target)) = self.next(at) else { continue };
                let Some((line, took)) = lines.get_mut(at).zip(took.get_mut(at)) else { continue };
                *took = Some(Took::of(self.quarry, line, &target).await?);
            }
            self.compare(&took);
        }
        self.all_were_paid(before, first)
    }

    /// Notes a round.
    fn compare(&mut self, took: &[Option<Took>]) {
        let Some(Some(bare)) = took.first().copied() else { return };
        for (door, took) in self.doors.iter_mut().zip(took) {
            let Some(took) = took else { continue };
            let (time, processor) = took.over(bare);
            door.times.push(time);
            door.processor.extend(processor);
        }
    }

    async fn by_many(
        &mut self,
        Rounds { blocks, block, .. }: Rounds,
        clients: usize,
    ) -> Result<()> {
        let mut orders = Orders::new();
        let (before, first) = (self.provider.served(), self.asked);
        // The first block of each is not measured.
        for round in 0..=blocks {
            let mut took = vec![None; self.doors.len()];
            for at in orders.next(took.len()) {
                let targets = (0..block).filter_map(|_| self.next(at)).map(|(_, _, to)| to);
                let targets: Vec<Target> = targets.collect();
                let begun = Instant::now();
                client::run_each(targets, clients).await?;
                if let Some(took) = took.get_mut(at) {
                    *took = Some(begun.elapsed().as_secs_f64());
                }
            }
            let Some(Some(bare)) = took.first().copied().filter(|_| round > 0) else { continue };
            for (door, took) in self.doors.iter_mut().zip(took) {
                door.rates.extend(took.map(|took| bare / took));
            }
        }
        self.all_were_paid(before, first)
    }

    /// A request that joined another's ask would be quick.
    fn all_were_paid(&self, before: usize, first: usize) -> Result<()> {
        let (calls, asks) = (self.provider.served() - before, self.asked - first);
        if calls != asks * MODEL_CALLS {
            bail!("{asks} asks were answered with {calls} calls");
        }
        Ok(())
    }
}

impl Door {
    /// A request at this door, with its number.
    pub fn target(&self, address: SocketAddr, number: usize) -> Target {
        let target = Target::post(address, self.path, &(self.body)(number));
        match self.path {
            "/mcp" => target.accepting("application/json, text/event-stream"),
            _ => target,
        }
    }
}
