//! `cargo xtask js`: runs JavaScript programs with the built sandbox and prints a line of JSON for
//! each.

use crate::alone::Alone;
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xtask::options::js::Options;

/// Runs the programs.
pub fn run(options: &Options) -> Result<ExitCode> {
    let mut programs = Vec::new();
    for file in &options.files {
        collect(file, &mut programs)?;
    }
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(run_all(&programs, options))?;
    Ok(ExitCode::SUCCESS)
}

/// Where a program comes from.
enum Origin {
    StandardInput,
    File(PathBuf),
}

fn collect(path: &Path, programs: &mut Vec<Origin>) -> Result<()> {
    if path.as_os_str() == "-" {
        programs.push(Origin::StandardInput);
    } else if path.is_dir() {
        let entries = std::fs::read_dir(path)
            .with_context(|| format!("cannot read the folder {}", path.display()))?;
        let mut inside: Vec<PathBuf> =
            entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
        inside.sort();
        for path in inside {
            if path.is_dir() || path.extension().is_some_and(|extension| extension == "js") {
                collect(&path, programs)?;
            }
        }
    } else {
        ensure!(path.is_file(), "there is no file {}", path.display());
        programs.push(Origin::File(path.to_owned()));
    }
    Ok(())
}

async fn run_all(programs: &[Origin], options: &Options) -> Result<()> {
    let timeout = options.timeout;
    let sandbox = Alone::start("sandbox", options.profile, &[]).await?;
    for program in programs {
        let (name, source) = read(program)?;
        let request = json!({ "source": source, "timeout_ms": timeout });
        let line = match sandbox.call("/javascript/run", &request).await {
            Ok(answer) => told(&name, answer),
            // The next program gets another instance.
            Err(error) => json!({ "file": name, "crash": format!("{error:#}") }),
        };
        let mut out = std::io::stdout().lock();
        writeln!(out, "{line}").and_then(|()| out.flush()).context("cannot write the result")?;
    }
    sandbox.stop().await;
    Ok(())
}

/// A program's name and text. What is no UTF-8 is run with replacement characters, as a browser
/// would.
fn read(program: &Origin) -> Result<(String, String)> {
    let (name, bytes) = match program {
        Origin::StandardInput => {
            let mut bytes = Vec::new();
            std::io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
            ("-".to_owned(), bytes)
        }
        Origin::File(file) => {
            let bytes =
                std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
            (file.display().to_string(), bytes)
        }
    };
    Ok((name, String::from_utf8_lossy(&bytes).into_owned()))
}

/// The contract's record in the words of the tool's output.
fn told(file: &str, mut answer: Value) -> Value {
    let Some(outcome) = answer.get_mut("Ok").map(Value::take) else {
        return json!({ "file": file, "crash": answer.get("Err") });
    };
    let at = |path: &str| outcome.pointer(path).cloned().unwrap_or_default();
    let word = |value: Value| match value {
        Value::String(text) => json!(text.to_lowercase()),
        other => other,
    };
    let lines = outcome.get("console").and_then(Value::as_array).into_iter().flatten();
    let console: Vec<Value> = lines
        .map(|line| json!({ "level": line.get("level").cloned().map(word), "text": line.get("text") }))
        .collect();
    let mut told = json!({ "file": file, "console": console });
    let mut put = |name: &str, value: Value| {
        if let Some(fields) = told.as_object_mut() {
            fields.insert(name.to_owned(), value);
        }
    };
    if let Value::String(text) = at("/value/Json") {
        // The sandbox wrote it: text that does not parse would be a defect, and is shown.
        put("value", serde_json::from_str(&text).unwrap_or(Value::String(text)));
    }
    if let text @ Value::String(_) = at("/value/Text") {
        put("text", text);
    }
    put("error", at("/error"));
    put("limit", word(at("/limit")));
    put("elapsedMs", at("/elapsed_ms"));
    put("instructions", at("/instructions"));
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_told_in_the_tools_words() {
        let answer = json!({ "Ok": {
            "console": [{ "level": "Warn", "text": "hm" }],
            "value": { "Json": "{\"a\":1}" },
            "error": null,
            "limit": "Time",
            "elapsed_ms": 7,
            "instructions": 9,
        }});
        let expected = json!({
            "file": "a.js",
            "console": [{ "level": "warn", "text": "hm" }],
            "value": { "a": 1 },
            "error": null,
            "limit": "time",
            "elapsedMs": 7,
            "instructions": 9,
        });
        assert_eq!(told("a.js", answer), expected);
    }

    #[test]
    fn a_refusal_is_a_crash() {
        let told = told("-", json!({ "Err": { "Other": "no" } }));
        assert_eq!(told, json!({ "file": "-", "crash": { "Other": "no" } }));
    }
}
