//! Loads whose process is killed by SIGKILL: whoever comes then finds the old state whole, or the new one; the load is
//! sent again, and ends as if nobody had been killed; and what was paid for and kept is not paid for again.

#![cfg(unix)]

mod victim;

use quarry_demo_web::DemoWeb;
use quarry_scenarios::client;
use quarry_scenarios::quarry::surroundings;
use quarry_test_provider::{Match, Phase, Reply, Script, ScriptedProvider};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use victim::{Point, Process};

const FORM: (&str, &str) = ("content-type", "multipart/form-data; boundary=3f9a");
const SMALL: &str = "openai:text-embedding-3-small";
const EMBEDDING: Match = Match::Phase(Phase::Embedding);
const HELD: &str = "a batch in the middle";

/// What is asked of each state: of the old text, of the new one, of what is new, of what stays.
const QUESTIONS: [&str; 4] = ["quay12", "berth250", "skiff", "whale oil"];

/// Files by their names.
type Files = Vec<(&'static str, String)>;

/// What was there before.
fn old() -> Files {
    let section = |at: usize| format!("## Part {at}\n\nQuay{at} has its bollard{at}.\n\n");
    let harbour: String = (0..30).map(section).collect();
    vec![
        ("fees.md", "# Fees\n\nDemurrage is due beyond the free time.\n".to_owned()),
        ("harbour.md", format!("# Harbour\n\n{harbour}")),
        ("lamp.md", "# Lamp\n\nThe beacon burns whale oil.\n".to_owned()),
    ]
}

/// What is loaded: the harbour anew, in more than one statement and many calls to a provider, and a document beside it.
fn new() -> Files {
    let section = |at: usize| {
        let filler = "θάλασσα ".repeat(110);
        format!("## Part {at}\n\nBerth{at} has its crane{at}. {filler}\n\n")
    };
    let harbour: String = (0..320).map(section).collect();
    vec![
        ("harbour.md", format!("# Harbour\n\n{harbour}")),
        ("small.md", "# Small\n\nA skiff lies by the pier.\n".to_owned()),
    ]
}

/// Where a load is when its process is killed.
#[derive(Debug, Clone, Copy)]
enum At {
    /// At a statement.
    Statement(Point),
    /// A provider has been asked for vectors, and has not answered.
    Embedding,
}

/// What readers find then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Finds {
    Old,
    /// The first document is the new one, and the second is not there yet.
    Between,
    /// All, but meaning may still be learned.
    New,
}

/// A process that does nothing more, and the load that waits for it.
type Stopped = (Process, JoinHandle<Option<Value>>);

/// A file with everything around it, on which processes follow one another.
struct World {
    provider: ScriptedProvider,
    _web: DemoWeb,
    state: TempDir,
    variables: BTreeMap<String, String>,
}

impl World {
    async fn new(model: Option<&str>) -> World {
        let provider = ScriptedProvider::start(Script::ordinary()).await.unwrap();
        let web = DemoWeb::start().await.unwrap();
        let model = model.map(|model| ("embedding_model".to_owned(), model.to_owned()));
        let given = model.into_iter().collect();
        let variables = surroundings(provider.address(), web.address(), given);
        World { provider, _web: web, state: tempfile::tempdir().unwrap(), variables }
    }

    /// One more with what is in this one.
    async fn copied(&self, model: Option<&str>) -> World {
        let world = World::new(model).await;
        copy(self.state.path(), world.state.path());
        world
    }

    async fn process(&self, point: Option<Point>) -> Process {
        Process::start(self.state.path(), &self.variables, point).await
    }

    /// A process that has come there with a load, and no further.
    async fn stopped(&self, at: At) -> Stopped {
        let point = match at {
            At::Statement(point) => Some(point),
            At::Embedding => {
                let about = Match::All(vec![EMBEDDING, Match::Text("crane150.".to_owned())]);
                let held = [Reply::default().hold(HELD)];
                self.provider.set_script(Script::ordinary().first(about, held));
                None
            }
        };
        let process = self.process(point).await;
        let sent = tokio::spawn(load(process.url.clone(), new()));
        match point {
            Some(_) => process.stopped().await,
            None => self.provider.holding(HELD, 1).await,
        }
        (process, sent)
    }

    /// Kills it. Gives the texts that it asked to be embedded, call by call.
    async fn kills(&self, (process, sent): Stopped, at: At) -> Vec<Vec<String>> {
        process.kill().await;
        assert_eq!(sent.await.unwrap(), None, "{at:?}: nobody was told that it was done");
        let asked = self.asked();
        self.bury();
        self.provider.forget();
        self.provider.set_script(Script::ordinary());
        asked
    }

    fn database(&self) -> Connection {
        let database = Connection::open(self.state.path().join("sqlite_db.db")).unwrap();
        database.busy_timeout(std::time::Duration::from_secs(60)).unwrap();
        database
    }

    /// Whoever was paying for something is dead: others need not wait until its time is over.
    fn bury(&self) {
        let ends = "UPDATE knowledge_embedding_claim SET until = 0; UPDATE knowledge_embedder SET until = 0";
        self.database().execute_batch(ends).unwrap();
    }

    /// What was staged is of long ago.
    fn age(&self) {
        let ages = "UPDATE knowledge_document SET staged_at = 0 WHERE live = 0;
                    UPDATE knowledge_blob SET staged_at = 0 WHERE live = 0";
        self.database().execute_batch(ages).unwrap();
    }

    /// Rows by table.
    fn rows(&self) -> BTreeMap<&'static str, i64> {
        let database = self.database();
        let count = |table| {
            let count = format!("SELECT count(*) FROM knowledge_{table}");
            (table, database.query_row(&count, [], |row| row.get(0)).unwrap())
        };
        let tables = ["document", "chunk", "blob", "piece", "embedding", "embedding_use"];
        tables.into_iter().chain(["embedding_claim", "embedder"]).map(count).collect()
    }

    /// Texts that the provider was asked to embed, call by call; of documents.
    fn asked(&self) -> Vec<Vec<String>> {
        let calls = self.provider.calls();
        let inputs = calls.iter().map(|call| call.inputs());
        let texts = inputs.map(|texts| texts.into_iter().map(str::to_owned).collect::<Vec<_>>());
        texts.filter(|texts| !QUESTIONS.contains(&texts[0].as_str())).collect()
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            std::fs::create_dir(&to).unwrap();
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

async fn get(url: &str, path: &str) -> Value {
    let open = client::get(&format!("{url}/knowledge{path}"), &[]).await.unwrap();
    assert_eq!(open.status, 200, "{path}");
    open.json().await.unwrap()
}

/// Loads files; none: whoever served them is gone.
async fn load(url: String, files: Files) -> Option<Value> {
    let part = |(name, text): (&str, String)| {
        format!(
            "--3f9a\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             Content-Type: text/markdown\r\n\r\n{text}\r\n"
        )
    };
    let form = files.into_iter().map(part).collect::<String>() + "--3f9a--\r\n";
    let url = format!("{url}/knowledge/documents");
    client::send("POST", &url, &[FORM], form).await.ok()?.json().await.ok()
}

/// Everything that readers are told of a collection but times and costs, and that it fits together.
async fn seen(process: &Process) -> Value {
    let url = process.url.as_str();
    let mut stats = get(url, "/collections/default/stats").await;
    let mut documents = get(url, "/documents?limit=100").await["documents"].take();
    let mut chunks = Vec::new();
    for document in documents.as_array_mut().unwrap() {
        let (mut of_it, mut from) = (Vec::new(), Some(0));
        while let Some(next) = from {
            let path = format!("/documents/{}/chunks", document["id"].as_str().unwrap());
            let page = get(url, &format!("{path}?limit=100&from={next}")).await;
            of_it.extend(page["chunks"].as_array().unwrap().iter().cloned());
            from = page["next"].as_u64();
        }
        assert_eq!(document["chunks"], of_it.len(), "{document}");
        chunks.push(of_it);
        document.as_object_mut().unwrap().remove("loaded_at").unwrap();
    }
    let all: usize = chunks.iter().map(Vec::len).sum();
    assert_eq!(stats["chunks"], all, "{stats}");
    let known = stats.as_object_mut().unwrap();
    let differs = ["created_at", "updated_at", "version", "paid", "reindex"];
    known.retain(|name, _| !differs.contains(&name.as_str()));
    if let Some(embedding) = stats["embedding"].as_object_mut() {
        embedding.retain(|name, _| !["tokens", "cost"].contains(&name.as_str()));
    }
    json!({ "stats": stats, "documents": documents, "chunks": chunks })
}

/// The same without what is made of all documents together, and comes behind the last.
fn without_index(mut seen: Value) -> Value {
    let stats = seen["stats"].as_object_mut().unwrap();
    stats.retain(|name, _| !["index_bytes", "segments", "trained_on"].contains(&name.as_str()));
    seen
}

/// Where two values differ first, with what stands there.
fn difference(one: &Value, other: &Value) -> Option<String> {
    let shown = |value: &Value| value.to_string().chars().take(300).collect::<String>();
    let inner = |name: &str, one: &Value, other: &Value| {
        difference(one, other).map(|inner| format!("{name}/{inner}"))
    };
    match (one, other) {
        (Value::Object(one), Value::Object(other)) if one.keys().eq(other.keys()) => {
            one.iter().find_map(|(name, value)| inner(name, value, &other[name]))
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            (0..).zip(one).find_map(|(at, value)| inner(&at.to_string(), value, &other[at]))
        }
        _ => (one != other).then(|| format!(": {} is not {}", shown(one), shown(other))),
    }
}

/// What questions find.
async fn found(process: &Process) -> Vec<Value> {
    let mut found = Vec::new();
    for query in QUESTIONS {
        let url = format!("{}/knowledge/search", process.url);
        let body = json!({ "query": query, "threshold": 0 }).to_string();
        let open = client::send("POST", &url, &[], body).await.unwrap();
        assert_eq!(open.status, 200, "{query}");
        let mut answer = open.json().await.unwrap();
        assert_eq!(answer.get("notes"), None, "{answer}");
        found.push(answer["chunks"].take());
    }
    found
}

/// What a load ends with that nobody interrupts.
struct End {
    seen: Value,
    found: Value,
    /// Texts that it paid for.
    paid: BTreeSet<String>,
    rows: BTreeMap<&'static str, i64>,
}

impl End {
    /// That of a process which has loaded everything.
    async fn of(world: &World, process: Process) -> End {
        let paid: Vec<String> = world.asked().concat();
        let distinct: BTreeSet<String> = paid.iter().cloned().collect();
        assert_eq!(distinct.len(), paid.len(), "each text is paid for once");
        let (seen, found) = (seen(&process).await, json!(found(&process).await));
        process.kill().await;
        End { seen, found, paid: distinct, rows: world.rows() }
    }

    /// Sends a load again that was killed there, of whose documents so many are there already.
    async fn is_reached(&self, process: &Process, there: u64, at: At) {
        let loaded = load(process.url.clone(), new()).await.unwrap();
        assert_eq!((&loaded["failed"], &loaded["unchanged"]), (&json!(0), &json!(there)), "{at:?}");
        assert_eq!(difference(&seen(process).await, &self.seen), None, "{at:?}");
        let found = json!(found(process).await);
        assert_eq!(difference(&found, &self.found), None, "{at:?}");
    }

    /// Whatever was left is gone when it is old, and everything is loaded once more.
    async fn is_all(&self, world: &World, process: Process, at: At) {
        world.age();
        let again = load(process.url.clone(), new()).await.unwrap();
        assert_eq!(again["unchanged"], 2, "{again}");
        assert_eq!(world.rows(), self.rows, "{at:?}: nothing else is left");
        process.kill().await;
    }
}

/// A load that nobody interrupts.
struct Undisturbed {
    before: World,
    /// What is seen of each state but the last, from [`Finds::Old`] on.
    seen: [Value; 2],
    old_found: Value,
    end: End,
}

impl Undisturbed {
    async fn load(model: Option<&str>) -> Undisturbed {
        let before = World::new(model).await;
        let process = before.process(None).await;
        assert_eq!(load(process.url.clone(), old()).await.unwrap()["failed"], 0);
        let (old, old_found) = (seen(&process).await, json!(found(&process).await));
        process.kill().await;
        let world = before.copied(model).await;
        let process = world.process(None).await;
        let first = new().into_iter().take(1).collect();
        assert_eq!(load(process.url.clone(), first).await.unwrap()["failed"], 0);
        let between = seen(&process).await;
        process.kill().await;

        let world = before.copied(model).await;
        let process = world.process(None).await;
        let loaded = load(process.url.clone(), new()).await.unwrap();
        assert_eq!((&loaded["failed"], &loaded["unchanged"]), (&json!(0), &json!(0)), "{loaded}");
        let end = End::of(&world, process).await;
        Undisturbed { before, seen: [old, between], old_found, end }
    }

    /// Kills a load there, and sends it again.
    async fn killed(&self, model: Option<&str>, at: At, finds: Finds) {
        let world = self.before.copied(model).await;
        let stopped = world.stopped(at).await;
        self.reads(&stopped.0, finds, at).await;
        let first = world.kills(stopped, at).await;

        let process = world.process(None).await;
        self.reads(&process, finds, at).await;
        self.end.is_reached(&process, finds as u64, at).await;
        self.check_paid(first, &world.asked().concat(), at);
        self.end.is_all(&world, process, at).await;
    }

    async fn reads(&self, process: &Process, finds: Finds, at: At) {
        let state = self.seen.get(finds as usize).unwrap_or(&self.end.seen);
        let mut told = [seen(process).await, state.clone()];
        if finds != Finds::Old {
            told = told.map(without_index);
        }
        assert_eq!(difference(&told[0], &told[1]), None, "{at:?}");
        let found = found(process).await;
        if finds == Finds::Old {
            assert_eq!(difference(&json!(found), &self.old_found), None, "{at:?}");
            return;
        }
        let best = |nth: usize| found[nth][0]["title"].as_str().unwrap_or_default();
        assert_eq!((best(1), best(3)), ("Harbour", "Lamp"), "{at:?}");
        assert!(found[0].as_array().unwrap().iter().all(|chunk| chunk["title"] != "Harbour"
            || !chunk["text"].as_str().unwrap().contains("bollard")));
    }

    /// What was kept is not asked for again; only a call whose answer did not come to be kept is.
    fn check_paid(&self, first: Vec<Vec<String>>, again: &[String], at: At) {
        let is_lost = match at {
            At::Embedding => true,
            At::Statement(point) => point == Point::before("keep vectors", 3),
        };
        let lost = first.last().filter(|_| is_lost).cloned().unwrap_or_default();
        let first = first.concat();
        let kept: BTreeSet<&String> = first.iter().filter(|text| !lost.contains(text)).collect();
        let twice: Vec<&String> = again.iter().filter(|text| kept.contains(text)).collect();
        assert!(twice.is_empty(), "{at:?}: paid for again: {twice:?}");
        let all: BTreeSet<String> = first.iter().chain(again).cloned().collect();
        let paid = &self.end.paid;
        assert_eq!(all, *paid, "{at:?}");
        assert_eq!(first.len() + again.len(), paid.len() + lost.len(), "{at:?}");
    }
}

const fn before(statement: &'static str, nth: usize) -> At {
    At::Statement(Point::before(statement, nth))
}

const fn behind(statement: &'static str, nth: usize) -> At {
    At::Statement(Point::behind(statement, nth))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_load_with_embeddings_that_is_killed_leaves_the_old_state_and_pays_for_the_rest_alone() {
    let undisturbed = Undisturbed::load(Some(SMALL)).await;
    for (at, finds) in [
        (before("stage document", 1), Finds::Old),
        (before("stage chunks", 1), Finds::Old),
        (before("stage chunks", 2), Finds::Old),
        (behind("claim texts", 1), Finds::Old),
        (At::Embedding, Finds::Old),
        (before("keep vectors", 3), Finds::Old),
        (behind("keep vectors", 3), Finds::Old),
        (before("note their use", 1), Finds::Old),
        (before("stage a piece", 1), Finds::Old),
        (before("commit", 1), Finds::Old),
        (behind("commit", 1), Finds::Between),
        (behind("stage document", 2), Finds::Between),
        (behind("commit", 2), Finds::New),
    ] {
        undisturbed.killed(Some(SMALL), at, finds).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_load_without_embeddings_that_is_killed_can_be_sent_again() {
    let undisturbed = Undisturbed::load(None).await;
    for (at, finds) in [
        (before("stage document", 1), Finds::Old),
        (behind("stage chunks", 1), Finds::Old),
        (before("commit", 1), Finds::Old),
        (behind("commit", 1), Finds::Between),
        // Meaning is learned behind the last document.
        (before("commit", 3), Finds::New),
        (behind("commit", 3), Finds::New),
    ] {
        undisturbed.killed(None, at, finds).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_of_model_that_is_killed_goes_on_where_it_was() {
    let large = Some("openai:text-embedding-3-large");
    let old_world = World::new(Some(SMALL)).await;
    let process = old_world.process(None).await;
    assert_eq!(load(process.url.clone(), new()).await.unwrap()["loaded"], 2);
    let old = seen(&process).await;
    process.kill().await;
    // Whoever sends the same documents again has all of them embedded anew.
    let world = old_world.copied(large).await;
    let process = world.process(None).await;
    assert_eq!(load(process.url.clone(), new()).await.unwrap()["unchanged"], 2);
    let end = End::of(&world, process).await;
    assert!(end.paid.len() > 300);
    assert_eq!(end.seen["stats"]["embedding"]["model"], "openai:text-embedding-3-large");

    for (at, is_done) in [
        (behind("claim texts", 1), false),
        (behind("keep vectors", 3), false),
        (before("commit", 1), false),
        (behind("commit", 1), true),
    ] {
        let world = old_world.copied(large).await;
        let stopped = world.stopped(at).await;
        let first = world.kills(stopped, at).await;
        let process = world.process(None).await;
        let state = if is_done { &end.seen } else { &old };
        assert_eq!(difference(&seen(&process).await, state), None, "{at:?}");
        end.is_reached(&process, 2, at).await;
        let paid = [first, world.asked()].concat().concat();
        assert_eq!(paid.len(), end.paid.len(), "{at:?}: each is paid for once");
        assert_eq!(paid.into_iter().collect::<BTreeSet<_>>(), end.paid, "{at:?}");
        end.is_all(&world, process, at).await;
    }
}
