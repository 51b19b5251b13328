//! DuckDuckGo's HTML page: no key. Its links lead through a redirect that carries the real address,
//! some are advertisements, and now and then the page is a puzzle for humans instead.

use super::{Access, Row};
use crate::answer::{Hit, Issue, Parsed, ProviderError, check_status, clean};
use crate::query::{Query, Request};
use quarry_pages::html::{Attr, Tag, Tree};
use url::Url;

/// What is known of it.
pub static ROW: Row = Row {
    name: "duckduckgo",
    url_variable: "duckduckgo_base_url",
    url: Some("https://html.duckduckgo.com"),
    key_variable: None,
    per_minute: Some(20),
    request,
    parse,
};

/// The page takes its query as a form does.
fn request(access: &Access, query: &Query) -> Request {
    let mut url = access.url.clone();
    let path = access.url.path().trim_end_matches('/');
    if !path.ends_with("html") {
        url.set_path(&format!("{path}/html/"));
    }
    url.set_query(None);
    url.query_pairs_mut().append_pair("q", &query.with_sites());
    let headers = vec![
        ("accept", "text/html".to_owned()),
        ("accept-language", "en;q=0.9, *;q=0.5".to_owned()),
    ];
    Request { url, headers, body: None }
}

fn parse(status: u16, body: &str) -> Parsed {
    // Both statuses are how the page says that it will not answer a machine.
    if matches!(status, 202 | 403) || is_block(body) {
        return Err(ProviderError::Blocked);
    }
    check_status(status)?;
    let tree = quarry_pages::html::parse(body);
    let (mut found, mut issues) = (Vec::new(), Vec::new());
    let mut seen = 0;
    let mut at = 0;
    while at < tree.len() {
        if !has_class(&tree, at, "result") {
            at += 1;
            continue;
        }
        if !has_class(&tree, at, "result--ad") && !has_class(&tree, at, "result--no-result") {
            seen += 1;
            match result(&tree, at) {
                Some(hit) => found.push(hit),
                None => issues.push(Issue::NoAddress(seen)),
            }
        }
        at = tree.end(at);
    }
    match (found.is_empty(), seen) {
        (false, _) => Ok((found, issues)),
        (true, 0) if !body.contains("no-results") && !body.contains("result--no-result") => {
            Err(ProviderError::Malformed)
        }
        _ => Err(ProviderError::Nothing),
    }
}

/// The page that asks for a human.
fn is_block(body: &str) -> bool {
    let signs = [
        "anomaly-modal",
        "anomaly.js",
        "unusual traffic",
        "Unfortunately, bots use DuckDuckGo too",
        "challenge-form",
    ];
    signs.iter().any(|sign| body.contains(sign)) && !body.contains("result__a")
}

fn result(tree: &Tree, at: u32) -> Option<Hit> {
    let with = |class: &str| tree.subtree(at).find(|inner| has_class(tree, *inner, class));
    let link = with("result__a").filter(|link| tree.tag(*link) == Some(Tag::A))?;
    let url = target(tree.attr(link, Attr::Href)?)?;
    let description =
        with("result__snippet").map(|snippet| tree.flat_text(snippet, 2_000)).unwrap_or_default();
    Some(Hit {
        title: clean(&tree.flat_text(link, 600).replace('&', "&amp;"), 300),
        url,
        description: clean(&description.replace('&', "&amp;"), 1_000),
        provider_score: None,
    })
}

/// The address behind a link: `/l/?uddg=` holds it; advertisements go through `y.js` and have none.
fn target(href: &str) -> Option<String> {
    let base = Url::parse("https://duckduckgo.com/").ok()?;
    let url = base.join(href.trim()).ok()?;
    let own = url
        .host_str()
        .is_some_and(|host| host == "duckduckgo.com" || host.ends_with(".duckduckgo.com"));
    if !own {
        return matches!(url.scheme(), "http" | "https").then(|| url.to_string());
    }
    if !url.path().starts_with("/l/") {
        return None;
    }
    let (_, inner) = url.query_pairs().find(|(name, _)| name == "uddg")?;
    let inner =
        Url::parse(&inner).ok().filter(|inner| matches!(inner.scheme(), "http" | "https"))?;
    let ad = inner.host_str().is_some_and(|host| host.ends_with("duckduckgo.com"))
        && inner.path().contains("y.js");
    (!ad).then(|| inner.to_string())
}

fn has_class(tree: &Tree, at: u32, class: &str) -> bool {
    tree.attr(at, Attr::Class)
        .is_some_and(|classes| classes.split_ascii_whitespace().any(|name| name == class))
}
