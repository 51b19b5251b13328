//! Addresses of results: cleaned of what tracks readers, and compared by what they lead to.
//!
//! Border: an address in, the same or what it has in common with others of its page out.

use quarry_types::order;
use url::Url;

/// Parameters that say where a reader came from, not what the page is.
const TRACKING: &[&str] = &[
    "gclid",
    "gclsrc",
    "dclid",
    "gbraid",
    "wbraid",
    "fbclid",
    "msclkid",
    "twclid",
    "ttclid",
    "yclid",
    "igshid",
    "igsh",
    "mc_cid",
    "mc_eid",
    "_ga",
    "_gl",
    "_hsenc",
    "_hsmi",
    "hsctatracking",
    "mkt_tok",
    "oly_anon_id",
    "oly_enc_id",
    "vero_id",
    "wickedid",
    "srsltid",
    "li_fat_id",
    "s_cid",
    "cmpid",
    "icid",
    "ref_src",
    "ref_url",
    "trk",
    "spm",
];

/// The address without fragment and tracking parameters; `None` for one that is not http(s).
#[must_use]
pub fn clean(address: &str) -> Option<Url> {
    let mut url = Url::parse(address.trim()).ok()?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return None;
    }
    url.set_fragment(None);
    if let Some(query) = url.query() {
        let kept: Vec<&str> =
            query.split('&').filter(|pair| !pair.is_empty() && !is_tracking(pair)).collect();
        let kept = kept.join("&");
        url.set_query((!kept.is_empty()).then_some(kept.as_str()));
    }
    Some(url)
}

fn is_tracking(pair: &str) -> bool {
    let name = pair.split('=').next().unwrap_or_default().to_ascii_lowercase();
    name.starts_with("utm_")
        || name.starts_with("pk_")
        || name.starts_with("mtm_")
        || TRACKING.contains(&name.as_str())
}

/// What two addresses of one page have in common: the scheme, `www.`, a trailing slash and the
/// parameters' order do not count.
#[must_use]
pub fn key(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    let host = host.strip_prefix("www.").unwrap_or(host);
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let mut pairs: Vec<&str> =
        url.query().unwrap_or_default().split('&').filter(|pair| !pair.is_empty()).collect();
    order::sort_by_key(&mut pairs, |pair| *pair);
    format!("{host}{port}{}?{}", url.path().trim_end_matches('/'), pairs.join("&"))
}

/// Words in the addresses of copies, for printers and for phones.
const COPIES: &[&str] =
    &["print", "printable", "printer", "printview", "printversion", "amp", "mobile", "m"];

/// What a page that was read is known by: of a copy for printers or phones it is the address that it calls canonical, so
/// that both are one. Otherwise that address is not believed: it too often names another page, as the first of a series.
#[must_use]
pub fn known_as(read: String, canonical: Option<&str>) -> String {
    canonical.and_then(|canonical| original(&read, canonical)).unwrap_or(read)
}

fn original(read: &str, canonical: &str) -> Option<String> {
    let (read, canonical) = (clean(read)?, clean(canonical)?);
    let (of_copy, of_original) = (words(&read), words(&canonical));
    let is_copy =
        of_copy.iter().any(|word| COPIES.contains(&word.as_str()) && !of_original.contains(word));
    (is_copy && site(&read) == site(&canonical)).then(|| canonical.to_string())
}

fn words(url: &Url) -> Vec<String> {
    let words = url.as_str().split(|char: char| !char.is_ascii_alphanumeric());
    words.map(str::to_ascii_lowercase).collect()
}

/// The host without what tells the copies of a site apart, and its port.
fn site(url: &Url) -> (&str, Option<u16>) {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    let bare = ["www.", "m.", "mobile.", "amp."].iter().find_map(|label| host.strip_prefix(*label));
    (bare.unwrap_or(host), url.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_known_by_the_page_that_it_is_a_copy_of() {
        let page = "https://www.a.example/news/bridge";
        for copy in [
            "https://www.a.example/news/bridge?print=1",
            "https://www.a.example/news/bridge-print.html",
            "https://www.a.example/amp/news/bridge",
            "https://m.a.example/news/bridge",
        ] {
            assert_eq!(known_as(copy.to_owned(), Some(page)), page, "{copy}");
            assert_eq!(known_as(copy.to_owned(), None), copy);
            assert_eq!(known_as(copy.to_owned(), Some("https://b.example/bridge")), copy);
        }
        for own in ["https://a.example/news/bridge?page=2", "https://a.example/print-shop"] {
            assert_eq!(known_as(own.to_owned(), Some("https://a.example/print-shop")), own);
        }
    }

    #[test]
    fn addresses_are_cleaned_and_compared() {
        let cleaned = |text: &str| clean(text).map(String::from);
        assert_eq!(
            cleaned("https://A.example:443/x?utm_source=y&id=1&fbclid=z#frag").as_deref(),
            Some("https://a.example/x?id=1")
        );
        assert_eq!(cleaned("http://a.example/?gclid=1").as_deref(), Some("http://a.example/"));
        assert_eq!(cleaned("ftp://a.example/"), None);
        let same =
            |one: &str, other: &str| key(&clean(one).unwrap()) == key(&clean(other).unwrap());
        assert!(same(
            "http://www.a.example/x/?b=2&a=1#f",
            "https://a.example/x?a=1&b=2&utm_medium=m"
        ));
        assert!(!same("https://a.example/x", "https://a.example/y"));
        assert!(!same("https://a.example/x", "https://a.example:8443/x"));
    }
}
