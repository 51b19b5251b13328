//! What it costs to check the sentences of an answer natively, step by step. Not a test: it prints times.
//!
//! `cargo run --release -p quarry-evidence --example cost [ROUNDS]`
//!
//! The evidence and the answer are those that `cargo xtask bench --only citations` measures in the component: forty
//! passages of 1,500 bytes, sixty sentences, of which half say what their passage says, a quarter is said by another
//! passage, and a quarter by none.
#![allow(clippy::print_stdout, reason = "a program for people at a terminal")]

use quarry_evidence::cite::{Answer, Known};
use quarry_evidence::verify::Claim;
use quarry_evidence::{Content, Finding, Signals, Source, confidence, conflicts};
use std::hint::black_box;
use std::time::{Duration, Instant};

const PASSAGES: usize = 40;
const OF_PASSAGE: usize = 12;
const SENTENCES: usize = 60;
/// Characters of a piece, as providers stream them.
const PIECE: usize = 12;

fn main() {
    let rounds = std::env::args().nth(1).and_then(|rounds| rounds.parse().ok()).unwrap_or(200);
    let sources: Vec<Source> = (0..PASSAGES).map(source).collect();
    let answer = answer();
    let pieces: Vec<String> =
        answer.chars().collect::<Vec<_>>().chunks(PIECE).map(String::from_iter).collect();
    let claims: Vec<Claim> = (0..SENTENCES).map(|at| Claim::new(&written(at))).collect();
    let mut steps = Steps::default();
    for _ in 0..rounds {
        let known = steps.take("known", || Known::new(&sources));
        steps.take("index", || known.index().len());
        steps.take("claims", || {
            (0..SENTENCES).map(|at| Claim::new(&written(at))).collect::<Vec<_>>()
        });
        steps.take("check each against one passage", || {
            let checks =
                claims.iter().zip(0..).map(|(claim, at)| known.index().check(claim, at % PASSAGES));
            checks.flatten().count()
        });
        steps.take("check each against all", || {
            claims.iter().filter_map(|claim| known.index().best(claim)).count()
        });
        let (_, proof) = steps.take("answer, piece by piece", || {
            let mut written = Answer::default();
            let out: Vec<_> = pieces.iter().flat_map(|piece| written.push(piece, &known)).collect();
            black_box(out);
            written.finish(&known)
        });
        let found = steps.take("conflicts", || conflicts(&proof, &known));
        steps.take("confidence", || confidence(&Signals::of(&proof, &found, &known, 2026.5)));
    }
    steps.print();
}

/// The median of each step.
#[derive(Default)]
struct Steps(Vec<(&'static str, Vec<Duration>)>);

impl Steps {
    fn take<T>(&mut self, name: &'static str, step: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let out = black_box(step());
        let took = start.elapsed();
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, all)) => all.push(took),
            None => self.0.push((name, vec![took])),
        }
        out
    }

    fn print(&mut self) {
        for (name, all) in &mut self.0 {
            all.sort_unstable();
            let median = all.get(all.len() / 2).copied().unwrap_or_default();
            let sentences = u32::try_from(SENTENCES).unwrap_or(1);
            let each = (median / sentences).as_secs_f64() * 1e6;
            println!("{name:32} {:9.1} µs, {each:7.2} µs a sentence", median.as_secs_f64() * 1e6);
        }
    }
}

fn source(passage: usize) -> Source {
    let text: Vec<String> = (0..OF_PASSAGE).map(|at| sentence(passage, at)).collect();
    let finding = Finding {
        url: format!("/knowledge/documents/{}/chunks", name(passage)),
        title: Some(format!("Record {}", name(passage))),
        content: Content::Text(text.join(" ")),
        ..Finding::default()
    };
    Source::new(passage + 1, finding)
}

/// A word that belongs to one passage.
fn name(passage: usize) -> String {
    let letter = |at: usize| ["ba", "de", "fi", "go", "ku", "la", "me"].get(at % 7).copied();
    [passage, passage / 7, passage + 3].into_iter().filter_map(letter).collect()
}

fn sentence(passage: usize, at: usize) -> String {
    let (name, year) = (name(passage), 1_800 + passage * OF_PASSAGE + at);
    let what = ["harbour", "mill", "tower", "market", "school", "quay"];
    let what = what.get(at % 6).copied().unwrap_or_default();
    format!(
        "In {year} the keepers of {name} rebuilt the {what} number {at} with good grey stone from the quarry of {name} hill for {} crowns.",
        year * 3
    )
}

/// A sentence of the answer.
fn written(at: usize) -> String {
    let passage = at % PASSAGES;
    let of = match at % 4 {
        2 => (passage + 1) % PASSAGES,
        3 => PASSAGES,
        _ => passage,
    };
    sentence(of, at % OF_PASSAGE)
}

fn answer() -> String {
    let sentences = (0..SENTENCES)
        .map(|at| format!("{} [q{}].", written(at).trim_end_matches('.'), at % PASSAGES + 1));
    sentences.collect::<Vec<_>>().join(" ")
}
