//! Addresses of documents of one's own: paths of the server that keeps them.
//!
//! Border: an address in, what it says out. Whoever serves such paths, and what of them a caller may see, is no
//! matter of evidence.

/// What the address of each of them begins with.
pub const OWN_DOCUMENTS: &str = "/knowledge/documents/";

/// Whose voice they are: one house speaks in all of them.
pub(crate) const OWN_VOICE: &str = "own documents";

/// Whether an address is that of a document of one's own, or of a place in one. Nothing that a page says can be
/// one by accident: its addresses have a scheme and a host.
#[must_use]
pub fn is_own(address: &str) -> bool {
    let rest = address.strip_prefix(OWN_DOCUMENTS).unwrap_or_default();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./?=&%~:#,".contains(c);
    !rest.is_empty() && rest.chars().all(is_plain)
}

/// The state that a document is in where this place is one of it; empty where the place does not say.
pub(crate) fn state(place: &str) -> &str {
    let mut parts = place.strip_prefix('?').unwrap_or_default().split('&');
    parts.find_map(|part| part.strip_prefix("as_of=")).unwrap_or_default()
}

/// The address of a place in what stands at `url`. A place begins with `?` where its server finds it, and is what
/// stands behind `#` where the reader's browser does.
#[must_use]
pub(crate) fn placed(url: &str, place: &str) -> String {
    if place.is_empty() {
        return url.to_owned();
    }
    let page = url.split('#').next().unwrap_or_default();
    if place.starts_with('?') { format!("{page}{place}") } else { format!("{page}#{place}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_documents_are_ones_own() {
        for own in ["/knowledge/documents/d1/chunks", "/knowledge/documents/d1/chunks?from=7"] {
            assert!(is_own(own), "{own}");
        }
        for other in [
            "",
            "/knowledge/documents/",
            "https://a.example/knowledge/documents/d1",
            "//a.example/knowledge/documents/d1",
            "/knowledge/documents/d1)](javascript:x",
            "/knowledge/documents/d 1",
        ] {
            assert!(!is_own(other), "{other}");
        }
    }

    #[test]
    fn a_place_names_the_state_of_its_document() {
        for (place, named) in [
            ("?from=7&as_of=1c0ffee5", "1c0ffee5"),
            ("?as_of=a&from=7", "a"),
            ("?from=7", ""),
            ("as_of=a", ""),
            ("", ""),
        ] {
            assert_eq!(state(place), named, "{place}");
        }
    }

    #[test]
    fn a_place_is_the_servers_or_the_browsers_to_find() {
        let url = "/knowledge/documents/d1/chunks";
        assert_eq!(placed(url, "?from=7"), "/knowledge/documents/d1/chunks?from=7");
        assert_eq!(placed("https://a.example/x#y", "z"), "https://a.example/x#z");
        assert_eq!(placed("https://a.example/x#y", ""), "https://a.example/x#y");
    }
}
