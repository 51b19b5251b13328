//! Pages whose text is made by script: how they are told, and what they give all the same.

use crate::html::{self, Attr, Tag, Tree};
use crate::metadata::Metadata;
use crate::state;
use std::fmt::Write as _;

/// Bytes of text below which a page may be waiting for its script.
const LITTLE: usize = 400;
/// Bytes of text that are worth showing instead.
const WORTH: usize = 200;
/// Bytes of text below which a page with scripts says nothing itself.
const NOTHING: usize = 80;

/// What a page that needs its script gives without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rescue {
    /// A page to read instead; `None` where there is nothing but the page's fields.
    pub html: Option<String>,
}

/// Tells whether a page needs its script, from the bytes of main text that it has without.
pub fn rescue(tree: &Tree, metadata: &Metadata, own: usize) -> Option<Rescue> {
    if own >= LITTLE {
        return None;
    }
    let body = metadata.body.as_deref().map(paragraphs).unwrap_or_default();
    // What is meant for readers without scripts comes first, what was never meant to be read last.
    let candidates = [tree.noscript.clone(), body, state::text_as_html(&tree.state)];
    let worth = WORTH.max(own * 2);
    let found = candidates
        .into_iter()
        .find(|html| html.len() >= worth && html::parse(html).flat_text_all(worth).len() >= worth);
    if let Some(html) = found {
        return Some(Rescue { html: Some(with_title(&html, metadata)) });
    }
    let waits = own == 0 || tree.scripts > 0 && (own < NOTHING || has_empty_root(tree));
    waits.then_some(Rescue { html: None })
}

fn with_title(html: &str, metadata: &Metadata) -> String {
    let title =
        metadata.title.as_ref().map(|(title, _)| format!("<h1>{}</h1>", html::escape(title)));
    let title = title.filter(|_| !html.contains("<h1")).unwrap_or_default();
    format!("<main>{title}{html}</main>")
}

fn paragraphs(text: &str) -> String {
    let mut html = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        // Writing to a string cannot fail.
        _ = write!(html, "<p>{}</p>", html::escape(line));
    }
    html
}

/// Whether the element stands empty that frameworks put their page in.
fn has_empty_root(tree: &Tree) -> bool {
    const ROOTS: &[&str] = &[
        "root",
        "app",
        "__next",
        "__nuxt",
        "main-app",
        "react-root",
        "app-root",
        "gatsby",
        "svelte",
    ];
    (0..tree.len()).any(|at| {
        tree.tag(at) == Some(Tag::Div)
            && tree.attr(at, Attr::Id).is_some_and(|id| ROOTS.contains(&id))
            && tree.flat_text(at, NOTHING + 1).len() <= NOTHING
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata;
    use url::Url;

    fn rescued(page: &str, own: usize) -> Option<Rescue> {
        let tree = html::parse(page);
        let metadata = metadata::read(&tree, &Url::parse("https://example.com/").unwrap());
        rescue(&tree, &metadata, own)
    }

    const SENTENCE: &str =
        "This is a sentence that the page would show to people once its script has run. ";

    #[test]
    fn a_page_with_text_needs_no_script() {
        assert_eq!(rescued("<script src=a.js></script><div id=root></div>", LITTLE), None);
        assert_eq!(rescued("<p>A short note.", 13), None);
        assert_eq!(rescued("<script>count()</script><p>…", 120), None);
    }

    #[test]
    fn an_empty_root_waits_for_its_script() {
        let page = "<div id=root>Loading</div><p>x</p><script src=a.js></script>";
        assert_eq!(rescued(page, 120), Some(Rescue { html: None }));
    }

    #[test]
    fn the_best_source_is_taken() {
        let ld = format!(
            r#"<script type="application/ld+json">{{"@type":"Article","headline":"T","articleBody":"{}"}}</script>"#,
            SENTENCE.repeat(4)
        );
        let html = rescued(&format!("{ld}<div id=app></div><script src=a></script>"), 0)
            .unwrap()
            .html
            .unwrap();
        assert!(html.starts_with("<main><h1>T</h1><p>This is a sentence"), "{html}");

        let state = format!(
            r#"<script id="__NEXT_DATA__" type="application/json">{{"props":{{"body":"{}"}}}}</script>"#,
            SENTENCE.repeat(9)
        );
        let html = rescued(&format!("{state}<div id=__next></div>"), 0).unwrap().html.unwrap();
        assert_eq!(html.matches("This is a sentence").count(), 9);
    }
}
