//! `cargo xtask verify`: claims of one's own against their sources.

use crate::lines;
use anyhow::{Result, bail};
use lexopt::prelude::*;
use quarry_evidence::verify::{Check, Claim, Index, Text, Verdict};
use serde_json::{Map, Value as Json, json};
use std::path::PathBuf;
use std::process::ExitCode;
use xtask::options::helps::VERIFY;
use xtask::program::{help, print};

/// Runs the task.
pub fn run(mut args: lexopt::Parser) -> Result<ExitCode> {
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(arg) = args.next()? {
        match arg {
            Value(file) => files.push(file.into()),
            Short('h') | Long("help") => return help(VERIFY),
            other => return Err(xtask::options::unknown(other, VERIFY)),
        }
    }
    let mut files = files.into_iter();
    let (Some(input), Some(output), None) = (files.next(), files.next(), files.next()) else {
        bail!(xtask::options::misused(format!("name two files\n\n{VERIFY}")));
    };
    let mut counts = [0_usize; 3];
    let wrong = lines::each(&input, Some(&output), |record, _| {
        let check = verify(record)?;
        let at = match check.verdict {
            Verdict::Supported => 0,
            Verdict::Partly => 1,
            Verdict::NotFound => 2,
        };
        counts.iter_mut().skip(at).take(1).for_each(|count| *count += 1);
        Ok(())
    })?;
    let [supported, partly, not_found] = counts;
    let wrongs = if wrong > 0 { format!(", {wrong} with an error") } else { String::new() };
    print(&format!("{supported} supported, {partly} partly, {not_found} not found{wrongs}\n"))?;
    Ok(lines::ended(wrong))
}

/// Checks the claim of a line, and writes into the line what came out.
fn verify(record: &mut Map<String, Json>) -> Result<Check> {
    let claim = Claim::new(lines::text(record, "claim")?);
    let source = source(record)?;
    let title = match record.get("title") {
        Some(Json::String(title)) => title.clone(),
        None | Some(Json::Null) => String::new(),
        Some(_) => bail!("field `title` is no text"),
    };
    let index = Index::new([Text { context: &title, text: &source }]);
    let check = index.best(&claim).unwrap_or_default();
    let window = source.get(check.window.clone()).unwrap_or_default();
    for (name, value) in [
        ("verdict", json!(check.verdict)),
        ("coverage", json!((check.coverage * 1e4).round() / 1e4)),
        ("vetoes", json!(check.vetoes)),
        ("missing", json!(check.missing)),
        ("window", json!(window)),
    ] {
        record.insert(name.to_owned(), value);
    }
    Ok(check)
}

/// The source's text; sentences of an array, texts or objects with a `text`, are lines of it.
fn source(record: &Map<String, Json>) -> Result<String> {
    let Some(Json::Array(sentences)) = record.get("source") else {
        return lines::text(record, "source").map(str::to_owned);
    };
    let mut text = String::new();
    for (at, sentence) in sentences.iter().enumerate() {
        let said = sentence.as_str().or_else(|| sentence.get("text")?.as_str());
        let Some(sentence) = said else {
            bail!("item {at} of field `source` is no text");
        };
        text.push_str(sentence);
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verified(record: Json) -> Result<Map<String, Json>> {
        let Json::Object(mut record) = record else { panic!("no object") };
        verify(&mut record)?;
        Ok(record)
    }

    #[test]
    fn a_line_keeps_what_it_had_and_gets_a_verdict() {
        let record = json!({
            "id": 7, "claim": "The Sker lamp was lit in March 1823 by its keeper.", "label": "x",
            "source": ["It rains.", { "text": "The lamp of Sker was lit by its keeper on 3 March 1823." }],
        });
        let record = verified(record).unwrap();
        assert_eq!((&record["id"], &record["label"]), (&json!(7), &json!("x")));
        assert_eq!(record["verdict"], "supported", "{record:?}");
        assert_eq!(record["window"], "The lamp of Sker was lit by its keeper on 3 March 1823.");
        let record = json!({
            "claim": "The Sker lamp was lit in March 1824 by its keeper.",
            "source": "The lamp of Sker was lit by its keeper on 3 March 1823.",
        });
        let record = verified(record).unwrap();
        assert_eq!((&record["verdict"], &record["vetoes"]), (&json!("partly"), &json!(["date"])));
    }

    #[test]
    fn what_is_wrong_with_a_line_is_said_by_its_field() {
        for (record, message) in [
            (json!({ "source": "x" }), "field `claim` is missing"),
            (json!({ "claim": 1, "source": "x" }), "field `claim` is no text"),
            (json!({ "claim": "x", "source": ["a", 2] }), "item 1 of field `source` is no text"),
            (json!({ "claim": "x", "source": "a", "title": 2 }), "field `title` is no text"),
        ] {
            assert_eq!(verified(record).unwrap_err().to_string(), message);
        }
    }
}
