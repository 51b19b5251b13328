//! Keeps a state within its size: what is largest and matters least goes first.

use super::{ContinuationState, CycleCall, MAX_BYTES};
use quarry_types::json::put;
use quarry_types::text::cut;
use serde_json::Value;

/// Characters of a tool output that stay when page texts alone were not enough.
const SHORT_OUTPUT: usize = 300;

/// Characters of any text that stay when nothing else is left to cut; again and again.
const SHORTER: [usize; 4] = [2_000, 300, 60, 10];

/// Bytes that a signature adds.
const SIGNATURE: usize = 100;

/// Lists that lose their oldest entries when even that was not enough.
const LISTS: [&str; 5] = ["llmCalls", "unsettled", "searchResults", "toolCallCycles", "openCycle"];

/// Drops page texts, then whole outputs, then replies, the oldest first, until the state fits.
/// Says whether anything was dropped.
pub fn texts(state: &mut ContinuationState) -> bool {
    // Measured once; each text dropped is subtracted, so this stays linear.
    let size = serde_json::to_string(state).map_or(usize::MAX, |text| text.len());
    let mut over = size.saturating_sub(MAX_BYTES);
    if over == 0 {
        return false;
    }
    for source in &mut state.search_results {
        if over > 0 {
            over = over.saturating_sub(source.text.len());
            source.text.clear();
        }
    }
    for shorten in [without_pages as fn(&str) -> String, |output| cut(output, SHORT_OUTPUT)] {
        for call in state.tool_call_cycles.iter_mut().chain([&mut state.open_cycle]).flatten() {
            if over > 0 && call.is_answered() {
                over = over.saturating_sub(shorten_response(call, shorten));
            }
        }
    }
    for call in &mut state.llm_calls {
        if over > 0 {
            over = over.saturating_sub(json_size(&call.response));
            call.response = Value::Null;
        }
    }
    true
}

fn shorten_response(call: &mut CycleCall, shorten: fn(&str) -> String) -> usize {
    let shorter = Value::String(shorten(&call.output()));
    let (before, after) = (json_size(&call.response), json_size(&shorter));
    call.response = shorter;
    before.saturating_sub(after)
}

/// Makes sure: whatever stands in the state, it fits. The question and the model stay whole.
pub fn surely(state: &mut Value) -> bool {
    let is_too_large = |state: &Value| json_size(state) > MAX_BYTES - SIGNATURE;
    let mut changed = false;
    for most in SHORTER {
        if !is_too_large(state) {
            return changed;
        }
        changed = true;
        for (name, member) in state.as_object_mut().into_iter().flatten() {
            if name != "query" && name != "model" && name != "id" {
                cut_texts(member, most);
            }
        }
    }
    while is_too_large(state) && drop_oldest_half(state) {
        changed = true;
    }
    changed
}

fn cut_texts(value: &mut Value, most: usize) {
    match value {
        Value::String(text) => *text = cut(text, most),
        Value::Array(items) => items.iter_mut().for_each(|item| cut_texts(item, most)),
        Value::Object(members) => members.values_mut().for_each(|item| cut_texts(item, most)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Drops the older half of the first list that has any entries; says whether there was one.
fn drop_oldest_half(state: &mut Value) -> bool {
    for name in LISTS {
        let list = state.get_mut(name).and_then(Value::as_array_mut);
        if let Some(list) = list.filter(|list| !list.is_empty()) {
            list.drain(..list.len().div_ceil(2));
            return true;
        }
    }
    false
}

/// A tool output without the texts of its pages: what was found stays known.
fn without_pages(output: &str) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(output) else { return output.to_owned() };
    let drop_page = |object: &mut Value| {
        if object.get("content").is_some() {
            put(object, "content", "");
            put(object, "truncated", true);
        }
    };
    drop_page(&mut value);
    let results = value.get_mut("results").and_then(Value::as_array_mut);
    results.into_iter().flatten().for_each(drop_page);
    value.to_string()
}

fn json_size(value: &Value) -> usize {
    value.to_string().len()
}
