//! Loads that meet what goes wrong: bodies that break off or trickle, a database that is full or held, clients that
//! leave, a model that is changed in the middle. What was there stays there, and with the cause gone the load goes on.

use crate::requests::finds;
use bytes::Bytes;
use quarry_scenarios::client::{self, Open};
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Match, Phase, Reply, Script};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const FORM: (&str, &str) = ("content-type", "multipart/form-data; boundary=3f9a");
const LINES: (&str, &str) = ("accept", "application/x-ndjson");
const LOAD: &str = "POST /knowledge/documents";
const EMBEDDING: Match = Match::Phase(Phase::Embedding);

async fn start(variables: &[(&str, &str)]) -> Quarry {
    let setup = variables
        .iter()
        .fold(Setup::new(Script::ordinary()), |setup, (name, value)| setup.variable(name, value));
    setup.start().await.unwrap()
}

async fn send(quarry: &Quarry, line: &str, headers: &[(&str, &str)], body: String) -> Open {
    client::by_line(&quarry.url, line, headers, body).await.unwrap()
}

async fn json(quarry: &Quarry, line: &str, body: &Value) -> (u16, Value) {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let open = send(quarry, line, &[], body).await;
    (open.status.as_u16(), open.json().await.unwrap())
}

/// Files as browsers send them.
fn form(files: &[(&str, &str)]) -> String {
    let part = |(name, text): &(&str, &str)| {
        format!(
            "--3f9a\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             Content-Type: text/markdown\r\n\r\n{text}\r\n"
        )
    };
    files.iter().map(part).collect::<String>() + "--3f9a--\r\n"
}

async fn load(quarry: &Quarry, files: &[(&str, &str)]) -> Value {
    let open = send(quarry, LOAD, &[FORM], form(files)).await;
    assert_eq!(open.status, 200);
    open.json().await.unwrap()
}

/// Documents that take some time.
fn many(count: usize) -> Vec<(String, String)> {
    let text = |n| format!("# number{n}\n\n{}", format!("Word{n} stands here.\n\n").repeat(400));
    (0..count).map(|n| (format!("{n}.md"), text(n))).collect()
}

fn named(files: &[(String, String)]) -> Vec<(&str, &str)> {
    files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect()
}

async fn stats(quarry: &Quarry) -> Value {
    json(quarry, "GET /knowledge/collections/default/stats", &Value::Null).await.1
}

async fn documents(quarry: &Quarry) -> u64 {
    stats(quarry).await["documents"].as_u64().unwrap()
}

const TWO: [(&str, &str); 2] = [
    ("fees.md", "# Fees\n\nDemurrage is due when a container stays beyond its free time.\n"),
    ("lamp.md", "# Lamp\n\nThe beacon burns whale oil and shines across the strait.\n"),
];

fn error(one: &Value) -> &str {
    one["error"].as_str().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_form_that_breaks_off_is_refused_as_a_whole_with_the_place() {
    let quarry = start(&[]).await;
    let whole = form(&TWO);
    let at = |text: &str| whole.find(text).unwrap();
    let places = [
        ("in the first boundary", 3, ""),
        ("in a head", at("filename") + 4, ""),
        ("in a line's end", at("\r\nContent-Type") + 1, ""),
        ("in a text", at("container"), "fees.md"),
        ("in a boundary between files", at("\r\n--3f9a\r\n") + 5, "fees.md"),
        ("in the last text", at("strait"), "lamp.md"),
        ("in the last boundary", whole.len() - 6, "lamp.md"),
        ("before the last dashes", whole.len() - 4, ""),
    ];
    for (place, end, file) in places {
        let open = send(&quarry, LOAD, &[FORM], whole[..end].to_owned()).await;
        let status = open.status;
        let refused = open.json().await.unwrap();
        let why = refused["error"]["message"].as_str().unwrap();
        assert_eq!(status, 400, "{place}: {why}");
        assert!(
            why.starts_with("the multipart/form-data ") && why.contains(file),
            "{place}: {why}"
        );
        assert_eq!(documents(&quarry).await, 0, "{place}");
    }
    let parts = format!(
        "{}--3f9a--\r\n",
        "--3f9a\r\nContent-Disposition: form-data; name=\"collection\"\r\n\r\nx\r\n".repeat(1_001)
    );
    let open = send(&quarry, LOAD, &[FORM], parts).await;
    let refused = open.json().await.unwrap();
    assert!(refused["error"]["message"].as_str().unwrap().contains("more than 1000 parts"));
    assert_eq!(load(&quarry, &TWO).await["loaded"], 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_too_much_to_be_kept_of_a_document_is_refused_or_told() {
    let quarry = start(&[]).await;
    let (long, short) = ("word ".repeat(101), "word ".repeat(90));
    let addresses = |count: usize| -> Vec<String> {
        (0..count).map(|at| format!("https://port.test/{at}")).collect()
    };
    // Who sends fields can send less of them.
    for (metadata, says) in [
        (json!({ "summary": long }), "`metadata.summary` has more than 500 characters; shorten it"),
        (
            json!({ "source_urls": addresses(33) }),
            "`metadata.source_urls` has more than 32 addresses; ",
        ),
        (
            json!({ "date": 1823, "published": 1824 }),
            "`metadata.published` says something else than",
        ),
    ] {
        let body = json!({ "markdown": "# Lamp", "metadata": metadata });
        let (status, refused) = json(&quarry, LOAD, &body).await;
        let why = refused["error"]["message"].as_str().unwrap();
        assert!(status == 400 && why.starts_with(says), "{status}: {why}");
    }
    assert_eq!(documents(&quarry).await, 0);
    let most = json!({ "summary": short, "source_urls": addresses(32) });
    let body = json!({ "markdown": "# Lamp\n\nwhale oil", "metadata": most });
    let (_, loaded) = json(&quarry, LOAD, &body).await;
    let document = &loaded["document"];
    assert_eq!(document["metadata"]["other"]["summary"], short.trim());
    assert_eq!(document["metadata"]["source_urls"], json!(addresses(32)));
    assert_eq!(document.get("notes"), None);
    // A file is as it is: what is left out of its front matter is told, now and later.
    let front = format!("---\nsummary: {long}\nsource_urls: {}\n---\n", addresses(40).join(", "));
    let text = format!("{front}# Fees\n\nDemurrage is due.\n");
    let expected = json!([
        "`summary` of the front matter has more than 500 characters: its end is left out",
        "`source_urls` of the front matter has more than 32 addresses: the rest is left out",
    ]);
    for _ in 0..2 {
        let loaded = load(&quarry, &[("fees.md", &text), TWO[1]]).await;
        assert_eq!(loaded["loaded"], 2, "{loaded}");
        assert_eq!(loaded["documents"][0]["document"]["notes"], expected, "{loaded}");
    }
}

/// What a client that ends its side of the connection is told, if anything.
async fn half(quarry: &Quarry, path: &str, framing: &str, body: &[u8]) -> String {
    let mut wire = TcpStream::connect(quarry.url.trim_start_matches("http://")).await.unwrap();
    let (name, value) = FORM;
    let head =
        format!("POST {path} HTTP/1.1\r\nhost: quarry\r\n{name}: {value}\r\n{framing}\r\n\r\n");
    wire.write_all(&[head.as_bytes(), body].concat()).await.unwrap();
    wire.shutdown().await.unwrap();
    let mut told = Vec::new();
    // A server may also just close: it was left first.
    _ = wire.read_to_end(&mut told).await;
    String::from_utf8(told).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_goes_before_its_body_has_ended_loads_nothing() {
    let quarry = start(&[]).await;
    let whole = form(&TWO).into_bytes();
    // Somebody else is served meanwhile, by the same instance.
    let others = form(&named(&many(60)));
    let part = "--3f9a\r\nContent-Disposition: form-data; name=\"collection\"\r\n\r\nothers\r\n";
    let mut served = send(&quarry, LOAD, &[FORM, LINES], format!("{part}{others}")).await;
    assert!(served.chunk().await.unwrap().is_some());
    let length = format!("content-length: {}", whole.len());
    let chunk = |end: usize| [format!("{end:x}\r\n").as_bytes(), &whole[..end], b"\r\n"].concat();
    for (framing, body) in [
        (length.as_str(), whole[..whole.len() / 2].to_vec()),
        (length.as_str(), whole[..whole.len() - 1].to_vec()),
        ("transfer-encoding: chunked", chunk(whole.len() / 2)),
        // All of it is there, but for what says that this is all.
        ("transfer-encoding: chunked", chunk(whole.len())),
    ] {
        for path in ["/knowledge/documents", "/knowledge/search", "/ask", "/v1/responses"] {
            let told = half(&quarry, path, framing, &body).await;
            let is_refused = told.starts_with("HTTP/1.1 400") && told.contains("broke off");
            assert!(told.is_empty() || is_refused, "{path} {framing}: {told}");
        }
        assert_eq!(documents(&quarry).await, 0, "{framing}");
    }
    let mut told = Vec::new();
    while let Some(more) = served.chunk().await.unwrap() {
        told.extend_from_slice(&more);
    }
    let told = String::from_utf8(told).unwrap();
    assert!(told.ends_with("\"loaded\":60,\"unchanged\":0,\"failed\":0}\n"), "{told}");
    assert!(!quarry.output().contains("instance ended"), "{}", quarry.output());
    assert_eq!(load(&quarry, &TWO).await["loaded"], 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_form_that_comes_a_byte_at_a_time_is_loaded_or_told_to_be_too_slow() {
    let quarry = start(&[]).await;
    let whole = form(&TWO).into_bytes();
    let mut wire = TcpStream::connect(quarry.url.trim_start_matches("http://")).await.unwrap();
    wire.set_nodelay(true).unwrap();
    let (name, value) = FORM;
    let head = format!(
        "POST /knowledge/documents HTTP/1.1\r\nhost: quarry\r\nconnection: close\r\n{name}: {value}\r\ncontent-length: {}\r\n\r\n",
        whole.len()
    );
    wire.write_all(head.as_bytes()).await.unwrap();
    for byte in &whole {
        wire.write_all(&[*byte]).await.unwrap();
        tokio::task::yield_now().await;
    }
    let mut told = String::new();
    wire.read_to_string(&mut told).await.unwrap();
    assert!(told.starts_with("HTTP/1.1 200") && told.contains("\"loaded\":2"), "{told}");

    // Longer than a machine stops for: others have no more time.
    let quarry = quarry.restart_with("body_timeout_seconds", "4").await.unwrap();
    let (pieces, body) = client::piecewise(1 << 20);
    let trickle = tokio::spawn(async move {
        for byte in whole.iter().cycle() {
            if pieces.send(Bytes::copy_from_slice(&[*byte])).is_err() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    let url = format!("{}/knowledge/documents", quarry.url);
    let slow = tokio::spawn(async move {
        let open = client::send_body("POST", &url, &[FORM], body).await.unwrap();
        (open.status.as_u16(), open.json().await.unwrap())
    });
    // Others notice nothing of it.
    while !slow.is_finished() {
        assert_eq!(finds(&quarry, "demurrage").await, ["Fees"]);
    }
    let (status, refused) = slow.await.unwrap();
    assert_eq!(status, 408, "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("within 4 s"), "{refused}");
    trickle.abort();
    assert_eq!(documents(&quarry).await, 2);
}

/// The database's file, opened by somebody else.
struct Other(Connection);

/// Every table that a load writes to, and how.
const WRITTEN: [(&str, &str); 5] = [
    ("knowledge_document", "INSERT"),
    ("knowledge_chunk", "INSERT"),
    ("knowledge_blob", "INSERT"),
    ("knowledge_piece", "INSERT"),
    ("knowledge_collection", "UPDATE"),
];

impl Other {
    fn of(quarry: &Quarry) -> Self {
        Other(quarry.sqlite().unwrap())
    }

    /// From now on nothing more fits into a table, as on a full disk.
    fn fill(&self, (table, event): (&str, &str)) {
        let full = format!(
            "CREATE TRIGGER full_{table} BEFORE {event} ON {table}
             BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
        );
        self.0.execute_batch(&full).unwrap();
    }

    fn empty(&self, (table, _): (&str, &str)) {
        self.0.execute_batch(&format!("DROP TRIGGER full_{table}")).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_database_keeps_what_it_has_and_says_which_document_has_no_room() {
    let quarry = start(&[]).await;
    load(&quarry, &TWO).await;
    let other = Other::of(&quarry);
    let mut before = "demurrage".to_owned();
    for (round, table) in WRITTEN.into_iter().enumerate() {
        let word = format!("lighterage{}", ["one", "two", "three", "four", "five"][round]);
        let changed = format!("# Fees\n\nThe {word} is owed instead.\n");
        let fresh = format!("{round}.md");
        let files = [("fees.md", changed.as_str()), TWO[1], (&fresh, "# New\n\nSomething else.\n")];
        other.fill(table);
        let loaded = load(&quarry, &files).await;
        let told = loaded["documents"].as_array().unwrap();
        for one in [&told[0], &told[2]] {
            let says =
                format!("{}: the database has no room left (", one["name"].as_str().unwrap());
            assert!(error(one).starts_with(&says), "{table:?}: {one}");
            assert!(error(one).contains("disk is full") && error(one).ends_with("send it again"));
        }
        assert_eq!(told[1]["change"], "unchanged", "{table:?}: {loaded}");
        assert_eq!(finds(&quarry, &before).await[0], "Fees", "{table:?}");
        assert!(finds(&quarry, &word).await.is_empty(), "{table:?}");
        other.empty(table);
        let loaded = load(&quarry, &files).await;
        assert_eq!((&loaded["loaded"], &loaded["unchanged"]), (&json!(3), &json!(1)), "{loaded}");
        assert_eq!(finds(&quarry, &word).await[0], "Fees", "{table:?}");
        assert!(finds(&quarry, &before).await.is_empty(), "{table:?}");
        before = word;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_fills_in_the_middle_of_a_load_keeps_those_that_were_told() {
    let quarry = start(&[]).await;
    let files = many(120);
    let mut open = send(&quarry, LOAD, &[FORM, LINES], form(&named(&files))).await;
    let mut told = open.chunk().await.unwrap().unwrap().to_vec();
    let other = Other::of(&quarry);
    other.fill(WRITTEN[1]);
    while let Some(more) = open.chunk().await.unwrap() {
        told.extend_from_slice(&more);
    }
    let told = String::from_utf8(told).unwrap();
    let told: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (last, each) = told.split_last().unwrap();
    let failed: Vec<&Value> = each.iter().filter(|one| one["change"] == "failed").collect();
    assert!(!failed.is_empty() && failed.len() < 120, "{last}");
    for one in &failed {
        let name = one["name"].as_str().unwrap();
        assert!(error(one).starts_with(&format!("{name}: the database has no room left")), "{one}");
    }
    let there = 120 - failed.len();
    assert_eq!(documents(&quarry).await, there as u64);
    assert_eq!(finds(&quarry, "word0").await[0], "number0");
    other.empty(WRITTEN[1]);
    let rest = load(&quarry, &named(&files)).await;
    assert_eq!((&rest["loaded"], &rest["unchanged"]), (&json!(120), &json!(there)));
    assert_eq!(finds(&quarry, "word119").await[0], "number119");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_others_hold_is_waited_for_and_not_for_ever() {
    waited_for(&[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn so_it_is_where_loads_have_no_bound() {
    waited_for(&[("max_loads", "0")]).await;
}

async fn waited_for(variables: &[(&str, &str)]) {
    let quarry = start(variables).await;
    load(&quarry, &TWO).await;
    let other = Other::of(&quarry);
    let beginning = |word: &str| {
        let body = json!({ "title": "Fees", "markdown": format!("The {word} is owed.") });
        let url = format!("{}/knowledge/documents", quarry.url);
        tokio::spawn(async move {
            let open = client::send("POST", &url, &[], body.to_string()).await.unwrap();
            (open.status.as_u16(), open.json().await.unwrap())
        })
    };
    other.0.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let waits = beginning("lighterage");
    // Whoever only reads is not held up.
    assert_eq!(finds(&quarry, "demurrage").await, ["Fees"]);
    other.0.execute_batch("COMMIT").unwrap();
    let (status, loaded) = waits.await.unwrap();
    assert_eq!(status, 201, "{loaded}");

    other.0.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let (status, refused) = beginning("towage").await.unwrap();
    let why = refused["error"]["message"].as_str().unwrap();
    assert_eq!(status, 429, "{why}");
    assert!(why.starts_with("the database is locked by others who write to it"), "{why}");
    assert!(why.ends_with("nothing was loaded; try again soon"), "{why}");
    assert_eq!(finds(&quarry, "lighterage").await, ["Fees"]);
    other.0.execute_batch("COMMIT").unwrap();
    let (status, loaded) = beginning("towage").await.unwrap();
    assert_eq!((status, &loaded["change"]), (200, &json!("replaced")), "{loaded}");
    assert!(finds(&quarry, "lighterage").await.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_leaves_in_the_middle_of_a_load_finds_all_of_it_there() {
    let quarry = start(&[]).await;
    let files = many(40);
    for (told, format) in [(true, LINES), (false, ("accept", "application/json"))] {
        let collection = if told { "told" } else { "silent" };
        let part = format!(
            "--3f9a\r\nContent-Disposition: form-data; name=\"collection\"\r\n\r\n{collection}\r\n"
        );
        let body = part + &form(&named(&files));
        let url = format!("{}/knowledge/documents", quarry.url);
        let sent = tokio::spawn(async move {
            let mut open = client::send("POST", &url, &[FORM, format], body).await.unwrap();
            open.chunk().await.unwrap()
        });
        let line = format!("GET /knowledge/collections/{collection}/stats");
        if told {
            assert!(sent.await.unwrap().is_some());
        } else {
            while json(&quarry, &line, &Value::Null).await.0 != 200 {}
            sent.abort();
        }
        while json(&quarry, &line, &Value::Null).await.1["documents"] != 40 {}
        let search = json!({ "query": "word39", "collection": collection });
        let (_, found) = json(&quarry, "POST /knowledge/search", &search).await;
        assert_eq!(found["chunks"][0]["title"], "number39", "{found}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_is_changed_in_the_middle_of_a_load_has_all_of_it_in_the_end() {
    let small = "openai:text-embedding-3-small";
    let quarry = start(&[("embedding_model", small)]).await;
    let files: Vec<(String, String)> = (0..12)
        .map(|n| (format!("{n}.md"), format!("# number{n}\n\nWharf{n} has its own crane{n}.\n")))
        .collect();
    let about = |text: &str| Match::All(vec![EMBEDDING, Match::Text(text.to_owned())]);
    let held = Reply::default().hold("middle");
    quarry.provider.set_script(Script::ordinary().first(about("crane7"), [held]));
    let mut open = send(&quarry, LOAD, &[FORM, LINES], form(&named(&files))).await;
    assert!(open.chunk().await.unwrap().is_some());
    quarry.provider.holding("middle", 1).await;
    let known = stats(&quarry).await;
    assert_eq!((&known["documents"], &known["embedding"]["model"]), (&json!(7), &json!(small)));

    let large = "openai:text-embedding-3-large";
    let quarry = quarry.restart_with("embedding_model", large).await.unwrap();
    quarry.provider.set_script(Script::ordinary().always(EMBEDDING, Reply::embeddings(300)));
    // What is there is found by its words until the load goes on.
    assert_eq!(finds(&quarry, "crane3").await[0], "number3");
    let rest = load(&quarry, &named(&files)).await;
    assert_eq!((&rest["loaded"], &rest["unchanged"]), (&json!(12), &json!(7)), "{rest}");
    let known = stats(&quarry).await;
    let embedding = &known["embedding"];
    assert_eq!((&embedding["model"], &embedding["dimension"]), (&json!(large), &json!(300)));
    assert_eq!((&known["documents"], &embedding["vectors"]), (&json!(12), &json!(12)));
    assert_eq!(finds(&quarry, "crane11").await[0], "number11");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn vectors_beyond_their_bound_are_refused_with_the_way_out_before_anything_is_lost() {
    let large = "openai:text-embedding-3-large";
    let too_wide = || Script::ordinary().always(EMBEDDING, Reply::embeddings(4_097));
    let quarry = start(&[("embedding_model", large)]).await;
    quarry.provider.set_script(too_wide());
    let skiff = [("small.md", "# Small\n\nA skiff.\n")];
    let refused = load(&quarry, &skiff).await;
    let why = error(&refused["documents"][0]);
    assert!(why.starts_with("small.md: vectors by openai:text-embedding-3-large"), "{why}");
    for says in ["have 4097 numbers", "4096 are the most", "set `embedding_model`"] {
        assert!(why.contains(says), "{says}: {why}");
    }
    // Documents that have vectors of another model are not lost for it, and no new one is refused for theirs.
    let small = "openai:text-embedding-3-small";
    let quarry = quarry.restart_with("embedding_model", small).await.unwrap();
    quarry.provider.set_script(Script::ordinary().always(EMBEDDING, Reply::embeddings(300)));
    load(&quarry, &TWO).await;
    let quarry = quarry.restart_with("embedding_model", large).await.unwrap();
    quarry.provider.set_script(too_wide());
    let loaded = load(&quarry, &skiff).await;
    assert_eq!(loaded["documents"][0]["change"], "added", "{loaded}");
    assert!(loaded.to_string().contains("4096 are the most"), "{loaded}");
    assert_eq!(finds(&quarry, "demurrage").await[0], "Fees");
    assert_eq!(finds(&quarry, "skiff").await[0], "Small");
}
