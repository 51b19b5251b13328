//! Where pages were read that a search found: redirects lead on, and some to no page of what was asked for.

use crate::{Found, Hit};
use quarry_evidence::address;
use quarry_types::text::cut;

/// Parts of a path that lead below a site's first page, whatever language or section that is of.
const DEEP: usize = 2;

impl Found {
    /// With each page that was read under the address where it was read: who cites it names where it stands.
    #[must_use]
    pub fn settled(mut self) -> Found {
        let moved = self.results.iter_mut().filter_map(Hit::settle).collect::<Vec<String>>();
        let mut seen = Vec::new();
        self.results.retain(|hit| {
            let is_again = moved.contains(&hit.url) && seen.contains(&hit.url);
            seen.push(hit.url.clone());
            !is_again
        });
        self
    }
}

impl Hit {
    /// Takes the address where its page was read; gives it if it is another. A page that only stands in for it is none.
    fn settle(&mut self) -> Option<String> {
        let url = self.page.as_ref()?.as_ref().ok()?.url.clone();
        if url.is_empty() || url == self.url {
            return None;
        }
        if stands_in(&self.url, &url) {
            self.page = Some(Err(format!("redirected to {}", cut(&url, 200))));
            return None;
        }
        self.url.clone_from(&url);
        Some(url)
    }
}

/// Whether a page stands in for the one that was asked for: a site's first page for what is no longer below it, or
/// one that wants consent first.
fn stands_in(asked: &str, read: &str) -> bool {
    let (Some(asked), Some(read)) = (address::clean(asked), address::clean(read)) else {
        return false;
    };
    let is_deep = asked.path().split('/').filter(|part| !part.is_empty()).count() >= DEEP;
    let is_first = read.path() == "/" && read.query().is_none();
    let asks = read.host_str().is_some_and(|host| host.split('.').next() == Some("consent"));
    is_deep && is_first || asks && asked.host_str() != read.host_str()
}

#[cfg(test)]
mod tests {
    use crate::{Found, Hit, Page};

    fn read(asked: &str, at: &str) -> Hit {
        let page = Page { url: at.into(), content: "text".into(), ..Page::default() };
        Hit { url: asked.into(), page: Some(Ok(page)), ..Hit::default() }
    }

    fn settled(hits: Vec<Hit>) -> Vec<Hit> {
        Found { results: hits, ..Found::default() }.settled().results
    }

    #[test]
    fn a_page_is_known_by_where_it_was_read() {
        let hits = settled(vec![
            read("https://short.example/x", "https://a.example/news/1"),
            read("https://b.example/", "https://b.example/"),
            Hit { url: "https://c.example/".into(), ..Hit::default() },
        ]);
        let urls: Vec<&str> = hits.iter().map(|hit| hit.url.as_str()).collect();
        assert_eq!(urls, ["https://a.example/news/1", "https://b.example/", "https://c.example/"]);
    }

    #[test]
    fn two_results_that_lead_to_one_page_are_one() {
        let page = "https://a.example/news/1";
        let hits = vec![read("https://short.example/x", page), read(page, page), read(page, page)];
        assert_eq!(settled(hits).len(), 1);
        assert_eq!(settled(vec![read(page, page); 2]).len(), 2, "neither was led there");
    }

    #[test]
    fn a_page_that_stands_in_for_another_is_not_read() {
        for (asked, at, is_read) in [
            ("https://a.example/2019/05/bridge", "https://a.example/", false),
            ("https://a.example/2019/05/bridge", "https://www.a.example/?from=x", true),
            ("https://a.example/de", "https://a.example/", true),
            ("https://a.example/x", "https://consent.a.example/collect?to=x", false),
            ("https://consent.example/law/gdpr", "https://consent.example/law/gdpr-2", true),
        ] {
            let hit = settled(vec![read(asked, at)]).remove(0);
            match hit.page.unwrap() {
                Ok(_) => assert!(is_read && hit.url == at, "{asked} at {at}"),
                Err(why) => {
                    assert!(!is_read && hit.url == asked, "{asked} at {at}");
                    assert_eq!(why, format!("redirected to {at}"));
                }
            }
        }
    }
}
