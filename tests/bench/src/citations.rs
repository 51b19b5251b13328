//! What it costs in the component to check the sentences of an answer, and to write what they cite.
//!
//! Measured in pairs: an ask whose model writes a long answer, and the same ask whose model writes the same bytes as a
//! block of code, which is not checked. The evidence is forty documents of one's own, of one passage each. Half of the sentences
//! say what their passage says; of the others, one in two cites another passage, and one in two says what none does: for
//! those the whole evidence is searched.

mod records;

use crate::arguments::Arguments;
use crate::client::{self, Line, Measured, Target};
use crate::host::{Host, Kept};
use crate::pairs::{Orders, Spread, Took};
use crate::report::Report;
use anyhow::{Context as _, Result, ensure};
use quarry_test_provider::{Manner, Match, Phase, Recorded, Reply, Rule, Script, ScriptedProvider};
use records::{OF_PASSAGE, PASSAGES, SENTENCES, name, sentence, written};
use serde_json::{Value, json};

/// Passages that the model asks for at once.
const AT_ONCE: usize = 10;
/// The model's name where its answer is a block of code.
const FENCED: &str = "gpt-4o";
const CHECKED: &str = "gpt-4o-mini";

/// What the sentences took, pair by pair, in seconds.
#[derive(Debug, Default)]
pub struct Checked {
    /// Sentences of one answer, and passages that stand behind it.
    pub sentences: usize,
    pub passages: usize,
    /// Until the end, and of the host's processors, over the same bytes that are not checked.
    pub times: Vec<f64>,
    pub processor: Vec<f64>,
}

/// Measures it, where nothing but the ask takes time.
pub async fn measure(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let Arguments { program, manifest, plan, .. } = arguments;
    let provider =
        ScriptedProvider::start_as(arguments.provider(), script(), Manner::AsMet).await?;
    let url = provider.openai_base_url();
    let quarry = program.prompt().quarry(manifest, &url, Kept::unless(program)).await?;
    load(&quarry).await?;
    let targets = [FENCED, CHECKED].map(|model| Target::post(quarry.address, "/ask", &ask(model)));
    for (target, checked) in targets.iter().zip([0, SENTENCES]) {
        check(&client::once(target).await?, checked)?;
    }
    pairs(&quarry, &targets, plan.citations.div_ceil(8)).await?;
    let checked = pairs(&quarry, &targets, plan.citations).await?;
    report.citations(&checked);
    Ok(())
}

async fn pairs(quarry: &Host, [fenced, checked]: &[Target; 2], pairs: usize) -> Result<Checked> {
    let mut seen = Checked { sentences: SENTENCES, passages: PASSAGES, ..Checked::default() };
    let (mut orders, mut line) = (Orders::new(), Line::to(fenced).await?);
    for _ in 0..pairs {
        let mut took = [None; 2];
        for at in orders.next(2) {
            let target = if at == 0 { fenced } else { checked };
            if let Some(took) = took.get_mut(at) {
                *took = Some(Took::of(quarry, &mut line, target).await?);
            }
        }
        if let [Some(bare), Some(with)] = took {
            let (time, processor) = with.over(bare);
            seen.times.push(time);
            seen.processor.extend(processor);
        }
    }
    Ok(seen)
}

impl Checked {
    /// For one sentence, of what all of an answer took over.
    pub fn each(&self, figures: &[f64]) -> Option<Spread> {
        #[expect(clippy::cast_precision_loss, reason = "counts are small")]
        let sentences = self.sentences as f64;
        let each: Vec<f64> = figures.iter().map(|figure| figure / sentences).collect();
        Spread::of(&each)
    }
}

/// What is measured must be the whole answer, with so many of its sentences checked.
fn check(measured: &Measured, expected: usize) -> Result<()> {
    let told = String::from_utf8_lossy(&measured.body);
    let mut last =
        told.lines().rev().filter_map(|line| line.strip_prefix("data: ")).filter_map(|data| {
            let data: Value = serde_json::from_str(data).ok()?;
            data.get("citations").is_some().then_some(data)
        });
    let answer = last.next().with_context(|| format!("there is no answer:\n{told}"))?;
    let citations = answer.get("citations").and_then(Value::as_array).map_or(0, Vec::len);
    ensure!(
        citations == expected && told.contains("event: complete"),
        "the answer is not the one to measure: {citations} citations\n{answer}"
    );
    Ok(())
}

fn ask(model: &str) -> Value {
    json!({
        "query": "What do the records say?", "model": format!("openai:{model}"), "max_iterations": 2,
        "stream": true, "sources": ["knowledge"],
    })
}

/// One passage each.
async fn load(quarry: &Host) -> Result<()> {
    for passage in 0..PASSAGES {
        let sentences: Vec<String> = (0..OF_PASSAGE).map(|at| sentence(passage, at)).collect();
        let title = format!("Record {}", name(passage));
        let body = json!({ "markdown": sentences.join(" "), "title": title });
        let target = Target::post(quarry.address, "/knowledge/documents", &body);
        let told = client::once(&target.accepting("application/json")).await?.body;
        let told = String::from_utf8_lossy(&told).into_owned();
        ensure!(told.contains("\"added\""), "a record was not taken: {told}");
    }
    Ok(())
}

/// The ordinary beginning; then searches that bring all passages, and the answer.
fn script() -> Script {
    let mut script = Script::ordinary();
    let begins = |rule: &Rule| matches!(rule.when, Match::Phase(Phase::Setup | Phase::Planning));
    script.rules.retain(begins);
    Script { unrecorded: true, rules: script.rules, ..Script::by(reply) }
}

fn reply(request: &Recorded) -> Option<Reply> {
    match request.phase()? {
        Phase::Iteration(1) => {
            let all: Vec<String> = (0..PASSAGES).map(name).collect();
            let search = |reply: Reply, names: &[String]| {
                let arguments = json!({ "query": names.join(" "), "limit": names.len() });
                reply.and_call("search_knowledge", arguments)
            };
            Some(all.chunks(AT_ONCE).fold(Reply::default(), search))
        }
        Phase::Iteration(_) => Some(Reply::text("That is enough.")),
        Phase::Synthesis => {
            let text = answer(&request.text());
            let is_fenced = request.body.get("model").is_some_and(|model| model == FENCED);
            Some(Reply::text(if is_fenced { format!("```\n{text}\n```") } else { text }))
        }
        _ => None,
    }
}

/// An answer of what a prompt shows: passages under heads such as `[q7] Record bade`.
fn answer(prompt: &str) -> String {
    let listed = prompt.lines().filter_map(|line| {
        let (id, title) = line.strip_prefix('[')?.split_once("] Record ")?;
        let passage = (0..PASSAGES).find(|passage| title.trim().starts_with(&name(*passage)))?;
        Some((id.to_owned(), passage))
    });
    let listed: Vec<(String, usize)> = listed.collect();
    let all = listed
        .iter()
        .cycle()
        .take(SENTENCES)
        .enumerate()
        .map(|(at, (id, passage))| format!("{} [{id}].", written(at, *passage)));
    all.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn passages_have_names_of_their_own_and_their_size() {
        let names: HashSet<String> = (0..=PASSAGES).map(name).collect();
        assert_eq!(names.len(), PASSAGES + 1);
        let passage: usize = (0..OF_PASSAGE).map(|at| sentence(3, at).len() + 1).sum();
        assert!((1_400..1_600).contains(&passage), "{passage}");
    }

    #[test]
    fn an_answer_cites_what_the_prompt_shows() {
        let prompt = format!("[q1] Record {}\ntext\n\n[q4] Record {}\ntext", name(0), name(7));
        let answer = answer(&prompt);
        assert_eq!(answer.matches("[q1].").count(), SENTENCES / 2);
        assert_eq!(answer.matches("[q4].").count(), SENTENCES / 2);
    }
}
