//! The events of an ordinary run, as the real one sends them, with its record and its report.

use serde_json::{Value, json};

const ROOT: &str = "n1";
/// A question that the run parts, of those that its root was parted into.
pub const PARTED: &str = "What was carried by the ferries before?";
/// What a finding says, and the words that it rests on.
pub const CLAIM: &str = "The bridge cost 186 million euros.";
/// The quotation of every finding.
pub const QUOTE: &str =
    "When the accounts were closed in 1987, the bridge had cost 186 million euros, not 155.";
const MARKER: &str = "[1](https://orrin.example/accounts#:~:text=When%20the)";

/// A run as far as it has come.
#[derive(Debug, Clone)]
pub struct Research {
    id: String,
    task: String,
    /// The title of every source.
    pub title: String,
    events: Vec<(u64, &'static str, Value)>,
}

impl Research {
    /// A run that has begun.
    pub fn begun(id: &str, task: &str) -> Research {
        let title = "Orrin Bridge Authority: Accounts".to_owned();
        let mut run =
            Research { id: id.to_owned(), task: task.to_owned(), title, events: Vec::new() };
        run.tell(
            "run_started",
            json!({ "task": task, "model": "openai:gpt-4o-mini", "language_model": true,
                "root_node_id": ROOT, "config": config(), "policies": { "search": 1 } }),
        );
        run.tell("round_started", json!({ "frontier": [ROOT], "round": 1 }));
        run.start(ROOT, None, 0, task);
        run
    }

    /// The same, when its question was parted and one part is answered, another under way.
    pub fn parted(id: &str, task: &str) -> Research {
        let mut run = Research::begun(id, task);
        run.read(ROOT, false);
        run.part(ROOT, &[("n2", "What did the bridge cost?"), ("n3", PARTED), ("n4", "Who paid?")]);
        run.visit("n2", Some(ROOT), 1, "What did the bridge cost?");
        run.tell_of("n2", "conflict_found", json!({ "conflict": conflict(), "finding_ids": [] }));
        run.start("n3", Some(ROOT), 1, PARTED);
        run.tell_of("n3", "queries_generated", json!({ "by": "model", "queries": ["ferries"] }));
        run
    }

    /// The same, with its report.
    pub fn whole(id: &str, task: &str) -> Research {
        let mut run = Research::parted(id, task);
        run.read("n3", false);
        run.part("n3", &[("n5", "How much wool was shipped?")]);
        run.visit("n5", Some("n3"), 2, "How much wool was shipped?");
        run.resolve("n3", "children");
        run.visit("n4", Some(ROOT), 1, "Who paid?");
        run.end();
        run
    }

    /// A run of so many questions, with its report.
    pub fn of_nodes(id: &str, task: &str, nodes: usize) -> Research {
        let mut run = Research::begun(id, task);
        run.read(ROOT, false);
        for number in 2..=nodes {
            let (node, question) = (format!("n{number}"), format!("Question {number}?"));
            // Ten to a branch, of which the first is its head.
            let head = number / 10 * 10 + 2;
            let is_head = head >= number;
            let parent = if is_head { ROOT.to_owned() } else { format!("n{head}") };
            let depth = if is_head { 1 } else { 2 };
            run.part(&parent, &[(&node, &question)]);
            run.visit(&node, Some(&parent), depth, &question);
        }
        run.end();
        run
    }

    /// Every event.
    pub fn all(&self) -> &[(u64, &'static str, Value)] {
        &self.events
    }

    /// The events after this number.
    pub fn after(&self, number: u64) -> &[(u64, &'static str, Value)] {
        let start = self.events.iter().position(|(each, ..)| *each > number);
        self.events.split_at(start.unwrap_or(self.events.len())).1
    }

    /// The number of the last event.
    pub fn last(&self) -> u64 {
        self.events.len() as u64
    }

    /// Adds an event about the run; its number.
    pub fn tell(&mut self, name: &'static str, payload: Value) -> u64 {
        let number = self.last() + 1;
        let mut data =
            json!({ "sequence": number, "run_id": self.id, "at": "2026-11-22T20:00:00.000Z" });
        if let (Some(all), Value::Object(more)) = (data.as_object_mut(), payload) {
            all.extend(more);
        }
        self.events.push((number, name, data));
        number
    }

    /// What the server says of the run beside its events. `more` has what differs.
    pub fn record(&self, status: &str, more: &Value) -> Value {
        let mut record = json!({
            "run_id": self.id, "task": self.task, "model": "openai:gpt-4o-mini", "status": status,
            "started_at": "2026-11-22T20:00:00.000Z", "updated_at": "2026-11-22T20:00:00.000Z",
            "config": config(), "policies": { "search": 1 }, "budget": { "usd": 0.05 }, "root_node_id": ROOT,
            "summary_metrics": { "queries": 2, "nodes": 4, "sources": 6, "tokens": 900, "cost": 0.01, "cost_known": true, "latency": 61_000 },
            "partial": false, "report": "pending", "sequence": self.last(), "nodes": [],
        });
        if let (Some(all), Some(more)) = (record.as_object_mut(), more.as_object()) {
            all.extend(more.clone());
        }
        record
    }

    /// The report for machines, as far as the page reads it.
    pub fn companion(&self) -> Value {
        let line = format!("{CLAIM} ");
        let (start, end) = (line.chars().count(), line.chars().count() + MARKER.chars().count());
        let citation = json!({ "n": 1, "url": MARKER.trim_start_matches("[1](").trim_end_matches(')'),
            "title": self.title, "quote": QUOTE, "verdict": "supported", "vetoes": [], "moved": false,
            "added": false, "start": start, "end": end });
        json!({ "claims": [{ "claim_id": "c1", "section": 1, "text": CLAIM, "citations": [citation] }] })
    }

    fn tell_of(&mut self, node: &str, name: &'static str, mut payload: Value) {
        if let Some(fields) = payload.as_object_mut() {
            fields.insert("node_id".to_owned(), json!(node));
            fields.insert("round".to_owned(), json!(1));
        }
        self.tell(name, payload);
    }

    fn start(&mut self, node: &str, parent: Option<&str>, depth: u32, question: &str) {
        let started =
            json!({ "question": question, "parent_id": parent, "depth": depth, "attempt": 1 });
        self.tell_of(node, "node_started", started);
    }

    fn read(&mut self, node: &str, is_enough: bool) {
        self.tell_of(
            node,
            "query_executed",
            json!({ "query": "orrin bridge", "rule": "new", "attempt": 1, "wanted": 6, "results": 5, "new_passages": 14 }),
        );
        self.tell_of(node, "query_skipped_cached", json!({ "query": "bridge of orrin", "same_as": "orrin bridge", "rule": "cached", "age": 75 }));
        let source = |name: &str, tier: u8| {
            json!({ "citation_id": name, "url": format!("https://orrin.example/{name}"),
            "title": self.title, "source_type": "article", "retrieved_at": "2026-11-22T20:00:00.000Z", "quality_tier": tier,
            "tier_reason": "the subject's own site", "relevance_score": 0.8, "voice": "orrin.example" })
        };
        let (first, second) = (format!("{node}a"), format!("{node}b"));
        let ranked = json!({ "sources": [source(&first, 1), source(&second, 3)],
            "dropped": [{ "citation_id": format!("{node}c"), "reason": "a copy of another" }] });
        self.tell_of(node, "sources_ranked", ranked);
        let finding = json!({ "finding_id": format!("f-{node}"), "claim": CLAIM, "confidence": 0.86, "verified": true,
            "evidence_snippets": [{ "citation_id": first, "quote": QUOTE }], "citation_ids": [first],
            "uncertainties": ["Whether the approach roads are included is not said."] });
        self.tell_of(
            node,
            "synthesis_completed",
            json!({ "by": "model", "findings": [finding], "rejected_snippets": 1 }),
        );
        let (score, gaps) =
            if is_enough { (0.82, json!([])) } else { (0.46, json!(["What ferries lost"])) };
        let sufficiency = json!({ "score": score, "sufficient": is_enough, "rationale": "The accounts give the sum.",
            "scores": { "coverage": score, "quality": 0.8, "contradiction_handling": 0.75 }, "gaps": gaps,
            "caps": ["coverage: only one voice"], "by": "model" });
        self.tell_of(
            node,
            "node_sufficiency_evaluated",
            json!({ "sufficiency": sufficiency, "from_children": false }),
        );
        let cost = json!({ "role": "judge", "model": "openai:gpt-4o-mini", "call_tokens": 900, "cost": 0.0011,
            "cost_known": true, "tokens": 900, "unsettled_calls": 0 });
        self.tell_of(node, "cost_updated", cost);
    }

    fn visit(&mut self, node: &str, parent: Option<&str>, depth: u32, question: &str) {
        self.start(node, parent, depth, question);
        self.read(node, true);
        self.resolve(node, "direct");
    }

    fn resolve(&mut self, node: &str, reason: &str) {
        let resolved = json!({ "resolution_reason": reason, "score": 0.82, "findings": 1 });
        self.tell_of(node, "node_resolved", resolved);
    }

    fn part(&mut self, node: &str, parts: &[(&str, &str)]) {
        let children: Vec<Value> = parts
            .iter()
            .map(|(node, question)| json!({ "node_id": node, "question": question }))
            .collect();
        let dropped =
            json!([{ "question": "What is the bridge?", "reason": "the tree asks it already" }]);
        self.tell_of(
            node,
            "node_decomposed",
            json!({ "by": "model", "children": children, "dropped": dropped }),
        );
    }

    fn end(&mut self) {
        self.resolve(ROOT, "children");
        let judged = json!({ "sufficient": true, "critical_gaps": [], "could_change_conclusion": false,
            "rationale": "It is answered.", "stop": "sufficient" });
        self.tell("pass_sufficiency_evaluated", judged);
        let pieces = [
            (1, format!("# {}\n\n", self.task)),
            (1, "## 1. Executive answer\n\n".to_owned()),
            (1, format!("{CLAIM} {MARKER}\n\n")),
            (2, "## 2. Method summary\n\n".to_owned()),
            (2, "- **Searches:** 12\n\n".to_owned()),
            (4, "## 4. Evidence and citations\n\n".to_owned()),
            (
                4,
                format!(
                    "1. [{}](https://orrin.example/accounts)\n\n",
                    self.title.replace(['<', '>'], "")
                ),
            ),
        ];
        for (section, text) in pieces {
            self.tell("report_delta", json!({ "section": section, "text": text }));
        }
        let confidence = json!({ "level": "medium", "score": 0.71 });
        self.tell(
            "report_generated",
            json!({ "sections": 8, "characters": 900, "citations": 1, "confidence": confidence }),
        );
        let metrics = json!({ "latency": 154_200, "cost": 0.0132, "cost_known": true, "tokens": 41_200, "unsettled_calls": 0 });
        self.tell("run_completed", json!({ "status": "completed", "partial": false, "confidence": confidence, "summary_metrics": metrics }));
    }
}

fn config() -> Value {
    json!({ "max_depth": 2, "max_rounds": 3, "max_nodes": 40, "max_sources": 200,
        "timeouts": { "query": 15, "model": 120, "run": 1800 }, "report_style": "technical" })
}

fn conflict() -> Value {
    json!({ "difference": "number", "reason": "primary",
        "one": { "url": "https://orrin.example/accounts", "title": "Accounts", "date": "1987", "quote": "cost 186 million euros", "tier": "primary" },
        "other": { "url": "https://courier.example/x", "title": "The Sker Courier", "quote": "a bridge of 210 million", "tier": "secondary" } })
}
