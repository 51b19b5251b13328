//! What reading a body costs, in bytes that are asked of the allocator: a body is read before anybody looks who sent it.

#![cfg(test)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use quarry_doors::door::Opened;
use quarry_doors::{Entrance, Head, enter};
use quarry_types::Timestamp;
use serde_json::{Value, json};

/// Bytes for each byte of a body that may be asked for: small values take many times their length in memory.
const MOST: usize = 100;

/// Pieces of each kind that a body has: with more it would hold more values than are read.
const PIECES: usize = 16_000;

thread_local! {
    static ASKED_FOR: Cell<usize> = const { Cell::new(0) };
}

/// Counts what each thread asks for.
struct Counting;

#[expect(
    unsafe_code,
    reason = "an allocator cannot be written without; it only counts and passes on"
)]
// SAFETY: every call goes to `System` unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that ends counts no more.
        _ = ASKED_FOR.try_with(|asked| asked.set(asked.get() + layout.size()));
        // SAFETY: the caller's obligations are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's obligations are passed on.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let more = size.saturating_sub(layout.size());
        _ = ASKED_FOR.try_with(|asked| asked.set(asked.get() + more));
        // SAFETY: the caller's obligations are passed on.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Reads this body, and gives what was asked for meanwhile.
fn read(path: &str, body: &Value) -> (Opened, usize, usize) {
    let head = Head { method: "POST".into(), path: path.into(), ..Head::default() };
    let Entrance::Open(visit) = enter(&head, Timestamp(0)) else { panic!("{path} is closed") };
    let body = body.to_string().into_bytes();
    assert!(visit.body_limit().unwrap() >= body.len(), "{path}: {} bytes", body.len());
    let before = ASKED_FOR.get();
    let opened = visit.open(&head, &body);
    (opened, ASKED_FOR.get() - before, body.len())
}

/// Many of these, and a question behind them.
fn many(pieces: &[Value], question: Value) -> Vec<Value> {
    pieces.iter().cycle().take(PIECES).cloned().chain([question]).collect()
}

#[test]
fn a_body_of_many_small_pieces_costs_what_its_length_does() {
    let said = |role: &str, text: &str| json!({ "role": role, "content": text });
    let question = || said("user", "why?");
    // There is room for the first few thousand of them.
    let told = [said("system", "be brief"), said("developer", "be kind")];
    let turns = [said("user", "who?"), said("assistant", "<think>hm</think>Ada.")];
    let strange = [json!({ "role": "user", "content": "who?", "tone": "kind", "haste": 1 })];
    let part = |role: &str| json!({ "role": role, "parts": [{ "type": "text", "text": "brief" }] });
    let calls = [
        json!({ "type": "function_call", "call_id": "c", "name": "f", "arguments": "{}" }),
        json!({ "type": "function_call_output", "call_id": "c", "output": "7" }),
    ];
    let chat = |messages: Vec<Value>| json!({ "model": "quarry", "messages": messages });
    let responses = |input: Vec<Value>| json!({ "model": "quarry", "input": input });
    let page = |messages: Vec<Value>, context: Vec<Value>| json!({ "threadId": "t", "runId": "r", "tools": [], "context": context, "messages": messages });
    let context = vec![json!({ "description": "Place", "value": "Orrin" }); PIECES];
    for (path, body) in [
        ("/v1/chat/completions", chat(many(&told, question()))),
        ("/v1/chat/completions", chat(many(&turns, question()))),
        ("/v1/chat/completions", chat(many(&strange, question()))),
        ("/v1/responses", responses(many(&told, question()))),
        ("/v1/responses", responses(many(&turns, question()))),
        ("/v1/responses", responses(many(&calls, question()))),
        ("/agui", page(many(&told, question()), Vec::new())),
        ("/agui", page(vec![question()], context)),
        ("/api/chat", json!({ "messages": many(&[part("system")], part("user")) })),
        (
            "/api/chat",
            json!({ "messages": many(&[part("user"), part("assistant")], part("user")) }),
        ),
    ] {
        let (opened, asked_for, length) = read(path, &body);
        assert!(opened.order.is_ok(), "{path}: {:?}", opened.order);
        let each = asked_for / length;
        assert!(each <= MOST, "{path}: {each} bytes for each of {length}");
    }
}
