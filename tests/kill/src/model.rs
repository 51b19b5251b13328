//! A scripted language model for runs: what it replies follows from what a call is for, and is the same for the same
//! call whoever makes it. It keeps a book of what it was asked and whether it answered.
//!
//! It knows a call by its `Idempotency-Key`, which names run, purpose and number.

use crate::script::Script;
use quarry_test_provider::{Fault, Recorded, Reply, Script as Provider};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Characters of a passage that become a claim, at most.
const CLAIM: usize = 300;

/// How a call was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// With what is paid for: whole, or cut off.
    Paid,
    /// Not, or with a refusal.
    Not,
}

/// What happens to the first call for a purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    RateLimited,
    Broken,
    Hangs,
    Cut,
}

impl Trouble {
    fn reply(self, whole: Reply) -> Reply {
        match self {
            Trouble::RateLimited => Reply::rate_limited("3"),
            Trouble::Broken => Reply::status(500, "oops"),
            Trouble::Hangs => Reply::text("").fault(Fault::Hang),
            Trouble::Cut => whole.fault(Fault::Cut),
        }
    }
}

/// The model's book.
#[derive(Debug, Default)]
struct Book {
    /// Every call by its key, and how it was answered, in order.
    calls: Vec<(String, Answer)>,
    /// Calls by run and purpose, by the order of their first time.
    known: BTreeMap<String, Vec<String>>,
    troubles: Vec<(String, Trouble)>,
}

/// A model, shared with the provider that speaks for it.
#[derive(Debug, Clone)]
pub struct Model {
    script: Script,
    book: Arc<Mutex<Book>>,
}

impl Model {
    pub fn new(script: Script, troubles: Vec<(String, Trouble)>) -> Model {
        Model { script, book: Arc::new(Mutex::new(Book { troubles, ..Book::default() })) }
    }

    /// The provider's script.
    pub fn provider(&self) -> Provider {
        let model = self.clone();
        Provider::by(move |request| model.reply(request))
    }

    /// Every call so far by its key, and how it was answered.
    pub fn calls(&self) -> Vec<(String, Answer)> {
        self.book().calls.clone()
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reply(&self, request: &Recorded) -> Option<Reply> {
        let key = request.header("idempotency-key")?;
        let (run_and_purpose, _) = key.rsplit_once('/')?;
        let (_, purpose) = run_and_purpose.split_once('/')?;
        let mut book = self.book();
        let known = book.known.entry(run_and_purpose.to_owned()).or_default();
        if !known.iter().any(|it| it == key) {
            known.push(key.to_owned());
        }
        let nth = 1 + known.iter().position(|it| it == key)?;
        let whole = Reply::json(&self.text(purpose, nth, &request.text())?);
        let trouble = book.troubles.iter().position(|(of, _)| of == purpose);
        let trouble = trouble.map(|at| book.troubles.remove(at).1);
        let answer = match trouble {
            // What was written before it was cut is billed.
            None | Some(Trouble::Cut) => Answer::Paid,
            Some(Trouble::RateLimited | Trouble::Broken | Trouble::Hangs) => Answer::Not,
        };
        book.calls.push((key.to_owned(), answer));
        Some(trouble.map_or(whole.clone(), |it| it.reply(whole)))
    }

    fn text(&self, purpose: &str, nth: usize, prompt: &str) -> Option<Value> {
        let node = purpose.split('/').next().unwrap_or_default();
        Some(match purpose.rsplit('/').next()? {
            "queries" => {
                json!({ "queries": self.script.queries(node), "time_sensitive": false })
            }
            "findings" => json!({ "findings": findings(prompt) }),
            "judgement" => {
                let score = self.script.score(node, nth);
                let gaps = if score < 0.7 { vec![format!("more on {node}")] } else { Vec::new() };
                json!({
                    "coverage": score, "quality": score, "contradiction_handling": score,
                    "recency": null, "rationale": "As the script has it.", "gaps": gaps,
                })
            }
            "parts" => json!({ "parts": self.script.parts(node) }),
            "pass" => json!({
                "sufficient": false, "critical_gaps": ["what is still open"],
                "could_change_conclusion": true, "rationale": "As the script has it.",
            }),
            "report" => {
                let said: Vec<String> = passages(prompt)
                    .take(4)
                    .map(|(id, text)| format!("{} [{id}].", text.trim_end_matches('.')))
                    .collect();
                json!({ "answer": said.join(" "), "follow_up": ["What else is known?"] })
            }
            _ => return None,
        })
    }
}

fn findings(prompt: &str) -> Vec<Value> {
    let finding = |(id, text): (&str, &str)| {
        json!({
            "claim": text, "evidence": [{ "passage": id, "quote": text }], "uncertainties": [],
        })
    };
    passages(prompt).take(4).map(finding).collect()
}

/// The passages of a prompt, by their first sentences: `[q7] Title`, and the text on the next line.
fn passages(prompt: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = prompt.lines().zip(prompt.lines().skip(1));
    lines.filter_map(|(head, text)| {
        let (id, _) = head.strip_prefix('[')?.split_once("] ")?;
        let is_id = id.strip_prefix('q')?.bytes().all(|byte| byte.is_ascii_digit());
        let end = text.find(". ").map_or(text.len(), |at| at + 1);
        let sentence = text.get(..end)?;
        (is_id && (20..CLAIM).contains(&sentence.len())).then_some((id, sentence))
    })
}
