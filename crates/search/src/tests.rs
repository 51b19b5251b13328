//! What is sent to each provider, and what its answers say. The answers are written after the
//! providers' documentation.

use crate::answer::{Hit, Issue, ProviderError};
use crate::query::{Query, QueryError, Request};
use crate::settings::{Settings, Texts};
use crate::{Key, Provider, rank};
use proptest::prelude::*;

fn named(name: &str) -> Provider {
    Provider::named(name).unwrap()
}

fn settings() -> Settings {
    let keys = Provider::all().iter().filter_map(|provider| {
        let row = provider.row();
        Some((row.key_variable?, format!("{}-secret", row.name)))
    });
    let mut texts: Texts = keys.collect();
    texts.insert("searxng_url", "http://127.0.0.1:8888/searx/".to_owned());
    Settings::read(&texts).unwrap()
}

fn sent(name: &str) -> Request {
    let settings = settings();
    let reach = settings.plan.iter().find(|reach| reach.provider == named(name)).unwrap();
    reach.request(&Query::new("rust  wasm & more", 30).unwrap())
}

#[test]
fn each_provider_gets_its_request() {
    assert_eq!(
        sent("searxng").url.as_str(),
        "http://127.0.0.1:8888/searx/search?q=rust+wasm+%26+more&format=json"
    );
    let brave = sent("brave");
    assert_eq!(
        brave.url.as_str(),
        "https://api.search.brave.com/res/v1/web/search?q=rust+wasm+%26+more&count=20"
    );
    assert!(brave.headers.contains(&("x-subscription-token", "brave-secret".to_owned())));
    let tavily = sent("tavily");
    assert_eq!(tavily.url.as_str(), "https://api.tavily.com/search");
    assert_eq!(
        tavily.body.as_deref(),
        Some(r#"{"query":"rust wasm & more","max_results":20,"search_depth":"basic"}"#)
    );
    assert!(tavily.headers.contains(&("authorization", "Bearer tavily-secret".to_owned())));
    let serper = sent("serper");
    assert_eq!(serper.url.as_str(), "https://google.serper.dev/search");
    assert_eq!(serper.body.as_deref(), Some(r#"{"q":"rust wasm & more","num":30}"#));
    assert!(serper.headers.contains(&("x-api-key", "serper-secret".to_owned())));
    assert_eq!(
        sent("duckduckgo").url.as_str(),
        "https://html.duckduckgo.com/html/?q=rust+wasm+%26+more"
    );
}

#[test]
fn a_long_query_is_cut_to_what_a_provider_takes() {
    let settings = settings();
    let asked = |name: &str, text: &str| {
        let reach = settings.plan.iter().find(|reach| reach.provider == named(name)).unwrap();
        reach.request(&Query::new(text, 5).unwrap())
    };
    let of_brave = |text: &str| {
        let url = asked("brave", text).url;
        url.query_pairs().find(|(name, _)| name == "q").unwrap().1.into_owned()
    };
    assert_eq!(of_brave(&"a ".repeat(99)).split(' ').count(), 50);
    assert_eq!(of_brave(&"ä".repeat(999)).chars().count(), 400);
    let body = asked("tavily", &"ä".repeat(999)).body.unwrap();
    assert_eq!(body.matches('ä').count(), 400);
}

#[test]
fn a_long_query_makes_room_for_the_sites_that_count() {
    let settings = settings();
    let reach = settings.plan.iter().find(|reach| reach.provider == named("brave")).unwrap();
    let sent = |text: &str, sites: &[String]| {
        let query = Query::new(text, 5).unwrap().within(sites.iter().cloned());
        let url = reach.request(&query).url;
        url.query_pairs().find(|(name, _)| name == "q").unwrap().1.into_owned()
    };
    let two = ["one.example".to_owned(), "two.example".to_owned()];
    let behind = " site:one.example OR site:two.example";
    assert_eq!(sent("rust wasm", &two), format!("rust wasm{behind}"));
    let words = sent(&"ab ".repeat(99), &two);
    assert_eq!((words.split(' ').count(), words.ends_with(behind)), (50, true), "{words}");
    let letters = sent(&"ä".repeat(999), &two);
    assert_eq!((letters.chars().count(), letters.ends_with(behind)), (400, true), "{letters}");
    // Of many sites those are named that fit, each whole, and the words are still there.
    let many: Vec<String> = (0..10).map(|at| format!("{}{at}.example", "x".repeat(60))).collect();
    for text in ["ä".repeat(999), "ab ".repeat(99), "tall lighthouse".to_owned()] {
        let words = sent(&text, &many);
        assert!(words.chars().count() <= 400 && words.split(' ').count() <= 50, "{words}");
        let named: Vec<&str> = words.split(' ').filter(|word| word.starts_with("site:")).collect();
        let whole = |word: &&str| many.iter().any(|site| word.strip_prefix("site:") == Some(site));
        assert!(named.len() > 1 && named.iter().all(whole), "{words}");
        assert!(words.starts_with(&text[..4]), "{words}");
        assert!(!words.ends_with("OR"), "{words}");
    }
}

#[test]
fn an_answer_without_end_is_read_so_far() {
    let results = vec![serde_json::json!({ "url": "https://a.example/", "title": "T" }); 999];
    let body = serde_json::json!({ "results": results }).to_string();
    assert_eq!(named("searxng").parse(200, &body).unwrap().0.len(), 200);
}

#[test]
fn a_key_goes_to_its_provider_and_is_never_shown() {
    assert!(!format!("{:?}", settings()).contains("secret"));
    let mut with_keys = 0;
    for provider in Provider::all() {
        let request = sent(provider.name());
        assert!(!format!("{request:?}").contains("secret"));
        assert!(!request.url.as_str().contains("secret"));
        let all = format!("{:?}{:?}", request.headers, request.body);
        let own = format!("{}-secret", provider.name());
        assert_eq!(all.contains(&own), provider.row().key_variable.is_some(), "{provider:?}");
        assert_eq!(all.matches("-secret").count(), all.matches(&own).count(), "{provider:?}");
        with_keys += all.matches(&own).count();
    }
    let keys = Provider::all().iter().filter(|provider| provider.row().key_variable.is_some());
    assert_eq!(with_keys, keys.count());
    assert_eq!(Key::new("  "), None);
}

#[test]
fn queries_are_checked() {
    assert_eq!(Query::new(" \n\t ", 3), Err(QueryError::Empty));
    assert_eq!(Query::new(&"x".repeat(3000), 3), Err(QueryError::TooLong(3000)));
    assert_eq!(Query::new("a", 0).unwrap().limit, 1);
    assert_eq!(Query::new("a", 99).unwrap().limit, 50);
}

#[test]
fn searxng_answers() {
    let body = r#"{"query":"q","number_of_results":0,"results":[
        {"url":"https://a.example/1","title":"One &amp; <b>two</b>","content":"Text","engine":"google","engines":["google"],"score":4.5,"category":"general"},
        {"title":"no address"},{"url":"https://a.example/2","title":"","content":null}],
        "answers":[],"unresponsive_engines":[["brave","timeout"],["qwant","access denied"]]}"#;
    let (hits, issues) = named("searxng").parse(200, body).unwrap();
    assert_eq!(hits.len(), 2);
    assert_eq!(hits[0].title, "One & two");
    assert_eq!((hits[0].description.as_str(), hits[0].provider_score), ("Text", Some(4.5)));
    assert_eq!(
        issues,
        [
            Issue::NoAddress(2),
            Issue::NoTitle(3),
            Issue::EnginesSilent("brave (timeout), qwant (access denied)".into())
        ]
    );
    assert!(
        matches!(named("searxng").parse(403, ""), Err(ProviderError::Status(403, hint)) if hint.contains("json"))
    );
    assert_eq!(named("searxng").parse(200, "<html>"), Err(ProviderError::Malformed));
    assert_eq!(named("searxng").parse(200, r#"{"results":[]}"#), Err(ProviderError::Nothing));
    let blocked = r#"{"results":[],"unresponsive_engines":[["brave","CAPTCHA"]]}"#;
    let why = ProviderError::Silent("brave (CAPTCHA)".into());
    assert_eq!(named("searxng").parse(200, blocked), Err(why));
}

#[test]
fn brave_answers() {
    let body = r#"{"type":"search","query":{"original":"q"},"web":{"type":"search","results":[
        {"title":"T","url":"https://b.example/","description":"It's <strong>bold</strong> &quot;text&quot;","age":"May 1, 2024"}]}}"#;
    let (hits, issues) = named("brave").parse(200, body).unwrap();
    assert_eq!((hits[0].description.as_str(), issues.len()), ("It's bold \"text\"", 0));
    assert_eq!(named("brave").parse(200, r#"{"type":"search"}"#), Err(ProviderError::Nothing));
    assert_eq!(named("brave").parse(429, ""), Err(ProviderError::RateLimited));
    assert_eq!(named("brave").parse(422, ""), Err(ProviderError::Key(422)));
}

#[test]
fn tavily_answers() {
    let body = r#"{"query":"q","answer":null,"images":[],"results":[
        {"title":"T","url":"https://c.example/x","content":"C","score":0.81,"raw_content":null}],"response_time":1.2}"#;
    let (hits, _) = named("tavily").parse(200, body).unwrap();
    assert_eq!((hits[0].url.as_str(), hits[0].provider_score), ("https://c.example/x", Some(0.81)));
    assert_eq!(
        named("tavily").parse(401, r#"{"detail":{"error":"x"}}"#),
        Err(ProviderError::Key(401))
    );
    assert!(matches!(named("tavily").parse(432, ""), Err(ProviderError::Status(432, _))));
}

#[test]
fn serper_answers() {
    let body = r#"{"searchParameters":{"q":"q"},"ads":[{"title":"Buy","link":"https://ad.example/"}],"organic":[
        {"title":"T","link":"https://d.example/x","snippet":"S","position":1}],"peopleAlsoAsk":[]}"#;
    let (hits, _) = named("serper").parse(200, body).unwrap();
    assert_eq!(hits.len(), 1);
    assert_eq!((hits[0].url.as_str(), hits[0].description.as_str()), ("https://d.example/x", "S"));
    assert_eq!(named("serper").parse(200, "[]"), Err(ProviderError::Malformed));
    let spent = r#"{"message":"Not enough credits","statusCode":400}"#;
    let told = ProviderError::Told(400, "Not enough credits".into());
    assert_eq!(told.to_string(), "answered with status 400: Not enough credits");
    assert_eq!(named("serper").parse(400, spent), Err(told));
    assert_eq!(named("serper").parse(400, "{}"), Err(ProviderError::Status(400, "")));
    let key = r#"{"error":{"message":"no such key: 0123456789abcdef0123456789abcdef"}}"#;
    let told = ProviderError::Told(400, "no such key:".into());
    assert_eq!(named("serper").parse(400, key), Err(told));
}

const DUCK: &str = r#"<div id="links" class="results">
  <div class="result results_links results_links_deep result--ad"><h2 class="result__title">
    <a class="result__a" href="https://duckduckgo.com/y.js?ad_provider=x&u3=https%3A%2F%2Fad.example">An ad</a></h2></div>
  <div class="result results_links results_links_deep web-result"><div class="links_main result__body"><h2 class="result__title">
    <a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fe.example%2Fpage%3Fa%3D1%26b%3D2&amp;rut=abc">The &amp; <b>title</b></a></h2>
    <a class="result__snippet" href="//duckduckgo.com/l/?uddg=x">A <b>snippet</b> of text</a></div></div>
  <div class="result web-result"><a class="result__a" href="https://f.example/direct">Direct</a></div>
  <div class="result web-result"><a class="result__a" href="//duckduckgo.com/l/?uddg=javascript%3Ax">Odd</a></div></div>"#;

#[test]
fn duckduckgo_answers() {
    let (hits, issues) = named("duckduckgo").parse(200, DUCK).unwrap();
    let urls: Vec<&str> = hits.iter().map(|hit| hit.url.as_str()).collect();
    assert_eq!(urls, ["https://e.example/page?a=1&b=2", "https://f.example/direct"]);
    assert_eq!(
        (hits[0].title.as_str(), hits[0].description.as_str()),
        ("The & title", "A snippet of text")
    );
    assert_eq!(issues, [Issue::NoAddress(3)]);
}

#[test]
fn duckduckgo_blocks_are_recognised() {
    let block = r#"<form id="challenge-form"><div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></form>"#;
    assert_eq!(named("duckduckgo").parse(200, block), Err(ProviderError::Blocked));
    assert_eq!(named("duckduckgo").parse(202, ""), Err(ProviderError::Blocked));
    assert_eq!(named("duckduckgo").parse(403, ""), Err(ProviderError::Blocked));
    assert_eq!(
        named("duckduckgo").parse(200, "<p>If this persists: unusual traffic"),
        Err(ProviderError::Blocked)
    );
    assert_eq!(
        named("duckduckgo").parse(200, "<div class=no-results>No results.</div>"),
        Err(ProviderError::Nothing)
    );
    assert_eq!(named("duckduckgo").parse(200, "<p>something else"), Err(ProviderError::Malformed));
    // A result that speaks of a block is no block.
    assert!(named("duckduckgo").parse(200, &DUCK.replace("A <b>", "unusual traffic <b>")).is_ok());
}

#[test]
fn ranking_joins_doubles_and_prefers_what_was_asked_for() {
    let hit = |title: &str, url: &str, description: &str| Hit {
        title: title.into(),
        url: url.into(),
        description: description.into(),
        provider_score: None,
    };
    let hits = vec![
        hit("Something else", "https://a.example/", "no"),
        hit("", "https://b.example/x/", "short"),
        hit("", "https://www.b.example/x?utm_source=q", "a longer description"),
        hit("Rust components", "https://c.example/", "about wasm component models"),
        hit("bad", "mailto:x@y", ""),
    ];
    let ranked = rank::rank(hits, &Query::new("what is a wasm component in rust?", 10).unwrap());
    let urls: Vec<&str> = ranked.iter().map(|result| result.url.as_str()).collect();
    assert_eq!(urls, ["https://c.example/", "https://a.example/", "https://b.example/x/"]);
    assert_eq!(
        (ranked[2].title.as_str(), ranked[2].description.as_str()),
        ("https://b.example/x/", "a longer description")
    );
    assert!(ranked.iter().all(|result| (0.0..=1.0).contains(&result.score)));
    assert_eq!(
        rank::rank(vec![hit("t", "https://a.example/", "")], &Query::new("the of", 1).unwrap())[0]
            .score,
        1.0
    );
}

/// What holds for every answer that was read.
fn hold(provider: Provider, body: &str, status: u16) -> Result<(), TestCaseError> {
    let Ok((hits, _)) = provider.parse(status, body) else { return Ok(()) };
    prop_assert!((200..300).contains(&status), "{provider:?} reads an answer of status {status}");
    prop_assert!(!hits.is_empty(), "{provider:?} found nothing and says otherwise");
    for hit in hits {
        prop_assert!(!hit.url.is_empty());
        prop_assert!(hit.title.len() <= 300 && hit.description.len() <= 1_000);
        prop_assert!(hit.provider_score.is_none_or(f64::is_finite));
    }
    Ok(())
}

proptest! {
    #[test]
    fn what_is_read_of_any_answer_is_usable(status in 100u16..600, body in "\\PC{0,200}", which in 0..Provider::all().len()) {
        hold(Provider::all()[which], &body, status)?;
    }

    #[test]
    fn what_is_read_of_lists_of_anything_is_usable(which in 0..Provider::all().len(), title in "\\PC{0,400}", url in "\\PC{0,40}", score in any::<f64>()) {
        let item = serde_json::json!({
            "title": title, "url": url, "link": url, "content": title, "description": title,
            "snippet": title, "score": score,
        });
        let body = serde_json::json!({
            "results": [item], "organic": [item], "web": { "results": [item] },
        });
        hold(Provider::all()[which], &body.to_string(), 200)?;
    }
}

#[test]
fn json_of_the_wrong_shape_is_an_error_or_an_issue() {
    let odd = [
        r#"{"results":[1,null,{"url":5},[]],"organic":[{}],"web":{"results":[{"url":[]}]}}"#,
        r#"{"results":{},"organic":"x","web":[]}"#,
        "null",
        "3",
        "[]",
        "{",
    ];
    for name in ["searxng", "brave", "tavily", "serper"] {
        for body in odd {
            let parsed = named(name).parse(200, body);
            let is_error = matches!(parsed, Err(ProviderError::Malformed | ProviderError::Nothing));
            assert!(is_error, "{name}: {body}: {parsed:?}");
        }
    }
    let half = r#"{"unresponsive_engines":[[]],"results":[{"url":"u"},{"title":"t"}]}"#;
    for name in ["searxng", "tavily"] {
        let (hits, issues) = named(name).parse(200, half).unwrap();
        assert_eq!(hits.len(), 1, "{name}");
        assert_eq!(issues, [Issue::NoTitle(1), Issue::NoAddress(2)], "{name}");
    }
}
