//! The page: it takes a stream apart as the original's clients did and shows what it knows.

use serde_json::{Value, json};

/// The fields of a continuation state that the original promises.
pub const SEVEN: [&str; 7] = [
    "toolCallCycles",
    "llmCalls",
    "searchResults",
    "currentIteration",
    "researchPlan",
    "totalCost",
    "totalTokens",
];

/// The names that the original lists.
const NAMES: [&str; 22] = [
    "log",
    "init",
    "persona",
    "research_questions",
    "llm_call",
    "llm_request",
    "llm_response",
    "tools",
    "tool_result",
    "setup_complete",
    "step",
    "search_results",
    "cost_summary",
    "final_answer",
    "final_response",
    "complete",
    "error",
    "quota_exceeded",
    "continuation",
    "interrupt_state",
    "search",
    "search_digest",
];

/// What stands on the page at the end.
#[derive(Default)]
pub struct Page {
    /// What the page could not make sense of.
    pub problems: Vec<String>,
    pub query: String,
    pub model: String,
    pub user: Value,
    pub persona: String,
    pub questions: Vec<String>,
    pub phases: Vec<String>,
    pub asked_for: Vec<String>,
    pub results: Vec<String>,
    pub restored: usize,
    pub cost: Option<Value>,
    pub answer: String,
    pub error: String,
    pub wait: Option<f64>,
    pub state: Value,
    pub last: String,
}

impl Page {
    /// Reads a stream: blocks between blank lines, in each a line `event: ` and a line `data: `.
    /// Whatever else there is, such as ids and comments, this page does not know.
    pub fn of(stream: &str) -> Page {
        let mut page = Page::default();
        for block in stream.split("\n\n") {
            let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
            let (Some(event), Some(data)) = (field("event: "), field("data: ")) else { continue };
            // What it has no name for, it passes over.
            if !NAMES.contains(&event) {
                continue;
            }
            if !page.last.is_empty() {
                page.problems.push(format!("{event} after {}", page.last));
            }
            match serde_json::from_str(data) {
                Ok(data) => page.show(event, &data),
                Err(error) => page.problems.push(format!("{event}: {error}")),
            }
        }
        page
    }

    fn show(&mut self, event: &str, data: &Value) {
        for (name, is_right) in fields(event) {
            if !data.get(*name).is_some_and(is_right) {
                self.problems.push(format!("{event}.{name} is {:?}", data.get(*name)));
            }
        }
        let text = |name: &str| data[name].as_str().unwrap_or_default().to_owned();
        match event {
            "init" => {
                (self.query, self.model) = (text("query"), text("model"));
                self.user = data["user"].clone();
            }
            "persona" => self.persona = text("persona"),
            "research_questions" => {
                let questions = data["questions"].as_array().into_iter().flatten();
                self.questions = questions.filter_map(Value::as_str).map(str::to_owned).collect();
                if data["questions_needed"] != json!(self.questions.len()) {
                    self.problems.push("questions_needed does not fit questions".to_owned());
                }
            }
            "llm_request" => self.phases.push(text("phase")),
            "llm_response" if data["type"] == "continuation_restore" => self.restored += 1,
            "tools" => {
                let calls = data["calls"].as_array().into_iter().flatten();
                for call in calls {
                    for name in ["iteration", "call_id", "name", "args"] {
                        if call.get(name).is_none() {
                            self.problems.push(format!("tools.calls[].{name} is missing"));
                        }
                    }
                    self.asked_for.push(call["name"].as_str().unwrap_or_default().to_owned());
                }
            }
            "tool_result" => self.results.push(text("output")),
            "cost_summary" => self.show_cost(data),
            "final_answer" => {
                if self.cost.is_none() {
                    self.problems.push("final_answer before cost_summary".to_owned());
                }
                self.answer = text("content");
            }
            "error" => (self.error, self.last) = (text("error"), event.to_owned()),
            "quota_exceeded" => {
                self.wait = data["waitTime"].as_f64();
                self.state = data["continuationState"].clone();
                for name in SEVEN.iter().filter(|name| self.state.get(**name).is_none()) {
                    self.problems.push(format!("continuationState.{name} is missing"));
                }
                event.clone_into(&mut self.last);
            }
            "complete" => event.clone_into(&mut self.last),
            _ => {}
        }
    }

    fn show_cost(&mut self, data: &Value) {
        for name in ["input", "output", "total"] {
            if !data["tokenCounts"][name].is_u64() {
                self.problems.push(format!("cost_summary.tokenCounts.{name}"));
            }
        }
        self.cost = Some(data["totalCost"].clone());
    }
}

type Check = fn(&Value) -> bool;

/// The essential fields of each event, with their types (the original's section 5).
fn fields(event: &str) -> &'static [(&'static str, Check)] {
    const TEXT: Check = Value::is_string;
    const NUMBER: Check = Value::is_number;
    const LIST: Check = Value::is_array;
    const OBJECT: Check = Value::is_object;
    const ANY: Check = |_| true;
    match event {
        "log" => &[("message", TEXT), ("timestamp", TEXT)],
        "init" => &[("query", TEXT), ("model", TEXT), ("timestamp", TEXT)],
        "persona" => {
            &[("persona", TEXT), ("research_questions_needed", NUMBER), ("reasoning", TEXT)]
        }
        "research_questions" => {
            &[("questions", LIST), ("questions_needed", NUMBER), ("reasoning", TEXT)]
        }
        "llm_request" => {
            &[("phase", TEXT), ("model", TEXT), ("request", OBJECT), ("timestamp", TEXT)]
        }
        "llm_response" => {
            &[("phase", TEXT), ("model", TEXT), ("response", OBJECT), ("timestamp", TEXT)]
        }
        "tools" => &[("iteration", NUMBER), ("pending", NUMBER), ("calls", LIST)],
        "tool_result" => &[
            ("iteration", NUMBER),
            ("call_id", TEXT),
            ("name", TEXT),
            ("args", ANY),
            ("output", TEXT),
        ],
        "setup_complete" => &[("persona", TEXT), ("questions", LIST), ("cost", NUMBER)],
        "cost_summary" => &[("totalCost", NUMBER), ("tokenCounts", OBJECT), ("stepCosts", LIST)],
        "final_answer" => &[("content", TEXT), ("timestamp", TEXT)],
        "complete" => &[("result", OBJECT), ("executionTime", NUMBER), ("timestamp", TEXT)],
        "quota_exceeded" => {
            &[("message", TEXT), ("waitTime", NUMBER), ("continuationState", OBJECT)]
        }
        "error" => &[("error", TEXT), ("timestamp", TEXT)],
        _ => &[],
    }
}
