//! Begins a run or goes on with one, follows it to its end and shows it.

use crate::again;
use crate::client::{Client, with_way_out};
use crate::replies::{self, Frame, Frames};
use crate::show::Style;
use crate::terminal;
use crate::tree::Tree;
use crate::waiting::aloud;
use crate::words::left_out;
use anyhow::{Context, Result, anyhow, bail};
use quarry_events::run::{AnyPayload, Envelope, EventName, RunStatus};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::time::timeout;
use xtask::options::Runtime;
use xtask::options::run::{Options, ReportForm, Start};
use xtask::program::print;

/// Where what is found is kept if nobody says where, below the workspace.
pub const STATE: &str = "target/quarry-state";
/// Times in a row that a stream is joined which brings nothing.
const REJOIN_TRIES: u32 = 7;
/// How often the progress line is written anew.
const TICK: Duration = Duration::from_secs(1);

/// How a run ended for whoever watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// With a report.
    Completed,
    /// Without one.
    Failed,
    /// It waits for somebody.
    Waits,
    /// Whoever watched it left.
    Interrupted,
}

impl End {
    /// The exit code that says so.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            End::Completed => 0,
            End::Failed => 1,
            End::Waits => 3,
            End::Interrupted => 130,
        }
    }
}

/// Has the Quarry at this address research, with its access secret if there is one, and watches until the run ends or
/// whoever watches leaves.
///
/// # Errors
/// When it cannot be reached, refuses, or breaks off for good.
pub async fn follow(options: &Options, url: &str, secret: Option<String>) -> Result<End> {
    Watcher::new(options, url, secret).watch().await
}

/// Follows one run.
struct Watcher<'a> {
    options: &'a Options,
    url: String,
    authorization: Option<String>,
    client: Client,
    tree: Tree,
    id: Option<String>,
    /// The number of the last event that was seen.
    seen: u64,
    /// The last event before the run was resumed: it ends nothing.
    before: u64,
    /// What the last event came to, should nothing follow.
    last: Option<End>,
    begun: Instant,
}

impl<'a> Watcher<'a> {
    fn new(options: &'a Options, url: &str, secret: Option<String>) -> Watcher<'a> {
        let style = if terminal::has_colours() { Style::Terminal } else { Style::Plain };
        Watcher {
            options,
            url: url.trim_end_matches('/').to_owned(),
            authorization: secret.map(|secret| format!("Bearer {secret}")),
            client: Client::pooled(),
            tree: Tree::new(style, terminal::width()),
            id: None,
            seen: 0,
            before: 0,
            last: None,
            begun: Instant::now(),
        }
    }

    /// Follows the run until it ends, or until whoever watches leaves.
    async fn watch(&mut self) -> Result<End> {
        let end = tokio::select! {
            end = self.go() => end,
            interrupted = tokio::signal::ctrl_c() => interrupted.map(|()| End::Interrupted).map_err(Into::into),
        };
        print(&self.tree.clear())?;
        if let (Ok(end), Some(id)) = (&end, &self.id) {
            for line in farewell(*end, id, self.options) {
                eprintln!("{line}");
            }
        }
        end
    }

    async fn go(&mut self) -> Result<End> {
        match &self.options.start {
            Start::Task(task) => self.begin(task).await?,
            Start::Resume(id) => self.resume(id).await?,
        }
        let end = self.follow().await?;
        if end == End::Completed {
            self.write_report().await?;
        }
        Ok(end)
    }

    async fn begin(&mut self, task: &str) -> Result<()> {
        let body = request(task, self.options);
        let snapshot = aloud("until the run is begun", self.post_keyed("/runs", &body)).await?;
        let id = snapshot.get("run_id").and_then(Value::as_str);
        self.id = Some(id.context("the answer names no run")?.to_owned());
        Ok(())
    }

    /// Has a run go on that waits or ended without a report; one that is under way is only joined.
    async fn resume(&mut self, id: &str) -> Result<()> {
        let address = format!("/runs/{id}");
        let asked = aloud("until the run is found", self.get(&address, "application/json")).await;
        let snapshot = replies::json(asked?).await.map_err(|error| match self.options.url {
            None if replies::is_missing(&error) => anyhow!(
                "{error:#}\nhint: those that were begun here are kept in {}; name another place by --state, or a \
                 Quarry that has it by --url",
                kept(self.options)
            ),
            _ => error,
        })?;
        self.id = Some(id.to_owned());
        let resumption = resumption(self.options);
        if is_to_be_resumed(&snapshot) {
            self.before = snapshot.get("sequence").and_then(Value::as_u64).unwrap_or_default();
            let body = Value::Object(resumption);
            aloud("until the run goes on", self.post(&format!("{address}/resume"), &body)).await?;
        } else if !resumption.is_empty() {
            bail!(
                "the run neither waits nor failed, so it stays as it is; leave out --set, --budget-… and --force"
            );
        }
        if let Some(text) = &self.options.guidance {
            self.post(&format!("{address}/guidance"), &json!({ "text": text })).await?;
        }
        Ok(())
    }

    fn headers<'h>(&'h self, more: &[(&'h str, &'h str)]) -> Vec<(&'h str, &'h str)> {
        let own = self.authorization.as_deref().map(|secret| ("authorization", secret));
        own.into_iter().chain(more.iter().copied()).collect()
    }

    async fn post(&self, path: &str, body: &Value) -> Result<Value> {
        self.send(path, &[], body).await.map_err(with_way_out)
    }

    /// The same with one key each time: what has begun though its answer was lost is found, and paid for once.
    async fn post_keyed(&self, path: &str, body: &Value) -> Result<Value> {
        let key = again::key();
        let mut tries = 1;
        loop {
            match self.send(path, &[(again::KEY, &key)], body).await {
                Ok(snapshot) => return Ok(snapshot),
                Err(why) => tokio::time::sleep(again::pause(why, tries, "the run")?).await,
            }
            eprintln!("the connection broke before the run had begun; sending it again …");
            tries += 1;
        }
    }

    async fn send(&self, path: &str, more: &[(&str, &str)], body: &Value) -> Result<Value> {
        let mut headers = self.headers(&[("accept", "application/json")]);
        headers.extend(more);
        let response = self.client.post(&format!("{}{path}", self.url), &headers, body).await?;
        replies::json(response).await
    }

    async fn get(
        &self,
        path: &str,
        accept: &str,
    ) -> Result<hyper::Response<hyper::body::Incoming>> {
        let seen = self.seen.to_string();
        let mut headers = self.headers(&[("accept", accept)]);
        if self.seen > 0 {
            headers.push(("last-event-id", &seen));
        }
        self.client.get(&format!("{}{path}", self.url), &headers).await.map_err(with_way_out)
    }

    /// Follows the events over broken connections until nothing more comes.
    async fn follow(&mut self) -> Result<End> {
        let id = self.id.clone().unwrap_or_default();
        let (mut pause, mut tries) = (Duration::from_millis(250), 0);
        loop {
            let seen = self.seen;
            let watched = self.watch_once(&id).await;
            if let Some(end) = self.last.filter(|_| self.seen > self.before) {
                return Ok(end);
            }
            if self.seen > seen {
                (pause, tries) = (Duration::from_millis(250), 0);
            }
            tries += 1;
            let why = watched.err().unwrap_or_else(replies::broken);
            let wait = replies::pause(&why, pause).filter(|_| tries <= REJOIN_TRIES);
            let Some(wait) = wait else {
                return Err(why.context(left(&id, self.options)));
            };
            // The first time it may only be the end of a stream that was resumed behind.
            if tries > 1 {
                print(&self.tree.clear())?;
                eprintln!("the connection broke; joining again …");
            }
            tokio::time::sleep(wait).await;
            pause *= 2;
        }
    }

    /// Reads the events once, as far as they come; what an event says wrongly ends it all.
    async fn watch_once(&mut self, id: &str) -> Result<()> {
        let response = self.get(&format!("/runs/{id}/events"), "text/event-stream").await?;
        match Frames::of(response).await? {
            Some(frames) => self.read(frames).await,
            None => Ok(()),
        }
    }

    /// Reads a stream to its end or its break.
    async fn read(&mut self, mut frames: Frames) -> Result<()> {
        // On a terminal the progress line shows that something goes on.
        let ticks = !self.options.json && !self.tree.tick(Duration::ZERO).is_empty();
        loop {
            let frame = if ticks {
                match timeout(TICK, frames.next()).await {
                    Ok(frame) => frame?,
                    Err(_) => {
                        print(&self.tree.tick(self.begun.elapsed()))?;
                        continue;
                    }
                }
            } else {
                aloud("the next event", frames.next()).await?
            };
            let Some(frame) = frame else { return Ok(()) };
            self.take(&frame)?;
        }
    }

    /// Shows one event.
    fn take(&mut self, frame: &Frame) -> Result<()> {
        let Frame { id, name, data } = frame;
        self.seen = id.parse().unwrap_or(self.seen);
        let Some(known) = EventName::parse(name) else { return Ok(()) };
        let payload = AnyPayload::parse(known, data);
        if self.options.json {
            print(&line(name, data))?;
        } else {
            let about: Envelope = serde_json::from_str(data)
                .with_context(|| format!("event {id} ({name}) does not say of which run it is"))?;
            match &payload {
                Ok(payload) => {
                    let shown = self.tree.event(&about, payload);
                    print(&format!("{}{shown}", self.tree.clear()))?;
                    print(&self.tree.tick(self.begun.elapsed()))?;
                }
                // Another version's, perhaps; what follows may still be of use.
                Err(error) => eprintln!("{}", left_out(id, &error)),
            }
        }
        self.last = end(known, payload.as_ref().ok());
        Ok(())
    }

    async fn write_report(&mut self) -> Result<()> {
        let Some((file, form)) = &self.options.report else { return Ok(()) };
        let accept = match form {
            ReportForm::Markdown => "text/markdown",
            ReportForm::Html => "text/html",
            ReportForm::Json => "application/json",
        };
        let id = self.id.clone().unwrap_or_default();
        let report = replies::text(self.get(&format!("/runs/{id}/report"), accept).await?).await?;
        std::fs::write(file, report).with_context(|| format!("cannot write {}", file.display()))?;
        eprintln!("The report is in {}.", file.display());
        Ok(())
    }
}

/// What an event comes to when nothing follows it.
fn end(name: EventName, payload: Option<&AnyPayload>) -> Option<End> {
    match (name, payload) {
        (EventName::RunCompleted, _) => Some(End::Completed),
        (EventName::RunFailed | EventName::RunAborted, _) => Some(End::Failed),
        (_, Some(AnyPayload::RunWaiting(waits))) => {
            waits.waiting.until.is_none().then_some(End::Waits)
        }
        _ => None,
    }
}

/// An event as a line: the object that it is, with its name before all else.
fn line(name: &str, data: &str) -> String {
    match data.strip_prefix('{') {
        Some(fields) if !fields.starts_with('}') => format!("{{\"event\":\"{name}\",{fields}\n"),
        _ => format!("{{\"event\":\"{name}\"}}\n"),
    }
}

/// Whether a run does nothing before somebody has it go on.
fn is_to_be_resumed(snapshot: &Value) -> bool {
    let status = snapshot.get("status").and_then(Value::as_str).and_then(RunStatus::parse);
    let waits = snapshot.get("waiting").is_some_and(|waiting| !waiting.is_null());
    matches!(status, Some(RunStatus::Failed | RunStatus::Aborted)) || waits
}

/// The body that begins a run.
fn request(task: &str, options: &Options) -> Value {
    let mut body = resumption(options);
    body.insert("task".to_owned(), json!(task));
    if let Some(sources) = options.sources {
        body.insert("sources".to_owned(), json!(sources.word()));
    }
    for (field, value) in [
        ("model", &options.model),
        ("effort", &options.effort),
        ("collection", &options.collection),
        ("guidance", &options.guidance),
    ] {
        if let Some(value) = value {
            body.insert(field.to_owned(), json!(value));
        }
    }
    Value::Object(body)
}

/// The part of it that may be said when a run is resumed too.
fn resumption(options: &Options) -> Map<String, Value> {
    let mut body = Map::new();
    let mut config = json!({});
    for (knob, value) in &options.knobs {
        // What is no JSON is a word.
        let value = serde_json::from_str(value).unwrap_or_else(|_| json!(value));
        lay(&mut config, knob, value);
    }
    if config.as_object().is_some_and(|config| !config.is_empty()) {
        body.insert("config".to_owned(), config);
    }
    let mut budget = Map::new();
    if let Some(usd) = options.budget_usd {
        budget.insert("usd".to_owned(), json!(usd));
    }
    if let Some(tokens) = options.budget_tokens {
        budget.insert("tokens".to_owned(), json!(tokens));
    }
    if !budget.is_empty() {
        body.insert("budget".to_owned(), Value::Object(budget));
    }
    if options.force {
        body.insert("force".to_owned(), json!(true));
    }
    body
}

/// Puts a value at a path of names with dots between them.
fn lay(object: &mut Value, path: &str, value: Value) {
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    if !object.is_object() {
        *object = json!({});
    }
    let Some(fields) = object.as_object_mut() else { return };
    let field = fields.entry(name).or_insert(Value::Null);
    if rest.is_empty() {
        *field = value;
    } else {
        lay(field, rest, value);
    }
}

/// What is said last: where the run is, and how it goes on.
fn farewell(end: End, id: &str, options: &Options) -> Vec<String> {
    let mut command = format!("cargo xtask run --resume {id}");
    if let Some(url) = &options.url {
        command = format!("{command} --url {url}");
    } else if options.served.runtime == Runtime::Spin {
        command.push_str(" --runtime spin");
    }
    if let Some(state) = &options.state {
        command = format!("{command} --state {}", word(&state.display().to_string()));
    }
    let first = match (end, &options.url) {
        (End::Completed, _) => return Vec::new(),
        (End::Failed, _) => "The run ended without a report; what it found is kept.".to_owned(),
        (End::Waits, _) => "The run waits for somebody; what it found is kept.".to_owned(),
        (End::Interrupted, None) => {
            format!("The run is interrupted; what it found is kept in {}.", kept(options))
        }
        (End::Interrupted, Some(_)) => "The run goes on where it is served.".to_owned(),
    };
    let what = match (end, &options.url) {
        (End::Interrupted, Some(_)) => "Watch it again with",
        _ => "Go on with it by",
    };
    vec![first, format!("{what}:  {command}")]
}

/// A text as a shell takes it for one word.
fn word(text: &str) -> String {
    let is_plain = |sign: char| sign.is_alphanumeric() || "/._-+,:@%=".contains(sign);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// What is said of a run that cannot be followed any more, though it may go on.
fn left(id: &str, options: &Options) -> String {
    let again = farewell(End::Interrupted, id, options).join(" ");
    format!("the run {id} cannot be followed any more. {again}")
}

/// Where what is found is kept, for people.
fn kept(options: &Options) -> std::path::Display<'_> {
    options.state.as_deref().unwrap_or(Path::new(STATE)).display()
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
