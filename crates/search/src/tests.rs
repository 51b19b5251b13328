//! What is sent to each provider, and what its answers say. The answers are written after the
//! providers' documentation.

use super::*;
use proptest::prelude::*;

fn config() -> Config {
    let url = |text: &str| Url::parse(text).unwrap();
    Config {
        searxng_url: Some(url("http://127.0.0.1:8888/searx/")),
        brave_key: Key::new("brave-secret"),
        brave_url: url(brave::BASE),
        tavily_key: Key::new("tavily-secret"),
        tavily_url: url(tavily::BASE),
        serper_key: Key::new("serper-secret"),
        serper_url: url(serper::BASE),
        duckduckgo_url: url(duckduckgo::BASE),
        order: Provider::ALL.to_vec(),
    }
}

fn sent(provider: Provider) -> Request {
    request(provider, &config(), &Query::new("rust  wasm & more", 30).unwrap()).unwrap()
}

#[test]
fn each_provider_gets_its_request() {
    assert_eq!(
        sent(Provider::Searxng).url.as_str(),
        "http://127.0.0.1:8888/searx/search?q=rust+wasm+%26+more&format=json"
    );
    let brave = sent(Provider::Brave);
    assert_eq!(
        brave.url.as_str(),
        "https://api.search.brave.com/res/v1/web/search?q=rust+wasm+%26+more&count=20"
    );
    assert!(brave.headers.contains(&("x-subscription-token", "brave-secret".to_owned())));
    let tavily = sent(Provider::Tavily);
    assert_eq!(tavily.url.as_str(), "https://api.tavily.com/search");
    assert_eq!(
        tavily.body.as_deref(),
        Some(r#"{"query":"rust wasm & more","max_results":20,"search_depth":"basic"}"#)
    );
    assert!(tavily.headers.contains(&("authorization", "Bearer tavily-secret".to_owned())));
    let serper = sent(Provider::Serper);
    assert_eq!(serper.url.as_str(), "https://google.serper.dev/search");
    assert_eq!(serper.body.as_deref(), Some(r#"{"q":"rust wasm & more","num":30}"#));
    assert!(serper.headers.contains(&("x-api-key", "serper-secret".to_owned())));
    assert_eq!(
        sent(Provider::Duckduckgo).url.as_str(),
        "https://html.duckduckgo.com/html/?q=rust+wasm+%26+more"
    );
}

#[test]
fn a_key_goes_to_its_provider_and_is_never_shown() {
    assert!(!format!("{:?}", config()).contains("secret"));
    for provider in Provider::ALL {
        let request = sent(provider);
        assert!(!format!("{request:?}").contains("secret"));
        assert!(!request.url.as_str().contains("secret"));
        let all = format!("{:?}{:?}", request.headers, request.body);
        for other in Provider::ALL.into_iter().filter(|other| *other != provider) {
            assert!(!all.contains(&format!("{}-secret", other.name())));
        }
    }
}

#[test]
fn the_order_is_configuration() {
    assert_eq!(order(" "), (Provider::ALL.to_vec(), vec![]));
    assert_eq!(
        order("DuckDuckGo, brave,brave"),
        (vec![Provider::Duckduckgo, Provider::Brave], vec![])
    );
    assert_eq!(order("gogle"), (vec![], vec!["gogle".to_owned()]));
    let mut config = config();
    config.brave_key = None;
    config.searxng_url = None;
    assert_eq!(plan(&config), [Provider::Tavily, Provider::Serper, Provider::Duckduckgo]);
    assert_eq!(Key::new("  "), None);
}

#[test]
fn time_is_left_for_the_next_provider() {
    assert_eq!(attempt_ms(15_000, 3), 7_500);
    assert_eq!(attempt_ms(15_000, 1), 15_000);
    assert_eq!(attempt_ms(500, 2), 500);
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
    let (hits, issues) = parse(Provider::Searxng, 200, body).unwrap();
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
        matches!(parse(Provider::Searxng, 403, ""), Err(ProviderError::Status(403, hint)) if hint.contains("json"))
    );
    assert_eq!(parse(Provider::Searxng, 200, "<html>"), Err(ProviderError::Malformed));
    assert_eq!(parse(Provider::Searxng, 200, r#"{"results":[]}"#), Err(ProviderError::Nothing));
}

#[test]
fn brave_answers() {
    let body = r#"{"type":"search","query":{"original":"q"},"web":{"type":"search","results":[
        {"title":"T","url":"https://b.example/","description":"It's <strong>bold</strong> &quot;text&quot;","age":"May 1, 2024"}]}}"#;
    let (hits, issues) = parse(Provider::Brave, 200, body).unwrap();
    assert_eq!((hits[0].description.as_str(), issues.len()), ("It's bold \"text\"", 0));
    assert_eq!(parse(Provider::Brave, 200, r#"{"type":"search"}"#), Err(ProviderError::Nothing));
    assert_eq!(parse(Provider::Brave, 429, ""), Err(ProviderError::RateLimited));
    assert_eq!(parse(Provider::Brave, 422, ""), Err(ProviderError::Key(422)));
}

#[test]
fn tavily_answers() {
    let body = r#"{"query":"q","answer":null,"images":[],"results":[
        {"title":"T","url":"https://c.example/x","content":"C","score":0.81,"raw_content":null}],"response_time":1.2}"#;
    let (hits, _) = parse(Provider::Tavily, 200, body).unwrap();
    assert_eq!((hits[0].url.as_str(), hits[0].provider_score), ("https://c.example/x", Some(0.81)));
    assert_eq!(
        parse(Provider::Tavily, 401, r#"{"detail":{"error":"x"}}"#),
        Err(ProviderError::Key(401))
    );
    assert!(matches!(parse(Provider::Tavily, 432, ""), Err(ProviderError::Status(432, _))));
}

#[test]
fn serper_answers() {
    let body = r#"{"searchParameters":{"q":"q"},"ads":[{"title":"Buy","link":"https://ad.example/"}],"organic":[
        {"title":"T","link":"https://d.example/x","snippet":"S","position":1}],"peopleAlsoAsk":[]}"#;
    let (hits, _) = parse(Provider::Serper, 200, body).unwrap();
    assert_eq!(hits.len(), 1);
    assert_eq!((hits[0].url.as_str(), hits[0].description.as_str()), ("https://d.example/x", "S"));
    assert_eq!(parse(Provider::Serper, 200, "[]"), Err(ProviderError::Malformed));
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
    let (hits, issues) = parse(Provider::Duckduckgo, 200, DUCK).unwrap();
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
    assert_eq!(parse(Provider::Duckduckgo, 200, block), Err(ProviderError::Blocked));
    assert_eq!(parse(Provider::Duckduckgo, 202, ""), Err(ProviderError::Blocked));
    assert_eq!(parse(Provider::Duckduckgo, 403, ""), Err(ProviderError::Blocked));
    assert_eq!(
        parse(Provider::Duckduckgo, 200, "<p>If this persists: unusual traffic"),
        Err(ProviderError::Blocked)
    );
    assert_eq!(
        parse(Provider::Duckduckgo, 200, "<div class=no-results>No results.</div>"),
        Err(ProviderError::Nothing)
    );
    assert_eq!(
        parse(Provider::Duckduckgo, 200, "<p>something else"),
        Err(ProviderError::Malformed)
    );
    // A result that speaks of a block is no block.
    assert!(
        parse(Provider::Duckduckgo, 200, &DUCK.replace("A <b>", "unusual traffic <b>")).is_ok()
    );
}

#[test]
fn addresses_are_cleaned_and_compared() {
    let clean = |text: &str| address::clean(text).map(String::from);
    assert_eq!(
        clean("https://A.example:443/x?utm_source=y&id=1&fbclid=z#frag").as_deref(),
        Some("https://a.example/x?id=1")
    );
    assert_eq!(clean("http://a.example/?gclid=1").as_deref(), Some("http://a.example/"));
    assert_eq!(clean("ftp://a.example/"), None);
    let same = |one: &str, other: &str| {
        address::key(&address::clean(one).unwrap()) == address::key(&address::clean(other).unwrap())
    };
    assert!(same("http://www.a.example/x/?b=2&a=1#f", "https://a.example/x?a=1&b=2&utm_medium=m"));
    assert!(!same("https://a.example/x", "https://a.example/y"));
    assert!(!same("https://a.example/x", "https://a.example:8443/x"));
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
    let ranked = rank::rank(hits, "what is a wasm component in rust?", 10);
    let urls: Vec<&str> = ranked.iter().map(|result| result.url.as_str()).collect();
    assert_eq!(urls, ["https://c.example/", "https://a.example/", "https://b.example/x/"]);
    assert_eq!(
        (ranked[2].title.as_str(), ranked[2].description.as_str()),
        ("https://b.example/x/", "a longer description")
    );
    assert!(ranked.iter().all(|result| (0.0..=1.0).contains(&result.score)));
    assert_eq!(rank::rank(vec![hit("t", "https://a.example/", "")], "the of", 1)[0].score, 1.0);
}

proptest! {
    #[test]
    fn no_answer_makes_a_parser_fail(status in 100u16..600, body in "\\PC{0,200}", which in 0..5usize) {
        let _ = parse(Provider::ALL[which], status, &body);
    }

    #[test]
    fn json_of_the_wrong_shape_is_an_error_or_an_issue(which in 0..4usize, value in proptest::sample::select(vec![
        r#"{"results":[1,null,{"url":5},[]],"organic":[{}],"web":{"results":[{"url":[]}]}}"#,
        r#"{"results":{},"organic":"x","web":[]}"#, "null", "3", "[]", r#"{"unresponsive_engines":[[]],"results":[{"url":"u"}]}"#,
    ])) {
        let _ = parse(Provider::ALL[which], 200, value);
    }
}
