//! Questions with what answers them, and whether it came first.

use super::read::{self, Read};
use quarry_machines::extractive::{
    Asked, Call, EvidenceSource, Length, Offered, PartRanking, ResearchView, Why, answer,
    next_calls, ranking,
};
use serde_json::Value;

/// A question and its answers.
pub struct Expected {
    pub question: String,
    wanted: Wanted,
}

enum Wanted {
    /// For each part what the first quotation must hold, one of several; none: no source says it.
    Parts(Vec<Vec<String>>),
    /// A program works this out.
    Calculation(String),
}

/// Whether a part was answered, and by what.
pub struct Outcome {
    pub is_right: bool,
    pub told: String,
}

impl Expected {
    pub fn all(list: &Value) -> Vec<Expected> {
        list.as_array().unwrap().iter().map(Expected::new).collect()
    }

    pub const fn is_calculation(&self) -> bool {
        matches!(self.wanted, Wanted::Calculation(_))
    }

    fn new(value: &Value) -> Expected {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let wanted = match value.get("calculation") {
            Some(expression) => Wanted::Calculation(text(expression)),
            None => Wanted::Parts(serde_json::from_value(value["parts"].clone()).unwrap()),
        };
        Expected { question: text(&value["question"]), wanted }
    }
}

/// Judges a question whose evidence is there.
pub fn judge(expected: &Expected, sources: &[EvidenceSource<'_>]) -> Vec<Outcome> {
    match &expected.wanted {
        Wanted::Parts(wanted) => {
            let parts = ranking(&expected.question, sources);
            let outcomes = wanted.iter().enumerate();
            outcomes.map(|(at, wanted)| part(expected, at, wanted, &parts)).collect()
        }
        Wanted::Calculation(expression) => {
            let calls = next_calls(&at_first(&expected.question));
            let is_right = matches!(&calls[..], [Call::Program { code }] if code.contains(expression.as_str()));
            vec![Outcome { is_right, told: format!("{}: {calls:?}", expected.question) }]
        }
    }
}

fn part(expected: &Expected, at: usize, wanted: &[String], parts: &[PartRanking<'_>]) -> Outcome {
    // A question that was not parted as it is meant leaves a part without an answer.
    let Some(part) = parts.get(at) else {
        let told = format!("{}: part {} is missing, wanted {wanted:?}", expected.question, at + 1);
        return Outcome { is_right: false, told };
    };
    let best = part.sentences.first();
    let first = best.filter(|_| part.is_answered);
    let said = best.map(|sentence| sentence.text.replace('\t', " | ")).unwrap_or_default();
    let is_right = match first {
        None => wanted.is_empty(),
        Some(_) => wanted.iter().any(|wanted| said.contains(wanted)),
    };
    let rank = part
        .sentences
        .iter()
        .position(|sentence| {
            let said = sentence.text.replace('\t', " | ");
            wanted.iter().any(|wanted| said.contains(wanted.as_str()))
        })
        .map_or_else(|| "nowhere".to_owned(), |at| (at + 1).to_string());
    let told = format!(
        "{} [{}]: “{said}” ({}), wanted {wanted:?}, which is {rank}",
        expected.question,
        part.question,
        if part.is_answered { "taken" } else { "not taken" }
    );
    Outcome { is_right, told }
}

/// Searches as the policy does, then judges what was found.
pub fn after_research(expected: &Expected) -> Vec<Outcome> {
    match expected.wanted {
        Wanted::Calculation(_) => judge(expected, &[]),
        Wanted::Parts(_) => judge(expected, &numbered(&research(expected))),
    }
}

/// The answer to a question about the demo web, as it is written.
pub fn written(expected: &Expected) -> String {
    let query = &expected.question;
    let asked = Asked { query, length: Length::Medium, most_tokens: 2_000, why: Why::Chosen };
    answer(&asked, &numbered(&research(expected)), &[])
}

fn research(expected: &Expected) -> Vec<Read> {
    let mut searched: Vec<String> = Vec::new();
    let mut pages: Vec<Read> = Vec::new();
    for iteration in 1.. {
        let sources = numbered(&pages);
        let view = ResearchView {
            iteration,
            searched: &searched,
            sources: &sources,
            ..at_first(&expected.question)
        };
        let calls = next_calls(&view);
        if calls.is_empty() {
            break;
        }
        for call in calls {
            let Call::Search { query, limit, .. } = call else { unreachable!("{call:?}") };
            for page in read::found(&query, limit) {
                if pages.iter().all(|known| known.url != page.url) {
                    pages.push(page);
                }
            }
            searched.push(query);
        }
    }
    pages
}

fn numbered(pages: &[Read]) -> Vec<EvidenceSource<'_>> {
    pages.iter().enumerate().map(|(at, page)| page.source(at + 1)).collect()
}

/// What is known of a question before anything was looked for.
pub fn at_first(query: &str) -> ResearchView<'_> {
    ResearchView {
        query,
        iteration: 1,
        offered: Offered { search: true, knowledge: false, read: true, program: true },
        searched: &[],
        read: &[],
        programs: 0,
        sources: &[],
        calculations: &[],
    }
}
