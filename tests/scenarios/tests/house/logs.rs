//! Asks whose readers stop reading, whose store fails, whose process dies: what the log and the
//! state of an ask hold up against.

use anyhow::{Context, Result};
use futures::future::join_all;
use quarry_scenarios::client::{self, Event};
use quarry_scenarios::invariants;
use quarry_scenarios::quarry::{self, Quarry, Setup};
use quarry_sse::Parser;
use quarry_test_provider::{Match, Phase, Reply, Script, Split};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

const QUESTION: &str = "What is six times seven?";

/// So long an ask waits for its place. What took less was not begun for want of an answer.
const PATIENCE: Duration = Duration::from_millis(500);

/// The files of the stores, opened by somebody else.
struct Stores {
    key_value: Connection,
    sqlite: Connection,
}

impl Stores {
    fn of(quarry: &Quarry) -> Self {
        let open = |file| Connection::open(quarry.state.path().join(file)).unwrap();
        let key_value = open("sqlite_key_value.db");
        // As Spin makes it, in case that nobody has needed it yet.
        let table = "CREATE TABLE IF NOT EXISTS spin_key_value (
            store TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (store, key)
        )";
        key_value.execute_batch(table).unwrap();
        Stores { key_value, sqlite: open("sqlite_db.db") }
    }

    fn tables(&self) -> [(&Connection, &'static str); 3] {
        [
            (&self.key_value, "spin_key_value"),
            (&self.sqlite, "log_value"),
            (&self.sqlite, "ask_place"),
        ]
    }

    /// From now on nothing can be written, as on a full disk.
    fn fill(&self) {
        self.tables().into_iter().for_each(fill);
    }

    fn empty(&self) {
        self.tables().into_iter().for_each(empty);
    }

    /// From now on nobody else can write.
    fn lock(&self) {
        for store in [&self.key_value, &self.sqlite] {
            store.execute_batch("BEGIN EXCLUSIVE").unwrap();
        }
    }

    fn unlock(&self) {
        for store in [&self.key_value, &self.sqlite] {
            store.execute_batch("COMMIT").unwrap();
        }
    }
}

fn fill((store, table): (&Connection, &str)) {
    for event in ["INSERT", "UPDATE"] {
        let full = format!(
            "CREATE TRIGGER full_{table}_{event} BEFORE {event} ON {table}
             BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END"
        );
        store.execute_batch(&full).unwrap();
    }
}

fn empty((store, table): (&Connection, &str)) {
    for event in ["INSERT", "UPDATE"] {
        store.execute_batch(&format!("DROP TRIGGER full_{table}_{event}")).unwrap();
    }
}

async fn joined(quarry: &Quarry, id: &str, after: u64) -> Vec<Event> {
    let url = format!("{}/ask/{id}/events?after={after}", quarry.url);
    let open = client::get(&url, &[("accept", "text/event-stream")]).await.unwrap();
    if open.status == 204 { Vec::new() } else { open.events().await.unwrap() }
}

fn id_of(event: &Event) -> String {
    event.data["id"].as_str().unwrap().to_owned()
}

async fn resume(quarry: &Quarry, id: &str) -> client::Open {
    let context = json!({ "id": id });
    let body = json!({ "continuation": true, "continuationContext": context }).to_string();
    let headers = [("accept", "application/json")];
    client::send("POST", &format!("{}/ask", quarry.url), &headers, body).await.unwrap()
}

/// An ask whose client reads until `init` and then no more, with a small receive buffer.
async fn stuck(quarry: &Quarry) -> Result<(TcpStream, Vec<u8>, String)> {
    let address = quarry.url.strip_prefix("http://").context("plain HTTP")?;
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(4_096)?;
    let mut stream = socket.connect(address.parse()?).await?;
    let body = json!({ "query": QUESTION, "stream": true }).to_string();
    let head = format!(
        "POST /ask HTTP/1.0\r\nhost: {address}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    let (mut seen, mut chunk) = (Vec::new(), [0; 512]);
    loop {
        let read = stream.read(&mut chunk).await?;
        seen.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&seen).into_owned();
        let init =
            text.split("event: init\ndata: ").nth(1).and_then(|rest| rest.split_once("\n\n"));
        if let Some((init, _)) = init {
            let init: Value = serde_json::from_str(init)?;
            return Ok((stream, seen, init["id"].as_str().context("an id")?.to_owned()));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_stops_reading_stops_nothing() {
    let answer = "word ".repeat(1_200_000);
    let long = Reply::text(answer.as_str()).split(Split::Frames);
    let script = Script::ordinary().first(Match::Phase(Phase::Synthesis), [long]);
    let quarry = Setup::new(script).start().await.unwrap();
    let (mut stream, mut seen, id) = stuck(&quarry).await.unwrap();
    // Somebody else reads the whole ask meanwhile.
    let all = joined(&quarry, &id, 0).await;
    assert_eq!(all.last().unwrap().name, "complete");
    assert_eq!(invariants::of_stream(&all), Vec::<String>::new());
    // The first reads on, and has missed nothing.
    stream.read_to_end(&mut seen).await.unwrap();
    let start = seen.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
    let (mut parser, mut read) = (Parser::new(32 << 20), Vec::new());
    parser
        .push(&seen[start..], |event| read.push((event.id.to_owned(), event.data.to_owned())))
        .unwrap();
    let expected: Vec<_> =
        all.into_iter().map(|event| (event.sequence.to_string(), event.raw)).collect();
    assert!(read == expected, "{} events of {}", read.len(), expected.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_store_leaves_no_hole_in_the_log() {
    let plan = Reply::json(&json!({ "research_questions": ["a"], "complexity_assessment": "low" }));
    let held = Reply::text("The answer, in the end.").hold("answer");
    let script = Script::ordinary()
        .first(Match::Phase(Phase::Planning), [plan.hold("plan")])
        .first(Match::Phase(Phase::Synthesis), [held]);
    let quarry = Setup::new(script).start().await.unwrap();
    let mut open = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
    let id = id_of(&open.until("init").await.unwrap());
    quarry.provider.holding("plan", 1).await;
    let stores = Stores::of(&quarry);
    stores.fill();
    quarry.provider.release("plan");
    // The research goes on to its answer though nothing of it can be written.
    quarry.provider.holding("answer", 1).await;
    stores.empty();
    quarry.provider.release("answer");
    assert_eq!(open.until("complete").await.unwrap().name, "complete");
    let all = joined(&quarry, &id, 0).await;
    assert_eq!(invariants::of_stream(&all), Vec::<String>::new());
    assert_eq!(all.last().unwrap().name, "complete");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_is_full_of_everything_ends_no_ask() {
    let plan = Reply::json(&json!({ "research_questions": ["a"], "complexity_assessment": "low" }));
    let script = Script::ordinary().first(Match::Phase(Phase::Planning), [plan.hold("plan")]);
    let quarry = Setup::new(script).start().await.unwrap();
    let mut open = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
    open.until("init").await.unwrap();
    quarry.provider.holding("plan", 1).await;
    let stores = Stores::of(&quarry);
    stores.fill();
    // What could not be written cannot be told of, either.
    if !quarry.fill_output() {
        return;
    }
    quarry.provider.release("plan");
    open.until("complete").await.unwrap();
    // Nor does it end those who begin now.
    let open = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
    assert_eq!(open.events().await.unwrap().last().unwrap().name, "complete");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_store_keeps_nobody_from_an_answer() {
    let plan = Reply::json(&json!({ "research_questions": ["a"], "complexity_assessment": "low" }));
    let script = Script::ordinary().first(Match::Phase(Phase::Planning), [plan.hold("plan")]);
    let quarry = Setup::new(script).start().await.unwrap();
    let mut open = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
    let id = id_of(&open.until("init").await.unwrap());
    quarry.provider.holding("plan", 1).await;
    let stores = Stores::of(&quarry);
    stores.lock();
    quarry.provider.release("plan");
    // An ask that needed its store would never get there.
    open.until("complete").await.unwrap();
    stores.unlock();
    let all = joined(&quarry, &id, 0).await;
    assert_eq!(invariants::of_stream(&all), Vec::<String>::new());
    assert_eq!(all.last().unwrap().name, "complete", "{:?}", all.last());
}

/// An ask that is killed while its second iteration is awaited.
async fn killed() -> (Quarry, String) {
    let held = Reply::text("Enough.").hold("second");
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), [held]);
    let quarry = Setup::new(script).start().await.unwrap();
    let mut open = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
    let id = id_of(&open.until("init").await.unwrap());
    quarry.provider.holding("second", 1).await;
    // Something of its log is there when somebody reads it.
    let url = format!("{}/ask/{id}/events", quarry.url);
    let mut reader = client::get(&url, &[("accept", "text/event-stream")]).await.unwrap();
    reader.until("init").await.unwrap();
    let quarry = quarry.restart().await.unwrap();
    quarry.provider.set_script(Script::ordinary());
    (quarry, id)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_crash_at_most_one_call_is_paid_for_again_and_it_is_shown() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let open = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
    open.events().await.unwrap();
    let undisturbed = quarry.provider.calls().len();
    let (quarry, id) = killed().await;
    // Until its stream says so, nobody can tell that no other process goes on with it.
    assert_eq!(joined(&quarry, &id, 0).await.last().unwrap().data["type"], "interrupted");
    let answer = resume(&quarry, &id).await;
    assert_eq!(answer.status, 200);
    let answer = answer.json().await.unwrap();
    assert_eq!(quarry.provider.calls().len(), undisturbed + 1);
    let costs = &answer["costSummary"];
    let lost = costs["unsettledCalls"].as_array().map(Vec::len);
    assert_eq!(lost, Some(1), "{costs}");
    assert_eq!(costs["stepCosts"].as_array().map(Vec::len), Some(undisturbed));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ask_that_has_ended_cannot_be_resumed() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let mut open = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
    let id = id_of(&open.until("init").await.unwrap());
    open.until("complete").await.unwrap();
    assert_eq!(joined(&quarry, &id, 0).await.last().unwrap().name, "complete");
    let calls = quarry.provider.calls().len();
    assert_eq!(resume(&quarry, &id).await.status, 404);
    // Nor after a crash that came before its state could be deleted.
    let quarry = quarry.restart().await.unwrap();
    assert_eq!(resume(&quarry, &id).await.status, 404);
    assert_eq!(quarry.provider.calls().len(), calls);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_ask_is_gone_on_with_though_its_provider_wrote_on_and_its_state_was_kept_late() {
    let answer = Reply::text("Six times seven is forty-two.").pieces_of(4).hold_midway("answer");
    let script = Script::ordinary().first(Match::Phase(Phase::Synthesis), [answer]);
    let quarry = Setup::new(script).start().await.unwrap();
    let mut open = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
    let id = id_of(&open.until("init").await.unwrap());
    quarry.provider.holding("answer", 1).await;
    let stores = Stores::of(&quarry);
    let states = (&stores.key_value, "spin_key_value");
    fill(states);
    let stop = format!("{}/ask/{id}/stop", quarry.url);
    let stopped = client::send("POST", &stop, &[], String::new()).await.unwrap();
    assert!(stopped.status.is_success(), "{}", stopped.status);
    open.until("complete").await.unwrap();
    quarry.provider.release("answer");
    empty(states);
    quarry.until_stored(&format!("log/{id}/continuation")).await.unwrap();
    assert_eq!(resume(&quarry, &id).await.status, 200);
}

/// Gives everything of an ask to one that was born, and died, twenty minutes earlier.
pub(crate) fn aged(store: &Connection, id: &str) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    let then = now - 1_200_000;
    let old = format!("{then:012x}{}", &id[12..]);
    let rename = "UPDATE log_value SET log = ?2 WHERE log = ?1";
    store.execute(rename, [id, old.as_str()]).unwrap();
    store.execute("DELETE FROM log_value WHERE place = 'alive'", []).unwrap();
    let parts = "SELECT place, value FROM log_value WHERE place LIKE 'log/%'";
    let mut parts = store.prepare(parts).unwrap();
    let rows = parts.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let rows: Vec<(String, Vec<u8>)> = rows.collect::<Result<_, _>>().unwrap();
    for (place, value) in rows {
        let text = String::from_utf8(value).unwrap();
        let (header, records) = text.split_once('\n').unwrap();
        let mut words: Vec<&str> = header.split(' ').collect();
        let written = then.to_string();
        words[3] = &written;
        let value = format!("{}\n{records}", words.join(" ")).into_bytes();
        let set = "UPDATE log_value SET value = ?2 WHERE place = ?1";
        store.execute(set, rusqlite::params![place, value]).unwrap();
    }
    old
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_number_of_a_reader_gets_into_no_log() {
    for after in [u64::MAX, u64::MAX - 1, 0] {
        let (quarry, id) = killed_in_the_open().await;
        let id = aged(&Stores::of(&quarry).sqlite, &id);
        let read = joined(&quarry, &id, after).await;
        assert!(after == 0 || read.is_empty(), "{read:?}");
        // Everybody reads the same end, with the number that follows.
        let all = joined(&quarry, &id, 0).await;
        let last = all.last().unwrap();
        assert_eq!(last.data["type"], "interrupted");
        assert_eq!(invariants::of_stream(&all), Vec::<String>::new());
        assert_eq!(joined(&quarry, &id, 0).await, all);
        assert_eq!(joined(&quarry, &id, last.sequence).await, Vec::new());
    }
}

/// One that has written something of its log before it is killed.
async fn killed_in_the_open() -> (Quarry, String) {
    let held = Reply::text("{}").hold("plan");
    let script = Script::ordinary().first(Match::Phase(Phase::Planning), [held]);
    let quarry = Setup::new(script).start().await.unwrap();
    let mut open = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
    let id = id_of(&open.until("init").await.unwrap());
    quarry.provider.holding("plan", 1).await;
    let url = format!("{}/ask/{id}/events", quarry.url);
    let mut reader = client::get(&url, &[("accept", "text/event-stream")]).await.unwrap();
    reader.until("init").await.unwrap();
    (quarry.restart().await.unwrap(), id)
}

/// By Spin's newer list whoever lists waits for whoever wants the store meanwhile, and that one for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_lists_many_keys_keeps_nobody_from_the_store() {
    let mut setup = Setup::new(Script::ordinary());
    setup.stores = quarry::Stores::KeyValue;
    let quarry = setup.start().await.unwrap();
    let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO spin_key_value SELECT 'default', 'other/' || i, x'00' FROM n";
    Stores::of(&quarry).key_value.execute_batch(many).unwrap();
    // The first that ends looks for what is old, among all keys.
    let asks = (0..8).map(async |_| {
        let open = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
        open.events().await.unwrap().last().unwrap().name.clone()
    });
    assert!(join_all(asks).await.iter().all(|last| last == "complete"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_more_asks_are_under_way_than_may_be() {
    use quarry::Stores;
    for stores in [Stores::All, Stores::InMemory, Stores::KeyValue] {
        let mut tries = 0..quarry::FOR_A_PLACE;
        while !refuses_the_third(stores).await {
            assert!(tries.next().is_some(), "{stores:?}: a third always begins");
        }
    }
}

/// False: a third began where a store was slow for a moment. Asks that wait too long for a place begin without one, and a
/// machine may stop at any time; so only where all of them were quick is a third one a mistake, and that the first time.
async fn refuses_the_third(stores: quarry::Stores) -> bool {
    let held = Reply::text("The answer.").hold("answer");
    let script = Script::ordinary().first_always(Match::Phase(Phase::Synthesis), held);
    let mut setup = Setup::new(script).variable("max_asks", "2");
    setup.stores = stores;
    let quarry = setup.start().await.unwrap();
    let body = json!({ "query": QUESTION });
    let (mut open, mut was_slow) = (Vec::new(), false);
    for _ in 0..2 {
        let sent = Instant::now();
        open.push(client::ask(&quarry.url, &body).await.unwrap());
        was_slow |= sent.elapsed() >= PATIENCE;
    }
    let began = |sent: Instant| {
        assert!(was_slow || sent.elapsed() >= PATIENCE, "{stores:?}: a third began at once");
    };
    quarry.provider.holding("answer", 2).await;
    let calls = quarry.provider.calls().len();
    let url = format!("{}/ask", quarry.url);
    let sent = Instant::now();
    let refused = tokio::select! {
        refused = client::send("POST", &url, &[], body.to_string()) => refused.unwrap(),
        () = quarry.provider.holding("answer", 3) => {
            began(sent);
            return false;
        }
    };
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, Some("5")));
    assert_eq!(refused.json().await.unwrap()["error"]["type"], "busy");
    let sent = Instant::now();
    let streamed = client::ask(&quarry.url, &body).await.unwrap();
    let streamed = tokio::select! {
        streamed = streamed.events() => streamed.unwrap(),
        () = quarry.provider.holding("answer", 3) => {
            began(sent);
            return false;
        }
    };
    assert_eq!(streamed.last().unwrap().data["type"], "busy");
    assert_eq!(quarry.provider.calls().len(), calls, "nothing is paid for");
    quarry.provider.release("answer");
    for open in open {
        let events = open.events().await.unwrap();
        assert_eq!(events.last().unwrap().name, "complete");
        // Wherever it lies, the log can be read by whoever comes later.
        let id = id_of(events.iter().find(|event| event.name == "init").unwrap());
        assert_eq!(joined(&quarry, &id, 0).await, events, "{stores:?}");
    }
    true
}
