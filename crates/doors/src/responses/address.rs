//! What stands behind the `?` of an address: whether frames are wanted, from where on, and which part of a list.
//!
//! Border: text in, values out.

use crate::talk::{MAX_NAMED, plain};
use crate::{Head, Refusal};

/// Items of a list at most, and where nothing is said.
const MAX_ITEMS: usize = 100;
const ITEMS: usize = 20;

/// Which part of a list is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// So many at most.
    pub limit: usize,
    /// Oldest first; else newest first.
    pub is_ascending: bool,
    /// What comes behind the one with this id.
    pub after: Option<String>,
}

impl Page {
    pub(super) fn read(head: &Head) -> Result<Page, Refusal> {
        let limit = match value(head, "limit") {
            None => ITEMS,
            Some(text) => {
                let limit = text.parse().ok().filter(|limit| (1..=MAX_ITEMS).contains(limit));
                limit.ok_or_else(|| {
                    Refusal::field("limit", &format!("wants a whole number from 1 to {MAX_ITEMS}"))
                })?
            }
        };
        let is_ascending = match value(head, "order") {
            None | Some("desc") => false,
            Some("asc") => true,
            Some(_) => return Err(Refusal::field("order", "wants asc or desc")),
        };
        Ok(Page { limit, is_ascending, after: value(head, "after").map(str::to_owned) })
    }
}

/// Whether a stream is wanted, and behind which frame.
pub(super) fn stream(head: &Head) -> Result<Option<Option<u64>>, Refusal> {
    let after = match value(head, "starting_after") {
        None => None,
        Some(text) => Some(text.parse().map_err(|_| {
            Refusal::field("starting_after", "wants the sequence_number of a frame")
        })?),
    };
    match value(head, "stream") {
        Some("true" | "1") => Ok(Some(after)),
        None | Some("false" | "0") if after.is_none() => Ok(None),
        None | Some("false" | "0") => {
            Err(Refusal::field("starting_after", "is for streams; send stream=true with it"))
        }
        Some(_) => Err(Refusal::field("stream", "wants true or false")),
    }
}

/// The names of what stands there and that no door reads. What is shown of a response was settled when it was asked for,
/// so `include` is one of them; that nothing is obfuscated is said nowhere, as in a body.
pub(crate) fn unread(head: &Head) -> Vec<String> {
    let is_read = head.method == "GET" && head.path.starts_with("/v1/responses/");
    let read: &[&str] = match (is_read, head.path.ends_with("/input_items")) {
        (true, true) => &["limit", "order", "after"],
        (true, false) => &["stream", "starting_after", "include_obfuscation"],
        (false, _) => &[],
    };
    let mut unread: Vec<String> = Vec::new();
    for pair in head.query.as_deref().unwrap_or_default().split('&') {
        let (name, text) = pair.split_once('=').unwrap_or((pair, ""));
        if text.is_empty() || read.contains(&name) {
            continue;
        }
        // A list's has brackets behind it, or their percent signs.
        let name = plain(name.split(['[', '%']).next().unwrap_or_default());
        if !name.is_empty() && !unread.contains(&name) && unread.len() < MAX_NAMED {
            unread.push(name);
        }
    }
    unread
}

/// The first value of a name that is not empty. None of them has a letter that needs a percent sign.
fn value<'h>(head: &'h Head, name: &str) -> Option<&'h str> {
    let pairs = head.query.as_deref()?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.filter(|(named, text)| *named == name && !text.is_empty()).map(|(_, text)| text).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(query: &str) -> Head {
        Head { query: Some(query.to_owned()), ..Head::default() }
    }

    #[test]
    fn a_stream_begins_where_it_is_wanted() {
        assert_eq!(stream(&head("")), Ok(None));
        assert_eq!(stream(&head("include=x&stream=false")), Ok(None));
        assert_eq!(stream(&head("stream=true")), Ok(Some(None)));
        assert_eq!(stream(&head("stream=true&starting_after=7")), Ok(Some(Some(7))));
        for query in ["starting_after=7", "stream=true&starting_after=-1", "stream=yes"] {
            assert!(stream(&head(query)).is_err(), "{query}");
        }
    }

    #[test]
    fn what_no_door_reads_is_known_by_its_name() {
        let unread = |method: &str, path: &str, query: &str| {
            let head = head(query);
            super::unread(&Head { method: method.to_owned(), path: path.to_owned(), ..head })
        };
        let (one, items) = ("/v1/responses/resp_0af3", "/v1/responses/resp_0af3/input_items");
        for (method, path, query, names) in [
            ("GET", one, "stream=true&starting_after=4&include_obfuscation=false", vec![]),
            ("GET", items, "limit=2&order=asc&after=m", vec![]),
            ("GET", one, "include[]=a&include%5B%5D=b&include%5b0%5d=c", vec!["include"]),
            ("GET", items, "include=a&before=m&before=n", vec!["include", "before"]),
            // What is read of the one is not read of the other.
            ("GET", one, "limit=2&order=asc", vec!["limit", "order"]),
            ("GET", items, "stream=true", vec!["stream"]),
            ("POST", "/v1/responses", "stream=true&api-version=1", vec!["stream", "api-version"]),
            ("GET", "/v1/models", "stream=true&limit=9", vec!["stream", "limit"]),
            ("DELETE", one, "include[]=&force", vec![]),
            ("DELETE", one, "a%0d%0ab=1&%22=1&f\u{f6}o=1", vec!["a", "fo"]),
        ] {
            assert_eq!(unread(method, path, query), names, "{method} {path}?{query}");
        }
        let many: Vec<String> = (0..200).map(|at| format!("n{at}=1")).collect();
        assert_eq!(unread("GET", one, &many.join("&")).len(), MAX_NAMED);
    }

    #[test]
    fn a_part_of_a_list_is_said_as_the_protocol_says_it() {
        let page = |limit, is_ascending, after: Option<&str>| Page {
            limit,
            is_ascending,
            after: after.map(str::to_owned),
        };
        assert_eq!(Page::read(&head("")), Ok(page(20, false, None)));
        assert_eq!(Page::read(&head("order=asc&limit=1&after=m")), Ok(page(1, true, Some("m"))));
        for query in ["limit=0", "limit=101", "order=up"] {
            assert!(Page::read(&head(query)).is_err(), "{query}");
        }
    }
}
