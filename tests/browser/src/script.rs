//! The events of an ordinary ask, as the real one sends them.

use serde_json::{Value, json};

/// Events with their numbers.
#[derive(Debug, Clone)]
pub struct Script(Vec<(u64, &'static str, Value)>);

impl Script {
    /// An ordinary ask: a plan, two iterations with five tool calls of which one fails, an answer.
    pub fn ordinary(id: &str, question: &str, answer: &str) -> Script {
        let mut script = Script(Vec::new());
        script.plan(id, question);
        script.first_iteration();
        script.second_iteration();
        script.answer(question, answer);
        script
    }

    /// All events.
    pub fn all(&self) -> &[(u64, &'static str, Value)] {
        &self.0
    }

    /// The events up to the first that has this name, with it.
    pub fn through(&self, name: &str) -> &[(u64, &'static str, Value)] {
        let end = self.0.iter().position(|(_, each, _)| *each == name);
        self.0.split_at(end.map_or(self.0.len(), |at| at + 1)).0
    }

    /// The events after this number.
    pub fn after(&self, number: u64) -> &[(u64, &'static str, Value)] {
        let start = self.0.iter().position(|(each, ..)| *each > number).unwrap_or(self.0.len());
        self.0.split_at(start).1
    }

    fn push(&mut self, name: &'static str, data: Value) {
        let number = self.0.len() as u64 + 1;
        self.0.push((number, name, data));
    }

    fn plan(&mut self, id: &str, question: &str) {
        self.push("log", json!({ "message": "Quarry has taken the question." }));
        self.push(
            "init",
            json!({ "id": id, "query": question, "model": "openai:gpt-4o-mini", "languageModel": true }),
        );
        self.push(
            "step",
            json!({ "type": "setup_query", "message": "Looking at what the question needs" }),
        );
        self.call("initial_setup", None, 148, 116, Some(0.000_09));
        self.push("setup_complete", json!({ "persona": "A historian", "questions": ["First?"] }));
        self.push("step", json!({ "type": "query_cycle", "message": "Researching the question" }));
        self.call("planning", None, 289, 142, Some(0.000_13));
        self.push(
            "persona",
            json!({
                "persona": "A maritime historian who knows how tower heights are measured and where lists disagree",
                "research_questions_needed": 3,
                "reasoning": "Heights are given to the gallery, the vane or the water.",
            }),
        );
        self.push(
            "research_questions",
            json!({ "questions": [
                "Which lighthouse towers are taller than 100 metres?",
                "Is the height measured from the ground or from the sea?",
                "When was each of them first lit?",
            ], "questions_needed": 3, "reasoning": "" }),
        );
    }

    fn first_iteration(&mut self) {
        self.call("tool_iteration", Some(1), 674, 62, Some(0.000_14));
        let search = json!({ "query": "tallest lighthouse tower in the world", "limit": 5, "load_content": true });
        let again = json!({ "query": "lighthouse height list metres first lit", "limit": 5 });
        self.push(
            "tools",
            json!({ "iteration": 1, "pending": 2, "calls": [
                { "iteration": 1, "call_id": "a", "name": "search_web", "args": search, "line": "Searching: tallest lighthouse tower in the world" },
                { "iteration": 1, "call_id": "b", "name": "search_web", "args": again, "line": "Searching: lighthouse height list metres first lit" },
            ] }),
        );
        self.result(1, "a", "search_web", search, 1240, json!({ "query": "", "count": 2, "results": [
            { "title": "List of tallest lighthouses", "url": "https://en.wikipedia.org/wiki/List_of_tallest_lighthouses", "description": "Traditional lighthouses by the height of the tower, with the year in which each was first lit." },
            { "title": "Jeddah Light", "url": "https://en.wikipedia.org/wiki/Jeddah_Light", "description": "An active lighthouse in Jeddah. With an estimated height of 133 metres it has a credible claim to be the world's tallest." },
        ] }));
        self.result(1, "b", "search_web", again, 860, json!({ "query": "", "count": 2, "results": [
            { "title": "The Lighthouse Directory: Saudi Arabia", "url": "https://www.ibiblio.org/lighthouse/sau.htm", "description": "Jeddah: 1990; focal plane 137 m.", "date": "2023-05-02" },
            { "title": "Jeddah Light", "url": "https://en.wikipedia.org/wiki/Jeddah_Light#Tower", "description": "The same again." },
        ] }));
    }

    fn second_iteration(&mut self) {
        self.call("tool_iteration", Some(2), 2_310, 94, Some(0.000_41));
        let page = json!({ "url": "https://www.ibiblio.org/lighthouse/sau.htm" });
        let gone = json!({ "url": "https://ports.example/jeddah/tower.pdf" });
        let code = "const towers = { 'Jeddah Light': 133, 'Île Vierge': 82.5, 'Lanterna': 77 };\nconst [first, second] = Object.values(towers).sort((a, b) => b - a);\nfirst - second";
        let program = json!({ "code": code });
        self.push(
            "tools",
            json!({ "iteration": 2, "pending": 3, "calls": [
                { "iteration": 2, "call_id": "c", "name": "scrape_web_content", "args": page, "line": "Reading https://www.ibiblio.org/lighthouse/sau.htm" },
                { "iteration": 2, "call_id": "d", "name": "scrape_web_content", "args": gone, "line": "Reading https://ports.example/jeddah/tower.pdf" },
                { "iteration": 2, "call_id": "e", "name": "execute_javascript", "args": program, "line": "Running a program" },
            ] }),
        );
        self.result(2, "e", "execute_javascript", program, 14, json!({ "result": "50.5" }));
        self.result(
            2,
            "d",
            "scrape_web_content",
            gone,
            15_000,
            json!({ "url": "", "error": "the page did not answer within 15 s" }),
        );
        self.result(2, "c", "scrape_web_content", page, 640, json!({ "url": "https://www.ibiblio.org/lighthouse/sau.htm", "title": "The Lighthouse Directory: Saudi Arabia", "date": "2023-05-02", "content": "Jeddah (Jiddah). 1990. Active; focal plane 137 m (449 ft); three white flashes every 20 s. 133 m (436 ft) concrete tower, observation room at the top." }));
    }

    fn answer(&mut self, question: &str, answer: &str) {
        let request =
            json!({ "phase": "final_synthesis", "model": "openai:gpt-4o-mini", "request": {} });
        self.push("llm_request", request);
        let citations = citations(answer);
        let mut told = citations.iter().peekable();
        let characters: Vec<char> = answer.chars().collect();
        for (at, piece) in characters.chunks(PIECE).enumerate() {
            let (at, text) = (at * PIECE, piece.iter().collect::<String>());
            let comes = |citation: &&Value| {
                citation.get("start").and_then(Value::as_u64) < Some((at + PIECE) as u64)
            };
            while let Some(citation) = told.next_if(comes) {
                self.push("citation", citation.clone());
            }
            self.push("answer_delta", json!({ "text": text, "at": at }));
        }
        self.response("final_synthesis", None, 1_902, 319, Some(0.000_48));
        let steps = [
            "choosing the approach",
            "planning the research",
            "research, iteration 1",
            "research, iteration 2",
            "writing the answer",
        ];
        let steps: Vec<Value> = steps
            .iter()
            .map(|step| json!({ "description": step, "cost": 0.000_25, "inputTokens": 1065, "outputTokens": 147, "duration": 1480 }))
            .collect();
        self.push(
            "cost_summary",
            json!({ "totalCost": 0.001_25, "tokenCounts": { "input": 5323, "output": 733, "total": 6056 }, "stepCosts": steps }),
        );
        self.push(
            "final_answer",
            json!({ "content": answer, "sources": [
                { "n": 1, "title": "Jeddah Light", "url": "https://en.wikipedia.org/wiki/Jeddah_Light" },
                { "n": 2, "title": "The Lighthouse Directory: Saudi Arabia", "url": "https://www.ibiblio.org/lighthouse/sau.htm", "date": "2023-05-02" },
                { "n": 3, "title": "List of tallest lighthouses", "url": "https://en.wikipedia.org/wiki/List_of_tallest_lighthouses" },
            ], "citations": citations, "uncited": 2, "unknown": [], "conflicts": [conflict()],
            "confidence": { "level": "medium", "score": 0.712 } }),
        );
        self.push(
            "complete",
            json!({ "result": { "query": question, "stopped": false }, "executionTime": 18_420 }),
        );
    }

    fn call(
        &mut self,
        phase: &str,
        iteration: Option<u32>,
        input: u64,
        output: u64,
        cost: Option<f64>,
    ) {
        self.push("llm_request", json!({ "phase": phase, "iteration": iteration, "model": "openai:gpt-4o-mini", "request": {} }));
        self.response(phase, iteration, input, output, cost);
    }

    fn response(
        &mut self,
        phase: &str,
        iteration: Option<u32>,
        input: u64,
        output: u64,
        cost: Option<f64>,
    ) {
        let usage = json!({ "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output });
        self.push("llm_response", json!({ "phase": phase, "iteration": iteration, "response": { "usage": usage }, "cost": cost, "duration": 900 }));
    }

    fn result(
        &mut self,
        iteration: u32,
        id: &str,
        name: &str,
        args: Value,
        duration: u64,
        output: Value,
    ) {
        self.push("tool_result", json!({ "iteration": iteration, "call_id": id, "name": name, "args": args, "output": output.to_string(), "duration": duration }));
    }
}

/// Characters of a piece of an answer: markers are cut anywhere.
const PIECE: usize = 24;

const JEDDAH: &str = "[1](https://en.wikipedia.org/wiki/Jeddah_Light#:~:text=With%20an,tallest)";
const DIRECTORY: &str =
    "[2](https://www.ibiblio.org/lighthouse/sau.htm#:~:text=Jeddah%20%28Jiddah%29)";
const UNVERIFIED: &str = "(unverified)";
const CLAIM: &str = "The tallest lighthouse tower is Jeddah Light in Saudi Arabia, about 133 metres from the ground to its top.";

/// The citations of a scripted answer, wherever it has one of the markers.
fn citations(answer: &str) -> Vec<Value> {
    let at = |marker: &str, url: &str, more: &Value| -> Vec<Value> {
        let places = answer.match_indices(marker);
        let told = places.map(|(place, _)| {
            let start = answer.split_at(place).0.chars().count();
            let mut citation = json!({ "id": "q1", "url": url, "start": start,
                "end": start + marker.chars().count(), "coverage": 0.7, "added": false,
                "claim": CLAIM, "by_model": false });
            if let (Some(all), Some(more)) = (citation.as_object_mut(), more.as_object()) {
                all.extend(more.clone());
            }
            citation
        });
        told.collect()
    };
    let address = |marker: &'static str| {
        marker.split_once("](").map_or("", |(_, url)| url.trim_end_matches(')'))
    };
    let supported = json!({ "n": 1, "title": "Jeddah Light", "verdict": "supported", "vetoes": [], "missing": [],
        "moved": false, "quote": "With an estimated height of 133 metres it has a credible claim to be the world’s tallest." });
    let partly = json!({ "n": 2, "title": "The Lighthouse Directory: Saudi Arabia", "verdict": "partly",
        "vetoes": ["date", "swapped"], "missing": ["lit", "first"], "moved": true,
        "quote": "Jeddah (Jiddah). 1990. Active; focal plane 137 m (449 ft); three white flashes every 20 s." });
    let not_found = json!({ "title": "List of tallest lighthouses", "verdict": "not_found", "vetoes": [], "missing": [],
        "moved": false, "quote": "Traditional lighthouses by the height of the tower, with the year in which each was first lit." });
    let mut found = at(JEDDAH, address(JEDDAH), &supported);
    found.extend(at(DIRECTORY, address(DIRECTORY), &partly));
    let nearest = "https://en.wikipedia.org/wiki/List_of_tallest_lighthouses";
    found.extend(at(UNVERIFIED, nearest, &not_found));
    found.sort_by_key(|citation| citation.get("start").and_then(Value::as_u64));
    found
}

fn conflict() -> Value {
    json!({ "difference": "number", "reason": "newer",
        "one": { "url": "https://www.ibiblio.org/lighthouse/sau.htm", "title": "The Lighthouse Directory: Saudi Arabia",
            "date": "2023-05-02", "quote": "133 m (436 ft) concrete tower, observation room at the top.", "tier": "secondary" },
        "other": { "url": "https://ports.example/jeddah", "title": "Jeddah Islamic Port", "quote": "The control tower is 131 metres tall.", "tier": "secondary" } })
}

/// An answer with every kind of Markdown that models write.
pub fn answer_of_several_kinds() -> String {
    format!(
        "The tallest lighthouse tower is **Jeddah Light** in Saudi Arabia, about 133 metres from the ground to its top {JEDDAH}. It was first lit in **1990** {DIRECTORY}.\n\n\
     ### How the lists differ\n\n\
     Heights are given in three ways, and lists mix them:\n\n\
     - *tower height*, from the ground to the vane;\n\
     - *gallery height*, to the platform below the lantern;\n\
     - *focal height*, from the water to the light: **137 m** at Jeddah {DIRECTORY}.\n\n\
     | Lighthouse | Tower | First lit |\n|:--|--:|--:|\n| Jeddah Light | 133 m {JEDDAH} | 1990 |\n| Île Vierge | 82.5 m | 1902 |\n| Lanterna, Genoa | 77 m | 1543 |\n\n\
     > The height of 133 metres is an estimate; no survey is public {UNVERIFIED}.\n\n\
     The margin is simple arithmetic: `133 - 82.5 = 50.5` metres."
    )
}
