//! Calls of tools and citations, in the words of the protocol.
//!
//! Border: what an ask's events tell in, items and the names of frames out.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::record::Record;
use super::wire::{Action, Annotation, Item, Output, Status};
use crate::talk::{Cited, Found};

/// Where programs run, for clients that want a name.
const CONTAINER: &str = "cntr_quarry";

/// What a call looks like here; none for tools that this protocol has no word for. `id` makes an id of a prefix.
pub(super) fn item(tool: &str, args: &RawValue, id: impl Fn(&str) -> String) -> Option<Item> {
    let args: Value = serde_json::from_str(args.get()).ok()?;
    let text = |name: &str| -> String {
        args.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let status = Status::InProgress;
    Some(match tool {
        "search_web" => {
            let query = text("query");
            let action = Action::Search { queries: vec![query.clone()], query, sources: None };
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

/// Adds to a call's item what it gave, as far as its caller wants to see that.
pub(super) fn give(item: &mut Item, found: &Found, record: &Record) {
    match item {
        Item::CodeInterpreterCall { outputs, .. } if record.shows_outputs => {
            *outputs = Some(vec![Output::Logs { logs: found.output.clone() }]);
        }
        Item::WebSearchCall { action: Action::Search { sources, .. }, .. }
            if record.shows_sources =>
        {
            let source = |url: &String| json!({ "type": "url", "url": url });
            *sources = found.urls.as_ref().map(|urls| urls.iter().map(source).collect());
        }
        Item::FileSearchCall { results, .. } if record.shows_results => {
            *results = passages(&found.output);
        }
        _ => {}
    }
}

/// The passages of a search of documents, as results of this protocol; none: it found nothing that it tells.
fn passages(output: &str) -> Option<Vec<Value>> {
    let output: Value = serde_json::from_str(output).unwrap_or_default();
    let all = output.get("passages").and_then(Value::as_array)?;
    let result = |passage: &Value| {
        let of = |name: &str| passage.get(name).cloned().unwrap_or_default();
        json!({ "file_id": of("url"), "filename": of("title"), "score": of("score"),
            "text": of("content"), "attributes": {} })
    };
    Some(all.iter().map(result).collect())
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::value::to_raw_value;

    fn found(name: &str, output: &Value, urls: Option<&[&str]>) -> Found {
        let urls = urls.map(|urls| urls.iter().map(|url| (*url).to_owned()).collect());
        let args = to_raw_value(&json!({ "query": "q", "code": "1" })).unwrap();
        let error = None;
        let (id, name, output) = ("c".to_owned(), name.to_owned(), output.to_string());
        Found { id, name, args, output, ok: true, urls, error }
    }

    fn given(found: &Found, record: &Record) -> Value {
        let mut item = item(&found.name, &found.args, |prefix| prefix.to_owned()).unwrap();
        give(&mut item, found, record);
        json!(item)
    }

    #[test]
    fn what_calls_gave_is_shown_to_who_wants_to_see_it() {
        let passage = json!({ "url": "/knowledge/documents/d", "title": "Fees", "score": 0.5, "content": "Two euros.",
            "document": "d", "number": 3 });
        let searched = found("search_web", &json!({}), Some(&["https://a.example/"]));
        let asked = found("search_knowledge", &json!({ "passages": [passage] }), None);
        let none = Record::default();
        assert_eq!(given(&searched, &none)["action"].get("sources"), None);
        assert_eq!(given(&asked, &none)["results"], Value::Null);
        let mut all = Record::default();
        (all.shows_sources, all.shows_results) = (true, true);
        let source = json!([{ "type": "url", "url": "https://a.example/" }]);
        assert_eq!(given(&searched, &all)["action"]["sources"], source);
        let result = json!([{ "file_id": "/knowledge/documents/d", "filename": "Fees", "score": 0.5,
            "text": "Two euros.", "attributes": {} }]);
        assert_eq!(given(&asked, &all)["results"], result);
        // A run does not tell what its searches found, and what failed found nothing.
        let of_run = found("search_web", &json!({}), None);
        assert_eq!(given(&of_run, &all)["action"].get("sources"), None);
        let failed = found("search_knowledge", &json!({ "error": "away" }), None);
        assert_eq!(given(&failed, &all)["results"], Value::Null);
    }
}
