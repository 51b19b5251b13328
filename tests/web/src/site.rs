//! What the small web answers, without a socket: the server serves it, tests on virtual time ask it.

use crate::page::{self, Page};
use crate::search;
use anyhow::Result;
use serde_json::json;
use std::path::Path;

const HITS_PER_PAGE: usize = 10;

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";
const PLAIN: &str = "text/plain";

/// The small web's pages and its search.
#[derive(Debug)]
pub struct DemoSite {
    pages: Vec<Page>,
}

/// An answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The media type, with its character set.
    pub media_type: &'static str,
    /// The body.
    pub body: String,
}

impl Answer {
    fn new(status: u16, media_type: &'static str, body: impl Into<String>) -> Answer {
        Answer { status, media_type, body: body.into() }
    }
}

impl DemoSite {
    /// Reads the pages.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn load() -> Result<DemoSite> {
        let pages = page::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("pages"))?;
        Ok(DemoSite { pages })
    }

    /// Answers a request for a path with its query; `host` is where the site is, for absolute
    /// addresses.
    #[must_use]
    pub fn answer(&self, method: &str, target: &str, host: &str) -> Answer {
        if !matches!(method, "GET" | "HEAD") {
            return Answer::new(405, PLAIN, "only GET");
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        if path == "/search" {
            return self.answer_search(query, host);
        }
        let name = if path == "/" { "index.html" } else { path.trim_start_matches('/') };
        match self.pages.iter().find(|page| page.name == name) {
            Some(page) => Answer::new(200, HTML, page.html.clone()),
            None => Answer::new(404, PLAIN, "no such page"),
        }
    }

    /// Answers as SearXNG does; without `format=json` with a list for people.
    fn answer_search(&self, query: &str, host: &str) -> Answer {
        let parameters: Vec<(String, String)> =
            url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let get = |name: &str| {
            parameters.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str())
        };
        let asked = get("q");
        if asked.is_empty() {
            return Answer::new(400, PLAIN, "q is missing");
        }
        let page_number = get("pageno").parse::<usize>().unwrap_or(1).max(1);
        let hits = search::search(&self.pages, asked);
        let shown = hits.iter().skip((page_number - 1) * HITS_PER_PAGE).take(HITS_PER_PAGE);
        if get("format") != "json" {
            let items: String = shown
                .map(|hit| {
                    let page = hit.page;
                    format!("<li><a href=\"{}\">{}</a></li>\n", page.name, page.title)
                })
                .collect();
            let html = format!("<!doctype html><title>Search</title>\n<ol>\n{items}</ol>\n");
            return Answer::new(200, HTML, html);
        }
        let results: Vec<_> = shown
            .map(|hit| {
                json!({
                    "url": format!("http://{host}/{}", hit.page.name),
                    "title": hit.page.title,
                    "content": hit.snippet,
                    "engine": "demo",
                    "engines": ["demo"],
                    "category": "general",
                    "score": (hit.score * 1000.0).round() / 1000.0,
                    "publishedDate": hit.page.published.as_ref().map(|day| format!("{day}T00:00:00")),
                })
            })
            .collect();
        let body = json!({
            "query": asked,
            "number_of_results": hits.len(),
            "results": results,
            "answers": [],
            "corrections": [],
            "infoboxes": [],
            "suggestions": [],
            "unresponsive_engines": [],
        });
        Answer::new(200, JSON, body.to_string())
    }
}
