//! A scripted language model: what it replies follows from what a call is for, and is the same for the same call
//! whoever makes it.

use crate::world::word;
use quarry_machines::core::{ModelSheet, request_estimate};
use quarry_types::{ChatError, ChatRequest, Completion, FinishReason, Price, Usage};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// A call, as a script sees it.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// `n1/judgement`
    pub purpose: &'a str,
    /// The question at hand; the task where there is none.
    pub question: &'a str,
    /// From 1: which call for this purpose.
    pub nth: usize,
}

type Says<T> = Box<dyn Fn(Asked<'_>) -> T>;

/// What the model replies.
pub struct Script {
    /// Search queries.
    pub queries: Says<Vec<String>>,
    /// Whether they are to be asked anew.
    pub recheck: Says<bool>,
    /// All scores of a judgement.
    pub score: Says<f64>,
    /// The parts of a question.
    pub parts: Says<Vec<String>>,
    /// Sentences that it finds, where a passage has them; none: it finds the first passages.
    pub sentences: Vec<&'static str>,
    /// What it claims of such a sentence, where that is something else than the sentence.
    pub claims: BTreeMap<&'static str, &'static str>,
    /// Whether another round is worth it.
    pub goes_on: Says<bool>,
    /// Failures, each once: of which call for which purpose.
    pub faults: Vec<(String, usize, ChatError)>,
    /// Calls that fail when half of their reply is said.
    midway: Vec<(String, usize)>,
    /// Tokens of what each call takes in that come from a cache, and as many of what it says that are thoughts.
    pub apart: u64,
    /// How often the report says what it says.
    pub repeats: usize,
    /// At which attempt a report has other words.
    otherwise: Option<u32>,
    /// What it replies in place of what the script has, by what the call is for: `findings`.
    pub says: BTreeMap<(&'static str, &'static str), &'static str>,
    /// Models that always fail.
    pub broken: BTreeMap<String, ChatError>,
    /// What each call was asked, by its id.
    pub prompts: BTreeMap<String, String>,
    calls: BTreeMap<String, Vec<String>>,
    /// What the call said that failed last.
    spoken: String,
    attempt: u32,
    failed: BTreeSet<usize>,
}

impl Script {
    /// A model for which every question is answered by this score, and parted in two.
    pub fn new(score: impl Fn(Asked<'_>) -> f64 + 'static) -> Self {
        Script {
            queries: Box::new(|asked| {
                ["record", "survey"].map(|what| format!("{} {what}", key(asked.question))).into()
            }),
            recheck: Box::new(|_| false),
            score: Box::new(score),
            parts: Box::new(|asked| (0..2).map(|n| part(asked.question, n)).collect()),
            sentences: Vec::new(),
            claims: BTreeMap::new(),
            goes_on: Box::new(|_| true),
            faults: Vec::new(),
            midway: Vec::new(),
            apart: 0,
            repeats: 1,
            otherwise: None,
            says: BTreeMap::new(),
            broken: BTreeMap::new(),
            prompts: BTreeMap::new(),
            calls: BTreeMap::new(),
            spoken: String::new(),
            attempt: 0,
            failed: BTreeSet::new(),
        }
    }

    pub fn fails(mut self, purpose: &str, nth: usize, error: ChatError) -> Self {
        self.faults.push((purpose.to_owned(), nth, error));
        self
    }

    /// The same when half of its reply is said.
    pub fn breaks_off(mut self, purpose: &str, nth: usize, error: ChatError) -> Self {
        self.midway.push((purpose.to_owned(), nth));
        self.fails(purpose, nth, error)
    }

    /// The report has other words when it is tried for this time.
    pub fn says_otherwise(self, attempt: u32) -> Self {
        Script { otherwise: Some(attempt), ..self }
    }

    /// Forgets all calls but those with these tickets: for a fork they are all that was asked.
    pub fn forget_but(&mut self, tickets: &BTreeSet<u64>) {
        let is_known = |id: &String| tickets.contains(&ticket(id));
        self.calls.values_mut().for_each(|calls| calls.retain(is_known));
    }

    /// What the call with this id says before it ends, in parts, and how it ends.
    pub fn said(
        &mut self,
        (id, attempt): (&str, u32),
        request: &ChatRequest,
    ) -> (Vec<String>, Result<Completion, ChatError>) {
        (self.attempt, self.spoken) = (attempt, String::new());
        let result = self.reply(id, request);
        let text = match &result {
            Ok(completion) => completion.text.as_str(),
            Err(_) => self.spoken.as_str(),
        };
        let cut = |part: usize| text.floor_char_boundary(text.len() * part / 5);
        let parts = (0..4).map(|part| text[cut(part)..cut(part + 1)].to_owned());
        let parts = parts.filter(|part| !part.is_empty() && request.streams_text);
        (parts.collect(), result)
    }

    /// The reply to the call with this id.
    fn reply(&mut self, id: &str, request: &ChatRequest) -> Result<Completion, ChatError> {
        if let Some(error) = self.broken.get(&request.model.to_string()) {
            return Err(error.clone());
        }
        let purpose = id.rsplit_once('/').unwrap().0;
        let calls = self.calls.entry(purpose.to_owned()).or_default();
        if !calls.iter().any(|call| call == id) {
            calls.push(id.to_owned());
        }
        let nth = calls.iter().position(|call| call == id).unwrap() + 1;
        let prompt = &request.messages[0].content;
        self.prompts.insert(id.to_owned(), prompt.clone());
        let marks = ["\nQuestion: ", "\nThe question at hand: ", "\nTask: "];
        let behind = marks.iter().find_map(|mark| prompt.rsplit_once(mark)).unwrap().1;
        // The question of a part stands between fences.
        let mut lines = behind.lines();
        let first = lines.next().unwrap();
        let question = if first.starts_with("[[outside-") { lines.next().unwrap() } else { first };
        let asked = Asked { purpose, question, nth };
        let what = purpose.rsplit('/').next().unwrap();
        let model = request.model.to_string();
        let said = self.says.iter().find(|((by, of), _)| *by == model && *of == what);
        let text = said.map_or_else(|| self.text(asked, prompt), |(_, said)| (*said).to_owned());
        for (at, (of, when, error)) in self.faults.iter().enumerate() {
            if of == purpose && *when == nth && self.failed.insert(at) {
                if self.midway.contains(&(of.clone(), *when)) {
                    self.spoken = text;
                }
                return Err(error.clone());
            }
        }
        let output = (text.len() as u64 / 4).min(u64::from(request.max_output_tokens));
        let input = request_estimate(request);
        Ok(Completion {
            text,
            tool_calls: Vec::new(),
            reasoning: None,
            usage: Usage {
                input,
                output,
                cached_input: self.apart,
                reasoning: self.apart,
                reported: true,
            },
            finish_reason: FinishReason::Stop,
            model: request.model.name.clone(),
            attempts: 1,
        })
    }

    fn text(&self, asked: Asked<'_>, prompt: &str) -> String {
        let what = asked.purpose.rsplit('/').next().unwrap();
        let reply = match what {
            "queries" => json!({
                "queries": (self.queries)(asked), "time_sensitive": false,
                "recheck": (self.recheck)(asked),
            }),
            "findings" if !self.sentences.is_empty() => {
                json!({ "findings": self.found(prompt) })
            }
            "findings" => json!({ "findings": findings(prompt) }),
            "judgement" => {
                let score = (self.score)(asked);
                json!({
                    "coverage": score, "quality": score, "contradiction_handling": score,
                    "recency": null, "rationale": "As the script has it.",
                    "gaps": if score < 0.7 { vec![format!("more on {}", key(asked.question))] } else { vec![] },
                })
            }
            "parts" => json!({ "parts": (self.parts)(asked) }),
            "pass" => {
                let goes_on = (self.goes_on)(asked);
                let gaps = if goes_on { vec!["what is still open"] } else { vec![] };
                json!({
                    "sufficient": !goes_on, "critical_gaps": gaps,
                    "could_change_conclusion": goes_on, "rationale": "As the script has it.",
                })
            }
            "report" => {
                let begins = usize::from(self.otherwise == Some(self.attempt));
                let said: Vec<String> = passages(prompt)
                    .skip(begins)
                    .take(4)
                    .map(|(id, text)| format!("{} [{id}].", text.trim_end_matches('.')))
                    .collect();
                let answer = vec![said.join(" "); self.repeats].join("\n\n");
                json!({ "answer": answer, "follow_up": ["What else is known?"] })
            }
            other => panic!("no script for {other}"),
        };
        reply.to_string()
    }

    /// Those of its sentences that a passage of a prompt has.
    fn found(&self, prompt: &str) -> Vec<serde_json::Value> {
        let finding = |sentence: &&'static str| {
            let before = &prompt[..prompt.find(*sentence)?];
            let (id, _) = passages(before).last()?;
            let evidence = json!([{ "passage": id, "quote": sentence }]);
            let claim = self.claims.get(sentence).unwrap_or(sentence);
            Some(json!({ "claim": claim, "evidence": evidence, "uncertainties": [] }))
        };
        self.sentences.iter().filter_map(finding).collect()
    }
}

/// The ticket of an effect: its id's last part.
pub fn ticket(id: &str) -> u64 {
    id.rsplit('/').next().unwrap().parse().unwrap()
}

fn findings(prompt: &str) -> Vec<serde_json::Value> {
    let finding = |(id, text): (&str, &str)| json!({ "claim": text, "evidence": [{ "passage": id, "quote": text }], "uncertainties": [] });
    passages(prompt).take(4).map(finding).collect()
}

/// The passages of a prompt: `[q7] Title`, and the text on the next line.
fn passages(prompt: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = prompt.lines().zip(prompt.lines().skip(1));
    lines.filter_map(|(head, text)| {
        let (id, _) = head.strip_prefix('[')?.split_once("] ")?;
        let is_id = id.strip_prefix('q')?.bytes().all(|byte| byte.is_ascii_digit());
        is_id.then_some((id, text))
    })
}

/// What a question is about: its last word.
pub fn key(question: &str) -> &str {
    question.trim_end_matches('?').rsplit(' ').next().unwrap()
}

/// A part of a question, which shares no word with any other.
pub fn part(question: &str, n: u64) -> String {
    let word = |at| word(question, 100 * n + at);
    format!("Which {} has the {} of {}?", word(1), word(2), word(3))
}

/// A language model with a price.
pub fn sheet(name: &str) -> ModelSheet {
    let price = Price { input: 1.0, output: 4.0, cached_input: None, reasoning: None };
    ModelSheet {
        id: name.parse().unwrap(),
        price: Some(price),
        context_window: None,
        is_language_model: true,
        thinks: false,
        timeout_ms: 60_000,
    }
}

/// The rules, as a model.
pub fn rules() -> ModelSheet {
    ModelSheet { price: None, is_language_model: false, ..sheet("local:extractive") }
}
