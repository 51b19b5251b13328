//! Pages as an ask reads them, without a socket.

use quarry_demo_web::DemoSite;
use quarry_evidence::{Anchor, Passage, Signal};
use quarry_machines::extractive::EvidenceSource;
use quarry_pages::page::{Headers, Wanted, read};
use serde_json::Value;
use std::path::{Path, PathBuf};
use url::Url;

const HOST: &str = "island.example";

/// What was read of a page.
pub struct Read {
    pub title: String,
    pub url: String,
    pub date: Option<String>,
    #[allow(dead_code, reason = "the runs want them, and the answers do not")]
    pub signals: Vec<Signal>,
    pub passages: Vec<Passage>,
}

impl Read {
    /// A text that is no page: Markdown under an address of its own.
    pub fn markdown(title: &str, text: &str) -> Read {
        let name = title.replace(|c: char| !c.is_alphanumeric(), "-");
        Read {
            title: title.to_owned(),
            ..Read::page(&format!("https://texts.example/{name}"), "text/markdown", text)
        }
    }

    fn page(address: &str, content_type: &str, body: &str) -> Read {
        let url = Url::parse(address).unwrap();
        let headers = Headers { content_type, ..Headers::default() };
        let wanted = Wanted { passages: true, ..Wanted::default() };
        let page = read(&headers, body.as_bytes(), &url, wanted).unwrap();
        let passages = page.passages.into_iter().map(|passage| {
            let anchor = Anchor::new(passage.anchor);
            Passage::new(anchor, passage.headings, passage.text, &passage.url)
        });
        Read {
            title: page.metadata.title.map(|(title, _)| title).unwrap_or_default(),
            url: address.to_owned(),
            date: page.metadata.published.map(|(date, _)| date),
            signals: page.metadata.signals,
            passages: passages.collect(),
        }
    }

    pub fn source(&self, n: usize) -> EvidenceSource<'_> {
        EvidenceSource {
            n,
            title: &self.title,
            url: &self.url,
            date: self.date.as_deref(),
            passages: &self.passages,
            ..EvidenceSource::default()
        }
    }
}

/// The documents of the demo handbook, one after the other by their paths.
pub fn handbook() -> Vec<Read> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo/handbook");
    let within = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut paths: Vec<PathBuf> = entries.collect();
        paths.sort();
        paths
    };
    let folders = within(&root).into_iter().filter(|path| path.is_dir());
    let pages: Vec<Read> =
        folders.flat_map(|folder| within(&folder)).map(|path| document(&path)).collect();
    assert!(pages.len() >= 12);
    pages
}

/// A document with its front matter.
fn document(path: &Path) -> Read {
    let text = std::fs::read_to_string(path).unwrap();
    let (front, body) = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
    let field =
        |name: &str| front.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let date = field("updated").or(field("published")).map(str::to_owned);
    Read { date, ..Read::markdown(field("title").unwrap(), body) }
}

/// Every page of the demo web.
pub fn island() -> Vec<Read> {
    let site = DemoSite::load().unwrap();
    let pages = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/web/pages");
    let mut names: Vec<String> = std::fs::read_dir(pages)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names.len() >= 12);
    let pages = names.iter().map(|name| {
        let read = fetch(&site, &format!("https://{HOST}/{name}"));
        read.unwrap()
    });
    pages.collect()
}

/// The pages that a search of the demo web finds, each read; those that do not come are left out.
pub fn found(query: &str, limit: u32) -> Vec<Read> {
    found_at(HOST, query, limit)
}

/// The same by the search of this host: [`quarry_demo_web::hosts::SEARCH_HOST`] tells each page at its own site.
pub fn found_at(host: &str, query: &str, limit: u32) -> Vec<Read> {
    let site = DemoSite::load().unwrap();
    let mut target = Url::parse(&format!("https://{host}/search?format=json")).unwrap();
    target.query_pairs_mut().append_pair("q", query);
    let target = format!("{}?{}", target.path(), target.query().unwrap());
    let answer: Value = serde_json::from_str(&site.answer("GET", &target, host).body).unwrap();
    let results = answer["results"].as_array().unwrap().iter().take(limit as usize);
    results.filter_map(|result| fetch(&site, result["url"].as_str().unwrap())).collect()
}

/// A page of the demo web; none where it is not served.
pub fn fetch(site: &DemoSite, address: &str) -> Option<Read> {
    let url = Url::parse(address).unwrap();
    let answer = site.answer("GET", url.path(), HOST);
    (answer.status == 200).then(|| Read::page(address, answer.media_type, &answer.body))
}
