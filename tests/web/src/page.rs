//! The pages: loading, and telling their text from their markup.
//!
//! This reads our own pages only, whose form is known; it is no HTML parser.

use crate::hosts::{self, Site};
use anyhow::{Context, Result};
use std::path::Path;

/// Where pages lie, and what becomes of a request for one of them. A search knows them all.
const DIRECTORIES: [(&str, Conduct); 3] =
    [("pages", Conduct::Answers), ("failing", Conduct::Fails), ("redirecting", Conduct::Redirects)];

/// What becomes of a request for a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conduct {
    /// It is served, in the manner of its site.
    Answers,
    /// The server has an error.
    Fails,
    /// It leads to another address of itself, without end.
    Redirects,
}

/// One page of the small web.
#[derive(Debug, Clone)]
pub struct Page {
    /// Its file name, which is also its path.
    pub name: String,
    /// The file as it is served.
    pub html: String,
    /// From `<title>`.
    pub title: String,
    /// From `og:site_name`; none if no site has this name.
    pub site: Option<&'static Site>,
    /// What becomes of a request for it.
    pub conduct: Conduct,
    /// `YYYY-MM-DD`, from the page's metadata.
    pub published: Option<String>,
    /// The article without markup, words separated by one space.
    pub text: String,
}

impl Page {
    /// Reads a page from its source.
    pub fn new(name: String, html: String) -> Page {
        let title = decode(between(&html, "<title>", "</title>").unwrap_or_default());
        let published =
            between(&html, "article:published_time\" content=\"", "\"").map(str::to_owned);
        let site = between(&html, "og:site_name\" content=\"", "\"").map(decode);
        let site = site.and_then(|name| hosts::named(&name));
        let text = strip(between(&html, "<article>", "</article>").unwrap_or(&html));
        Page { name, html, title, site, conduct: Conduct::Answers, published, text }
    }

    /// The relative address that the page names as its own.
    pub fn canonical(&self) -> Option<&str> {
        between(&self.html, "<link rel=\"canonical\" href=\"", "\"")
    }

    /// The relative addresses that the page links to.
    pub fn links(&self) -> Vec<&str> {
        self.html.split("<a href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
    }
}

/// Reads every page, sorted by name.
pub(crate) fn load() -> Result<Vec<Page>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = Vec::new();
    for (directory, conduct) in DIRECTORIES {
        let read = read(&root.join(directory))?;
        pages.extend(read.into_iter().map(|page| Page { conduct, ..page }));
    }
    pages.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(pages)
}

fn read(directory: &Path) -> Result<Vec<Page>> {
    let mut pages = Vec::new();
    let entries = std::fs::read_dir(directory).context("cannot read the pages of the demo web")?;
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "html") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let html = std::fs::read_to_string(&path)
                .with_context(|| format!("cannot read the page {name}"))?;
            pages.push(Page::new(name, html));
        }
    }
    Ok(pages)
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(start)?;
    rest.split_once(end).map(|(inside, _)| inside)
}

/// Drops tags. A tag separates words, so that table cells do not run together.
fn strip(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut inside_tag = false;
    for c in html.chars() {
        match c {
            '<' => {
                inside_tag = true;
                text.push(' ');
            }
            '>' if inside_tag => inside_tag = false,
            _ if inside_tag => {}
            _ => text.push(c),
        }
    }
    let words: Vec<_> = text.split_whitespace().collect();
    // Inline markup before punctuation leaves a space that nobody wrote.
    let mut joined = words.join(" ");
    for mark in [",", ".", ";", ":", ")", "?"] {
        joined = joined.replace(&format!(" {mark}"), mark);
    }
    decode(&joined)
}

fn decode(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_title_date_and_text() {
        let pages = load().unwrap();
        assert!(pages.len() >= 40, "forty pages or more");
        for page in pages {
            assert!(!page.title.is_empty(), "{} has no title", page.name);
            assert!(page.site.is_some(), "{} is of no known site", page.name);
            let date = page.published.unwrap_or_default();
            assert_eq!(date.len(), 10, "{} has no date", page.name);
            assert!(page.text.len() > 500, "{} is too short", page.name);
        }
    }

    #[test]
    fn every_link_leads_to_a_page() {
        let pages = load().unwrap();
        for page in &pages {
            for link in page.links() {
                assert!(pages.iter().any(|p| p.name == link), "{} links to {link}", page.name);
            }
        }
    }

    #[test]
    fn markup_is_dropped_and_words_stay_apart() {
        let html = "<article><td>A</td><td>B</td> <a href=\"x\">C &amp; D</a>, e</article>";
        assert_eq!(Page::new("p.html".into(), html.into()).text, "A B C & D, e");
    }
}
