//! The small web as a client sees it.

#![cfg(test)]

use quarry_demo_web::DemoWeb;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn get(web: &DemoWeb, target: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(web.address()).await.unwrap();
    let request =
        format!("GET {target} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", web.address());
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head[9..12].parse().unwrap(), body.to_owned())
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
