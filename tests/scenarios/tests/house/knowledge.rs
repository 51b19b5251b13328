//! Documents of one's own as users have them: over HTTP, on the built components.

use crate::account::{CLIENT_ID, bearer};
use crate::requests::finds;
use quarry_scenarios::client::{self, Open};
use quarry_scenarios::quarry::{Quarry, Setup, Stores};
use quarry_test_provider::Script;
use serde_json::{Value, json};

async fn start() -> Quarry {
    Setup::new(Script::ordinary()).start().await.unwrap()
}

async fn send(quarry: &Quarry, line: &str, headers: &[(&str, &str)], body: String) -> Open {
    client::by_line(&quarry.url, line, headers, body).await.unwrap()
}

async fn json(quarry: &Quarry, line: &str, body: &Value) -> (u16, Value) {
    client::exchanged(&quarry.url, line, body).await.unwrap()
}

/// Files as curl sends them.
fn form(files: &[(String, String)]) -> String {
    let mut body = String::new();
    for (name, text) in files {
        body += &format!(
            "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n{text}\r\n"
        );
    }
    body + "--x--\r\n"
}

const FORM: (&str, &str) = ("content-type", "multipart/form-data; boundary=x");

fn files() -> Vec<(String, String)> {
    let things = [
        ("north/lamp.md", "The beacon burns whale oil and shines across the strait."),
        ("north/bread.md", "Knead the rye dough, let it rise, and bake it dark."),
        ("south/bees.md", "A hive winters on honey; the queen lays again in spring."),
        ("south/fees.md", "Demurrage is due when a container stays beyond its free time."),
        ("south/tides.txt", "Spring tides follow the full moon by two days."),
    ];
    things.map(|(name, says)| (name.to_owned(), format!("# {name}\n\n{says}\n"))).to_vec()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_are_loaded_found_opened_changed_and_deleted() {
    let quarry = start().await;
    let mut sent = files();
    sent.push(("empty.md".to_owned(), " ".to_owned()));
    sent.push(("../up.md".to_owned(), "# Up".to_owned()));
    let (status, loaded) = {
        let open = send(&quarry, "POST /knowledge/documents", &[FORM], form(&sent)).await;
        (open.status.as_u16(), open.json().await.unwrap())
    };
    assert_eq!(status, 200, "{loaded}");
    assert_eq!((&loaded["loaded"], &loaded["failed"]), (&json!(5), &json!(2)), "{loaded}");
    let errors: Vec<&str> = loaded["documents"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["error"].as_str())
        .collect();
    assert!(errors[0].starts_with("empty.md has no text"), "{errors:?}");
    assert!(errors[1].contains("`../up.md` is no path below a folder; send"), "{errors:?}");

    assert_eq!(finds(&quarry, "demurrage of a container").await[0], "south/fees.md");
    let filtered = json!({ "query": "spring", "filter": { "category": "SOUTH" }, "threshold": 0 });
    let (_, found) = json(&quarry, "POST /knowledge/search", &filtered).await;
    for chunk in found["chunks"].as_array().unwrap() {
        assert_eq!(chunk["metadata"]["category"], "south");
    }
    let best = &found["chunks"][0];
    let address = best["address"].as_str().unwrap();
    let (status, opened) = json(&quarry, &format!("GET {address}"), &Value::Null).await;
    assert_eq!((status, &opened["chunks"][0]["text"]), (200, &best["text"]));

    let again = send(&quarry, "POST /knowledge/documents", &[FORM], form(&files())).await;
    let again = again.json().await.unwrap();
    assert_eq!((&again["loaded"], &again["unchanged"]), (&json!(5), &json!(5)));
    let changed =
        vec![("south/fees.md".to_owned(), "# Fees\n\nLighterage is owed instead.".to_owned())];
    let changed = send(&quarry, "POST /knowledge/documents", &[FORM], form(&changed)).await;
    assert_eq!(changed.json().await.unwrap()["documents"][0]["change"], "replaced");
    assert_eq!(finds(&quarry, "lighterage").await, ["Fees"]);
    assert!(finds(&quarry, "demurrage").await.is_empty());

    let (_, page) = json(&quarry, "GET /knowledge/documents?limit=2", &Value::Null).await;
    assert_eq!(page["documents"][0]["name"], "south/fees.md", "the one changed last comes first");
    let next = format!("GET /knowledge/documents?cursor={}", page["next_cursor"].as_str().unwrap());
    let (_, rest) = json(&quarry, &next, &Value::Null).await;
    assert_eq!(rest["documents"].as_array().unwrap().len(), 3);
    let id = page["documents"][0]["id"].as_str().unwrap();
    let (status, shown) =
        json(&quarry, &format!("GET /knowledge/documents/{id}"), &Value::Null).await;
    assert_eq!((status, &shown["metadata"]["title"]), (200, &json!("Fees")));

    let (status, _) =
        json(&quarry, &format!("DELETE /knowledge/documents/{id}"), &Value::Null).await;
    assert_eq!(status, 204);
    for line in
        [format!("GET /knowledge/documents/{id}"), format!("DELETE /knowledge/documents/{id}")]
    {
        assert_eq!(json(&quarry, &line, &Value::Null).await.0, 404, "{line}");
    }
    let stored = quarry.stored().unwrap();
    assert!(!stored.windows(10).any(|at| at == b"Lighterage"), "its words are overwritten");
    assert!(stored.windows(9).any(|at| at == b"whale oil"));
    let (_, stats) = json(&quarry, "GET /knowledge/collections/default/stats", &Value::Null).await;
    assert_eq!(
        (&stats["documents"], &stats["categories"]["north"]),
        (&json!(4), &json!(2)),
        "{stats}"
    );
    let (status, anew) =
        json(&quarry, "POST /knowledge/collections/default/reindex", &Value::Null).await;
    assert_eq!((status, &anew["segments"]), (200, &json!(1)));
    assert_eq!(finds(&quarry, "whale oil").await[0], "north/lamp.md");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_citation_says_whether_its_document_was_changed_since() {
    let quarry = start().await;
    let load = async |text: &str| {
        let lamp = vec![("lamp.md".to_owned(), text.to_owned())];
        send(&quarry, "POST /knowledge/documents", &[FORM], form(&lamp)).await.json().await.unwrap()
    };
    load("# Lamp\n\nThe beacon burns whale oil.\n").await;
    let asked = json!({ "query": "what does the beacon burn?" });
    let (_, found) = json(&quarry, "POST /knowledge/search", &asked).await;
    let open = format!("GET {}", found["chunks"][0]["address"].as_str().unwrap());
    let (_, opened) = json(&quarry, &open, &Value::Null).await;
    assert_eq!(opened["changed"], false, "{opened}");
    assert_eq!(opened["chunks"][0]["address"], found["chunks"][0]["address"]);
    assert_eq!(
        load("# Lamp\n\nThe beacon burns gas.\n").await["documents"][0]["change"],
        "replaced"
    );
    let (_, opened) = json(&quarry, &open, &Value::Null).await;
    assert_eq!(opened["changed"], true, "{opened}");
    let plain = open.split_once('&').unwrap().0;
    let (_, opened) = json(&quarry, plain, &Value::Null).await;
    assert_eq!(opened.get("changed"), None, "older citations name no state");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_of_one_request_take_no_other_ones_place() {
    let quarry = start().await;
    let both = [("a.md", "Lamps"), ("b.md", "Bread")].map(|(name, title)| {
        (name.to_owned(), format!("---\nid: M-7\n---\n# {title}\n\nAll of {title}.\n"))
    });
    for change in ["added", "unchanged"] {
        let open = send(&quarry, "POST /knowledge/documents", &[FORM], form(&both)).await;
        let told = open.json().await.unwrap();
        assert_eq!(told["documents"][0]["change"], change, "{told}");
        let refused = &told["documents"][1];
        assert_eq!((&refused["change"], &refused["type"]), (&json!("failed"), &json!("conflict")));
        let why = refused["error"].as_str().unwrap();
        assert!(why.starts_with("b.md has the same `id` as a.md"), "{why}");
    }
    assert_eq!(finds(&quarry, "lamps").await, ["Lamps"]);
    // Whoever sends the second by itself, and says nothing, means it.
    let open = send(&quarry, "POST /knowledge/documents", &[FORM], form(&both[1..])).await;
    assert_eq!(open.json().await.unwrap()["documents"][0]["change"], "replaced");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_are_documents_and_so_are_addresses() {
    let quarry = start().await;
    let html = "<html><head><title>Pilotage</title></head><body><nav>Home</nav><main><h1>Pilotage</h1>\
        <p>A pilot boards two miles off the mole, whatever the weather says of it.</p></main></body></html>";
    let body = json!({ "html": html, "metadata": { "category": "rules" } });
    let (status, loaded) = json(&quarry, "POST /knowledge/documents", &body).await;
    assert_eq!((status, &loaded["document"]["format"]), (201, &json!("html")), "{loaded}");
    assert_eq!(loaded["document"]["metadata"]["title"], "Pilotage");
    assert_eq!(finds(&quarry, "where does the pilot board?").await, ["Pilotage"]);
    let (status, refused) =
        json(&quarry, "POST /knowledge/documents", &json!({ "url": "http://127.0.0.1:1/x" })).await;
    assert_eq!(status, 400, "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("127.0.0.1"), "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_of_a_list_may_have_a_comma() {
    let quarry = start().await;
    let urls = json!(["https://en.example/wiki/Paris,_Texas", "https://b.example"]);
    let front = "---\nsource_urls:\n  - https://en.example/wiki/Paris,_Texas\n  - https://b.example\n---\nText.";
    for body in [
        json!({ "text": "Text.", "metadata": { "source_urls": urls } }),
        json!({ "markdown": front, "title": "Of its own" }),
    ] {
        let (status, loaded) = json(&quarry, "POST /knowledge/documents", &body).await;
        assert_eq!((status, &loaded["document"]["metadata"]["source_urls"]), (201, &urls));
    }
}

/// With others who write there a statement may meet another connection than the one before it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_word_is_left_of_what_is_deleted_while_others_load() {
    let mut setup = Setup::new(Script::ordinary());
    // On a busy machine each of them meets an instance of its own.
    setup.instances = 240;
    let quarry = setup.start().await.unwrap();
    let load = async |url: String, body: Value| {
        let open = client::send("POST", &url, &[], body.to_string()).await.unwrap();
        assert_eq!(open.status, 201);
        open.json().await.unwrap()["document"]["id"].as_str().unwrap().to_owned()
    };
    let address = format!("{}/knowledge/documents", quarry.url);
    let mut ids = Vec::new();
    for number in 0..12 {
        let text = format!("Zennorvale{number} slakes quicklime. ").repeat(300);
        let body = json!({ "title": format!("Kiln {number}"), "text": text });
        ids.push(load(address.clone(), body).await);
    }
    assert!(quarry.stored().unwrap().windows(10).any(|at| at == b"Zennorvale"));
    let mut all = tokio::task::JoinSet::new();
    for (number, id) in ids.into_iter().enumerate() {
        let body = json!({ "title": format!("Berth {number}"), "text": "It is let by the week." });
        let (deleted, loaded) = (format!("{address}/{id}"), address.clone());
        all.spawn(async move {
            let open = client::send("DELETE", &deleted, &[], String::new()).await.unwrap();
            assert_eq!(open.status, 204);
        });
        all.spawn(async move {
            let open = client::send("POST", &loaded, &[], body.to_string()).await.unwrap();
            assert_eq!(open.status, 201);
            open.text().await.unwrap();
        });
    }
    while let Some(done) = all.join_next().await {
        done.unwrap();
    }
    // The last finds nobody in its way, and empties the log.
    let last = load(address.clone(), json!({ "title": "Last", "text": "Gone at once." })).await;
    let line = format!("DELETE /knowledge/documents/{last}");
    assert_eq!(json(&quarry, &line, &Value::Null).await.0, 204);
    assert!(!quarry.stored().unwrap().windows(10).any(|at| at == b"Zennorvale"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_loaded_is_refused_with_the_way_out() {
    let quarry = start().await;
    for (body, status, says) in [
        (json!({}), 400, "`markdown` is missing"),
        (json!({ "markdwon": "x" }), 400, "the nearest is `markdown`"),
        (json!({ "text": "x", "collection": "A b" }), 400, "`collection` wants 1 to 64"),
        (json!({ "markdown": "---\ntitle: x\n---\n" }), 400, "has no text"),
        (json!({ "text": "x".repeat(20 * 1024 * 1024 + 1) }), 400, "20971520"),
    ] {
        let (found, refused) = json(&quarry, "POST /knowledge/documents", &body).await;
        assert_eq!(found, status, "{refused}");
        assert!(refused["error"]["message"].as_str().unwrap().contains(says), "{refused}");
    }
    let long = vec![("long.txt".to_owned(), "word ".repeat(4 * 1024 * 1024 + 1))];
    let open = send(&quarry, "POST /knowledge/documents", &[FORM], form(&long)).await;
    let long = open.json().await.unwrap();
    let error = long["documents"][0]["error"].as_str().unwrap();
    assert!(
        error.starts_with("long.txt has 20971525 bytes, 20971520 are the most; part it"),
        "{error}"
    );
    let unknown = json!({ "query": "x", "collection": "nobodys" });
    let (status, refused) = json(&quarry, "POST /knowledge/search", &unknown).await;
    assert_eq!(status, 404, "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_documents_of_one_category_are_listed_page_by_page() {
    let quarry = start().await;
    let open = send(&quarry, "POST /knowledge/documents", &[FORM], form(&files())).await;
    assert_eq!(open.json().await.unwrap()["loaded"], 5);
    let mut line = "GET /knowledge/documents?category=S%4FUTH&limit=2".to_owned();
    let mut names = Vec::new();
    for pages in 1..=2 {
        let (status, page) = json(&quarry, &line, &Value::Null).await;
        assert_eq!(status, 200, "{page}");
        let documents = page["documents"].as_array().unwrap();
        names.extend(documents.iter().map(|one| one["name"].as_str().unwrap().to_owned()));
        match page["next_cursor"].as_str() {
            Some(next) => line = format!("{line}&cursor={next}"),
            None => assert_eq!(pages, 2, "{page}"),
        }
    }
    assert_eq!(names, ["south/tides.txt", "south/fees.md", "south/bees.md"]);
    let nobodys = "GET /knowledge/documents?category=west";
    let (status, none) = json(&quarry, nobodys, &Value::Null).await;
    assert_eq!((status, &none["documents"]), (200, &json!([])));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_address_does_not_know_or_has_twice_is_refused_by_its_name() {
    let quarry = start().await;
    let berths = json!({ "title": "Berths", "text": "Berths are let by the week." });
    let (_, loaded) = json(&quarry, "POST /knowledge/documents", &berths).await;
    let id = loaded["document"]["id"].as_str().unwrap();
    let document = format!("/knowledge/documents/{id}");
    let question = json!({ "query": "x" });
    for (line, body, says) in [
        (
            "GET /knowledge/documents?categry=rules".to_owned(),
            &Value::Null,
            "`categry` is no parameter here; there are `collection`, `category`, `limit`, `cursor`",
        ),
        (
            "GET /knowledge/documents?collection=a&collection=default".to_owned(),
            &Value::Null,
            "`collection` stands there twice",
        ),
        (
            "POST /knowledge/search?collection=a&collection=default".to_owned(),
            &question,
            "`collection` stands there twice",
        ),
        (
            "POST /knowledge/ask?colection=default".to_owned(),
            &question,
            "`colection` is no parameter here; there are `collection`, `stream`",
        ),
        (
            format!("DELETE {document}?collection=default"),
            &Value::Null,
            "`collection` is no parameter here; this address takes none",
        ),
    ] {
        let (status, refused) = json(&quarry, &line, body).await;
        let why = refused["error"]["message"].as_str().unwrap();
        assert!(status == 400 && why.starts_with(says), "{line}: {status} {why}");
    }
    let twice = r#"{"query":"x","collection":"a","collection":"default"}"#;
    for path in ["/knowledge/search", "/knowledge/ask"] {
        let open = send(&quarry, &format!("POST {path}"), &[], twice.to_owned()).await;
        assert_eq!(open.status, 400, "{path}");
        let refused = open.json().await.unwrap();
        assert_eq!(refused["error"]["field"], "collection", "{path}: {refused}");
    }
    let (status, _) = json(&quarry, &format!("GET {document}"), &Value::Null).await;
    assert_eq!(status, 200, "nothing was deleted");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_database_that_is_kept_documents_are_refused() {
    for stores in [Stores::InMemory, Stores::KeyValue] {
        let setup = Setup { stores, ..Setup::new(Script::ordinary()) };
        let quarry = setup.start().await.unwrap();
        for (line, body) in [
            ("POST /knowledge/documents", json!({ "text": "x" })),
            ("POST /knowledge/search", json!({ "query": "x" })),
            ("GET /knowledge/collections", Value::Null),
        ] {
            let (status, refused) = json(&quarry, line, &body).await;
            let why = refused["error"]["message"].as_str().unwrap();
            assert_eq!(status, 503, "{stores:?} {line}: {why}");
            assert!(why.starts_with("documents need a SQLite database that is kept: "), "{why}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_callers_never_see_each_other() {
    let setup = Setup::new(Script::ordinary()).variable("google_client_id", CLIENT_ID);
    let quarry = setup.start().await.unwrap();
    let (ada, ben) = (bearer("ada@port.test"), bearer("ben@port.test"));
    let mut ids = Vec::new();
    for (who, word) in [(Some(&ada), "anchorage"), (Some(&ben), "belvedere"), (None, "catamaran")] {
        let headers: Vec<(&str, &str)> =
            who.iter().map(|bearer| ("authorization", bearer.as_str())).collect();
        let body = json!({ "title": "Notes", "text": format!("The {word} is mine.") }).to_string();
        let loaded = send(&quarry, "POST /knowledge/documents", &headers, body).await;
        assert_eq!(loaded.status, 201);
        let loaded = loaded.json().await.unwrap();
        ids.push((headers_of(who), loaded["document"]["id"].as_str().unwrap().to_owned(), word));
    }
    for (headers, own, word) in &ids {
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let body = json!({ "query": "anchorage belvedere catamaran", "threshold": 0 }).to_string();
        let found =
            send(&quarry, "POST /knowledge/search", &headers, body).await.json().await.unwrap();
        let chunks = found["chunks"].as_array().unwrap();
        assert_eq!(chunks.len(), 1, "{found}");
        assert!(chunks[0]["text"].as_str().unwrap().contains(word));
        for (_, id, _) in &ids {
            for suffix in ["", "/chunks"] {
                let line = format!("GET /knowledge/documents/{id}{suffix}");
                let open = send(&quarry, &line, &headers, String::new()).await;
                assert_eq!(open.status == 200, id == own, "{line}");
            }
        }
    }
}

fn headers_of(bearer: Option<&String>) -> Vec<(String, String)> {
    bearer.map(|bearer| ("authorization".to_owned(), bearer.clone())).into_iter().collect()
}

/// The process ends behind the first document of many; what was told is there, and the rest can be sent again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_dies_in_the_middle_of_a_load_leaves_whole_documents() {
    let mut quarry = start().await;
    let many: Vec<(String, String)> = (0..40)
        .map(|n| {
            (
                format!("{n}.md"),
                format!("# number{n}\n\n{}", format!("Word{n} stands here.\n\n").repeat(400)),
            )
        })
        .collect();
    let headers = [FORM, ("accept", "application/x-ndjson")];
    let mut open = send(&quarry, "POST /knowledge/documents", &headers, form(&many)).await;
    assert_eq!(open.status, 200);
    let first = open.chunk().await.unwrap().unwrap();
    let first = first.split(|byte| *byte == b'\n').next().unwrap();
    let told: Value = serde_json::from_slice(first).unwrap();
    assert_eq!(told["change"], "added", "{told}");
    quarry = quarry.restart().await.unwrap();
    let (_, stats) = json(&quarry, "GET /knowledge/collections/default/stats", &Value::Null).await;
    let there = stats["documents"].as_u64().unwrap();
    assert!((1..=40).contains(&there), "{stats}");
    let (_, page) = json(&quarry, "GET /knowledge/documents?limit=100", &Value::Null).await;
    let mut chunks = 0;
    for document in page["documents"].as_array().unwrap() {
        let line = format!(
            "GET /knowledge/documents/{}/chunks?limit=100",
            document["id"].as_str().unwrap()
        );
        let (_, whole) = json(&quarry, &line, &Value::Null).await;
        assert_eq!(
            whole["chunks"].as_array().unwrap().len() as u64,
            document["chunks"].as_u64().unwrap()
        );
        chunks += document["chunks"].as_u64().unwrap();
    }
    assert_eq!(chunks, stats["chunks"].as_u64().unwrap());
    assert_eq!(finds(&quarry, "word0").await[0], "number0");
    let rest = send(&quarry, "POST /knowledge/documents", &[FORM], form(&many)).await;
    let rest = rest.json().await.unwrap();
    assert_eq!((&rest["loaded"], &rest["unchanged"]), (&json!(40), &json!(there)));
    assert_eq!(finds(&quarry, "word39").await[0], "number39");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_who_load_into_one_collection_at_once_all_have_their_turn() {
    let mut setup = Setup::new(Script::ordinary());
    // On a busy machine each of them meets an instance of its own.
    setup.instances = 240;
    let quarry = setup.start().await.unwrap();
    let mut loads = tokio::task::JoinSet::new();
    for number in 0..24 {
        let text = format!("Berth {number} is let by the week.");
        let body = json!({ "title": format!("Berth {number}"), "text": text }).to_string();
        let url = format!("{}/knowledge/documents", quarry.url);
        loads.spawn(async move {
            let open = client::send("POST", &url, &[], body).await?;
            Ok((open.status, open.text().await?))
        });
    }
    while let Some(told) = loads.join_next().await {
        let told: anyhow::Result<_> = told.unwrap();
        let is_loaded = told.as_ref().is_ok_and(|(status, _)| *status == 201);
        assert!(is_loaded, "{told:?}\n{}", quarry.output());
    }
    let (_, stats) = json(&quarry, "GET /knowledge/collections/default/stats", &Value::Null).await;
    assert_eq!(stats["documents"], 24);
}
