//! The screen, fed with the events of a run of the machine's over one page, and with those of a larger one.

use super::*;
use quarry_events::run::EventName;
use serde_json::{Value, json};

const RECORDED: &str = include_str!("recorded.ndjson");

/// What is shown of events, each an object with its name among its fields.
fn show(tree: &mut Tree, events: &[Value]) -> String {
    let events = events.iter().map(|event| {
        let name = EventName::parse(event["event"].as_str().unwrap()).unwrap();
        let about: Envelope = serde_json::from_value(event.clone()).unwrap();
        tree.event(&about, &AnyPayload::parse(name, &event.to_string()).unwrap())
    });
    events.collect()
}

fn recorded() -> Vec<Value> {
    RECORDED.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn event(name: &str, node: Option<&str>, fields: Value) -> Value {
    let mut event = json!({ "event": name, "sequence": 1, "round": 2,
        "run_id": "00000000000700000000000000000009", "at": "2026-01-02T03:04:05Z" });
    let fields = fields.as_object().unwrap().clone();
    event.as_object_mut().unwrap().extend(fields);
    if let Some(node) = node {
        event["node_id"] = node.into();
    }
    event
}

fn source(id: &str, title: &str, url: &str, tier: u8, reason: &str) -> Value {
    json!({ "citation_id": id, "url": url, "title": title, "source_type": "article",
        "retrieved_at": "2026-01-02T03:04:05Z", "quality_tier": tier, "tier_reason": reason,
        "relevance_score": 0.5, "voice": url })
}

fn judged(score: f64, sufficient: bool, gaps: &[&str], from_children: bool) -> Value {
    let scores =
        json!({ "coverage": score, "quality": 0.4, "contradiction_handling": 1.0, "recency": 0.4 });
    let sufficiency = json!({ "score": score, "scores": scores, "sufficient": sufficient,
        "rationale": "", "gaps": gaps, "caps": [], "by": "model" });
    json!({ "sufficiency": sufficiency, "from_children": from_children })
}

fn cost(cost: f64, tokens: u64) -> Value {
    json!({ "role": "judge", "model": "openai:x", "call_cost": 0.001, "call_tokens": 900,
        "cost": cost, "cost_known": true, "tokens": tokens, "unsettled_calls": 1 })
}

fn finding(claim: &str, from: &[&str], verified: bool) -> Value {
    json!({ "finding_id": "f1", "claim": claim, "evidence_snippets": [], "citation_ids": from,
        "confidence": 0.55, "uncertainties": [], "verified": verified })
}

/// A node that is parted, with all that can go wrong on the way.
fn larger() -> Vec<Value> {
    [larger_begin(), larger_end()].concat()
}

fn larger_begin() -> Vec<Value> {
    let side = |title: &str, quote: &str| {
        json!({ "url": "http://a.example", "title": title,
        "date": null, "quote": quote, "tier": "other" })
    };
    let conflict = json!({ "difference": "number", "one": side("Ledger", "It cost 186."),
        "other": side("Blog", "It cost 190."), "reason": "primary" });
    let query = |query: &str| {
        json!({ "query": query, "rule": "broadened", "attempt": 2, "wanted": 12,
        "results": 0, "new_passages": 0, "error": "no search provider answered" })
    };
    let cached = json!({ "query": "orrin bridge price", "same_as": "price orrin bridge", "rule": "cached", "age": 75 });
    let ledger =
        source("c1", "The ledgers of Orrin", "https://ledgers.gov/1823", 1, "public authority");
    let blog = source("c2", "A blog", "https://blog.example/x", 3, "unknown host");
    let dropped = json!([{ "citation_id": "c9", "reason": "a copy" }]);
    vec![
        event("round_started", None, json!({ "frontier": ["n1"] })),
        event(
            "node_started",
            Some("n1"),
            json!({ "question": "What did it cost, and who paid?", "depth": 0, "attempt": 2 }),
        ),
        event("query_executed", Some("n1"), query("orrin bridge")),
        event("query_skipped_cached", Some("n1"), cached),
        event(
            "sources_ranked",
            Some("n1"),
            json!({ "sources": [ledger, blog], "dropped": dropped }),
        ),
        event(
            "synthesis_completed",
            Some("n1"),
            json!({ "by": "model", "rejected_snippets": 2,
            "findings": [finding("It cost 186 million.", &["c1", "c2"], true), finding("It is blue.", &[], false)] }),
        ),
        event("conflict_found", Some("n1"), json!({ "conflict": conflict, "finding_ids": [] })),
        event("cost_updated", None, cost(0.0031, 4_210)),
    ]
}

/// What follows: its part stays open, it is answered, and the run fails.
fn larger_end() -> Vec<Value> {
    let parted = json!({ "by": "rule", "children": [{ "node_id": "n2", "question": "Who paid?" }],
        "dropped": [{ "question": "What did it cost?", "reason": "it is asked already" }] });
    let failed = json!({ "step": "n2/findings", "message": "the provider is away", "attempts": 3, "fallback": "rules" });
    let waits = json!({ "waiting": { "reason": "rate_limit", "until": "2026-01-02T03:05:35Z", "hint": "the provider makes the run wait" } });
    vec![
        event("node_sufficiency_evaluated", Some("n1"), judged(0.4, false, &["who paid"], false)),
        event("node_decomposed", Some("n1"), parted),
        event(
            "node_started",
            Some("n2"),
            json!({ "question": "Who paid?", "parent_id": "n1", "depth": 1, "attempt": 1 }),
        ),
        event("step_failed", Some("n2"), failed),
        event(
            "synthesis_completed",
            Some("n2"),
            json!({ "by": "rule", "findings": [], "rejected_snippets": 0 }),
        ),
        event(
            "node_unresolved",
            Some("n2"),
            json!({ "resolution_reason": "no_gain", "message": "Nobody says." }),
        ),
        event("node_sufficiency_evaluated", Some("n1"), judged(0.8, true, &[], true)),
        event(
            "node_resolved",
            Some("n1"),
            json!({ "resolution_reason": "children", "score": 0.8, "findings": 1 }),
        ),
        event(
            "round_completed",
            None,
            json!({ "resolved": 1, "unresolved": 1, "new_findings": 1 }),
        ),
        event(
            "pass_sufficiency_evaluated",
            None,
            json!({ "sufficient": false, "critical_gaps": ["who paid"],
            "could_change_conclusion": true, "rationale": "" }),
        ),
        event("run_waiting", None, waits),
        event("run_resumed", None, json!({ "by_request": false })),
        event("guidance_received", None, json!({ "text": "Prefer registers." })),
        event(
            "run_failed",
            None,
            json!({ "status": "failed", "message": "the run's time was over",
            "summary_metrics": { "queries": 2, "queries_cached": 1, "sources": 3, "nodes": 2, "rounds": 2,
                "findings": 1, "tokens": 4_210, "cost": 0.0031, "cost_known": true, "unsettled_calls": 1, "latency": 12_340 } }),
        ),
    ]
}

const WIDE: &str = "
Round 2 – 1 open question
○ n1 What did it cost, and who paid? (again, visit 2)
  ⌕ orrin bridge – broader, attempt 2, failed: no search provider answered
  ⌕ orrin bridge price – cached: as “price orrin bridge”, 1 min 15 s ago
  ★ tier 1 The ledgers of Orrin (ledgers.gov) – public authority
  · tier 3 A blog (blog.example) – unknown host
    1 left out
  • It cost 186 million. – 0.55, The ledgers of Orrin (ledgers.gov), tier 1; A blog (blog.example), tier 3
  ◦ It is blue. (unverified) – 0.55, no source
  2 quotations left out: no source has them
  ≠ Sources disagree on a number
    “It cost 186.” Ledger
    “It cost 190.” Blog
    the first is believed: it alone is a primary source
$ $0.0031, 4210 tokens, and 1 call of unknown cost so far (judging, openai:x)
  score 0.40, not enough: coverage 0.40, quality 0.40, contradictions 1.00, recency 0.40
    missing: who paid
  ⑂ 1 part (by rule)
    - n2 Who paid?
    - left out: What did it cost? (it is asked already)
  ○ n2 Who paid?
  ! n2/findings failed after 3 tries: the provider is away – instead: rules
    no new finding
  ✗ n2 open: searching brought nothing new – Nobody says.
  score 0.80, enough with its parts: coverage 0.80, quality 0.40, contradictions 1.00, recency 0.40
✓ n1 answered by its parts, score 0.80, 1 finding
Round ended: 1 of 2 answered, 1 new finding
Research: another round is worth it
  critical: who paid
… The run waits until 03:05:35 UTC (1 min 30 s): the provider makes the run wait
▸ The run goes on: its time has come
» Guidance: Prefer registers.

Failed  the run's time was over
Totals   2 rounds, 2 questions, 2 queries and 1 answered from cache, 3 sources, 1 verified finding
Cost     $0.0031, 4210 tokens, and 1 call of unknown cost
Time     12.3 s
";

const NARROW: &str = "
Round 2 – 1 open question
○ n1 What did it cost, and who paid?
  (again, visit 2)
  ⌕ orrin bridge – broader, attempt 2,
    failed: no search provider answered
  ⌕ orrin bridge price – cached: as
    “price orrin bridge”, 1 min 15 s ago
  ★ tier 1 The ledgers of Orrin
    (ledgers.gov) – public authority
  · tier 3 A blog (blog.example) –
    unknown host
    1 left out
  • It cost 186 million. – 0.55, The
    ledgers of Orrin (ledgers.gov), tier
    1; A blog (blog.example), tier 3
  ◦ It is blue. (unverified) – 0.55,
    no source
  2 quotations left out: no source has
  them
  ≠ Sources disagree on a number
    “It cost 186.” Ledger
    “It cost 190.” Blog
    the first is believed: it alone is a
    primary source
$ $0.0031, 4210 tokens, and 1 call of
unknown cost so far (judging, openai:x)
  score 0.40, not enough: coverage 0.40,
  quality 0.40, contradictions 1.00,
  recency 0.40
    missing: who paid
  ⑂ 1 part (by rule)
    - n2 Who paid?
    - left out: What did it cost? (it
      is asked already)
  ○ n2 Who paid?
  ! n2/findings failed after 3 tries:
    the provider is away – instead:
    rules
    no new finding
  ✗ n2 open: searching brought nothing
    new – Nobody says.
  score 0.80, enough with its parts:
  coverage 0.80, quality 0.40,
  contradictions 1.00, recency 0.40
✓ n1 answered by its parts, score
  0.80, 1 finding
Round ended: 1 of 2 answered, 1 new
finding
Research: another round is worth it
  critical: who paid
… The run waits until 03:05:35 UTC (1
  min 30 s): the provider makes the run
  wait
▸ The run goes on: its time has come
» Guidance: Prefer registers.

Failed  the run's time was over
Totals   2 rounds, 2 questions, 2
         queries and 1 answered from
         cache, 3 sources, 1 verified
         finding
Cost     $0.0031, 4210 tokens, and 1
         call of unknown cost
Time     12.3 s
";

#[test]
fn a_run_in_a_pipe_is_plain_lines() {
    let shown = show(&mut Tree::new(Style::Plain, None), &recorded());
    let (tree, report) = shown.split_once("\nReport\n").unwrap();
    assert_eq!(tree, "\
Run      00000000000700000000000000000009
Task     How many steps does the lighthouse of Sker have, and who built it?
Model    local:extractive (no language model)
Bounds   depth 1, 1 round, 40 questions, 200 sources, 30 min
» Guidance: Prefer registers.

Round 1 – 1 open question
○ n1 How many steps does the lighthouse of Sker have, and who built it?
  ⌕ steps lighthouse Sker – new, 1 result, 1 new passage
  ⌕ Sker built – new, 1 result, 0 new passages
  ★ tier 1 The light of Sker (lights.gov) – public authority
  • It has 196 steps. – 0.90, The light of Sker (lights.gov), tier 1
  • The lighthouse of Sker was built by Ann Marsh in 1823. – 0.90, The light of Sker (lights.gov), tier 1
  score 0.93, enough: coverage 1.00, quality 0.80, contradictions 1.00
✓ n1 answered by its own evidence, score 0.93, 2 findings
Round ended: 1 of 1 answered, 2 new findings
Research: the task is answered
");
    assert!(report.contains("\n1. Executive answer\n"), "{report}");
}

#[test]
fn what_goes_wrong_is_told_where_it_does() {
    let shown = show(&mut Tree::new(Style::Plain, None), &larger());
    assert_eq!(shown, WIDE);
}

#[test]
fn a_narrow_terminal_has_shorter_lines() {
    let shown = show(&mut Tree::new(Style::Plain, Some(40)), &larger());
    assert_eq!(shown, NARROW);
}

#[test]
fn on_a_terminal_states_have_colours_and_the_cost_grows_in_place() {
    let mut tree = Tree::new(Style::Terminal, Some(80));
    let tick = tree.tick(Duration::from_secs(61));
    assert_eq!(tick, "\r\x1b[2K\x1b[2m  … 1 min 1 s\x1b[0m");
    let shown = show(&mut tree, &larger()[..8]);
    assert!(
        shown.starts_with("\r\x1b[2K\n\x1b[1mRound 2\x1b[0m "),
        "the line gives way: {shown:?}"
    );
    assert!(shown.contains("\x1b[32m★ tier 1\x1b[0m The ledgers"), "{shown:?}");
    assert!(
        shown.contains("\x1b[31mbroader, attempt 2, failed: no search provider answered\x1b[0m")
            && !shown.contains("4210"),
        "{shown:?}"
    );
    let tick = tree.tick(Duration::from_secs(62));
    assert!(tick.contains("1 min 2 s · n1: choosing queries · $0.0031, 4210 tokens"), "{tick:?}");
    assert_eq!(tree.clear(), ERASE_LINE);
    let report = json!({ "section": 1, "text": "# A report\n\nIt cost **186** [1](http://x).\n" });
    let shown = show(&mut tree, &[event("report_delta", None, report)]);
    assert!(shown.ends_with("It cost \x1b[1m186\x1b[0m \x1b[36m[1]\x1b[0m.\n"), "{shown:?}");
    assert_eq!(tree.tick(Duration::from_secs(63)), "", "no line breaks a report up");
    let other = json!({ "section": 1, "text": "# Another\n\n", "anew": true });
    let shown = show(&mut tree, &[event("report_delta", None, other)]);
    assert_eq!(shown, "\n\x1b[1mThe report, begun anew\x1b[0m\n\n\x1b[1mAnother\x1b[0m\n\n");
}

#[test]
fn a_page_cannot_move_the_cursor_and_a_deep_node_keeps_its_columns() {
    let node = json!({ "question": "Who\u{1b}[2J paid?\u{202e}", "depth": 60, "attempt": 1 });
    let asked = [event("node_started", Some("n7"), node)];
    let shown = show(&mut Tree::new(Style::Plain, Some(30)), &asked);
    assert_eq!(shown, "          ○ n7 Who[2J paid?\n");
}
