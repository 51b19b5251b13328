//! The pages: loading, and telling their text from their markup.
//!
//! This reads our own pages only, whose form is known; it is no HTML parser.

use anyhow::{Context, Result};
use std::path::Path;

/// One page of the small web.
#[derive(Debug, Clone)]
pub struct Page {
    /// Its file name, which is also its path.
    pub name: String,
    /// The file as it is served.
    pub html: String,
    /// From `<title>`.
    pub title: String,
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
        let text = strip(between(&html, "<article>", "</article>").unwrap_or(&html));
        Page { name, html, title, published, text }
    }

    /// The relative addresses that the page links to.
    pub fn links(&self) -> Vec<&str> {
        self.html.split("<a href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
    }
}

/// Reads every page in a directory, sorted by name.
pub(crate) fn load(directory: &Path) -> Result<Vec<Page>> {
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
    pages.sort_by(|a, b| a.name.cmp(&b.name));
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

    fn pages() -> Vec<Page> {
        load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("pages")).unwrap()
    }

    #[test]
    fn every_page_has_title_date_and_text() {
        let pages = pages();
        assert!(pages.len() >= 12, "a dozen pages or more");
        for page in pages {
            assert!(!page.title.is_empty(), "{} has no title", page.name);
            let date = page.published.unwrap_or_default();
            assert_eq!(date.len(), 10, "{} has no date", page.name);
            assert!(page.text.len() > 500, "{} is too short", page.name);
        }
    }

    #[test]
    fn every_link_leads_to_a_page() {
        let pages = pages();
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
