//! Embeddings of providers as users have them: documents are found by what a model knows of words, each text is paid
//! for once, and whatever a provider does takes nothing from searches.

use crate::account::{CLIENT_ID, bearer};
use quarry_scenarios::client;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Match, Misfit, Phase, Reply, Script};
use serde_json::{Value, json};

pub const SMALL: &str = "openai:text-embedding-3-small";
pub const EMBEDDING: Match = Match::Phase(Phase::Embedding);

fn setup(script: Script, model: &str) -> Setup {
    Setup::new(script).variable("embedding_model", model)
}

pub async fn start(script: Script) -> Quarry {
    setup(script, SMALL).start().await.unwrap()
}

async fn json(quarry: &Quarry, line: &str, body: &Value) -> (u16, Value) {
    client::exchanged(&quarry.url, line, body).await.unwrap()
}

pub async fn load(quarry: &Quarry, name: &str, says: &str) -> (u16, Value) {
    let text = format!("# {name}\n\n{says}\n");
    let body = json!({ "markdown": text, "metadata": { "id": name } });
    json(quarry, "POST /knowledge/documents", &body).await
}

const THINGS: [(&str, &str); 4] = [
    ("Lamp", "The beacon burns whale oil and shines across the strait."),
    ("Bread", "Knead the rye dough, then bake until dark."),
    ("Bees", "The hive winters on honey; the queen lays again in spring."),
    ("Fees", "Demurrage is due when a container stays beyond its free time."),
];

pub async fn fill(quarry: &Quarry) {
    for (name, says) in THINGS {
        let (status, loaded) = load(quarry, name, says).await;
        assert_eq!((status, &loaded["change"]), (201, &json!("added")), "{loaded}");
    }
}

pub async fn search(quarry: &Quarry, question: &str) -> Value {
    let asked = json!({ "query": question });
    let (status, found) = json(quarry, "POST /knowledge/search", &asked).await;
    assert_eq!(status, 200, "{found}");
    found
}

async fn embedding(quarry: &Quarry) -> Value {
    let line = "GET /knowledge/collections/default/stats";
    json(quarry, line, &Value::Null).await.1["embedding"].clone()
}

pub fn message(refused: &Value) -> &str {
    refused["error"]["message"].as_str().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn documents_are_found_by_what_a_model_knows_of_words() {
    let quarry = start(Script::ordinary()).await;
    let (_, loaded) = load(&quarry, THINGS[0].0, THINGS[0].1).await;
    assert_eq!(loaded["embedding"]["model"], SMALL, "{loaded}");
    assert!(loaded["embedding"]["tokens"].as_u64().unwrap() > 5, "{loaded}");
    assert!(loaded["embedding"]["cost"].as_f64().unwrap() > 0.0, "{loaded}");
    for (name, says) in &THINGS[1..] {
        load(&quarry, name, says).await;
    }
    let found = search(&quarry, "lighthouse").await;
    assert_eq!(found["chunks"][0]["title"], "Lamp", "{found}");
    assert_eq!(found["chunks"][0]["parts"], json!({ "lexical": 0.0, "meaning": 1.0 }));
    assert_eq!(found.get("notes"), None);
    assert_eq!(found["embedding"]["model"], SMALL, "{found}");
    assert!(found["embedding"]["cost"].as_f64().unwrap() > 0.0, "{found}");
    assert_eq!(search(&quarry, "lighthouse").await["embedding"]["tokens"], 0);
    assert_eq!(search(&quarry, "apiary penalty").await["chunks"].as_array().unwrap().len(), 2);
    let known = embedding(&quarry).await;
    assert_eq!((&known["model"], &known["dimension"]), (&json!(SMALL), &json!(256)), "{known}");
    assert_eq!(known["vectors"], 4);
    assert!(known["tokens"].as_u64().unwrap() > 20 && known["cost"].as_f64().unwrap() > 0.0);

    // Paid for once: the same bytes, the same question, and everything anew.
    let calls = quarry.provider.served();
    assert_eq!(calls, 6);
    for (name, says) in THINGS {
        let (_, again) = load(&quarry, name, says).await;
        assert_eq!(again["change"], "unchanged");
    }
    search(&quarry, "lighthouse").await;
    json(&quarry, "POST /knowledge/collections/default/reindex", &Value::Null).await;
    assert_eq!(embedding(&quarry).await, known);
    assert_eq!(quarry.provider.served(), calls, "nothing was asked for again");
    for call in quarry.provider.calls() {
        assert_eq!(call.path, "/v1/embeddings");
        assert_eq!(call.body["model"], "text-embedding-3-small");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ollama_is_asked_in_its_own_form_and_costs_nothing_that_is_known() {
    let script = Script::ordinary();
    let setup = setup(script, "ollama:nomic-embed-text");
    let quarry = setup.start().await.unwrap();
    // Where Ollama is, is known when the provider listens.
    let base = quarry.provider.openai_base_url();
    let quarry = quarry.restart_with("ollama_base_url", &base).await.unwrap();
    fill(&quarry).await;
    assert_eq!(search(&quarry, "lighthouse").await["chunks"][0]["title"], "Lamp");
    assert_eq!(quarry.provider.calls()[0].path, "/api/embed");
    assert!(quarry.provider.calls()[0].inputs()[0].contains("whale oil"));
    let known = embedding(&quarry).await;
    assert_eq!((&known["cost"], &known["vectors"]), (&Value::Null, &json!(4)), "{known}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sums_of_a_collection_have_what_loads_that_failed_had_paid() {
    let script = Script::new()
        .then(EMBEDDING, [Reply::embeddings(256)])
        .always(EMBEDDING, Reply::status(400, "the input is refused"));
    let quarry = start(script).await;
    let section = |at: usize| format!("## Part {at}\n\n{}\n\n", format!("word{at} ").repeat(110));
    let (status, refused) = load(&quarry, "Long", &(0..90).map(section).collect::<String>()).await;
    assert_ne!(status, 201, "{refused}");
    let line = "GET /knowledge/collections/default/stats";
    let stats = json(&quarry, line, &Value::Null).await.1;
    assert_eq!((&stats["documents"], &stats["embedding"]), (&json!(0), &Value::Null), "{stats}");
    let paid = stats["paid"].as_array().unwrap();
    assert_eq!((paid.len(), &paid[0]["model"]), (1, &json!(SMALL)), "{stats}");
    let said = message(&refused);
    assert!(said.contains(&format!("({} tokens of {SMALL}", paid[0]["tokens"])), "{said}");
    assert!(paid[0]["cost"].as_f64().unwrap() > 0.0, "{stats}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_model_embeds_all_anew_when_something_is_loaded() {
    let quarry = start(Script::ordinary()).await;
    fill(&quarry).await;
    let large = "openai:text-embedding-3-large";
    let quarry = quarry.restart_with("embedding_model", large).await.unwrap();
    quarry.provider.set_script(Script::ordinary().always(EMBEDDING, Reply::embeddings(300)));
    let found = search(&quarry, "whale oil beacon").await;
    assert_eq!(found["chunks"][0]["title"], "Lamp", "the old state is searched by words");
    assert!(found["notes"][0].as_str().unwrap().contains("not of the `embedding_model`"));
    let (status, loaded) = load(&quarry, THINGS[3].0, THINGS[3].1).await;
    assert_eq!((status, &loaded["change"]), (200, &json!("unchanged")), "{loaded}");
    assert!(loaded["embedding"]["tokens"].as_u64().unwrap() > 20, "{loaded}");
    let known = embedding(&quarry).await;
    assert_eq!((&known["model"], &known["dimension"]), (&json!(large), &json!(300)));
    assert_eq!(known["vectors"], 4);
    assert_eq!(search(&quarry, "lighthouse").await["chunks"][0]["title"], "Lamp");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replies_that_cannot_be_used_name_the_document_and_change_nothing() {
    let quarry = start(Script::ordinary()).await;
    fill(&quarry).await;
    for (reply, says) in [
        (Reply::misfit(Misfit::Count), "gave 0 embeddings for 1 text;"),
        (Reply::misfit(Misfit::Dimension), "gave an embedding of 255 numbers where the collection"),
        (Reply::misfit(Misfit::NotANumber), "numbers that are none"),
        (Reply::misfit(Misfit::Empty), "gave an empty embedding"),
        (Reply { raw: Some(String::new()), ..Reply::default() }, "empty or broke off"),
        (Reply { raw: Some("<html>".to_owned()), ..Reply::default() }, "no embeddings"),
        (Reply::embeddings(64), "of 64 numbers where the collection has 256; reindex"),
    ] {
        quarry.provider.set_script(Script::ordinary().always(EMBEDDING, reply));
        let (status, refused) = load(&quarry, "New", "Something else entirely.").await;
        // Of another dimension is what the collection is not in a state for: a reindex mends it.
        let stands = says.contains("where the collection").then_some("other_dimension");
        assert_eq!(refused["error"]["status"].as_str(), stands, "{refused}");
        assert!(if stands.is_some() { status == 409 } else { status >= 500 }, "{refused}");
        let why = message(&refused);
        assert!(why.contains("New: ") && why.contains(SMALL) && why.contains(says), "{why}");
    }
    let (_, page) = json(&quarry, "GET /knowledge/documents", &Value::Null).await;
    assert_eq!(page["documents"].as_array().unwrap().len(), 4);
    quarry.provider.set_script(Script::ordinary());
    assert_eq!(search(&quarry, "lighthouse").await["chunks"][0]["title"], "Lamp");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_is_waited_out_or_told_and_others_of_a_batch_are_loaded() {
    let limited = Script::ordinary().first(EMBEDDING, [Reply::rate_limited("1")]);
    let quarry = start(limited).await;
    let (status, loaded) = load(&quarry, "Lamp", THINGS[0].1).await;
    assert_eq!((status, quarry.provider.served()), (201, 2), "{loaded}");
    let about_bees = || Match::All(vec![EMBEDDING, Match::Text("honey".to_owned())]);
    let script = Script::ordinary().first_always(about_bees(), Reply::rate_limited("20"));
    quarry.provider.set_script(script);
    let mut form = String::new();
    for (name, says) in &THINGS[1..] {
        form += &format!(
            "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}.md\"\r\n\r\n# {name}\n\n{says}\r\n"
        );
    }
    let headers = [("content-type", "multipart/form-data; boundary=x")];
    let url = format!("{}/knowledge/documents", quarry.url);
    form += "--x--\r\n";
    let open = client::send("POST", &url, &headers, form.clone()).await.unwrap();
    let all = open.json().await.unwrap();
    assert_eq!((&all["loaded"], &all["failed"]), (&json!(2), &json!(1)), "{all}");
    let error = all["documents"][1]["error"].as_str().unwrap();
    assert!(error.starts_with("Bees.md: ") && error.contains("Rate limit reached"), "{error}");
    let (status, refused) = load(&quarry, "Bees", THINGS[2].1).await;
    assert_eq!(status, 429, "{refused}");
    assert_eq!(embedding(&quarry).await["vectors"], 3);
    // Vectors of another length stop the others as little.
    let script = Script::ordinary().first_always(about_bees(), Reply::embeddings(64));
    quarry.provider.set_script(script);
    let open = client::send("POST", &url, &headers, form).await.unwrap();
    let all = open.json().await.unwrap();
    let [bread, bees, fees] = [0, 1, 2].map(|at| &all["documents"][at]);
    assert!([bread, fees].iter().all(|known| known["change"] == "unchanged"), "{all}");
    let error = bees["error"].as_str().unwrap();
    assert!(error.starts_with("Bees.md: ") && error.contains("the collection has 256"), "{error}");
    assert_eq!((&bees["type"], &bees["status"]), (&json!("conflict"), &json!("other_dimension")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reindex_that_meets_a_long_limit_says_when_to_come_again_and_the_old_index_stays() {
    let quarry = start(Script::ordinary()).await;
    fill(&quarry).await;
    let large = "openai:text-embedding-3-large";
    let quarry = quarry.restart_with("embedding_model", large).await.unwrap();
    quarry.provider.set_script(Script::ordinary().first(EMBEDDING, [Reply::rate_limited("20")]));
    let url = format!("{}/knowledge/collections/default/reindex", quarry.url);
    let refused = client::send("POST", &url, &[], String::new()).await.unwrap();
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, Some("20")));
    let refused = refused.json().await.unwrap();
    assert!(message(&refused).contains("Rate limit reached"), "{refused}");
    assert_eq!(embedding(&quarry).await["model"], SMALL, "the old one is there until then");
    let (status, made) =
        json(&quarry, "POST /knowledge/collections/default/reindex", &Value::Null).await;
    assert_eq!((status, &made["embedding"]["model"]), (200, &json!(large)), "{made}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_is_down_takes_nothing_from_searches() {
    let quarry = start(Script::ordinary()).await;
    fill(&quarry).await;
    search(&quarry, "lighthouse").await;
    quarry.provider.set_script(Script::ordinary().always(EMBEDDING, Reply::status(500, "oops")));
    let found = search(&quarry, "whale oil for the beacon").await;
    assert_eq!(found["chunks"][0]["title"], "Lamp");
    let note = found["notes"][0].as_str().unwrap();
    assert!(note.starts_with("ranked by words and learned meaning, not by embeddings: "), "{note}");
    assert!(note.contains(SMALL), "{note}");
    if quarry.is_local() {
        assert!(quarry.output().contains("not by embeddings"), "it stands in the log");
    }
    let known = search(&quarry, "lighthouse").await;
    assert_eq!((&known["chunks"][0]["title"], known.get("notes")), (&json!("Lamp"), None));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_may_use_the_operators_keys_asks_with_them_by_every_way() {
    let quarry = start(Script::ordinary()).await;
    fill(&quarry).await;
    let rules = "local:extractive";
    let paid = quarry.provider.served();
    let question = json!({ "query": "What does a lighthouse burn?", "model": rules });
    let (_, answer) = json(&quarry, "POST /knowledge/ask", &question).await;
    assert_eq!(answer.get("notes"), None, "{answer}");
    assert_eq!(quarry.provider.served(), paid + 1);
    let asks = "What feeds a lighthouse?";
    let question = json!({ "query": asks, "model": rules, "sources": ["knowledge"] });
    client::ask(&quarry.url, &question).await.unwrap().events().await.unwrap();
    let by_ask = quarry.provider.served();
    assert!(by_ask > paid + 1, "each search of an ask");
    let task =
        json!({ "task": "How a lighthouse is fed", "model": rules, "sources": ["knowledge"] });
    let (url, waits) = (format!("{}/runs", quarry.url), [("prefer", "wait=50")]);
    let run = client::send("POST", &url, &waits, task.to_string()).await.unwrap();
    assert_eq!(run.status, 200);
    assert!(quarry.provider.served() > by_ask, "a run's questions are embedded");
    let calls = quarry.provider.calls();
    assert!(calls.last().unwrap().inputs()[0].contains("lighthouse"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_asks_reads_that_a_provider_of_embeddings_was_down() {
    let quarry = start(Script::ordinary()).await;
    fill(&quarry).await;
    quarry.provider.set_script(Script::ordinary().always(EMBEDDING, Reply::status(500, "oops")));
    let says = "ranked by words and learned meaning, not by embeddings: openai:text-embedding-3-small gave no embeddings";
    let (asks, rules) = ("What does the beacon burn?", "local:extractive");
    let question = json!({ "query": asks, "model": rules });
    let (_, answer) = json(&quarry, "POST /knowledge/ask", &question).await;
    assert!(answer["notes"][0].as_str().unwrap().starts_with(says), "{answer}");
    assert!(answer["answer"].as_str().unwrap().contains("whale oil"), "{answer}");
    let question = json!({ "query": asks, "model": rules, "sources": ["knowledge"] });
    let events = client::ask(&quarry.url, &question).await.unwrap().events().await.unwrap();
    let result = events.iter().find(|event| event.name == "tool_result").unwrap();
    assert!(result.data.to_string().contains(says), "{}", result.data);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_load_that_was_cut_off_goes_on_where_it_was() {
    let script = Script::ordinary().always(
        Match::All(vec![EMBEDDING, Match::Text("word150 ".to_owned())]),
        Reply::status(401, "Incorrect API key"),
    );
    let quarry = start(script).await;
    let long = long("word");
    let (status, refused) = load(&quarry, "Long", &long).await;
    assert_eq!(status, 401, "{refused}");
    let paid: usize = quarry.provider.calls().iter().map(|call| call.inputs().len()).sum();
    assert!(paid > 120, "{paid}");
    let quarry = quarry.restart().await.unwrap();
    quarry.provider.set_script(Script::ordinary());
    quarry.provider.forget();
    let (status, loaded) = load(&quarry, "Long", &long).await;
    assert_eq!(status, 201, "{loaded}");
    let calls = quarry.provider.calls();
    let texts = || calls.iter().flat_map(|call| call.inputs());
    assert!(!texts().any(|text| text.contains("word1 ")), "what was paid for is kept");
    assert!(texts().any(|text| text.contains("word150 ")));
    let chunks = loaded["document"]["chunks"].as_u64().unwrap();
    assert!(u64::try_from(texts().count()).unwrap() < chunks / 2, "{chunks}");
    assert_eq!(embedding(&quarry).await["vectors"], chunks);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_that_cannot_be_used_are_named_with_the_way_out() {
    for (name, value, status, says) in [
        (
            "embedding_model",
            "text-embedding-3-small",
            500,
            "embedding_model must be provider:name, such as",
        ),
        ("embedding_model", "anthropic:claude-haiku-4-5", 500, "anthropic has no embeddings; set"),
        ("embedding_max_cost", "much", 500, "embedding_max_cost must be a number of US dollars"),
        (
            "embedding_max_cost",
            "0.0000001",
            413,
            "Lamp: embedding it by openai:text-embedding-3-small takes about",
        ),
    ] {
        let setup = setup(Script::ordinary(), SMALL).variable(name, value);
        let setup = setup.variable("anthropic_api_key", "k");
        let quarry = setup.start().await.unwrap();
        let (found, refused) = load(&quarry, "Lamp", THINGS[0].1).await;
        assert_eq!(found, status, "{refused}");
        assert!(message(&refused).contains(says), "{refused}");
        assert_eq!(quarry.provider.served(), 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_documents_vectors_are_deleted() {
    let quarry = start(Script::ordinary()).await;
    fill(&quarry).await;
    let (_, page) = json(&quarry, "GET /knowledge/documents", &Value::Null).await;
    for document in page["documents"].as_array().unwrap() {
        let line = format!("DELETE /knowledge/documents/{}", document["id"].as_str().unwrap());
        assert_eq!(json(&quarry, &line, &Value::Null).await.0, 204);
    }
    assert_eq!(embedding(&quarry).await, Value::Null);
    let calls = quarry.provider.served();
    load(&quarry, THINGS[0].0, THINGS[0].1).await;
    assert_eq!(quarry.provider.served(), calls + 1, "nothing of it was left");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_operators_keys_embed_for_those_who_may_use_them() {
    let setup = setup(Script::ordinary(), SMALL).variable("google_client_id", CLIENT_ID);
    let quarry = setup.variable("allowed_emails", "ada@port.test").start().await.unwrap();
    let sent = |line: &'static str, who: &'static str, body: Value| {
        let (method, path) = line.split_once(' ').unwrap();
        let url = format!("{}{path}", quarry.url);
        async move {
            let bearer = bearer(who);
            let headers = [("authorization", bearer.as_str())];
            let open = client::send(method, &url, &headers, body.to_string()).await.unwrap();
            assert!(open.status.is_success(), "{line}");
            open.json().await.unwrap()
        }
    };
    for (who, is_embedded) in [("ben@port.test", false), ("ada@port.test", true)] {
        let before = quarry.provider.served();
        let document = json!({ "markdown": format!("# Lamp\n\n{}", THINGS[0].1) });
        let loaded = sent("POST /knowledge/documents", who, document).await;
        assert_eq!(loaded.get("embedding").is_some(), is_embedded, "{loaded}");
        let found = sent("POST /knowledge/search", who, json!({ "query": "whale oil" })).await;
        assert_eq!(found["chunks"][0]["title"], "Lamp", "{found}");
        let notes = found["notes"].to_string();
        assert_eq!(notes.contains("keys are not yours to use"), !is_embedded, "{found}");
        let stats = "POST /knowledge/collections/default/reindex";
        sent(stats, who, json!({})).await;
        assert_eq!(quarry.provider.served() > before, is_embedded);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_load_may_cost_is_for_all_files_of_a_request() {
    let quarry = start(Script::ordinary()).await;
    let (_, loaded) = load(&quarry, "Lamp", THINGS[0].1).await;
    let cost = loaded["embedding"]["cost"].as_f64().unwrap();
    let setting = format!("{:.12}", cost * 1.5);
    let quarry = quarry.restart_with("embedding_max_cost", &setting).await.unwrap();
    let file = |name: &str| {
        let says = THINGS[0].1.replace("strait", name);
        format!(
            "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}.md\"\r\n\r\n# Lamp\n\n{says}\r\n"
        )
    };
    let url = format!("{}/knowledge/documents", quarry.url);
    let form = [("content-type", "multipart/form-data; boundary=x")];
    let body = format!("{}{}--x--\r\n", file("harbour"), file("channel"));
    let loaded = client::send("POST", &url, &form, body).await.unwrap().json().await.unwrap();
    assert_eq!((&loaded["loaded"], &loaded["failed"]), (&json!(1), &json!(1)), "{loaded}");
    let why = loaded["documents"][1]["error"].as_str().unwrap();
    assert!(why.starts_with("channel.md: ") && why.contains("`embedding_max_cost`"), "{why}");
    // By itself it is a request of its own.
    let body = format!("{}--x--\r\n", file("channel"));
    let again = client::send("POST", &url, &form, body).await.unwrap().json().await.unwrap();
    assert_eq!((&again["loaded"], &again["failed"]), (&json!(1), &json!(0)), "{again}");
}

/// Sections of which each is a chunk of its own.
fn long(word: &str) -> String {
    let section = |at: usize| format!("## Part {at}\n\n{}\n", format!("{word}{at} ").repeat(110));
    (0..200).map(section).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_failed_load_had_paid_is_told_and_counts_for_its_request() {
    let about = |text: &str| Match::All(vec![EMBEDDING, Match::Text(text.to_owned())]);
    let fails = |text: &str| {
        Script::ordinary().always(about(text), Reply::status(401, "Incorrect API key"))
    };
    let quarry = start(fails("quay150 ")).await;
    let send = async |quarry: &Quarry, files: &[(&str, String)]| {
        let part = |(name, text): &(&str, String)| {
            format!(
                "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n{text}\r\n"
            )
        };
        let body = files.iter().map(part).collect::<String>() + "--x--\r\n";
        let form = [("content-type", "multipart/form-data; boundary=x")];
        let url = format!("{}/knowledge/documents", quarry.url);
        client::send("POST", &url, &form, body).await.unwrap().json().await.unwrap()
    };
    let told = send(&quarry, &[("quay.md", long("quay"))]).await;
    let failed = &told["documents"][0];
    assert_eq!(
        (&failed["change"], &failed["embedding"]["model"]),
        (&json!("failed"), &json!(SMALL))
    );
    let figure = |of: &Value, name: &str| of["embedding"][name].as_f64().unwrap();
    let (tokens, cost) = (figure(failed, "tokens"), figure(failed, "cost"));
    assert!(tokens > 0.0 && cost > 0.0, "{failed}");
    let says =
        format!("({tokens} tokens of {SMALL} for {cost:.6} US dollars had been paid for by then)");
    assert!(failed["error"].as_str().unwrap().ends_with(&says), "{failed}");
    // A request for one document alone has no other place for it.
    quarry.provider.set_script(fails("pier150 "));
    let (_, refused) = load(&quarry, "Pier", &long("pier")).await;
    assert!(message(&refused).ends_with("had been paid for by then)"), "{refused}");
    quarry.provider.set_script(Script::ordinary());
    let rest = send(&quarry, &[("quay.md", long("quay"))]).await;
    let whole = cost + figure(&rest["documents"][0], "cost");

    // It reaches for one document and a bit: what failed has taken more than half of it.
    let setting = format!("{:.9}", whole * 1.2);
    let quarry = quarry.restart_with("embedding_max_cost", &setting).await.unwrap();
    quarry.provider.set_script(fails("dock150 "));
    let files = [("dock.md", long("dock")), ("lock.md", long("lock"))];
    let told = send(&quarry, &files).await;
    assert_eq!(told["failed"], 2, "{told}");
    let why = told["documents"][1]["error"].as_str().unwrap();
    assert!(why.starts_with("lock.md: ") && why.contains("`embedding_max_cost`"), "{why}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_small_load_is_not_refused_for_the_sake_of_the_old_documents() {
    let quarry = start(Script::ordinary()).await;
    fill(&quarry).await;
    let quarry = quarry.restart_with("embedding_max_cost", "0").await.unwrap();
    let large = "openai:text-embedding-3-large";
    let quarry = quarry.restart_with("embedding_model", large).await.unwrap();
    let (status, loaded) = load(&quarry, "Kiln", "The kiln burns quicklime.").await;
    assert_eq!((status, &loaded["change"]), (201, &json!("added")), "{loaded}");
    let note = loaded["notes"][0].as_str().unwrap();
    assert!(note.contains(large) && note.contains("US dollars"), "{note}");
    assert_eq!(search(&quarry, "quicklime").await["chunks"][0]["title"], "Kiln");
    let quarry = quarry.restart_with("embedding_max_cost", "1").await.unwrap();
    json(&quarry, "POST /knowledge/collections/default/reindex", &Value::Null).await;
    assert_eq!(embedding(&quarry).await["vectors"], 5);
}
