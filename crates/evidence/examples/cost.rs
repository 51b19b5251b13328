//! What it costs to check the sentences of an answer natively, step by step. Not a test: it prints times.
//!
//! `cargo run --release -p quarry-evidence --example cost [ROUNDS]`
//!
//! The evidence and the answer are those that `cargo xtask bench --only citations` measures in the component.
#![allow(clippy::print_stdout, reason = "a program for people at a terminal")]

use quarry_evidence::cite::{Answer, Known};
use quarry_evidence::verify::Claim;
use quarry_evidence::{Content, Finding, Signals, Source, confidence, conflicts};
use std::hint::black_box;
use std::time::{Duration, Instant};

#[path = "../../../tests/bench/src/citations/records.rs"]
mod records;
use records::{OF_PASSAGE, PASSAGES, SENTENCES, name, sentence, written};

/// Characters of a piece, as providers stream them.
const PIECE: usize = 12;

fn main() {
    let rounds = std::env::args().nth(1).and_then(|rounds| rounds.parse().ok()).unwrap_or(200);
    let sources: Vec<Source> = (0..PASSAGES).map(source).collect();
    let answer = answer();
    let pieces: Vec<String> =
        answer.chars().collect::<Vec<_>>().chunks(PIECE).map(String::from_iter).collect();
    let claims: Vec<Claim> = (0..SENTENCES).map(|at| Claim::new(&said(at))).collect();
    let mut steps = Steps::default();
    for _ in 0..rounds {
        let known = steps.take("known", || Known::new(&sources));
        steps.take("index", || known.index().len());
        steps.take("claims", || (0..SENTENCES).map(|at| Claim::new(&said(at))).collect::<Vec<_>>());
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

fn answer() -> String {
    let sentences = (0..SENTENCES).map(|at| format!("{} [q{}].", said(at), at % PASSAGES + 1));
    sentences.collect::<Vec<_>>().join(" ")
}

/// A sentence of the answer.
fn said(at: usize) -> String {
    written(at, at % PASSAGES)
}
