//! The built searcher and providers that answer, block, limit and take their time.

use quarry_scenarios::quarry::running_elsewhere;
use quarry_scenarios::reader::Reader;
use quarry_scenarios::sites::{Site, Sites};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::Semaphore;

const BLOCK: &str = "<html><body><form id='challenge-form' action='//duckduckgo.com/anomaly.js'>\
    <div class='anomaly-modal__title'>Unfortunately, bots use DuckDuckGo too.</div></form></body></html>";

/// What a SearXNG instance answers.
fn searxng(names: &[&str]) -> Site {
    let results: Vec<Value> = names
        .iter()
        .map(|name| {
            json!({ "url": format!("https://example.com/{name}"), "title": name, "content": "About the tide", "engine": "x", "score": 1.0 })
        })
        .collect();
    Site::page(
        "application/json",
        json!({ "query": "q", "number_of_results": 0, "results": results, "unresponsive_engines": [] }).to_string(),
    )
}

/// What Brave answers.
fn brave(names: &[&str]) -> Site {
    let results: Vec<Value> = names
        .iter()
        .map(|name| {
            json!({ "url": format!("https://example.com/{name}"), "title": name, "description": "About <strong>the tide</strong>" })
        })
        .collect();
    Site::page(
        "application/json",
        json!({ "type": "search", "web": { "type": "search", "results": results } }).to_string(),
    )
}

async fn start(sites: &Sites, providers: &str, more: &[(&str, &str)]) -> Reader {
    let base = sites.url("");
    let mut variables = vec![
        ("searxng_url", base.clone()),
        ("brave_base_url", base.clone()),
        ("brave_api_key", "canary-brave-key-77c1".to_owned()),
        ("duckduckgo_base_url", base),
        ("search_providers", providers.to_owned()),
    ];
    variables.extend(more.iter().map(|(name, value)| (*name, (*value).to_owned())));
    Reader::start(&variables).await.unwrap()
}

async fn search(reader: &Reader, query: &str) -> Result<Value, Value> {
    search_as(reader, query, false).await
}

async fn search_as(reader: &Reader, query: &str, anew: bool) -> Result<Value, Value> {
    let request = json!({ "query": query, "limit": 5, "timeout_ms": 20_000, "load_characters": null, "domains": [],
        "anew": anew });
    reader.call("/search/search", &request).await.unwrap()
}

fn titles(found: &Value) -> Vec<&str> {
    let results = found["results"].as_array().unwrap();
    results.iter().map(|result| result["title"].as_str().unwrap()).collect()
}

const SEARXNG: &str = "/search";
const BRAVE: &str = "/res/v1/web/search";
const DUCKDUCKGO: &str = "/html/";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_is_kept_for_the_same_question() {
    if running_elsewhere().is_some() {
        return;
    }
    let sites = Sites::start([(SEARXNG, searxng(&["one", "two"]))]).await.unwrap();
    let reader = start(&sites, "searxng", &[]).await;
    let first = search(&reader, "When does the tide turn?").await.unwrap();
    assert_eq!(titles(&first), ["one", "two"]);
    let again = search(&reader, "  when does the TIDE turn? ").await.unwrap();
    assert_eq!(again, first);
    assert_eq!(sites.count(SEARXNG), 1);
    search_as(&reader, "When does the tide turn?", true).await.unwrap();
    assert_eq!(sites.count(SEARXNG), 2);
    search(&reader, "When does the tide turn?").await.unwrap();
    assert_eq!(sites.count(SEARXNG), 2, "what came anew is kept for others");
    search(&reader, "Where does the tide turn?").await.unwrap();
    assert_eq!(sites.count(SEARXNG), 3);

    let off = start(&sites, "searxng", &[("search_cache_seconds", "0")]).await;
    search(&off, "tide").await.unwrap();
    search(&off, "tide").await.unwrap();
    assert_eq!(sites.count(SEARXNG), 5);
}

/// The demo web has another port at each start, and what is kept outlives it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_has_moved_is_asked_anew() {
    if running_elsewhere().is_some() {
        return;
    }
    let state = tempfile::tempdir().unwrap();
    for name in ["before", "after"] {
        let sites = Sites::start([(SEARXNG, searxng(&[name]))]).await.unwrap();
        let variables =
            [("searxng_url", sites.url("")), ("search_providers", "searxng".to_owned())];
        let reader = Reader::start_on(state.path(), &variables).await.unwrap();
        let found = search(&reader, "When does the tide turn?").await.unwrap();
        assert_eq!((titles(&found), sites.count(SEARXNG)), (vec![name], 1));
    }
}

/// Each call to a store that hangs takes seconds, and a search has twenty.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_is_answered_though_the_store_does_not_answer() {
    if running_elsewhere().is_some() {
        return;
    }
    let state = tempfile::tempdir().unwrap();
    let sites = Sites::start([(SEARXNG, searxng(&["one"]))]).await.unwrap();
    let variables = [("searxng_url", sites.url("")), ("search_providers", "searxng".to_owned())];
    let reader = Reader::start_on(state.path(), &variables).await.unwrap();
    search(&reader, "When does the tide turn?").await.unwrap();
    let other = Connection::open(state.path().join("sqlite_key_value.db")).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let found = search(&reader, "Where does the tide turn?").await.unwrap();
    assert_eq!(titles(&found), ["one"]);
    other.execute_batch("COMMIT").unwrap();
    search(&reader, "Where does the tide turn?").await.unwrap();
    assert_eq!(sites.count(SEARXNG), 3, "what could not be kept is asked anew");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_searches_for_the_same_are_one() {
    if running_elsewhere().is_some() {
        return;
    }
    let gate = Arc::new(Semaphore::new(0));
    let held = Site::Held(gate.clone(), Box::new(searxng(&["one"])));
    let sites = Sites::start([(SEARXNG, held)]).await.unwrap();
    let reader = start(&sites, "searxng", &[]).await;
    let first = search(&reader, "tide");
    let second = async {
        sites.until_asked(SEARXNG, 1).await;
        // Were the second to ask for itself, it would find the gate closed and end in a timeout.
        let (second, ()) = tokio::join!(search(&reader, "tide"), async { gate.add_permits(1) });
        second
    };
    let (first, second) = tokio::join!(first, second);
    assert_eq!(first.unwrap(), second.unwrap());
    assert_eq!(sites.count(SEARXNG), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_blocks_is_left_alone_and_the_next_one_asked() {
    if running_elsewhere().is_some() {
        return;
    }
    let sites =
        Sites::start([(DUCKDUCKGO, Site::page("text/html", BLOCK)), (SEARXNG, searxng(&["one"]))])
            .await
            .unwrap();
    let reader = start(&sites, "duckduckgo, searxng", &[]).await;
    let first = search(&reader, "tide").await.unwrap();
    assert_eq!((first["provider"].as_str(), sites.count(DUCKDUCKGO)), (Some("searxng"), 1));
    assert!(first["notes"][0].as_str().unwrap().contains("blocks automatic requests"), "{first}");
    let second = search(&reader, "ebb").await.unwrap();
    assert!(second["notes"][0].as_str().unwrap().contains("left alone"), "{second}");
    assert_eq!((sites.count(DUCKDUCKGO), sites.count(SEARXNG)), (1, 2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_whose_engines_are_all_blocked_says_so_and_is_not_kept() {
    if running_elsewhere().is_some() {
        return;
    }
    let silent = json!({ "results": [], "unresponsive_engines": [["google", "CAPTCHA"]] });
    let site = Site::page("application/json", silent.to_string());
    let sites = Sites::start([(SEARXNG, site)]).await.unwrap();
    let reader = start(&sites, "searxng", &[]).await;
    for asked in 1..=2 {
        let failed = search(&reader, "tide").await.unwrap_err();
        assert!(failed["AllFailed"][0].as_str().unwrap().contains("google (CAPTCHA)"), "{failed}");
        assert_eq!(sites.count(SEARXNG), asked);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_asks_for_a_pause_gets_it() {
    if running_elsewhere().is_some() {
        return;
    }
    let limited = "HTTP/1.1 429 Too Many Requests\r\nretry-after: 120";
    let sites = Sites::start([
        (BRAVE, Site::Whole(limited.to_owned(), b"{}".to_vec())),
        (SEARXNG, searxng(&["one"])),
    ])
    .await
    .unwrap();
    let reader = start(&sites, "brave, searxng", &[]).await;
    search(&reader, "tide").await.unwrap();
    let second = search(&reader, "ebb").await.unwrap();
    let note = second["notes"][0].as_str().unwrap();
    assert!(note.contains("left alone for another 1"), "{note}");
    assert_eq!(sites.count(BRAVE), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_of_our_own_are_kept() {
    if running_elsewhere().is_some() {
        return;
    }
    let sites = Sites::start([(SEARXNG, searxng(&["one"]))]).await.unwrap();
    let reader = start(&sites, "searxng", &[("search_limits", "searxng=2")]).await;
    search(&reader, "tide").await.unwrap();
    search(&reader, "ebb").await.unwrap();
    let third = search(&reader, "flood").await.unwrap_err();
    assert!(third["AllFailed"][0].as_str().unwrap().contains("search_limits"), "{third}");
    assert_eq!(sites.count(SEARXNG), 2);
    // What is kept costs nothing.
    search(&reader, "tide").await.unwrap();
    let wrong = start(&sites, "searxng", &[("search_limits", "searxng=many")]).await;
    let error = search(&wrong, "tide").await.unwrap_err();
    assert!(error["Misconfigured"].as_str().unwrap().contains("search_limits"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_anew_that_fails_leaves_what_is_kept() {
    if running_elsewhere().is_some() {
        return;
    }
    let sites = Sites::start([(SEARXNG, searxng(&["one"]))]).await.unwrap();
    let reader = start(&sites, "searxng", &[("search_limits", "searxng=1")]).await;
    let first = search(&reader, "tide").await.unwrap();
    search_as(&reader, "tide", true).await.unwrap_err();
    assert_eq!(search(&reader, "tide").await.unwrap(), first);
    assert_eq!(sites.count(SEARXNG), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_pages_of_a_search_share_what_its_answer_may_have() {
    if running_elsewhere().is_some() {
        return;
    }
    let text = "A line of words about the tide, and when it turns.\n\n".repeat(16_000);
    let paths: Vec<String> = (1..=12).map(|number| format!("/long{number}")).collect();
    let page = |path: &String| (path.clone(), Site::page("text/plain", text.clone()));
    let pages = Sites::start(paths.iter().map(page)).await.unwrap();
    let result = |path: &String| {
        json!({ "url": pages.url(path), "title": format!("The tide {path}"), "content": "It turns", "engine": "x",
            "score": 1.0 })
    };
    let results: Vec<Value> = paths.iter().map(result).collect();
    let answer = json!({ "query": "q", "results": results, "unresponsive_engines": [] });
    let answer = Site::page("application/json", answer.to_string());
    let sites = Sites::start([(SEARXNG, answer)]).await.unwrap();
    let allowed = pages.address().to_string();
    let reader = start(&sites, "searxng", &[("web_allowed_hosts", allowed.as_str())]).await;
    let request = json!({ "query": "tide", "limit": 12, "timeout_ms": 60_000, "load_characters": 1 << 20,
        "domains": [], "anew": false });
    let found = reader.call("/search/search", &request).await.unwrap().unwrap();
    assert!(found.to_string().len() < 5 << 20, "{}", found.to_string().len());
    let results = found["results"].as_array().unwrap();
    assert_eq!(results.len(), 12);
    for result in results {
        let page = &result["content"]["Page"];
        let markdown = page["markdown"].as_str().unwrap();
        assert!(markdown.len() > 100_000, "{}", markdown.len());
        assert!(!page["passages"].as_array().unwrap().is_empty() && page["truncated"] == true);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_of_several_providers_are_fused() {
    if running_elsewhere().is_some() {
        return;
    }
    let sites = Sites::start([
        (SEARXNG, searxng(&["one", "two", "three"])),
        (BRAVE, brave(&["four", "three"])),
        (DUCKDUCKGO, Site::page("text/html", BLOCK)),
    ])
    .await
    .unwrap();
    let reader = start(&sites, "searxng, duckduckgo, brave", &[("search_fusion", "3")]).await;
    let found = search(&reader, "tide").await.unwrap();
    assert_eq!(found["provider"], "searxng+brave");
    assert_eq!(titles(&found)[0], "three");
    assert_eq!(found["results"][0]["provider"], "searxng+brave");
    assert_eq!(found["results"].as_array().unwrap().len(), 4);
    assert!(found["notes"][0].as_str().unwrap().starts_with("duckduckgo "), "{found}");
    assert_eq!((sites.count(SEARXNG), sites.count(BRAVE), sites.count(DUCKDUCKGO)), (1, 1, 1));
}
