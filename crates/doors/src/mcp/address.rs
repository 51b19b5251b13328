//! The addresses of resources: a guide, and each ask as a document, its sources and its events.
//!
//! Border: texts in and out.

use serde_json::{Value, json};

use crate::route::MAX_ID_CHARACTERS;

/// Documents for people.
pub(super) const MARKDOWN: &str = "text/markdown";
const JSON: &str = "application/json";
const LINES: &str = "application/x-ndjson";

const ASKS: &str = "quarry://asks/";
const GUIDE: &str = "quarry://guide";

/// Which part of an ask is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Question, answer and sources.
    Document,
    Sources,
    Events,
}

impl Part {
    /// Its media type.
    pub const fn kind(self) -> &'static str {
        match self {
            Part::Document => MARKDOWN,
            Part::Sources => JSON,
            Part::Events => LINES,
        }
    }
}

/// What an address means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Address<'u> {
    Guide,
    Ask(&'u str, Part),
}

impl Address<'_> {
    /// None where nothing lives.
    pub fn read(uri: &str) -> Option<Address<'_>> {
        if uri == GUIDE {
            return Some(Address::Guide);
        }
        let rest = uri.strip_prefix(ASKS)?;
        let (id, part) = match rest.split_once('/') {
            None => (rest, Part::Document),
            Some((id, "sources")) => (id, Part::Sources),
            Some((id, "events")) => (id, Part::Events),
            Some(_) => return None,
        };
        is_id(id).then_some(Address::Ask(id, part))
    }
}

/// Whether a text can be an ask's id.
pub(super) fn is_id(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=MAX_ID_CHARACTERS).contains(&text.len()) && text.bytes().all(plain)
}

/// Where an ask's document is.
pub(super) fn of(ask: &str) -> String {
    format!("{ASKS}{ask}")
}

/// What `resources/list` lists: what is there whoever asks.
pub(super) fn listed() -> Value {
    json!([{
        "uri": GUIDE, "name": "guide", "title": "How to research with Quarry", "mimeType": MARKDOWN,
        "description": "Which tool does what, how long to wait, and how to read results.",
    }])
}

/// What `resources/templates/list` lists.
pub(super) fn templates() -> Value {
    let template = |rest: &str, name: &str, title: &str, part: Part, description: &str| {
        json!({
            "uriTemplate": format!("{ASKS}{{id}}{rest}"), "name": name, "title": title,
            "mimeType": part.kind(), "description": description,
        })
    };
    json!([
        template(
            "",
            "research",
            "A research",
            Part::Document,
            "Question, answer and sources of the research with this id, as far as it has come."
        ),
        template(
            "/sources",
            "research-sources",
            "Its sources",
            Part::Sources,
            "The numbered sources of the research."
        ),
        template(
            "/events",
            "research-events",
            "Its events",
            Part::Events,
            "What went on in the research, one JSON object a line."
        ),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_guides_or_an_asks() {
        for (uri, read) in [
            ("quarry://guide", Some(Address::Guide)),
            ("quarry://asks/0af3", Some(Address::Ask("0af3", Part::Document))),
            ("quarry://asks/0af3/sources", Some(Address::Ask("0af3", Part::Sources))),
            ("quarry://asks/0af3/events", Some(Address::Ask("0af3", Part::Events))),
            ("quarry://asks/0af3/state", None),
            ("quarry://asks/../x", None),
            ("quarry://asks/", None),
            ("quarry://runs/0af3", None),
            ("https://example.org", None),
        ] {
            assert_eq!(Address::read(uri), read, "{uri}");
        }
        assert_eq!(Address::read(&of("0af3")), Some(Address::Ask("0af3", Part::Document)));
    }

    #[test]
    fn what_is_listed_and_told_of_can_be_read() {
        for listed in listed().as_array().unwrap() {
            assert!(Address::read(listed["uri"].as_str().unwrap()).is_some());
        }
        for template in templates().as_array().unwrap() {
            let uri = template["uriTemplate"].as_str().unwrap().replace("{id}", "0af3");
            let Some(Address::Ask("0af3", part)) = Address::read(&uri) else { panic!("{uri}") };
            assert_eq!(template["mimeType"], part.kind());
        }
    }
}
