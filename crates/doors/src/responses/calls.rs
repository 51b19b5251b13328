//! Calls of tools and citations, in the words of the protocol.
//!
//! Border: what an ask's events tell in, items and the names of frames out.

use serde_json::Value;

use super::wire::{Action, Annotation, Item, Status};
use crate::talk::Cited;

/// Where programs run, for clients that want a name.
const CONTAINER: &str = "cntr_quarry";

/// What a call looks like here; none for tools that this protocol has no word for. `id` makes an id of a prefix.
pub(super) fn item(tool: &str, args: &Value, id: impl Fn(&str) -> String) -> Option<Item> {
    let text = |name: &str| -> String {
        args.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let status = Status::InProgress;
    Some(match tool {
        "search_web" => {
            let query = text("query");
            let action = Action::Search { queries: vec![query.clone()], query };
            Item::WebSearchCall { id: id("ws_"), status, action }
        }
        "scrape_web_content" => {
            let action = Action::OpenPage { url: text("url") };
            Item::WebSearchCall { id: id("ws_"), status, action }
        }
        "execute_javascript" => Item::CodeInterpreterCall {
            id: id("ci_"),
            status,
            code: text("code"),
            container_id: CONTAINER,
            outputs: None,
        },
        "search_knowledge" => {
            let queries = vec![text("query")];
            Item::FileSearchCall { id: id("fs_"), status, queries, results: None }
        }
        _ => return None,
    })
}

/// The frames that say that a call goes on.
pub(super) const fn begun(item: &Item) -> &'static [&'static str] {
    match item {
        Item::WebSearchCall { .. } => {
            &["response.web_search_call.in_progress", "response.web_search_call.searching"]
        }
        Item::FileSearchCall { .. } => {
            &["response.file_search_call.in_progress", "response.file_search_call.searching"]
        }
        Item::CodeInterpreterCall { .. } => &["response.code_interpreter_call.in_progress"],
        Item::Reasoning { .. } | Item::Message { .. } => &[],
    }
}

/// The frame that says that it did.
pub(super) const fn completed(item: &Item) -> Option<&'static str> {
    match item {
        Item::WebSearchCall { .. } => Some("response.web_search_call.completed"),
        Item::FileSearchCall { .. } => Some("response.file_search_call.completed"),
        Item::CodeInterpreterCall { .. } => Some("response.code_interpreter_call.completed"),
        Item::Reasoning { .. } | Item::Message { .. } => None,
    }
}

/// Where a source is cited; none where the link was taken out.
pub(super) fn annotation(cited: &Cited) -> Option<Annotation> {
    cited.n?;
    let (url, title) = (cited.url.clone(), cited.title.clone());
    // Documents of one's own have addresses on this server.
    Some(if url.starts_with('/') {
        Annotation::FileCitation { index: cited.end, file_id: url, filename: title }
    } else {
        Annotation::UrlCitation { start_index: cited.start, end_index: cited.end, url, title }
    })
}
