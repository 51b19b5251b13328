//! Addresses of results: cleaned of what tracks readers, and compared by what they lead to.
//!
//! Border: an address in, the same or what it has in common with others of its page out.

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
    pairs.sort_unstable();
    format!("{host}{port}{}?{}", url.path().trim_end_matches('/'), pairs.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
