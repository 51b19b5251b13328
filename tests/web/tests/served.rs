//! The small web as a client sees it.

#![cfg(test)]

use quarry_demo_web::DemoWeb;
use quarry_demo_web::hosts::{self, Manner};
use serde_json::Value;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn get(web: &DemoWeb, target: &str) -> (u16, String) {
    let (head, body) = exchange(web, &web.address().to_string(), target).await;
    (status(&head), body)
}

/// Asks for `target` at `host`, and gives the head of the answer and what came of its body.
async fn exchange(web: &DemoWeb, host: &str, target: &str) -> (String, String) {
    let mut stream = TcpStream::connect(web.address()).await.unwrap();
    let request = format!("GET {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    // What breaks off may do so within a sign.
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

fn status(head: &str) -> u16 {
    head[9..12].parse().unwrap()
}

fn header<'a>(head: &'a str, name: &str) -> &'a str {
    let line = head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    line.unwrap_or_else(|| panic!("no {name} in {head}"))
}

async fn first_result(web: &DemoWeb, query: &str) -> String {
    let (status, body) = get(web, &format!("/search?q={query}&format=json")).await;
    assert_eq!(status, 200);
    let body: Value = serde_json::from_str(&body).unwrap();
    body["results"][0]["url"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn questions_lead_to_the_pages_that_answer_them() {
    let web = DemoWeb::start().await.unwrap();
    for (query, page) in [
        ("how+tall+is+the+lighthouse+tower", "heritage-register.html"),
        ("how+much+did+the+bridge+cost", "bridge-cost.html"),
        ("share+of+electricity+from+tidal+array", "energy-report-2024.html"),
        ("ferry+timetable", "ferry-timetable.html"),
        ("census+2021+people", "population.html"),
    ] {
        assert_eq!(first_result(&web, query).await, format!("{}/{page}", web.url()), "{query}");
    }
}

#[tokio::test]
async fn pages_are_served_and_unknown_ones_are_not() {
    let web = DemoWeb::start().await.unwrap();
    let (status, body) = get(&web, "/orrin-bridge.html").await;
    assert_eq!(status, 200);
    assert!(body.contains("14 May 2012"));
    assert_eq!(get(&web, "/../Cargo.toml").await.0, 404);
    assert_eq!(get(&web, "/nothing").await.0, 404);
    assert_eq!(web.requests(), ["/orrin-bridge.html", "/../Cargo.toml", "/nothing"]);
}

#[tokio::test]
async fn a_search_gives_the_fields_of_searxng() {
    let web = DemoWeb::start().await.unwrap();
    let (_, body) = get(&web, "/search?q=grey+seals&format=json").await;
    let body: Value = serde_json::from_str(&body).unwrap();
    let first = &body["results"][0];
    assert_eq!(first["title"], "Grey seals in Orrin Sound");
    assert_eq!(first["publishedDate"], "2024-02-14T00:00:00");
    assert!(first["content"].as_str().unwrap().contains("seals"));
    assert!(first["score"].as_f64().unwrap() > 0.0);
    assert_eq!(get(&web, "/search?format=json").await.0, 400);
    let (_, page_two) = get(&web, "/search?q=grey+seals&format=json&pageno=9").await;
    let page_two: Value = serde_json::from_str(&page_two).unwrap();
    assert_eq!(page_two["results"].as_array().unwrap().len(), 0);
}

#[tokio::test]
async fn a_search_by_name_tells_pages_at_the_hosts_of_their_sites() {
    let web = DemoWeb::start().await.unwrap();
    let port = web.address().port();
    let host = web.named_url().strip_prefix("http://").unwrap().to_owned();
    let (_, body) = exchange(&web, &host, "/search?q=weight+limit+lorries&format=json").await;
    let body: Value = serde_json::from_str(&body).unwrap();
    let results = body["results"].as_array().unwrap();
    let urls: Vec<_> = results.iter().map(|result| result["url"].as_str().unwrap()).collect();
    for (site, page) in [
        ("orrin-bridge", "weight-limit-release.html"),
        ("kestwick-courier", "courier-weight-limit.html"),
        ("western-post", "post-weight-limit.html"),
    ] {
        let url = format!("http://{site}.localhost:{port}/{page}");
        assert!(urls.contains(&url.as_str()), "{url} is not among {urls:?}");
    }
    let authorities: Vec<_> = web.authorities().collect();
    for url in urls {
        let authority = url.strip_prefix("http://").unwrap().split('/').next().unwrap();
        assert!(authorities.iter().any(|allowed| allowed == authority), "{url}");
    }
}

#[tokio::test]
async fn a_site_has_its_own_pages_and_links_to_those_of_others_where_they_are() {
    let web = DemoWeb::start().await.unwrap();
    let port = web.address().port();
    let paper = format!("kestwick-courier.localhost:{port}");
    let (head, body) = exchange(&web, &paper, "/bridge-cost.html").await;
    assert_eq!(status(&head), 200);
    let link = format!("href=\"http://orrin-bridge.localhost:{port}/orrin-bridge.html\"");
    assert!(body.contains(&link), "{body}");
    let canonical = format!("rel=\"canonical\" href=\"http://{paper}/bridge-cost.html\"");
    assert!(body.contains(&canonical), "{body}");
    let (head, _) = exchange(&web, &paper, "/orrin-bridge.html").await;
    assert_eq!(status(&head), 404);
    let (_, body) = get(&web, "/bridge-cost.html").await;
    assert!(body.contains("<a href=\"orrin-bridge.html\">"), "elsewhere all is as written");
}

#[tokio::test]
async fn a_broken_site_says_how_much_comes_and_sends_half() {
    let web = DemoWeb::start().await.unwrap();
    let host = web.address().to_string();
    let (head, body) = exchange(&web, &host, "/radio-orrin-shelves.html").await;
    assert_eq!(status(&head), 200);
    let announced: usize = header(&head, "content-length").parse().unwrap();
    assert!(body.len() > 500 && body.len() <= announced / 2 + 4, "{} of {announced}", body.len());
    assert!(body.contains("When did you notice?") && !body.contains("</html>"));
}

#[tokio::test]
async fn an_error_and_a_way_without_end() {
    let web = DemoWeb::start().await.unwrap();
    assert_eq!(get(&web, "/bridge-live.html").await.0, 500);
    let host = web.address().to_string();
    let mut target = "/fund-apply.html".to_owned();
    let mut seen = vec![target.clone()];
    for _ in 0..12 {
        let (head, _) = exchange(&web, &host, &target).await;
        assert_eq!(status(&head), 302);
        target = header(&head, "location").to_owned();
        assert!(!seen.contains(&target), "{target} a second time");
        seen.push(target.clone());
    }
}

#[tokio::test]
async fn the_slow_site_waits_as_long_as_the_server_is_told_and_nobody_else_does() {
    let slow = hosts::SITES.iter().find(|site| site.manner == Manner::Slow).unwrap();
    let web = DemoWeb::start().await.unwrap();
    let host = format!("{}:{}", slow.host, web.address().port());
    let (head, body) = exchange(&web, &host, "/bridge-act.html").await;
    assert_eq!(status(&head), 200);
    assert!(body.contains("</html>"), "without a delay it comes at once, and whole");

    let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let web = DemoWeb::start_with(anywhere, Duration::from_secs(3_600)).await.unwrap();
    let slowly = exchange(&web, &host, "/bridge-act.html");
    let others = async {
        while web.requests().is_empty() {
            tokio::task::yield_now().await;
        }
        get(&web, "/orrin-bridge.html").await.0
    };
    tokio::select! {
        biased;
        _ = slowly => panic!("an answer before its time"),
        status = others => assert_eq!(status, 200),
    }
}
