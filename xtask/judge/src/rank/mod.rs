//! `cargo xtask rank`: how well a collection's questions find its documents, and how fast.
//!
//! The very code that the component runs, natively; no store and no network.

mod load;
mod measures;
mod speed;
mod walk;

use anyhow::{Result, bail};
use load::{Loaded, Question};
use measures::Measures;
use quarry_knowledge::rank::search::{Collection, Options, documents};
use serde_json::json;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use xtask::options::helps::RANK;
use xtask::program::print;

/// Chunks that are looked at for a question: their documents are more than ten in any collection that is cut so.
const CHUNKS: usize = 300;
/// Documents of a question that `--out` lists.
const LISTED: usize = 10;

/// Runs the task.
pub fn run(mut args: lexopt::Parser) -> Result<ExitCode> {
    use lexopt::prelude::*;
    let mut files: Vec<PathBuf> = Vec::new();
    let (mut out, mut time, mut synthetic) = (None, false, None);
    while let Some(arg) = args.next()? {
        match arg {
            Short('h') | Long("help") => return xtask::program::help(RANK),
            Long("out") => out = Some(PathBuf::from(args.value()?)),
            Long("time") => time = true,
            Long("synthetic") => synthetic = Some(args.value()?.parse::<usize>()?),
            Value(file) if files.len() < 2 => files.push(file.into()),
            other => return Err(xtask::options::unknown(other, RANK)),
        }
    }
    if let Some(chunks) = synthetic {
        if !files.is_empty() || out.is_some() {
            bail!(xtask::options::misused(
                "`--synthetic` makes its own chunks and questions: name no files beside it"
            ));
        }
        speed::synthetic(chunks)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(folder) = files.first() else {
        bail!(xtask::options::misused(format!("name a folder of documents\n\n{RANK}")));
    };
    let began = Instant::now();
    let loaded = Loaded::read(folder, files.get(1).map(PathBuf::as_path))?;
    let read = began.elapsed();
    let began = Instant::now();
    let collection = Collection::build(loaded.indexed());
    let indexed = began.elapsed();
    print(&format!(
        "{} documents, {} chunks, {} questions\n",
        loaded.documents.len(),
        loaded.chunks(),
        loaded.questions.len()
    ))?;
    for issue in &loaded.issues {
        eprintln!("  left out: {issue}");
    }
    for note in &loaded.notes {
        eprintln!("  {note}");
    }
    let words = Collection { segments: collection.segments.clone(), ..Collection::default() };
    let heads = ["in 1", "in 3", "in 5", "MRR"].map(|head| format!(" {head:>7}")).concat();
    print(&format!("{:<20}{heads} {:>8}\n", "", "nDCG@10"))?;
    let told = judge(&words, &loaded);
    print(&format!("{:<20} {}\n", "words", mean(&told)))?;
    let told = judge(&collection, &loaded);
    print(&format!("{:<20} {}\n", "words and meaning", mean(&told)))?;
    if let Some(out) = out {
        write(&out, &loaded.questions, &told)?;
    }
    if time {
        speed::tell(&loaded, &collection, read, indexed);
    }
    Ok(ExitCode::SUCCESS)
}

/// A question's outcome.
struct Told {
    found: Vec<(String, f32)>,
    measures: Measures,
}

fn judge(collection: &Collection, loaded: &Loaded) -> Vec<Told> {
    let options = Options { top_k: CHUNKS, threshold: 0.0 };
    let told = loaded.questions.iter().map(|question| {
        let hits = collection.search(&question.text, options, |_| true);
        let score = |document: u64| {
            hits.iter().find(|hit| hit.key.document == document).map_or(0.0, |hit| hit.score)
        };
        let found = documents(&hits).into_iter();
        let found: Vec<(String, f32)> =
            found.map(|document| (loaded.name(document).to_owned(), score(document))).collect();
        let grades = found.iter().map(|(name, _)| question.grade(name)).collect::<Vec<f64>>();
        Told { measures: Measures::of(&grades, question.relevant.values().copied()), found }
    });
    told.collect()
}

fn mean(told: &[Told]) -> Measures {
    Measures::mean(told.iter().map(|told| told.measures))
}

fn write(out: &PathBuf, questions: &[Question], told: &[Told]) -> Result<()> {
    let mut file = BufWriter::new(fs::File::create(out)?);
    for (question, told) in questions.iter().zip(told) {
        let found = told.found.iter().take(LISTED);
        let found: Vec<_> =
            found.map(|(doc, score)| json!({ "doc": doc, "score": score })).collect();
        let line = json!({ "id": question.id, "found": found, "ndcg": told.measures.ndcg });
        writeln!(file, "{line}")?;
    }
    file.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests;
