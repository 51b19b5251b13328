//! What a model and the web say to a long run, at once: two pages for each query, four findings for each node, and
//! three parts that nobody else asks.

use anyhow::{Context as _, Result, bail};
use quarry_evidence::{Anchor, Passage};
use quarry_machines::run::{NodeId, Run};
use quarry_tools::{Errand, Found, Hit, Outcome, Page};
use quarry_types::{ChatRequest, Completion, FinishReason, Usage, fnv};
use serde_json::{Value, json};

/// The reply to a call with this id: `n5/queries/12`.
pub fn reply(id: &str, request: &ChatRequest, run: &Run) -> Result<Completion> {
    let mut parts = id.split('/');
    let (of, what) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let node = of.strip_prefix('n').and_then(|number| number.parse().ok());
    let node = node.and_then(|number| run.tree().get(NodeId(number)));
    let question = node.map_or(run.brief().task.as_str(), |node| node.question.as_str());
    let prompt = request.messages.first().map_or("", |message| message.content.as_str());
    let said = match what {
        "queries" => json!({ "queries": [
            format!("{} record", word(question, 5)), format!("{} survey", word(question, 6)),
        ], "time_sensitive": false }),
        "findings" => json!({ "findings": findings(prompt) }),
        "judgement" => json!({
            "coverage": 0.6, "quality": 0.6, "contradiction_handling": 0.6, "recency": null,
            "rationale": "Half of it is answered.", "gaps": ["the rest of it"],
        }),
        "parts" => json!({ "parts": (0..3).map(|n| part(question, n)).collect::<Vec<_>>() }),
        "pass" => json!({ "sufficient": true, "critical_gaps": [],
            "could_change_conclusion": false, "rationale": "It is over." }),
        other => bail!("no script for {other}"),
    };
    let text = said.to_string();
    let usage = Usage { input: 1_000, output: 100, reported: true, ..Usage::default() };
    let (tool_calls, model) = (Vec::new(), request.model.name.clone());
    let finish_reason = FinishReason::Stop;
    let reasoning = None;
    Ok(Completion { text, tool_calls, reasoning, usage, finish_reason, model, attempts: 1 })
}

/// Each passage of a prompt, `[q7] Title` with its text on the next line, is a finding.
fn findings(prompt: &str) -> Vec<Value> {
    let lines = prompt.lines().zip(prompt.lines().skip(1));
    let passages = lines.filter_map(|(head, text)| {
        let (id, _) = head.strip_prefix("[q")?.split_once("] ")?;
        id.bytes().all(|byte| byte.is_ascii_digit()).then(|| (format!("q{id}"), text))
    });
    let finding = |(id, text): (String, &str)| json!({ "claim": text, "evidence": [{ "passage": id, "quote": text }], "uncertainties": [] });
    passages.take(4).map(finding).collect()
}

/// A part of a question, which shares no word with any other.
fn part(question: &str, n: u64) -> String {
    let word = |at| word(question, 100 * (n + 1) + at);
    format!("Which {} has the {} of {}?", word(1), word(2), word(3))
}

/// What a search brings.
pub fn search(errand: &Errand) -> Result<Outcome> {
    let Errand::Search { query, limit, .. } = errand else { bail!("{errand:?} is no search") };
    let said = [
        format!("The chronicle calls {query} {} and {}.", word(query, 1), word(query, 2)),
        format!("Surveyors found beside {query} a {} of {}.", word(query, 3), word(query, 4)),
    ];
    let hit = |(n, text): (u64, String)| {
        let url = format!("https://{}.gov/{}", word(query, 10 + n), word(query, 20));
        let passage = Passage::new(Anchor::new(format!("p{n}")), Vec::new(), text, &url);
        let title = format!("Record {}", word(query, 30 + n));
        let page = Page {
            url: url.clone(),
            title: Some(title.clone()),
            date: Some("2026-10-02".to_owned()),
            passages: vec![passage],
            extracted: true,
            ..Page::default()
        };
        Hit { title, url, page: Some(Ok(page)), ..Hit::default() }
    };
    let most = usize::try_from(*limit).context("a search wants too much")?;
    let results = (0..).zip(said).map(hit).take(most).collect();
    Ok(Outcome::Found(Found { provider: "scripted".to_owned(), results, ..Found::default() }))
}

/// A word that stands nowhere else: the `n`th of this text.
fn word(text: &str, n: u64) -> String {
    let hash = fnv::bits64(text.bytes().chain(n.to_le_bytes()));
    let mut bits = hash ^ (hash >> 29);
    let letter = |from: &str, at: u64| {
        usize::try_from(at).ok().and_then(|at| from.chars().nth(at)).unwrap_or('a')
    };
    let mut word = String::new();
    for _ in 0..4 {
        word.push(letter("bdfgklmnprtvwz", bits % 14));
        word.push(letter("aiou", bits / 14 % 4));
        bits /= 56;
    }
    word
}
