//! What the small web answers, without a socket: the server serves it, tests on virtual time ask it.

use crate::hosts::{self, Manner, SEARCH_HOST};
use crate::page::{self, Conduct, Page};
use crate::search;
use anyhow::Result;
use serde_json::json;

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
    /// Where a redirect leads.
    pub location: Option<String>,
    /// How it is sent.
    pub manner: Manner,
    /// The body.
    pub body: String,
}

impl Answer {
    fn new(status: u16, media_type: &'static str, body: impl Into<String>) -> Answer {
        Answer { status, media_type, location: None, manner: Manner::Prompt, body: body.into() }
    }

    /// The part of the body that is sent.
    #[must_use]
    pub fn sent(&self) -> &str {
        match self.manner {
            Manner::Prompt | Manner::Slow => &self.body,
            Manner::BreaksOff => {
                self.body.get(..self.body.floor_char_boundary(self.body.len() / 2)).unwrap_or("")
            }
        }
    }
}

impl DemoSite {
    /// Reads the pages.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn load() -> Result<DemoSite> {
        Ok(DemoSite { pages: page::load()? })
    }

    /// Every page, by name.
    #[must_use]
    pub fn pages(&self) -> &[Page] {
        &self.pages
    }

    /// Answers a request for a path with its query at `host`, with its port if it has one.
    ///
    /// The host of one of the [sites](crate::hosts::SITES) has the pages of that site and links to others at theirs. Any
    /// other host has all pages. A search tells pages at the host that is asked, and at
    /// [`SEARCH_HOST`] at their own.
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
        let (asked, port) = split(host);
        let site = hosts::at(asked);
        let is_here = |page: &&Page| page.name == name && (site.is_none() || page.site == site);
        let Some(page) = self.pages.iter().find(is_here) else {
            return Answer::new(404, PLAIN, "no such page");
        };
        match page.conduct {
            Conduct::Answers => {
                let body = match site {
                    Some(_) => self.with_whole_addresses(&page.html, port),
                    None => page.html.clone(),
                };
                let manner = page.site.map_or(Manner::Prompt, |site| site.manner);
                Answer { manner, ..Answer::new(200, HTML, body) }
            }
            Conduct::Fails => Answer::new(500, PLAIN, "internal server error"),
            Conduct::Redirects => {
                let turn = query.strip_prefix("turn=").and_then(|turn| turn.parse::<u64>().ok());
                let next = format!("{path}?turn={}", turn.unwrap_or(0).wrapping_add(1));
                Answer { location: Some(next), ..Answer::new(302, PLAIN, "") }
            }
        }
    }

    /// Each link to a page leads to the host of its site.
    fn with_whole_addresses(&self, html: &str, port: &str) -> String {
        const LINK: &str = "href=\"";
        let mut pieces = html.split(LINK);
        let mut whole = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            whole.push_str(LINK);
            let name = piece.split('"').next().unwrap_or_default();
            let page = self.pages.iter().find(|page| page.name == name);
            if let Some(site) = page.and_then(|page| page.site) {
                whole.push_str(&format!("http://{}{port}/", site.host));
            }
            whole.push_str(piece);
        }
        whole
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
                    "url": address(hit.page, host),
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

/// Where a search that is asked at `host` says that a page is.
fn address(page: &Page, host: &str) -> String {
    let name = &page.name;
    match (split(host), page.site) {
        ((SEARCH_HOST, port), Some(site)) => format!("http://{}{port}/{name}", site.host),
        _ => format!("http://{host}/{name}"),
    }
}

/// A host's name, and its port with the colon.
fn split(host: &str) -> (&str, &str) {
    host.split_at(host.rfind(':').unwrap_or(host.len()))
}
