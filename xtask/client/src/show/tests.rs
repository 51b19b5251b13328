//! The screen, fed with the events of an ask.

use super::*;
use quarry_events::EventName;
use serde_json::{Value, json};

#[path = "tests/few_words.rs"]
mod few_words;
#[path = "tests/narrow.rs"]
mod narrow;
#[path = "tests/places.rs"]
mod places;

const NOW: &str = "2026-01-02T03:04:05.678Z";

/// A payload, with its time filled in.
fn payload(name: EventName, mut data: Value) -> AnyPayload {
    data["timestamp"] = NOW.into();
    AnyPayload::parse(name, &data.to_string()).unwrap()
}

fn show(screen: &mut Screen, events: &[AnyPayload]) -> String {
    events.iter().map(|payload| screen.event(payload)).collect()
}

fn result(id: &str, name: &str, line: &str, duration: u64, output: Value) -> AnyPayload {
    let error = output.get("error").map(|why| json!({ "kind": "timeout", "message": why }));
    let mut data = json!({ "iteration": 1, "call_id": "", "name": name, "args": {}, "line": line,
        "output": output.to_string(), "duration": duration, "cost": 0, "costKnown": true,
        "id": id, "ok": error.is_none(), "urls": [], "found": [] });
    if let Some(error) = error {
        data["error"] = error;
    }
    payload(EventName::ToolResult, data)
}

fn source() -> Value {
    json!({ "n": 1, "title": "Orrin Bridge", "url": "http://x/a", "date": null, "description": "" })
}

fn totals(cost: f64, known: bool) -> Value {
    json!({ "totalCost": cost, "costKnown": known, "unpricedCalls": usize::from(!known),
        "totalTokens": 3712, "modelName": "m" })
}

fn cost_summary(cost: f64, known: bool) -> AnyPayload {
    let mut data = totals(cost, known);
    data["tokenCounts"] = json!({ "input": 3200, "output": 512, "total": 3712 });
    data["stepCosts"] = json!([]);
    data["provider"] = "p".into();
    payload(EventName::CostSummary, data)
}

fn answer(content: &str, finish: &str, more: Value) -> AnyPayload {
    let mut data = json!({ "content": content, "costSummary": totals(0.0, true),
        "sources": [source()], "citations": [], "verdicts": { "supported": 0, "partly": 0, "not_found": 0 },
        "uncited": 0, "unknown": [], "conflicts": [], "finish": finish });
    data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    payload(EventName::FinalAnswer, data)
}

fn complete(ended: &str) -> AnyPayload {
    let result = json!({ "id": "i", "query": "q", "searches": [], "searchResults": [],
        "response": null, "persona": "", "questions": [], "stopped": false, "partial": false,
        "metadata": { "totalResults": 0, "searchIterations": 0, "totalToolCalls": 0,
            "totalLLMCalls": 0, "finalModel": "", "setup_cost": 0, "query_cost": 0,
            "total_cost": 0, "costKnown": true, "unpricedCalls": 0 } });
    let data = json!({ "result": result, "executionTime": 12_340, "ended": ended });
    payload(EventName::Complete, data)
}

fn delta(at: usize, text: &str) -> AnyPayload {
    payload(EventName::AnswerDelta, json!({ "text": text, "at": at }))
}

/// A citation of the place where this marker stands in the answer for the nth time, from 0.
fn citation(answer: &str, marker: &str, nth: usize, verdict: &str) -> Value {
    let (before, _) = answer.match_indices(marker).nth(nth).unwrap();
    let start = answer[..before].chars().count();
    let mut citation = json!({ "id": "q1", "url": "http://x/a#:~:text=186", "title": "Orrin Bridge",
        "claim": "It cost 186 million.", "quote": "It cost 186 million euros.", "start": start, "end": start + marker.chars().count(),
        "verdict": verdict, "coverage": 0.9, "vetoes": [], "missing": [], "moved": false, "added": false,
        "by_model": false });
    if let Some(n) = marker.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
        citation["n"] = n.parse::<u64>().unwrap().into();
    }
    citation
}

/// The events of an answer that is cut into pieces of so many characters, its citations before them.
fn streamed(answer: &str, citations: &[Value], size: usize) -> Vec<AnyPayload> {
    let characters: Vec<char> = answer.chars().collect();
    let mut told = citations.iter().peekable();
    let mut events = Vec::new();
    for (at, piece) in characters.chunks(size).enumerate().map(|(at, piece)| (at * size, piece)) {
        while let Some(citation) =
            told.next_if(|it| it["start"].as_u64().unwrap() < (at + size) as u64)
        {
            events.push(payload(EventName::Citation, citation.clone()));
        }
        events.push(delta(at, &piece.iter().collect::<String>()));
    }
    events
}

fn init(more: Value) -> AnyPayload {
    let mut data = json!({ "id": "i", "query": "q", "model": "local:extractive", "user": null,
        "allowEnvFallback": true, "languageModel": false, "contextProfile": "frugal",
        "question": "q", "turns": 0 });
    data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    payload(EventName::Init, data)
}

fn events() -> Vec<AnyPayload> {
    let call = |id: &str, name: &str, line: &str| json!({ "iteration": 1, "call_id": "", "id": id, "name": name, "args": {}, "line": line });
    let search = call("c1", "search_web", "Searching: orrin bridge cost");
    let page = call("c2", "scrape_web_content", "Reading http://x/a");
    let stage = |state: &str| json!({ "id": "research-1", "name": "research", "iteration": 1, "state": state });
    vec![
        payload(EventName::Log, json!({ "message": "noise" })),
        init(json!({})),
        payload(EventName::LlmRequest, json!({ "phase": "planning", "model": "m", "request": {} })),
        payload(
            EventName::Persona,
            json!({ "persona": "You are an economist.", "research_questions_needed": 2, "reasoning": "" }),
        ),
        payload(
            EventName::ResearchQuestions,
            json!({ "questions": ["What did it cost?", "Who paid?"], "questions_needed": 2, "reasoning": "" }),
        ),
        payload(EventName::Stage, stage("begun")),
        payload(
            EventName::Thought,
            json!({ "id": "t1", "iteration": 1, "title": "The ledgers should say", "text": "The ledgers should say. More." }),
        ),
        payload(EventName::Tools, json!({ "iteration": 1, "pending": 2, "calls": [search, page] })),
        result(
            "c1",
            "search_web",
            "Searching: orrin bridge cost",
            340,
            json!({ "results": [{}, {}] }),
        ),
        payload(EventName::Sources, json!({ "added": [source()] })),
        result(
            "c2",
            "scrape_web_content",
            "Reading http://x/a",
            1500,
            json!({ "error": "timed out" }),
        ),
        payload(EventName::Stage, stage("ended")),
        payload(
            EventName::Waiting,
            json!({ "seconds": 90, "why": "rate_limit", "message": "too many requests" }),
        ),
        delta(0, "It cost 186 "),
        delta(12, "million euros."),
        cost_summary(0.00123, true),
        answer("It cost 186 million euros.\n", "stop", json!({})),
        complete("answered"),
    ]
}

#[test]
fn a_plain_screen_shows_plan_tools_answer_sources_and_time() {
    let shown = show(&mut Screen::new(Style::Plain), &events());
    let expected = "\
Model    local:extractive (no language model)
Plan     You are an economist.
         1. What did it cost?
         2. Who paid?
  · The ledgers should say
Research
  ✓ Searching: orrin bridge cost  2 results, 0.3 s
    · Orrin Bridge http://x/a
  ✗ Reading http://x/a  timed out, 1.5 s
  … waiting 1 min 30 s: too many requests

Answer

It cost 186 million euros.

Found, not cited
  Orrin Bridge (x)

Time     12.3 s
";
    assert_eq!(shown, expected);
}

#[test]
fn tokens_and_cost_are_shown_of_language_models_alone() {
    let known = init(json!({ "model": "openai:gpt-4o-mini", "languageModel": true }));
    let shown = show(
        &mut Screen::new(Style::Plain),
        &[known, cost_summary(0.00123, true), complete("answered")],
    );
    assert!(shown.ends_with("\nCost     $0.0012, 3200 tokens in, 512 out, 12.3 s\n"), "{shown}");
}

#[test]
fn turns_that_the_model_has_no_room_for_are_told() {
    let shown = |turns: u64| {
        let init = init(json!({ "turnsLeftOut": turns }));
        show(&mut Screen::new(Style::Plain), &[init])
    };
    let model = "Model    local:extractive (no language model)\n";
    assert_eq!(shown(0), model);
    let one = "The oldest turn of the conversation is left out: the model has no room for it";
    assert_eq!(shown(1), format!("{model}Note     {one}\n"));
    let some =
        "The 2 oldest turns of the conversation are left out: the model has no room for them";
    assert_eq!(shown(2), format!("{model}Note     {some}\n"));
}

#[test]
fn a_terminal_erases_each_progress_line() {
    let shown = show(&mut Screen::new(Style::Terminal), &events());
    assert!(shown.contains("Searching: orrin bridge cost"), "{shown:?}");
    assert!(shown.contains("  … researching, round 1"), "{shown:?}");
    for part in shown.split("\x1b[2m  … ").skip(1) {
        let line = part.split('\n').next().unwrap();
        assert!(line.contains(ERASE_LINE), "{line:?}");
    }
}

#[test]
fn an_answer_without_deltas_or_with_a_correction_is_shown() {
    let answer = answer("All of it.", "stop", json!({}));
    let mut screen = Screen::new(Style::Plain);
    assert!(screen.event(&answer).ends_with("All of it.\n"));
    let mut screen = Screen::new(Style::Plain);
    let shown = show(&mut screen, &[delta(0, "Some of it."), answer]);
    assert!(shown.contains("(corrected)\nAll of it.\n"));
}

#[test]
fn a_cost_that_is_not_wholly_known_is_unknown() {
    for (cost, known, words) in [
        (0.0, true, "$0"),
        (2e-6, true, "$0.000002"),
        (0.0, false, "unknown"),
        (0.5, false, "unknown ($0.5000 of it known)"),
    ] {
        let mut screen = Screen::new(Style::Plain);
        let shown = show(&mut screen, &[cost_summary(cost, known), complete("answered")]);
        assert!(shown.contains(&format!("Cost     {words}, 3200 tokens in")), "{shown}");
    }
}

#[test]
fn how_an_ask_ended_is_said() {
    let one = |event: AnyPayload| Screen::new(Style::Plain).event(&event);
    let why = json!({ "degraded": { "reason": "the provider is away" } });
    let shown = one(answer("A.", "provider_error", why));
    assert!(
        shown.contains("\nNote     the provider failed before it wrote an answer\n"),
        "{shown}"
    );
    assert!(shown.ends_with("without the language model: the provider is away\n"), "{shown}");
    assert!(!one(answer("A.", "stop", json!({}))).contains("Note"));
    assert!(one(complete("stopped")).starts_with("\nStopped\n"));
    let failed = json!({ "error": "No key.", "type": "missing_key", "code": "NO_API_KEY" });
    assert_eq!(one(payload(EventName::Error, failed)), "\nError    No key.\n");
    let failed =
        json!({ "error": "\u{1b}[2JNo key.", "type": "missing_key", "code": "NO_API_KEY" });
    assert_eq!(one(payload(EventName::Error, failed)), "\nError    [2JNo key.\n");
    let quota = json!({ "message": "Wait.", "waitTime": 7, "continuationState": {},
        "costSummary": totals(0.0, false), "resumeAfter": NOW });
    let shown = one(payload(EventName::QuotaExceeded, quota));
    assert_eq!(shown, "\nPaused   Wait.\nCost     unknown, 3712 tokens so far\n");
}

#[test]
fn another_model_or_question_than_was_asked_for_is_said() {
    let more = json!({ "question": "Whole \u{1b}question?",
        "fallback": { "requested": "openai:x", "reason": "no key" } });
    let shown = Screen::new(Style::Plain).event(&init(more));
    assert!(shown.contains("Note     instead of openai:x: no key\n"), "{shown}");
    assert!(shown.ends_with("Question Whole question?\n"), "{shown}");
}

const ANSWER: &str = "Größe: **186** [1](http://x/a#:~:text=186) [2](http://y/(b)), paid by Ann [2](http://y/(b)). \
    Old (unverified). [1](http://x/other)";

fn citations() -> Vec<Value> {
    let mut partly = citation(ANSWER, "[2](http://y/(b))", 1, "partly");
    partly["missing"] = json!(["Ann", "paid\u{1b}[31m"]);
    partly["vetoes"] = json!(["entity", "too_short"]);
    vec![
        citation(ANSWER, "[1](http://x/a#:~:text=186)", 0, "supported"),
        citation(ANSWER, "[2](http://y/(b))", 0, "supported"),
        partly,
        citation(ANSWER, "(unverified)", 0, "not_found"),
    ]
}

#[test]
fn markers_are_shown_by_their_numbers_wherever_they_are_cut() {
    let expected =
        "Größe: **186** [1] [2], paid by Ann [2?]. Old (unverified). [1](http://x/other)";
    for size in 1..ANSWER.len() {
        let shown = show(&mut Screen::new(Style::Plain), &streamed(ANSWER, &citations(), size));
        assert_eq!(shown, format!("\nAnswer\n\n{expected}"), "in pieces of {size}");
    }
    let whole = answer(ANSWER, "stop", json!({ "citations": citations() }));
    let shown = Screen::new(Style::Plain).event(&whole);
    assert_eq!(shown, format!("\nAnswer\n\n{expected}\n"), "which was not streamed");
    let colored = show(&mut Screen::new(Style::Terminal), &streamed(ANSWER, &citations(), 7));
    for marker in ["\x1b[36m[1]\x1b[0m", "\x1b[33m[2?]\x1b[0m", "\x1b[31m(unverified)\x1b[0m"] {
        assert!(colored.contains(marker), "{colored:?}");
    }
}

#[test]
fn a_citation_that_is_told_again_takes_the_place_of_the_first() {
    let answer = "So [1](http://x/a) and [2](http://y/b).";
    let told = |marker: &str, verdict: &str| {
        payload(EventName::Citation, citation(answer, marker, 0, verdict))
    };
    let mut screen = Screen::new(Style::Plain);
    let first = [
        told("[1](http://x/a)", "supported"),
        told("[2](http://y/b)", "supported"),
        told("[1](http://x/a)", "not_found"),
        delta(0, "So [1](http://x/a) and "),
    ];
    assert_eq!(show(&mut screen, &first), "\nAnswer\n\nSo [1?] and ");
    // One whose marker is behind already holds no other back.
    let rest = [told("[1](http://x/a)", "partly"), delta(23, "[2](http://y/b).")];
    assert_eq!(show(&mut screen, &rest), "[2].");
}

#[test]
fn what_a_language_model_judged_says_so_and_a_number_may_be_unverified() {
    let judged = |marker: &str, nth: usize, verdict: &str| {
        let mut judged = citation(ANSWER, marker, nth, verdict);
        judged["by_model"] = true.into();
        judged
    };
    let mut refused = judged("[2](http://y/(b))", 1, "not_found");
    (refused["missing"], refused["moved"]) = (json!(["Ann"]), true.into());
    let mut unverified = citation(ANSWER, "(unverified)", 0, "not_found");
    unverified["added"] = true.into();
    let found = [judged("[1](http://x/a#:~:text=186)", 0, "supported"), refused, unverified];
    let mut screen = Screen::new(Style::Plain);
    let shown = screen.event(&answer(ANSWER, "stop", json!({ "citations": found })));
    assert!(shown.contains("paid by Ann [2?]. Old (unverified)."), "{shown}");
    let expected = "
Checked  1 of 3 sentences verified, 2 unverified
  [2?] Orrin Bridge: unverified; not there: “Ann”; a language model judged this
  (unverified) Orrin Bridge: says nothing of it
  2 verdicts are a language model's
  1 citation names another source than the answer did: it says what that one does not
  1 citation was given to a sentence that had none
";
    let behind = screen.event(&complete("answered"));
    assert!(behind.contains(expected), "{behind}");
}

#[test]
fn an_answer_of_a_server_that_tells_no_citations_is_shown_as_it_is() {
    let shown = show(&mut Screen::new(Style::Plain), &streamed(ANSWER, &[], 5));
    assert_eq!(shown, format!("\nAnswer\n\n{ANSWER}"));
}

#[test]
fn an_answer_that_is_resumed_begins_again() {
    let mut screen = Screen::new(Style::Plain);
    show(&mut screen, &streamed(ANSWER, &citations(), 30)[..3]);
    screen.event(&init(json!({})));
    let again = "So [1](http://x/a).";
    let cited = citation(again, "[1](http://x/a)", 0, "supported");
    let shown = show(&mut screen, &streamed(again, &[cited], 4));
    assert_eq!(shown, "\nAnswer\n\nSo [1].");
}

#[test]
fn what_an_answer_rests_on_stands_behind_it() {
    let found = |n: u64, title: &str, url: &str| json!({ "n": n, "title": title, "url": url, "date": null, "description": "" });
    let side = |title: &str, date: Value, tier: &str, quote: &str| json!({ "url": "http://x/", "title": title, "date": date, "tier": tier, "quote": quote });
    let conflict = json!({ "difference": "number", "reason": "newer",
        "one": side("Ledger", json!("2024-01-30"), "secondary", "It cost 186 million."),
        "other": side("Leaflet", Value::Null, "secondary", "It cost\n190 million.\u{1b}[2J") });
    let more = json!({
        "sources": [found(1, "Orrin Bridge", "http://x/a"), found(2, "Tolls", "http://y/(b)"),
            found(3, "Ferries", "https://z.example/f"), found(4, "Light", "https://z.example/l")],
        "citations": citations(), "uncited": 2, "unknown": ["q99"], "conflicts": [conflict],
        "confidence": { "level": "medium", "score": 0.614 },
    });
    let mut screen = Screen::new(Style::Plain);
    screen.event(&answer(ANSWER, "stop", more));
    let expected = "
Sources
  [1] Orrin Bridge http://x/a
      “It cost 186 million euros.”
      http://x/a#:~:text=186
  [2] Tolls http://y/(b)
      “It cost 186 million euros.”
      http://x/a#:~:text=186

Also found
  Ferries (z.example), Light (z.example)

Checked  1 of 5 sentences verified, 1 to check, 1 unverified, 2 without a source
  [2?] Orrin Bridge: not there: “Ann”, “paid[31m”; what differs: a name; it says too little to be checked
  (unverified) Orrin Bridge: says nothing of it
Confidence medium (0.61 of 1)

Sources disagree on a number
  “It cost 186 million.”
    Ledger, 2024-01-30, secondary source, http://x/
  “It cost 190 million.[2J”
    Leaflet, no date, secondary source, http://x/
  The first is believed: it is newer.

Taken out because no source has it: q99

Cost     12.3 s
";
    assert_eq!(screen.event(&complete("answered")), expected);
}

#[test]
fn what_is_for_a_program_is_shown_whole_and_reads_well() {
    let content = r#"{"height_m":41.50,"built":[],"name":"Orrin \"[1](x)\" {light}","sides":[{"n":12345678901234567890}]}"#;
    let at_no_place = |n: u64, verdict: &str| {
        json!({ "n": n, "id": "q1", "url": "http://x/a", "title": "Orrin Bridge", "claim": "It is tall.",
            "quote": "It is 41.5 metres tall.", "start": 0, "end": 0, "verdict": verdict, "coverage": 0.9,
            "vetoes": [], "missing": [], "moved": false, "added": false, "by_model": false })
    };
    let request = json!({ "phase": "final_format", "model": "p:m", "request": {} });
    let citations =
        [at_no_place(1, "supported"), at_no_place(1, "supported"), at_no_place(1, "partly")];
    let more = json!({ "format": "json", "citations": citations });
    let events = [
        payload(EventName::LlmRequest, request),
        delta(0, &content[..9]),
        delta(9, &content[9..]),
        answer(content, "stop", more),
        complete("answered"),
    ];
    let shown = show(&mut Screen::new(Style::Plain), &events);
    let pretty = r#"
Answer

{
  "height_m": 41.50,
  "built": [],
  "name": "Orrin \"[1](x)\" {light}",
  "sides": [
    {
      "n": 12345678901234567890
    }
  ]
}

"#;
    assert!(shown.starts_with(pretty), "{shown}");
    assert!(shown.contains("2 of 3 sentences verified, 1 to check"), "{shown}");
    assert!(shown.contains("  [1] Orrin Bridge http://x/a"), "{shown}");
    // What only says that it is JSON is shown as it came.
    let broken = answer("no JSON {", "stop", json!({ "format": "json" }));
    assert!(show(&mut Screen::new(Style::Plain), &[broken]).contains("no JSON {\n"));
}

#[test]
fn more_names_than_are_listed_and_citations_that_nobody_checked_are_counted() {
    let more = json!({ "unknown": ["q98", "q99"], "unknownCount": 40, "unchecked": 7, "failed": 3, "uncited": 1 });
    let mut screen = Screen::new(Style::Plain);
    screen.event(&answer("So.", "stop", more));
    let shown = screen.event(&complete("answered"));
    assert!(
        shown.contains("Taken out because no source has it: q98, q99 and 38 more\n"),
        "{shown}"
    );
    assert!(shown.contains("Not checked 7 citations: the answer has too many\n"), "{shown}");
    let checked = "0 of 1 sentence verified, 1 without a source, 3 failed citations left out\n";
    assert!(shown.contains(checked), "{shown}");
}

#[test]
fn a_progress_line_fits_its_terminal_and_is_taken_away_before_others_write() {
    let mut screen = Screen::new(Style::Terminal).within(Some(40));
    let mut out = String::new();
    screen.progress(&mut out, &"long ".repeat(30));
    let line = out.strip_prefix(ERASE_LINE).unwrap();
    let line = line.replace("\x1b[2m", "").replace("\x1b[0m", "");
    assert!(line.chars().count() < 40 && line.ends_with('…'), "{line}");
    assert_eq!([screen.cleared(), screen.cleared()], [ERASE_LINE, ""]);
}
