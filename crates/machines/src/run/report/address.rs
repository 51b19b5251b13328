//! Addresses as a report may link them.

use super::block::is_invisible;
use quarry_evidence::cite::escaped;
use quarry_evidence::is_own;

/// The longest address that is linked, in bytes.
const MOST: usize = 4_096;

/// An address that ends no link, if it is one of the web or of a document of one's own.
pub fn linked(address: &str) -> Option<String> {
    let address = address.trim();
    if is_own(address) && address.len() <= MOST {
        return Some(escaped(address));
    }
    let scheme = address.split_once("://").map(|(scheme, _)| scheme)?;
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    if !is_web || address.len() > MOST {
        return None;
    }
    let mut out = String::with_capacity(address.len());
    for c in escaped(address).chars() {
        if is_invisible(c) {
            // Markdown is read as it stands, and such a sign would turn what follows around.
            c.encode_utf8(&mut [0; 4])
                .bytes()
                .for_each(|byte| out.push_str(&format!("%{byte:02X}")));
        } else {
            out.push(c);
        }
    }
    Some(out)
}

/// What tells pages apart: the address without the place on the page.
pub fn page(address: &str) -> &str {
    if is_own(address) {
        return address.split(['?', '#']).next().unwrap_or_default();
    }
    address.split('#').next().unwrap_or_default().trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_web_is_linked() {
        for no in ["javascript:alert(1)", "data:text/html,x", "//a.example", "", "java\nscript://x"]
        {
            assert_eq!(linked(no), None, "{no}");
        }
        assert_eq!(
            linked("HTTPS://a.example/(x)`<b>").as_deref(),
            Some("HTTPS://a.example/%28x%29%60%3Cb%3E")
        );
        let own = "/knowledge/documents/d1/chunks?from=7";
        assert_eq!(linked(own).as_deref(), Some(own));
        assert_eq!(page(own), "/knowledge/documents/d1/chunks");
        assert_eq!(linked("http://a/\u{202e}é").as_deref(), Some("http://a/%E2%80%AEé"));
    }
}
